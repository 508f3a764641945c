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

NO_CHARACTER = 0  # the id of padding; an object without text is one padding character
UNKNOWN = 1
FIRST_CHARACTER = 2

VERSION = 1
"""The version of the inputs. A network runs only on the version that it was trained on."""

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

_MAX_INDENT_EM = 8.0  # text further right is centred or in another column
_MAX_LOG_SIZE = 2.0  # about seven times the body's size; larger type is ornament
# Sizes are counted in steps of 1/20 of the body's size: a smaller difference is an accident of the PDF.
_SIZE_STEPS = 20
_SUBSET = re.compile(r"^[A-Z]{6}\+")  # PDF 32000-1, 9.6.4: "ABCDEF+Times" is a subset of Times
_WEIGHT_OR_SLANT = re.compile(r"(bold|italic|oblique|regular|medium|light|roman|mt|ps)+$")
# The weights of red, green and blue in the luminance (ITU-R BT.709).
_LUMINANCE = (0.2126, 0.7152, 0.0722)

Ids = NDArray[np.int64]
Floats = NDArray[np.float32]


def character_ids(texts: Sequence[str], code_points: NDArray[np.int32], *, cut: int) -> tuple[Ids, Ids]:
    """The ids of each text's first `cut` characters, padded to the longest text, and the lengths.

    `code_points` are those of the known characters, sorted; a character's id is its index among them. A
    length is at least 1, so that an empty text is one padding character.
    """
    flat, lengths = flat_character_ids(texts, code_points, cut=cut)
    longest = int(lengths.max(initial=1))
    ids = np.full((len(texts), longest), NO_CHARACTER, dtype=np.int64)
    is_character = np.arange(longest) < lengths[:, None]  # (N, T)
    ids[is_character] = flat
    return ids, np.maximum(lengths, 1)


def flat_character_ids(texts: Sequence[str], code_points: NDArray[np.int32], *, cut: int) -> tuple[Ids, Ids]:
    """The ids of all texts' first `cut` characters, one text after another, and the lengths."""
    beginnings = [_first_characters(text, cut) for text in texts]
    # UTF-32 has one number per character, so numpy reads the text without a loop.
    encoded = "".join(beginnings).encode("utf-32-le", "surrogatepass")
    points = np.frombuffer(encoded, dtype=np.uint32)
    indices = np.searchsorted(code_points, points)
    # A code point above all known ones gets an index behind the last.
    last = len(code_points) - 1
    is_known = code_points[np.minimum(indices, last)] == points
    ids = np.where(is_known, indices + FIRST_CHARACTER, UNKNOWN)
    lengths = np.array([len(text) for text in beginnings], dtype=np.int64)
    return ids, lengths


def _first_characters(text: str, count: int) -> str:
    """The first characters of a text, with each run of white space as one space."""
    enough = text[: 2 * count]  # twice as many, because white space shrinks; the rest is not read
    return " ".join(enough.split())[:count]


def format_vectors(document: Document, objects: Sequence[int] | None = None) -> Floats:
    """The format vectors of these objects, by default of all: (N, FORMAT_SIZE)."""
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
    log_size = math.log(size / body.size)
    return _clip(log_size, _MAX_LOG_SIZE), ranks[_steps(size, body)]


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
    return _clip(indent / body.size, _MAX_INDENT_EM) if body.size > 0 else 0.0


def _clip(value: float, maximum: float) -> float:
    return max(-maximum, min(maximum, value))


@cache
def _family(font: str) -> str:
    """The family in a font's name: "times" for "ABCDEF+Times-BoldItalic"."""
    name = _SUBSET.sub("", font)
    before_style = re.split(r"[-,]", name)[0].lower()
    return _WEIGHT_OR_SLANT.sub("", before_style) or before_style


@cache
def _family_code(font: str) -> tuple[float, ...]:
    """Eight bits of the family's hash, each as 1 or -1: two families differ in about half of them."""
    family = _family(font).encode("utf-8", "surrogatepass")
    first_byte = hashlib.sha256(family).digest()[0]
    signs = []
    for bit in range(_FAMILY_BITS):
        is_set = first_byte >> bit & 1
        signs.append(1.0 if is_set else -1.0)
    return tuple(signs)


@cache
def _light_and_saturation(colour: str) -> tuple[float, float]:
    """The luminance and the saturation of an rrggbb colour, each from 0 to 1."""
    parts = [part / 255 for part in bytes.fromhex(colour)[:3]]
    highest, lowest = max(parts), min(parts)
    saturation = (highest - lowest) / highest if highest else 0.0
    weighted = [weight * part for weight, part in zip(_LUMINANCE, parts, strict=True)]
    red, green, blue = weighted
    return red + green + blue, saturation


# The put-or-skip network reads codes: two special ones, then one for each object of all documents.
ROOT_CODE = 0
EMPTY_CODE = 1
"""Takes the place of the siblings where a position has none."""
FIRST_OBJECT = 2
"""Object k has the code FIRST_OBJECT + k."""

Codes = Mapping[int, int]
"""The code of each object of a document, and of its root."""


def position_sequence(
    position: Position, codes: Codes, *, max_siblings: int, parent: bool, siblings: bool
) -> tuple[int, ...]:
    """The codes that the network reads before the object: the parent's, then the siblings' or EMPTY_CODE."""
    before = (codes[position.parent],) if parent else ()
    if not siblings:
        return before
    sibling_codes = [codes[sibling] for sibling in position.siblings(max_siblings)]
    return (*before, *(sibling_codes or [EMPTY_CODE]))


def longest_sequence(settings: Mapping[str, Any]) -> int:
    """The maximum number of codes that a network reads before the object."""
    parent = 1 if settings["parent"] else 0
    if not settings["siblings"]:
        return parent
    # Without siblings there is EMPTY_CODE, so one code is read in any case.
    siblings: int = max(1, settings["max_siblings"])
    return parent + siblings
