"""Headings from structure trees."""

from held.corpus.build import choose_outline, compare_outlines, outline_of_tags
from held.document import OutlineEntry
from held.reading.tags import TaggedBlock, Tags
from tests.corpus.made_up import entry

REPORT = ("第一节 总", "一、甲", "二、乙", "第二节 分", "一、丙", "二、丁", "第三节 末", "一、戊")


def tagged(*blocks: tuple[str, str] | tuple[str, str, int]) -> tuple[OutlineEntry, ...]:
    """The outline of blocks given as type, text and depth in sections, each on a page of its own."""
    found = (TaggedBlock(b[0], b[1], (page,), b[2] if len(b) > 2 else 0) for page, b in enumerate(blocks, 1))
    return outline_of_tags(Tags(tuple(found), 0, 0, 0))


def levels(outline: tuple[OutlineEntry, ...]) -> list[int]:
    return [entry.level for entry in outline]


def test_heading_tags_tell_their_level() -> None:
    found = tagged(("H1", "Alpha"), ("P", "text"), ("H2", "Beta"), ("H6", "Gamma"))
    assert found == (entry("Alpha", 1, 1), entry("Beta", 2, 3), entry("Gamma", 6, 4))


def test_plain_heading_tags_have_the_level_of_their_sections() -> None:
    assert levels(tagged(("H", "Alpha", 1), ("H", "Beta", 2), ("H", "Gamma", 0))) == [1, 2, 1]


def test_swapped_levels_are_swapped_back() -> None:
    found = tagged(*(("H2" if title.startswith("第") else "H1", title) for title in REPORT))
    assert levels(found) == [1, 2, 2, 1, 2, 2, 1, 2]


def test_levels_that_fit_the_numbers_stay() -> None:
    found = tagged(*(("H1" if title.startswith("第") else "H2", title) for title in REPORT))
    assert levels(found) == [1, 2, 2, 1, 2, 2, 1, 2]


def test_the_outline_goes_before_the_tags() -> None:
    outline, tags = [entry("Alpha")], [entry("Beta")]
    assert choose_outline(outline, tags) == ("outline", outline)
    assert choose_outline([], tags) == ("tags", tags)
    assert choose_outline([], []) == ("tags", [])


def test_tags_help_where_the_outline_contradicts_its_numbers() -> None:
    flat = [entry(title) for title in REPORT]
    deep = [entry(title, 1 if title.startswith("第") else 2) for title in REPORT]
    assert choose_outline(flat, deep) == ("tags", deep)


def test_agreement_counts_shared_titles_under_the_same_title() -> None:
    outline = [entry("1 A"), entry("1.1 B", 2), entry("1.2 C", 2), entry("Only here")]
    tags = [entry("A"), entry("B", 2), entry("C")]
    assert compare_outlines(outline, tags) == (3, 2)
