"""Captions, units and notes: found beside tables that do not say theirs."""

import pytest

from held.document import Kind, PhysicalObject
from held.layout.tables.logical_grid import TableContext, attach_table_contexts, find_table_contexts
from tests.exports.made_tables import CATCH, CATCH_ROWS, table_object, thing

TABLE = table_object(CATCH_ROWS)


def around(*objects: PhysicalObject) -> list[TableContext]:
    return list(find_table_contexts(objects).values())


def test_the_caption_above_is_the_tables() -> None:
    (found,) = around(thing(Kind.CAPTION, "Table 2: The\ncatch"), TABLE)
    assert (found.caption, found.caption_object) == ("Table 2: The catch", 0)


def test_a_caption_below_is_taken_where_no_table_needs_it_more() -> None:
    first, second = around(TABLE, thing(Kind.CAPTION, "Table 2: The catch"), TABLE)
    assert (first.caption, second.caption) == ("", "Table 2: The catch")
    (alone,) = around(TABLE, thing(Kind.CAPTION, "Table 2: The catch"))
    assert alone.caption_object == 1


@pytest.mark.parametrize("caption", ["Figure 3: Boats", "Fig. 3", "图 3 船"])
def test_a_figures_caption_is_no_tables(caption: str) -> None:
    assert around(thing(Kind.CAPTION, caption), TABLE)[0].caption == ""


def test_what_the_recogniser_says_goes_before_what_stands_around() -> None:
    (found,) = around(thing(Kind.CAPTION, "Table 7: Nets"), table_object(CATCH_ROWS, CATCH))
    assert found == TableContext("Table 1: The catch", "in tons", None, ("Salted.",))


@pytest.mark.parametrize(
    ("line", "unit"),
    [
        ("(in millions, except per share data)", "in millions, except per share data"),
        ("(Dollars in thousands)", "Dollars in thousands"),
        ("Amounts in millions of U.S. dollars", "Amounts in millions of U.S. dollars"),
        (
            "$ and shares in millions, except per share amounts",
            "$ and shares in millions, except per share amounts",
        ),
        ("Years Ended December 31, (Millions, except percentages)", "Millions, except percentages"),
        ("单位：元 币种：人民币", "单位：元 币种：人民币"),
        ("Boats cost us money in millions of ways.", ""),
    ],
)
def test_a_line_above_says_the_unit(line: str, unit: str) -> None:
    assert around(thing(Kind.PARAGRAPH, line), TABLE)[0].unit == unit


def test_the_line_with_the_unit_may_stand_between_caption_and_table() -> None:
    (found,) = around(thing(Kind.CAPTION, "Table 2"), thing(Kind.PARAGRAPH, "(in thousands)"), TABLE)
    assert found == TableContext("Table 2", "in thousands", 0)


@pytest.mark.parametrize("caption", ["Table 2: Catch (in thousands)", "Table 2: Catch, RMB thousand"])
def test_a_caption_says_the_unit(caption: str) -> None:
    assert around(thing(Kind.CAPTION, caption), TABLE)[0].unit in ("in thousands", "RMB thousand")


def test_the_corner_says_the_unit_and_a_single_column_only_its_own() -> None:
    corner = table_object((("(in millions)", "2025"), ("Nets", "3")))
    column = table_object((("Boat", "Pay (in millions)"), ("Anna", "3")))
    assert [found.unit for found in around(corner, column)] == ["in millions", ""]


def test_nothing_is_taken_from_another_page() -> None:
    assert around(thing(Kind.CAPTION, "Table 2 (in thousands)", page=2), TABLE) == [TableContext()]


@pytest.mark.parametrize(
    "note", ["Source: Board of Fisheries.", "Note: cod alone.", "(1) Salted.", "* Unaudited.", "注：未经审计"]
)
def test_notes_below_are_the_tables(note: str) -> None:
    rows = (("", "2025 *"), ("Cod (1)", "12"))
    (found,) = around(table_object(rows), thing(Kind.PARAGRAPH, note), thing(Kind.PARAGRAPH, "We sail."))
    assert found.notes == (note,)


def test_a_typed_rule_may_stand_between_table_and_notes() -> None:
    rule, note = thing(Kind.PARAGRAPH, "____________"), thing(Kind.LIST_ITEM, "(1) Salted.")
    (found,) = around(table_object((("Cod (1)", "12"),)), rule, note)
    assert found.notes == ("(1) Salted.",)


def test_a_title_that_is_numbered_as_a_note_is_none() -> None:
    (found,) = around(TABLE, thing(Kind.PARAGRAPH, "NOTE 8. GOODWILL"))
    assert found.notes == ()


def test_a_raised_mark_behind_a_label_refers_to_the_note_that_begins_with_it() -> None:
    (found,) = around(table_object((("Cod2", "12"),)), thing(Kind.FOOTNOTE, "2 Salted fish."))
    assert found.notes == ("2 Salted fish.",)


@pytest.mark.parametrize("text", ["(2) Nets are mended on Sundays.", "3 Boats", "We sail at dawn."])
def test_what_no_cell_refers_to_is_no_note(text: str) -> None:
    (found,) = around(table_object((("Cod (1)", "12"),)), thing(Kind.PARAGRAPH, text))
    assert found.notes == ()


def test_a_recognised_table_is_told_what_stands_around_it() -> None:
    said = [thing(Kind.CAPTION, "Table 2"), thing(Kind.PARAGRAPH, "(in thousands)"), TABLE]
    *_, table, _ = attach_table_contexts([*said, thing(Kind.PARAGRAPH, "Source: the harbour.")])
    assert table.table is not None
    told = table.table.caption, table.table.unit, table.table.notes
    assert told == ("Table 2", "in thousands", ("Source: the harbour.",))
