"""Finds out how far a scanned page has to be turned to be upright.

An engine reads a page that lies on its side or upside down with little confidence, or as lines that are
taller than wide. Only such a page is examined: a part of it is read in the other directions that the shapes
of the lines allow. Pages that are upright cost nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy
from numpy.typing import NDArray

from held.reading.ocr.engines import EngineWord
from held.reading.ocr.images import Ink, Pixels, find_ink

Lines = Sequence[Sequence[EngineWord]]

QUARTER_TURN = 90  # degrees
UPSIDE_DOWN, ON_SIDE = (180,), (90, 270)  # degrees clockwise that turn such a page upright
UPRIGHT_CONFIDENCE = 0.8  # a page that is read so well is upright; 9 of 10 pages of twelve scans are
MIN_TURNED_CONFIDENCE = 0.6  # of the part that is read when the page is turned
MIN_CONFIDENCE_GAIN = 0.15  # over the page as it lies
MIN_CHARACTERS = 40  # in the part; fewer do not tell
MIN_DIRECTED_CHARACTERS = 3  # of a line: a shorter one may be taller than wide
PART_INCHES = 4.0  # width and height of the part, some twenty lines
CELL_INCHES = 0.25  # the part is chosen by its cells that look like text
MIN_CELL_INK, MAX_CELL_INK = 0.02, 0.4  # share of dark pixels: less is paper, more a picture


def is_upright(lines: Lines) -> bool:
    """Whether an engine has read a page so well that it must lie upright."""
    return upright_confidence(lines) >= UPRIGHT_CONFIDENCE


def upright_confidence(lines: Lines) -> float:
    """The mean confidence of the characters; lines that are taller than wide count as wrong."""
    total = 0.0
    for line in lines:
        if not _is_tall(line):
            total += sum(word.confidence * len(word.text) for word in line)
    return total / max(1, _count_characters(lines))


def _is_tall(line: Sequence[EngineWord]) -> bool:
    """Whether a line is taller than wide, so that it must stand on its side."""
    width = max(word.x1 for word in line) - min(word.x0 for word in line)
    height = max(word.y1 for word in line) - min(word.y0 for word in line)
    return _count_characters([line]) >= MIN_DIRECTED_CHARACTERS and height > width


def _count_characters(lines: Lines) -> int:
    return sum(len(word.text) for line in lines for word in line)


def find_turn(image: Pixels, dots_per_inch: float, found: Lines, read: Callable[[Pixels], Lines]) -> int:
    """The degrees, clockwise, by which a page has to be turned; 0 if no direction reads clearly better.

    found  what an engine has read on the page as it lies
    read   reads another image
    """
    part = densest_part(image, dots_per_inch)
    best = 0
    needed = max(MIN_TURNED_CONFIDENCE, upright_confidence(found) + MIN_CONFIDENCE_GAIN)
    for turn in _possible_turns(found):
        lines = read(turn_image(part, turn))
        confidence = upright_confidence(lines)
        if confidence >= needed and _count_characters(lines) >= MIN_CHARACTERS:
            best, needed = turn, confidence
    return best


def _possible_turns(found: Lines) -> tuple[int, ...]:
    """The turns that the shapes of the lines allow: engines find lines in each direction."""
    characters = _count_characters(found)
    if characters < MIN_CHARACTERS:
        return (*UPSIDE_DOWN, *ON_SIDE)
    on_side = _count_characters([line for line in found if _is_tall(line)])
    return ON_SIDE if 2 * on_side > characters else UPSIDE_DOWN


def turn_image(image: Pixels, turn: int) -> Pixels:
    """The image turned clockwise by a multiple of 90 degrees."""
    return numpy.ascontiguousarray(numpy.rot90(image, -turn // QUARTER_TURN))


def densest_part(image: Pixels, dots_per_inch: float) -> Pixels:
    """The square part of a page that has the most text."""
    cell = max(1, round(CELL_INCHES * dots_per_inch))
    cells = round(PART_INCHES / CELL_INCHES)
    looks_like_text = _text_cells(find_ink(image), cell)
    rows = min(cells, looks_like_text.shape[0])
    columns = min(cells, looks_like_text.shape[1])
    # A summed-area table: sums[r, c] counts the cells above and left of (r, c), so that the count in any
    # rectangle is that of its lower right corner, less what lies above it and what lies left of it.
    sums = numpy.pad(looks_like_text.cumsum(axis=0).cumsum(axis=1), ((1, 0), (1, 0)))
    bands = sums[rows:] - sums[:-rows]
    counts = bands[:, columns:] - bands[:, :-columns]
    top, left = numpy.unravel_index(int(counts.argmax()), counts.shape)
    first_row, first_column = int(top) * cell, int(left) * cell
    return image[first_row : first_row + rows * cell, first_column : first_column + columns * cell]


def _text_cells(ink: Ink, cell: int) -> NDArray[numpy.int64]:
    """For each cell of the page 1 if it has about as much ink as text has, otherwise 0."""
    # Whole cells only; a page smaller than a cell is one.
    height, width = (max(1, side // cell) for side in ink.shape)
    padded = ink[: height * cell, : width * cell]
    missing = ((0, height * cell - padded.shape[0]), (0, width * cell - padded.shape[1]))
    whole = numpy.pad(padded, missing)
    shares = whole.reshape(height, cell, width, cell).mean(axis=(1, 3))
    is_text: Ink = (shares >= MIN_CELL_INK) & (shares <= MAX_CELL_INK)
    return is_text.astype(numpy.int64)
