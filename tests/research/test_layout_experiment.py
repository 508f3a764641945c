from research.layout.measure import score, true_objects

from held.document import Box, Document, Kind, PageRegion, PhysicalObject
from held.reading.tags import TaggedBlock, Tags


def tags(*blocks: tuple[str, str]) -> Tags:
    return Tags(tuple(TaggedBlock(kind, text, (1,)) for kind, text in blocks), 100, 100, 0)


def found(*objects: tuple[Kind, str]) -> Document:
    part = PageRegion(1, Box(0, 0, 1, 1))
    return Document("a.pdf", (), tuple(PhysicalObject(kind, text, (part,)) for kind, text in objects))


def test_headings_and_list_items_count_as_paragraphs() -> None:
    result = score(
        tags(("H1", "Harbour"), ("LI", "• Nets")),
        found((Kind.PARAGRAPH, "Harbour"), (Kind.LIST_ITEM, "• Nets")),
    )
    assert result.matches[Kind.PARAGRAPH].f1 == 1.0


def test_a_paragraph_cut_in_two_is_missed_and_shown_with_its_pieces() -> None:
    whole = "The boats lay side by side along the quay."
    result = score(tags(("P", whole)), found((Kind.PARAGRAPH, whole[:21]), (Kind.PARAGRAPH, whole[21:])))
    assert result.matches[Kind.PARAGRAPH].both == 0
    assert len(result.misses[0].nearest) == 2


def test_a_block_without_text_is_no_object() -> None:
    assert true_objects(tags(("P", "  "))) == []
