"""What the models say of valid's headings, and what is true of them."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from held.corpus.store import LabelledDocument, truth
from held.hierarchy.insertion import Alternatives, attach_body
from held.hierarchy.pipeline import HeadingSource, HeadingTree, TreeOptions, insert_headings, score_headings
from held.metrics import Label, Prediction, faults
from held.tree import ROOT


class Judged(NamedTuple):
    """A heading that was found: the scores of both steps, and whether they were right.

    `place_is_right` says that it is a heading and hangs under its true parent. Where it does not, `reachable`
    says that the true parent was on the branch, and `parent_score` what it got there. `half` splits the
    documents by their groups. `dragged` counts the paths that are wrong because of this heading.
    """

    domain: str
    half: int
    heading_score: float
    place_score: float
    is_heading: bool
    place_is_right: bool
    reachable: bool = True
    parent_score: float = 0.0
    dragged: int = 0


def judge(documents: Iterable[LabelledDocument], model: str) -> list[Judged]:
    """All headings that the model finds in the documents, but for those of which the truth is unknown."""
    found: list[Judged] = []
    for count, labelled in enumerate(documents, start=1):
        options = TreeOptions(model=model, headings=HeadingSource.FOUND)
        (scored,) = insert_headings(score_headings([labelled.document], options), options)
        found += _judge(labelled, scored)
        print(f"\r{count} documents, {len(found)} headings", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return found


def _judge(labelled: LabelledDocument, scored: HeadingTree) -> Iterator[Judged]:
    unknown = {obj for obj, label in enumerate(labelled.labels) if label is Label.UNKNOWN}
    true_parents = _true_parents(labelled)
    insertion, paths = scored.insertion, scored.insertion.tree.paths()
    parents = insertion.tree.without(unknown).parents()
    half = hashlib.sha256(labelled.group.encode()).digest()[0] % 2
    branch: tuple[int, ...] = ()
    dragged = _dragged(labelled, scored)
    for heading, score in scored.headings.items():
        parent = true_parents.get(heading)
        is_heading = labelled.labels[heading] is Label.HEADING
        if heading not in unknown:
            yield Judged(
                labelled.domain,
                half,
                score,
                insertion.confidence[heading],
                is_heading,
                is_heading and parents[heading] == parent,
                parent in (ROOT, *branch),
                _score_of(parent, insertion.alternatives.get(heading, ())),
                dragged.get(heading, 0),
            )
        branch = paths[heading]


def _dragged(labelled: LabelledDocument, scored: HeadingTree) -> dict[int, int]:
    """How many paths each wrong heading drags along."""
    whole = attach_body(scored.insertion.tree, len(labelled.labels))
    shown = Prediction(whole, frozenset(scored.headings))
    found = faults(truth(labelled), shown)
    return {fault.obj: len(fault.dragged) for fault in found if fault.obj is not None}


def _true_parents(labelled: LabelledDocument) -> dict[int, int | None]:
    """The true parent of each object that is not unknown; None where it was recognised as no object."""
    known = truth(labelled)
    objects = known.predicted_objects(None)
    parents = known.tree.without(known.unknown).parents()
    return {
        objects[node]: ROOT if parent == ROOT else objects.get(parent)
        for node, parent in parents.items()
        if node in objects
    }


def _score_of(parent: int | None, alternatives: Alternatives) -> float:
    return next((other.probability for other in alternatives if other.parent == parent), 0.0)
