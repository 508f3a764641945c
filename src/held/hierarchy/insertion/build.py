"""From objects to the tree: one-step, where every object is inserted, and two-step, where headings are.

Many documents are advanced together; one document is a list of one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from held.hierarchy.insertion.batched_search import advance_together
from held.hierarchy.insertion.places import Parents, Places, given_places
from held.hierarchy.insertion.scorer import HasKinds, Scorer
from held.hierarchy.insertion.search import Alternatives, Found, search
from held.hierarchy.insertion.speculative import Draft
from held.hierarchy.insertion.strategy import Strategy
from held.tree import ROOT, Tree

_GREEDY = Strategy()
_TOGETHER = 32
_CALL = 10.0
"""What a call of a scorer costs however little it is asked, in questions: measured with both presets."""


@dataclass(frozen=True, slots=True)
class Insertion:
    """A tree and how it came about.

    An inquiry is one position scored, in all candidates of a beam; `wasted` ones followed a wrong guess, were
    not needed and come on top. `confidence` has the probability of the
    chosen position for every object that was inserted; those that a rule hung under their heading have none.
    `alternatives` has the other parents of those objects that might have got another one.
    """

    tree: Tree
    inquiries: int
    log_probability: float
    confidence: Mapping[int, float]
    alternatives: Mapping[int, Alternatives] = field(default_factory=dict)
    wasted: int = field(default=0, compare=False)


def build(
    objects: Sequence[int],
    scorer: Scorer,
    strategy: Strategy = _GREEDY,
    *,
    fixed: Parents | None = None,
) -> Insertion:
    """The tree of the objects of the scorer's only document; `fixed` has the parents that are given."""
    return build_many([objects], scorer, strategy, fixed=[fixed or {}])[0]


def build_many(
    documents: Sequence[Sequence[int]],
    scorer: Scorer,
    strategy: Strategy = _GREEDY,
    *,
    fixed: Sequence[Parents] | None = None,
    together: int = _TOGETHER,
) -> list[Insertion]:
    """The trees of several documents, given as the indices of the objects to insert, in reading order.

    `fixed` has for each document the parents of the objects whose place is given: these are put there with a
    probability of 1, and the rest is inserted around them.
    """
    call = _CALL / max(1, min(together, len(documents)))  # each document's part of it
    parents = fixed or [{} for _ in documents]
    all_places = [given_places(*given) for given in zip(documents, parents, strict=True)]
    searches = (
        search(document, objects, strategy, _draft(document, scorer, call, places), places=places)
        for document, (objects, places) in enumerate(zip(documents, all_places, strict=True))
    )
    found = advance_together(searches, scorer, together=together)
    return [_insertion(*pair) for pair in zip(found, all_places, strict=True)]


def _insertion(found: Found, places: Places) -> Insertion:
    state, inquiries, wasted = found
    certain = dict.fromkeys(places.parents, 1.0)
    confidence = {**state.confidence(), **certain}
    return Insertion(state.tree, inquiries, state.log_probability, confidence, state.alternatives(), wasted)


def _draft(document: int, scorer: Scorer, call: float, places: Places) -> Draft | None:
    """The draft of a document if the scorer knows kinds of objects, and so gains by being asked ahead."""
    return Draft(scorer.kinds(document), call=call, places=places) if isinstance(scorer, HasKinds) else None


def two_step_many(
    headings: Sequence[Sequence[int]],
    object_counts: Sequence[int],
    scorer: Scorer,
    strategy: Strategy = _GREEDY,
    *,
    together: int = _TOGETHER,
) -> list[Insertion]:
    """The trees of several documents whose headings are known: these are inserted, the rest is hung below."""
    insertions = build_many(headings, scorer, strategy, together=together)
    return [
        replace(insertion, tree=attach_body(insertion.tree, count))
        for insertion, count in zip(insertions, object_counts, strict=True)
    ]


def attach_body(headings: Tree, object_count: int) -> Tree:
    """The tree of all objects: each that is no heading hangs under the last heading, or else the root."""
    heading_parents = headings.parents()
    parents: dict[int, int] = {}
    last_heading = ROOT
    for obj in range(object_count):
        parents[obj] = heading_parents.get(obj, last_heading)
        if obj in heading_parents:
            last_heading = obj
    return Tree.from_parents(parents)
