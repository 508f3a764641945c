"""The headings that a model finds in labelled documents: the scores of both steps, and the truth."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from held.corpus.store import LabelledDocument, truth
from held.hierarchy.insertion import Alternatives
from held.hierarchy.pipeline import HeadingSource, HeadingTree, TreeOptions, insert_headings, score_headings
from held.metrics import Label, Prediction, faults
from held.tree import ROOT, attach_body


class ScoredHeading(NamedTuple):
    """A heading that a model found: the scores of both steps, and whether they were right.

    half            which half of the documents it belongs to; groups are not split
    place_score     by the check of the finished tree; insertion_score: by the insertion alone
    place_is_right  whether it is a heading under its true parent
    reachable       whether its true parent was on the branch
    parent_score    the score of its true parent, if it was put under another one
    dragged         number of paths that are wrong because of this heading
    """

    domain: str
    half: int
    heading_score: float
    place_score: float
    is_heading: bool
    place_is_right: bool
    insertion_score: float = 0.0
    reachable: bool = True
    parent_score: float = 0.0
    dragged: int = 0


def score_documents(documents: Iterable[LabelledDocument], model: str) -> list[ScoredHeading]:
    """The headings that a model finds in the documents, without those whose truth is unknown."""
    headings: list[ScoredHeading] = []
    for count, labelled in enumerate(documents, start=1):
        options = TreeOptions(model=model, headings=HeadingSource.FOUND)
        (scored,) = insert_headings(score_headings([labelled.document], options), options)
        headings += _score_document(labelled, scored)
        print(f"\r{count} documents, {len(headings)} headings", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return headings


def _score_document(labelled: LabelledDocument, scored: HeadingTree) -> Iterator[ScoredHeading]:
    unknown = {obj for obj, label in enumerate(labelled.labels) if label is Label.UNKNOWN}
    true_parents = _true_parents(labelled)
    insertion, paths = scored.insertion, scored.insertion.tree.paths()
    parents = insertion.tree.without(unknown).parents()
    half = hashlib.sha256(labelled.group.encode()).digest()[0] % 2
    branch: tuple[int, ...] = ()
    dragged = _dragged_paths(labelled, scored)
    for heading, score in scored.headings.items():
        parent = true_parents.get(heading)
        is_heading = labelled.labels[heading] is Label.HEADING
        if heading not in unknown:
            yield ScoredHeading(
                labelled.domain,
                half,
                score,
                scored.places[heading],
                is_heading,
                is_heading and parents[heading] == parent,
                insertion.confidence[heading],
                parent in (ROOT, *branch),
                _score_of(parent, insertion.alternatives.get(heading, ())),
                dragged.get(heading, 0),
            )
        branch = paths[heading]


def _dragged_paths(labelled: LabelledDocument, scored: HeadingTree) -> dict[int, int]:
    """The number of paths that are wrong because of each wrong heading."""
    tree = attach_body(scored.insertion.tree, len(labelled.labels))
    wrong_steps = faults(truth(labelled), Prediction(tree, frozenset(scored.headings)))
    return {fault.obj: len(fault.dragged) for fault in wrong_steps if fault.obj is not None}


def _true_parents(labelled: LabelledDocument) -> dict[int, int | None]:
    """The true parent of each object that is not unknown; None for a parent that is no object."""
    true = truth(labelled)
    object_of = true.predicted_objects(None)
    true_parents: dict[int, int | None] = {}
    for node, parent in true.tree.without(true.unknown).parents().items():
        if node in object_of:
            true_parents[object_of[node]] = ROOT if parent == ROOT else object_of.get(parent)
    return true_parents


def _score_of(parent: int | None, alternatives: Alternatives) -> float:
    return next((other.probability for other in alternatives if other.parent == parent), 0.0)
