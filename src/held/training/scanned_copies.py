"""Copies of labelled documents as text recognition would read a scan of them, to train on as well.

Recognition knows neither fonts nor colours nor italics. Sizes are measured from ink, so some are off; bold
type is sometimes missed, or seen where there is none; some characters are misread. The rates are rough
estimates. The labels stay.
"""

from __future__ import annotations

import random
from dataclasses import replace

from held.corpus.store import LabelledDocument
from held.document import PhysicalObject, Style

_SIZE_SPREAD = 0.02  # standard deviation of the logarithm of a size that the whole document shares ...
_LINE_SPREAD = 0.06  # ... and of a single object that was measured badly
_MISMEASURED = 0.05  # share of such objects
_BOLD_MISSED = 0.15  # share of the bold objects that are read as regular
_BOLD_IMAGINED = 0.02  # share of the regular objects that are read as bold
_MISREAD = 0.01  # share of the characters
_LOOKALIKES = {
    "l": "1",
    "1": "l",
    "I": "l",
    "O": "0",
    "0": "O",
    "S": "5",
    "5": "S",
    "B": "8",
    "m": "rn",
    ",": ".",
    ".": ",",
    "一": "-",
    "、": "，",
    "（": "(",
    "）": ")",
}


def scan(labelled: LabelledDocument, *, seed: int | str) -> LabelledDocument:
    """A copy of the document as recognised from a scan; the same seed gives the same copy."""
    rng = random.Random(f"{seed}/{labelled.id}/scan")
    document = labelled.document
    body = _scanned_style(document.body, _jitter(document.body.size, _SIZE_SPREAD, rng), bold=False)
    measured: dict[float, float] = {document.body.size: body.size}
    objects = []
    for item in document.objects:
        size = item.style.size
        if size not in measured:
            measured[size] = _jitter(size, _SIZE_SPREAD, rng)
        objects.append(_scanned_object(item, measured[size], body.size, rng))
    return replace(labelled, document=replace(document, objects=tuple(objects), body=body))


def _scanned_object(
    item: PhysicalObject, size: float, body_size: float, rng: random.Random
) -> PhysicalObject:
    if rng.random() < _MISMEASURED:
        size = _jitter(size, _LINE_SPREAD, rng)
    if item.style.bold:
        is_bold = rng.random() >= _BOLD_MISSED
    else:
        is_bold = rng.random() < _BOLD_IMAGINED
    return replace(
        item,
        text=_misread(item.text, rng),
        style=_scanned_style(item.style, size, bold=is_bold),
        relative_size=size / body_size if body_size else item.relative_size,
    )


def _scanned_style(style: Style, size: float, *, bold: bool) -> Style:
    return Style(size=size, bold=bold, upright=style.upright)


def _jitter(size: float, spread: float, rng: random.Random) -> float:
    return round(float(size) * rng.lognormvariate(0, spread), 1)


def _misread(text: str, rng: random.Random) -> str:
    """The text with some characters replaced by similar ones."""
    read = []
    for character in text:
        is_misread = rng.random() < _MISREAD
        read.append(_LOOKALIKES.get(character, character) if is_misread else character)
    return "".join(read)
