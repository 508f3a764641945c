"""The features of the tree step: an object against all positions of a branch, for many objects at once.

A position is seen through its parent, its last, last but one and first sibling, all compared with the
object, and through the whole branch: how many ancestors look like the object, and what a put would close.
The last sibling at a position is the next node of the branch, so each node is compared only once.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from held.features.columns import Columns
from held.features.comparisons import PAIR, SHORT, SOON, Rows, compare, follows, lies_under, stacked
from held.features.openers import opening
from held.features.outline import IDS, NEVER, OWN, Outline
from held.features.table import MISSING, SAME_SIZE
from held.features.texts import CLOSING, COLLECTION, FRONT_WORDS, OPINION, STATEMENT, Floats
from held.features.titles import hash_of
from held.numbering.patterns import (
    APPENDIX,
    ARTICLE,
    CHAPTER,
    CHINESE_ARTICLE,
    CHINESE_CHAPTER,
    CHINESE_PART,
    CHINESE_SECTION,
    ITEM,
    NOTE,
    PART,
    SECTION,
    SECTION_SIGN,
    SUBCHAPTER,
)
from held.tree import Position, Tree

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
_T = TypeVar("_T", bound=np.generic)

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

# A report's opinions, statements and notes stand in a row, whatever their looks say; a Chinese opinion may
# be the cover of all of them.
_IN_FRONT = (OPINION, STATEMENT)
_IN_A_ROW = (OPINION, STATEMENT, COLLECTION)

_PARTS = (PART.id, CHINESE_PART.id)
_HOLDERS = ((_PARTS, (CHAPTER.id, CHINESE_CHAPTER.id, ITEM.id)), ((CHAPTER.id,), (SUBCHAPTER.id,)))
"""What stays in what is open."""
# Of 4,967 such headings that outlines list none lies under a section (train and valid).
_ABOVE_SECTIONS = (*_PARTS, CHAPTER.id, SUBCHAPTER.id, CHINESE_CHAPTER.id, CHINESE_SECTION.id)
_SECTIONS = (SECTION.id, SECTION_SIGN.id, ARTICLE.id, NOTE.id, CHINESE_ARTICLE.id)
_LISTED = (ITEM.id, NOTE.id)
_FRONT = frozenset(hash_of(word) for word in FRONT_WORDS)

_SHORT = PAIR.span(SHORT[0], SHORT[-1])
_NEVER_RIGHT = 6.0  # what is taken off a score: one in 400 of what it was
_MOST_PLACES = 50_000  # positions that are remembered


class Ask(NamedTuple):
    """An object to compare with all positions of a tree's branch."""

    document: int
    tree: Tree
    obj: int


class _Place(NamedTuple):
    """The rows of a position's parent and of its last, first and last but one child, -1 for none."""

    parent: int
    last: int = -1
    first: int = -1
    second: int = -1
    children: int = 0  # how many there are


_PLACES = Columns(_Place._fields)


class Positions(NamedTuple):
    """The positions of all asks, one after another: N of them, of B branches.

    Rows count over all documents, and -1 is no heading.
    """

    obj: Ints  # (N,) the row of the object that is asked about
    places: NDArray[np.void]  # (N,) with the fields of _Place
    starts: Ints  # (B,) where each branch begins ...
    counts: Ints  # (B,) ... and how many positions it has

    @property
    def ends(self) -> Ints:
        return self.starts + self.counts - 1

    def spread(self, by_branch: NDArray[_T]) -> NDArray[_T]:
        """What holds for each branch, for each of its positions."""
        return np.repeat(by_branch, self.counts, axis=0)

    def above(self, marks: NDArray[Any]) -> NDArray[Any]:
        """What is marked up the branch, the position's own parent with it, counted or summed."""
        # Sums over a branch are differences of sums over all branches.
        running = np.cumsum(marks, axis=0)
        return np.asarray(running - self.spread(running[self.starts] - marks[self.starts]))

    def closed(self, marks: NDArray[Any]) -> NDArray[Any]:
        """What is marked further down the branch, counted or summed: what a put at each position closes."""
        running = np.cumsum(marks)
        return np.asarray(self.spread(running[self.ends]) - running)


class Outlines:
    """The outlines of some documents, stacked, so that one call compares objects of all of them."""

    def __init__(self, outlines: Sequence[Outline]) -> None:
        self._outlines = outlines
        self._rows = stacked(outlines)
        self._next = _next_features(self._rows)
        self._is_front = np.array([title in _FRONT for title in self._rows.titles.tolist()], bool)
        self._echoes = np.concatenate([outline.echoes for outline in outlines])
        self._is_exhibit = np.concatenate([outline.exhibits for outline in outlines])
        self._opening = np.stack([opening(outline) for outline in outlines])
        self._opens_nothing = not self._opening.any()  # as in most documents
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
        never = np.asarray(_NEVER_RIGHT * self._barred(at, rows), np.float32)
        return never if self._opens_nothing else never + self._closing(at)

    def _barred(self, at: Positions, rows: Floats) -> Bools:
        """Which positions are as good as never right.

        They lie under a heading that never has such a title below it, or within their own list, or close what
        holds a list that goes on, or put printed contents between a section and the next heading, which lies
        under it by its number, or take a title away from the one before it, which it repeats, or a chapter
        from its part, or what belongs to an exhibit from that.
        """
        seen = FEATURES.named(rows)
        parts_numbers = (seen["contents_title"] > 0) & (seen["closed_next_under"] > 0)
        wrong = parts_numbers | self._parts_list(at) | self._within_its_list(at) | self._under_wrong_title(at)
        wrong |= self._leaves_its_echo(at) | self._leaves_its_part(at) | self._mixes_exhibits(at)
        return np.asarray(wrong, bool)

    def _closing(self, at: Positions) -> Floats:
        """What speaks against positions that close a heading which objects such as this one open."""
        rows, parent = self._rows, at.places["parent"]
        object_own, parent_own = (OWN.named(rows.own[own]) for own in (at.obj, parent))
        against = self._opening[rows.document[at.obj], rows.klass[parent], rows.klass[at.obj]]
        not_larger = object_own["size"] <= parent_own["size"] + SAME_SIZE
        against = against * (not_larger & (object_own["pattern"] == 0) & (parent >= 0))
        # The last of the branch's headings that it opens is the one to stay open.
        closed = at.closed(against)
        # To close several of them is held against a position once.
        most = at.spread(np.maximum.reduceat(against, at.starts))
        return np.asarray(np.minimum(closed, most), np.float32)

    def _parts_list(self, at: Positions) -> Bools:
        """Which positions of an object without a number would close what holds a list that goes on after it.

        The list is one of Items or Notes, or numbered below a title such as "Notes to the accounts".
        """
        parent = at.places["parent"]
        object_own, parent_own = (OWN.named(self._rows.own[rows]) for rows in (at.obj, parent))
        is_collected = np.append(False, parent_own["title_kind"][:-1] == COLLECTION)
        is_collected[at.starts] = False
        is_listed = np.isin(parent_own["pattern"], _LISTED) | (is_collected & (parent_own["pattern"] > 0))
        its_next = self._rows.after[parent]
        goes_on = is_listed & (parent >= 0) & (its_next > at.obj) & (its_next < NEVER)
        # What holds a list stands one further up in the branch than the list's last member.
        holds = np.append(goes_on[1:], False)
        holds[at.ends] = False
        return np.asarray((at.closed(holds) > 0) & (object_own["pattern"] == 0), bool)

    def _within_its_list(self, at: Positions) -> Bools:
        """Which positions put an Item or a Note within another one.

        Of 2,504 that outlines list after another one is open, 7 lie in it: Items such as 1A in Item 1 (train
        and valid).
        """
        parent = at.places["parent"]
        object_own, parent_own = (OWN.named(self._rows.own[rows]) for rows in (at.obj, parent))
        is_listed = np.isin(object_own["pattern"], _LISTED) & (parent >= 0)
        return np.asarray(at.above(is_listed & (parent_own["pattern"] == object_own["pattern"])) > 0, bool)

    def _leaves_its_echo(self, at: Positions) -> Bools:
        """Which positions of a title that repeats the one before it are neither under that nor beside it.

        Of 54 such titles that outlines list, 51 lie under it and 1 beside it (train and valid).
        """
        from_the_end = at.spread(at.ends) - np.arange(len(at.obj))
        return np.asarray(self._echoes[at.obj] & (from_the_end > 1), bool)

    def _leaves_its_part(self, at: Positions) -> Bools:
        """Which positions put a chapter or an Item outside the part that is open, or what holds Items within.

        Of 1,391 chapters and Items that outlines list while a part is open, 1,389 lie in it, and all 302
        subchapters in the chapter that is; all 161 parts with an Item right below are at the top (train and
        valid).
        """
        leaves = np.zeros(len(at.obj), bool)
        object_own, parent_own = (OWN.named(self._rows.own[rows]) for rows in (at.obj, at.places["parent"]))
        for holders, held in _HOLDERS:
            is_open = np.isin(parent_own["pattern"], holders) & (at.places["parent"] >= 0)
            leaves |= (at.closed(is_open) > 0) & np.isin(object_own["pattern"], held)
        after, same_document = self._after(at.obj)
        next_is_item = (OWN.named(self._rows.own[after])["pattern"] == ITEM.id) & same_document
        holds_items = np.isin(object_own["pattern"], _PARTS) & next_is_item
        return np.asarray(leaves | (holds_items & (at.places["parent"] >= 0)), bool)

    def _mixes_exhibits(self, at: Positions) -> Bools:
        """Which positions put an exhibit of a filing below the top, or end one before the next begins.

        All 44 that outlines list stand at the top; what is listed after three of them lies below (train and
        valid). Parts, Items and appendices at the head of a page may end one.
        """
        if not self._is_exhibit.any():
            return np.zeros(len(at.obj), bool)
        parent, is_exhibit = at.places["parent"], self._is_exhibit[at.obj]
        own = OWN.named(self._rows.own[at.obj])
        is_appendix = (own["pattern"] == APPENDIX.id) & (own["first_on_page"] > 0)
        may_end = is_appendix | np.isin(own["pattern"], (*_PARTS, ITEM.id))
        ends_one = at.closed(self._is_exhibit[parent] & (parent >= 0)) > 0
        return np.asarray(np.where(is_exhibit, parent >= 0, ends_one & ~may_end), bool)

    def _under_wrong_title(self, at: Positions) -> Bools:
        """Which positions lie under a heading that never has the object's title below it."""
        objects, parents = (OWN.named(self._rows.own[rows]) for rows in (at.obj, at.places["parent"]))
        kind, its_kind = objects["title_kind"], parents["title_kind"]
        in_a_row = np.isin(its_kind, _IN_FRONT) & np.isin(kind, _IN_A_ROW) & (objects["cjk_share"] == 0)
        is_item = parents["pattern"] == ITEM.id
        closes = (kind == CLOSING) & ((its_kind == CLOSING) | is_item)
        is_contents = parents["contents_title"] > 0
        is_front = self._is_front[at.places["parent"]] & (parents["pattern"] == 0)
        numbered_in_front = is_front & (objects["pattern"] > 0)
        in_section = np.isin(parents["pattern"], _SECTIONS) & np.isin(objects["pattern"], _ABOVE_SECTIONS)
        bars = in_a_row | closes | is_contents | numbered_in_front | in_section
        bars &= at.places["parent"] >= 0
        return np.asarray(at.above(bars) > 0, bool)

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
                    place = seen[position] = tuple(_place(position, rows, start))
                places.append(place)
        count = np.array(counts)
        matrix = np.array(places, np.int64).reshape(-1, len(_PLACES))
        return Positions(
            obj=np.repeat(np.array(objects), count),
            places=_PLACES.named(matrix),
            starts=np.cumsum(count) - count,
            counts=count,
        )

    def _compare_each(self, obj: Ints, *others: Ints) -> list[Floats]:
        """PAIR of the objects with each of some headings: one comparison of all costs less than several."""
        objects = np.concatenate([obj] * len(others))
        compared = compare(self._rows, objects, np.concatenate(others))
        return np.split(compared, len(others))

    def _after(self, obj: Ints) -> tuple[Ints, Bools]:
        """The row after each object, and whether it is of the same document; the last row is its own next."""
        after = np.minimum(obj + 1, len(self._rows) - 1)
        same_document = self._rows.document[after] == self._rows.document[obj]
        return after, np.asarray(same_document, bool)

    def _lies_over_next(self, obj: Ints, parent: Ints) -> Bools:
        """Whether the heading after the object lies, by its number, under a position's parent."""
        after, same_document = self._after(obj)
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
        after, same_document = self._after(at.obj)
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


def _place(position: Position, rows: dict[int, int], start: int) -> _Place:
    """The place of a position among the rows of its document, which begin at `start`."""
    parent = -1 if position.parent < 0 else start + rows[position.parent]
    if position.first_child is None:
        return _Place(parent)
    kin = position.siblings(2)
    return _Place(
        parent,
        last=start + rows[kin[-1]],
        first=start + rows[position.first_child],
        second=start + rows[kin[0]] if len(kin) == 2 else -1,
        children=position.child_count,
    )
