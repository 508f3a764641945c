"""Chunks: nothing lost, nothing twice, nothing too long, nothing across sections."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from held.document import Box, Document, Kind, PageRegion, PhysicalObject, TableCell, TableStructure
from held.errors import UsageError
from held.exports.chunking import Chunk, ChunkKind, chunks, estimated_tokens
from held.hierarchy import Hierarchy
from held.tree import ROOT, Tree

WORDS = st.sampled_from(
    ["boat", "harbour,", "ice.", "Nets", "1912", "港口", "结冰。", "船，", "it", "Incomprehensibility!"]
)
TEXTS = st.lists(WORDS, max_size=30).map(" ".join)
ROWS = st.lists(st.tuples(TEXTS, WORDS), min_size=1, max_size=6).map(tuple)
KINDS = st.sampled_from([Kind.PARAGRAPH, Kind.LIST_ITEM, Kind.CAPTION, Kind.CONTENTS_ENTRY])
PROSE = st.tuples(KINDS, TEXTS, st.just(()))
BODIES = st.one_of(PROSE, st.tuples(st.just(Kind.TABLE), st.just(""), ROWS))
Bodies = st.SearchStrategy[tuple[Kind, str, tuple[tuple[str, str], ...]]]


def item(kind: Kind, text: str, rows: Sequence[Sequence[str]] = (), page: int = 1) -> PhysicalObject:
    return PhysicalObject(kind, text, (PageRegion(page, Box(0, 0, 1, 1)),), rows=tuple(map(tuple, rows)))


def words(count: int) -> str:
    return " ".join(["boat"] * count)


@st.composite
def hierarchies(draw: st.DrawFn, bodies: Bodies = BODIES) -> Hierarchy:
    """Headings at random levels, each with some objects below it."""
    objects: list[PhysicalObject] = []
    parents: list[int] = []
    branch: list[int] = []
    headings = []
    for section in range(draw(st.integers(0, 5))):
        if section:
            branch = branch[: draw(st.integers(0, len(branch)))]
            parents.append(branch[-1] if branch else ROOT)
            headings.append(len(objects))
            branch.append(len(objects))
            objects.append(item(Kind.PARAGRAPH, f"Heading {section}"))
        for kind, text, rows in draw(st.lists(bodies, max_size=4)):
            parents.append(branch[-1] if branch else ROOT)
            objects.append(item(kind, text, rows))
    sure = dict.fromkeys(headings, 1.0)
    return Hierarchy(Document("a", (), tuple(objects)), Tree.from_parents(parents), sure, sure, 0, 0.0)


def body(*objects: PhysicalObject) -> Hierarchy:
    """A document of one section whose heading is Harbour."""
    everything = (item(Kind.PARAGRAPH, "Harbour"), *objects)
    tree = Tree.from_parents([ROOT, *[0] * len(objects)])
    return Hierarchy(Document("a", (), everything), tree, {0: 1.0}, {0: 1.0}, 0, 0.0)


def texts(found: list[Chunk]) -> list[str]:
    return [chunk.text for chunk in found]


def letters(text: str) -> str:
    return "".join(text.replace("|", " ").split())


@given(hierarchies(PROSE), st.integers(1, 40))
def test_all_text_is_in_exactly_one_chunk(hierarchy: Hierarchy, most: int) -> None:
    objects, headings = hierarchy.document.objects, hierarchy.headings
    found = [chunk for chunk in chunks(hierarchy, max_tokens=most) if chunk.objects[0] not in headings]
    bodies = [one.text for i, one in enumerate(objects) if i not in headings]
    assert "".join(letters(chunk.text) for chunk in found) == "".join(map(letters, bodies))


@given(ROWS, st.integers(3, 40))
def test_every_row_below_the_head_is_in_exactly_one_chunk(rows: list[tuple[str, str]], most: int) -> None:
    rows = [(f"x {label}", value) for label, value in rows]  # a row without a label may be one of the head
    found = chunks(body(item(Kind.TABLE, "", [("Boat", "Year"), *rows])), max_tokens=most)
    lines = [line for chunk in found for line in chunk.text.splitlines() if line != "Boat | Year"]
    assert letters("".join(lines)) == letters("".join("".join(row) for row in rows))


@given(hierarchies(), st.integers(1, 40))
def test_every_object_with_text_and_every_heading_is_there(hierarchy: Hierarchy, most: int) -> None:
    found = chunks(hierarchy, max_tokens=most)
    objects = hierarchy.document.objects
    covered = {i for chunk in found for i in chunk.objects}
    for i, one in enumerate(objects):
        if i in hierarchy.headings:
            assert any(one.text in chunk.path for chunk in found) or not any_text_below(hierarchy, i)
        else:
            assert (i in covered) == bool(one.text.strip() or "".join(map("".join, one.rows)).strip())


def test_a_heading_above_a_figure_without_words_is_a_chunk_of_its_own() -> None:
    document = Document("a", (), (item(Kind.PARAGRAPH, "Map"), item(Kind.FIGURE, "")))
    found = chunks(Hierarchy(document, Tree.from_parents([-1, 0]), {0: 1.0}, {0: 1.0}, 0, 0.0))
    assert texts(found) == ["Map"]


def any_text_below(hierarchy: Hierarchy, heading: int) -> bool:
    objects, paths = hierarchy.document.objects, hierarchy.tree.paths()
    below = [i for i, path in paths.items() if heading in path[:-1]]
    return not below or any(objects[i].text or objects[i].rows for i in below)


@given(hierarchies(), st.integers(1, 40))
def test_only_a_single_word_is_longer_than_the_limit(hierarchy: Hierarchy, most: int) -> None:
    for chunk in chunks(hierarchy, max_tokens=most):
        assert chunk.tokens == estimated_tokens(chunk.text)
        assert chunk.tokens <= most or len(chunk.text.split()) == 1


@given(hierarchies(), st.integers(1, 40))
def test_no_chunk_reaches_across_sections(hierarchy: Hierarchy, most: int) -> None:
    parents = hierarchy.tree.parents()
    for chunk in chunks(hierarchy, max_tokens=most):
        if chunk.objects != (chunk.section,):
            assert {parents[i] for i in chunk.objects} == {chunk.section}


@given(hierarchies(), st.integers(1, 40))
def test_chunks_are_in_reading_order(hierarchy: Hierarchy, most: int) -> None:
    found = chunks(hierarchy, max_tokens=most)
    assert all(one.objects[-1] <= other.objects[0] for one, other in pairwise(found))


def test_a_chunk_has_the_path_pages_and_objects_of_its_text() -> None:
    (chunk,) = chunks(body(item(Kind.PARAGRAPH, "Boats.", page=2), item(Kind.PARAGRAPH, "Nets.", page=3)))
    assert chunk == Chunk("Boats.\n\nNets.", ("Harbour",), 0, (2, 3), (1, 2), ChunkKind.TEXT, 4)
    assert chunk.in_context == "Harbour\n\nBoats.\n\nNets."


def test_a_long_paragraph_is_cut_between_sentences() -> None:
    found = chunks(
        body(item(Kind.PARAGRAPH, "The boats lie still. The ice is near. Nobody goes out.")), max_tokens=10
    )
    assert texts(found) == ["The boats lie still. The ice is near.", "Nobody goes out."]


def test_a_long_chinese_paragraph_is_cut_between_sentences() -> None:
    found = chunks(body(item(Kind.PARAGRAPH, "港口结冰了。“船停在港里。”没有人出海。")), max_tokens=16)
    assert texts(found) == ["港口结冰了。“船停在港里。”", "没有人出海。"]


def test_a_long_sentence_is_cut_between_words_or_chinese_characters() -> None:
    assert texts(chunks(body(item(Kind.PARAGRAPH, words(5))), max_tokens=2)) == [words(2), words(2), words(1)]
    assert texts(chunks(body(item(Kind.PARAGRAPH, "港口结冰了")), max_tokens=2)) == ["港口", "结冰", "了"]


def test_an_abbreviation_ends_no_sentence() -> None:
    found = chunks(body(item(Kind.PARAGRAPH, "See No. 5 of it. Boats lie there in the ice.")), max_tokens=8)
    assert texts(found)[0] == "See No. 5 of it."


def test_a_long_table_is_split_by_rows_below_its_head() -> None:
    rows = [("Boat", "Year"), ("Anna", "1912"), ("Berta", "1913"), ("Clara", "1914")]
    found = chunks(body(item(Kind.TABLE, "", rows)), max_tokens=11)
    assert texts(found) == ["Boat | Year\nAnna | 1912\nBerta | 1913", "Boat | Year\nClara | 1914"]
    assert {chunk.kind for chunk in found} == {ChunkKind.TABLE}


def test_a_row_that_is_too_long_is_split_in_itself() -> None:
    found = chunks(body(item(Kind.TABLE, "", [("Boat", "Year"), (words(9), "1912")])), max_tokens=6)
    assert all(chunk.tokens <= 6 for chunk in found)
    assert "".join(texts(found)).count("boat") == 9


def test_every_piece_of_a_table_has_its_caption_and_the_full_names_of_its_columns() -> None:
    rows = [("", "Catch", ""), ("", "2026", "2025"), ("Anna", "1", "2"), ("Berta", "3", "4")]
    table = item(Kind.TABLE, "", rows)
    spanning = TableCell(0, 1, "Catch", column_span=2, header=True)
    cells = tuple(
        TableCell(row, column, text, header=row == 1)
        for row, texts in enumerate(rows)
        for column, text in enumerate(texts)
        if row and text
    )
    told = replace(table, table=TableStructure((spanning, *cells)))
    found = chunks(body(item(Kind.CAPTION, "Table 1: Nets"), told), max_tokens=17)
    names = " | Catch 2026 | Catch 2025"
    assert texts(found)[-1] == f"Table 1: Nets\n{names}\nBerta | 3 | 4"


def test_a_label_that_spans_rows_stands_in_each_of_them() -> None:
    rows = [("Pin", "Use"), ("GPIO2", "Clock"), ("", "Data")]
    places = [(0, 0), (0, 1), (1, 0), (1, 1), (2, 1)]
    cells = [TableCell(row, column, rows[row][column], header=row == 0) for row, column in places]
    cells[2] = cells[2]._replace(row_span=2)
    told = replace(item(Kind.TABLE, "", rows), table=TableStructure(tuple(cells)))
    assert texts(chunks(body(told)))[0].splitlines()[1:] == ["GPIO2 | Clock", "GPIO2 | Data"]


def long_table(pages: Sequence[int], parts: Sequence[int]) -> PhysicalObject:
    """A table with a row on each of the pages, the last one nothing but a label from above."""
    rows = [("Boat", "Year"), *(("Anna", f"191{place}") for place in range(len(pages))), ("Anna", "")]
    cells = [TableCell(0, column, text, header=True, page=pages[0]) for column, text in enumerate(rows[0])]
    for row, page in enumerate(pages, start=1):
        cells += [TableCell(row, 0, "Anna", page=page), TableCell(row, 1, rows[row][1], page=page)]
    cells[-2] = cells[-2]._replace(row_span=2)
    told = replace(item(Kind.TABLE, "", rows), table=TableStructure(tuple(cells)))
    return replace(told, parts=tuple(PageRegion(page, Box(0, 0, 1, 1)) for page in parts))


def test_a_piece_of_a_table_stands_on_the_pages_of_its_rows() -> None:
    found = chunks(body(long_table([3, 4, 5], parts=[3, 4, 5])), max_tokens=8)
    assert [chunk.pages for chunk in found] == [(3,), (4,), (5,), (5,)]


def test_a_piece_of_a_table_whose_cells_tell_no_pages_stands_on_all_of_them() -> None:
    found = chunks(body(long_table([1, 1, 1], parts=[3, 4, 5])), max_tokens=8)
    assert {chunk.pages for chunk in found} == {(3, 4, 5)}


def test_a_caption_goes_with_the_table_below_it() -> None:
    found = chunks(
        body(item(Kind.PARAGRAPH, "Text."), item(Kind.CAPTION, "Table 1"), item(Kind.TABLE, "", [("a", "b")]))
    )
    assert [(chunk.text, chunk.kind) for chunk in found] == [
        ("Text.", ChunkKind.TEXT),
        ("Table 1\n\na | b", ChunkKind.TABLE),
    ]


def test_a_heading_with_nothing_below_it_is_a_chunk_of_itself() -> None:
    (chunk,) = chunks(body())
    assert (chunk.text, chunk.path, chunk.objects) == ("Harbour", ("Harbour",), (0,))


def test_a_heading_with_sections_alone_is_in_their_paths_only() -> None:
    objects = tuple(item(Kind.PARAGRAPH, text) for text in ("Harbour", "Boats", "They lie still."))
    both = {0: 1.0, 1: 1.0}
    (chunk,) = chunks(
        Hierarchy(Document("a", (), objects), Tree.from_parents([ROOT, 0, 1]), both, both, 0, 0.0)
    )
    assert (chunk.text, chunk.path) == ("They lie still.", ("Harbour", "Boats"))


def test_tokens_are_counted_as_the_caller_says() -> None:
    found = chunks(body(item(Kind.PARAGRAPH, "abc def")), max_tokens=3, count=len)
    assert texts(found) == ["abc", "def"]


def test_the_estimate_counts_characters_words_numbers_and_marks() -> None:
    assert estimated_tokens("港口 harbour 1912, ice") == 2 + 2 + 2 + 1 + 1


def test_chunks_that_hold_nothing_are_refused() -> None:
    with pytest.raises(UsageError, match="chunks of 0 tokens hold nothing"):
        chunks(body(), max_tokens=0)
