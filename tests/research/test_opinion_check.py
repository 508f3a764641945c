"""The tree that a check of whole trees chooses."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from research.opinion.candidates import Candidate, DocumentTrees
from research.opinion.check import choose_tree, expected_paths
from research.opinion.judge import judge_paths

from held.headings import Floats
from held.tree import ROOT


def test_a_path_is_right_if_all_parents_above_are() -> None:
    # .5 for the first heading, .5 times .8 for the one below it
    assert expected_paths([ROOT, 0], _floats(0.5, 0.8), _floats(1, 1)) == pytest.approx(0.45)


def test_headings_with_more_text_count_more() -> None:
    assert expected_paths([ROOT, ROOT], _floats(1, 0), _floats(3, 1)) == pytest.approx(0.75)


def test_a_tree_replaces_the_greedy_one_if_it_is_clearly_ahead() -> None:
    trees = _trees([ROOT, 0, 1], [ROOT, 0, ROOT])
    sure, unsure = _floats(1, 1, 1), _floats(1, 1, 0.5)
    assert choose_tree(trees, [unsure, sure]) == 1
    assert choose_tree(trees, [sure, sure]) == 0
    assert choose_tree(trees, [_floats(1, 1, 0.95), sure]) == 0  # ahead by .05 / 3


def test_documents_count_alike_and_won_ones_are_counted() -> None:
    trees = _trees([ROOT, 0, 1], [ROOT, 0, ROOT])
    figures = judge_paths([trees, trees], [[_floats(1, 1, 0), _floats(1, 1, 1)], [_floats(1, 1, 1)] * 2])
    row = figures["all"]
    assert (row["greedy"], row["chosen"], row["best candidate"]) == (0.6667, 0.8333, 1.0)
    assert (row["won"], row["lost"]) == (1, 0)


def _floats(*values: float) -> Floats:
    return np.array(values, np.float32)


def _trees(*parents: Sequence[int], true_parent: Sequence[int] = (ROOT, 0, ROOT)) -> DocumentTrees:
    right = [sum(own == true for own, true in zip(each, true_parent, strict=True)) for each in parents]
    ones = _floats(1, 1, 1)
    return DocumentTrees(
        id="books-1",
        kind="books",
        group="",
        by_hand=False,
        document=None,  # type: ignore[arg-type]
        candidates=tuple(Candidate(tuple(each), ones) for each in parents),
        weight=ones,
        true_parent=np.array(true_parent),
        unknown=np.zeros(3, bool),
        right_paths=tuple(right),
        paths=3,
    )
