"""Which steps of a predicted tree are wrong, and what they drag along."""

from __future__ import annotations

from hypothesis import given

from held.metrics import Fault, FaultKind, Prediction, Share, Truth, compare_trees, faults
from held.metrics.trees import labels_of, right_nodes
from held.tree import Tree
from tests.metrics.test_metrics_trees import cases, predicted, truth


def one_fault(true: Truth, prediction: Prediction, match: dict[int, int] | None = None) -> Fault:
    (fault,) = faults(true, prediction, match)
    return fault


def test_a_right_tree_has_no_faults() -> None:
    true = truth("(0 1 (2 3))", headings={0, 2})
    assert faults(true, Prediction(true.tree, true.headings)) == ()


def test_a_missed_heading_drags_along_all_that_belongs_below_it() -> None:
    true = truth("(0 1) (2 3 (4 5))", headings={0, 2, 4})
    fault = one_fault(true, predicted("(0 1 2 3) (4 5)", headings={0, 4}))
    assert fault == Fault(FaultKind.MISSED, 2, 2, (3, 4, 5))


def test_a_false_heading_drags_along_what_hangs_below_it_and_what_it_closes() -> None:
    true = truth("(0 1 2 (3 4))", headings={0, 3})
    fault = one_fault(true, predicted("0 (1 2 (3 4))", headings={0, 1, 3}))
    assert fault == Fault(FaultKind.FALSE, 1, 1, (2, 3, 4))


def test_a_heading_put_under_its_elder_sibling_is_too_deep() -> None:
    true = truth("(0 (1 2) (3 4))", headings={0, 1, 3})
    fault = one_fault(true, predicted("(0 (1 2 (3 4)))", headings={0, 1, 3}))
    assert fault == Fault(FaultKind.UNDER_SIBLING, 3, 3, (4,))


def test_a_heading_deeper_than_that_is_put_too_deep() -> None:
    true = truth("(0 (1 2)) 3", headings={0, 1, 2, 3})
    fault = one_fault(true, predicted("(0 (1 2 3))", headings={0, 1, 2, 3}))
    assert fault.kind is FaultKind.TOO_DEEP


def test_a_heading_put_beside_its_parent_drags_along_its_siblings() -> None:
    true = truth("(0 1 2 3)", headings={0, 1, 2, 3})
    fault = one_fault(true, predicted("(0 1) 2 3", headings={0, 1, 2, 3}))
    assert fault == Fault(FaultKind.BESIDE_PARENT, 2, 2, (3,))


def test_a_heading_higher_than_that_is_put_too_high() -> None:
    true = truth("(0 (1 2))", headings={0, 1, 2})
    fault = one_fault(true, predicted("(0 1) 2", headings={0, 1, 2}))
    assert fault.kind is FaultKind.TOO_HIGH


def test_two_wrong_steps_are_two_faults_in_reading_order() -> None:
    true = truth("(0 1 2) (3 4)", headings={0, 1, 2, 3, 4})
    kinds = [fault.kind for fault in faults(true, predicted("(0 (1 2) (3 4))", headings={0, 1, 2, 3, 4}))]
    assert kinds == [FaultKind.UNDER_SIBLING, FaultKind.UNDER_SIBLING]


def test_a_heading_without_an_object_stands_behind_what_comes_before_it() -> None:
    true = Truth(Tree.parse("(0 1) (2 3)"), labels_of({0, 2}, 4), objects=(0, 1, None, 2))
    fault = one_fault(true, predicted("(0 1 2)", headings={0}))
    assert fault == Fault(FaultKind.LOST, 2, None, (3,))


def test_a_predicted_heading_that_matches_nothing_is_false() -> None:
    true = truth("(0 1)", headings={0})
    fault = one_fault(true, predicted("0 (1 2)", headings={0, 1}), match={0: 0, 1: 2})
    assert fault == Fault(FaultKind.FALSE, None, 1, (1,))


def test_a_body_object_of_a_one_step_tree_can_be_misplaced() -> None:
    true = truth("(0 1 2)", headings={0})
    fault = one_fault(true, Prediction.one_step(Tree.parse("(0 1) 2")))
    assert fault == Fault(FaultKind.BODY, 2, 2)


def test_an_unknown_object_is_no_fault() -> None:
    true = truth("(0 1 2 (3 4))", headings={0, 3}, unknown={1})
    assert faults(true, predicted("(0 (1 2 (3 4)))", headings={0, 1, 3})) == ()


def test_headings_whose_parent_was_closed_by_an_unknown_are_one_fault() -> None:
    true = truth("(0 (1 2 3 4 5))", headings={0, 1, 4, 5}, unknown={2})
    fault = one_fault(true, predicted("(0 1 (2 3) 4 5)", headings={0, 1, 2, 4, 5}))
    assert fault == Fault(FaultKind.MISLED, 4, 4, (5,))


def test_body_without_a_known_path_is_no_fault() -> None:
    true = truth("(0 1 2)", headings={0}, unknown={1})
    assert faults(true, predicted("0 (1 2)", headings={0, 1})) == ()


@given(cases())
def test_every_wrong_node_is_a_fault_or_dragged_by_exactly_one(case: tuple[Truth, Prediction]) -> None:
    true, prediction = case
    found = faults(true, prediction)
    known, shown = true.tree.without(true.unknown), prediction.tree.without(true.unknown)
    wrong = set(known.objects()) - true.pathless - right_nodes(known, shown, true.predicted_objects(None))
    dragged = [node for fault in found for node in fault.dragged]
    assert len(dragged) == len(set(dragged))
    assert set(dragged) <= wrong
    assert wrong <= {*dragged, *(fault.node for fault in found)}


@given(cases())
def test_only_a_tree_that_is_entirely_right_has_no_faults(case: tuple[Truth, Prediction]) -> None:
    counts = compare_trees(*case)
    assert (faults(*case) == ()) == (counts.documents == Share(1, 1))
