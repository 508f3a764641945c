from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from held.document import Box, PageContent, Run
from held.layout.lines import Line
from held.layout.tables.cells import Table, is_continuation, join_tables, join_texts
from held.layout.tables.page_tables import find_tables
from held.layout.tables.words import is_amount, line_pieces, uses_comma_thousands
from tests.operations import operations

SIZE = 10.0


def text_at(x: float, y: float, text: str, *, right: bool = False, size: float = SIZE) -> Line:
    """A line of text with its left, or right, edge at x and its middle at y."""
    width = sum(size if ord(c) > 0x2E7F else size / 2 for c in text)
    x0 = x - width if right else x
    box = (x0, y - size / 2, x0 + width, y + size / 2)
    return Line(*box, text, 0, size, (Run(*box, 0, text),))


def grid(xs: Sequence[float], ys: Sequence[float]) -> list[Box]:
    across = [Box(xs[0], y, xs[-1], y + 0.5) for y in ys]
    return across + [Box(x, ys[0], x + 0.5, ys[-1]) for x in xs]


def tables_on(lines: Sequence[Line], rules: Sequence[Box] = (), taken: Sequence[int] = ()) -> list[Table]:
    return find_tables(PageContent(595, 842, rules=tuple(rules)), lines, taken=frozenset(taken))


def in_grid(rows: Sequence[Sequence[str]], top: float = 100) -> list[Line]:
    """Lines in the cells of a grid whose columns are 100 and rows 20 points apart, from (50, top)."""
    return [
        text_at(55 + 100 * c, top + 10 + 20 * r, text)
        for r, row in enumerate(rows)
        for c, text in enumerate(row)
        if text
    ]


def statement(rows: Sequence[Sequence[str]], top: float = 100) -> list[Line]:
    """Lines of labels at 60 and numbers that end at 300, 400 …, 15 points apart."""
    return [
        text_at(200 + 100 * c if c else 60, top + 15 * r, text, right=c > 0)
        for r, row in enumerate(rows)
        for c, text in enumerate(row)
        if text
    ]


INCOME = statement(
    [["Revenue", "1,200", "1,100"], ["Cost of sales", "(700)", "(650)"], ["Gross profit", "500", "450"]]
)


PROSE = [
    text_at(60, 500 + 12 * i, "a line of running text that goes on over the page", size=10) for i in range(8)
]


def test_a_drawn_grid_gives_its_cells() -> None:
    lines = in_grid([["Item", "2024"], ["Sales", "17"]])
    (table,) = tables_on(lines, grid([50, 150, 250], [100, 120, 140]))
    assert table.rows == (("Item", "2024"), ("Sales", "17"))
    assert table.lines == (0, 1, 2, 3)
    assert table.ruled


def header_depth(table: Table) -> int:
    return 1 + max(cell.row for cell in table.cells if cell.header)


def test_a_stray_number_leaves_rows_of_words_below_the_header() -> None:
    rows = [["Field", "Type"], ["block", "char"], ["size", "unit"], ["data", "*"], ["note", "word"]]
    (table,) = tables_on(in_grid(rows), grid([50, 150, 250], [100, 120, 140, 160, 180, 200]))
    assert header_depth(table) == 1


def test_names_in_two_rows_are_both_the_header_of_amounts() -> None:
    rows = [["", "2024", "2023"], ["", "Sales", "Sales"], ["North", "17", "16"], ["South", "18", "15"]]
    (table,) = tables_on(in_grid(rows), grid([50, 150, 250, 350], [100, 120, 140, 160, 180]))
    assert header_depth(table) == 2


def test_a_sign_that_stands_on_a_bar_goes_to_its_number() -> None:
    rows = [["Item", "2024", "2023"], ["Sales", "$ 17 $", "16"], ["Costs", "12", "11"]]
    (table,) = tables_on(in_grid(rows), grid([50, 150, 250, 350], [100, 120, 140, 160]))
    assert table.rows[1] == ("Sales", "$ 17", "$ 16")


def test_lines_of_a_cell_are_joined() -> None:
    lines = [
        *in_grid([["Item", "2024"], ["", "17"]]),
        text_at(55, 125, "net", size=8),
        text_at(55, 134, "sales", size=8),
    ]
    (table,) = tables_on(lines, grid([50, 150, 250], [100, 120, 140]))
    assert table.rows[1] == ("net sales", "17")


def test_a_frame_around_text_is_no_table() -> None:
    lines = [text_at(60, 110 + 15 * i, "a line of the boxed note") for i in range(4)]
    assert tables_on(lines, [Box(50, 100, 545, 170)]) == []


def test_a_heading_between_two_grids_stays_free() -> None:
    lines = [
        *in_grid([["项目", "金额"], ["合计", "17"]]),
        text_at(50, 160, "（1）应收账款"),
        *in_grid([["项目", "金额"], ["合计", "18"]], top=180),
    ]
    rules = grid([50, 150, 250], [100, 120, 140]) + grid([50, 150, 250], [180, 200, 220])
    upper, lower = tables_on(lines, rules)
    assert 4 not in upper.lines + lower.lines


def test_a_statement_without_rules_is_a_table() -> None:
    (table,) = tables_on(INCOME)
    assert table.rows[1] == ("Cost of sales", "(700)", "(650)")
    assert not table.ruled


def test_a_single_row_below_the_names_of_its_columns_is_a_table() -> None:
    (table,) = tables_on(statement([["In millions", "2024", "2023"], ["Goodwill", "1,590", "1,100"]]) + PROSE)
    assert table.rows == (("In millions", "2024", "2023"), ("Goodwill", "1,590", "1,100"))


def test_a_single_row_of_numbers_that_nothing_names_is_no_table() -> None:
    assert tables_on(statement([["Goodwill", "1,590", "1,100"]]) + PROSE) == []


def test_names_over_one_row_of_numbers_stay_beside_the_label() -> None:
    names, values = [200, 300], [220, 320]  # each name begins left of its value
    lines = [text_at(x, 100, name) for x, name in zip(names, ["North", "South"], strict=True)]
    lines += [text_at(60, 115, "Share")]
    lines += [text_at(x, 115, value) for x, value in zip(values, ["15%", "85%"], strict=True)]
    (table,) = tables_on(lines + PROSE)
    assert table.rows == (("", "North", "South"), ("Share", "15%", "85%"))


def test_a_label_right_before_its_numbers_is_text() -> None:
    names = [text_at(60, 100, "Office"), text_at(112, 100, "Day"), text_at(150, 100, "Night")]
    phone = [text_at(60, 115, "Telephone"), text_at(110, 115, "755"), text_at(150, 115, "26")]
    assert tables_on(names + phone + PROSE) == []


def test_taken_lines_are_in_no_table() -> None:
    assert tables_on(INCOME, taken=range(3)) == []


def test_two_columns_of_running_text_are_no_table() -> None:
    left = [text_at(50, 100 + 12 * i, "running text in the left of two columns") for i in range(30)]
    right = [text_at(310, 100 + 12 * i, "running text in the other of the columns") for i in range(30)]
    assert tables_on(left + right) == []


def test_numbered_headings_are_no_table() -> None:
    titles = ["Scope", "Terms", "General", "Testing"]
    lines = [
        text_at(50 + 60 * (j > 0), 100 + 30 * i, t)
        for i, title in enumerate(titles)
        for j, t in enumerate([f"{i + 1}.2", title])
    ]
    assert tables_on(lines) == []


def test_columns_that_agree_go_on_over_the_page_and_repeat_no_header() -> None:
    rules = grid([50, 150, 250], [100, 120, 140])
    (upper,) = tables_on(in_grid([["Item", "2024"], ["Sales", "17"]]), rules)
    (lower,) = tables_on(in_grid([["Item", "2024"], ["Cost", "12"]]), rules)
    assert is_continuation(upper, lower)
    assert join_tables(upper, lower).rows == (("Item", "2024"), ("Sales", "17"), ("Cost", "12"))


def test_a_table_that_hides_columns_in_merged_cells_goes_on_all_the_same() -> None:
    xs, ys = [50, 150, 250, 350], [100, 120, 140]
    (upper,) = tables_on(in_grid([["Item", "2024", "2023"], ["Sales", "17", "15"]]), grid(xs, ys))
    lower = upper._replace(columns=(50, 150, 350), rows=(("Cost", "12"),))
    assert is_continuation(upper, lower)
    assert join_tables(upper, lower).rows[-1] == ("Cost", "12", "")


def test_tables_with_other_columns_do_not_go_on() -> None:
    (upper,) = tables_on(in_grid([["a1", "b1"], ["c1", "d1"]]), grid([50, 150, 250], [100, 120, 140]))
    assert not is_continuation(upper, upper._replace(columns=(50, 120, 250)))


def test_text_of_a_merged_cell_stands_in_its_first_column() -> None:
    rules = [
        *(Box(50, y, 350, y + 0.5) for y in (100, 120, 140)),
        *(Box(x, 100, x + 0.5, 140) for x in (50, 350)),
        *(Box(x, 120, x + 0.5, 140) for x in (150, 250)),
    ]
    lines = [text_at(180, 110, "Revenue"), *in_grid([["a1", "b1", "c1"]], top=120)]
    (table,) = tables_on(lines, rules)
    assert table.rows == (("Revenue", "", ""), ("a1", "b1", "c1"))


def test_a_run_over_two_narrow_cells_is_split_at_the_bar() -> None:
    lines = in_grid([["Item", "2024", "2023"], ["Sales", "", ""]])
    lines.append(text_at(215, 130, "1,200.00 1,100.00"))
    (table,) = tables_on(lines, grid([50, 150, 250, 350], [100, 120, 140]))
    assert table.rows[1] == ("Sales", "1,200.00", "1,100.00")


def test_shaded_cells_without_lines_make_a_grid() -> None:
    cells = [
        Box(50 + 100 * c, 100 + 20 * r, 149.5 + 100 * c, 119.5 + 20 * r) for r in range(2) for c in range(2)
    ]
    (table,) = tables_on(in_grid([["Item", "2024"], ["Sales", "17"]]), cells)
    assert table.rows == (("Item", "2024"), ("Sales", "17"))


def test_a_listing_with_numbered_lines_in_a_grid_is_no_table() -> None:
    lines = [text_at(55, 105 + 12 * i, str(i + 1)) for i in range(8)]
    lines += [text_at(90, 105 + 12 * i, f"call({i});") for i in range(8)]
    assert tables_on(lines, grid([50, 80, 400], [98, 200])) == []


def test_lines_under_a_ruled_header_are_rows_though_no_rule_separates_them() -> None:
    names = [("Input", "Time"), ("short", "1.25"), ("long", "2.50"), ("longest", "3.75")]
    lines = [
        text_at(55 + 100 * c, 110 + 14 * r, text) for r, row in enumerate(names) for c, text in enumerate(row)
    ]
    (table,) = tables_on(lines, grid([50, 150, 250], [102, 118, 160]))
    assert table.rows == tuple(names)


def test_a_text_in_several_lines_beside_a_label_in_as_many_stays_one_row() -> None:
    words = [
        ("Name", "Meaning"),
        ("a label that", "a text of its"),
        ("fills all of", "own in three"),
        ("it", "lines"),
    ]
    lines = [
        text_at(55 + 70 * c, 110 + 14 * r, text) for r, row in enumerate(words) for c, text in enumerate(row)
    ]
    (table,) = tables_on(lines, grid([50, 120, 190], [102, 118, 160]))
    assert table.rows[1] == ("a label that fills all of it", "a text of its own in three lines")


def test_an_index_in_columns_is_no_table() -> None:
    entries = [
        "clearing . . . . . . . 12, 14",
        "costs . . . . . . . 7",
        "credit . . . . . . . 31",
        "debt . . . . . . . 9",
    ]
    lines = [text_at(60 + 240 * c, 100 + 12 * r, entries[r]) for r in range(4) for c in range(2)]
    assert tables_on(lines) == []


def test_dots_before_amounts_are_no_index() -> None:
    lines = statement(
        [
            ["Revenue . . . . . .", "1,200", "1,100"],
            ["Profit . . . . . .", "500", "450"],
            ["Tax . . . . . .", "50", "45"],
        ]
    )
    (table,) = tables_on(lines)
    assert table.rows[1][1:] == ("500", "450")


def test_boxes_of_a_diagram_in_columns_of_their_own_are_no_table() -> None:
    boxes = [(50, 100), (150, 100), (90, 130), (190, 130), (120, 160), (230, 160)]
    rules = [side for x, y in boxes for side in grid([x, x + 80], [y, y + 30])]
    lines = [text_at(x + 5, y + 15, "part") for x, y in boxes]
    assert tables_on(lines, rules) == []


def test_running_text_on_shaded_lines_is_no_table() -> None:
    lines = [
        text_at(50, 100 + 14 * i, "running text that fills the measure from edge to edge, line by line")
        for i in range(9)
    ]
    shades = [Box(50 - 3 * (i % 2), 93 + 14 * i, 390, 107 + 14 * i) for i in range(9)]
    assert tables_on(lines, shades) == []


def test_horizontal_rules_alone_frame_a_table_of_words() -> None:
    words = [["Method", "Data", "Year"], ["alpha", "red", "one"], ["beta", "green", "two"]]
    rules = [Box(50, y, 350, y + 0.5) for y in (98, 122, 162)]
    (table,) = tables_on(in_grid(words), rules)
    assert table.rows == tuple(map(tuple, words))


def test_a_dollar_sign_set_apart_belongs_to_its_amount() -> None:
    lines = [
        *INCOME,
        text_at(60, 145, "Net"),
        text_at(265, 145, "$"),
        text_at(300, 145, "90", right=True),
        text_at(400, 145, "80", right=True),
    ]
    (table,) = tables_on(lines)
    assert table.rows[-1] == ("Net", "$90", "80")


def test_a_label_row_inside_a_statement_belongs_to_it() -> None:
    lines = statement([["Sales", "1", "2"], ["Cost", "3", "4"], ["Expenses:"], ["Rent", "5", "6"]])
    (table,) = tables_on(lines)
    assert table.rows[2] == ("Expenses:", "", "")


def test_a_heading_above_a_statement_stays_free() -> None:
    (table,) = tables_on([text_at(60, 85, "Income statement", size=12), *INCOME])
    assert 0 not in table.lines


def test_a_larger_heading_between_two_statements_parts_them() -> None:
    lines = [*INCOME, text_at(60, 146, "Balance", size=13), *statement([["Cash", "7", "8"]] * 3, top=162)]
    upper, lower = tables_on(lines)
    assert 9 not in upper.lines + lower.lines


def test_printed_contents_are_no_table() -> None:
    titles = ["Introduction", "Method", "Results", "Discussion", "References"]
    assert tables_on(statement([[title, str(3 + 7 * i)] for i, title in enumerate(titles)])) == []


def test_equations_with_numbers_at_the_margin_are_no_table() -> None:
    assert tables_on(statement([["a + b", "", "", f"(2.{i})"] for i in range(5)])) == []


def test_an_index_is_no_table() -> None:
    assert tables_on(statement([["entry", "12,", "14,", "188,"]] * 6)) == []


def test_bars_between_the_numbers_make_a_chart_not_a_table() -> None:
    bars = [Box(220 + 13 * i, 95 + 3 * i, 228 + 13 * i, 160) for i in range(8)]
    assert tables_on(INCOME, bars) == []


def test_the_rules_of_two_tables_frame_no_third_between_them() -> None:
    xs = [50, 150, 250]
    lines = [*in_grid([["a1", "b1"], ["c1", "d1"]]), text_at(55, 160, "Heading"), text_at(155, 160, "apart")]
    lines += [
        text_at(55, 175, "one"),
        text_at(155, 175, "two"),
        *in_grid([["a2", "b2"], ["c2", "d2"]], top=190),
    ]
    tables = tables_on(lines, grid(xs, [100, 120, 140]) + grid(xs, [190, 210, 230]))
    assert [len(table.lines) for table in tables] == [4, 4]


def test_four_times_the_rules_are_at_most_some_four_times_the_work() -> None:
    def work(count: int) -> int:
        rules = [
            Box(i % 500, i % 797, i % 500 + 40 + i % 60, i % 797 + (i % 3) * 15 + 0.5) for i in range(count)
        ]
        return operations(lambda: tables_on(INCOME * 20, rules))

    assert work(2000) < 5 * work(500)


def test_a_heading_over_the_header_of_the_next_statement_parts_two_shaded_ones() -> None:
    rows = [["Cash", "7", "8"], ["Debt", "5", "9"], ["Note 8. Debt"], ["in millions", "now", "then"]]
    lines = statement([*rows, ["Notes", "1", "4"], ["Loans", "5", "6"]])
    shades = [Box(50, y, 410, y + 0.5) for y in (92, 107, 122, 152, 167, 182)]
    assert [len(table.rows) for table in tables_on(lines, shades)] == [2, 3]


def test_a_heading_close_above_a_grid_is_no_row_of_coordinates() -> None:
    edges = [50.0 + 100 * i for i in range(5)], [100.0 + 20 * i for i in range(5)]
    pins = in_grid([[f"P{r}{c}" for c in range(4)] for r in range(4)])
    (table,) = tables_on([*pins, text_at(55, 92, "2.1 Pins of U1")], grid(*edges))
    assert len(table.lines) == 16


BANDS = [Box(50, 92 + 15 * i, 410, 107 + 15 * i) for i in range(1, 4)]


def test_a_header_of_several_lines_above_shaded_rows_belongs_to_the_table() -> None:
    heads = [text_at(270, 55, "Three months"), text_at(270, 70, "June 27"), text_at(360, 70, "June 28")]
    heads += [text_at(275, 85, "2026"), text_at(365, 85, "2025")]
    (table,) = tables_on([*heads, *INCOME], BANDS)
    assert [row[0] for row in table.rows] == ["", "", "", "Revenue", "Cost of sales", "Gross profit"]


def test_a_title_above_a_header_of_several_lines_stays_free() -> None:
    lines = [text_at(60, 55, "Purchases of shares"), text_at(270, 70, "Total"), text_at(360, 70, "Price")]
    lines += [text_at(270, 85, "number"), text_at(360, 85, "paid"), *INCOME]
    (table,) = tables_on(lines, BANDS)
    assert 0 not in table.lines


def test_a_title_in_the_middle_above_a_header_of_several_lines_stays_free() -> None:
    lines = [text_at(180, 55, "Purchases of shares"), text_at(270, 70, "Total number")]
    lines += [text_at(285, 85, "bought"), text_at(360, 85, "paid"), *INCOME]
    (table,) = tables_on(lines, BANDS)
    assert 0 not in table.lines
    assert 1 in table.lines


def test_a_row_before_a_label_that_leads_in_the_shaded_ones_belongs_to_them() -> None:
    lines = statement([["Net income", "7", "8"], ["Other income:"]], top=70) + INCOME
    (table,) = tables_on(lines, BANDS)
    assert table.rows[:2] == (("Net income", "7", "8"), ("Other income:", "", ""))


def test_a_header_with_the_mark_of_a_note_is_a_header() -> None:
    lines = [text_at(270, 85, "Shares"), text_at(370, 85, "Programs"), text_at(430, 84, "(1)", size=6)]
    (table,) = tables_on([*lines, *INCOME])
    assert table.rows[0][1] == "Shares"


def test_names_over_each_number_column_may_stand_further_above() -> None:
    numbers = [["Net income", "1", "2", "3"], ["Purchases", "4", "5", "6"], ["Balance", "7", "8", "9"]]
    heads = [
        text_at(295 + 100 * c, 66, name, right=True) for c, name in enumerate(["Shares", "Amount", "Total"])
    ]
    (table,) = tables_on([*heads, *statement(numbers)])
    assert table.rows[0] == ("", "Shares", "Amount", "Total")


def test_a_caption_close_above_numbers_stays_free() -> None:
    lines = [text_at(250, 70, "表 8 战略目标"), *statement([["", "2025", "2027"]], top=85), *INCOME]
    (table,) = tables_on(lines)
    assert 0 not in table.lines


def test_labels_that_share_their_edges_are_no_column_of_text() -> None:
    share = "Percentage of all the revenue"
    labels = ["Americas", share, "Europe", share, "Asia", share, "Africa", share, "Other", share]
    lines = [text_at(60, 100 + 15 * r, label) for r, label in enumerate(labels)]
    lines += [text_at(400, 100 + 15 * r, f"{r + 11}%") for r in range(len(labels))]
    (table,) = tables_on([*lines, *PROSE])
    assert [row[0] for row in table.rows] == labels


def test_a_name_wider_than_its_values_stands_over_them() -> None:
    lines = [text_at(360, 100, "Components of change", size=8)]
    lines += [text_at(60, 115 + 15 * r, label) for r, label in enumerate(["Wages", "Fees", "Rent", "All"])]
    lines += [text_at(430, 115 + 15 * r, value) for r, value in enumerate(["7%", "2%", "2%", "11%"])]
    (table,) = tables_on([*lines, *PROSE])
    assert table.rows[0] == ("", "Components of change")


def test_a_heading_and_a_sentence_between_two_framed_tables_are_in_neither() -> None:
    text = "The inventories are stated at the lower of cost or market and consist of the following kinds:"
    rows = [("Land", "1,440"), ("Site", "41,287"), ("All", "42,727"), ("NOTE 5 - INVENTORY", ""), (text, "")]
    rows += [("Work", "6,109"), ("Raw", "5,804"), ("All", "11,913")]
    lines = [
        text_at(x, 100 + 15 * r, cell)
        for r, row in enumerate(rows)
        for x, cell in zip((60, 480), row, strict=True)
        if cell
    ]
    shades = [Box(55, 92.5 + 15 * r, 520, 107.5 + 15 * r) for r in range(len(rows))]
    first, second = tables_on(lines, shades)
    assert [row[0] for row in (*first.rows, *second.rows)] == ["Land", "Site", "All", "Work", "Raw", "All"]


@pytest.mark.parametrize("years", ["2022-2021", "2021/22", "2019–20"])
def test_two_years_name_a_column(years: str) -> None:
    assert not is_amount(years)


def test_words_in_two_columns_as_large_as_the_text_are_no_table() -> None:
    events = [("Date", "Event"), ("27 March", "Report"), ("21 May", "Meeting"), ("12 June", "Dividend")]
    lines = [
        text_at(60 + 170 * c, 100 + 15 * r, text)
        for r, row in enumerate(events)
        for c, text in enumerate(row)
    ]
    assert tables_on([*lines, *PROSE]) == []


def test_a_repeated_header_joins_tables_whose_columns_part_at_other_places() -> None:
    header = ("", "2025", "2024")
    upper = Table(Box(0, 0, 9, 9), (header, ("Cash", "1", "2")), (), (76, 305, 462, 519), False)
    lower = upper._replace(rows=(header, ("Purchase of equipment", "3", "4")), columns=(76, 350, 462, 519))
    assert is_continuation(upper, lower)


coordinates = st.integers(0, 60).map(lambda n: n * 10.0)
texts = st.sampled_from(
    ["12", "1,200", "(3)", "$", "—", "label", "合计", "a longer text of several words", "2.1"]
)
some_lines = st.lists(
    st.builds(lambda x, y, text: text_at(x, y, text), coordinates, coordinates, texts), max_size=40
)
some_rules = st.lists(
    st.builds(
        lambda x, y, w, h: Box(x, y, x + w, y + h),
        coordinates,
        coordinates,
        st.sampled_from([0.5, 20, 100, 300]),
        st.sampled_from([0.5, 20, 100]),
    ),
    max_size=40,
)


@given(some_lines, some_rules)
def test_tables_are_rectangular_and_share_no_line(lines: list[Line], rules: list[Box]) -> None:
    tables = tables_on(lines, rules, taken=[0, 1])
    swallowed = [i for table in tables for i in table.lines]
    assert len(swallowed) == len(set(swallowed))
    assert not {0, 1} & set(swallowed)
    for table in tables:
        assert {len(row) for row in table.rows} == {len(table.columns) - 1}


HOLDERS = [
    ["股东总数", "51,546", "0"],
    ["股东名称", "比例", "数量"],
    ["甲", "3%", "17"],
    ["乙", "2%", "12"],
    ["丙", "1%", "8"],
]


@pytest.mark.parametrize(("above", "is_drawn"), [("单位：股", True), ("数量合计", False)])
def test_a_unit_above_a_grid_names_none_of_its_columns(above: str, is_drawn: bool) -> None:
    lines = [text_at(345, 90, above, right=True), *in_grid(HOLDERS)]
    (table,) = tables_on(lines, grid([50, 150, 250, 350], [100, 120, 140, 160, 180, 200]))
    assert table.ruled is is_drawn


def test_a_title_in_the_middle_of_labels_and_values_is_no_name_of_columns() -> None:
    title = text_at(157.5, 76, "STATEMENTS OF CHANGES, EQUITY")
    unit = text_at(152.5, 88, "(In millions, but not per share)")
    assert [table.rows[0] for table in tables_on([title, unit, *INCOME])] == [("Revenue", "1,200", "1,100")]


def test_two_numbers_behind_leaders_are_two_where_commas_part_thousands() -> None:
    line = text_at(60, 100, "Receivables . . . . . . . . . 395 416")
    texts = [text for _, _, text in line_pieces(line, comma_thousands=uses_comma_thousands(["2,191"]))]
    assert texts == ["Receivables", "395", "416"]


def test_a_comma_of_decimals_does_not_part_thousands() -> None:
    assert not uses_comma_thousands(["12 345,678", "1,234"])


def test_a_sign_behind_leaders_goes_to_the_amount_beside_it() -> None:
    signed = [text_at(60, 145, "Plant . . . . . . . . . . . $"), text_at(300, 145, "37,955", right=True)]
    [table] = tables_on([*INCOME, *signed, text_at(400, 145, "35,059", right=True)])
    assert table.rows[-1] == ("Plant", "$37,955", "35,059")


def test_a_number_in_a_label_does_not_hide_the_names_of_columns() -> None:
    names = [text_at(300 + 100 * c, 70, year, right=True, size=8) for c, year in enumerate(["2025", "2024"])]
    label = text_at(60, 85, "Common stock, of which are issued")
    stray = [text_at(60, 100, "shares of"), text_at(130, 100, "371")]
    rows = [["", "2", "2"], *[[f"Item {r}", f"{r},100", f"{r},200"] for r in range(1, 11)]]
    [table] = tables_on([*names, label, *stray, *statement(rows)])
    assert table.rows[0][-2:] == ("2025", "2024")


@pytest.mark.parametrize(
    ("parts", "whole"),
    [
        (["https://harbour.example/ti", "des/2024"], "https://harbour.example/tides/2024"),
        (["https://harbour.example/high-", "tides"], "https://harbour.example/high-tides"),
        (["See https://harbour.example", "for the tides"], "See https://harbour.example for the tides"),
        (["tides/2024", "and/or later"], "tides/2024 and/or later"),
    ],
)
def test_an_address_that_a_narrow_cell_breaks_is_one_word(parts: list[str], whole: str) -> None:
    assert join_texts(parts) == whole


def gapped_row(y: float, *texts: str) -> Line:
    """A row of numbers that the producer set as one text, 8 points between them."""
    x, words = 60.0, []
    for text in texts:
        words.append(Box(x, y - 5, x + 5 * len(text), y + 5))
        x += 5 * len(text) + 8
    text = " ".join(texts)
    run = Run(60, y - 5, x - 8, y + 5, 0, text, tuple(words))
    return Line(60, y - 5, x - 8, y + 5, text, 0, SIZE, (run,))


def test_rows_of_numbers_set_as_one_text_are_a_table() -> None:
    rows = [("20-29", "0.26", "0.27"), ("30-39", "0.31", "0.32"), ("40-49", "0.41", "0.42")]
    (table,) = tables_on([gapped_row(100 + 12 * r, *row) for r, row in enumerate(rows)])
    assert table.rows == tuple(rows)


def test_a_table_over_both_columns_of_text_is_not_divided_at_the_gutter() -> None:
    prose = "a line of running text that goes on and on so"
    lines = [text_at(x, 60 + 12 * i, prose) for i in range(9) for x in (40, 310)]
    names = ["Share", "Rate", "Part", "Sum"]
    columns = [180, 250, 340, 430]
    lines += [text_at(x, 200, name, right=True) for x, name in zip(columns, names, strict=True)]
    for r in range(5):
        lines.append(text_at(40, 215 + 12 * r, f"State {chr(65 + r)}"))
        lines += [text_at(x, 215 + 12 * r, f"{r}.{k}5", right=True) for k, x in enumerate(columns)]
    lines += [text_at(x, 300 + 12 * i, prose) for i in range(9) for x in (40, 310)]
    (table,) = tables_on(lines)
    assert table.rows[:2] == (("", *names), ("State A", "0.05", "0.15", "0.25", "0.35"))


def test_words_right_behind_a_column_of_numbers_are_a_column_of_their_own() -> None:
    people = [("Qinghe", "1,486", "Test benches"), ("Port", "874", "Parts"), ("Lakeside", "63", "Orders")]
    lines = [text_at(60, 100, "Site"), text_at(255, 100, "Employees Limited by")]
    for row, (site, number, limit) in enumerate(people, start=1):
        lines.append(text_at(60, 100 + 15 * row, site))
        lines.append(
            text_at(300 - 5.1 * len(number) + 2.6 * ("," in number), 100 + 15 * row, f"{number} {limit}")
        )
    (table,) = tables_on([*lines, *PROSE])
    assert table.rows[1] == ("Qinghe", "1,486", "Test benches")
    assert table.rows[0] == ("Site", "Employees", "Limited by")


@pytest.mark.parametrize("mark", ["\u2022", "\uf0b7", "\u2708"])
def test_small_items_behind_marks_are_no_table(mark: str) -> None:
    items = ["Nets", "Buoys and chains", "Ice", "Salt and barrels"]
    lines = [
        text_at(x, 100 + 15 * r, text, size=8)
        for r, item in enumerate(items)
        for x, text in ((60, mark), (80, item))
    ]
    assert not tables_on([*lines, *PROSE])


def test_small_words_in_rows_that_are_cut_alike_are_a_table() -> None:
    events = [("Date", "Event"), ("27 March", "Report"), ("21 May", "Meeting"), ("12 June", "Dividend")]
    lines = [
        text_at(60 + 170 * c, 100 + 15 * r, text, size=8)
        for r, row in enumerate(events)
        for c, text in enumerate(row)
    ]
    (table,) = tables_on([*lines, *PROSE])
    assert table.rows == tuple(events)


def test_a_header_row_that_a_shade_cuts_into_slivers_is_a_row_of_its_own() -> None:
    rows = [["Gender", "Healthy", "Unhealthy"], ["Male", "36", "16"], ["Female", "33", "32"]]
    edges = [50, 150, 250, 350], [100, 120, 140, 160]
    shade = Box(50.0, 100.0, 150.0, 110.5)
    (table,) = tables_on(in_grid(rows), [*grid(*edges), shade, Box(50, 110, 350, 110.5)])
    assert table.rows == tuple(map(tuple, rows))


def test_a_cross_of_two_rules_keeps_the_texts_of_its_outer_cells() -> None:
    rows = [("name", "use"), ("alder", "poles"), ("birch", "boards"), ("cedar", "chests"), ("fir", "masts")]
    lines = [
        text_at(55 + 100 * c, 110 + 14 * r, text) for r, row in enumerate(rows) for c, text in enumerate(row)
    ]
    (table,) = tables_on(lines, [Box(50, 117, 250, 117.5), Box(145, 103, 145.5, 173)])
    assert table.rows == tuple(rows)
