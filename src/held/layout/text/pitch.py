"""How far the rows of a text stand apart: what is usual in a document, and what is more than that.

Line spacing may change within a document, and some text is widely spaced throughout.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

from held.layout.rows import Row
from held.layout.tolerances import (
    ALWAYS_CLOSE_PITCH_EM,
    ALWAYS_FAR_PITCH_EM,
    DEFAULT_PITCH_EM,
    MAX_CONFIRMED_PITCH_EM,
    MAX_SAME_LINE_SHIFT_EM,
    MAX_TEXT_PITCH_EM,
    MAX_WIDELY_SPACED_DIFFERENCE_SHARE,
    MAX_WIDELY_SPACED_PITCH_EM,
    MIN_TEXT_PITCH_EM,
    MIN_WIDE_PITCH_TIMES,
)

PITCH_RASTER = 2  # places in a point on which distances of baselines are counted as the same
SPACED_AROUND = 2  # rows above, and as many below, that tell it


class Measure:
    """What is usual in a column and in the document: edges, body size, distance of baselines by size."""

    __slots__ = ("body_size", "left", "pitches", "right")

    def __init__(self, rows: Sequence[Row], body_size: float, pitches: Mapping[float, float]) -> None:
        self.left = min(row.line.x0 for row in rows)
        self.right = max(row.line.x1 for row in rows)
        self.body_size = body_size
        self.pitches = pitches

    def usual_pitch(self, size: float) -> float:
        """The distance of baselines to expect at a size: as seen, and never tighter than the running text."""
        body = self.pitches.get(round(self.body_size, 1), DEFAULT_PITCH_EM * self.body_size)
        seen = self.pitches.get(round(size, 1), 0.0)
        return max(seen, size / self.body_size * body)


def usual_pitches(columns: Sequence[Sequence[Row]]) -> dict[float, float]:
    """The commonest distance of baselines for each font size, over a document's columns."""
    counts: dict[float, dict[float, int]] = {}
    for rows in columns:
        for above, row in pairwise(rows):
            size = row.style.size
            pitch = row.line.y1 - above.line.y1
            if above.style.size == size and MIN_TEXT_PITCH_EM * size < pitch < MAX_TEXT_PITCH_EM * size:
                by_pitch = counts.setdefault(round(size, 1), {})
                key = round(PITCH_RASTER * pitch) / PITCH_RASTER
                by_pitch[key] = by_pitch.get(key, 0) + 1
    usual = {}
    for size, by_pitch in counts.items():
        # Of two that are equally common the closer one: a wider one may be the space between paragraphs.
        usual[size] = max(by_pitch, key=lambda pitch: (by_pitch[pitch], -pitch))
    return usual


def is_far(paragraph: list[Row], row: Row, following: Row | None, measure: Measure) -> bool:
    """Whether the white space above a row is wider than between the lines of a paragraph."""
    above = paragraph[-1]
    pitch = row.line.y1 - above.line.y1
    size = row.style.size
    if pitch < MAX_SAME_LINE_SHIFT_EM * size:
        return pitch < -MAX_SAME_LINE_SHIFT_EM * size
    if pitch <= ALWAYS_CLOSE_PITCH_EM * size:
        return False
    if len(paragraph) > 1:
        usual = above.line.y1 - paragraph[-2].line.y1
    else:
        usual = measure.usual_pitch(size)
        # A heading in italics has as much white above it as below, and tells nothing of line spacing.
        tells = following is not None and following.style.size == size and above.italic == row.italic
        if following is not None and tells and pitch < MAX_CONFIRMED_PITCH_EM * size:
            # Line spacing may change within a document: what goes on at the same pitch is not far.
            usual = max(usual, following.line.y1 - row.line.y1)
    return pitch > MIN_WIDE_PITCH_TIMES * usual or pitch > ALWAYS_FAR_PITCH_EM * size


def keeps_pitch(rows: Sequence[Row], place: int) -> bool:
    """Whether a row is as far from the one above as its neighbours are: widely spaced text."""
    size = rows[place].style.size
    pitch = rows[place].line.y1 - rows[place - 1].line.y1
    if pitch >= MAX_WIDELY_SPACED_PITCH_EM * size:
        return False
    if place > 1 and rows[place - 2].style.size == rows[place - 1].style.size == size:
        before = rows[place - 1].line.y1 - rows[place - 2].line.y1
        if MAX_SAME_LINE_SHIFT_EM * size < MIN_WIDE_PITCH_TIMES * before < pitch:
            return False  # the text above is set closer: a lone row between two wide gaps is a heading
    same = 0
    around = rows[max(0, place - SPACED_AROUND) : place + SPACED_AROUND]
    for above, below in pairwise(around):
        if above.style.size == below.style.size == size:
            other = below.line.y1 - above.line.y1
            same += abs(other - pitch) < MAX_WIDELY_SPACED_DIFFERENCE_SHARE * pitch
    return same > 1  # the row's own distance is one of them
