"""A document as columns: everything that is known of each object, computed once for both steps.

Everything is relative to the document itself: sizes to its body text, positions to its pages. Missing
values are MISSING rather than nan, so that every evaluator of the trees treats them alike.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from held.document import Document, Kind, PhysicalObject, Style
from held.features.contents import contents_columns
from held.features.sequences import sequence_columns
from held.features.texts import CONTENTS_WORDS, HEADING_WORDS, Floats, key, shapes
from held.numbering import ItemNumber, parse, pattern_id, resolve, starts_list

Ints = NDArray[np.int64]

MISSING = -9.0
KINDS = tuple(Kind)
TEXT_KINDS = frozenset(
    {Kind.PARAGRAPH, Kind.HEADING, Kind.LIST_ITEM, Kind.CAPTION, Kind.FOOTNOTE, Kind.FORMULA}
)
_LONGEST_NUMBERED = 400  # a longer text is never a heading; its number may still be an item's


@dataclass(frozen=True)
class Table:
    """The columns of a document's objects.

    `look` numbers the ways text is set, `group` the combinations of look, item-number pattern, capitals and
    centring, `form` the forms of item numbers (0: none).
    """

    columns: Mapping[str, Floats]
    numbers: tuple[ItemNumber | None, ...]
    keys: tuple[str, ...]
    bare_keys: tuple[str, ...]
    look: Ints
    group: Ints
    form: Ints
    candidates: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.numbers)

    def __getitem__(self, name: str) -> Floats:
        return self.columns[name]

    @cached_property
    def before(self) -> Floats:
        """How many characters stand before each object."""
        return np.concatenate([[0], np.cumsum(self["length"])[:-1]]) if len(self) else np.zeros(0, np.float32)


def table_of(document: Document) -> Table:
    """The table of a document."""
    objects = document.objects
    candidates = np.array([o.kind in TEXT_KINDS and o.text != "" for o in objects], bool)
    texts = [o.text for o in objects]
    numbers = resolve(
        parse(o.text) if is_text and len(o.text) < _LONGEST_NUMBERED else None
        for o, is_text in zip(objects, candidates, strict=True)
    )
    keys = [key(text) for text in texts]
    bare = [_bare(k, text, number) for k, text, number in zip(keys, texts, numbers, strict=True)]
    look = _ids([_look(o.style) for o in objects])
    form = _ids(["" if number is None else number.form for number in numbers], zero="")
    pattern = np.array([pattern_id(number) for number in numbers], np.int64)
    columns = shapes(texts)
    columns |= _number_columns(texts, numbers, pattern)
    columns |= _style_columns(objects, document.body)
    columns |= _place_columns(document)
    columns |= contents_columns(document, keys, bare, numbers)
    columns |= sequence_columns(numbers, look, form)
    columns["heading_word"] = np.array([b in HEADING_WORDS for b in bare], np.float32)
    columns["contents_title"] = np.array([b in CONTENTS_WORDS for b in bare], np.float32)
    columns["repeats"] = _repeats(keys)
    flags = np.array([2 * o.caps + o.centred for o in objects], np.int64)
    group = _ids(list(zip(look.tolist(), pattern.tolist(), flags.tolist(), strict=True)))
    return Table(columns, tuple(numbers), tuple(keys), tuple(bare), look, group, form, candidates)


def _bare(whole: str, text: str, number: ItemNumber | None) -> str:
    return whole if number is None else key(text[number.title_start :]) or whole


def _look(style: Style) -> tuple[object, ...]:
    return style.font, round(style.size, 1), style.bold, style.italic, style.colour


def _ids(values: Sequence[object], *, zero: object = None) -> Ints:
    """A number for each value, equal where the values are; `zero` is what 0 stands for."""
    known: dict[object, int] = {} if zero is None else {zero: 0}
    return np.array([known.setdefault(value, len(known)) for value in values], np.int64)


def _repeats(keys: Sequence[str]) -> Floats:
    """How often each text stands in the document."""
    counts: dict[str, int] = {}
    for k in keys:
        counts[k] = counts.get(k, 0) + 1
    return np.array([counts[k] for k in keys], np.float32)


def _number_columns(
    texts: Sequence[str], numbers: Sequence[ItemNumber | None], pattern: Ints
) -> dict[str, Floats]:
    rows = [
        (0.0, 0.0, 0.0, 0.0)
        if n is None
        else (
            len(n.value),
            min(n.value[-1], 99) if n.value else 0,
            starts_list(n),
            n.title_start >= len(text),
        )
        for n, text in zip(numbers, texts, strict=True)
    ]
    values = np.array(rows, np.float32).reshape(-1, 4)
    names = ("number_depth", "number_last", "starts_list", "number_alone")
    return {"pattern": pattern.astype(np.float32), **dict(zip(names, values.T, strict=True))}


def _style_columns(objects: Sequence[PhysicalObject], body: Style) -> dict[str, Floats]:
    names = (
        *("kind", "size", "bold", "italic", "stroked", "same_font", "same_colour", "luminance"),
        *("saturation", "caps", "centred", "lines", "indent", "gap_above", "gap_below", "parts", "upright"),
    )
    em = body.size or 10.0
    body_light = _light(body.colour)[0]
    rows = []
    for o in objects:
        style = o.style
        luminance, saturation = _light(style.colour)
        rows.append(
            (
                *(KINDS.index(o.kind), o.relative_size, style.bold, style.italic, style.render_mode == 2),
                *(style.font == body.font, style.colour == body.colour, luminance - body_light, saturation),
                *(o.caps, o.centred, min(o.lines, 20), min(o.indent / em, 60.0)),
                MISSING if o.gap_above is None else min(o.gap_above / em, 30.0),
                MISSING if o.gap_below is None else min(o.gap_below / em, 30.0),
                *(len(o.parts), style.upright),
            )
        )
    values = np.array(rows, np.float32).reshape(-1, len(names))
    columns = dict(zip(names, values.T, strict=True))
    columns["heavier"] = columns["bold"] - float(body.bold)
    return columns


def _light(colour: str) -> tuple[float, float]:
    """The luminance and the saturation of a colour, both from 0 to 1."""
    try:
        red, green, blue = (int(colour[i : i + 2], 16) / 255 for i in (0, 2, 4))
    except ValueError:
        return 0.0, 0.0
    return 0.3 * red + 0.59 * green + 0.11 * blue, max(red, green, blue) - min(red, green, blue)


def _place_columns(document: Document) -> dict[str, Floats]:
    names = ("top", "bottom", "left", "wide", "off_centre", "column", "page", "page_share")
    rows = []
    count = max(1, len(document.pages))
    for o in document.objects:
        place = o.page - document.first_page
        size = document.pages[place] if 0 <= place < len(document.pages) else None
        width, height = (size.width or 1.0, size.height or 1.0) if size else (612.0, 792.0)
        box = o.box
        rows.append(
            (
                *(box.y0 / height, box.y1 / height, box.x0 / width, box.width / width),
                *(abs(box.x0 + box.x1 - width) / width, min(o.column, 9), place, place / count),
            )
        )
    values = np.array(rows, np.float32).reshape(-1, len(names))
    columns = dict(zip(names, values.T, strict=True))
    page = columns["page"]
    columns["first_on_page"] = np.append(True, page[1:] != page[:-1])[: len(page)].astype(np.float32)
    columns["last_on_page"] = np.append(page[1:] != page[:-1], True)[: len(page)].astype(np.float32)
    return columns
