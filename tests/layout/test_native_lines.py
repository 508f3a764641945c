"""The native functions of lines give the lines that the Python ones give."""

from __future__ import annotations

import os
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from held.document import PageContent, Run, Style
from held.layout import lines
from held.layout.lines import NATIVE_VARIABLE, Line, build_lines

_lines = pytest.importorskip("held.layout._lines", reason="the native modules were not built")

STYLES = [Style("Body", 10.0), Style("Title", 24.0), Style("Small", 6.0, bold=True)]
TEXTS = ["a", "ab", "some words", " blank ", "Title in large letters", "标题", "　全角　", "שלום", "(1)", "$"]
# On a coarse grid runs share edges and heights, stand side by side, or lie on each other.
edges = st.integers(0, 40).map(lambda number: number * 2.5)
heights = st.sampled_from([2.0, 8.0, 10.0, 10.3, 24.0])


@st.composite
def runs(draw: st.DrawFn) -> Run:
    x0, y0, height = draw(edges), draw(edges), draw(heights)
    width = draw(st.sampled_from([0.0, 5.0, 12.5, 60.0]))
    style = draw(st.integers(0, len(STYLES) - 1))
    return Run(x0, y0, x0 + width, y0 + height, style, draw(st.sampled_from(TEXTS)))


def lines_in_python(page: PageContent) -> list[Line]:
    with patch.dict(os.environ, {NATIVE_VARIABLE: "off"}):
        return build_lines(page, STYLES)


@given(st.lists(runs(), max_size=40))
def test_both_ways_give_the_same_lines(found: list[Run]) -> None:
    page = PageContent(200, 300, tuple(found))
    expected = lines_in_python(page)
    made = build_lines(page, STYLES)
    assert made == expected
    assert [type(line) for line in made] == [Line] * len(made)


@pytest.mark.parametrize("count", [0, 1, 1000])
def test_runs_in_any_number_are_sorted_downwards(count: int) -> None:
    page = PageContent(
        200, 300, tuple(Run(0, i * 7 % 300, 50, i * 7 % 300 + 6, 0, f"{i}") for i in range(count))
    )
    assert build_lines(page, STYLES) == lines_in_python(page)


@pytest.mark.parametrize(
    "strange",
    [
        (0.0, 0.0, 9.0, 9.0, 0),
        [0.0, 0.0, 9.0, 9.0, 0, "a list"],
        ("left", 0.0, 9.0, 9.0, 0, "a"),
        (0.0, 0.0, 9.0, 9.0, "style", "a"),
        (0.0, 0.0, 9.0, 9.0, 3, "no such style"),
        (0.0, 0.0, 9.0, 9.0, -1, "no such style"),
        (0.0, 0.0, 9.0, 9.0, 1 << 70, "no such style"),
        (0.0, 0.0, 9.0, 9.0, 0, b"bytes"),
    ],
)
def test_what_is_no_run_is_an_error(strange: Any) -> None:
    with pytest.raises((TypeError, ValueError, IndexError, OverflowError)):
        _lines.build([strange], [9.0, 9.0, 9.0], tuple, tuple, lines._GROUP_TOLERANCES)


def test_other_thresholds_are_an_error() -> None:
    with pytest.raises(ValueError, match="other thresholds"):
        _lines.build([], [], tuple, tuple, lines._REPRINT_TOLERANCES)
    with pytest.raises(ValueError, match="other thresholds"):
        _lines.drop_reprints([], bool, [1.0])


def test_errors_of_python_functions_come_through() -> None:
    def fail(*_: object) -> Any:
        raise RuntimeError("no line")

    run = Run(0.0, 0.0, 90.0, 24.0, 0, "Title")
    shadow = Run(1.0, 1.0, 91.0, 25.0, 0, "Titles")
    with pytest.raises(RuntimeError, match="no line"):
        _lines.build([run], [9.0], fail, fail, lines._GROUP_TOLERANCES)
    with pytest.raises(RuntimeError, match="no line"):
        _lines.drop_reprints([run, shadow], fail, lines._REPRINT_TOLERANCES)


def test_a_function_may_change_the_lists_meanwhile() -> None:
    found = [Run(0.0, 0.0, 90.0, 24.0, 0, "Title"), Run(1.0, 1.0, 91.0, 25.0, 0, "Titles")]

    def empty(*_: object) -> bool:
        found.clear()
        return False

    kept = _lines.drop_reprints(found, empty, lines._REPRINT_TOLERANCES)
    assert [run.text for run in kept] == ["Title", "Titles"]


def test_an_older_compiled_file_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_lines, "INTERFACE_VERSION", 0)
    lines._compiled_lines.cache_clear()
    assert lines._native_lines() is None
    lines._compiled_lines.cache_clear()
