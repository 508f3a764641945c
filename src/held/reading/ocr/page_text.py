"""The recognised text of a page, and its JSON form for messages and for the cache.

The sender has worked on an untrusted file, and anybody may have changed a file in the cache, so decoding
checks everything.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from held.document import Box
from held.system.worker_main import InvalidMessage

MAX_POINTS = 1e6  # further away lies nothing on a page
DECIMALS = 2  # of coordinates in points: finer than a pixel
STROKE_DECIMALS = 3
TURNS = (0, 90, 180, 270)  # degrees clockwise


class RecognisedWord(NamedTuple):
    """A word with the box of its ink.

    `confidence` is from 0 to 1. `stroke` is the mean width of its strokes in points, 0 if it is not known.
    `slant` is the slope of its stems to the right.
    """

    x0: float
    y0: float
    x1: float
    y1: float
    text: str
    confidence: float
    stroke: float
    slant: float = 0.0


RecognisedLine = tuple[RecognisedWord, ...]


@dataclass(frozen=True, slots=True)
class RecognisedPage:
    """What an engine reads on a page, in points from the top left of the page as a viewer shows it.

    The coordinates are those of the straightened page. `skew` is the slope of the lines on the page before
    that: positive if they fall towards the right. A page that lies on its side or upside down was turned
    first, by `turn` degrees clockwise; width and height are those of the turned page. `pictures` are the
    boxes of photographs and drawings.
    """

    width: float
    height: float
    skew: float
    engine: str
    lines: tuple[RecognisedLine, ...]
    rules: tuple[Box, ...] = ()
    turn: int = 0
    pictures: tuple[Box, ...] = ()

    def to_stored(self, x: float, y: float) -> tuple[float, float]:
        """The point of the turned page before it was straightened."""
        return x - self.skew * (y - self.height / 2), y + self.skew * (x - self.width / 2)


def page_to_json(page: RecognisedPage) -> dict[str, Any]:
    """A page as plain data."""
    lines = []
    for line in page.lines:
        words = []
        for word in line:
            box = [round(side, DECIMALS) for side in word[:4]]
            measures = [round(word.confidence, DECIMALS), round(word.stroke, STROKE_DECIMALS)]
            words.append([*box, word.text, *measures, round(word.slant, DECIMALS)])
        lines.append(words)
    return {
        "width": page.width,
        "height": page.height,
        "skew": page.skew,
        "engine": page.engine,
        "lines": lines,
        "rules": _boxes_to_json(page.rules),
        "pictures": _boxes_to_json(page.pictures),
        "turn": page.turn,
    }


def _boxes_to_json(boxes: Sequence[Box]) -> list[list[float]]:
    return [[round(side, DECIMALS) for side in box] for box in boxes]


def page_from_json(value: Any) -> RecognisedPage:
    """The page in plain data; everything wrong raises `InvalidMessage`."""
    try:
        lines = tuple(tuple(_word(*word) for word in line) for line in value["lines"])
        rules, pictures = (tuple(map(_box, value[name])) for name in ("rules", "pictures"))
        width, height, skew = (_number(value[name]) for name in ("width", "height", "skew"))
        engine = _text(value["engine"])
        turn = int(_number(value["turn"]))
    except (KeyError, TypeError, ValueError) as error:
        raise InvalidMessage(f"no recognised page: {error}") from error
    if not (width > 0 and height > 0 and abs(skew) < 1):
        raise InvalidMessage("a recognised page without measures")
    if turn not in TURNS:
        raise InvalidMessage("a recognised page that is turned by an odd angle")
    return RecognisedPage(width, height, skew, engine, lines, rules, turn, pictures)


def _word(x0: Any, y0: Any, x1: Any, y1: Any, text: Any, *measures: Any) -> RecognisedWord:
    box = _box((x0, y0, x1, y1))
    if not _text(text).strip():
        raise InvalidMessage("a word without text")
    confidence, stroke, slant = map(_number, measures)
    return RecognisedWord(*box, text, confidence, stroke, slant)


def _box(sides: Sequence[Any]) -> Box:
    x0, y0, x1, y1 = (_number(side) for side in sides)
    if x0 > x1 or y0 > y1:
        raise InvalidMessage("a box whose corners are out of order")
    return Box(x0, y0, x1, y1)


def _number(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < MAX_POINTS:
        raise InvalidMessage("no number")
    return float(value)


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise InvalidMessage("no text")
    return value
