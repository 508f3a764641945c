"""The headings of a document as rows of numbers, ready to be compared pair by pair.

Relations between two headings (same look, number follows number, 1.2.3 under 1.2) become equalities of
precomputed ids, so that any number of pairs is compared by a few array operations. The style table says for
two classes of headings how often one of them stands between two of the other: what lies inside what.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from held.headings.columns import Columns, Floats
from held.headings.known_titles import hashes_of
from held.headings.object_features import MISSING, ObjectFeatures
from held.numbering import ItemNumber, has_letter, pattern_id, resolve_letters, starts_list

Ints = NDArray[np.int64]

# Ids that equal none of the other side: a heading without a number must neither follow nor lead another, so
# what is looked for and what it is looked for among have different ones.
_NOBODY = -1
_NOTHING = -2


class _NumberIds(NamedTuple):
    """The ids whose equality says how two numbers stand to each other.

    `value` is the number itself, `immediate` what it lies right under, `prefix_…` all that it lies under,
    from the top. One follows another if any of its `before…` is the other's `own…` in the same place: 8
    follows 7, 7A (an inserted one) follows 7, and 8 follows 7A.
    """

    value: int = _NOBODY
    immediate: int = _NOTHING
    prefix_1: int = _NOTHING
    prefix_2: int = _NOTHING
    prefix_3: int = _NOTHING
    prefix_4: int = _NOTHING
    own: int = _NOBODY
    own_again: int = _NOBODY
    own_lettered: int = _NOBODY
    before: int = _NOTHING
    before_lettered: int = _NOTHING
    before_any: int = _NOTHING


class _EntryIds(NamedTuple):
    """The ids whose equality says how the printed contents nest two headings.

    `entry` is the entry that names a heading; `held_…` are the entries above that of the next heading that
    is listed, itself included, from the nearest up: what must still be open when that one comes.
    """

    entry: int = _NOBODY
    held_1: int = _NOTHING
    held_2: int = _NOTHING
    held_3: int = _NOTHING


IDS = Columns(("look", "form", "klass", "aligned", *_NumberIds._fields, *_EntryIds._fields))
"""What is equal or not: how a heading is set, its number's form, both together, and at which side it stands,
number and entry."""
PREFIXES = IDS.span("prefix_1", "prefix_4")
HELD = IDS.span("held_1", "held_3")
OWN_IDS = IDS.span("own", "own_lettered")
BEFORE_IDS = IDS.span("before", "before_any")
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
    )
)
"""What is compared by its difference."""
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
    )
)
"""What is seen of a heading itself."""
NEVER = 1_000_000_000
_EXHIBIT = re.compile(r"exhibit\d+")
_SHORTEST_ECHO = 2  # characters: Chinese titles may have no more
_MANY_LINES, _NARROW = 2, 0.42  # a share of the page: what is longer would look the same at either side
CLASSES = 48  # rarer classes share the last place of the style table


@dataclass(frozen=True, slots=True)
class HeadingFeatures:
    """A document's headings: a row each, in reading order.

    `between[a, b]` is the share of neighbouring headings of class a that have one of class b between them.
    `after` is the row of the heading with the next number, or NEVER; `titles` are hashes; `echoes` are those
    that say again what the heading before them says, `exhibits` the marks of a filing's exhibits.
    """

    headings: tuple[int, ...]
    ids: Ints
    values: Floats
    own: Floats
    after: Ints
    between: Floats
    titles: NDArray[np.uint32]
    echoes: NDArray[np.bool_]
    exhibits: NDArray[np.bool_]
    _rows: dict[int, int]

    def row(self, heading: int) -> int:
        """The row of a heading, given as an object."""
        return self._rows[heading]


def heading_features(table: ObjectFeatures, headings: Sequence[int]) -> HeadingFeatures:
    """The outline that the tree step starts from."""
    chosen = np.array(headings, np.int64)
    numbers = resolve_letters(table.numbers[h] for h in headings)
    columns = {name: column[chosen] for name, column in table.columns.items()}
    columns |= _number_columns(numbers)
    look = table.style[chosen]
    klass = _classes(look, columns)
    columns |= _table_columns(columns["size"], klass)
    columns["text_before"] = np.log1p(_text_before(table, chosen))
    numbered = np.array([number is not None for number in numbers], bool)
    form = np.where(numbered, table.form[chosen], 0)
    entries = _entry_ids(table, chosen)
    id_columns = np.column_stack([look, form, klass, _aligned(klass, columns), _number_ids(numbers), entries])
    ids = np.ascontiguousarray(id_columns, np.int64).reshape(len(chosen), len(IDS))
    return HeadingFeatures(
        headings=tuple(int(h) for h in headings),
        ids=ids,
        values=_stack(columns, VALUES, len(chosen)),
        own=_stack(columns, OWN, len(chosen)),
        after=_after(ids, columns["starts_list"]),
        between=_between(klass),
        titles=hashes_of(table)[chosen],
        echoes=_echoes(table, chosen, numbered),
        exhibits=_exhibits(table, chosen),
        _rows={int(h): row for row, h in enumerate(headings)},
    )


def _number_columns(numbers: Sequence[ItemNumber | None]) -> dict[str, Floats]:
    """What the numbers say, now that the list of headings has settled their lone letters."""
    return {
        "pattern": np.array([pattern_id(n) for n in numbers], np.float32),
        "rank": np.array([_rank(n) for n in numbers], np.float32),
        "starts_list": np.array([n is not None and starts_list(n) for n in numbers], np.float32),
    }


def _rank(number: ItemNumber | None) -> float:
    """How high headings with such a number usually stand, MISSING where nothing is usual."""
    if number is None or number.pattern.rank is None:
        return MISSING
    return number.pattern.rank


def _classes(look: Ints, columns: Mapping[str, Floats]) -> Ints:
    """The class of each heading: those set and numbered alike share one, counted as they are first seen."""
    traits = (
        look.tolist(),
        columns["pattern"].tolist(),
        columns["caps"].tolist(),
        columns["contents_title"].tolist(),
    )
    known: dict[object, int] = {}
    return np.array([known.setdefault(alike, len(known)) for alike in zip(*traits, strict=True)], np.int64)


def _aligned(klass: Ints, columns: Mapping[str, Floats]) -> Ints:
    """The class of each heading, told apart by the side: some are centred, others begin at the left.

    A long one may be either, and counts as most of its class do.
    """
    centred = columns["centred"] > 0
    at_left = ~centred & (columns["lines"] < _MANY_LINES) & (columns["wide"] < _NARROW)
    side = centred.astype(np.int64) - at_left
    usual = np.bincount(klass, side, minlength=1) > 0 if len(klass) else np.zeros(1, bool)
    return 2 * klass + np.where(side == 0, usual[klass], centred)


def _stack(columns: Mapping[str, Floats], names: Columns, count: int) -> Floats:
    chosen = [columns[name] for name in names]
    return np.ascontiguousarray(np.column_stack(chosen), np.float32).reshape(count, len(names))


def _table_columns(sizes: Floats, klass: Ints) -> dict[str, Floats]:
    """What the style table says of each heading: its size's rank, how common and how early its class is."""
    rounded = np.round(sizes, 2)
    # With counts, for without them numpy imports its masked arrays, which takes longer than a short document.
    known_sizes, _ = np.unique(rounded, return_counts=True)
    larger = len(known_sizes) - 1 - np.searchsorted(known_sizes, rounded)
    members = np.bincount(klass)[klass] if len(klass) else np.zeros(0, np.float32)
    return {
        "size_rank": larger.astype(np.float32),
        "first_seen": klass.astype(np.float32),
        "class_count": np.log(members),
        "row": np.arange(len(klass), dtype=np.float32),
    }


def _text_before(table: ObjectFeatures, chosen: Ints) -> Floats:
    """How many characters stand between each heading and the one before it."""
    starts = table.before[chosen]
    ends = starts + table["length"][chosen]
    ends_before = np.zeros_like(ends)
    ends_before[1:] = ends[:-1]
    return np.maximum(0, starts - ends_before)


def _exhibits(table: ObjectFeatures, chosen: Ints) -> NDArray[np.bool_]:
    """Which headings mark an exhibit: "Exhibit 10.1", and no more, at the head of a page."""
    is_head = table["first_on_page"][chosen] > 0
    is_mark = [_EXHIBIT.fullmatch(table.keys[h]) is not None for h in chosen.tolist()]
    return np.asarray(is_head & np.array(is_mark, bool), bool)


def _echoes(table: ObjectFeatures, chosen: Ints, numbered: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Which headings repeat, without a number, the title of the one before, or its beginning.

    They stand right below it, or on the same page where that has a number: without one, further down, two
    titles of the same words may well stand side by side.
    """
    found = np.zeros(len(chosen), bool)
    touching, same_page = np.diff(chosen) == 1, np.diff(table["page"][chosen]) == 0
    near = (touching | same_page & numbered[:-1]) & ~numbered[1:]
    for row in np.flatnonzero(near).tolist():
        before, own = chosen[row], table.keys[chosen[row + 1]]
        titles = (table.keys[before], table.bare_keys[before])
        found[row + 1] = len(own) >= _SHORTEST_ECHO and any(title.startswith(own) for title in titles)
    return found


def _number_ids(numbers: Sequence[ItemNumber | None]) -> Ints:
    """The number's part of IDS for each heading."""
    known: dict[object, int] = {}
    rows = [_ids_of(number, known) for number in numbers]
    return np.array(rows, np.int64).reshape(len(numbers), len(_NumberIds._fields))


def _ids_of(number: ItemNumber | None, known: dict[object, int]) -> _NumberIds:
    """The ids of one number; `known` are those given so far."""
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
        immediate=prefixes[-1] if prefixes else _NOTHING,
        prefix_1=first,
        prefix_2=second,
        prefix_3=third,
        prefix_4=fourth,
        own=own,
        own_again=own,
        before=name(form, *value[:-1], value[-1] - 1),
    )
    if not number.pattern.takes_insertions:
        return found
    if len(value) == 1:
        return found._replace(before_any=name(form, value[0] - 1, "any"))
    if len(value) == 2:  # an inserted one, as 7A is
        found = found._replace(own_lettered=name(form, value[0], "any"))
        if value[1] == 1:
            found = found._replace(before_lettered=name(form, value[0]))
    return found


def _entry_ids(table: ObjectFeatures, chosen: Ints) -> Ints:
    """The contents' part of IDS for each heading."""
    listed = np.flatnonzero(table["contents_entry"])
    entries = table["contents_entry"][listed].astype(int).tolist()
    parents = dict(zip(entries, table["contents_parent"][listed].astype(int).tolist(), strict=True))
    named = table["contents_entry"][chosen].astype(int).tolist()
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
    """The entries above one, from the nearest up; an entry that names no object ends them."""
    found: list[int] = []
    above = parents.get(entry, 0)
    while above and above not in found:
        found.append(above)
        above = parents.get(above, 0)
    return found


def _after(ids: Ints, starts: Floats) -> Ints:
    """For each row the next row whose number follows its own before its list starts anew, or NEVER."""
    named = IDS.named(ids)
    own, before, form = named["own"].tolist(), named["before"].tolist(), named["form"].tolist()
    waiting: dict[int, dict[int, int]] = {}  # by form: the rows ahead, by the number that they follow
    found = np.full(len(ids), NEVER, np.int64)
    for row in range(len(ids) - 1, -1, -1):
        if own[row] == _NOBODY:
            continue
        ahead = waiting.setdefault(form[row], {})
        found[row] = ahead.get(own[row], NEVER)
        if starts[row]:
            ahead.clear()
        else:
            ahead[before[row]] = row
    return found


def _between(klass: Ints) -> Floats:
    """For two classes the share of neighbours of the first with one of the second between them."""
    capped = np.minimum(klass, CLASSES - 1)
    used = int(capped.max(initial=-1)) + 1
    # seen[b, row] is how many headings of class b stand before a row, so that a difference of two columns
    # tells whether any stands between two rows.
    seen = np.zeros((used, len(capped) + 1), np.int32)
    seen[capped, np.arange(1, len(capped) + 1)] = 1
    seen = seen.cumsum(axis=1, dtype=np.int32)
    table = np.zeros((CLASSES, CLASSES), np.float32)
    for a in range(used):
        rows = np.flatnonzero(capped == a)
        if len(rows) > 1:
            before, after = seen[:, rows[:-1] + 1], seen[:, rows[1:]]
            table[a, :used] = (after > before).mean(axis=1)
    return table
