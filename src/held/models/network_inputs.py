"""What the networks see of an object: the characters of its text, and the format vector u_x of the paper.

Every measure of the format is relative to the document itself, so that a network cannot learn absolute
points. Both are plain arrays and free of torch, for training and inference must see the same.
"""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Iterable, Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from held.document import Document, PhysicalObject, Style

NO_CHARACTER = 0  # fills a text up, and stands alone for an object without text
UNKNOWN = 1
FIRST_CHARACTER = 2

_FAMILY_BITS = 8
_MOST_EMS = 8.0
FORMAT_SIZE = _FAMILY_BITS + 9

Ids = NDArray[np.int64]
Floats = NDArray[np.float32]


def character_ids(texts: Sequence[str], code_points: NDArray[np.int32], *, cut: int) -> tuple[Ids, Ids]:
    """The ids of each text's first characters, filled up to the longest, and the lengths, at least 1.

    `code_points` are those of the known characters, sorted; a character's id is its place among them.
    """
    flat, lengths = flat_character_ids(texts, code_points, cut=cut)
    ids = np.full((len(texts), max(1, int(lengths.max(initial=1)))), NO_CHARACTER, dtype=np.int64)
    ids[np.arange(ids.shape[1]) < lengths[:, None]] = flat
    return ids, np.maximum(lengths, 1)


def flat_character_ids(texts: Sequence[str], code_points: NDArray[np.int32], *, cut: int) -> tuple[Ids, Ids]:
    """The ids of all texts' first characters in one row, and the lengths."""
    shortened = [" ".join(text[: 2 * cut].split())[:cut] for text in texts]
    points = np.frombuffer("".join(shortened).encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    places = np.searchsorted(code_points, points)
    known = code_points[np.minimum(places, len(code_points) - 1)] == points
    lengths = np.array([len(text) for text in shortened], dtype=np.int64)
    return np.where(known, places + FIRST_CHARACTER, UNKNOWN), lengths


def format_vectors(document: Document, objects: Sequence[int] | None = None) -> Floats:
    """The format vector of each of these objects, (N, FORMAT_SIZE); of all by default."""
    body = document.body
    ranks = _size_ranks((item.style.size for item in document.objects), body)
    chosen = document.objects if objects is None else [document.objects[obj] for obj in objects]
    light, saturation = _light_and_saturation(body.colour)
    rows = [
        (
            *_family_code(item.style.font),
            float(_family(item.style.font) == _family(body.font)),
            *_sizes(item, body, ranks),
            _light_and_saturation(item.style.colour)[0] - light,
            _light_and_saturation(item.style.colour)[1] - saturation,
            float(item.style.bold),
            float(item.style.italic),
            float(item.centred),
            _in_ems(item.indent, body),
        )
        for item in chosen
    ]
    return np.array(rows, dtype=np.float32).reshape(-1, FORMAT_SIZE)


def _sizes(item: PhysicalObject, body: Style, ranks: dict[int, float]) -> tuple[float, float]:
    """The logarithm of the size over the body's, and the rank among the document's sizes from 0 to 1."""
    size = item.style.size
    if size <= 0 or body.size <= 0:  # an object without text, such as a figure
        return 0.0, 0.0
    return max(-2.0, min(2.0, math.log(size / body.size))), ranks[_twentieths(size, body)]


def _size_ranks(sizes: Iterable[float], body: Style) -> dict[int, float]:
    distinct = sorted({_twentieths(size, body) for size in sizes if size > 0 and body.size > 0})
    return {size: rank / max(1, len(distinct) - 1) for rank, size in enumerate(distinct)}


def _twentieths(size: float, body: Style) -> int:
    return round(20 * size / body.size)  # sizes that differ by less do so by accident


def _in_ems(indent: float, body: Style) -> float:
    return max(-_MOST_EMS, min(_MOST_EMS, indent / body.size)) if body.size > 0 else 0.0


@cache
def _family(font: str) -> str:
    """The family in a font's name: without the subset's tag, weight and slant."""
    name = re.sub(r"^[A-Z]{6}\+", "", font)
    name = re.split(r"[-,]", name)[0].lower()
    return re.sub(r"(bold|italic|oblique|regular|medium|light|roman|mt|ps)+$", "", name) or name


@cache
def _family_code(font: str) -> tuple[float, ...]:
    """The family's hashed id as signs, so that two families differ in about half of them."""
    digest = hashlib.sha256(_family(font).encode("utf-8", "surrogatepass")).digest()
    return tuple(1.0 if digest[0] >> bit & 1 else -1.0 for bit in range(_FAMILY_BITS))


@cache
def _light_and_saturation(colour: str) -> tuple[float, float]:
    """The luminance and the saturation of an rrggbb colour, each from 0 to 1."""
    red, green, blue = (int(colour[at : at + 2], 16) / 255 for at in (0, 2, 4))
    highest, lowest = max(red, green, blue), min(red, green, blue)
    saturation = (highest - lowest) / highest if highest else 0.0
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue, saturation
