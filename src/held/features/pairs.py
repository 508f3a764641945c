"""The features of the tree step: an object against all positions of a branch, for many objects at once.

A position is seen through its parent, its last, last but one and first sibling, all compared with the
object, and through the whole branch: how many ancestors look like the object, and what a put would close.
The last sibling at a position is the next node of the branch, so each node is compared only once.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from held.features.kinship import AT_ROOT, NOTHING, Kinship, kinship_features, parent_hashes
from held.features.outline import IDS, OWN, VALUES, Outline
from held.features.table import MISSING
from held.features.texts import Floats
from held.tree import Position, Tree

Ints = NDArray[np.int64]

_Place = tuple[int, int, int, int, int]
"""The rows of a position's parent, last, first and last but one sibling, -1 for none; how many siblings."""

_LOOK, _FORM, _KLASS, _VALUE, _IMMEDIATE = range(5)
_PREFIXES = slice(IDS.index("prefix_1"), IDS.index("prefix_4") + 1)
_OWN_IDS = slice(IDS.index("own"), IDS.index("own_lettered") + 1)
_BEFORE_IDS = slice(IDS.index("before"), IDS.index("before_any") + 1)
_DEPTH, _LAST, _SIZE = (VALUES.index(name) for name in ("number_depth", "number_last", "size"))
_CONTENTS = VALUES.index("contents_level")
_PATTERN, _ENTRY, _RANK = (OWN.index(name) for name in ("pattern", "in_contents", "rank"))
_WORDS = [OWN.index("heading_word"), _ENTRY, OWN.index("contents_title")]

PAIR = (
    *("same_look", "same_form", "same_class", "follows", "immediate", "prefix", "step"),
    *(f"{name}_over" for name in VALUES),
    *("between", "between_back", "its_pattern", "its_next"),
    *("its_word", "its_entry", "its_contents", "contents_step", "rank_step"),
)
_ITS_NEXT = PAIR.index("its_next")
_SOON = 50  # headings
_MOST_PLACES = 50_000  # positions that are remembered
SHORT = 7 + 8  # of first siblings fewer features are kept: relations and style
NEXT = (
    "next_same_look",
    "next_same_form",
    "next_follows",
    "next_under",
    "next_size",
    "next_starts",
    "next_rank",
)
CHAIN = ("look", "form", "klass", "larger", "smaller", "follows", "goes_on", "next_under")
PLACE = ("depth", "from_leaf", "branch", "children", "is_leaf", "next_follows_last", "next_like_last")
KIN = ("known_here", "known_share", "known_title", "known_elsewhere")
"""Features of a position that need no comparison with the object, and of the object after it."""


class Ask(NamedTuple):
    """An object to compare with all positions of a tree's branch."""

    document: int
    tree: Tree
    obj: int


FEATURES = (
    *(f"parent_{name}" for name in PAIR),
    *(f"last_{name}" for name in PAIR),
    *(f"first_{name}" for name in PAIR[:SHORT]),
    *(f"second_{name}" for name in PAIR[:SHORT]),
    *(f"previous_{name}" for name in PAIR[:SHORT]),
    *OWN,
    *NEXT,
    *(f"above_{name}" for name in CHAIN),
    *(f"closed_{name}" for name in CHAIN),
    *(f"branch_{name}" for name in CHAIN),
    *PLACE,
    *KIN,
)


class Outlines:
    """The outlines of some documents, stacked, so that one call compares objects of all of them."""

    def __init__(self, outlines: Sequence[Outline], known: Kinship = NOTHING, own: Kinship = NOTHING) -> None:
        self._outlines = outlines
        self._known, self._own_pairs = known, own
        self._titles = np.concatenate([outline.titles for outline in outlines])
        self._parents = np.append(parent_hashes(self._titles), np.uint32(AT_ROOT))  # row -1 is the root
        counts = [len(outline.headings) for outline in outlines]
        self._starts = np.concatenate([[0], np.cumsum(counts)]).astype(int).tolist()
        self._ids = np.concatenate([outline.ids for outline in outlines])
        self._values = np.concatenate([outline.values for outline in outlines])
        self._own = np.concatenate([outline.own for outline in outlines])
        starts = np.repeat(self._starts[:-1], counts)
        self._after = np.concatenate([outline.after for outline in outlines]) + starts
        self._between = np.stack([outline.between for outline in outlines])
        self._document = np.repeat(np.arange(len(outlines)), counts)
        classes = self._between.shape[-1]
        self._klass = np.minimum(self._ids[:, _KLASS], classes - 1)
        self._next = self._next_features()
        self._places_seen: dict[Position, _Place] = {}

    def features(self, asks: Sequence[Ask]) -> tuple[Floats, Ints]:
        """A row of FEATURES for each position of each ask, and how many positions each has."""
        if len(self._places_seen) > _MOST_PLACES:
            self._places_seen.clear()
        gathered = _Gathered(self._places_seen)
        for document, tree, obj in asks:
            gathered.add(tree, obj, self._outlines[document]._rows, self._starts[document])
        counts = np.array(gathered.counts)
        c = np.repeat(np.array(gathered.objects), counts)  # (N,) the object's row, for each position
        parent, last, first, second, children = np.array(gathered.places).reshape(-1, 5).T
        starts = np.cumsum(counts) - counts
        ends = starts + counts - 1
        compared = self._pairs(np.concatenate([c, c, c]), np.concatenate([parent, first, second]))
        parents, kin = compared[: len(c)], compared[len(c) :, :SHORT]
        lasts = np.full_like(parents, MISSING)
        lasts[:-1] = parents[1:]  # the last sibling is the next node of the branch
        lasts[ends] = MISSING
        previous = np.repeat(parents[ends, :SHORT], counts, axis=0)
        blocks = (
            *(parents, lasts, kin[: len(c)], kin[len(c) :], previous, self._own[c], self._next[c]),
            *self._chains(parents, self._over_next(c, parent), starts, counts),
            self._places(children, c, last, counts, starts),
            self._kin(c, parent, starts, counts),
        )
        return np.concatenate(blocks, axis=1, dtype=np.float32), counts

    def classes(self, document: int) -> dict[int, int]:
        """The class of each heading of a document."""
        outline = self._outlines[document]
        return dict(zip(outline.headings, outline.ids[:, _KLASS].tolist(), strict=True))

    def _pairs(self, c: Ints, x: Ints) -> Floats:
        """The object of row c compared with that of row x, PAIR for each; x is -1 where there is none."""
        out = np.empty((len(c), len(PAIR)), np.float32)
        ids, other = self._ids[c], self._ids[x]
        same = ids[:, : _KLASS + 1] == other[:, : _KLASS + 1]
        out[:, :3] = same
        numbered = ids[:, _FORM] > 0
        out[:, 1] *= numbered
        out[:, 3] = (other[:, _OWN_IDS] == ids[:, _BEFORE_IDS]).any(axis=1)
        out[:, 4] = other[:, _VALUE] == ids[:, _IMMEDIATE]
        out[:, 5] = (ids[:, _PREFIXES] == other[:, _VALUE, None]).any(axis=1)
        difference = self._values[c] - self._values[x]
        alike = same[:, _FORM] & numbered & (difference[:, _DEPTH] == 0)
        out[:, 6] = np.where(alike, difference[:, _LAST], MISSING)
        out[:, 7 : 7 + len(VALUES)] = difference
        document, klass, its = self._document[c], self._klass[c], self._klass[x]
        out[:, -9] = self._between[document, klass, its]
        out[:, -8] = self._between[document, its, klass]
        own = self._own[x]
        out[:, -7] = own[:, _PATTERN]
        out[:, _ITS_NEXT] = np.minimum(self._after[x] - c, _SOON)
        out[:, -5:-2] = own[:, _WORDS]
        mine = self._own[c]
        listed = (own[:, _ENTRY] > 0) & (mine[:, _ENTRY] > 0)
        out[:, -2] = np.where(listed, difference[:, _CONTENTS], MISSING)
        ranked = (own[:, _RANK] >= 0) & (mine[:, _RANK] >= 0)
        out[:, -1] = np.where(ranked, mine[:, _RANK] - own[:, _RANK], MISSING)
        out[x < 0] = MISSING
        return out

    def _over_next(self, c: Ints, parent: Ints) -> NDArray[np.bool_]:
        """Whether the heading after the object lies, by its number, under a position's parent."""
        after = np.minimum(c + 1, len(self._document) - 1)
        under = (self._ids[after, _PREFIXES] == self._ids[parent, _VALUE, None]).any(axis=1)
        goes_on = self._document[after] == self._document[c]
        return np.asarray(under & goes_on & (parent >= 0), bool)

    def _chains(
        self, parents: Floats, over_next: NDArray[np.bool_], starts: Ints, counts: Ints
    ) -> tuple[Floats, Floats, Floats]:
        """Along each branch: how many nodes above a position, below it and in all stand so to the object.

        A node goes on where its list of numbers does after the object: a put above it would break the list.
        """
        its_next = parents[:, _ITS_NEXT]
        size = parents[:, 7 + _SIZE]
        marks = np.column_stack(
            [
                *(parents[:, :3] == 1, (size < -0.01) & (size > MISSING), size > 0.01, parents[:, 3] == 1),
                *((its_next > 0) & (its_next < _SOON), over_next),
            ]
        ).astype(np.float32)
        running = np.cumsum(marks, axis=0)
        before = np.repeat(running[starts] - marks[starts], counts, axis=0)
        above = running - before
        total = np.repeat(above[starts + counts - 1], counts, axis=0)
        return above, total - above, total

    def _kin(self, c: Ints, parent: Ints, starts: Ints, counts: Ints) -> Floats:
        """KIN for each position: where other documents put this title."""
        found = kinship_features(self._titles[c], self._parents[parent], self._known, self._own_pairs)
        best = np.repeat(np.maximum.reduceat(found[:, 1], starts), counts)
        return np.column_stack([found, best - found[:, 1]])

    def _places(self, children: Ints, c: Ints, last: Ints, counts: Ints, starts: Ints) -> Floats:
        """PLACE for each position."""
        depth = np.arange(len(c)) - np.repeat(starts, counts)
        branch = np.repeat(counts, counts)
        after = np.minimum(c + 1, len(self._document) - 1)
        goes_on = (self._document[after] == self._document[c]) & (after > c) & (last >= 0)
        follows = (self._ids[last][:, _OWN_IDS] == self._ids[after][:, _BEFORE_IDS]).any(axis=1)
        alike = self._ids[last, _KLASS] == self._ids[after, _KLASS]
        return np.column_stack(
            [
                *(
                    depth,
                    branch - 1 - depth,
                    branch,
                    np.log1p(children),
                    depth == branch - 1,
                ),
                *(follows & goes_on, alike & goes_on),
            ]
        ).astype(np.float32)

    def _next_features(self) -> Floats:
        """NEXT for each row: the following heading as the object sees it."""
        rows = np.arange(len(self._document))
        if not len(rows):
            return np.zeros((0, len(NEXT)), np.float32)
        after = np.minimum(rows + 1, len(rows) - 1)
        pairs = self._pairs(after, rows)
        starts = self._own[after, OWN.index("starts_list")]
        rank = pairs[:, 7 + VALUES.index("size_rank")]
        found = np.column_stack(
            [pairs[:, 0], pairs[:, 1], pairs[:, 3], pairs[:, 5], pairs[:, 7], starts, rank]
        )
        found[(self._document[after] != self._document) | (after == rows)] = MISSING
        return found.astype(np.float32)


class _Gathered:
    """The rows that the positions of some asks refer to, as plain lists."""

    def __init__(self, known: dict[Position, _Place]) -> None:
        self.counts: list[int] = []
        self.objects: list[int] = []
        self.places: list[_Place] = []
        self._known = known

    def add(self, tree: Tree, obj: int, rows: dict[int, int], start: int) -> None:
        self.counts.append(len(tree.positions))
        self.objects.append(start + rows[obj])
        for position in tree.positions:
            place = self._known.get(position)
            if place is None:
                place = self._known[position] = _place(position, rows, start)
            self.places.append(place)


def _place(position: Position, rows: dict[int, int], start: int) -> _Place:
    parent = -1 if position.parent < 0 else start + rows[position.parent]
    if position.first_child is None:
        return parent, -1, -1, -1, 0
    kin = position.siblings(2)
    second = start + rows[kin[0]] if len(kin) == 2 else -1
    first, last = start + rows[position.first_child], start + rows[kin[-1]]
    return parent, last, first, second, position.child_count
