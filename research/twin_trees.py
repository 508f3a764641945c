"""Two trees beside each other as SVG text, for the case studies.

Drawn by hand: it is text with boxes around it, which no plotting library sets, and Chinese headings keep
the reader's own font. Colours follow the reader's light or dark page.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from html import escape
from typing import NamedTuple

_WIDTH = 760
_LEFT, _TOP = 56, 40
_LINE, _INDENT = 19, 16
_STYLE = (
    "<style>text{font:12px sans-serif;fill:#333}.t{font-size:14px;font-weight:bold}.v{font-size:9px}"
    ".a{stroke:#999;stroke-width:1}@media(prefers-color-scheme:dark){text{fill:#ddd}}</style>"
)


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


def _text(x: float, y: float, text: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}">{escape(text)}</text>'


def _svg(title: str, parts: Sequence[str], *, height: int) -> str:
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" role="img" '
        f'aria-label="{escape(title)}">{_STYLE}<text class="t" x="{_LEFT}" y="18">{escape(title)}</text>'
    )
    return head + "".join(parts) + "</svg>\n"
