from collections.abc import Sequence

from held.document import Box, PageContent, Run
from held.pdf.lines import Line
from held.pdf.tables import Table, find_tables, goes_on, join

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


def test_a_drawn_grid_gives_its_cells() -> None:
    lines = in_grid([["Item", "2024"], ["Sales", "17"]])
    (table,) = tables_on(lines, grid([50, 150, 250], [100, 120, 140]))
    assert table.rows == (("Item", "2024"), ("Sales", "17"))
    assert table.lines == (0, 1, 2, 3)
    assert table.ruled


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
    assert goes_on(upper, lower)
    assert join(upper, lower).rows == (("Item", "2024"), ("Sales", "17"), ("Cost", "12"))
