"""Which drawn grids without sides are tables."""

from held.layout.tables.bordered import _is_open_around_rows
from held.layout.tables.grids import Grid

XS, YS = [50.0, 150.0, 250.0], [100.0, 120.0, 140.0, 160.0]
BARS = [False, True, False]  # beside the cells of a row: only between its columns
RULE, NO_RULE = [True, True], [False, False]


def test_a_table_without_sides_may_be_closed_below_if_all_inner_bars_are_drawn() -> None:
    assert _is_open_around_rows(Grid(XS, YS, [BARS] * 3, [NO_RULE, RULE, RULE, RULE]))


def test_a_grid_closed_below_that_lacks_an_inner_bar_is_a_drawing() -> None:
    lacking = [BARS, [False, False, False], BARS]
    assert not _is_open_around_rows(Grid(XS, YS, lacking, [NO_RULE, RULE, RULE, RULE]))


def test_a_grid_closed_above_and_below_needs_no_open_rows() -> None:
    assert not _is_open_around_rows(Grid(XS, YS, [BARS] * 3, [RULE] * 4))
