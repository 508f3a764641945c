"""The features of the tree step: a heading against all positions of a branch, for many headings at once.

A position is compared through its parent and its last, last but one and first child, and through the whole
branch: how many ancestors are set like the heading, and what inserting it here would close. The last child at
a position is the next node of the branch, so each node is compared only once.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from held.headings import Bools, Columns, Floats, Ints
from held.headings.object_features import MISSING, SAME_SIZE
from held.headings.text_features import COLLECTION
from held.hierarchy.comparisons import (
    PAIR,
    SECTION_PAIR,
    SHORT,
    SOON,
    StackedHeadings,
    compare,
    compare_sections,
    follows,
    lies_under,
    stack_headings,
)
from held.hierarchy.heading_features import IDS, OWN, HeadingFeatures
from held.hierarchy.insertion import Question
from held.hierarchy.section_features import ENTRY, SECTION
from held.tree import Position

_T = TypeVar("_T", bound=np.generic)


class PositionNodes(NamedTuple):
    """The rows of a position's parent and of some of its children, -1 for none.

    `numbered` is the last child with a number, `other_numbered` the last one with a number of another form.
    """

    parent: int
    last: int = -1
    first: int = -1
    second: int = -1
    children: int = 0  # how many there are
    numbered: int = -1
    other_numbered: int = -1


NODES = Columns(PositionNodes._fields)


class Positions(NamedTuple):
    """The positions that some questions are about, as arrays: N positions of B branches, in order.

    Rows count over the headings of all documents, and -1 is no heading. Two questions, about heading 7 with a
    branch of three nodes and about heading 9 with a branch of two:

        obj      7  7  7  9  9
        parent  -1  4  6 -1  8      of `nodes`: the branch from the root down
        starts   0        3
        counts   3        2
    """

    obj: Ints  # (N,) the row of the heading to insert
    nodes: NDArray[np.void]  # (N,) with the fields of PositionNodes
    starts: Ints  # (B,) the first position of each branch ...
    counts: Ints  # (B,) ... and the number of its positions

    @property
    def ends(self) -> Ints:
        """The last position of each branch."""
        return self.starts + self.counts - 1

    def spread(self, by_branch: NDArray[_T]) -> NDArray[_T]:
        """The value of each branch, repeated for each of its positions."""
        return np.repeat(by_branch, self.counts, axis=0)

    def count_above(self, marks: NDArray[Any]) -> NDArray[Any]:
        """The number, or sum, of marks up the branch: [0 1 1] becomes [0 1 2]."""
        # Sums over a branch are differences of sums over all branches.
        running = np.cumsum(marks, axis=0)
        return np.asarray(running - self.spread(running[self.starts] - marks[self.starts]))

    def count_closed(self, marks: NDArray[Any]) -> NDArray[Any]:
        """The number, or sum, of marks further down the branch, which an insertion closes.

        [0 1 1] becomes [2 1 0].
        """
        running = np.cumsum(marks)
        return np.asarray(self.spread(running[self.ends]) - running)

    def from_above(self, marks: Bools) -> Bools:
        """The mark of the position one further up, False at the root: [a b c] becomes [False a b]."""
        shifted = np.empty_like(marks)
        shifted[1:] = marks[:-1]
        shifted[self.starts] = False
        return shifted

    def from_below(self, marks: Bools) -> Bools:
        """The mark of the position one further down, False at the leaf: [a b c] becomes [b c False]."""
        shifted = np.empty_like(marks)
        shifted[:-1] = marks[1:]
        shifted[self.ends] = False
        return shifted


NEXT = Columns(
    (
        "next_same_style",
        "next_same_form",
        "next_follows",  # its number comes after that of the heading to insert
        "next_under",  # its dotted number lies under it
        "next_size",  # how much larger it is, in body sizes
        "next_starts",  # its number starts a list
        "next_rank",  # how many sizes of headings lie between them
    )
)
"""The heading after the one to insert, compared with it."""
CHAIN = Columns(
    (
        "same_style",
        "same_form",
        "same_class",
        "same_side",
        "larger",
        "smaller",
        "follows",  # the heading's number comes right after the node's
        "goes_on",  # the node's list goes on after the heading
        "next_under",  # the number of the heading after this one lies under the node's
        "must_stay_open",  # by the printed contents
        "collects",  # a title such as "Notes to the financial statements"
    )
)
"""Relations of a branch's nodes to the heading; counted above a position, below it and in all."""
PLACE = Columns(
    (
        "depth",  # nodes above the position, without the root
        "from_leaf",  # nodes that an insertion here would close
        "branch",  # positions of the branch
        "children",  # of the position's parent, as a logarithm
        "is_leaf",  # an insertion here would close nothing
        "next_follows_last",  # the number of the heading after this one comes after that of the last child
        "next_like_last",  # the heading after this one is of the last child's class
    )
)
"""The position itself, and whether its last child goes with the heading after the one to insert."""
COUNTER = Columns(
    (
        "continues",
        "counter_step",
        "counter_age",
        "counter_next",
        "restarts_counter",
        "opens_counter",
        "continues_above",
        "continues_below",
    )
)
"""The number of a heading against the lists that are open at a position.

continues             it is the next one after that of the last numbered child, or of the last one before
                      that whose number has another form
counter_step          by how much it exceeds that child's, if both have one form
counter_age           headings since that child, as a logarithm
counter_next          headings until the last numbered child's list goes on
restarts_counter      it starts a list where there is one of its form, opens_counter: where there is none
continues_above       positions further up whose list it continues; continues_below: further down
"""
RUNNING = Columns(("above_running", "closed_running", "closed_running_here"))
"""How many nodes above a position, or below it, have a title that runs at the head of later pages; `here`
counts those also that run on the heading's own page and no later."""

_BLOCKS = {
    "parent": PAIR.with_prefix("parent"),
    "last": PAIR.with_prefix("last"),
    "first": SHORT.with_prefix("first"),
    "second": SHORT.with_prefix("second"),
    "previous": SHORT.with_prefix("previous"),
    "own": OWN,
    "next": NEXT,
    "above": CHAIN.with_prefix("above"),
    "closed": CHAIN.with_prefix("closed"),
    "branch": CHAIN.with_prefix("branch"),
    "place": PLACE,
    "section": SECTION,
    "entry": ENTRY,
    "parent_section": SECTION_PAIR.with_prefix("parent"),
    "last_section": SECTION_PAIR.with_prefix("last"),
    "counter": COUNTER,
    "running": RUNNING,
}
FEATURES = Columns(name for block in _BLOCKS.values() for name in block)
"""The features of a heading at a position, in the order that the weights were trained on."""

_SHORT = PAIR.span(SHORT[0], SHORT[-1])
_MAX_SIBLINGS_BACK = 40  # among which the last numbered child is looked for
_MAX_CACHED_POSITIONS = 50_000  # bounds the memory of a long search


class PositionFeatures:
    """The headings of some documents, stacked, so that one call compares headings of all of them."""

    def __init__(self, documents: Sequence[HeadingFeatures]) -> None:
        self._documents = documents
        self.headings = stack_headings(documents)
        self._next = _next_features(self.headings)
        self._forms = [IDS.records(document.ids)["form"].tolist() for document in documents]
        self._nodes: dict[Position, tuple[int, ...]] = {}  # of positions that were asked about before

    def features(self, questions: Sequence[Question]) -> tuple[Floats, Ints]:
        """A row of FEATURES for each position of each branch, and how many positions each branch has."""
        at = self.positions(questions)
        return self.features_at(at), at.counts

    def features_at(self, at: Positions) -> Floats:
        """A row of FEATURES for each position."""
        parent = at.nodes["parent"]
        parents, firsts, seconds = self._compare_each(at.obj, parent, at.nodes["first"], at.nodes["second"])
        above, closed, branch = _chains(parents, self._next_lies_under(at.obj, parent), at)
        parent_sections = compare_sections(self.headings, at.obj, parent)
        blocks = {
            "parent": parents,
            "last": _lasts(parents, at),
            "first": firsts[:, _SHORT],
            "second": seconds[:, _SHORT],
            "previous": at.spread(parents[at.ends, _SHORT]),
            "own": self.headings.own[at.obj],
            "next": self._next[at.obj],
            "above": above,
            "closed": closed,
            "branch": branch,
            "place": self._place_features(at),
            "section": self.headings.section[at.obj],
            "entry": self.headings.entry[at.obj],
            "parent_section": parent_sections,
            "last_section": _lasts(parent_sections, at),
            "counter": self._counter_features(at),
            "running": _running_features(parent_sections, at),
        }
        in_order = [blocks[name] for name in _BLOCKS]
        return np.concatenate(in_order, axis=1, dtype=np.float32)

    def kinds(self, document: int) -> dict[int, int]:
        """The style class of each heading of a document."""
        features = self._documents[document]
        style_class = IDS.records(features.ids)["style_class"]
        return dict(zip(features.headings, style_class.tolist(), strict=True))

    def positions(self, questions: Sequence[Question]) -> Positions:
        """All positions of the branches that the questions are about."""
        # Most positions of a branch stay the same from one heading to the next, so their nodes are cached.
        cached = self._nodes
        if len(cached) > _MAX_CACHED_POSITIONS:
            cached.clear()
        objects: list[int] = []
        counts: list[int] = []
        nodes: list[tuple[int, ...]] = []
        for document, tree, obj, _ in questions:
            features, start = self._documents[document], self.headings.starts[document]
            objects.append(start + features.row(obj))
            counts.append(len(tree.positions))
            for position in tree.positions:
                own = cached.get(position)
                if own is None:
                    # numpy converts plain tuples twice as fast as named ones.
                    own = cached[position] = tuple(_nodes(position, features, self._forms[document], start))
                nodes.append(own)
        count = np.array(counts)
        matrix = np.array(nodes, np.int64).reshape(-1, len(NODES))
        return Positions(
            obj=np.repeat(np.array(objects), count),
            nodes=NODES.records(matrix),
            starts=np.cumsum(count) - count,
            counts=count,
        )

    def _compare_each(self, obj: Ints, *others: Ints) -> list[Floats]:
        """PAIR of the headings with each of several others; one comparison of all costs less than several."""
        objects = np.concatenate([obj] * len(others))
        compared = compare(self.headings, objects, np.concatenate(others))
        return np.split(compared, len(others))

    def _next_lies_under(self, obj: Ints, parent: Ints) -> Bools:
        """Whether the next heading lies, by its number, under the parent of a position."""
        after, same_document = self.headings.next_of(obj)
        under = lies_under(self.headings.ids[after], self.headings.ids[parent])
        return np.asarray(under & same_document & (parent >= 0), bool)

    def _place_features(self, at: Positions) -> Floats:
        """PLACE for each position."""
        matrix = PLACE.empty(len(at.obj))
        place = PLACE.records(matrix)
        depth = np.arange(len(at.obj)) - at.spread(at.starts)  # 0 1 2 0 1 for branches of three and two
        branch = at.spread(at.counts)
        place["depth"] = depth
        place["from_leaf"] = branch - 1 - depth
        place["branch"] = branch
        place["children"] = np.log1p(at.nodes["children"])
        place["is_leaf"] = depth == branch - 1
        last = at.nodes["last"]
        after, same_document = self.headings.next_of(at.obj)
        goes_on = same_document & (after > at.obj) & (last >= 0)
        after_ids, last_ids = self.headings.ids[after], self.headings.ids[last]
        same_class = IDS.records(last_ids)["style_class"] == IDS.records(after_ids)["style_class"]
        place["next_follows_last"] = follows(after_ids, last_ids) & goes_on
        place["next_like_last"] = same_class & goes_on
        return matrix

    def _counter_features(self, at: Positions) -> Floats:
        """COUNTER for each position."""
        matrix = COUNTER.empty(len(at.obj))
        counter = COUNTER.records(matrix)
        rows, obj = self.headings, at.obj
        # The last numbered child of each position's parent, and the last one with a number of another form.
        numbered = at.nodes["numbered"]
        other = at.nodes["other_numbered"]
        has_numbered = numbered >= 0
        has_other = other >= 0
        ids = rows.ids[obj]
        follows_numbered = follows(ids, rows.ids[numbered]) & has_numbered
        follows_other = follows(ids, rows.ids[other]) & has_other
        continues = follows_numbered | follows_other
        form = IDS.records(rows.ids)["form"]
        is_numbered = form[obj] > 0
        like_numbered = is_numbered & has_numbered & (form[numbered] == form[obj])
        like_other = is_numbered & has_other & (form[other] == form[obj])
        # The last child whose number has the form of the heading's own: (b) for (c), though 3. came between.
        fellow = np.where(like_numbered, numbered, other)
        has_fellow = like_numbered | like_other
        own = OWN.records(rows.own)
        last = own["number_last"]
        step = last[obj] - last[fellow]
        headings_since = np.maximum(obj - fellow, 0)
        until_next = np.clip(rows.after[numbered] - obj, 0, SOON)
        starts = own["starts_list"][obj] > 0
        counter["continues"] = continues
        counter["counter_step"] = np.where(has_fellow, step, MISSING)
        counter["counter_age"] = np.where(has_fellow, np.log1p(headings_since), MISSING)
        counter["counter_next"] = np.where(has_numbered, until_next, MISSING)
        counter["restarts_counter"] = starts & has_fellow
        counter["opens_counter"] = starts & ~has_fellow
        count = continues.astype(np.int64)
        counter["continues_above"] = at.count_above(count) - continues
        counter["continues_below"] = at.count_closed(count)
        return matrix


def _nodes(position: Position, features: HeadingFeatures, forms: Sequence[int], start: int) -> PositionNodes:
    """The nodes around a position, as rows; those of its document begin at `start`."""
    parent = -1 if position.parent < 0 else start + features.row(position.parent)
    if position.first_child is None:
        return PositionNodes(parent)
    siblings = [features.row(sibling) for sibling in position.siblings(_MAX_SIBLINGS_BACK)]
    numbered = [row for row in reversed(siblings) if forms[row]]
    others = (row for row in numbered if forms[row] != forms[numbered[0]])
    other = next(others, None)
    return PositionNodes(
        parent,
        last=start + siblings[-1],
        first=start + features.row(position.first_child),
        second=start + siblings[-2] if len(siblings) > 1 else -1,
        children=position.child_count,
        numbered=start + numbered[0] if numbered else -1,
        other_numbered=-1 if other is None else start + other,
    )


def _lasts(parents: Floats, at: Positions) -> Floats:
    """PAIR with a position's last child: that of the next node of the branch, MISSING at the leaf."""
    lasts = np.empty_like(parents)
    lasts[:-1] = parents[1:]
    lasts[at.ends] = MISSING
    return lasts


def _chains(parents: Floats, lies_over_next: Bools, at: Positions) -> tuple[Floats, Floats, Floats]:
    """CHAIN for each position: how many nodes above it, below it and in all have each relation."""
    pair = PAIR.records(parents)
    smaller_by = pair["size_over"]
    its_next = pair["its_next"]
    marks = CHAIN.empty(len(parents))
    mark = CHAIN.records(marks)
    mark["same_style"] = pair["same_style"] == 1
    mark["same_form"] = pair["same_form"] == 1
    mark["same_class"] = pair["same_class"] == 1
    mark["same_side"] = pair["same_side"] == 1
    mark["larger"] = (smaller_by < -SAME_SIZE) & (smaller_by > MISSING)
    mark["smaller"] = smaller_by > SAME_SIZE
    mark["follows"] = pair["follows"] == 1
    # The list of such a node goes on after the heading; an insertion above the node would break the list.
    mark["goes_on"] = (its_next > 0) & (its_next < SOON)
    mark["next_under"] = lies_over_next
    mark["must_stay_open"] = pair["must_stay_open"] == 1
    mark["collects"] = pair["its_kind"] == COLLECTION
    above = at.count_above(marks)
    in_all = at.spread(above[at.ends])
    return above, in_all - above, in_all


def _running_features(parent_sections: Floats, at: Positions) -> Floats:
    """RUNNING for each position."""
    matrix = RUNNING.empty(len(at.obj))
    running = RUNNING.records(matrix)
    past = SECTION_PAIR.records(parent_sections)["runs_past"]
    runs_on = (past > 0).astype(np.int64)
    runs_here = ((past == 0) | (past > 0)).astype(np.int64)
    running["above_running"] = at.count_above(runs_on)
    running["closed_running"] = at.count_closed(runs_on)
    running["closed_running_here"] = at.count_closed(runs_here)
    return matrix


def _next_features(rows: StackedHeadings) -> Floats:
    """NEXT for each row."""
    matrix = NEXT.empty(len(rows))
    if not len(rows):
        return matrix
    own_rows = np.arange(len(rows))
    after = np.minimum(own_rows + 1, len(rows) - 1)  # the last row has itself, and is MISSING in the end
    pair = PAIR.records(compare(rows, after, own_rows))
    following = NEXT.records(matrix)
    following["next_same_style"] = pair["same_style"]
    following["next_same_form"] = pair["same_form"]
    following["next_follows"] = pair["follows"]
    following["next_under"] = pair["number_under"]
    following["next_size"] = pair["size_over"]
    following["next_starts"] = OWN.records(rows.own)["starts_list"][after]
    following["next_rank"] = pair["size_rank_over"]
    is_last = (rows.document[after] != rows.document) | (after == own_rows)
    matrix[is_last] = MISSING
    return matrix
