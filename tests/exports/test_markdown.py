"""Markdown, judged by what a renderer makes of it."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from held.document import (
    Box,
    Document,
    Kind,
    Mark,
    Metadata,
    PageRegion,
    PageSize,
    PhysicalObject,
    Span,
    Style,
)
from held.exports.markdown import to_markdown
from held.exports.object_text import replace_symbols
from held.hierarchy import Hierarchy
from held.tree import Tree
from tests.exports.markdown_reader import all_text, headings, list_items, tables

MARKS = st.text(alphabet="ab1 .)(-+*_#>|`~<&!/=:[]\\\"'$^x;\t\n港。①•", min_size=1, max_size=24)
ANYTHING = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=24)
# Symbol fonts have tests of their own.
TEXTS = (MARKS | ANYTHING.map(replace_symbols)).filter(str.strip)
PLAIN_KINDS = [Kind.PARAGRAPH, Kind.CAPTION, Kind.FOOTNOTE, Kind.FORMULA, Kind.HEADING, Kind.CONTENTS_ENTRY]


def item(text: str, kind: Kind = Kind.PARAGRAPH, *, page: int = 1, **more: object) -> PhysicalObject:
    return PhysicalObject(kind, text, (PageRegion(page, Box(0, 0, 1, 1)),), **more)  # type: ignore[arg-type]


def tree(
    objects: Sequence[PhysicalObject], levels: Sequence[int | None] = (), sure: float = 0.9
) -> Hierarchy:
    """The hierarchy in which each object has the level given, or is no heading."""
    parents: list[int] = []
    branch: list[int] = []
    given_levels = [*levels, *[None] * (len(objects) - len(levels))]
    for index, level in enumerate(given_levels):
        branch = branch if level is None else branch[: level - 1]
        parents.append(branch[-1] if branch else -1)
        branch = branch if level is None else [*branch, index]
    found = {index: sure for index, level in enumerate(given_levels) if level is not None}
    document = Document("a.pdf", (PageSize(100, 100, "iv"),), tuple(objects))
    return Hierarchy(document, Tree.from_parents(parents), found, dict.fromkeys(found, 1.0), 0, 0.0)


def squeezed(text: str) -> str:
    """What a reader sees of a text, but for its space: the marks of symbol fonts are shown by others."""
    return "".join(replace_symbols(text).split())


@given(st.lists(st.tuples(st.integers(1, 9), TEXTS), min_size=1, max_size=8))
def test_the_rendered_headings_are_the_tree(entries: list[tuple[int, str]]) -> None:
    levels: list[int] = []
    for level, _ in entries:
        levels.append(min(level, (levels[-1] if levels else 0) + 1))
    rendered = headings(to_markdown(tree([item(text) for _, text in entries], levels)))
    expected = [(level, squeezed(text)) for level, (_, text) in zip(levels, entries, strict=True)]
    assert [(level, squeezed(title)) for level, title in rendered] == expected


@given(st.lists(st.tuples(st.sampled_from(PLAIN_KINDS), TEXTS), min_size=1, max_size=6))
def test_no_text_is_lost(objects: list[tuple[Kind, str]]) -> None:
    written = to_markdown(tree([item(text, kind) for kind, text in objects]))
    assert all_text(written) == squeezed("".join(text for _, text in objects))


@given(st.lists(st.lists(TEXTS | st.just(""), min_size=3, max_size=3), min_size=1, max_size=4))
def test_the_text_of_every_cell_survives(rows: list[list[str]]) -> None:
    written = to_markdown(tree([item("", Kind.TABLE, rows=tuple(map(tuple, rows)))]))
    columns = [squeezed("".join(column)) for column in zip(*rows, strict=True)]
    found = tables(written)[0] if any(columns) else []
    assert [squeezed("".join(column)) for column in zip(*found, strict=True)] == list(filter(None, columns))


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(1, 4), TEXTS), min_size=1, max_size=8))
def test_numbered_items_keep_their_numbers(items: list[tuple[int, int, str]]) -> None:
    objects = [item(f"{n}. x{text}", Kind.LIST_ITEM, indent=20.0 * depth) for depth, n, text in items]
    found = [number + squeezed(text) for _, number, text in list_items(to_markdown(tree(objects)))]
    assert found == [f"{n}.x{squeezed(text)}" for _, n, text in items]


@given(st.lists(st.tuples(st.integers(0, 3), TEXTS), min_size=1, max_size=8))
def test_no_text_of_a_list_is_lost(items: list[tuple[int, str]]) -> None:
    objects = [item(f"• x{text}", Kind.LIST_ITEM, indent=20.0 * depth) for depth, text in items]
    found = [squeezed(text) for _, _, text in list_items(to_markdown(tree(objects)))]
    assert found == [f"x{squeezed(text)}" for _, text in items]


def test_lists_are_nested_as_their_items_are_indented() -> None:
    marked = [(0, "1. One"), (18, "• red"), (19, "• blue"), (0, "2. Two"), (36, "– deep")]
    written = to_markdown(tree([item(text, Kind.LIST_ITEM, indent=float(at)) for at, text in marked]))
    assert written == "1. One\n   - red\n   - blue\n2. Two\n   - deep\n"


def test_marks_that_markdown_does_not_know_stay_in_the_text() -> None:
    written = to_markdown(tree([item(text, Kind.LIST_ITEM) for text in ("（a）净利润", "② 收入", "☐ No")]))
    assert written == "- （a）净利润\n- ② 收入\n- ☐ No\n"


def test_printed_contents_are_a_list_with_page_numbers() -> None:
    entries = [("1 Harbour", "7", 0.0), ("1.1 Boats", "", 12.0)]
    objects = [
        item(title, Kind.CONTENTS_ENTRY, rows=((title, page),), indent=indent)
        for title, page, indent in entries
    ]
    assert to_markdown(tree(objects)) == "- 1 Harbour … 7\n  - 1.1 Boats\n"


def test_most_text_needs_no_backslash() -> None:
    text = "R&D at snake_case <5% of US$3 [12], a+b=c; C# (x) 1.5 – 3) #7 > 2 | 4"
    assert to_markdown(tree([item(text)])) == f"{text}\n"


def test_what_only_looks_like_a_footnote_is_text() -> None:
    assert to_markdown(tree([item("any sign but a digit: [^0-9]")])) == "any sign but a digit: \\[^0-9]\n"


def test_a_table_without_rows_of_its_own_keeps_its_text() -> None:
    assert "Ann 1912" in to_markdown(tree([item("Ann\n1912", Kind.TABLE)]))


def test_a_head_of_two_rows_is_drawn_together_and_numbers_are_flush_right() -> None:
    rows = (("", "Nine months", ""), ("", "2026", "2025"), ("Sales", "1,234", "(7)"))
    written = to_markdown(tree([item("", Kind.TABLE, rows=rows)]))
    assert written == "|  | Nine months 2026 | 2025 |\n| --- | ---: | ---: |\n| Sales | 1,234 | (7) |\n"


def test_a_table_that_starts_with_numbers_has_an_empty_head() -> None:
    written = to_markdown(tree([item("", Kind.TABLE, rows=(("Sales", "7"), ("", ""), ("Cost", "3")))]))
    assert written == "|  |  |\n| --- | ---: |\n| Sales | 7 |\n| Cost | 3 |\n"


def test_rows_and_columns_without_text_are_left_out() -> None:
    written = to_markdown(tree([item("", Kind.TABLE, rows=(("", "", ""), ("a", " ", "7"), ("", "", "")))]))
    assert tables(written) == [[["", ""], ["a", "7"]]]


def test_a_short_row_is_filled_up() -> None:
    written = to_markdown(tree([item("", Kind.TABLE, rows=(("a",), ("b", "c", "d")))]))
    assert {len(row) for row in tables(written)[0]} == {3}


def test_the_pieces_of_a_formula_stay_together() -> None:
    written = to_markdown(tree([item("∂L `d`", Kind.FORMULA), item("dt ∂q = 0", Kind.FORMULA), item("So.")]))
    assert written == "```\n∂L `d`\ndt ∂q = 0\n```\n\nSo.\n"


def test_a_footnote_is_set_off_and_a_caption_is_italic() -> None:
    written = to_markdown(tree([item("1 See below.", Kind.FOOTNOTE), item("Table 1: *", Kind.CAPTION)]))
    assert written == "> 1 See below.\n\n*Table 1: \\**\n"


def test_a_figure_says_its_printed_page_and_the_text_in_it() -> None:
    assert to_markdown(tree([item("Flow [a] 7", Kind.FIGURE)])) == "*[figure on page iv: Flow [a] 7]*\n"


def test_a_figure_with_an_image_is_shown() -> None:
    written = to_markdown(tree([item("Flow](x) [7", Kind.FIGURE)]), {0: "images/fig-p001-1.png"})
    assert written == "![figure on page iv: Flow\\](x) \\[7](images/fig-p001-1.png)\n"
    assert all_text(written) == "figureonpageiv:Flow](x)[7"


@given(TEXTS)
def test_an_image_is_shown_whatever_text_is_in_it(text: str) -> None:
    written = to_markdown(tree([item(text, Kind.FIGURE)]), {0: "images/fig-p001-1.png"})
    assert all_text(written) == f"figureonpageiv:{squeezed(text)}"


def test_a_doubtful_heading_is_followed_by_a_comment_where_that_was_asked_for() -> None:
    found = tree([item("Boats"), item("They lay.")], [1], sure=0.31)
    assert to_markdown(found) == "# Boats\n\nThey lay.\n"
    asked = replace(found, min_confidence=0.4)
    assert to_markdown(asked) == "# Boats\n<!-- doubtful: 0.31 -->\n\nThey lay.\n"
    assert headings(to_markdown(asked)) == [(1, "Boats")]


def test_every_page_up_to_the_last_that_has_text_gets_its_marker() -> None:
    found = tree([item("Boats"), item("They lay.", page=3), item("• one", Kind.LIST_ITEM, page=3)])
    assert to_markdown(found, page_markers=True) == (
        "<!-- page 1, printed iv -->\n\nBoats\n\n<!-- page 2 -->\n\n<!-- page 3 -->\n\nThey lay.\n\n- one\n"
    )


def test_a_list_over_two_pages_has_the_marker_between_its_items() -> None:
    items = [item(f"{n}. Boat", Kind.LIST_ITEM, page=n) for n in (1, 2)]
    written = to_markdown(tree(items), page_markers=True)
    assert written.endswith("1. Boat\n\n<!-- page 2 -->\n\n2. Boat\n")


def test_no_page_label_ends_the_comment_that_it_stands_in() -> None:
    found = tree([item("Boats")])
    pages = (PageSize(100, 100, "--> <b>"),)
    hostile = replace(found, document=replace(found.document, pages=pages))
    assert to_markdown(hostile, page_markers=True) == "<!-- page 1 -->\n\nBoats\n"


def test_a_heading_deeper_than_six_stays_readable() -> None:
    deep = to_markdown(tree([item(f"H{n}") for n in range(8)], list(range(1, 9))))
    assert deep.endswith("###### H5\n\n› **H6**\n\n›› **H7**\n")


@pytest.mark.parametrize(
    "text", ["---", "- - -", "1.", "12) x", "# x", "+", "> x", "[1]: x", "a #", "<!-- x"]
)
def test_a_text_is_not_taken_for_markdown(text: str) -> None:
    assert all_text(to_markdown(tree([item(text)]))) == squeezed(text)


def test_a_document_without_objects_is_empty() -> None:
    assert to_markdown(tree([])) == ""


def test_style_of_items_sets_the_tolerance_of_their_indent() -> None:
    large = Style(size=30.0)
    objects = [item(f"{n}. x", Kind.LIST_ITEM, indent=10.0 * (2 - n), style=large) for n in (1, 2)]
    assert [depth for depth, _, _ in list_items(to_markdown(tree(objects)))] == [0, 0]


def titled(found: Hierarchy, title: str) -> Hierarchy:
    return replace(found, document=replace(found.document, metadata=Metadata(title)))


def test_the_title_is_the_first_heading_and_is_written_once() -> None:
    found = titled(tree([item("Port"), item("Ice"), item("1 Boats"), item("Text")], [None, None, 1]), "Ice")
    assert to_markdown(found) == "# Ice\n\nPort\n\n## 1 Boats\n\nText\n"


def test_a_title_that_is_a_heading_counts_as_one_level() -> None:
    found = titled(tree([item("Ice"), item("Boats"), item("Sails"), item("Notes")], [1, 2, 3, 1]), "Ice")
    assert headings(to_markdown(found)) == [(1, "Ice"), (2, "Boats"), (3, "Sails"), (2, "Notes")]


def test_without_its_title_a_document_keeps_its_levels() -> None:
    found = titled(tree([item("Ice"), item("1 Boats")], [None, 1]), "Ice")
    assert to_markdown(found, no_title=True) == "Ice\n\n# 1 Boats\n"


def test_a_heading_has_no_mark_of_a_note() -> None:
    marked = item("By the numbers1", spans=(Span(14, 15, Mark.SUPERSCRIPT),))
    power = item("Area in km2", spans=(Span(10, 11, Mark.SUPERSCRIPT),))
    assert headings(to_markdown(tree([marked, power], [1, 1]))) == [(1, "By the numbers"), (1, "Area in km2")]


def test_a_citation_needs_no_escape() -> None:
    texts = ("as in [15][16]", "as in [15](see also there)", "see [15]: a survey")
    assert to_markdown(tree([item(text) for text in texts])) == "".join(f"{text}\n\n" for text in texts)[:-1]


def test_brackets_that_would_be_a_link_are_escaped() -> None:
    assert to_markdown(tree([item("as in [15](16)")])) == "as in [15\\](16)\n"
    assert to_markdown(tree([item("[15]: harbour")])) == "\\[15]: harbour\n"


def test_a_run_in_heading_that_is_none_begins_its_paragraph_again() -> None:
    head = replace(item("Overview.", style=Style(bold=True)), parts=(PageRegion(1, Box(0, 100, 50, 110)),))
    rest = replace(item("First, we sail."), parts=(PageRegion(1, Box(0, 100, 300, 140)),))
    assert to_markdown(tree([head, rest])) == "**Overview.** First, we sail.\n"
    assert to_markdown(tree([head, rest], [1])) == "# Overview.\n\nFirst, we sail.\n"


def test_a_bold_paragraph_is_bold() -> None:
    assert to_markdown(tree([item("Take care", style=Style(bold=True))])) == "**Take care**\n"


def test_paragraphs_and_items_in_italics_are_in_italics() -> None:
    aside = Style(italic=True)
    assert to_markdown(tree([item("Take care", style=aside)])) == "*Take care*\n"
    assert to_markdown(tree([item("• Take care", Kind.LIST_ITEM, style=aside)])) == "- *Take care*\n"


def test_a_bold_paragraph_with_plain_words_is_bold_only_where_it_is_printed_so() -> None:
    mixed = replace(item("Take great care", style=Style(bold=True)), spans=(Span(5, 10, Mark.BOLD),))
    assert to_markdown(tree([mixed])) == "Take **great** care\n"


def test_a_paragraph_in_bold_italics_has_one_pair_of_marks() -> None:
    assert to_markdown(tree([item("Take care", style=Style(bold=True, italic=True))])) == "***Take care***\n"
