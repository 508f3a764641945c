"""Which tables are doubtful, and the reasons."""

import json
from collections.abc import Sequence
from pathlib import Path

from held.document import Box, Kind, PageRegion, PhysicalObject, TableCell, TableStructure
from held.layout.lines import Line
from held.layout.tables import doubt
from held.layout.tables.doubt import (
    EVIDENCE,
    DoubtModel,
    Surroundings,
    TableView,
    error_probability,
    find_doubts,
    measure_evidence,
    shipped_model,
)

ROWS = (("Item", "2025", "2024"), ("Ice", "12", "30"), ("Nets", "8", "15"), ("Total", "20", "45"))
COLUMN_PT, ROW_PT, CELL_WIDTH_PT, CELL_HEIGHT_PT = 100.0, 15.0, 40.0, 10.0


def cell_box(row: int, column: int) -> Box:
    x, y = COLUMN_PT * column, ROW_PT * row
    return Box(x, y, x + CELL_WIDTH_PT, y + CELL_HEIGHT_PT)


def line(text: str, row: int, column: float) -> Line:
    x, y = COLUMN_PT * column, ROW_PT * row
    return Line(x, y, x + CELL_WIDTH_PT, y + CELL_HEIGHT_PT, text, 0, 8.0, ())


def view(
    rows: Sequence[Sequence[str]] = ROWS,
    *,
    extra: Sequence[Line] = (),
    figures: Sequence[Box] = (),
) -> TableView:
    """The table of some rows on a page with its own lines and extra ones."""
    cells = [
        TableCell(r, c, text, header=r == 0, box=cell_box(r, c))
        for r, row in enumerate(rows)
        for c, text in enumerate(row)
        if text
    ]
    lines = [line(cell.text, cell.row, cell.column) for cell in cells]
    last = cell_box(len(rows) - 1, len(rows[0]) - 1)
    part = PageRegion(1, Box(0.0, 0.0, last.x1, last.y1))
    item = PhysicalObject(
        Kind.TABLE, "", (part,), rows=tuple(map(tuple, rows)), table=TableStructure(tuple(cells))
    )
    return TableView(item, {1: Surroundings([*lines, *extra], (), figures)})


def measured(name: str, seen: TableView) -> float:
    return measure_evidence(seen)[name]


def test_a_clean_table_shows_no_sign_but_missing_rules() -> None:
    signs = {name for name, strength in measure_evidence(view()).items() if strength > 0}
    assert signs == {"not_drawn"}


def test_two_texts_on_the_line_below_look_like_another_row() -> None:
    below = [line("Salt", len(ROWS), 0), line("7", len(ROWS), 1)]
    assert measured("row_below", view(extra=below)) == 1.0
    assert measured("row_below", view(extra=below[:1])) == 0.0


def test_a_figure_over_a_table_is_a_sign() -> None:
    assert measured("figure_over", view(figures=[Box(50, 10, 120, 40)])) == 1.0
    assert measured("figure_over", view(figures=[Box(50, 200, 120, 240)])) == 0.0


def test_words_of_a_cell_as_far_apart_as_columns_are_a_sign() -> None:
    seen = view()
    apart = [line("Ice", 1, 0)._replace(x1=12.0), line("salt", 1, 0)._replace(x0=28.0)]
    assert measured("gaps_in_cells", seen) == 0.0
    assert measured("gaps_in_cells", TableView(seen.item, {1: Surroundings(apart, (), ())})) == 0.25


def test_rows_without_a_label_are_a_sign_and_a_label_alone_is_none() -> None:
    label_alone = (*ROWS, ("Salt", "", ""))
    unlabelled = (*ROWS, ("", "", "9"))
    assert measured("unlabelled_rows", view(label_alone)) == measured("empty_cells", view(label_alone)) == 0.0
    assert measured("unlabelled_rows", view(unlabelled)) == 0.25


def test_a_number_behind_the_words_of_a_cell_is_a_sign() -> None:
    assert measured("numbers_in_texts", view((*ROWS, ("Salt 12", "7", "8")))) > 0.0
    assert measured("numbers_in_texts", view((*ROWS, ("A4", "7", "8")))) == 0.0


def test_columns_that_no_white_separates_are_a_sign() -> None:
    seen = view()
    across = [line("Ice", 1, 0)._replace(x0=-60.0, x1=105.0)]  # into the next column
    assert measured("columns_without_white", seen) == 0.0
    joined = TableView(seen.item, {1: Surroundings([*seen.pages[1].lines, *across], (), ())})
    assert measured("columns_without_white", joined) > 0.0


def test_a_column_without_a_name_is_a_sign() -> None:
    assert measured("unnamed_columns", view((("Item", "2025", ""), *ROWS[1:]))) == 0.5


def test_reasons_are_those_that_weigh_most() -> None:
    model = DoubtModel({"row_below": 1.0, "figure_over": 5.0, "not_drawn": 9.0}, -2.0, 0.5)
    below = [line("Salt", len(ROWS), 0), line("7", len(ROWS), 1)]
    seen = view(extra=below, figures=[Box(50, 10, 120, 40)])
    assert find_doubts(seen, model) == (
        "a figure overlaps it",
        "the text right below it is set in columns too",
    )


def test_a_doubtful_table_always_has_a_reason() -> None:
    assert find_doubts(view(), DoubtModel({"not_drawn": 9.0}, 0.0, 0.5)) == (doubt.NO_REASON,)


def test_a_table_below_the_threshold_has_no_doubts() -> None:
    assert find_doubts(view(), DoubtModel({"not_drawn": 1.0}, -3.0, 0.5)) == ()


def test_more_evidence_never_lowers_the_probability() -> None:
    model = shipped_model()
    nothing = {evidence.name: 0.0 for evidence in EVIDENCE}
    least = error_probability(nothing, model)
    for evidence in EVIDENCE:
        assert error_probability(nothing | {evidence.name: 1.0}, model) >= least


def test_the_shipped_weights_belong_to_evidence() -> None:
    stored = json.loads(Path(doubt.__file__).with_name("doubt.json").read_text("utf-8"))
    assert set(stored["weights"]) <= {evidence.name for evidence in EVIDENCE}
