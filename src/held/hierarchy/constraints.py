"""Placement constraints: positions of a heading that are hardly ever right, whatever a model scores them.

One table. An entry has a name, a reason, its evidence, and a predicate over candidate positions; where it is
violated, the score of the position (a log-odds) is lowered by the penalty. What the features of a position
already tell a model needs no entry. To add a constraint, write a predicate (`Candidates` below has an
example), an entry of CONSTRAINTS, and an example tree in tests/hierarchy/test_constraints.py. `python -m
research.ablation` measures what each entry is worth. `python -m research.ablation.evidence` counts its
evidence in 556 documents of train and valid: the insertions of true headings in which it marks a position,
and those in which it marks the true one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from enum import Enum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from held.headings import Bools, Floats, Ints
from held.headings.object_features import SAME_SIZE
from held.headings.text_features import COLLECTION, OPINION, STATEMENT
from held.hierarchy.comparisons import StackedHeadings
from held.hierarchy.heading_features import IDS, MAX_CLASSES, NO_NEXT_ROW, OWN, HeadingFeatures
from held.hierarchy.position_features import Positions
from held.numbering.patterns import ITEM, NOTE

FORBIDDEN = 6.0  # log-odds: leaves one in 400 of a position's odds
_OFTEN = 3  # times that a style stands right below another before they count as nested
_NESTED_FIRST_LATER = 3.0  # log-odds, where the inner style first occurs after the outer one
_NESTED_SEEN_BEFORE = 1.0  # log-odds, where the inner style also occurs elsewhere

_LISTED = (ITEM.id, NOTE.id)


class Candidates(NamedTuple):
    """The positions that predicates judge: N of them, one array element each.

    `obj` and `parent` are records with the fields of OWN: `c.obj["pattern"]` has the number patterns of the
    headings to insert (0: no number), `c.parent["pattern"]` those of the parents they would get. So "no
    numbered heading below one without a number" is

        is_numbered = c.obj["pattern"] > 0
        is_parent_numbered = c.parent["pattern"] > 0
        return np.asarray(is_numbered & ~is_parent_numbered & c.has_parent, bool)

    At the top level `parent` is meaningless: with scope POSITION a predicate masks it with `has_parent`; the
    other scopes do so by themselves.
    """

    at: Positions
    obj: NDArray[np.void]
    parent: NDArray[np.void]
    parent_row: Ints
    has_parent: Bools
    headings: StackedHeadings
    nesting: Floats | None  # (documents, classes, classes): see `nested_styles`; None where none are nested


class Scope(Enum):
    """Which positions violate a constraint, given the positions that its predicate marks.

    A marked position stands for its parent, a node of the rightmost branch. With the branch root > A > B and
    a mark on the position under A:

    POSITION   the position under A
    BELOW      the positions under A and under B: everything inside A
    CLOSES     the position under the root: a heading put there would close A
    """

    POSITION = "position"
    BELOW = "below"
    CLOSES = "closes"


ConstraintPredicate = Callable[[Candidates], Bools | Floats | None]
"""Marks positions, or nodes as parents of positions; None marks nothing. Scope POSITION allows weights."""


class Constraint(NamedTuple):
    """A constraint.

    name       as ablations and tests call it
    reason     why the position is wrong, in one sentence
    evidence   how many true positions violate it, in how many insertions in which it marks any
    penalty    log-odds that a violated position loses; FORBIDDEN where only a certain model may disagree
    scope      which positions a mark of the predicate means
    predicate  marks positions
    """

    name: str
    reason: str
    evidence: str
    penalty: float
    scope: Scope
    predicate: ConstraintPredicate


class ConstraintChecker:
    """Computes the penalties of positions in some documents."""

    def __init__(
        self,
        documents: Sequence[HeadingFeatures],
        headings: StackedHeadings,
        constraints: Sequence[Constraint],
    ) -> None:
        self._headings = headings
        self._constraints = constraints
        nesting = np.stack([nested_styles(document) for document in documents])
        self._nesting = nesting if nesting.any() else None

    def penalties(self, at: Positions) -> Floats:
        """The log-odds to subtract from the score of each position: 0 for most."""
        parent_row = at.nodes["parent"]
        candidates = Candidates(
            at,
            OWN.records(self._headings.own[at.obj]),
            OWN.records(self._headings.own[parent_row]),
            parent_row,
            np.asarray(parent_row >= 0, bool),
            self._headings,
            self._nesting,
        )
        marked = {scope: np.zeros(len(parent_row), bool) for scope in Scope}
        penalties = np.zeros(len(parent_row), np.float32)
        for constraint in self._constraints:
            found = constraint.predicate(candidates)
            if found is None:
                continue
            if constraint.penalty == FORBIDDEN:
                marked[constraint.scope] |= np.asarray(found, bool)
            else:
                violations = _violations(found, constraint.scope, candidates)
                penalties += np.asarray(constraint.penalty * violations, np.float32)
        # A position is forbidden once, however many constraints forbid it, so marks spread once per scope.
        forbidden = np.zeros(len(parent_row), bool)
        for scope, found in marked.items():
            forbidden |= np.asarray(_violations(found, scope, candidates), bool)
        return np.asarray(np.float32(FORBIDDEN) * forbidden + penalties, np.float32)


def _violations(marked: Bools | Floats, scope: Scope, candidates: Candidates) -> Bools | Floats:
    """The positions that violate a constraint of this scope; weights only with scope POSITION."""
    if scope is Scope.POSITION:
        return marked
    nodes = np.asarray(marked, bool) & candidates.has_parent
    spread = candidates.at.count_above(nodes) if scope is Scope.BELOW else candidates.at.count_closed(nodes)
    return np.asarray(spread > 0, bool)


def nested_styles(document: HeadingFeatures) -> Floats:
    """For two style classes the penalty for closing the first with a heading of the second; 0 for most.

    Where bold titles often have italic titles right below them, and never the other way round, an italic
    title after a bold one lies under it. Rare classes share the last index, and are never nested.
    """
    penalty = np.zeros((MAX_CLASSES, MAX_CLASSES), np.float32)
    headings = document.headings
    style_class = IDS.records(document.ids)["style_class"].tolist()
    count: Counter[tuple[int, int]] = Counter()  # of headings right below one of another class
    for row in range(len(headings) - 1):
        is_touching = headings[row] + 1 == headings[row + 1]
        if is_touching:
            count[style_class[row], style_class[row + 1]] += 1
    for (outer, inner), often in count.items():
        is_one_way = outer != inner and not count[inner, outer]
        is_rare_class = max(outer, inner) >= MAX_CLASSES - 1
        if often >= _OFTEN and is_one_way and not is_rare_class:
            # Classes are numbered in the order of their first headings.
            penalty[outer, inner] = _NESTED_FIRST_LATER if outer < inner else _NESTED_SEEN_BEFORE
    return penalty


def _statement_below_opinion(c: Candidates) -> Bools:
    """Marks an opinion or a statement as parent of another, or of the notes.

    Report of Independent Auditors       marked, if the object is "Notes to the Financial Statements"
      Basis for opinion
    """
    # A Chinese opinion may be the cover of the statements and the notes.
    is_english = c.obj["cjk_share"] == 0
    holds = np.isin(c.parent["title_kind"], (OPINION, STATEMENT))
    lies = np.isin(c.obj["title_kind"], (OPINION, STATEMENT, COLLECTION))
    return np.asarray(holds & lies & is_english, bool)


def _closes_numbered_list(c: Candidates) -> Bools:
    """Marks what holds a list of Items, Notes or collected numbers that goes on after the object.

    Part II                  the node that is marked, if the object is "Results"
      Item 7. Discussion     the last member so far
    Results                  has no number
    Item 8. Statements       the list goes on
    """
    pattern = c.parent["pattern"]
    below_collection = c.at.from_above(c.parent["title_kind"] == COLLECTION)
    is_collected = below_collection & (pattern > 0)
    is_member = np.isin(pattern, _LISTED) | is_collected
    next_member = c.headings.after[c.parent_row]
    comes_later = (next_member > c.at.obj) & (next_member < NO_NEXT_ROW)
    goes_on = is_member & c.has_parent & comes_later
    has_no_number = c.obj["pattern"] == 0
    return np.asarray(c.at.from_below(goes_on) & has_no_number, bool)


def _leaves_repeated_title(c: Candidates) -> Bools:
    """Marks all positions but the last, for a heading that repeats the one before it.

    Section 10 Financial report      marked, if the object is "Audit report"
      I. Audit report                not marked: the object lies below it
    """
    last_position = c.at.spread(c.at.ends)
    is_last = np.arange(len(c.at.obj)) == last_position
    repeats_heading_before = c.headings.echoes[c.at.obj]
    return np.asarray(repeats_heading_before & ~is_last, bool)


def _closes_outer_style(c: Candidates) -> Floats | None:
    """For each position the penalty of the outer styles it closes, at most the largest of the branch."""
    if c.nesting is None:
        return None
    headings, at = c.headings, c.at
    against = c.nesting[
        headings.document[at.obj], headings.style_class[c.parent_row], headings.style_class[at.obj]
    ]
    not_larger = c.obj["size"] <= c.parent["size"] + SAME_SIZE
    against = against * (not_larger & (c.obj["pattern"] == 0) & c.has_parent)
    closed = at.count_closed(against)
    most = at.spread(np.maximum.reduceat(against, at.starts))
    return np.asarray(np.minimum(closed, most), np.float32)


CONSTRAINTS = (
    Constraint(
        "statement below opinion",
        "In English financial reports opinions, statements and notes stand side by side.",
        "1 violation in 266 cases",
        FORBIDDEN,
        Scope.BELOW,
        _statement_below_opinion,
    ),
    Constraint(
        "closes a numbered list",
        "A title without a number does not close what holds a list of Items or Notes that goes on after it.",
        "4 violations in 2,792 cases",
        FORBIDDEN,
        Scope.CLOSES,
        _closes_numbered_list,
    ),
    Constraint(
        "leaves a repeated title",
        "A title that repeats the heading before it without a number lies under that heading.",
        "0 violations in 20 cases",
        FORBIDDEN,
        Scope.POSITION,
        _leaves_repeated_title,
    ),
    Constraint(
        "closes an outer style",
        "A title without a number closes no heading whose style often has its own style right below it.",
        "7 violations in 2,197 cases",
        1.0,  # the predicate gives 1 to 3 log-odds
        Scope.POSITION,
        _closes_outer_style,
    ),
)
