"""Plots as SVG text, by matplotlib: bars, points, lines, boxes and heat maps.

The same values give the same bytes, whenever and wherever they are drawn: there are no dates, and the names
inside the file are not random. Text stays text, so that it can be searched and read out. Every value can be
read: bars and points carry their figures.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from io import StringIO
from textwrap import wrap
from typing import Any, NamedTuple

import matplotlib
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator, NullFormatter, StrMethodFormatter

COLOURS = ("#3366aa", "#dd8844", "#558855", "#aa4466", "#7766aa", "#888888", "#448899", "#aa8833")
GREY = "#999999"

STYLE: dict[Any, Any] = {
    "svg.fonttype": "none",
    "svg.hashsalt": "held",
    "text.parse_math": False,
    "font.size": 9,
    "figure.titlesize": 10,
    "figure.titleweight": "bold",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": GREY,
    "legend.frameon": False,
}
# What matplotlib would say of itself and of the day: the picture does not depend on either.
_UNTOLD = {"Date": None, "Creator": None}

_SIZE = (7.6, 3.6)  # inches
_TITLE_LEFT = 0.01  # of the width
_LETTERS_AN_INCH = 10  # of a title, if they are wide
_SMALL = 6  # points, of the figures on the bars: seven bars with their figures fit beside each other
_GROUP_SHARE = 0.86  # of the room of a group, what its bars take
_BAR_SHARE = 0.92  # of the room of a bar, what it fills
_HEADROOM = 1.08  # above the highest bar, for its figure
_LINE_STYLES = ("-", "--", ":")
_LEGEND_COLUMNS = 4
_LABELLED = (1, 2, 5)  # of the digits 1 to 9, those with a label on a logarithmic axis
_MARGIN = 0.1  # of the plot's width and height, around points


class Point(NamedTuple):
    """A point with its name."""

    name: str
    x: float
    y: float


@matplotlib.rc_context(STYLE)
def bars(
    title: str, values: Mapping[str, Mapping[str, float | None]], *, top: float = 1.0, digits: int = 2
) -> str:
    """A group of bars for each name, one bar for each series; series that have no value leave a gap."""
    figure, axes = new_figure(title)
    series = list(dict.fromkeys(name for group in values.values() for name in group))
    room = _GROUP_SHARE / max(1, len(series))
    for number, name in enumerate(series):
        offset = (number + 0.5) * room - _GROUP_SHARE / 2
        heights = {place: own.get(name) for place, own in enumerate(values.values())}
        known = {place + offset: height for place, height in heights.items() if height is not None}
        _series(
            axes, name, known, width=room * _BAR_SHARE, colour=COLOURS[number % len(COLOURS)], digits=digits
        )
    axes.set_xticks(range(len(values)), list(values))
    axes.tick_params(axis="x", length=0)
    axes.set_ylim(0, top * _HEADROOM)
    figure.legend(loc="outside lower left", ncols=_LEGEND_COLUMNS)
    return svg(figure)


@matplotlib.rc_context(STYLE)
def points(title: str, found: Sequence[Point], *, x_name: str, y_name: str) -> str:
    """Points with their names; both axes are logarithmic."""
    figure, axes = new_figure(title)
    axes.set_xscale("log")
    axes.set_yscale("log")
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_locator(LogLocator(subs=_LABELLED))
        axis.set_major_formatter(StrMethodFormatter("{x:,.15g}"))
        axis.set_minor_formatter(NullFormatter())
    axes.set_xlabel(x_name)
    axes.set_ylabel(y_name)
    for number, point in enumerate(found):
        axes.plot(point.x, point.y, "o", color=COLOURS[number % len(COLOURS)])
        told = f"{point.name} ({point.x:,.6g}; {point.y:,.3g})"
        axes.annotate(told, (point.x, point.y), xytext=(7, -3), textcoords="offset points")
    axes.margins(_MARGIN)
    return svg(figure)


Spread = tuple[float, float, float, float, float]
"""Least, lower quartile, median, upper quartile, most."""


@matplotlib.rc_context(STYLE)
def boxes(title: str, values: Mapping[str, Spread]) -> str:
    """A box from quartile to quartile for each name, with whiskers to the least and the most."""
    figure, axes = new_figure(title)
    for place, (least, lower, median, upper, most) in enumerate(values.values()):
        axes.plot((place, place), (least, most), color=GREY, linewidth=1)
        axes.bar(place, max(upper - lower, 0.5), width=0.5, bottom=lower, color=COLOURS[0])
        axes.plot((place - 0.25, place + 0.25), (median, median), color="white")
        axes.annotate(f"{median:g}", (place, most), ha="center", xytext=(0, 2), textcoords="offset points")
    axes.set_xticks(range(len(values)), list(values))
    return svg(figure)


@matplotlib.rc_context(STYLE)
def heat(title: str, rows: Mapping[str, Sequence[float]], columns: Sequence[str]) -> str:
    """A cell for each value from 0 to 1, darker for more; values from 0.005 on carry their figure."""
    figure, axes = new_figure(title)
    axes.imshow(list(rows.values()), cmap="Blues", vmin=0, vmax=1, aspect="auto")
    axes.set_xticks(range(len(columns)), columns)
    axes.set_yticks(range(len(rows)), list(rows))
    for y, values in enumerate(rows.values()):
        for x, value in enumerate(values):
            if value >= 0.005:
                shown = f"{value:.2f}".removeprefix("0")
                colour = "white" if value > 0.5 else "black"
                axes.text(x, y, shown, ha="center", va="center", fontsize=_SMALL, color=colour)
    return svg(figure)


@matplotlib.rc_context(STYLE)
def lines(
    title: str, series: Mapping[str, Sequence[tuple[float, float]]], *, x_name: str, y_name: str
) -> str:
    """A line through the points of each series."""
    figure, axes = new_figure(title)
    for number, (name, found) in enumerate(series.items()):
        again, index = divmod(number, len(COLOURS))  # colours that come again are dashed, then dotted
        style = _LINE_STYLES[again % len(_LINE_STYLES)]
        xs, ys = zip(*found, strict=True)
        axes.plot(xs, ys, style, color=COLOURS[index], marker="o", markersize=3, label=name)
    axes.set_xlabel(x_name)
    axes.set_ylabel(y_name)
    figure.legend(loc="outside lower left", ncols=_LEGEND_COLUMNS - 1)
    return svg(figure)


def new_figure(title: str, *, size: tuple[float, float] = _SIZE) -> tuple[Figure, Axes]:
    """An empty plot with its title, of so many inches."""
    figure = Figure(figsize=size, layout="constrained")
    axes = figure.add_subplot()
    lines = wrap(title, int(size[0] * _LETTERS_AN_INCH))
    figure.suptitle("\n".join(lines), x=_TITLE_LEFT, horizontalalignment="left")
    return figure, axes


def svg(figure: Figure) -> str:
    """The plot as SVG text."""
    text = StringIO()
    figure.savefig(text, format="svg", metadata=_UNTOLD)
    lines = text.getvalue().splitlines()
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _series(
    axes: Axes, name: str, heights: Mapping[float, float], *, width: float, colour: str, digits: int
) -> None:
    """The bars of one series, at their places, each with its figure."""
    drawn = axes.bar(list(heights), list(heights.values()), width, color=colour, label=name)
    figures = [f"{height:.{digits}f}".removeprefix("0") or "0" for height in heights.values()]
    axes.bar_label(drawn, figures, padding=1, fontsize=_SMALL)
