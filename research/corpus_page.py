"""Turns the JSON of `held corpus stats` into one self-contained HTML page.

    python -m research.corpus_page report.json

Writes report.html. The plots are hand-written SVG, so that each bar shows its number on hover.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any, NamedTuple

# The measures of a chart in pixels: two stand beside each other on a page of 960.
_WIDTH, _HEIGHT = 440, 240
_LEFT, _BOTTOM, _TOP = 64, 34, 12  # room for figures at the axis, labels below, and half a figure above
_FLOOR = _HEIGHT - _BOTTOM
_LABEL_BELOW = 14  # from the axis to the baseline of a label
_TITLE_BELOW = 30
_FIGURE_LEFT, _FIGURE_DOWN = 5, 4  # from the axis and from its tick to the end of a figure's baseline
_UPRIGHT_X, _UPRIGHT_DOWN = 11, 40  # where the upright title begins: from the left, and below the middle
_BAR_GAP = 2  # on either side
_MOST_HALF_BOX = 18
_MAP_LEFT, _MAP_ROW, _MAP_TOP = 110, 16, 18  # of the heat map: room for examples of numbers, its rows
_MAP_BASELINE = 12  # from the top of a row to the baseline of its text
_MAP_GAP = 6  # between an example and the first column
_MAP_MARGINS = 24  # above and below all rows

_BLUE, _PALE, _ORANGE, _GREY, _LIGHT = "#1f6fd0", "#cfe0f5", "#e65100", "#757575", "#e4e4e4"
_SHOWN_PATTERNS = 20  # of 45: the rest are a handful of headings each

_STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; color: #202020 }
body { max-width: 960px; margin: 2rem auto; padding: 0 1rem }
h2 { border-top: 1px solid #ddd; padding-top: 1.2rem; margin-top: 2rem }
.plots { display: flex; flex-wrap: wrap; gap: 1rem }
figure { margin: 0 } figcaption { color: #555; font-size: 13px; max-width: 440px }
table { border-collapse: collapse; font-size: 13px } td, th { padding: 2px 8px; text-align: right }
td:first-child, th:first-child { text-align: left }
svg text { font: 11px system-ui, sans-serif; fill: #444 }
"""


class Bar(NamedTuple):
    """A bar of a chart: what it stands for, and its length."""

    label: str
    value: float


class Rectangle(NamedTuple):
    """The upper left corner of a rectangle, its width and its height."""

    x: float
    y: float
    width: float
    height: float


def statistics_page(statistics: Mapping[str, Any]) -> str:
    """The page of a corpus' statistics."""
    corpora = statistics["corpora"]
    patterns = statistics["patterns"]
    sections = [_section(name, values, patterns) for name, values in corpora.items()]
    return "\n".join(
        [
            "<!doctype html>",
            '<html lang="en"><head><meta charset="utf-8">'
            f"<title>A labelled corpus</title><style>{_STYLE}</style></head><body>",
            "<h1>A labelled corpus</h1>",
            _overview(corpora),
            *sections,
            "</body></html>",
            "",
        ]
    )


_COUNTS = ("documents", "objects", "headings", "unknown")


def _overview(corpora: Mapping[str, Any]) -> str:
    """A table with a row for each corpus."""
    titles = ("", *_COUNTS, "deepest level", "median objects")
    rows = [_row("th", titles)]
    for name, values in corpora.items():
        rows.append(_row("td", _overview_cells(name, values)))
    return f"<table>{''.join(rows)}</table>"


def _overview_cells(name: str, values: Mapping[str, Any]) -> list[str]:
    deepest = max(map(int, values["headings_by_level"]), default=0)
    median = values["objects_per_document"].get("median", 0)
    counts = [f"{values[column]:,}" for column in _COUNTS]
    return [escape(name), *counts, str(deepest), f"{median:,.0f}"]


def _row(element: str, cells: Sequence[str]) -> str:
    inside = "".join(f"<{element}>{cell}</{element}>" for cell in cells)
    return f"<tr>{inside}</tr>"


def _section(name: str, values: Mapping[str, Any], patterns: Mapping[str, str]) -> str:
    """The plots of a corpus."""
    bins = values["objects_per_document"]["histogram"]
    histogram = [Bar(_short(one["from"]), one["documents"]) for one in bins]
    by_level = [Bar(level, count) for level, count in values["headings_by_level"].items()]
    figures = [
        _figure(
            bar_chart(histogram, x_title="objects, from", y_title="documents"),
            "Objects per document.",
        ),
        _figure(
            bar_chart(by_level, x_title="level", y_title="headings"),
            "Headings on each level.",
        ),
        _figure(
            box_chart(values["headings_per_document_by_level"]),
            "Headings of each level per document that is at least so deep: quartiles, least and most.",
        ),
        _figure(
            heat_map(values["patterns_by_level"], patterns),
            "Item numbers by level: the share of a level's headings that have a pattern.",
        ),
    ]
    return f'<h2>{escape(name)}</h2>\n<div class="plots">{"".join(figures)}</div>'


def _figure(plot: str, caption: str) -> str:
    return f"<figure>{plot}<figcaption>{caption}</figcaption></figure>"


def _short(number: int) -> str:
    return f"{number / 1000:g}k" if number >= 1000 else str(number)


def bar_chart(bars: Sequence[Bar], *, x_title: str, y_title: str) -> str:
    """An SVG of upright bars."""
    most = max((bar.value for bar in bars), default=0) or 1
    step = (_WIDTH - _LEFT) / max(len(bars), 1)
    shapes = [_axes(most, x_title, y_title)]
    for position, bar in enumerate(bars):
        left = _LEFT + position * step
        top = _y(bar.value, most)
        tooltip = f"{bar.label}: {bar.value:,g}"
        filled = Rectangle(left + _BAR_GAP, top, step - 2 * _BAR_GAP, _FLOOR - top)
        shapes.append(_rectangle(filled, tooltip))
        shapes.append(_text(left + step / 2, _FLOOR + _LABEL_BELOW, bar.label, "middle"))
    return _svg(shapes)


def box_chart(spreads: Mapping[str, Mapping[str, float]]) -> str:
    """An SVG of boxes from quartile to quartile, with whiskers to the least and the most, on a root scale."""
    most = max((spread.get("most", 0) for spread in spreads.values()), default=0) or 1
    step = (_WIDTH - _LEFT) / max(len(spreads), 1)
    half = min(step / 3, _MOST_HALF_BOX)
    shapes = [_axes(most, "level", "headings per document", root=True)]
    for position, (level, spread) in enumerate(spreads.items()):
        centre = _LEFT + (position + 0.5) * step
        shapes.append(_text(centre, _FLOOR + _LABEL_BELOW, level, "middle"))
        if spread:
            shapes.append(_box(centre, half, spread, most))
    return _svg(shapes)


_SPREAD = ("least", "lower_quartile", "median", "upper_quartile", "most")


def _box(centre: float, half: float, spread: Mapping[str, float], most: float) -> str:
    """A box with its whisker behind it and its median across it."""
    figures = [f"{name.replace('_', ' ')} {spread[name]:g}" for name in _SPREAD]
    heights = {name: _y(spread[name], most, root=True) for name in _SPREAD}
    top = heights["upper_quartile"]
    height = max(heights["lower_quartile"] - top, 1)  # a box of nothing would not be seen
    left, right = centre - half, centre + half
    median = heights["median"]
    parts = [
        _element("title", inside=", ".join(figures)),
        _element("line", x1=centre, y1=heights["least"], x2=centre, y2=heights["most"], stroke=_GREY),
        _element("rect", x=left, y=top, width=2 * half, height=height, fill=_PALE, stroke=_BLUE),
        _element("line", x1=left, y1=median, x2=right, y2=median, stroke=_ORANGE, stroke_width="2"),
    ]
    return _element("g", inside="".join(parts))


def heat_map(by_level: Mapping[str, Mapping[str, int]], patterns: Mapping[str, str]) -> str:
    """An SVG with a row for each frequent pattern and a column for each level, darker for a larger share."""
    shown = {pattern: patterns[pattern] for pattern in _frequent_patterns(by_level)}
    step = (_WIDTH - _MAP_LEFT) / max(len(by_level), 1)
    shapes = []
    for position, (level, counts) in enumerate(by_level.items()):
        left = _MAP_LEFT + position * step
        shapes.append(_text(left + step / 2, _MAP_BASELINE, level, "middle"))
        shapes += _map_column(left, step, level, counts, shown)
    for line, example in enumerate(shown.values()):
        baseline = _MAP_TOP + line * _MAP_ROW + _MAP_BASELINE
        shapes.append(_text(_MAP_LEFT - _MAP_GAP, baseline, example, "end"))
    return _svg(shapes, height=_MAP_MARGINS + _MAP_ROW * max(len(shown), 1))


def _map_column(
    left: float, step: float, level: str, counts: Mapping[str, int], shown: Mapping[str, str]
) -> list[str]:
    """A field for each pattern on a level."""
    whole = sum(counts.values()) or 1
    fields = []
    for line, (pattern, example) in enumerate(shown.items()):
        count = counts.get(pattern, 0)
        share = count / whole
        tooltip = f"{example} on level {level}: {count:,} headings, {100 * share:.1f} %"
        field = Rectangle(left, _MAP_TOP + line * _MAP_ROW, step - 1, _MAP_ROW - 1)
        # The root, for most shares are small and would all look white.
        fields.append(_rectangle(field, tooltip, opacity=share**0.5))
    return fields


def _frequent_patterns(by_level: Mapping[str, Mapping[str, int]]) -> list[str]:
    """The patterns that most headings have, in the order of their ids."""
    totals: dict[str, int] = {}
    for counts in by_level.values():
        for pattern, count in counts.items():
            totals[pattern] = totals.get(pattern, 0) + count
    most_first = sorted(totals, key=lambda pattern: -totals[pattern])
    return sorted(most_first[:_SHOWN_PATTERNS], key=int)


def _axes(most: float, x_title: str, y_title: str, *, root: bool = False) -> str:
    """Both axes with their titles, and a line across at each quarter, half and whole."""
    shapes = [_across(_FLOOR, _GREY)]
    ticks = {0, round(most / 4), round(most / 2), most}
    for tick in sorted(ticks):
        y = _y(tick, most, root=root)
        shapes.append(_across(y, _LIGHT))
        shapes.append(_text(_LEFT - _FIGURE_LEFT, y + _FIGURE_DOWN, f"{tick:,.0f}", "end"))
    shapes.append(_text(_WIDTH, _FLOOR + _TITLE_BELOW, x_title, "end"))
    foot = _FLOOR / 2 + _UPRIGHT_DOWN
    upright = f"translate({_UPRIGHT_X},{foot:.0f}) rotate(-90)"
    shapes.append(_element("text", inside=escape(y_title), transform=upright))
    return "".join(shapes)


def _across(y: float, colour: str) -> str:
    return _element("line", x1=_LEFT, y1=y, x2=_WIDTH, y2=y, stroke=colour)


def _y(value: float, most: float, *, root: bool = False) -> float:
    """The height at which a value stands; on a root scale small values can be tooltip apart, too."""
    share = value / most
    if root:
        share = share**0.5
    return _FLOOR - share * (_FLOOR - _TOP)


def _rectangle(at: Rectangle, tooltip: str, *, opacity: float = 1.0) -> str:
    title = _element("title", inside=escape(tooltip))
    return _element("rect", inside=title, **at._asdict(), fill=_BLUE, fill_opacity=f"{opacity:.3f}")


def _text(x: float, y: float, text: str, anchor: str) -> str:
    return _element("text", inside=escape(text), x=x, y=y, text_anchor=anchor)


def _svg(shapes: Sequence[str], *, height: int = _HEIGHT) -> str:
    room = f"0 0 {_WIDTH} {height}"
    return _element(
        "svg",
        inside="".join(shapes),
        xmlns="http://www.w3.org/2000/svg",
        width=_WIDTH,
        height=height,
        viewBox=room,
        role="img",
    )


def _element(name: str, *, inside: str = "", **attributes: str | float) -> str:
    """An element; a tenth of a pixel is fine enough, and Python spells the dash of an attribute `_`."""
    written = [name]
    for attribute, value in attributes.items():
        text = f"{value:.1f}" if isinstance(value, float) else value
        written.append(f'{attribute.replace("_", "-")}="{text}"')
    return f"<{' '.join(written)}>{inside}</{name}>" if inside else f"<{' '.join(written)}/>"


if __name__ == "__main__":
    source = Path(sys.argv[1])
    statistics = json.loads(source.read_text(encoding="utf-8"))
    source.with_suffix(".html").write_text(statistics_page(statistics), encoding="utf-8")
