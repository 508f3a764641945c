from collections.abc import Sequence
from html import unescape

import pytest
from hypothesis import given
from hypothesis import strategies as st

from held.document import Box, Kind, Mark, PageRegion, PhysicalObject, Span
from held.exports.html import slug, unique_slugs
from held.exports.html_blocks import escape_html, html_blocks, page_style, read_asset
from held.layout.tables.logical_grid import figure_columns, head_rows, is_figure


def block(*items: tuple[Kind, str]) -> str:
    part = PageRegion(1, Box(0, 0, 1, 1))
    objects = [PhysicalObject(kind, text, (part,)) for kind, text in items]
    return "\n".join(html_blocks(list(enumerate(objects)), {}))


def test_list_items_stand_together_without_their_bullets() -> None:
    assert block((Kind.LIST_ITEM, "• Nets"), (Kind.LIST_ITEM, "• Oars")) == (
        "<ul>\n<li>Nets</li>\n<li>Oars</li>\n</ul>"
    )


@pytest.mark.parametrize("box", ["□", "\uf052"])
def test_a_list_keeps_boxes_that_say_what_is_ticked(box: str) -> None:
    assert f"<li>{escape_html(box)} Nets</li>" in block((Kind.LIST_ITEM, f"{box} Nets"))


def test_a_list_keeps_its_printed_numbers() -> None:
    found = block((Kind.LIST_ITEM, "• Nets"), (Kind.LIST_ITEM, "(1) Oars"))
    assert found.endswith('<ul class="marked">\n<li>(1) Oars</li>\n</ul>')


def indented(kind: Kind, *items: tuple[str, float]) -> str:
    part = PageRegion(1, Box(0, 0, 1, 1))
    objects = [PhysicalObject(kind, text, (part,), indent=indent) for text, indent in items]
    return "".join(html_blocks(list(enumerate(objects)), {})).replace("\n", "")


def test_an_indented_item_is_in_a_list_of_the_item_above() -> None:
    assert indented(Kind.LIST_ITEM, ("• Nets", 0), ("– Fine", 20), ("• Oars", 0)) == (
        "<ul><li>Nets<ul><li>Fine</li></ul></li><li>Oars</li></ul>"
    )


def test_another_kind_of_mark_at_the_same_indent_begins_another_list() -> None:
    found = indented(Kind.LIST_ITEM, ("• Nets", 0), ("• Fine", 20), ("(a) Coarse", 20))
    assert '<ul><li>Fine</li></ul><ul class="marked"><li>(a) Coarse</li></ul></li></ul>' in found


def test_items_that_are_set_flush_right_are_of_one_list() -> None:
    assert indented(Kind.LIST_ITEM, ("9. Nets", 5), ("10. Oars", 0)).count("<ul") == 1


def test_printed_contents_are_nested_as_they_are_indented() -> None:
    assert "<ul><li>Nets<ul><li>Fine</li></ul></li></ul>" in indented(
        Kind.CONTENTS_ENTRY, ("Nets", 0), ("Fine", 20)
    )


def test_an_entry_whose_row_has_no_cells_keeps_its_text() -> None:
    part = PageRegion(1, Box(0, 0, 1, 1))
    entry = PhysicalObject(Kind.CONTENTS_ENTRY, "Nets", (part,), rows=((),))
    assert "<li>Nets</li>" in "".join(html_blocks([(0, entry)], {}))


def test_a_caption_keeps_its_emphasis() -> None:
    caption = PhysicalObject(
        Kind.CAPTION,
        "Depth in m2",
        (PageRegion(1, Box(0, 0, 1, 1)),),
        spans=(Span(10, 11, Mark.SUPERSCRIPT),),
    )
    assert list(html_blocks([(0, caption)], {})) == ['<p class="caption">Depth in m<sup>2</sup></p>']


@pytest.mark.parametrize("kind", [Kind.CAPTION, Kind.FORMULA, Kind.FOOTNOTE])
def test_captions_formulas_and_footnotes_say_what_they_are(kind: Kind) -> None:
    assert block((kind, "a < b")).startswith(f'<p class="{kind}"')


def table_with(caption: str, *, below: bool = False, between: str = "") -> str:
    part = PageRegion(1, Box(0, 0, 1, 1))
    rows = (("Boat", "Year"), ("Anna & Co", "1,912"))
    objects = [
        PhysicalObject(Kind.CAPTION, caption, (part,)),
        *([PhysicalObject(Kind.PARAGRAPH, between, (part,))] if between else []),
        PhysicalObject(Kind.TABLE, "", (part,), rows=rows),
    ]
    ordered = objects[::-1] if below else objects
    return "\n".join(html_blocks(list(enumerate(ordered, start=7)), {}))


def test_a_table_has_its_head_its_caption_and_its_figures_at_the_right() -> None:
    assert table_with("Table 1: Boats") == (
        '<div class="table"><table><caption>Table 1: Boats</caption>'
        "<thead><tr><th scope=col>Boat<th scope=col class=n>Year"
        "<tbody><tr><th scope=row>Anna &amp; Co<td class=n>1,912</table></div>"
    )


def test_a_caption_below_its_table_stays_there() -> None:
    assert "<table><caption class=below>Table 1: Boats</caption>" in table_with("Table 1: Boats", below=True)


def test_a_unit_between_caption_and_table_keeps_them_in_their_order() -> None:
    found = table_with("Table 1: Boats", between="(in thousands)")
    assert found.startswith(
        '<p class="caption">Table 1: Boats</p>\n<p>(in thousands)</p>\n<div class="table">'
    )


def test_the_caption_of_a_table_without_cells_is_not_lost() -> None:
    assert block((Kind.CAPTION, "Table 1"), (Kind.TABLE, "")).startswith('<p class="caption">Table 1</p>')


@pytest.mark.parametrize(
    "cell", ["12", " 1,234.5 ", "(7,045)", "$(7,029)", "-3.2%", "—", "2021.7.26-2024.11.13", "+12.8%"]
)
def test_numbers_and_dashes_are_figures(cell: str) -> None:
    assert is_figure(cell)


@pytest.mark.parametrize("cell", ["", "Boat", "12 boats", "()", "2023 年", "- a"])
def test_words_are_no_figures(cell: str) -> None:
    assert not is_figure(cell)


def test_a_column_of_figures_may_have_some_words() -> None:
    assert figure_columns((("a", "1"), ("b", "2"), ("c", "n/a"))) == {1}


@pytest.mark.parametrize(
    ("rows", "head"),
    [
        ((("Boat", "2025", "2024"), ("Anna", "1", "2")), 1),
        ((("", "Year ended", ""), ("", "2022", "2023"), ("Revenue", "$31", "$37")), 2),
        ((("Option", "Range", "Default"), ("display", "ON / OFF", "ON")), 1),
        ((("Exchange", "Shenzhen"), ("Newspaper", "The Harbour Times")), 0),
        ((("Costs", "", ""), ("Fuel", "1", "2")), 0),
        ((("1", "2"), ("3", "4")), 0),
        ((("Boat", "Year"),), 0),
        (((),), 0),
        (((), ("1", "2")), 0),
    ],
)
def test_the_first_rows_are_the_head_where_they_look_so(rows: Sequence[Sequence[str]], head: int) -> None:
    assert head_rows(rows) == head


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("2.1  What we do", "2-1-what-we-do"),
        ("第一节 重要提示、目录和释义", "第一节-重要提示-目录和释义"),
        ("（一）ＡＢＣ", "一-abc"),
        ("_tree_", "tree"),
        ("“…”", ""),
    ],
)
def test_a_name_has_the_words_of_its_title(title: str, name: str) -> None:
    assert slug(title) == name


def test_a_long_name_ends_after_a_word() -> None:
    assert slug("harbour " * 20) == "-".join(["harbour"] * 7)


def test_a_title_that_comes_again_gets_a_number_that_is_free() -> None:
    assert unique_slugs(["Boats", "Boats 2", "Boats", "boats"]) == ["boats", "boats-2", "boats-3", "boats-4"]


def test_a_title_without_words_is_still_named() -> None:
    assert unique_slugs(["***", "***"]) == ["section", "section-2"]


@given(st.lists(st.text(alphabet="ab-2 _", max_size=4)))
def test_no_two_names_are_equal(titles: list[str]) -> None:
    names = unique_slugs(titles, taken=["a", "page-1"])
    assert len({*names, "a", "page-1"}) == len(names) + 2
    assert not any(name.startswith("_") for name in names)


@given(st.text(alphabet=st.characters(exclude_categories=["Cc", "Cs", "Cn", "Co"])))
def test_escaped_text_reads_as_it_was(text: str) -> None:
    assert unescape(escape_html(text)) == text


def test_the_script_cannot_end_its_own_element() -> None:
    assert "</script" not in read_asset("reader.js")
    assert "</style" not in page_style("reader.css")
