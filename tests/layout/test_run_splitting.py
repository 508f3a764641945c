"""Rows of drawn tables that a producer set as one piece of text."""

import pytest

from held.document import Box, PageContent, Run, Style
from held.layout.lines import build_lines
from held.layout.run_splitting import clip_tall_runs, split_runs_at_gaps

STYLES = (Style("Body", 10.0), Style("Courier", 10.0))
FIXED = 1


def texts(text: str, *, bars: list[float], x0: float = 70.0, x1: float = 500.0, style: int = 0) -> list[str]:
    rules = tuple(Box(x, 90.0, x + 0.5, 200.0) for x in bars)
    run = Run(x0, 100.0, x1, 110.0, style, text)
    return [line.text for line in build_lines(PageContent(600, 800, runs=(run,), rules=rules), STYLES)]


def test_a_row_set_as_one_run_is_cut_at_the_bars_through_it() -> None:
    assert texts("Grain 153 91", bars=[270, 400]) == ["Grain", "153", "91"]


def test_groups_of_digits_are_one_value() -> None:
    assert texts("Polytechnics 20 527 20 922", bars=[270, 400]) == ["Polytechnics", "20 527", "20 922"]


def test_numbers_with_commas_are_not_taken_for_groups() -> None:
    assert texts("Grain 1,527 922", bars=[270, 400]) == ["Grain", "1,527", "922"]


def test_a_run_that_begins_with_a_space_begins_with_an_empty_cell() -> None:
    assert texts(" 2001 2002", bars=[270, 400]) == ["2001", "2002"]


def test_the_white_between_two_tables_is_no_cell() -> None:
    row = "Spain 268 Spain 153"
    assert texts(row, bars=[160, 240, 255, 400]) == ["Spain", "268", "Spain", "153"]


def test_ticks_are_cells() -> None:
    assert texts("Student assessment x x", bars=[270, 400]) == ["Student assessment", "x", "x"]


@pytest.mark.parametrize("bars", [[], [270.0]], ids=["no bars", "fewer cells than words"])
def test_a_run_whose_words_do_not_fit_the_bars_stays_whole(bars: list[float]) -> None:
    assert texts("2001 2002 2003 2004", bars=bars) == ["2001 2002 2003 2004"]


def test_a_run_as_wide_as_its_text_is_not_cut() -> None:
    text = "words as wide as they are set"
    assert texts(text, bars=[120.0], x1=190.0) == [text]


def test_code_in_a_fixed_width_is_wider_than_its_letters_and_is_not_cut() -> None:
    code = "title fill"
    assert texts(code, bars=[100], x1=70.0 + 6 * len(code), style=FIXED) == [code]


def test_a_run_is_split_where_its_words_have_a_wide_gap() -> None:
    words = (Box(20, 0, 60, 10), Box(63, 0, 80, 10), Box(120, 0, 140, 10))
    run = Run(20, 0, 140, 10, 0, "North America 12", words)
    pieces = split_runs_at_gaps([run], [Style(size=10.0)])
    assert [(piece.text, piece.x0, piece.x1) for piece in pieces] == [
        ("North America", 20, 80),
        ("12", 120, 140),
    ]


def test_a_run_with_narrow_gaps_stays_whole() -> None:
    words = (Box(20, 0, 60, 10), Box(63, 0, 80, 10))
    run = Run(20, 0, 80, 10, 0, "North America", words)
    assert split_runs_at_gaps([run], [Style(size=10.0)]) == [run]


def test_a_run_from_the_head_to_the_foot_of_a_page_is_clipped_to_its_first_line() -> None:
    both = Run(300, 40, 500, 780, 0, "Half-year report58")
    body = Run(60, 100, 500, 111, 0, "Revenue rose in all regions.")
    clipped, unchanged = clip_tall_runs([both, body], [Style(size=10.0)])
    assert (clipped.y0, clipped.y1) == (40, 51)
    assert unchanged == body


def test_a_font_whose_boxes_are_all_tall_is_not_clipped() -> None:
    runs = [Run(60, y, 200, y + 58, 0, "import math") for y in (100.0, 116.0)]
    assert clip_tall_runs(runs, [Style(size=10.0)]) == runs


def test_a_bracket_in_pieces_is_not_clipped() -> None:
    runs = [Run(60, 100, 68, 112, 0, "⎧"), Run(60, 200, 68, 260, 0, "⎧⎪⎨⎪⎩")]
    assert clip_tall_runs(runs, [Style(size=10.0)]) == runs
