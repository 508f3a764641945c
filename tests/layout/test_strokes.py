"""Which drawn lines belong together."""

from collections.abc import Sequence

from held.document import Box, PageContent
from held.layout.strokes import Segment, find_strokes


def vertical_lines(xs: Sequence[float], heights: Sequence[tuple[float, float]]) -> list[Segment]:
    """The vertical lines found on a page with thin rules at these places."""
    rules = tuple(Box(x - 0.5, top, x + 0.5, bottom) for x in xs for top, bottom in heights)
    return find_strokes(PageContent(612, 792, runs=(), rules=rules, images=())).down


ROWS = [(100, 114), (120, 134), (140, 154)]


def test_lines_that_all_break_off_between_rows_are_whole() -> None:
    assert vertical_lines([60, 200, 300, 400], ROWS) == [Segment(x, 100, 154) for x in (60, 200, 300, 400)]


def test_three_lines_that_break_off_stay_apart() -> None:
    assert len(vertical_lines([60, 200, 300], ROWS)) == 9


def test_lines_stay_apart_where_a_line_of_text_fits_between_them() -> None:
    assert len(vertical_lines([60, 200, 300, 400], [(100, 114), (124, 138)])) == 8


def test_lines_stay_apart_where_one_of_them_ends() -> None:
    rules = [Box(x - 0.5, top, x + 0.5, top + 14) for x in (60, 200, 300, 400) for top in (100, 120)]
    rules.append(Box(499.5, 100, 500.5, 114))  # nothing goes on below it
    page = PageContent(612, 792, runs=(), rules=tuple(rules), images=())
    assert len(find_strokes(page).down) == 9
