"""The features of the tree step: an object against all positions of a branch, for many objects at once.

A position is seen through its parent, its last, last but one and first sibling, all compared with the
object, and through the whole branch: how many ancestors look like the object, and what a put would close.
The last sibling at a position is the next node of the branch, so each node is compared only once.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from held.headings.columns import Columns
from held.headings.object_features import MISSING, SAME_SIZE
from held.headings.texts import COLLECTION, Floats
from held.hierarchy.comparisons import PAIR, SHORT, SOON, Rows, compare, follows, lies_under, stacked
from held.hierarchy.constraints import Bars
from held.hierarchy.heading_features import IDS, OWN, HeadingFeatures
from held.hierarchy.positions import PLACES, Ask, Positions, place_of
from held.tree import Position

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

NEXT = Columns(
    (
        "next_same_look",
        "next_same_form",
        "next_follows",
        "next_under",
        "next_size",
        "next_starts",
        "next_rank",
    )
)
"""The heading after the object, as the object sees it."""
CHAIN = Columns(
    (
        "look",
        "form",
        "klass",
        "aligned",
        "larger",
        "smaller",
        "follows",
        "goes_on",
        "next_under",
        "holds",
        "collects",
    )
)
"""How nodes of a branch stand to the object; they are counted above a position, below it and in all."""
PLACE = Columns(
    ("depth", "from_leaf", "branch", "children", "is_leaf", "next_follows_last", "next_like_last")
)
"""The position itself, and how its last child suits the heading after the object."""

_BLOCKS = {
    "parent": PAIR.prefixed("parent"),
    "last": PAIR.prefixed("last"),
    "first": SHORT.prefixed("first"),
    "second": SHORT.prefixed("second"),
    "previous": SHORT.prefixed("previous"),
    "own": OWN,
    "next": NEXT,
    "above": CHAIN.prefixed("above"),
    "closed": CHAIN.prefixed("closed"),
    "branch": CHAIN.prefixed("branch"),
    "place": PLACE,
}
FEATURES = Columns(name for block in _BLOCKS.values() for name in block)
"""What the tree step sees of an object at a position, in the order that the models know."""

_SHORT = PAIR.span(SHORT[0], SHORT[-1])
_MOST_PLACES = 50_000  # positions that are remembered


class PositionFeatures:
    """The outlines of some documents, stacked, so that one call compares objects of all of them."""

    def __init__(self, outlines: Sequence[HeadingFeatures]) -> None:
        self._outlines = outlines
        self._rows = stacked(outlines)
        self._next = _next_features(self._rows)
        self._bars = Bars(outlines, self._rows)
        self._places_seen: dict[Position, tuple[int, ...]] = {}

    def features(self, asks: Sequence[Ask]) -> tuple[Floats, Ints]:
        """A row of FEATURES for each position of each ask, and how many positions each has."""
        at = self.positions(asks)
        return self.features_at(at), at.counts

    def features_at(self, at: Positions) -> Floats:
        """A row of FEATURES for each position."""
        parent = at.places["parent"]
        parents, firsts, seconds = self._compare_each(at.obj, parent, at.places["first"], at.places["second"])
        above, closed, branch = _chains(parents, self._lies_over_next(at.obj, parent), at)
        blocks = {
            "parent": parents,
            "last": _lasts(parents, at),
            "first": firsts[:, _SHORT],
            "second": seconds[:, _SHORT],
            "previous": at.spread(parents[at.ends, _SHORT]),
            "own": self._rows.own[at.obj],
            "next": self._next[at.obj],
            "above": above,
            "closed": closed,
            "branch": branch,
            "place": self._places(at),
        }
        in_order = [blocks[name] for name in _BLOCKS]
        return np.concatenate(in_order, axis=1, dtype=np.float32)

    def penalties(self, at: Positions, rows: Floats) -> Floats:
        """What is to be taken off the score of each position, given their FEATURES: 0 for most."""
        seen = FEATURES.named(rows)
        parts_numbers = (seen["contents_title"] > 0) & (seen["closed_next_under"] > 0)
        return self._bars.penalties(at, parts_numbers)

    def classes(self, document: int) -> dict[int, int]:
        """The class of each heading of a document."""
        outline = self._outlines[document]
        klass = IDS.named(outline.ids)["klass"]
        return dict(zip(outline.headings, klass.tolist(), strict=True))

    def positions(self, asks: Sequence[Ask]) -> Positions:
        """The positions of all asks. Those of a branch seldom change, so they are remembered."""
        seen = self._places_seen
        if len(seen) > _MOST_PLACES:
            seen.clear()
        objects: list[int] = []
        counts: list[int] = []
        places: list[tuple[int, ...]] = []
        for document, tree, obj in asks:
            rows, start = self._outlines[document]._rows, self._rows.starts[document]
            objects.append(start + rows[obj])
            counts.append(len(tree.positions))
            for position in tree.positions:
                place = seen.get(position)
                if place is None:
                    # Arrays are made of plain tuples in half the time.
                    place = seen[position] = tuple(place_of(position, rows, start))
                places.append(place)
        count = np.array(counts)
        matrix = np.array(places, np.int64).reshape(-1, len(PLACES))
        return Positions(
            obj=np.repeat(np.array(objects), count),
            places=PLACES.named(matrix),
            starts=np.cumsum(count) - count,
            counts=count,
        )

    def _compare_each(self, obj: Ints, *others: Ints) -> list[Floats]:
        """PAIR of the objects with each of some headings: one comparison of all costs less than several."""
        objects = np.concatenate([obj] * len(others))
        compared = compare(self._rows, objects, np.concatenate(others))
        return np.split(compared, len(others))

    def _lies_over_next(self, obj: Ints, parent: Ints) -> Bools:
        """Whether the heading after the object lies, by its number, under a position's parent."""
        after, same_document = self._rows.next_of(obj)
        under = lies_under(self._rows.ids[after], self._rows.ids[parent])
        return np.asarray(under & same_document & (parent >= 0), bool)

    def _places(self, at: Positions) -> Floats:
        """PLACE for each position."""
        matrix = PLACE.empty(len(at.obj))
        place = PLACE.named(matrix)
        depth = np.arange(len(at.obj)) - at.spread(at.starts)
        branch = at.spread(at.counts)
        place["depth"] = depth
        place["from_leaf"] = branch - 1 - depth
        place["branch"] = branch
        place["children"] = np.log1p(at.places["children"])
        place["is_leaf"] = depth == branch - 1
        last = at.places["last"]
        after, same_document = self._rows.next_of(at.obj)
        goes_on = same_document & (after > at.obj) & (last >= 0)
        after_ids, last_ids = self._rows.ids[after], self._rows.ids[last]
        same_class = IDS.named(last_ids)["klass"] == IDS.named(after_ids)["klass"]
        place["next_follows_last"] = follows(after_ids, last_ids) & goes_on
        place["next_like_last"] = same_class & goes_on
        return matrix


def _lasts(parents: Floats, at: Positions) -> Floats:
    """PAIR of each object with a position's last child: the next node of the branch, none at the leaf."""
    lasts = np.empty_like(parents)
    lasts[:-1] = parents[1:]
    lasts[at.ends] = MISSING
    return lasts


def _chains(parents: Floats, lies_over_next: Bools, at: Positions) -> tuple[Floats, Floats, Floats]:
    """CHAIN for each position: how many nodes above it, below it and in all stand so to the object.

    A node goes on where its list of numbers does after the object: a put above it would break the list.
    """
    pair = PAIR.named(parents)
    smaller_by = pair["size_over"]
    its_next = pair["its_next"]
    marks = CHAIN.empty(len(parents))
    mark = CHAIN.named(marks)
    mark["look"] = pair["same_look"] == 1
    mark["form"] = pair["same_form"] == 1
    mark["klass"] = pair["same_class"] == 1
    mark["aligned"] = pair["same_aligned"] == 1
    mark["larger"] = (smaller_by < -SAME_SIZE) & (smaller_by > MISSING)
    mark["smaller"] = smaller_by > SAME_SIZE
    mark["follows"] = pair["follows"] == 1
    mark["goes_on"] = (its_next > 0) & (its_next < SOON)
    mark["next_under"] = lies_over_next
    mark["holds"] = pair["holds"] == 1
    mark["collects"] = pair["its_kind"] == COLLECTION
    above = at.above(marks)
    in_all = at.spread(above[at.ends])
    return above, in_all - above, in_all


def _next_features(rows: Rows) -> Floats:
    """NEXT for each row: the following heading as the object sees it."""
    matrix = NEXT.empty(len(rows))
    if not len(rows):
        return matrix
    own_rows = np.arange(len(rows))
    after = np.minimum(own_rows + 1, len(rows) - 1)
    pair = PAIR.named(compare(rows, after, own_rows))
    following = NEXT.named(matrix)
    following["next_same_look"] = pair["same_look"]
    following["next_same_form"] = pair["same_form"]
    following["next_follows"] = pair["follows"]
    following["next_under"] = pair["prefix"]
    following["next_size"] = pair["size_over"]
    following["next_starts"] = OWN.named(rows.own)["starts_list"][after]
    following["next_rank"] = pair["size_rank_over"]
    is_last = (rows.document[after] != rows.document) | (after == own_rows)
    matrix[is_last] = MISSING
    return matrix
