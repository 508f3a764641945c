"""The figures: charts and diagrams as SVG with labels, and a bitmap that is computed."""

from __future__ import annotations

from base64 import b64encode
from functools import cache
from html import escape
from io import BytesIO

import numpy as np
from PIL import Image
from samples.blocks import Figure, Rows

_WIDTH = 451.0  # points: the measure of the page
_HEIGHTS = {"bars": 190.0, "lines": 180.0, "boxes": 96.0}
_GRID = "#c9d1d3"
_SERIES = ("#7fa6a0", "#d08c3c", "#5b6770")  # after the accent
_ACCENTS = {False: ("#0b5563", "#e3eef0"), True: ("#8c1d18", "#f3ece6")}
_FACES = {False: "Lato", True: "Noto Serif CJK SC"}


def figure_text(figure: Figure) -> str:
    """The words in the figure as its data give them; axis numbers are left out."""
    if figure.name == "boxes":
        return " ".join(cell for row in figure.rows for cell in row)
    names = [cell for cell in figure.rows[0] if cell] if figure.rows else []
    return " ".join(names + [row[0] for row in figure.rows[1:]])


def figure_svg(figure: Figure, *, chinese: bool) -> str:
    """A figure that is drawn."""
    accent, tint = _ACCENTS[chinese]
    height = _HEIGHTS[figure.name]
    drawn = _boxes(figure.rows, accent, tint) if figure.name == "boxes" else _chart(figure, accent, height)
    size = f'width="{_WIDTH}pt" height="{height}pt" viewBox="0 0 {_WIDTH} {height}"'
    face = f'font-family="{_FACES[chinese]}" font-size="8.6"'  # style sheets of the page do not reach inside
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size} {face}>{"".join(drawn)}</svg>'


def _label(text: str, x: float, y: float, anchor: str = "start", *, bold: bool = False) -> str:
    weight = ' font-weight="bold"' if bold else ""
    place = f'x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"'
    return f"<text {place}{weight}>{escape(text)}</text>"


def _rectangle(x: float, y: float, width: float, height: float, colour: str, frame: str = "none") -> str:
    size = f'x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}"'
    return f'<rect {size} fill="{colour}" stroke="{frame}" stroke-width="0.8"/>'


def _line(points: list[tuple[float, float]], colour: str, weight: float) -> str:
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    return f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="{weight}"/>'


# --- bars and lines: the first row names the series, each other row is a group with its values ---


def _chart(figure: Figure, accent: str, height: float) -> list[str]:
    left, top, width, depth = 40.0, 24.0, _WIDTH - 50, height - 48
    colours = (accent, *_SERIES)
    series, groups = figure.rows[0][1:], [row[0] for row in figure.rows[1:]]
    values = [[float(cell) for cell in row[1:]] for row in figure.rows[1:]]
    highest = _round_up(max(max(row) for row in values))
    pitch = width / len(groups)
    drawn: list[str] = []
    for step in range(5):
        y = top + depth * (1 - step / 4)
        drawn.append(_line([(left, y), (left + width, y)], _GRID, 0.4))
        drawn.append(_label(f"{highest * step / 4:,.0f}", left - 6, y + 3, "end"))
    for number, group in enumerate(groups):
        drawn.append(_label(group, left + pitch * (number + 0.5), top + depth + 14, "middle"))
    for number, name in enumerate(series):
        x = left + number * 90
        drawn += [_rectangle(x, top - 19, 8, 8, colours[number]), _label(name, x + 12, top - 12)]

    def at(value: float) -> float:
        return top + depth * (1 - value / highest)

    if figure.name == "bars":
        bar = pitch * 0.7 / len(series)
        for place, row in enumerate(values):
            for number, value in enumerate(row):
                x = left + pitch * (place + 0.15) + number * bar
                drawn.append(_rectangle(x, at(value), bar - 1.5, top + depth - at(value), colours[number]))
        return drawn
    for number in range(len(series)):
        points = [(left + pitch * (place + 0.5), at(row[number])) for place, row in enumerate(values)]
        drawn.append(_line(points, colours[number], 1.8))
        drawn += [_rectangle(x - 2.5, y - 2.5, 5, 5, colours[number]) for x, y in points]
    return drawn


def _round_up(value: float) -> float:
    unit = 10.0 ** (len(str(int(value))) - 1)
    return next(unit * step for step in (1, 2, 4, 6, 8, 10) if unit * step >= value)


# --- a chain of boxes with arrows; each row of the data is a box: its title and what is below ---

_GAP = 20.0
_LINE = 11.8


def _boxes(rows: Rows, accent: str, tint: str) -> list[str]:
    width = (_WIDTH - _GAP * (len(rows) - 1)) / len(rows)
    drawn: list[str] = []
    for number, (title, below) in enumerate(rows):
        left = number * (width + _GAP)
        middle = left + width / 2
        drawn.append(_rectangle(left, 8, width, 76, tint, accent))
        drawn.append(_label(title, middle, 24, "middle", bold=True))
        for row, text in enumerate(_broken(below, int((width - 8) / 4.4))):
            drawn.append(_label(text, middle, 40 + row * _LINE, "middle"))
        if number:
            drawn.append(_line([(left - _GAP + 3, 46), (left - 6, 46)], accent, 1.2))
            tip = f"{left - 8:.1f},42 {left - 1:.1f},46 {left - 8:.1f},50"
            drawn.append(f'<polygon points="{tip}" fill="{accent}"/>')
    return drawn


def _broken(text: str, most: int) -> list[str]:
    """The lines of a text in a box of so many narrow characters; an ideograph is as wide as two."""
    lines = [""]
    pieces = text.split(" ") if " " in text else list(text)
    gap = " " if " " in text else ""
    for piece in pieces:
        longer = lines[-1] + (gap if lines[-1] else "") + piece
        if lines[-1] and sum(1 + (letter > "\u2e80") for letter in longer) > most:
            lines.append(piece)
        else:
            lines[-1] = longer
    return lines


# --- a bitmap ---


@cache
def river() -> str:
    """A picture of a river between hills at dusk, as a URL that holds it."""
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
    stripes = (rows.astype(int) // 5 % 2 == 0) & (np.abs(columns - bend) < spread * 0.8)
    picture[water] = (196, 206, 204)
    picture[water & stripes] = (214, 218, 210)
    written = BytesIO()
    Image.fromarray(np.clip(picture, 0, 255).astype(np.uint8)).save(written, "PNG")
    return "data:image/png;base64," + b64encode(written.getvalue()).decode()
