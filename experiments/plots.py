"""Plots as SVG text: bars in groups, and points on two axes. No library: a plot is a few rectangles.

Colours follow the reader's light or dark page, and every value can be read: bars carry their figure.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from html import escape
from typing import NamedTuple

_COLOURS = ("#3366aa", "#dd8844", "#558855", "#aa4466", "#7766aa", "#888888", "#448899", "#aa8833")
_WIDTH, _HEIGHT = 760, 340
_LEFT, _TOP, _BOTTOM = 56, 40, 76
_STYLE = (
    "<style>text{font:12px sans-serif;fill:#333}.t{font-size:14px;font-weight:bold}.v{font-size:9px}"
    ".a{stroke:#999;stroke-width:1}@media(prefers-color-scheme:dark){text{fill:#ddd}}</style>"
)


class Point(NamedTuple):
    """A point with its name."""

    name: str
    x: float
    y: float


def bars(
    title: str, values: Mapping[str, Mapping[str, float | None]], *, top: float = 1.0, digits: int = 2
) -> str:
    """A group of bars for each name, one bar for each series; series that have no value leave a gap."""
    series = list(dict.fromkeys(name for group in values.values() for name in group))
    inner = _WIDTH - _LEFT - 10
    step = inner / max(1, len(values))
    wide = step * 0.86 / max(1, len(series))
    parts = [_axis(top)]
    for place, (group, own) in enumerate(values.items()):
        start = _LEFT + place * step + step * 0.07
        parts.append(_text(start + step * 0.43, _HEIGHT - _BOTTOM + 16, group, anchor="middle"))
        for number, name in enumerate(series):
            value = own.get(name)
            if value is not None:
                parts.append(_bar(start + number * wide, wide, value, top, number, digits))
    return _svg(title, [*parts, *_legend(series)])


def points(title: str, found: Sequence[Point], *, x_name: str, y_name: str) -> str:
    """Points with their names; both axes are logarithmic."""
    xs, ys = [point.x for point in found], [point.y for point in found]
    parts = [
        f'<path class="a" fill="none" d="M{_LEFT} {_TOP}V{_HEIGHT - _BOTTOM}H{_WIDTH - 10}"/>',
        _text(_WIDTH / 2, _HEIGHT - _BOTTOM + 34, x_name, anchor="middle"),
        _text(_LEFT, _TOP - 8, y_name),
    ]
    for number, point in enumerate(found):
        x = _LEFT + 30 + _share(point.x, xs) * (_WIDTH - _LEFT - 200)
        y = _HEIGHT - _BOTTOM - 20 - _share(point.y, ys) * (_HEIGHT - _BOTTOM - _TOP - 40)
        colour = _COLOURS[number % len(_COLOURS)]
        parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5" fill="{colour}"/>')
        parts.append(_text(x + 9, y + 4, f"{point.name} ({point.x:,.6g}; {point.y:,.3g})"))
    return _svg(title, parts)


def _share(value: float, values: Sequence[float]) -> float:
    """Where a value stands between the lowest and the highest, on a logarithmic scale."""
    low, high = math.log(min(values)), math.log(max(values))
    return 0.5 if high == low else (math.log(value) - low) / (high - low)


def _bar(x: float, wide: float, value: float, top: float, number: int, digits: int) -> str:
    height = min(1.0, max(0.0, value / top)) * (_HEIGHT - _TOP - _BOTTOM)
    y = _HEIGHT - _BOTTOM - height
    colour = _COLOURS[number % len(_COLOURS)]
    shown = f"{value:.{digits}f}".lstrip("0") or "0"
    return (
        f'<rect x="{x:.1f}" y="{y:.1f}" width="{wide * 0.92:.1f}" height="{height:.1f}" fill="{colour}"/>'
        f'<text class="v" text-anchor="middle" x="{x + wide * 0.46:.1f}" y="{y - 3:.1f}">{shown}</text>'
    )


def _axis(top: float) -> str:
    lines = [f'<path class="a" fill="none" d="M{_LEFT} {_TOP}V{_HEIGHT - _BOTTOM}H{_WIDTH - 10}"/>']
    for quarter in range(5):
        y = _HEIGHT - _BOTTOM - quarter / 4 * (_HEIGHT - _TOP - _BOTTOM)
        lines.append(_text(_LEFT - 6, y + 4, f"{top * quarter / 4:g}", anchor="end"))
    return "".join(lines)


def _legend(series: Sequence[str]) -> list[str]:
    parts = []
    x, y = float(_LEFT), _HEIGHT - 40.0
    for number, name in enumerate(series):
        needed = 26 + 7 * len(name)
        if x + needed > _WIDTH:
            x, y = float(_LEFT), y + 18
        parts.append(f'<rect x="{x:.0f}" y="{y:.0f}" width="11" height="11" fill="{_COLOURS[number % 8]}"/>')
        parts.append(_text(x + 16, y + 10, name))
        x += needed
    return parts


def _text(x: float, y: float, text: str, *, anchor: str = "start") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'


def _svg(title: str, parts: Sequence[str]) -> str:
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" '
        f'aria-label="{escape(title)}">{_STYLE}<text class="t" x="{_LEFT}" y="18">{escape(title)}</text>'
    )
    return head + "".join(parts) + "</svg>\n"
