"""Plots as SVG text: bars in groups, points on two axes, two trees. No library: a plot is a few rectangles.

Colours follow the reader's light or dark page, and every value can be read: bars carry their figure.
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Mapping, Sequence
from html import escape
from typing import NamedTuple

_COLOURS = ("#3366aa", "#dd8844", "#558855", "#aa4466", "#7766aa", "#888888", "#448899", "#aa8833")
_WIDTH, _HEIGHT = 760, 340
_LEFT, _TOP, _BOTTOM = 56, 40, 76
_LINE, _INDENT = 19, 16
_STYLE = (
    "<style>text{font:12px sans-serif;fill:#333}.t{font-size:14px;font-weight:bold}.v{font-size:9px}"
    ".a{stroke:#999;stroke-width:1}@media(prefers-color-scheme:dark){text{fill:#ddd}}</style>"
)


class Point(NamedTuple):
    """A point with its name."""

    name: str
    x: float
    y: float


class Mark(NamedTuple):
    """How a node is marked: what the legend calls it, its colour, and whether it is filled or only tinted."""

    name: str
    colour: str
    filled: bool = False


class Twin(NamedTuple):
    """A node of two trees, with its level in each, how it is marked, and what stands small beside it."""

    name: str
    levels: tuple[int, int]
    mark: Mark | None = None
    notes: tuple[str, str] = ("", "")


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


def twins(title: str, names: tuple[str, str], nodes: Sequence[Twin]) -> str:
    """Two trees beside each other, a line for each node, so that the same node is at the same height."""
    parts = []
    for side, name in enumerate(names):
        left = 10 + side * _WIDTH / 2
        parts.append(_text(left, _TOP + 4, name))
        for line, node in enumerate(nodes):
            parts += _node(node, side, left, _TOP + 10 + line * _LINE)
    bottom = _TOP + 10 + len(nodes) * _LINE
    x = 10.0
    for mark in dict.fromkeys(node.mark for node in nodes if node.mark):
        parts.append(f'<rect x="{x:.0f}" y="{bottom + 10}" width="11" height="11" {_paint(mark)}/>')
        parts.append(_text(x + 16, bottom + 20, mark.name))
        x += 40 + _text_width(mark.name)
    return _svg(title, parts, height=bottom + 32)


def _node(node: Twin, side: int, left: float, y: float) -> list[str]:
    """A node at the indent of its level in a tree, with a thin line for each level above it."""
    level = node.levels[side]
    lines = [
        f'<path class="a" opacity=".4" d="M{left + 6 + above * _INDENT:.1f} {y:.1f}v{_LINE}"/>'
        for above in range(level)
    ]
    x = left + level * _INDENT
    name = _cut(node.name, _WIDTH / 2 - 50 - level * _INDENT)
    wide = _text_width(name)
    if node.mark:
        box = f'x="{x:.1f}" y="{y + 1:.1f}" width="{wide + 8:.1f}" height="{_LINE - 3}" rx="3"'
        lines.append(f"<rect {box} {_paint(node.mark)}/>")
    white = ' style="fill:#fff"' if node.mark and node.mark.filled else ""
    lines.append(f'<text{white} x="{x + 4:.1f}" y="{y + 13:.1f}">{escape(name)}</text>')
    note = escape(node.notes[side])
    lines.append(f'<text class="v" x="{x + wide + 14:.1f}" y="{y + 13:.1f}">{note}</text>')
    return lines


def _paint(mark: Mark) -> str:
    return f'fill="{mark.colour}" fill-opacity="{1 if mark.filled else 0.25}"'


def _text_width(text: str) -> float:
    """About how wide a text is."""
    return sum(map(_character_width, text))


def _character_width(char: str) -> float:
    if unicodedata.east_asian_width(char) in "WF":
        return 12.0
    return 3.6 if char in " ijltfI.,:;()'|" else 8.4 if char.isupper() or char in "mw" else 6.6


def _cut(text: str, width: float) -> str:
    """The text, or as much of its beginning as fits."""
    if _text_width(text) <= width:
        return text
    while _text_width(text) > width - 12:
        text = text[:-1]
    return f"{text.rstrip()}…"


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


def _svg(title: str, parts: Sequence[str], *, height: int = _HEIGHT) -> str:
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" role="img" '
        f'aria-label="{escape(title)}">{_STYLE}<text class="t" x="{_LEFT}" y="18">{escape(title)}</text>'
    )
    return head + "".join(parts) + "</svg>\n"
