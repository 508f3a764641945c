"""The headings of a document as rows of numbers, ready to be compared pair by pair.

Relations between two headings (same style, number follows number, 1.2.3 under 1.2) become equalities of
precomputed ids, so that a few array operations compare any number of pairs. The style table has, for two
classes of headings, how often one occurs between two of the other: what is nested in what.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from held.headings import Bools, Columns, Floats, Ints
from held.headings.object_features import MISSING, ObjectFeatures
from held.headings.text_features import WORDING_FEATURES, TitleWording
from held.hierarchy.section_features import (
    HeadingRows,
    class_counts,
    class_relations,
    entry_features,
    occurs_between,
    runs_until,
    section_features,
)
from held.numbering import ItemNumber, has_letter, pattern_id, resolve_letters, starts_list

# Ids of a heading without a number. It must neither follow nor precede another, so the ids that are looked up
# (_NOTHING) never equal those that they are looked up among (_NOBODY).
_NOBODY = -1
_NOTHING = -2


class _NumberIds(NamedTuple):
    """The ids whose equality gives the relation of two numbers.

    value          the number itself
    right_above    the number right above it: 1.2 for 1.2.3
    prefix_…       all numbers above it, from the top: 1 and 1.2 for 1.2.3
    number…        what may be followed; one number follows another if any of its `predecessor…` equals the
                   other's `number…`: 8 follows 7, 7A (an inserted one) follows 7, and 8 follows 7A
    """

    value: int = _NOBODY
    right_above: int = _NOTHING
    prefix_1: int = _NOTHING
    prefix_2: int = _NOTHING
    prefix_3: int = _NOTHING
    prefix_4: int = _NOTHING
    number: int = _NOBODY
    number_again: int = _NOBODY
    number_lettered: int = _NOBODY
    predecessor: int = _NOTHING
    predecessor_lettered: int = _NOTHING
    predecessor_any: int = _NOTHING


class _EntryIds(NamedTuple):
    """The ids whose equality gives the relation of two headings in the printed contents.

    entry          the entry that names a heading
    open_entry_…   the entries above that of the next listed heading (perhaps the heading itself), from the
                   nearest up: they must still be open when that heading comes
    """

    entry: int = _NOBODY
    open_entry_1: int = _NOTHING
    open_entry_2: int = _NOTHING
    open_entry_3: int = _NOTHING


IDS = Columns(("style", "form", "style_class", "class_by_side", *_NumberIds._fields, *_EntryIds._fields))
"""Ids that are compared for equality: style, form of the number, class (both together), class by side of the
page, number and entry."""
PREFIXES = IDS.span("prefix_1", "prefix_4")
OPEN_ENTRIES = IDS.span("open_entry_1", "open_entry_3")
NUMBER_IDS = IDS.span("number", "number_lettered")
PREDECESSOR_IDS = IDS.span("predecessor", "predecessor_any")
_NO_PREFIXES = [_NOTHING] * 4

VALUES = Columns(
    (
        "size",
        "bold",
        "italic",
        "underlined",
        "caps",
        "centred",
        "indent",
        "left",
        "contents_level",
        "log_length",
        "size_rank",
        "first_seen",
        "class_count",
        "number_depth",
        "number_last",
        "row",
        "page",
        *WORDING_FEATURES,
    )
)
"""Values that are compared by their difference: `row` and `page` say where the heading stands, the others are
described below."""
OWN = Columns(
    (
        "size",
        "bold",
        "caps",
        "centred",
        "pattern",
        "number_depth",
        "number_last",
        "starts_list",
        "in_contents",
        "contents_level",
        "log_length",
        "size_rank",
        "class_count",
        "first_seen",
        "heading_word",
        "title_kind",
        "cjk_share",
        "in_running_head",
        "gap_above",
        "top",
        "first_on_page",
        "text_before",
        "indent",
        "contents_entries",
        "contents_title",
        "rank",
        *WORDING_FEATURES,
    )
)
"""Features of a heading itself. Those of its object are described in `held.headings.object_features`, the
wording in `held.headings.text_features`. Of the headings of a document are:

size_rank       how many sizes are larger
first_seen      how many classes (style and number pattern) occur before its own
class_count     the headings of its class, as a logarithm
text_before     characters since the heading before, as a logarithm
rank            how high headings with such a number usually are: a part before a chapter
"""
NO_NEXT_ROW = 1_000_000_000  # far beyond the last row of all documents that are stacked
_MIN_ECHO_LENGTH = 2  # characters: Chinese titles may have no more
# A title with more lines, or wider than this share of the page, looks the same centred and at the left.
_MAX_LINES, _MAX_WIDTH = 2, 0.42
MAX_CLASSES = 48  # rarer classes share the last index of the style table


@dataclass(frozen=True, slots=True)
class HeadingFeatures:
    """A document's headings: a row each, in reading order.

    headings   the objects
    ids        IDS of each heading
    values     VALUES of each heading
    own        OWN of each heading
    after      the row of the heading with the next number, or NO_NEXT_ROW
    between    [a, b]: the share of neighbours of class a that have a heading of class b between them
    resets     see `ClassRelations`, as `touches`
    section    SECTION of each heading
    entry      ENTRY of each heading, and the id of the entry's style
    runs_until the last page whose running head names each heading
    echoes     which headings repeat the title of the heading before them
    """

    headings: tuple[int, ...]
    ids: Ints
    values: Floats
    own: Floats
    after: Ints
    between: Floats
    resets: Floats
    touches: Floats
    section: Floats
    entry: Floats
    entry_style: Ints
    runs_until: Ints
    echoes: Bools
    _rows: dict[int, int]

    def row(self, heading: int) -> int:
        """The row of a heading, given as an object."""
        return self._rows[heading]


def heading_features(
    objects: ObjectFeatures, headings: Sequence[int], wording: TitleWording | None = None
) -> HeadingFeatures:
    """The features of these headings of a document; without a wording model all titles read alike."""
    chosen = np.array(headings, np.int64)
    numbers = resolve_letters(objects.numbers[h] for h in headings)
    columns = {name: column[chosen] for name, column in objects.columns.items()}
    columns |= _number_columns(numbers)
    style = objects.style[chosen]
    style_class = _classes(style, columns)
    columns |= _table_columns(columns["size"], style_class)
    columns["text_before"] = np.log1p(_text_before(objects, chosen))
    columns |= _wording_columns(objects, headings, wording)
    numbered = np.array([number is not None for number in numbers], bool)
    form = np.where(numbered, objects.form[chosen], 0)
    entries = _entry_ids(objects, chosen)
    number_ids = _number_ids(numbers)
    id_columns = np.column_stack(
        [style, form, style_class, _class_by_side(style_class, columns), number_ids, entries]
    )
    ids = np.ascontiguousarray(id_columns, np.int64).reshape(len(chosen), len(IDS))
    rows = HeadingRows(chosen, style_class, form, columns["starts_list"] > 0, runs_until(objects, chosen))
    relations = class_relations(objects, rows, MAX_CLASSES)
    entry, entry_style = entry_features(objects, chosen)
    return HeadingFeatures(
        headings=tuple(int(h) for h in headings),
        ids=ids,
        values=_stack(columns, VALUES, len(chosen)),
        own=_stack(columns, OWN, len(chosen)),
        after=_after(ids, columns["starts_list"]),
        between=_between(style_class),
        resets=relations.resets,
        touches=relations.touches,
        section=section_features(objects, rows),
        entry=entry,
        entry_style=entry_style,
        runs_until=rows.runs_until,
        echoes=_echoes(objects, chosen, numbered),
        _rows={int(h): row for row, h in enumerate(headings)},
    )


def _number_columns(numbers: Sequence[ItemNumber | None]) -> dict[str, Floats]:
    """Features of the numbers; the list of headings has decided whether lone letters are numbers."""
    return {
        "pattern": np.array([pattern_id(n) for n in numbers], np.float32),
        "rank": np.array([_rank(n) for n in numbers], np.float32),
        "starts_list": np.array([n is not None and starts_list(n) for n in numbers], np.float32),
    }


def _wording_columns(
    objects: ObjectFeatures, headings: Sequence[int], wording: TitleWording | None
) -> dict[str, Floats]:
    """What the titles suggest of their sections."""
    matrix = np.zeros((len(headings), len(WORDING_FEATURES)), np.float32)
    if wording is not None:
        matrix = wording.features([objects.bare_keys[h] for h in headings])
    return dict(zip(WORDING_FEATURES, matrix.T, strict=True))


def _rank(number: ItemNumber | None) -> float:
    """How high headings with such a number usually are; MISSING where that differs."""
    if number is None or number.pattern.rank is None:
        return MISSING
    return number.pattern.rank


def _classes(style: Ints, columns: Mapping[str, Floats]) -> Ints:
    """The class of each heading, by style and number pattern; classes are numbered by first occurrence."""
    traits = (
        style.tolist(),
        columns["pattern"].tolist(),
        columns["caps"].tolist(),
        columns["contents_title"].tolist(),
    )
    known: dict[object, int] = {}
    return np.array([known.setdefault(alike, len(known)) for alike in zip(*traits, strict=True)], np.int64)


def _class_by_side(style_class: Ints, columns: Mapping[str, Floats]) -> Ints:
    """The class of each heading, split by its side of the page: centred, or at the left.

    A long heading may be either, and counts as most of its class do.
    """
    centred = columns["centred"] > 0
    is_short = (columns["lines"] < _MAX_LINES) & (columns["wide"] < _MAX_WIDTH)
    side = centred.astype(np.int64) - (~centred & is_short)  # 1 centred, -1 at the left, 0 either
    mostly_centred = np.bincount(style_class, side) > 0
    is_centred = np.where(side == 0, mostly_centred[style_class], centred)
    return 2 * style_class + is_centred


def _stack(columns: Mapping[str, Floats], names: Columns, count: int) -> Floats:
    chosen = [columns[name] for name in names]
    return np.ascontiguousarray(np.column_stack(chosen), np.float32).reshape(count, len(names))


def _table_columns(sizes: Floats, style_class: Ints) -> dict[str, Floats]:
    """Rank of the size, frequency of the class and order of its first occurrence."""
    rounded = np.round(sizes, 2)
    # Without `return_counts` numpy imports its masked arrays, which takes longer than a short document.
    known_sizes, _ = np.unique(rounded, return_counts=True)
    larger = len(known_sizes) - 1 - np.searchsorted(known_sizes, rounded)
    members = np.bincount(style_class)[style_class] if len(style_class) else np.zeros(0, np.float32)
    return {
        "size_rank": larger.astype(np.float32),
        "first_seen": style_class.astype(np.float32),
        "class_count": np.log(members),
        "row": np.arange(len(style_class), dtype=np.float32),
    }


def _text_before(objects: ObjectFeatures, chosen: Ints) -> Floats:
    """The number of characters between each heading and the one before it."""
    starts = objects.before[chosen]
    ends = starts + objects["length"][chosen]
    ends_before = np.zeros_like(ends)
    ends_before[1:] = ends[:-1]
    return np.maximum(0, starts - ends_before)


def _echoes(objects: ObjectFeatures, chosen: Ints, numbered: Bools) -> Bools:
    """Which headings repeat, without a number, the title of the heading before, or its beginning.

    They are the next object, or on the same page if the heading before has a number.
    """
    echoes = np.zeros(len(chosen), bool)
    # Each is of a heading and the next one: the last heading has none.
    touching = np.diff(chosen) == 1
    same_page = np.diff(objects["page"][chosen]) == 0
    is_near = touching | same_page & numbered[:-1]
    for row in np.flatnonzero(is_near & ~numbered[1:]).tolist():
        before, obj = chosen[row], chosen[row + 1]
        title = objects.keys[obj]
        titles_before = (objects.keys[before], objects.bare_keys[before])
        repeats = any(other.startswith(title) for other in titles_before)
        echoes[row + 1] = repeats and len(title) >= _MIN_ECHO_LENGTH
    return echoes


def _number_ids(numbers: Sequence[ItemNumber | None]) -> Ints:
    """The `_NumberIds` of each heading."""
    known: dict[object, int] = {}
    rows = [_ids_of(number, known) for number in numbers]
    return np.array(rows, np.int64).reshape(len(numbers), len(_NumberIds._fields))


def _ids_of(number: ItemNumber | None, known: dict[object, int]) -> _NumberIds:
    """The ids of one number; `known` has the ids assigned so far."""
    if number is None or not number.value:
        return _NumberIds()

    def name(*value: object) -> int:
        return known.setdefault(value, len(known))

    form, value, letter = number.form, number.value, has_letter(number)
    prefixes: list[int] = []
    if number.pattern.is_dotted:
        prefixes = [name(letter, value[:size]) for size in range(1, len(value))]
    first, second, third, fourth, *_ = (*prefixes, *_NO_PREFIXES)
    own = name(form, *value)
    found = _NumberIds(
        value=name(letter, value),
        right_above=prefixes[-1] if prefixes else _NOTHING,
        prefix_1=first,
        prefix_2=second,
        prefix_3=third,
        prefix_4=fourth,
        number=own,
        number_again=own,
        predecessor=name(form, *value[:-1], value[-1] - 1),
    )
    if not number.pattern.takes_insertions:
        return found
    if len(value) == 1:
        return found._replace(predecessor_any=name(form, value[0] - 1, "any"))
    if len(value) == 2:  # an inserted one, as 7A is
        found = found._replace(number_lettered=name(form, value[0], "any"))
        if value[1] == 1:
            found = found._replace(predecessor_lettered=name(form, value[0]))
    return found


def _entry_ids(objects: ObjectFeatures, chosen: Ints) -> Ints:
    """The `_EntryIds` of each heading."""
    listed = np.flatnonzero(objects["contents_entry"])
    entries = objects["contents_entry"][listed].astype(int).tolist()
    parents = dict(zip(entries, objects["contents_parent"][listed].astype(int).tolist(), strict=True))
    named = objects["contents_entry"][chosen].astype(int).tolist()
    rows = [_EntryIds()] * len(named)
    held: Sequence[int] = ()
    for row in range(len(named) - 1, -1, -1):
        entry = named[row]
        if entry:
            held = _entries_above(entry, parents)
        first, second, third, *_ = (*held, *_NO_PREFIXES)
        rows[row] = _EntryIds(entry or _NOBODY, first, second, third)
    return np.array(rows, np.int64).reshape(len(named), len(_EntryIds._fields))


def _entries_above(entry: int, parents: Mapping[int, int]) -> Sequence[int]:
    """The entries above one, from the nearest up, until one that names no object."""
    found: list[int] = []
    above = parents.get(entry, 0)
    while above and above not in found:
        found.append(above)
        above = parents.get(above, 0)
    return found


def _after(ids: Ints, starts: Floats) -> Ints:
    """For each row the next row whose number follows its own, before the list restarts; or NO_NEXT_ROW."""
    named = IDS.records(ids)
    own, before, form = named["number"].tolist(), named["predecessor"].tolist(), named["form"].tolist()
    waiting: dict[int, dict[int, int]] = {}  # by form: the rows ahead, by the number that they follow
    found = np.full(len(ids), NO_NEXT_ROW, np.int64)
    for row in range(len(ids) - 1, -1, -1):
        if own[row] == _NOBODY:
            continue
        ahead = waiting.setdefault(form[row], {})
        found[row] = ahead.get(own[row], NO_NEXT_ROW)
        if starts[row]:
            ahead.clear()
        else:
            ahead[before[row]] = row
    return found


def _between(style_class: Ints) -> Floats:
    """For two classes the share of neighbours of the first with a heading of the second between them."""
    capped = np.minimum(style_class, MAX_CLASSES - 1)
    count = class_counts(capped)
    used = len(count)
    table = np.zeros((MAX_CLASSES, MAX_CLASSES), np.float32)
    for own in range(used):
        rows = np.flatnonzero(capped == own)
        if len(rows) > 1:
            table[own, :used] = occurs_between(count, rows).mean(axis=1)
    return table
