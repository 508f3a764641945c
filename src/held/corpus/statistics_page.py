"""The statistics of a corpus as one HTML page that needs nothing else.

Plots are drawn as SVG by hand, so that `held corpus stats` needs no plotting library, and so that every bar
says its figure under the mouse.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any, NamedTuple

_WIDTH, _HEIGHT = 440, 240
_LEFT, _BOTTOM, _TOP = 64, 34, 12
_BLUE, _ORANGE, _GREY = "#1f6fd0", "#e65100", "#757575"
_SHOWN_PATTERNS = 20

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


def _overview(corpora: Mapping[str, Any]) -> str:
    names = ("documents", "objects", "headings", "unknown")
    head = "".join(f"<th>{name}</th>" for name in ("", *names, "deepest level", "median objects"))
    rows = [
        "<tr>"
        + f"<td>{escape(name)}</td>"
        + "".join(f"<td>{values[column]:,}</td>" for column in names)
        + f"<td>{max(map(int, values['headings_by_level']), default=0)}</td>"
        + f"<td>{values['objects_per_document'].get('median', 0):,.0f}</td></tr>"
        for name, values in corpora.items()
    ]
    return f"<table><tr>{head}</tr>{''.join(rows)}</table>"


def _section(name: str, values: Mapping[str, Any], patterns: Mapping[str, str]) -> str:
    histogram = [
        Bar(_short(bar["from"]), bar["documents"]) for bar in values["objects_per_document"]["histogram"]
    ]
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
        x, y = _LEFT + place * step, _y(bar.value, most)
        told = f"{bar.label}: {bar.value:,g}"
        shapes.append(_rectangle(x + 2, y, step - 4, _floor() - y, told))
        shapes.append(_text(x + step / 2, _floor() + 14, bar.label, "middle"))
    return _svg(shapes)


def box_chart(spreads: Mapping[str, Mapping[str, float]]) -> str:
    """An SVG of boxes from quartile to quartile, with whiskers to the least and the most, on a root scale."""
    most = max((spread.get("most", 0) for spread in spreads.values()), default=0) or 1
    step = (_WIDTH - _LEFT) / max(len(spreads), 1)
    shapes = [_axes(most, "level", "headings per document", root=True)]
    for place, (level, spread) in enumerate(spreads.items()):
        centre = _LEFT + (place + 0.5) * step
        shapes.append(_text(centre, _floor() + 14, level, "middle"))
        if spread:
            shapes.append(_box(centre, min(step / 3, 18), spread, most))
    return _svg(shapes)


def _box(centre: float, half: float, spread: Mapping[str, float], most: float) -> str:
    names = ("least", "lower_quartile", "median", "upper_quartile", "most")
    low, first, middle, third, high = (_y(spread[name], most, root=True) for name in names)
    told = ", ".join(f"{name.replace('_', ' ')} {spread[name]:g}" for name in names)
    left, right = centre - half, centre + half
    return (
        f"<g><title>{told}</title>"
        f'<line x1="{centre}" y1="{low:.1f}" x2="{centre}" y2="{high:.1f}" stroke="{_GREY}"/>'
        f'<rect x="{left:.1f}" y="{third:.1f}" width="{2 * half:.1f}" height="{max(first - third, 1):.1f}"'
        f' fill="#cfe0f5" stroke="{_BLUE}"/>'
        f'<line x1="{left:.1f}" y1="{middle:.1f}" x2="{right:.1f}" y2="{middle:.1f}" stroke="{_ORANGE}"'
        ' stroke-width="2"/></g>'
    )


def heat_map(by_level: Mapping[str, Mapping[str, int]], patterns: Mapping[str, str]) -> str:
    """An SVG with a row for each frequent pattern and a column for each level, darker for a larger share."""
    totals: dict[str, int] = {}
    for counts in by_level.values():
        for pattern, count in counts.items():
            totals[pattern] = totals.get(pattern, 0) + count
    shown = sorted(sorted(totals, key=lambda p: -totals[p])[:_SHOWN_PATTERNS], key=int)
    left, row = 110, 16
    step = (_WIDTH - left) / max(len(by_level), 1)
    shapes = []
    for place, (level, counts) in enumerate(by_level.items()):
        x, whole = left + place * step, sum(counts.values()) or 1
        shapes.append(_text(x + step / 2, 12, level, "middle"))
        for line, pattern in enumerate(shown):
            count = counts.get(pattern, 0)
            told = f"{patterns[pattern]} on level {level}: {count:,} headings, {100 * count / whole:.1f} %"
            darkness = (count / whole) ** 0.5
            shapes.append(_rectangle(x, 18 + line * row, step - 1, row - 1, told, opacity=darkness))
    shapes += [
        _text(left - 6, 30 + line * row, patterns[pattern], "end") for line, pattern in enumerate(shown)
    ]
    return _svg(shapes, height=24 + row * max(len(shown), 1))


def _axes(most: float, x_title: str, y_title: str, *, root: bool = False) -> str:
    floor = _floor()
    shapes = [f'<line x1="{_LEFT}" y1="{floor}" x2="{_WIDTH}" y2="{floor}" stroke="{_GREY}"/>']
    for tick in sorted({0, round(most / 4), round(most / 2), most}):
        y = _y(tick, most, root=root)
        shapes.append(f'<line x1="{_LEFT}" y1="{y:.1f}" x2="{_WIDTH}" y2="{y:.1f}" stroke="#e4e4e4"/>')
        shapes.append(_text(_LEFT - 5, y + 4, f"{tick:,.0f}", "end"))
    shapes.append(_text(_WIDTH, floor + 30, x_title, "end"))
    shapes.append(
        f'<text transform="translate(11,{floor / 2 + 40:.0f}) rotate(-90)">{escape(y_title)}</text>'
    )
    return "".join(shapes)


def _floor() -> float:
    return _HEIGHT - _BOTTOM


def _y(value: float, most: float, *, root: bool = False) -> float:
    share = value / most
    return _floor() - (share**0.5 if root else share) * (_floor() - _TOP)


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
