"""Candidate trees: which decisions are reversed, and what is true of a document's headings."""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace

import numpy as np
import pytest
from research.opinion.candidates import (
    NO_TRUE_PARENT,
    Candidate,
    DocumentTrees,
    candidate_trees,
    find_doubts,
    right_parents,
    true_parents,
)

from held.hierarchy.insertion import Question, build
from held.metrics import Label, Truth
from held.tree import ROOT, Tree

PARTS, CHAPTERS = {0, 2}, {1, 3}


class PartsInChapters:
    """Puts chapters below parts, but the second part, wrongly and with doubt, below the first chapter."""

    def score(self, questions: Sequence[Question]) -> list[list[float]]:
        """A probability for each position of each question."""
        return [_favour(_place(question), len(question.positions)) for question in questions]


def _place(question: Question) -> int:
    if question.obj == 2:
        return len(question.tree.positions) - 1
    parts = [place for place, node in enumerate(question.tree.branch) if node in PARTS]
    return parts[-1] if parts and question.obj in CHAPTERS else 0


def _favour(place: int, count: int) -> list[float]:
    rest = 0.4 / max(1, count - 1)
    return [0.6 if position == place else rest for position in range(count)]


def test_the_decision_that_drags_most_is_reversed_first() -> None:
    greedy = build([0, 1, 2, 3], PartsInChapters())
    assert str(greedy.tree) == "(0 (1 (2 3)))"
    first = find_doubts(greedy, [0, 1, 2, 3])[0]
    assert (first.row, first.parent) == (1, ROOT)  # everything comes after it, at twice the probability


def test_the_first_candidate_is_the_greedy_tree() -> None:
    assert _candidates()[0].parents == (ROOT, 0, 1, 2)


def test_a_reversed_decision_takes_what_follows_with_it() -> None:
    # The second part at the top: the chapter after it follows. Its own probability is the one that ROOT had.
    (found,) = [own for own in _candidates() if own.parents == (ROOT, 0, ROOT, 2)]
    assert found.probability.tolist() == pytest.approx([0.6, 0.6, 0.2, 0.6])


def test_all_candidates_are_different() -> None:
    parents = [own.parents for own in _candidates()]
    assert len(parents) == len(set(parents)) > 1


def _candidates() -> list[Candidate]:
    step = SimpleNamespace(scorer_of=lambda documents: PartsInChapters())
    return candidate_trees(step, SimpleNamespace(headings=(0, 1, 2, 3)))[0]  # type: ignore[arg-type]


def _truth(unknown: int | None = None) -> Truth:
    labels = [Label.UNKNOWN if node == unknown else Label.HEADING for node in range(4)]
    return Truth(Tree.from_parents({0: ROOT, 1: 0, 2: ROOT, 3: 2}), tuple(labels))


def test_a_true_parent_is_a_row_among_the_headings_found() -> None:
    parents, unknown = true_parents(_truth(), [0, 1, 2, 3])
    assert parents.tolist() == [ROOT, 0, ROOT, 2]
    assert not unknown.any()


def test_a_heading_whose_true_parent_was_not_found_has_none() -> None:
    parents, _ = true_parents(_truth(), [0, 1, 3])
    assert parents.tolist() == [ROOT, 0, NO_TRUE_PARENT]


def test_what_lies_below_an_unknown_heading_counts_as_lying_above_it() -> None:
    # 1 is unknown and 2 lies below it, so 2 counts as a child of 0, which is wrong.
    parents, unknown = true_parents(_truth(unknown=1), [0, 1, 2, 3])
    trees = _trees(parents.tolist(), unknown.tolist())
    assert right_parents(trees, [ROOT, 0, 1, 2]).tolist() == [1, -1, 0, 1]
    assert right_parents(trees, [ROOT, ROOT, 1, 2]).tolist() == [1, -1, 1, 1]


def _trees(true_parent: Sequence[int], unknown: Sequence[bool]) -> DocumentTrees:
    return DocumentTrees(
        id="books-1",
        kind="books",
        group="",
        by_hand=False,
        document=None,  # type: ignore[arg-type]
        candidates=(),
        weight=np.ones(len(unknown), np.float32),
        true_parent=np.array(true_parent),
        unknown=np.array(unknown),
        right_paths=(),
        paths=0,
    )
