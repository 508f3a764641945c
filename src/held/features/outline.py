"""The headings of a document as rows of numbers, ready to be compared pair by pair.

Relations between two headings (same look, number follows number, 1.2.3 under 1.2) become equalities of
precomputed ids, so that any number of pairs is compared by a few array operations. The style table says for
two classes of headings how often one of them stands between two of the other: what lies inside what.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from held.features.table import MISSING, Table
from held.features.texts import Floats
from held.features.titles import hashes_of
from held.numbering import ItemNumber, has_letter, pattern_id, resolve, starts_list

Ints = NDArray[np.int64]

IDS = (
    *("look", "form", "klass", "value", "immediate", "prefix_1", "prefix_2", "prefix_3", "prefix_4"),
    *("own", "own_again", "own_lettered", "before", "before_lettered", "before_any"),
)
VALUES = (
    *("size", "bold", "italic", "caps", "centred", "indent", "left", "contents_level", "log_length"),
    *("size_rank", "first_seen", "class_count", "number_depth", "number_last", "row", "page"),
)
OWN = (
    *("size", "bold", "caps", "centred", "pattern", "number_depth", "number_last", "starts_list"),
    *("in_contents", "contents_level", "log_length", "size_rank", "class_count", "first_seen"),
    *("heading_word", "cjk_share", "in_running_head", "gap_above", "top", "first_on_page", "text_before"),
    *("indent", "contents_entries", "contents_title", "rank"),
)
NEVER = 1_000_000_000
_CLASSES = 48  # rarer classes share the last place of the style table


@dataclass(frozen=True, slots=True)
class Outline:
    """A document's headings: a row each, in reading order.

    `between[a, b]` is the share of neighbouring headings of class a that have one of class b between them.
    `after` is the row of the heading with the next number, or NEVER; `titles` are hashes.
    """

    headings: tuple[int, ...]
    ids: Ints
    values: Floats
    own: Floats
    after: Ints
    between: Floats
    titles: NDArray[np.uint32]
    _rows: dict[int, int]

    def row(self, heading: int) -> int:
        """The row of a heading, given as an object."""
        return self._rows[heading]


def outline_of(table: Table, headings: Sequence[int]) -> Outline:
    """The outline that the tree step starts from."""
    chosen = np.array(headings, np.int64)
    numbers = resolve(table.numbers[h] for h in headings)
    form = np.array([table.form[h] if n is not None else 0 for h, n in zip(headings, numbers, strict=True)])
    look = table.look[chosen]
    pattern = np.array([pattern_id(n) for n in numbers], np.int64)
    caps, centred = table["caps"][chosen], table["centred"][chosen]
    contents = table["contents_title"][chosen]
    klass = _dense([*zip(look.tolist(), pattern.tolist(), caps.tolist(), contents.tolist(), strict=True)])
    columns = {name: column[chosen] for name, column in table.columns.items()}
    columns["rank"] = np.array([_rank(n) for n in numbers], np.float32)
    columns |= {"pattern": pattern.astype(np.float32), "caps": caps, "centred": centred}
    columns |= _table_columns(columns, klass)
    columns["text_before"] = np.log1p(_text_before(table, chosen))
    columns["starts_list"] = np.array([n is not None and starts_list(n) for n in numbers], np.float32)
    ids = np.column_stack([look, form, klass, _number_ids(numbers)]).reshape(len(chosen), len(IDS))
    return Outline(
        tuple(int(h) for h in headings),
        ids.astype(np.int64),
        _stack(columns, VALUES, len(chosen)),
        _stack(columns, OWN, len(chosen)),
        _after(ids, columns["starts_list"]),
        _between(klass),
        hashes_of(table)[chosen],
        {int(h): row for row, h in enumerate(headings)},
    )


def _rank(number: ItemNumber | None) -> float:
    """How high headings with such a number usually stand, MISSING where nothing is usual."""
    if number is None or number.pattern.rank is None:
        return MISSING
    return number.pattern.rank


def _stack(columns: dict[str, Floats], names: Sequence[str], count: int) -> Floats:
    return np.column_stack([columns[name] for name in names]).astype(np.float32).reshape(count, len(names))


def _dense(values: Sequence[object]) -> Ints:
    """Numbers for the values, in the order in which they are first seen."""
    known: dict[object, int] = {}
    return np.array([known.setdefault(value, len(known)) for value in values], np.int64)


def _table_columns(columns: dict[str, Floats], klass: Ints) -> dict[str, Floats]:
    """What the style table says of each heading: its size's rank, how common and how early its class is."""
    count = len(klass)
    weight = np.round(columns["size"], 2)
    sizes = np.unique(weight)
    size_rank = len(sizes) - 1 - np.searchsorted(sizes, weight)
    rows = np.arange(count)
    return {
        "size_rank": size_rank.astype(np.float32),
        "first_seen": klass.astype(np.float32),
        "class_count": np.log(np.bincount(klass)[klass]) if count else np.zeros(0, np.float32),
        "row": rows.astype(np.float32),
    }


def _text_before(table: Table, chosen: Ints) -> Floats:
    """How many characters stand between each heading and the one before it."""
    starts = table.before[chosen]
    ends = np.concatenate([[0], (starts + table["length"][chosen])[:-1]]) if len(chosen) else starts
    return np.maximum(0, starts - ends)


def _number_ids(numbers: Sequence[ItemNumber | None]) -> Ints:
    """The ids whose equality says how two numbers stand to each other; see IDS. Negative: never equal."""
    known: dict[object, int] = {}

    def name(value: object) -> int:
        return known.setdefault(value, len(known))

    width = len(IDS) - 3
    rows = []
    for n in numbers:
        if n is None or not n.value:
            rows.append([-1, *[-2] * 5, -1, -1, -1, *[-2] * 3])
            continue
        form, value, letter = n.form, n.value, has_letter(n)
        prefixes = [value[:k] for k in range(1, len(value))] if n.pattern.is_dotted else []
        known_prefixes = [name((letter, prefix)) for prefix in prefixes[:4]]
        lettered = n.pattern.takes_insertions
        inserted = lettered and len(value) == 2
        own = name((form, *value))
        rows.append(
            [
                name((letter, value)),
                name((letter, prefixes[-1])) if prefixes else -2,
                *(known_prefixes + [-2] * 4)[:4],
                *(own, own, name((form, value[0], "any")) if inserted else -1),
                name((form, *value[:-1], value[-1] - 1)),
                name((form, value[0])) if inserted and value[1] == 1 else -2,
                name((form, value[0] - 1, "any")) if lettered and len(value) == 1 else -2,
            ]
        )
    return np.array(rows, np.int64).reshape(len(numbers), width)


def _after(ids: Ints, starts: Floats) -> Ints:
    """For each row the next row whose number follows its own before its list starts anew, or NEVER."""
    own, before, form = IDS.index("own"), IDS.index("before"), IDS.index("form")
    waiting: dict[int, dict[int, int]] = {}
    found = np.full(len(ids), NEVER, np.int64)
    for row in range(len(ids) - 1, -1, -1):
        if ids[row, own] >= 0:
            ahead = waiting.setdefault(int(ids[row, form]), {})
            found[row] = ahead.get(int(ids[row, own]), NEVER)
            if starts[row]:
                ahead.clear()
            else:
                ahead[int(ids[row, before])] = row
    return found


def _between(klass: Ints) -> Floats:
    """For two classes the share of neighbours of the first with one of the second between them."""
    capped = np.minimum(klass, _CLASSES - 1)
    seen = np.zeros((_CLASSES, len(capped) + 1), np.int32)
    seen[capped, np.arange(1, len(capped) + 1)] = 1
    seen = seen.cumsum(axis=1)
    table = np.zeros((_CLASSES, _CLASSES), np.float32)
    for a in range(min(_CLASSES, int(capped.max(initial=-1)) + 1)):
        rows = np.flatnonzero(capped == a)
        if len(rows) > 1:
            table[a] = (seen[:, rows[1:]] > seen[:, rows[:-1] + 1]).mean(axis=1)
    return table
