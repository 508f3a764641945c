"""Tables of words whose rows are ruled off and whose columns are only set apart by white."""

from held.document import Box
from held.layout.lines import Line
from tests.layout.tables.test_page_tables import tables_on, text_at

ROWS = [("Mooring", "Free for boats"), ("Towage", "By the hour"), ("Storage", "See the by-laws")]


def rules(count: int) -> list[Box]:
    return [Box(50, 120 + 30 * i, 400, 120.5 + 30 * i) for i in range(count)]


def wrapped_rows(names: float, top: float) -> list[Line]:
    """Names of columns at one height, and rows from another whose second cell has two lines."""
    lines = [text_at(55, names, "Service"), text_at(200, names, "Terms")]
    for r, (name, terms) in enumerate(ROWS):
        first, _, rest = terms.partition(" ")
        y = top + 30 * r
        lines += [text_at(55, y + 6, name), text_at(200, y, first), text_at(200, y + 12, rest)]
    return lines


def test_what_stands_between_two_rules_is_a_row_of_wrapped_cells() -> None:
    (table,) = tables_on(wrapped_rows(112, 128), rules(4))
    assert [list(row) for row in table.rows] == [["Service", "Terms"], *map(list, ROWS)]


def test_paragraphs_between_rules_are_no_table() -> None:
    prose = "a line of running text that goes on over the page"
    lines = [text_at(55, 128 + 30 * r + 12 * k, prose) for r in range(3) for k in range(2)]
    assert not tables_on(lines, rules(4))


def test_text_of_one_column_beside_single_words_is_no_table() -> None:
    lines = [text_at(55, 130 + 30 * r, "A title alone") for r in range(3)]
    lines.append(text_at(200, 130, "Words"))
    assert not tables_on(lines, rules(4))


def test_a_row_as_high_as_a_paragraph_is_a_row_of_its_table() -> None:
    lines = [text_at(55, 130 + 30 * r, name) for r, (name, _) in enumerate(ROWS)]
    lines += [text_at(200, 130 + 30 * r, terms) for r, (_, terms) in enumerate(ROWS)]
    lines += [text_at(55, 220, "Repairs")]
    lines += [text_at(200, 220 + 12 * k, "in the yard of the port") for k in range(10)]
    lines += [text_at(x, y, text) for y in (355, 385) for x, text in ((55, "Water"), (200, "At cost"))]
    (table,) = tables_on(lines, [*rules(4), *(Box(50, y, 400, y + 0.5) for y in (340, 370, 400))])
    assert [row[0] for row in table.rows] == ["Mooring", "Towage", "Storage", "Repairs", "Water", "Water"]


def test_rules_that_leave_out_the_first_column_part_rows_of_one_label() -> None:
    lines = [text_at(55, 145, "Port")]
    lines += [text_at(130, 130 + 30 * r, name) for r, (name, _) in enumerate(ROWS)]
    lines += [text_at(250, 130 + 30 * r, terms) for r, (_, terms) in enumerate(ROWS)]
    whole = [Box(50, 120, 400, 120.5), Box(50, 210, 400, 210.5)]
    (table,) = tables_on(lines, [*whole, *(Box(120, y, 400, y + 0.5) for y in (150, 180))])
    assert [row[1:] for row in table.rows] == ROWS
    assert ("Port", 3) in {(cell.text, cell.row_span) for cell in table.cells}


def booktabs(bottom: float) -> list[Box]:
    return [Box(50, y, 400, y + 0.5) for y in (100, 120, bottom)]


def test_white_between_wrapped_cells_parts_the_rows_of_a_table_with_three_rules() -> None:
    (table,) = tables_on(wrapped_rows(104, 124), booktabs(215))
    assert [list(row) for row in table.rows] == [["Service", "Terms"], *map(list, ROWS)]


def test_pictures_beside_explanations_are_no_rows_of_a_table_with_three_rules() -> None:
    lines = [text_at(55, 104, "\u2708"), text_at(200, 104, "Make room for a flight")]
    for r in range(4):
        lines += [text_at(55, 130 + 30 * r, "\u2708"), text_at(200, 124 + 30 * r, "Find a seat in")]
        lines += [text_at(200, 136 + 30 * r, "the hall")]
    assert not any(table.ruled for table in tables_on(lines, booktabs(245)))


def test_names_side_by_side_over_one_column_leave_the_rows_alone() -> None:
    lines = [text_at(x, 104, text) for x, text in ((55, "Service"), (110, "Since"), (200, "Terms"))]
    for r, (name, terms) in enumerate(ROWS):
        first, _, rest = terms.partition(" ")
        lines += [text_at(55, 130 + 30 * r, f"{name} of the old port")]
        lines += [text_at(200, 124 + 30 * r, first), text_at(200, 136 + 30 * r, rest)]
    assert not any(table.ruled for table in tables_on(lines, booktabs(215)))


def test_rows_lower_than_the_boxes_of_their_font_are_rows() -> None:
    lines = []
    for r, words in enumerate([*ROWS, ("Crane", "On request")]):
        high = [text_at(x, 104 + 12 * r, word) for x, word in zip((55, 200), words, strict=True)]
        lines += [line._replace(y0=line.y0 - 3, y1=line.y1 + 2) for line in high]
    low = [Box(50, 100 + 12 * r, 400, 100.5 + 12 * r) for r in range(5)]
    (table,) = tables_on(lines, low)
    assert [row[0] for row in table.rows] == ["Mooring", "Towage", "Storage", "Crane"]
