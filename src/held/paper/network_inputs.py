"""The inputs of the published networks: characters and format vectors of objects, and sequences of positions.

All format values are relative to the document (size against the body's, luminance against the body's), so
that a network cannot learn absolute points. Training and inference build their inputs here.
"""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from held.document import Document, PhysicalObject, Style
from held.tree import Position

NO_CHARACTER = 0  # fills a text up, and stands alone for an object without text
UNKNOWN = 1
FIRST_CHARACTER = 2

VERSION = 1
"""Of the inputs: a network must be asked with those that it was trained on."""

_FAMILY_BITS = 8
FORMAT = (
    *(f"family_{bit}" for bit in range(_FAMILY_BITS)),
    "family_of_body",
    "size",
    "size_rank",
    "light",
    "saturation",
    "bold",
    "italic",
    "centred",
    "indent",
)
"""The entries of a format vector, in their order."""
FORMAT_SIZE = len(FORMAT)

_MOST_EMS = 8.0  # of an indent: what stands further right is centred or in another column
_MOST_LOG_SIZE = 2.0  # some seven times the body's size: larger type is ornament
_SIZE_STEPS = 20  # to the body's size: sizes that differ by less do so by accident
_SUBSET = re.compile(r"^[A-Z]{6}\+")  # the tag of a font that is embedded in part
_WEIGHT_OR_SLANT = re.compile(r"(bold|italic|oblique|regular|medium|light|roman|mt|ps)+$")
# What a colour's parts give to its luminance (ITU-R BT.709).
_LUMINANCE = (0.2126, 0.7152, 0.0722)

Ids = NDArray[np.int64]
Floats = NDArray[np.float32]


def character_ids(texts: Sequence[str], code_points: NDArray[np.int32], *, cut: int) -> tuple[Ids, Ids]:
    """The ids of each text's first characters, filled up to the longest, and the lengths, at least 1.

    `code_points` are those of the known characters, sorted; a character's id is its place among them.
    """
    flat, lengths = flat_character_ids(texts, code_points, cut=cut)
    longest = int(lengths.max(initial=1))
    ids = np.full((len(texts), longest), NO_CHARACTER, dtype=np.int64)
    is_character = np.arange(longest) < lengths[:, None]  # (N, T)
    ids[is_character] = flat
    return ids, np.maximum(lengths, 1)


def flat_character_ids(texts: Sequence[str], code_points: NDArray[np.int32], *, cut: int) -> tuple[Ids, Ids]:
    """The ids of all texts' first characters in one row, and the lengths."""
    shortened = [_shortened(text, cut) for text in texts]
    # In this encoding every character is one number: a text is an array without a loop over it.
    encoded = "".join(shortened).encode("utf-32-le", "surrogatepass")
    points = np.frombuffer(encoded, dtype=np.uint32)
    places = np.searchsorted(code_points, points)
    last = len(code_points) - 1  # where a character above all known ones would stand after the last
    known = code_points[np.minimum(places, last)] == points
    lengths = np.array([len(text) for text in shortened], dtype=np.int64)
    return np.where(known, places + FIRST_CHARACTER, UNKNOWN), lengths


def _shortened(text: str, cut: int) -> str:
    """The first characters of a text, its white space made single spaces."""
    enough = text[: 2 * cut]  # white space may shrink; a long text is not gone through as a whole
    return " ".join(enough.split())[:cut]


def format_vectors(document: Document, objects: Sequence[int] | None = None) -> Floats:
    """The format vector of each of these objects, (N, FORMAT_SIZE); of all by default."""
    body = document.body
    ranks = _size_ranks((item.style.size for item in document.objects), body)
    chosen = document.objects if objects is None else [document.objects[obj] for obj in objects]
    rows = [_format(item, body, ranks) for item in chosen]
    return np.array(rows, dtype=np.float32).reshape(-1, FORMAT_SIZE)


def _format(item: PhysicalObject, body: Style, ranks: Mapping[int, float]) -> tuple[float, ...]:
    """The format vector of an object, in the order of FORMAT."""
    style = item.style
    size, rank = _sizes(item, body, ranks)
    light, saturation = _light_and_saturation(style.colour)
    body_light, body_saturation = _light_and_saturation(body.colour)
    return (
        *_family_code(style.font),
        float(_family(style.font) == _family(body.font)),
        size,
        rank,
        light - body_light,
        saturation - body_saturation,
        float(style.bold),
        float(style.italic),
        float(item.centred),
        _in_ems(item.indent, body),
    )


def _sizes(item: PhysicalObject, body: Style, ranks: Mapping[int, float]) -> tuple[float, float]:
    """The logarithm of the size over the body's, and the rank among the document's sizes from 0 to 1."""
    size = item.style.size
    if size <= 0 or body.size <= 0:  # an object without text, such as a figure
        return 0.0, 0.0
    larger = math.log(size / body.size)
    return _within(_MOST_LOG_SIZE, larger), ranks[_steps(size, body)]


def _size_ranks(sizes: Iterable[float], body: Style) -> dict[int, float]:
    """The rank of each size that a document has, from 0 for the smallest to 1."""
    if body.size <= 0:
        return {}
    distinct = sorted({_steps(size, body) for size in sizes if size > 0})
    largest = max(1, len(distinct) - 1)
    return {size: rank / largest for rank, size in enumerate(distinct)}


def _steps(size: float, body: Style) -> int:
    return round(_SIZE_STEPS * size / body.size)


def _in_ems(indent: float, body: Style) -> float:
    return _within(_MOST_EMS, indent / body.size) if body.size > 0 else 0.0


def _within(most: float, value: float) -> float:
    return max(-most, min(most, value))


@cache
def _family(font: str) -> str:
    """The family in a font's name: without the subset's tag, weight and slant."""
    whole = _SUBSET.sub("", font)
    before_style = re.split(r"[-,]", whole)[0].lower()
    return _WEIGHT_OR_SLANT.sub("", before_style) or before_style


@cache
def _family_code(font: str) -> tuple[float, ...]:
    """The family's hashed id as signs, so that two families differ in about half of them."""
    family = _family(font).encode("utf-8", "surrogatepass")
    first_byte = hashlib.sha256(family).digest()[0]
    bits = (first_byte >> bit & 1 for bit in range(_FAMILY_BITS))
    return tuple(1.0 if bit else -1.0 for bit in bits)


@cache
def _light_and_saturation(colour: str) -> tuple[float, float]:
    """The luminance and the saturation of an rrggbb colour, each from 0 to 1."""
    parts = [part / 255 for part in bytes.fromhex(colour)[:3]]
    highest, lowest = max(parts), min(parts)
    saturation = (highest - lowest) / highest if highest else 0.0
    red, green, blue = (share * part for share, part in zip(_LUMINANCE, parts, strict=True))
    return red + green + blue, saturation


ROOT_CODE = 0
EMPTY_CODE = 1
"""Stands where a position has no siblings."""
FIRST_OBJECT = 2
"""Object k of all has the code FIRST_OBJECT + k; those below name what is no object."""

Codes = Mapping[int, int]
"""The code of each object of a document, and of its root."""


def position_sequence(
    position: Position, codes: Codes, *, max_siblings: int, parent: bool, siblings: bool
) -> tuple[int, ...]:
    """The codes of what the network reads before the object: the parent, then siblings or an empty slot."""
    before = (codes[position.parent],) if parent else ()
    if not siblings:
        return before
    own = [codes[sibling] for sibling in position.siblings(max_siblings)]
    return (*before, *(own or [EMPTY_CODE]))


def longest_sequence(settings: Mapping[str, Any]) -> int:
    """How many codes a network reads before the object at most."""
    parent = 1 if settings["parent"] else 0
    if not settings["siblings"]:
        return parent
    empty_slot = 1  # stands even where no sibling may be read
    siblings: int = max(empty_slot, settings["max_siblings"])
    return parent + siblings
