"""Random pages: table recognition neither fails nor loses or invents text."""

import logging
from collections.abc import Sequence

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from held.document import Box, PageContent
from held.layout.lines import Line
from held.layout.tables import borderless, page_tables
from held.layout.tables.cells import Table, is_continuation, join_broken_number, join_number, join_tables
from held.layout.tables.page_tables import find_tables
from tests.layout.tables.test_page_tables import grid, in_grid, statement, text_at

WORDS = (
    "Sales",
    "2026",
    "1,200",
    "$",
    ")",
    "(7)",
    "12 345",
    "—",
    "of the",
    "a .... 3",
    "净利润",
    "1,234,5",
    "67",
    "=",
)
texts = st.lists(st.sampled_from(WORDS), min_size=1, max_size=4).map(" ".join)
# Few positions, so that rows, columns and rules often meet.
positions = st.integers(0, 40).map(lambda step: 50 + 12.5 * step)
lines = st.lists(st.builds(text_at, positions, positions, texts, right=st.booleans()), max_size=40)
boxes = st.builds(lambda x, y, w, h: Box(x, y, x + w, y + h), positions, positions, positions, positions)
strokes = st.builds(lambda x, y, w: Box(x, y, x + w, y + 0.5), positions, positions, positions)
edges = st.lists(positions, min_size=2, max_size=6, unique=True).map(sorted)
rules = st.one_of(st.lists(st.one_of(boxes, strokes), max_size=20), st.builds(grid, edges, edges))
random_pages = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@random_pages
@given(lines, rules)
def test_any_page_gives_tables_without_an_error(lines: list[Line], rules: list[Box]) -> None:
    errors = _Errors()
    logger = logging.getLogger("held.layout.tables.cells")
    logger.addHandler(errors)
    try:
        tables = find_tables(PageContent(700, 700, rules=tuple(rules)), lines)
        for upper in tables:
            for lower in tables:
                if is_continuation(upper, lower):
                    join_tables(upper, lower)
    finally:
        logger.removeHandler(errors)
    assert errors.records == []
    _assert_consistent(tables, lines)


class _Errors(logging.Handler):
    def __init__(self) -> None:
        super().__init__()
        self.records: list[logging.LogRecord] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.records.append(record)


def _assert_consistent(tables: Sequence[Table], lines: Sequence[Line]) -> None:
    used = [i for table in tables for i in table.lines]
    assert len(used) == len(set(used))
    assert set(used) <= set(range(len(lines)))
    for table in tables:
        assert len({len(row) for row in table.rows}) == 1
        for cell in table.cells:
            assert cell.row + cell.row_span <= len(table.rows)
            assert cell.column + cell.column_span <= len(table.rows[0])


@given(st.lists(st.text("0123456789,.-()% ", max_size=8), min_size=1, max_size=4), st.booleans())
def test_the_lines_of_a_cell_never_fail_as_a_number(parts: list[str], filled: bool) -> None:
    number = join_number(parts, filled=filled)
    assert number is None or number == "".join(parts)


def test_an_empty_line_within_a_broken_number_is_skipped() -> None:
    pieces = [(text_at(50, y, "0"), text) for y, text in ((100, "171,687,0"), (110, " "), (120, "44"))]
    assert join_broken_number(pieces, 60.0) == "171,687,044"


def test_an_error_in_a_grid_costs_that_table_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise IndexError("a page that nobody foresaw")

    monkeypatch.setattr(page_tables, "build_grid_table", fail)
    rows = [["Sales", "12", "11"], ["Costs", "(7)", "(6)"], ["Profit", "5", "5"]]
    page = PageContent(595, 842, rules=tuple(grid([50, 150, 250], [600, 620, 640])))
    (table,) = find_tables(page, [*statement(rows), *in_grid([["a", "b"], ["c", "d"]], top=600)])
    assert table.rows == tuple(map(tuple, rows))


def test_an_error_in_a_borderless_table_leaves_its_lines_as_text(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(borderless, "build_table", fail)
    rows = [["Sales", "12", "11"], ["Costs", "(7)", "(6)"], ["Profit", "5", "5"]]
    assert find_tables(PageContent(595, 842), statement(rows)) == []
