"""The figures: charts and diagrams drawn as paths with labels, and a bitmap that is computed."""

from __future__ import annotations

from functools import cache

import numpy as np
from samples.blocks import Figure, Rows
from samples.canvas import Bitmap, Canvas
from samples.lines import Span, TextStyle, break_lines, text_width
from samples.sheet import Sheet

_HEIGHTS = {"bars": 190.0, "lines": 180.0, "boxes": 96.0, "river": 215.0}
_GRID = "c9d1d3"


def figure_height(figure: Figure) -> float:
    """The height of a figure in points."""
    return _HEIGHTS[figure.name]


def figure_text(figure: Figure) -> str:
    """The words in the figure as its data give them; axis numbers are left out."""
    if figure.name == "boxes":
        return " ".join(cell for row in figure.rows for cell in row)
    names = [cell for cell in figure.rows[0] if cell] if figure.rows else []
    return " ".join(names + [row[0] for row in figure.rows[1:]])


def draw_figure(canvas: Canvas, figure: Figure, sheet: Sheet, x: float, y: float, width: float) -> None:
    """Draw a figure with its top left corner at (x, y)."""
    height = figure_height(figure)
    if figure.name == "river":
        draw_river(canvas, x, y, width, height)
    elif figure.name == "boxes":
        _boxes(canvas, figure.rows, sheet, x, y, width)
    else:
        plot = _Plot(canvas, figure.rows, sheet, x + 40, y + 24, width - 50, height - 48)
        plot.axes()
        plot.bars() if figure.name == "bars" else plot.lines()


def draw_river(canvas: Canvas, x: float, y: float, width: float, height: float) -> None:
    """Draw the bitmap over a rectangle."""
    canvas.image(_river(), x, y, width, height)


def _label(
    canvas: Canvas, text: str, style: TextStyle, x: float, baseline: float, align: float = 0.0
) -> None:
    line = break_lines([Span(text, style)], 1000, flush=False)[0]
    canvas.faces |= line.faces
    canvas.text(x - line.width * align, baseline, line.body)


class _Plot:
    """A chart's plane: the first row names the series, each other row is a group with its values."""

    def __init__(
        self, canvas: Canvas, rows: Rows, sheet: Sheet, x: float, y: float, width: float, height: float
    ) -> None:
        self.canvas, self.sheet = canvas, sheet
        self.x, self.y, self.width, self.height = x, y, width, height
        self.series = rows[0][1:]
        self.groups = [row[0] for row in rows[1:]]
        self.values = [[float(cell) for cell in row[1:]] for row in rows[1:]]
        self.top = _round_up(max(max(row) for row in self.values))
        self.colours = (sheet.accent, "7fa6a0", "d08c3c", "5b6770")

    def at(self, value: float) -> float:
        return self.y + self.height * (1 - value / self.top)

    def axes(self) -> None:
        for step in range(5):
            value = self.top * step / 4
            y = self.at(value)
            self.canvas.path([(self.x, y), (self.x + self.width, y)], colour=_GRID, weight=0.4)
            _label(self.canvas, f"{value:,.0f}", self.sheet.small, self.x - 6, y + 3, 1.0)
        pitch = self.width / len(self.groups)
        for number, group in enumerate(self.groups):
            middle = self.x + pitch * (number + 0.5)
            _label(self.canvas, group, self.sheet.small, middle, self.y + self.height + 14, 0.5)
        x = self.x
        for name, colour in zip(self.series, self.colours, strict=False):
            self.canvas.rectangle(x, self.y - 19, 8, 8, fill=colour)
            _label(self.canvas, name, self.sheet.small, x + 12, self.y - 12)
            x += 34 + text_width(name, self.sheet.small)

    def bars(self) -> None:
        pitch = self.width / len(self.groups)
        bar = pitch * 0.7 / len(self.series)
        for group, values in enumerate(self.values):
            left = self.x + pitch * (group + 0.15)
            for number, value in enumerate(values):
                top = self.at(value)
                height = self.y + self.height - top
                self.canvas.rectangle(left + number * bar, top, bar - 1.5, height, fill=self.colours[number])

    def lines(self) -> None:
        pitch = self.width / len(self.groups)
        for number, colour in zip(range(len(self.series)), self.colours, strict=False):
            points = [
                (self.x + pitch * (group + 0.5), self.at(values[number]))
                for group, values in enumerate(self.values)
            ]
            self.canvas.path(points, colour=colour, weight=1.8)
            for x, y in points:
                self.canvas.polygon([(x, y - 3), (x + 3, y), (x, y + 3), (x - 3, y)], fill=colour)


def _round_up(value: float) -> float:
    unit = 10.0 ** (len(str(int(value))) - 1)
    return next(unit * step for step in (1, 2, 4, 6, 8, 10) if unit * step >= value)


def _boxes(canvas: Canvas, rows: Rows, sheet: Sheet, x: float, y: float, width: float) -> None:
    """A chain of boxes with arrows; each row of the data is a box: its title and what is below."""
    gap = 20.0
    box = (width - gap * (len(rows) - 1)) / len(rows)
    for number, row in enumerate(rows):
        left = x + number * (box + gap)
        canvas.rectangle(left, y + 8, box, 76, fill=sheet.tint)
        canvas.frame(left, y + 8, box, 76, colour=sheet.accent, weight=0.8)
        baseline = y + 26
        for text, style in zip(row, (sheet.small_bold, sheet.small), strict=True):
            for line in break_lines([Span(text, style)], box - 12, flush=False):
                canvas.faces |= line.faces
                canvas.text(left + (box - line.width) / 2, baseline, line.body)
                baseline += sheet.small_leading
            baseline += 3
        if number:
            middle = y + 46
            canvas.path([(left - gap + 3, middle), (left - 6, middle)], colour=sheet.accent, weight=1.2)
            canvas.polygon(
                [(left - 8, middle - 4), (left - 1, middle), (left - 8, middle + 4)], fill=sheet.accent
            )


@cache
def _river() -> Bitmap:
    """A picture of a river between hills at dusk."""
    width, height = 640, 305
    rows, columns = np.mgrid[0:height, 0:width].astype(np.float64)
    share = (rows / height)[..., None]
    picture = (1 - share) * np.array([92, 138, 168]) + share * np.array([246, 214, 170])
    sun = np.hypot(columns - 455, rows - 118)
    picture[sun < 24] = (252, 236, 200)
    for base, swing, pitch, colour in (
        (140, 22, 97, (128, 150, 158)),
        (168, 18, 61, (88, 122, 126)),
        (196, 12, 43, (52, 92, 92)),
    ):
        ridge = base + swing * np.sin(columns / pitch + base) + swing / 2 * np.sin(columns / pitch * 2.3)
        picture[rows > ridge] = colour
    bend = 320 + 150 * np.sin((rows - 200) / 46)
    spread = 4 + (rows - 205) * 1.1
    water = (rows > 205) & (np.abs(columns - bend) < spread)
    picture[water] = (196, 206, 204)
    picture[water & (rows.astype(int) // 5 % 2 == 0) & (np.abs(columns - bend) < spread * 0.8)] = (
        214,
        218,
        210,
    )
    return Bitmap(width, height, np.clip(picture, 0, 255).astype(np.uint8).tobytes())
