"""The reliability plot as SVG: certainty against the share that is right; a larger dot has more headings."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from experiments.calibration.fit import Bin

_SIZE, _MARGIN = 360, 56
_BEFORE, _AFTER = "#b0793a", "#1f6f8b"


def reliability_plot(before: Sequence[Bin], after: Sequence[Bin]) -> str:
    """The plot of the scores before and of the probabilities after calibration."""
    side = _SIZE + 2 * _MARGIN
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {side} {side}" width="{side}" height="{side}" '
        'font-family="sans-serif" font-size="13" role="img" aria-labelledby="title">',
        '<title id="title">Certainty of headings against the share that is right</title>',
        f'<rect width="{side}" height="{side}" fill="#ffffff"/>',
        *_axes(),
        *_curve(before, _BEFORE, filled=False),
        *_curve(after, _AFTER, filled=True),
        *_legend(),
        "</svg>",
    ]
    return "\n".join([*lines, ""])


def _axes() -> Iterator[str]:
    for tenth in range(0, 11, 2):
        x, y = _point(tenth / 10, tenth / 10)
        left, bottom = _point(0, 0)
        right, top = _point(1, 1)
        yield f'<path d="M{x} {bottom}V{top}M{left} {y}H{right}" stroke="#dddddd" fill="none"/>'
        yield f'<text x="{x}" y="{bottom + 20}" text-anchor="middle" fill="#333333">{tenth / 10:g}</text>'
        yield f'<text x="{left - 8}" y="{y + 4}" text-anchor="end" fill="#333333">{tenth / 10:g}</text>'
    (x0, y0), (x1, y1) = _point(0, 0), _point(1, 1)
    yield f'<path d="M{x0} {y0}L{x1} {y1}" stroke="#888888" stroke-dasharray="4 4"/>'
    middle = _MARGIN + _SIZE / 2
    yield f'<text x="{middle}" y="{y0 + 42}" text-anchor="middle" fill="#333333">certainty</text>'
    yield (
        f'<text x="16" y="{middle}" text-anchor="middle" fill="#333333" '
        f'transform="rotate(-90 16 {middle})">share that is right</text>'
    )


def _curve(bins: Sequence[Bin], colour: str, *, filled: bool) -> Iterator[str]:
    points = [_point(one.certainty, one.right) for one in bins]
    way = "L".join(f"{x} {y}" for x, y in points)
    yield f'<path d="M{way}" stroke="{colour}" fill="none" stroke-width="1.5"/>'
    most = max(one.headings for one in bins)
    for (x, y), one in zip(points, bins, strict=True):
        radius = round(3 + 9 * math.sqrt(one.headings / most), 1)
        inside = colour if filled else "#ffffff"
        yield (
            f'<circle cx="{x}" cy="{y}" r="{radius}" fill="{inside}" fill-opacity="0.8" stroke="{colour}">'
            f"<title>{one.headings} headings: certainty {one.certainty:.3f}, right {one.right:.3f}</title>"
            "</circle>"
        )


def _legend() -> Iterator[str]:
    x, y = _MARGIN + 14, _MARGIN + 18
    for row, (name, colour, inside) in enumerate(
        (("product of the scores", _BEFORE, "#ffffff"), ("calibrated", _AFTER, _AFTER))
    ):
        yield f'<circle cx="{x}" cy="{y + 20 * row}" r="5" fill="{inside}" stroke="{colour}"/>'
        yield f'<text x="{x + 12}" y="{y + 4 + 20 * row}" fill="#333333">{name}</text>'


def _point(x: float, y: float) -> tuple[float, float]:
    return round(_MARGIN + _SIZE * x, 1), round(_MARGIN + _SIZE * (1 - y), 1)
