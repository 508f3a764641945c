"""The statistics of a corpus as one HTML page that needs nothing else.

Plots are drawn as SVG by hand, so that `held corpus stats` needs no plotting library, and so that every bar
says its figure under the mouse.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any, NamedTuple

# The measures of a chart in pixels: two stand beside each other on a page of 960.
_WIDTH, _HEIGHT = 440, 240
_LEFT, _BOTTOM, _TOP = 64, 34, 12  # room for figures at the axis, labels below, and half a figure above
_FLOOR = _HEIGHT - _BOTTOM
_LABEL_BELOW = 14  # from the axis to the baseline of a label
_TITLE_BELOW = 30
_BAR_GAP = 2  # on either side
_MOST_HALF_BOX = 18
_MAP_LEFT, _MAP_ROW, _MAP_TOP = 110, 16, 18  # of the heat map: room for examples of numbers, its rows

_BLUE, _PALE, _ORANGE, _GREY, _LIGHT = "#1f6fd0", "#cfe0f5", "#e65100", "#757575", "#e4e4e4"
_SHOWN_PATTERNS = 20  # of 44: the rest are a handful of headings each

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


def statistics_page(statistics: Mapping[str, Any]) -> str:
    """The page of a corpus' statistics."""
    corpora = statistics["corpora"]
    sections = [_section(name, values, statistics["patterns"]) for name, values in corpora.items()]
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f"<title>A labelled corpus</title><style>{_STYLE}</style></head><body>\n"
        f"<h1>A labelled corpus</h1>\n{_overview(corpora)}\n" + "\n".join(sections) + "\n</body></html>\n"
    )


_COUNTS = ("documents", "objects", "headings", "unknown")


def _overview(corpora: Mapping[str, Any]) -> str:
    """A table with a row for each corpus."""
    head = "".join(f"<th>{name}</th>" for name in ("", *_COUNTS, "deepest level", "median objects"))
    rows = "".join(_overview_row(name, values) for name, values in corpora.items())
    return f"<table><tr>{head}</tr>{rows}</table>"


def _overview_row(name: str, values: Mapping[str, Any]) -> str:
    deepest = max(map(int, values["headings_by_level"]), default=0)
    median = values["objects_per_document"].get("median", 0)
    cells = [escape(name)]
    cells += [f"{values[column]:,}" for column in _COUNTS]
    cells += [str(deepest), f"{median:,.0f}"]
    return "<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>"


def _section(name: str, values: Mapping[str, Any], patterns: Mapping[str, str]) -> str:
    bins = values["objects_per_document"]["histogram"]
    histogram = [Bar(_short(one["from"]), one["documents"]) for one in bins]
    by_level = [Bar(level, count) for level, count in values["headings_by_level"].items()]
    plots = (
        (bar_chart(histogram, x_title="objects, from", y_title="documents"), "Objects per document."),
        (bar_chart(by_level, x_title="level", y_title="headings"), "Headings on each level."),
        (
            box_chart(values["headings_per_document_by_level"]),
            "Headings of each level per document that is at least so deep: quartiles, least and most.",
        ),
        (
            heat_map(values["patterns_by_level"], patterns),
            "Item numbers by level: the share of a level's headings that have a pattern.",
        ),
    )
    figures = "".join(f"<figure>{plot}<figcaption>{text}</figcaption></figure>" for plot, text in plots)
    return f'<h2>{escape(name)}</h2>\n<div class="plots">{figures}</div>'


def _short(number: int) -> str:
    return f"{number / 1000:g}k" if number >= 1000 else str(number)


def bar_chart(bars: Sequence[Bar], *, x_title: str, y_title: str) -> str:
    """An SVG of upright bars."""
    most = max((bar.value for bar in bars), default=0) or 1
    step = (_WIDTH - _LEFT) / max(len(bars), 1)
    shapes = [_axes(most, x_title, y_title)]
    for place, bar in enumerate(bars):
        x = _LEFT + place * step
        y = _y(bar.value, most)
        told = f"{bar.label}: {bar.value:,g}"
        shapes.append(_rectangle(x + _BAR_GAP, y, step - 2 * _BAR_GAP, _FLOOR - y, told))
        shapes.append(_text(x + step / 2, _FLOOR + _LABEL_BELOW, bar.label, "middle"))
    return _svg(shapes)


def box_chart(spreads: Mapping[str, Mapping[str, float]]) -> str:
    """An SVG of boxes from quartile to quartile, with whiskers to the least and the most, on a root scale."""
    most = max((spread.get("most", 0) for spread in spreads.values()), default=0) or 1
    step = (_WIDTH - _LEFT) / max(len(spreads), 1)
    shapes = [_axes(most, "level", "headings per document", root=True)]
    for place, (level, spread) in enumerate(spreads.items()):
        centre = _LEFT + (place + 0.5) * step
        shapes.append(_text(centre, _FLOOR + _LABEL_BELOW, level, "middle"))
        if spread:
            half = min(step / 3, _MOST_HALF_BOX)
            shapes.append(_box(centre, half, spread, most))
    return _svg(shapes)


_SPREAD = ("least", "lower_quartile", "median", "upper_quartile", "most")


def _box(centre: float, half: float, spread: Mapping[str, float], most: float) -> str:
    told = ", ".join(f"{name.replace('_', ' ')} {spread[name]:g}" for name in _SPREAD)
    low, first, middle, third, high = (_y(spread[name], most, root=True) for name in _SPREAD)
    height = max(first - third, 1)  # a box of nothing would not be seen
    left, right = f"{centre - half:.1f}", f"{centre + half:.1f}"
    whisker = f'x1="{centre}" y1="{low:.1f}" x2="{centre}" y2="{high:.1f}"'
    box = f'x="{left}" y="{third:.1f}" width="{2 * half:.1f}" height="{height:.1f}"'
    bar = f'x1="{left}" y1="{middle:.1f}" x2="{right}" y2="{middle:.1f}"'
    return (
        f"<g><title>{told}</title>"
        f'<line {whisker} stroke="{_GREY}"/>'
        f'<rect {box} fill="{_PALE}" stroke="{_BLUE}"/>'
        f'<line {bar} stroke="{_ORANGE}" stroke-width="2"/></g>'
    )


def heat_map(by_level: Mapping[str, Mapping[str, int]], patterns: Mapping[str, str]) -> str:
    """An SVG with a row for each frequent pattern and a column for each level, darker for a larger share."""
    shown = _frequent_patterns(by_level)
    step = (_WIDTH - _MAP_LEFT) / max(len(by_level), 1)
    shapes = []
    for place, (level, counts) in enumerate(by_level.items()):
        x = _MAP_LEFT + place * step
        whole = sum(counts.values()) or 1
        shapes.append(_text(x + step / 2, 12, level, "middle"))
        for line, pattern in enumerate(shown):
            count = counts.get(pattern, 0)
            share = count / whole
            told = f"{patterns[pattern]} on level {level}: {count:,} headings, {100 * count / whole:.1f} %"
            y = _MAP_TOP + line * _MAP_ROW
            # The root, for most shares are small and would all look white.
            shapes.append(_rectangle(x, y, step - 1, _MAP_ROW - 1, told, opacity=share**0.5))
    for line, pattern in enumerate(shown):
        shapes.append(_text(_MAP_LEFT - 6, _MAP_TOP + 12 + line * _MAP_ROW, patterns[pattern], "end"))
    return _svg(shapes, height=24 + _MAP_ROW * max(len(shown), 1))


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
    shapes = [_across(str(_FLOOR), _GREY)]
    for tick in sorted({0, round(most / 4), round(most / 2), most}):
        y = _y(tick, most, root=root)
        shapes.append(_across(f"{y:.1f}", _LIGHT))
        shapes.append(_text(_LEFT - 5, y + 4, f"{tick:,.0f}", "end"))
    shapes.append(_text(_WIDTH, _FLOOR + _TITLE_BELOW, x_title, "end"))
    upright = f"translate(11,{_FLOOR / 2 + 40:.0f}) rotate(-90)"
    shapes.append(f'<text transform="{upright}">{escape(y_title)}</text>')
    return "".join(shapes)


def _across(y: str, colour: str) -> str:
    return f'<line x1="{_LEFT}" y1="{y}" x2="{_WIDTH}" y2="{y}" stroke="{colour}"/>'


def _y(value: float, most: float, *, root: bool = False) -> float:
    """The height at which a value stands; on a root scale small values can be told apart, too."""
    share = value / most
    if root:
        share = share**0.5
    return _FLOOR - share * (_FLOOR - _TOP)


def _rectangle(x: float, y: float, width: float, height: float, told: str, *, opacity: float = 1.0) -> str:
    return (
        f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" fill="{_BLUE}"'
        f' fill-opacity="{opacity:.3f}"><title>{escape(told)}</title></rect>'
    )


def _text(x: float, y: float, text: str, anchor: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'


def _svg(shapes: Sequence[str], *, height: int = _HEIGHT) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{height}"'
        f' viewBox="0 0 {_WIDTH} {height}" role="img">{"".join(shapes)}</svg>'
    )
