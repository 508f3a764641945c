"""Draws README's chart from stored results: `python -m docs.readme_chart`. A test keeps it current.

One point for each tool: how many pages it reads in a second of one core, and how many headings it puts under
the right chain of headings (F1, mean over the kinds of documents with complete outlines by hand).
"""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any, NamedTuple
from xml.sax.saxutils import escape

ROOT = Path(__file__).parents[1]
RESULTS = ROOT / "research" / "benchmarks" / "results" / "by-hand.json"
CHART = ROOT / "docs" / "images" / "tools.svg"
NO_LEVELS = ("pypdfium2",)  # plain text has no headings

WIDTH, HEIGHT = 740, 330
LEFT, RIGHT, TOP, BOTTOM = 62, 700, 24, 280
SPEEDS = (1, 10, 100, 1000)  # pages a second, on a logarithmic axis
SHARES = (0.0, 0.2, 0.4, 0.6, 0.8)
LABEL_GAP = 17  # points nearer than this, above each other,
LABEL_REACH = 120  # and nearer than this, side by side, have labels that overlap
OURS, OTHERS, GREY = "#0b6e4f", "#5b6770", "#d5dadd"


class Point(NamedTuple):
    """A tool, the pages it reads in a CPU second, and its share of headings in place."""

    name: str
    speed: float
    share: float


def points() -> list[Point]:
    """The tools that find levels, from left to right."""
    tools: dict[str, dict[str, Any]] = json.loads(RESULTS.read_text(encoding="utf-8"))["tools"]
    found = []
    for name, tool in tools.items():
        if name not in NO_LEVELS:
            shares = [domain["path_f1"] for domain in tool["domains"].values()]
            found.append(Point(tool["title"], tool["pages_per_cpu_second"], sum(shares) / len(shares)))
    return sorted(found, key=lambda point: point.speed)


def chart() -> str:
    """The chart as SVG."""
    style = "font-family:system-ui,sans-serif;font-size:13px"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" style="{style}" role="img">',
        "<title>Headings in place and pages per second of held and other tools</title>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
        *_axes(),
        *_marks(),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _axes() -> list[str]:
    parts = []
    for share in SHARES:
        y = _y(share)
        parts.append(f'<line x1="{LEFT}" x2="{RIGHT}" y1="{y}" y2="{y}" stroke="{GREY}"/>')
        parts.append(_text(LEFT - 8, y + 4, f"{share:.0%}", "end", OTHERS))
    for speed in SPEEDS:
        x = _x(speed)
        parts.append(f'<line x1="{x}" x2="{x}" y1="{TOP}" y2="{BOTTOM}" stroke="{GREY}"/>')
        parts.append(_text(x, BOTTOM + 18, f"{speed:,}", "middle", OTHERS))
    middle = (LEFT + RIGHT) // 2
    parts.append(_text(middle, BOTTOM + 40, "pages per second of one core", "middle", OTHERS))
    parts.append(_text(LEFT, TOP - 8, "headings under the right chain of headings", "start", OTHERS))
    return parts


def _marks() -> list[str]:
    parts = []
    found = points()
    for before, point, after in zip([None, *found], found, [*found[1:], None], strict=False):
        is_ours = point.name == "held"
        colour = OURS if is_ours else OTHERS
        x, y = _x(point.speed), _y(point.share)
        parts.append(f'<circle cx="{x}" cy="{y}" r="{8 if is_ours else 5}" fill="{colour}"/>')
        # Labels that would stand on each other go to the sides of their points.
        if _are_crowded(before, point):
            label = (x + 10, y + 4, point.name, "start")
        elif _are_crowded(point, after):
            label = (x - 10, y + 4, point.name, "end")
        else:
            label = (x, y - 12, point.name, "middle")
        parts.append(_text(*label, colour, bold=is_ours))
    return parts


def _are_crowded(left: Point | None, right: Point | None) -> bool:
    if left is None or right is None:
        return False
    is_beside = _x(right.speed) - _x(left.speed) < LABEL_REACH
    return is_beside and abs(_y(right.share) - _y(left.share)) < LABEL_GAP


def _x(speed: float) -> int:
    width = RIGHT - LEFT
    return round(LEFT + width * math.log10(speed / SPEEDS[0]) / math.log10(SPEEDS[-1] / SPEEDS[0]))


def _y(share: float) -> int:
    return round(BOTTOM - (BOTTOM - TOP) * share / SHARES[-1])


def _text(x: int, y: int, text: str, anchor: str, colour: str, *, bold: bool = False) -> str:
    weight = ' font-weight="700"' if bold else ""
    place = f'x="{x}" y="{y}" text-anchor="{anchor}"'
    return f'<text {place} fill="{colour}"{weight}>{escape(text)}</text>'


if __name__ == "__main__":
    CHART.write_text(chart(), encoding="utf-8")
