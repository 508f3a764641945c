"""What the paths of trees are lost to: the first wrong step on the way down to each object, and its kind.

An outline is one opinion of a document. Some kinds of loss are no error that a page could show: headings that
no page prints, sections that do not lie under the chapter whose number they bear, a title beside its numbered
chapters here and above them there. They are counted apart from headings missed, false ones and
all the rest.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from research.trees.data import Case

from held.hierarchy.comparisons import lies_under
from held.hierarchy.heading_features import HeadingFeatures, heading_features
from held.hierarchy.insertion import Insertion
from held.metrics import Truth
from held.metrics.trees import right_nodes
from held.tree import ROOT, attach_body

RIGHT: Final = "right"
UNPRINTED: Final = "a heading that no object has"
NUMBERS: Final = "the outline is against the numbers"
TITLE: Final = "a title above numbered chapters, or beside them"
PARTS: Final = "a part above its chapters, or beside them"
STATEMENTS: Final = "statements, notes and what closes a filing"
MISSED: Final = "a heading missed"
FALSE: Final = "a false heading"
OTHER: Final = "another wrong place"
KINDS = (UNPRINTED, NUMBERS, TITLE, PARTS, STATEMENTS, MISSED, FALSE, OTHER)
"""All kinds; those of the outline's own choice come first."""
_PART_RANK = 0


@dataclass(frozen=True)
class _Judged:
    """A document's tree beside the true one; nodes are those of the truth, objects those of the document."""

    case: Case
    parents: Mapping[int, int]  # of nodes
    put: Mapping[int, int]  # the parents of objects, as they were found
    headings: frozenset[int]  # objects
    object_of: Mapping[int, int]
    right: frozenset[int]  # nodes

    @cached_property
    def outline(self) -> HeadingFeatures:
        """The headings that were found, as the tree step sees them."""
        return heading_features(self.case.known.table, sorted(self.headings))


def causes(cases: Sequence[Case], found: Sequence[Insertion]) -> dict[str, Counter[str]]:
    """By domain how many paths each kind of loss has cost, and how many are right."""
    counted: dict[str, Counter[str]] = {}
    for case, insertion in zip(cases, found, strict=True):
        counted.setdefault(case.domain, Counter()).update(causes_of(case, insertion))
    return counted


def causes_of(case: Case, insertion: Insertion) -> Counter[str]:
    """How many paths of a document each kind of loss has cost."""
    judged = _judge_insertion(case, insertion)
    pathless = case.truth.pathless
    first: dict[int, int] = {}  # of each wrong node the first wrong one above it, or itself
    counted: Counter[str] = Counter()
    kinds: dict[int, str] = {}
    for node, parent in judged.parents.items():
        if node not in judged.right:
            first[node] = first.get(parent, node)
            if first[node] == node:
                kinds[node] = _kind(judged, node)
        if node not in pathless:
            counted[kinds[first[node]] if node in first else RIGHT] += 1
    return counted


def markdown(counted: Mapping[str, Counter[str]]) -> str:
    """A table: of all paths of a domain the share that is right, and that each kind of loss has cost."""
    lines = [f"| share of the paths | {' | '.join(counted)} |", "| --- |" + " --- |" * len(counted)]
    for kind in (RIGHT, *KINDS):
        shares = (f"{own[kind] / own.total():.3f}".lstrip("0") for own in counted.values())
        lines.append(f"| {kind} | {' | '.join(shares)} |")
    return "\n".join(lines)


def _judge_insertion(case: Case, insertion: Insertion) -> _Judged:
    truth: Truth = case.truth
    object_of = truth.predicted_objects(None)
    known = truth.tree.without(truth.unknown)
    whole = attach_body(insertion.tree, len(case.known.labels))
    shown = whole.without({object_of[node] for node in truth.unknown if node in object_of})
    return _Judged(
        case,
        known.parents(),
        shown.parents(),
        frozenset(insertion.tree.objects()),
        object_of,
        frozenset(right_nodes(known, shown, object_of)),
    )


def _kind(judged: _Judged, node: int) -> str:
    """What a node was lost to whose parent is in its right place."""
    parent, obj = judged.parents[node], judged.object_of.get(node)
    if obj is None:
        return UNPRINTED
    expected = ROOT if parent == ROOT else judged.object_of[parent]
    if (node in judged.case.truth.headings and obj not in judged.headings) or (
        expected != ROOT and expected not in judged.headings
    ):
        return MISSED
    put = judged.put[obj]
    if put != ROOT and judged.case.known.labels[put] == 0:
        return FALSE
    return _choice(judged, obj, put, expected) if obj in judged.headings else OTHER


def _choice(judged: _Judged, obj: int, put: int, expected: int) -> str:
    """Whether a heading's place is one of those that outlines choose as they like."""
    table = judged.case.known.table
    if put != ROOT and _lies_under(judged, obj, put):
        return NUMBERS
    for holder, outer in ((put, expected), (expected, put)):
        # In one of the trees it lies under the holder, in the other beside it.
        if holder != ROOT and judged.put[holder] == outer:
            number = table.numbers[holder]
            if number is None and outer == ROOT and table.numbers[obj] is not None:
                return TITLE
            if number is not None and number.pattern.rank == _PART_RANK:
                return PARTS
    if judged.case.domain == "en_fin" and table["title_kind"][obj]:
        return STATEMENTS
    return OTHER


def _lies_under(judged: _Judged, obj: int, other: int) -> bool:
    ids, row = judged.outline.ids, judged.outline.row
    return bool(lies_under(ids[[row(obj)]], ids[[row(other)]])[0])
