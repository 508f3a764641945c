"""The check of whole trees: its features, the tree that it chooses, and the paths that a heading loses."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from research.opinion.candidates import Candidate, DocumentTrees
from research.opinion.check import choose_tree
from research.opinion.features import _over_others, _share_alike, _siblings, expected_paths
from research.opinion.judge import judge_paths, log_loss_by_curve, lost_paths, marked_losses

from held.headings import Floats
from held.metrics import Share
from held.tree import ROOT


def test_a_path_is_right_if_all_parents_above_are() -> None:
    # .5 for the first heading, .5 times .8 for the one below it
    assert expected_paths([ROOT, 0], _floats(0.5, 0.8), _floats(1, 1)) == pytest.approx(0.45)


def test_headings_with_more_text_count_more() -> None:
    assert expected_paths([ROOT, ROOT], _floats(1, 0), _floats(3, 1)) == pytest.approx(0.75)


def test_siblings_have_the_same_parent() -> None:
    # 0 (1 2) 3
    before, after = _siblings(np.array([ROOT, 0, 0, ROOT]))
    assert before.tolist() == [-1, -1, 1, 0]
    assert after.tolist() == [3, 2, -1, -1]


def test_a_share_is_of_the_others_of_a_group() -> None:
    share = _share_alike(np.array([7, 7, 7]), np.array([1, 1, 2]))
    assert share.tolist() == [0.5, 0.5, 0.0]


def test_a_value_is_compared_with_the_mean_of_the_others() -> None:
    assert _over_others(np.array([7, 7, 8]), np.array([1.0, 4.0, 9.0])).tolist() == [-3.0, 3.0, 0.0]


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


def test_a_path_is_lost_to_the_topmost_wrong_parent() -> None:
    # True: 0 1 2, each at the top level; in 0 (1 (2)) the headings 1 and 2 are wrong, and 1 drags 2.
    trees = _trees([ROOT, 0, 1], true_parent=[ROOT, ROOT, ROOT])
    assert lost_paths(trees).tolist() == [0, 2, 0]


def test_a_tenth_of_the_headings_is_marked() -> None:
    scores = [_floats(0.5, *[1] * 9), _floats(0.4, *[1] * 9)]
    lost = [np.eye(10, dtype=np.float32)[0] * 4, np.eye(10, dtype=np.float32)[9] * 2]
    # The lowest two of twenty are the first of either document.
    assert marked_losses(scores, lost) == [Share(4, 4), Share(0, 2)]


def test_a_curve_is_fitted_on_the_other_parts_and_skips_what_is_not_known() -> None:
    scores = [_floats(0.9, 0.9, 0.1, 0.1, 0.5)] * 2
    right = [np.array([1, 1, 0, 0, -1])] * 2
    assert log_loss_by_curve(scores, right, ["one", "other"]) < 0.01


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
        candidates=tuple(Candidate(tuple(each), ones, ones) for each in parents),
        weight=ones,
        true_parent=np.array(true_parent),
        unknown=np.zeros(3, bool),
        right_paths=tuple(right),
        paths=3,
    )
