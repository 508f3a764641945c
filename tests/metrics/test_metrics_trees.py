"""Paths, levels and headings of predicted trees against true ones."""

from __future__ import annotations

import math
from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from held.errors import UsageError
from held.metrics import Label, Matches, Prediction, Share, TreeCounts, Truth, compare_trees, heading_matches
from held.metrics.trees import labels_of, truth_of
from held.tree import ROOT, Tree, attach_body


def truth(tree: str, *, headings: set[int], unknown: Iterable[int] = ()) -> Truth:
    parsed = Tree.parse(tree)
    return Truth(parsed, labels_of(headings, parsed.size, unknown=unknown))


def predicted(tree: str, *, headings: set[int]) -> Prediction:
    return Prediction(Tree.parse(tree), frozenset(headings))


def test_the_same_tree_is_entirely_right() -> None:
    true = truth("(0 1 (2 3 4 5) (6 7))", headings={0, 2, 6})
    counts = compare_trees(true, Prediction(true.tree, true.headings))
    assert counts.paths == counts.levels_only == Share(8, 8)
    assert counts.heading_paths == Share(3, 3)
    assert counts.documents == Share(1, 1)


def test_a_node_at_its_level_under_a_wrong_parent_is_right_by_level_alone() -> None:
    # As in the paper's figure 8: 3 is at its level, but under 2 instead of 1.
    counts = compare_trees(truth("(0 (1 2 3))", headings={0, 1}), predicted("(0 1 (2 3))", headings={0, 2}))
    assert (counts.paths, counts.levels_only) == (Share(2, 4), Share(3, 4))


def test_one_wrong_high_heading_spoils_what_hangs_below_it() -> None:
    counts = compare_trees(
        truth("0 (1 (2 3 4))", headings={1, 2}), predicted("(0 (1 (2 3 4)))", headings={0, 1, 2})
    )
    assert counts.paths == Share(1, 5)


def test_a_true_node_counts_at_its_true_level_and_a_predicted_one_at_its_own() -> None:
    counts = compare_trees(truth("(0 1 2)", headings={0}), predicted("(0 (1 2))", headings={0, 1}))
    assert counts.by_level == {1: Matches(1, 1, 1), 2: Matches(1, 2, 1), 3: Matches(0, 0, 1)}


def test_a_heading_that_was_not_found_is_wrong_even_in_the_right_place() -> None:
    counts = compare_trees(truth("(0 1)", headings={0, 1}), predicted("(0 1)", headings={0}))
    assert (counts.paths, counts.heading_paths) == (Share(2, 2), Share(1, 2))
    assert counts.documents == Share(0, 1)


# --- headings without an object, recognised objects ---


def test_a_true_heading_without_an_object_is_wrong_with_all_below_it() -> None:
    true = Truth(Tree.parse("(0 1) (2 3)"), labels_of({0, 2}, 4), objects=(0, 1, None, 2))
    counts = compare_trees(true, predicted("(0 1 2)", headings={0}))
    assert (counts.paths, counts.heading_paths) == (Share(2, 4), Share(1, 2))
    assert counts.headings == Matches(both=1, true=2, found=1)


def test_an_unmatched_true_object_is_wrong_and_an_unmatched_predicted_one_counts_against_precision() -> None:
    true = truth("(0 1 2)", headings={0})
    counts = compare_trees(true, predicted("(0 1 2 3)", headings={0}), match={0: 0, 1: 1})
    assert counts.paths == Share(2, 3)
    assert counts.by_level[2] == Matches(both=1, true=2, found=3)


# --- unknown objects ---


def test_an_unknown_object_is_masked_from_heading_scores() -> None:
    true = truth("(0 1 2 3)", headings={0}, unknown={1, 2})
    assert heading_matches(true, {0, 1}) == heading_matches(true, {0, 2}) == Matches(1, 1, 1)
    assert heading_matches(true, {0, 3}) == Matches(1, 1, 2)


def test_an_unknown_object_is_spliced_out_before_paths_are_compared() -> None:
    true = truth("(0 1 (2 3))", headings={0, 2}, unknown={1})
    counts = compare_trees(true, predicted("(0 (1 (2 3)))", headings={0, 1, 2}))
    assert counts.paths == Share(3, 3)
    assert counts.documents == Share(1, 1)


def test_objects_between_an_unknown_and_the_next_heading_are_left_out() -> None:
    true = truth("(0 1 2 3 (4 5))", headings={0, 4}, unknown={2})
    assert true.pathless == {3}
    counts = compare_trees(true, predicted("(0 1 (2 3) (4 5))", headings={0, 2, 4}))
    assert counts.paths == Share(4, 4)
    assert counts.left_out == Share(1, 5)
    assert sum(level.found for level in counts.by_level.values()) == 4


def test_unmasked_every_unknown_is_body() -> None:
    true = truth("(0 1 2 3)", headings={0}, unknown={2})
    counts = compare_trees(true.unmasked(), predicted("(0 1 (2 3))", headings={0, 2}))
    assert (counts.paths, counts.headings, counts.left_out) == (Share(3, 4), Matches(1, 1, 2), Share(0, 4))


# --- parents ---


def test_one_wrong_decision_high_up_is_one_wrong_parent() -> None:
    true = truth("0 (1 (2 3 4))", headings={0, 1, 2, 3, 4})
    counts = compare_trees(true, predicted("(0 (1 (2 3 4)))", headings={0, 1, 2, 3, 4}))
    assert (counts.heading_paths, counts.parents) == (Share(1, 5), Share(4, 5))


def test_a_false_heading_above_a_found_one_is_passed_over() -> None:
    true = truth("(0 1 2)", headings={0, 2})
    assert compare_trees(true, predicted("(0 (1 2))", headings={0, 1, 2})).parents == Share(2, 2)


def test_a_heading_whose_parent_was_missed_has_a_wrong_parent() -> None:
    true = truth("(0 (1 2))", headings={0, 1, 2})
    assert compare_trees(true, predicted("(0 1 2)", headings={0, 2})).parents == Share(1, 2)


# --- edges and sums ---


def test_an_empty_document_is_entirely_right_and_has_no_accuracy() -> None:
    counts = compare_trees(Truth(Tree(), ()), Prediction(Tree(), frozenset()))
    assert counts.documents == Share(1, 1)
    assert math.isnan(counts.paths.value)


def test_the_micro_average_is_the_sum() -> None:
    good = compare_trees(truth("(0 1)", headings={0}), predicted("(0 1)", headings={0}))
    bad = compare_trees(truth("(0 1)", headings={0}), predicted("0 1", headings=set()))
    total = sum([good, bad], start=TreeCounts())
    assert total.paths == Share(3, 4)
    assert total.by_level == {1: Matches(2, 2, 3), 2: Matches(1, 2, 1)}
    assert total.documents.value == 0.5


def test_in_a_one_step_tree_the_inner_nodes_are_headings() -> None:
    assert Prediction.one_step(Tree.parse("0 (1 (2 3) 4)")).headings == {1, 2}


def test_labels_must_fit_the_tree() -> None:
    with pytest.raises(UsageError, match="3 labels"):
        Truth(Tree.parse("0 1"), (Label.BODY,) * 3)
    with pytest.raises(UsageError, match="1 objects"):
        Truth(Tree.parse("0 1"), (Label.BODY,) * 2, objects=(0,))


# --- property: the same as writing all paths down ---


@st.composite
def cases(draw: st.DrawFn) -> tuple[Truth, Prediction]:
    count = draw(st.integers(0, 14))
    labels = draw(st.lists(st.sampled_from(Label), min_size=count, max_size=count))
    true = _two_step(draw, {i for i, label in enumerate(labels) if label is Label.HEADING}, count)
    headings = draw(st.sets(st.integers(0, count - 1))) if count else set()
    return Truth(true, tuple(labels)), Prediction(_two_step(draw, headings, count), frozenset(headings))


def _two_step(draw: st.DrawFn, headings: set[int], count: int) -> Tree:
    tree = Tree()
    for heading in sorted(headings):
        tree = tree.put(heading, draw(st.integers(0, len(tree.positions) - 1)))
    return attach_body(tree, count)


@given(cases())
def test_counts_are_those_of_the_written_paths(case: tuple[Truth, Prediction]) -> None:
    true, prediction = case
    true_paths = true.tree.paths()
    shown_paths = {
        obj: tuple(node for node in path if node not in true.unknown)
        for obj, path in prediction.tree.paths().items()
    }
    judged = [n for n in true_paths if n not in true.unknown | true.pathless]
    right = [n for n in judged if shown_paths[n] == true_paths[n]]
    counts = compare_trees(true, prediction)
    assert counts.paths == Share(len(right), len(judged))
    assert counts.levels_only.right == sum(len(shown_paths[n]) == len(true_paths[n]) for n in judged)
    assert counts.heading_paths.right == len(set(right) & true.headings & prediction.headings)
    for level, matches in counts.by_level.items():
        assert matches.true == sum(len(true_paths[n]) == level for n in judged)
        assert matches.found == sum(len(shown_paths[n]) == level for n in judged)
        assert matches.both == sum(len(true_paths[n]) == level for n in right)


@given(cases())
def test_the_truth_predicted_is_entirely_right(case: tuple[Truth, Prediction]) -> None:
    true, _ = case
    counts = compare_trees(true, Prediction(true.tree, true.headings))
    assert counts.paths.right == counts.paths.total
    assert counts.documents == Share(1, 1)


def test_a_truth_can_be_made_of_parents() -> None:
    assert truth_of([ROOT, 0], [Label.HEADING, Label.BODY]).headings == {0}
