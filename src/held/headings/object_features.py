"""A document as columns: everything that is known of each object, computed once for both steps.

Everything is relative to the document itself: sizes to its body text, positions to its pages. Missing
values are MISSING rather than nan, so that every evaluator of the trees treats them alike.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from held.document import Document, Kind, PhysicalObject, Style
from held.headings import Bools, Floats, Ints, columns_of
from held.headings.text_features import CONTENTS_WORDS, HEADING_WORDS, key, shapes, title_kind
from held.headings.toc_features import contents_columns, running_head_pages
from held.numbering import ItemNumber, parse_number, pattern_id, resolve_letters, starts_list
from held.numbering.titles import find_continued_titles

_NOWHERE = 12.0  # instead of the logarithm of a distance, which is always less

_Value = tuple[int, ...]
_Mark = tuple[object, ...]
"""What a list of numbers has in common (form, perhaps look), and at its end the value."""


def sequence_columns(
    numbers: Sequence[ItemNumber | None], look: NDArray[np.int64], form: NDArray[np.int64]
) -> dict[str, Floats]:
    """Columns: how far away the number before and the number after are, by form and also by look."""
    values = [_value(number) for number in numbers]
    any_look: list[_Mark | None] = []
    same_look: list[_Mark | None] = []
    for value, own_form, own_look in zip(values, form.tolist(), look.tolist(), strict=True):
        any_look.append(None if value is None else (own_form, value))
        same_look.append(None if value is None else (own_form, own_look, value))
    forwards = range(len(numbers))
    backwards = forwards[::-1]
    known = {value for value in values if value is not None}
    return {
        "before_any": _distances(any_look, forwards, -1),
        "after_any": _distances(any_look, backwards, 1),
        "before_same": _distances(same_look, forwards, -1),
        "after_same": _distances(same_look, backwards, 1),
        "parent_number": _flags([_has_parent(value, known) for value in values]),
        "child_number": _flags([_has_child(value, known) for value in values]),
    }


def _value(number: ItemNumber | None) -> _Value | None:
    """The number's value, None where there is nothing to count."""
    return None if number is None or not number.value else number.value


def _has_parent(value: _Value | None, known: set[_Value]) -> bool:
    """Whether the document has the number that this one lies under: 1.2 for 1.2.3."""
    if value is None or len(value) == 1:
        return False
    above = value[:-1]
    return above in known


def _has_child(value: _Value | None, known: set[_Value]) -> bool:
    """Whether the document has the first number under this one: 1.2.1 for 1.2."""
    if value is None:
        return False
    first_below = (*value, 1)
    return first_below in known


def _distances(marks: Sequence[_Mark | None], order: Sequence[int], step: int) -> Floats:
    """The logarithm of the distance to the nearest earlier mark in this order whose number is a step away."""
    latest: dict[_Mark, int] = {}
    found = np.full(len(marks), _NOWHERE, np.float32)
    for i in order:
        mark = marks[i]
        if mark is None:
            continue
        *rest, value = mark
        assert isinstance(value, tuple)
        *outer, last = value
        wanted = (*outer, last + step)
        nearest = latest.get((*rest, wanted))
        if nearest is not None:
            found[i] = np.log(abs(i - nearest))
        latest[mark] = i
    return found


def _flags(values: Sequence[bool]) -> Floats:
    return np.array(values, np.float32)


FEATURES_VERSION = 6
"""Changes with the meaning of any feature; weights name the version that they were trained on."""
MISSING = -9.0  # below every value of every feature
SAME_SIZE = 0.01  # of the body size: a smaller difference cannot be seen
KINDS = tuple(Kind)
TEXT_KINDS = frozenset(
    {Kind.PARAGRAPH, Kind.HEADING, Kind.LIST_ITEM, Kind.CAPTION, Kind.FOOTNOTE, Kind.FORMULA}
)
_USUAL_SIZE = 10.0  # points, where the size of the body text is not known
_STROKED = 2  # the text rendering mode of the PDF specification: filled and stroked, which looks bold
_LETTER = (612.0, 792.0)  # points: a page where the document has no such page

# Upper bounds of features, so that no tree splits on outliers.
_LARGEST_NUMBER = 99
_COLOURS = 256  # whose light is remembered: a document has a few
_MOST_LINES = 20  # more says no more
_LARGEST_INDENT = 60.0  # ems
_LARGEST_GAP = 30.0  # ems
_MOST_COLUMNS = 9  # of a page; more says no more


@dataclass(frozen=True)
class ObjectFeatures:
    """The columns of a document's objects.

    columns      the features by name, a value for each object
    numbers      the item numbers
    keys         the texts as titles are compared; `bare_keys` without the item number
    style        ids of styles (font, size, colour …); equal ids are set alike
    group        ids of the combinations of style, number pattern, capitals and centring
    form         ids of the forms of item numbers, 0 for none
    candidates   the objects that may be headings: those with text
    continued    titles that repeat an earlier one with "(continued)"
    heads        the pages at whose head or foot each name runs
    """

    columns: Mapping[str, Floats]
    numbers: tuple[ItemNumber | None, ...]
    keys: tuple[str, ...]
    bare_keys: tuple[str, ...]
    style: Ints
    group: Ints
    form: Ints
    candidates: Bools
    continued: Bools
    heads: Mapping[str, tuple[int, ...]] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.numbers)

    def __getitem__(self, name: str) -> Floats:
        return self.columns[name]

    @cached_property
    def before(self) -> Floats:
        """The number of characters before each object."""
        if not len(self):
            return np.zeros(0, np.float32)
        ends = np.cumsum(self["length"])
        return np.concatenate([[0], ends[:-1]])


@dataclass(frozen=True)
class DocumentFeatures:
    """A document and its features, which are computed when a model first asks for them."""

    document: Document

    @cached_property
    def objects(self) -> ObjectFeatures:
        """The features of all objects."""
        return object_features(self.document)

    def __len__(self) -> int:
        return len(self.document.objects)


def shift(values: Floats, step: int, fill: float = MISSING) -> Floats:
    """The values of the objects a step away: shift([a b c], 1) is [b c fill]."""
    out = np.full(len(values), fill, np.float32)
    if 0 < step < len(values):
        out[:-step] = values[step:]
    elif -len(values) < step < 0:
        out[-step:] = values[:step]
    return out


# --- A document's objects as columns ---


def object_features(document: Document) -> ObjectFeatures:
    """The features of a document's objects."""
    objects = document.objects
    texts = [o.text for o in objects]
    candidates = np.array([_is_candidate(o) for o in objects], bool)
    numbers = resolve_letters(
        parse_number(text) if is_candidate else None
        for text, is_candidate in zip(texts, candidates, strict=True)
    )
    keys = [key(text) for text in texts]
    bare_keys = [_bare_key(*title) for title in zip(keys, texts, numbers, strict=True)]
    style = _ids([style_key(o.style) for o in objects])
    form = _ids([_form(number) for number in numbers], zero=_form(None))
    pattern = np.array([pattern_id(number) for number in numbers], np.int64)
    columns = shapes(texts)
    columns |= _number_columns(texts, numbers, pattern)
    columns |= _style_columns(objects, document.body)
    columns |= _position_columns(document)
    columns |= contents_columns(document, keys, bare_keys, numbers)
    columns |= sequence_columns(numbers, style, form)
    columns |= _title_columns(bare_keys)
    columns["repeats"] = _repeats(keys)
    continued = np.zeros(len(objects), bool)
    continued[list(find_continued_titles(objects))] = True
    return ObjectFeatures(
        columns,
        tuple(numbers),
        tuple(keys),
        tuple(bare_keys),
        style,
        _group_ids(objects, style, pattern),
        form,
        candidates,
        continued,
        running_head_pages(document),
    )


def _is_candidate(o: PhysicalObject) -> bool:
    """Whether an object can be a heading: it is of a kind with text, and has some."""
    return o.kind in TEXT_KINDS and o.text != ""


def _bare_key(whole: str, text: str, number: ItemNumber | None) -> str:
    """The key of the title without its number; the whole one where there is nothing but a number."""
    if number is None:
        return whole
    title = text[number.title_start :]
    return key(title) or whole


def _form(number: ItemNumber | None) -> str:
    return "" if number is None else number.form


def _group_ids(objects: Sequence[PhysicalObject], style: Ints, pattern: Ints) -> Ints:
    """The group of each object: those of one style and number pattern, alike in capitals and centring."""
    looks = [(o.caps, o.centred) for o in objects]
    return _ids(list(zip(style.tolist(), pattern.tolist(), looks, strict=True)))


def _title_columns(bare_keys: Sequence[str]) -> dict[str, Floats]:
    """Columns about the words of a title: whether they are a usual one, and of what kind."""
    return {
        "heading_word": _flags([title in HEADING_WORDS for title in bare_keys]),
        "contents_title": _flags([title in CONTENTS_WORDS for title in bare_keys]),
        "title_kind": np.array([title_kind(title) for title in bare_keys], np.float32),
    }


def style_key(style: Style) -> tuple[object, ...]:
    """What texts that are set alike have in common."""
    return style.font, round(style.size, 1), style.bold, style.italic, style.underlined, style.colour


def _ids(values: Sequence[object], *, zero: object = None) -> Ints:
    """A number for each value, equal where the values are; `zero` is what 0 stands for."""
    known: dict[object, int] = {} if zero is None else {zero: 0}
    return np.array([known.setdefault(value, len(known)) for value in values], np.int64)


def _repeats(keys: Sequence[str]) -> Floats:
    """How often each text occurs in the document."""
    counts: dict[str, int] = {}
    for text in keys:
        counts[text] = counts.get(text, 0) + 1
    return np.array([counts[text] for text in keys], np.float32)


# --- Numbers, styles and positions of objects, one row each ---


class _NumberRow(NamedTuple):
    """Features of an item number."""

    number_depth: float = 0.0  # 1.2.3 has 3
    number_last: float = 0.0  # the 3 of 1.2.3
    starts_list: float = 0.0  # 1, a, i and the like
    number_alone: float = 0.0  # the object is nothing but its number


def _number_columns(
    texts: Sequence[str], numbers: Sequence[ItemNumber | None], pattern: Ints
) -> dict[str, Floats]:
    rows = [_number_row(number, text) for number, text in zip(numbers, texts, strict=True)]
    columns = {"pattern": pattern.astype(np.float32)}
    return columns | columns_of(rows, _NumberRow._fields)


def _number_row(number: ItemNumber | None, text: str) -> _NumberRow:
    if number is None:
        return _NumberRow()
    return _NumberRow(
        number_depth=len(number.value),
        number_last=min(number.value[-1], _LARGEST_NUMBER) if number.value else 0,
        starts_list=starts_list(number),
        number_alone=number.title_start >= len(text),
    )


class _StyleRow(NamedTuple):
    """Features of the style; lengths are in ems of the body text."""

    kind: float  # index in KINDS
    size: float  # over that of the body text
    bold: float
    italic: float
    underlined: float
    stroked: float  # drawn with an outline, which looks bold
    same_font: float  # as the body text
    same_colour: float  # as the body text
    luminance: float  # minus that of the body text, from -1 to 1
    saturation: float  # from 0, grey, to 1
    caps: float
    centred: float
    lines: float
    indent: float  # from the left edge of its column
    gap_above: float  # to the object before in its column
    gap_below: float  # to the next one
    parts: float  # more than one if it continues on another page or column
    upright: float  # not rotated


def _style_columns(objects: Sequence[PhysicalObject], body: Style) -> dict[str, Floats]:
    em = body.size or _USUAL_SIZE
    body_light, _ = _light(body.colour)
    rows = [_style_row(o, body, em, body_light) for o in objects]
    columns = columns_of(rows, _StyleRow._fields)
    columns["heavier"] = columns["bold"] - float(body.bold)
    return columns


def _style_row(o: PhysicalObject, body: Style, em: float, body_light: float) -> _StyleRow:
    style = o.style
    luminance, saturation = _light(style.colour)
    return _StyleRow(
        kind=KINDS.index(o.kind),
        size=o.relative_size,
        bold=style.bold,
        italic=style.italic,
        underlined=style.underlined,
        stroked=style.render_mode == _STROKED,
        same_font=style.font == body.font,
        same_colour=style.colour == body.colour,
        luminance=luminance - body_light,
        saturation=saturation,
        caps=o.caps,
        centred=o.centred,
        lines=min(o.lines, _MOST_LINES),
        indent=min(o.indent / em, _LARGEST_INDENT),
        gap_above=_gap(o.gap_above, em),
        gap_below=_gap(o.gap_below, em),
        parts=len(o.parts),
        upright=style.upright,
    )


def _gap(points: float | None, em: float) -> float:
    return MISSING if points is None else min(points / em, _LARGEST_GAP)


@lru_cache(maxsize=_COLOURS)
def _light(colour: str) -> tuple[float, float]:
    """The luminance and the saturation of a colour, both from 0 to 1."""
    try:
        channels = [int(colour[at : at + 2], 16) for at in (0, 2, 4)]  # "ff8000" is 255, 128, 0
    except ValueError:
        return 0.0, 0.0
    red, green, blue = (channel / 255 for channel in channels)
    luminance = 0.3 * red + 0.59 * green + 0.11 * blue  # the weights of ITU-R BT.601
    return luminance, max(red, green, blue) - min(red, green, blue)


class _PositionRow(NamedTuple):
    """The position as shares of the page and of the document; `page` counts from 0."""

    top: float  # share of the page's height, from the top
    bottom: float  # the same of its lower edge
    left: float  # share of the page's width
    wide: float  # its width, likewise
    off_centre: float  # twice the distance of its middle from the page's, as a share of the width
    column: float  # from 0, the leftmost
    page: float
    page_share: float  # of the document before its page


def _position_columns(document: Document) -> dict[str, Floats]:
    rows = [_position_row(o, document) for o in document.objects]
    columns = columns_of(rows, _PositionRow._fields)
    page = columns["page"]
    turns = page[1:] != page[:-1]  # whether an object stands on another page than the one before it
    # The slices make both empty in a document without objects.
    is_first = np.append(True, turns)[: len(page)]
    is_last = np.append(turns, True)[: len(page)]
    columns["first_on_page"] = is_first.astype(np.float32)
    columns["last_on_page"] = is_last.astype(np.float32)
    return columns


def _position_row(o: PhysicalObject, document: Document) -> _PositionRow:
    page = o.page - document.first_page
    width, height = _LETTER
    if 0 <= page < len(document.pages):
        size = document.pages[page]
        # A page without an extent must not divide by zero.
        width = size.width or 1.0
        height = size.height or 1.0
    box = o.box
    middle_sum = box.x0 + box.x1  # twice the middle; that of the page is its width
    return _PositionRow(
        top=box.y0 / height,
        bottom=box.y1 / height,
        left=box.x0 / width,
        wide=box.width / width,
        off_centre=abs(middle_sum - width) / width,
        column=min(o.column, _MOST_COLUMNS),
        page=page,
        page_share=page / max(1, len(document.pages)),
    )


# --- Numbered lists ---
#
# Headings and list items carry the same numbers. What tells them apart is the list: headings stand far
# apart with text between them, items follow each other closely or are whole sentences. A list is a chain of
# objects whose numbers have one form and count up by one: (二) belongs to the last (一) before it and to the
# next (三).

_MOST_APART = 8.0  # logarithm of characters; lists of parts and chapters are all alike from there on


def number_lists(objects: ObjectFeatures) -> Ints:
    """The id of each object's list; -1 for an object without a number or without a neighbour in its list."""
    list_of = np.full(len(objects), -1, np.int64)
    latest: dict[tuple[int, tuple[int, ...]], int] = {}  # by form and value
    lists = 0
    for obj, number in enumerate(objects.numbers):
        if number is None or not number.value:
            continue
        form = int(objects.form[obj])
        *outer, last = number.value
        before = latest.pop((form, (*outer, last - 1)), None)
        if before is not None:
            if list_of[before] < 0:
                list_of[before] = lists
                lists += 1
            list_of[obj] = list_of[before]
        latest[form, number.value] = obj
    return list_of


def list_features(objects: ObjectFeatures, traits: Mapping[str, NDArray[np.generic]]) -> dict[str, Floats]:
    """Means of the traits over each object's list, its size, and how far its members are apart."""
    list_of = number_lists(objects)
    names = (*traits, "size", "apart", "closest", "rank")
    features = {f"list_{name}": _missing(len(objects)) for name in names}
    members = np.flatnonzero(list_of >= 0)
    if not len(members):
        return features
    ids = list_of[members]
    size = np.bincount(ids)
    features["list_size"][members] = np.log1p(size)[ids]
    for name, values in traits.items():
        total = np.bincount(ids, np.asarray(values[members], np.float64))
        mean = total / size
        features[f"list_{name}"][members] = mean[ids]
    order = np.argsort(ids, kind="stable")  # members list by list, each list in reading order
    members, ids = members[order], ids[order]
    mean_apart, closest = _list_distances(objects, members, ids)
    features["list_apart"][members] = mean_apart[ids]
    features["list_closest"][members] = closest[ids]
    begins = np.searchsorted(ids, ids, side="left")  # where the list of each member begins
    rank = np.arange(len(members)) - begins
    features["list_rank"][members] = (rank + 1) / size[ids]
    return features


def _list_distances(
    objects: ObjectFeatures, members: Ints, ids: Ints
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """For each list the mean and the smallest distance of neighbours, as logarithms of characters.

    `members` are sorted by list and in reading order; `ids` has the list of each.
    """
    size = np.bincount(ids)
    has_next = ids[:-1] == ids[1:]
    here = members[:-1][has_next]
    following = members[1:][has_next]
    list_here = ids[:-1][has_next]
    between = objects.before[following] - objects.before[here] - objects["length"][here]
    distance = np.log1p(np.maximum(between, 0))
    apart = np.minimum(distance, _MOST_APART)
    mean_apart = np.bincount(list_here, apart, len(size)) / (size - 1)
    closest = np.full(len(size), _MOST_APART)
    np.minimum.at(closest, list_here, apart)
    return mean_apart, closest


def _missing(count: int) -> Floats:
    return np.full(count, MISSING, np.float32)
