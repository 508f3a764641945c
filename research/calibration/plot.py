"""The reliability plot: certainty against the share that is right; a larger dot has more headings."""

from __future__ import annotations

from collections.abc import Sequence

import matplotlib
from matplotlib.axes import Axes
from research.calibration.fit import Bin
from research.plots import GREY, STYLE, new_figure, svg

_SIZE = (4.8, 4.8)  # inches
_BEFORE, _AFTER = "#b0793a", "#1f6f8b"
_SMALLEST, _LARGEST = 20, 250  # areas of dots, in square points


@matplotlib.rc_context(STYLE)
def reliability_plot(before: Sequence[Bin], after: Sequence[Bin]) -> str:
    """The plot of the scores before and of the probabilities after calibration."""
    figure, axes = new_figure("Certainty of headings against the share that is right", size=_SIZE)
    axes.set_aspect("equal")
    axes.set_xlabel("certainty")
    axes.set_ylabel("share that is right")
    axes.grid(color=GREY, alpha=0.3)
    # Where certainty is what it says, the dots lie on the diagonal.
    axes.axline((0, 0), (1, 1), color=GREY, linestyle="--")
    _curve(axes, before, "product of the scores", colour=_BEFORE, inside="white")
    _curve(axes, after, "calibrated", colour=_AFTER, inside=_AFTER)
    axes.legend(loc="upper left")
    return svg(figure)


def _curve(axes: Axes, bins: Sequence[Bin], name: str, *, colour: str, inside: str) -> None:
    """Dots and the line through them; the area of a dot grows with its headings."""
    certainties = [bin_.certainty for bin_ in bins]
    shares = [bin_.right for bin_ in bins]
    most = max(bin_.headings for bin_ in bins)
    areas = [_SMALLEST + (_LARGEST - _SMALLEST) * bin_.headings / most for bin_ in bins]
    axes.plot(certainties, shares, color=colour)
    # Above the lines, which would cross the dots otherwise.
    axes.scatter(certainties, shares, s=areas, facecolors=inside, edgecolors=colour, label=name, zorder=3)
