"""What makes cells of rows: spans, names of columns, wrapped labels, signs, runs of several cells."""

import pytest

from held.document import Box, PhysicalObject, Run, TableCell
from held.layout.lines import Line
from held.layout.tables.cells import Table, is_continuation, join_tables
from held.layout.tables.rows import Cell, CellRow
from held.layout.tables.words import line_pieces
from tests.layout.conftest import Typesetter
from tests.layout.tables.test_page_tables import grid, in_grid, statement, tables_on, text_at

YEARS = [
    ["", "2026", "2025"],
    ["Sales", "1,200", "1,100"],
    ["Costs", "(700)", "(650)"],
    ["Profit", "500", "450"],
]


LOANS = [
    ["Bank loans", "342.1", "261.7", "402.5"],
    ["Leases", "38.4", "31.0", "45.2"],
    ["Suppliers", "512.0", "12.4", "0.3"],
    ["Total", "892.5", "305.1", "448.0"],
]


def one_run(x0: float, x1: float, text: str, y: float = 100) -> Line:
    box = (x0, y - 5, x1, y + 5)
    return Line(*box, text.strip(), 0, 10.0, (Run(*box, 0, text),))


def header_texts(table: Table) -> list[tuple[str, int]]:
    return [(cell.text, cell.column_span) for cell in table.cells if cell.header]


def test_a_name_in_the_middle_of_two_columns_spans_both() -> None:
    lines = [text_at(290, 85, "Year ended June 30,"), *statement(YEARS)]
    (table,) = tables_on(lines)
    assert header_texts(table) == [("Year ended June 30,", 2), ("2026", 1), ("2025", 1)]


def test_a_name_in_the_middle_of_the_names_below_spans_both_though_values_stand_further_right() -> None:
    rows = [["Sales", "12", "11"], ["Costs", "(7)", "(6)"], ["Profit", "5", "5"], ["Tax", "1", "1"]]
    names = [text_at(x, 100, name) for x, name in ((240, "June 27,"), (340, "June 28,"))]
    (table,) = tables_on([text_at(262, 85, "Nine Months Ended"), *names, *statement([[], *rows])])
    assert header_texts(table)[0] == ("Nine Months Ended", 2)


def test_a_year_over_the_labels_stays_where_a_column_of_values_has_no_name() -> None:
    rows = [["Sales", "12", "11", "9"], ["Costs", "(7)", "(6)", "(5)"], ["Profit", "5", "5", "4"]]
    names = [
        text_at(60, 100, "Year 2026"),
        *(text_at(x, 100, y, right=True) for x, y in ((300, "2026"), (400, "2025"))),
    ]
    (table,) = tables_on([*names, *statement([[], *rows])])
    assert table.rows[0] == ("Year 2026", "2026", "2025", "")


def test_a_name_in_wide_type_amid_the_columns_is_one_name() -> None:
    rows = [
        ["Sales", "1,200,000", "1,100,000"],
        ["Costs", "(700,000)", "(650,000)"],
        ["Profit", "500,000", "450,000"],
    ]
    lines = [one_run(267, 388, "Year ended 31 March", y=85), *statement([YEARS[0], *rows])]
    (table,) = tables_on(lines)
    assert header_texts(table)[0] == ("Year ended 31 March", 2)


def test_a_name_in_two_lines_is_one_cell() -> None:
    lines = [text_at(300, 88, "June 30,", right=True), text_at(400, 88, "June 30,", right=True)]
    (table,) = tables_on([*lines, *statement(YEARS)])
    assert table.rows[0] == ("", "June 30, 2026", "June 30, 2025")


def test_a_label_in_two_lines_is_one_cell() -> None:
    rows = [*YEARS, ["Losses of the harbours and"], ["of their ships", "3", "4"]]
    (table,) = tables_on(statement(rows))
    assert table.rows[-1] == ("Losses of the harbours and of their ships", "3", "4")


def test_a_sign_apart_belongs_to_the_number_behind_it() -> None:
    lines = statement(YEARS)
    signs = [text_at(x, 115, "$") for x in (240, 340)]
    (table,) = tables_on([*lines, *signs])
    assert table.rows[1] == ("Sales", "$1,200", "$1,100")


def test_a_sign_behind_a_number_belongs_to_the_next() -> None:
    lines = [line for line in statement(YEARS) if line.text not in ("1,200", "1,100")]
    lines += [text_at(270, 115, "1,200 $"), text_at(400, 115, "1,100", right=True), text_at(240, 115, "$")]
    (table,) = tables_on(lines)
    assert table.rows[1] == ("Sales", "$1,200", "$1,100")


def test_numbers_in_one_run_are_cells_where_others_stand_in_columns() -> None:
    texts = [text for _, _, text in line_pieces(one_run(60, 300, "Net earnings 5,732 6,315 6,833"))]
    assert texts == ["Net earnings", "5,732", "6,315", "6,833"]


def test_a_year_that_ends_a_date_is_no_cell() -> None:
    assert len(line_pieces(one_run(60, 145, "December 31, 2026"))) == 1


def test_a_run_that_is_wider_than_its_words_hides_a_gap_before_its_number() -> None:
    (_, label_end, _), (value_start, _, _) = line_pieces(one_run(60, 400, "Employment 40"))
    assert label_end < 130
    assert value_start > 380


def test_groups_of_digits_are_one_number() -> None:
    texts = [text for _, _, text in line_pieces(one_run(60, 480, "General education 15 455 13 951 12 068"))]
    assert texts == ["General education", "15 455", "13 951", "12 068"]


@pytest.mark.parametrize(
    "numbers",
    [
        ["1.234,56", "12.345,60", "-987,00", "1.000.000,00"],
        ["1 234,56", "12 345,60", "-987,00", "1 000 000,00"],
        ["1'234.56", "12'345.60", "-987.00", "1'000'000.00"],
        ["1’234.56", "12’345.60", "-987.00", "1’000’000.00"],
    ],
)
def test_numbers_stand_in_columns_however_a_country_groups_their_digits(numbers: list[str]) -> None:
    rows = [["", "2026", "2025"], *([f"Line {row}", number, number] for row, number in enumerate(numbers))]
    (table,) = tables_on(statement(rows))
    assert [cell.text for cell in table.cells if cell.column == 2 and not cell.header] == numbers


def test_dot_leaders_are_no_text() -> None:
    pieces = line_pieces(one_run(60, 300, "Cash and equivalents ........ 1,200"))
    assert [text for _, _, text in pieces] == ["Cash and equivalents", "1,200"]


def test_merged_cells_of_a_grid_have_spans() -> None:
    rules = [
        *(Box(50, y, 350, y + 0.5) for y in (100, 120, 140)),
        *(Box(x, 100, x + 0.5, 140) for x in (50, 350)),
        *(Box(x, 120, x + 0.5, 140) for x in (150, 250)),
    ]
    lines = [text_at(180, 110, "Revenue"), *in_grid([["a1", "b1", "c1"]], top=120)]
    (table,) = tables_on(lines, rules)
    assert table.cells[0][:6] == TableCell(0, 0, "Revenue", 1, 3, True)[:6]


def test_shaded_rows_are_no_cells_that_hold_all_columns() -> None:
    bands = [Box(50, 93 + 15 * i, 410, 108 + 15 * i) for i in range(4)] + [Box(250, 93, 310, 108)] * 2
    (table,) = tables_on(statement(YEARS), bands)
    assert table.rows[1] == ("Sales", "1,200", "1,100")


def test_tables_side_by_side_in_ragged_columns_of_text_stay_apart() -> None:
    lines = []
    rows = [("Sales", "12", "11"), ("Costs", "7", "8"), ("Taxes", "3", "2"), ("Profit", "2", "1")]
    for x in (50, 320):
        for i in range(12):
            y = 100 + 15 * i + (50 if i > 5 else 0)
            lines.append(text_at(x, y, f"a line of running text, {x + i}, in its column" + " here" * (i % 2)))
        for r, (label, *values) in enumerate(rows):
            lines.append(text_at(x, 190 + 12 * r, label))
            for c, value in enumerate(values):
                lines.append(text_at(x + 130 + 50 * c, 190 + 12 * r, value, right=True))
    tables = tables_on(lines)
    assert [table.rows[0] for table in tables] == [("Sales", "12", "11")] * 2


def test_a_joined_table_keeps_the_cells_of_both_parts() -> None:
    (upper,) = tables_on(statement(YEARS))
    (lower,) = tables_on(
        statement([YEARS[0], ["Taxes", "40", "30"], ["Rest", "10", "12"], ["Sum", "50", "42"]])
    )
    assert is_continuation(upper, lower)
    whole = join_tables(upper, lower)
    assert [cell.text for cell in whole.cells if cell.row == 4] == ["Taxes", "40", "30"]
    assert len(whole.rows) == 7


def titled_tables(sheet: Typesetter, titles: list[str]) -> list[PhysicalObject]:
    """The tables of pages with a title and five rows each."""
    for page, title in enumerate(titles):
        if page:
            sheet.new_page()
        sheet.put(title, bold=True)
        sheet.skip(20)
        for r in range(5):
            y = sheet.y + 15 * r
            sheet.put(f"Harbour {page}{r}", 60, y)
            for c in range(2):
                text = f"{100 + r + c}"
                sheet.put(text, 300 + 100 * c - 5 * len(text), y)
    return [item for item in sheet.objects() if item.kind == "table"]


def test_a_table_goes_on_behind_a_title_that_says_so(sheet: Typesetter) -> None:
    (table,) = titled_tables(sheet, ["Statement of cash", "Statement of cash (continued)"])
    assert len(table.rows) == 10
    assert {cell.page for cell in table.table.cells} == {1, 2}  # type: ignore[union-attr]


def test_a_title_that_says_so_once_says_nothing_of_the_page_after_the_next(sheet: Typesetter) -> None:
    titles = ["Statement of cash", "Statement of cash (continued)", "Statement of tolls"]
    assert [len(table.rows) for table in titled_tables(sheet, titles)] == [10, 5]


def test_a_table_goes_on_behind_a_word_on_its_notes_and_its_own_title(sheet: Typesetter) -> None:
    for page in range(2):
        if page:
            sheet.new_page()
        sheet.put("Balance Sheets", bold=True)
        sheet.skip(20)
        for r in range(5):
            y = sheet.y + 15 * r
            sheet.put(f"Harbour {page}{r}", 60, y)
            for c in range(2):
                sheet.put(f"{100 + r + c}", 285 + 100 * c, y)
        sheet.y += 120
        sheet.put("The accompanying notes are an integral part of these statements.")
    assert [len(item.rows) for item in sheet.objects() if item.kind == "table"] == [10]


def cell_row(y: float, *cells: tuple[float, str]) -> CellRow:
    pieces = tuple(Cell(x, x + 5.0 * len(text), text, (0,)) for x, text in cells)
    return CellRow(y, y + 10, pieces, 10.0)


def test_names_in_one_run_are_dealt_out_to_the_columns_that_have_room_for_them() -> None:
    lines = [text_at(60, 85, "Item"), one_run(200, 405, "Within a year After two Later", y=85)]
    for y, row in enumerate(LOANS):
        places = zip((60, 200, 290, 380), row, strict=True)
        lines += [text_at(x, 100 + 15 * y, text) for x, text in places]
    (table,) = tables_on(lines)
    assert table.rows[0] == ("Item", "Within a year", "After two", "Later")


def test_names_over_their_own_columns_stay_apart_where_the_columns_between_have_none() -> None:
    values = [100, 150, 200, 250, 300]
    rows = [[f"Row {r}", *[str(10 * r + c) for c in range(5)]] for r in range(1, 5)]
    lines = []
    for r, row in enumerate(rows):
        lines.append(text_at(20, 140 + 12 * r, row[0]))
        lines += [text_at(x, 140 + 12 * r, text, right=True) for x, text in zip(values, row[1:], strict=True)]
    lines += [text_at(x - 15, 110, "Margin") for x in (150, 250)]
    names = ["2020", "of error", "2021", "of error", "2022"]
    lines += [text_at(x - 2 * len(name), 121, name) for x, name in zip(values, names, strict=True)]
    (table,) = tables_on(lines)
    assert [text for text in table.rows[0] if text] == [
        "2020",
        "Margin of error",
        "2021",
        "Margin of error",
        "2022",
    ]


def test_names_side_by_side_in_a_merged_cell_are_a_name_for_each_group_of_columns() -> None:
    lines = in_grid(
        [["", "", "", "", ""], ["Loan", "Sum", "Share", "Sum", "Share"], ["Land", "40", "25", "31", "22"]]
    )
    lines += [text_at(220, 110, "2019"), text_at(420, 110, "2020")]
    rules = grid([50, 150, 250, 350, 450, 550], [120, 140, 160])
    frame = [
        Box(50, 100, 550, 100.5),
        Box(50, 100, 50.5, 120),
        Box(150, 100, 150.5, 120),
        Box(550, 100, 550.5, 120),
    ]
    (table,) = tables_on(lines, [*rules, *frame])
    assert [(cell.text, cell.column, cell.column_span) for cell in table.cells[:2]] == [
        ("2019", 1, 2),
        ("2020", 3, 2),
    ]


def test_a_rule_typed_with_hyphens_is_a_rule_and_no_text() -> None:
    lines = statement([["Age", "2020", "2021"], ["20-29", "0.26", "0.27"], ["30-39", "0.31", "0.32"]])
    typed = text_at(60, 107, "-" * 60)
    (table,) = tables_on([*lines, typed])
    assert table.rows[0] == ("Age", "2020", "2021")
    assert len(lines) in table.lines
    assert all("--" not in text for row in table.rows for text in row)


def test_a_sign_at_the_end_of_a_label_belongs_to_the_number_behind_it() -> None:
    lines = statement([["Sales $", "12", "14"], ["Costs $", "10", "11"], ["Profit $", "2", "3"]])
    (table,) = tables_on(lines)
    assert table.rows[0] == ("Sales", "$12", "14")


def test_names_in_one_run_are_split_where_a_gap_is_wider_than_a_space() -> None:
    rows = statement([["Sales", "1,200", "1,100"], ["Costs", "(700)", "(650)"], ["Profit", "500", "450"]])
    words = (Box(270, 80, 300, 90), Box(365, 80, 378, 90), Box(381, 80, 400, 90))
    run = Run(270, 80, 400, 90, 0, "Gross of tax", words)
    header = Line(270, 80, 400, 90, "Gross of tax", 0, 10.0, (run,))
    (table,) = tables_on([header, *rows])
    assert table.rows[0] == ("", "Gross", "of tax")
