"""Trees: the rightmost branch, putting, sharing, and the ways to write them."""

from __future__ import annotations

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from held.errors import UsageError
from held.tree import ROOT, Tree

CHOICES = st.lists(st.integers(0, 1_000_000), max_size=60)


def grown(choices: list[int]) -> Tree:
    """The tree that puts each next object at a position drawn by a number."""
    tree = Tree()
    for obj, choice in enumerate(choices):
        tree = tree.put(obj, choice % len(tree.positions))
    return tree


TREES = CHOICES.map(grown)


def test_an_empty_tree_has_one_position_under_the_root() -> None:
    assert Tree().branch == (ROOT,)
    assert Tree().pre_order() == ()


def test_a_put_object_ends_the_rightmost_branch() -> None:
    assert Tree.parse("(0 (1 2) 3)").put(4, 1).branch == (ROOT, 0, 4)


def test_each_node_of_the_branch_offers_a_position_with_its_children() -> None:
    positions = Tree.parse("0 (1 2 (3 4))").positions
    assert [(p.parent, p.siblings()) for p in positions] == [(ROOT, (0, 1)), (1, (2, 3)), (3, (4,)), (4, ())]


def test_a_position_gives_its_last_siblings_and_its_first_child() -> None:
    position = Tree.parse("0 1 2 3").positions[0]
    assert position.siblings(2) == (2, 3)
    assert (position.first_child, position.child_count) == (0, 4)


def test_a_put_leaves_the_tree_it_came_from_alone() -> None:
    tree = Tree.parse("0 (1 2)")
    forks = [tree.put(3, position) for position in range(3)]
    assert [str(fork) for fork in forks] == ["0 (1 2) 3", "0 (1 2 3)", "0 (1 (2 3))"]
    assert str(tree) == "0 (1 2)"


def test_positions_above_a_put_are_shared() -> None:
    tree = Tree.parse("0 (1 2)")
    assert tree.put(3, 2).positions[0] is tree.positions[0]


def test_objects_may_leave_gaps() -> None:
    assert Tree.from_parents({3: ROOT, 7: 3, 9: ROOT}).objects() == (3, 7, 9)


@pytest.mark.parametrize("position", [-1, 2])
def test_a_position_off_the_branch_is_refused(position: int) -> None:
    with pytest.raises(UsageError, match="not on a branch"):
        Tree.parse("0").put(1, position)


def test_an_object_out_of_reading_order_is_refused() -> None:
    with pytest.raises(UsageError, match="too late"):
        Tree.parse("0 1").put(1, 0)


def test_a_parent_off_the_branch_is_refused() -> None:
    with pytest.raises(UsageError, match="object 3 cannot be put under 0"):
        Tree.from_parents([ROOT, ROOT, 1, 0])


@pytest.mark.parametrize("text", ["(0 1", "0)", "0 x", "(0 1))", "()"])
def test_a_badly_written_tree_is_refused(text: str) -> None:
    with pytest.raises(UsageError):
        Tree.parse(text)


def test_levels_children_and_paths() -> None:
    tree = Tree.parse("(0 (1 2) 3)")
    assert tree.levels() == {0: 1, 1: 2, 2: 3, 3: 2}
    assert tree.children() == {ROOT: [0], 0: [1, 3], 1: [2], 2: [], 3: []}
    assert tree.paths()[2] == (0, 1, 2)


def test_a_spliced_out_node_leaves_its_children_to_its_parent() -> None:
    assert str(Tree.parse("(0 (1 2 (3 4)) 5)").without({1, 3})) == "(0 2 4 5)"


def test_a_renumbered_tree_has_the_same_shape() -> None:
    assert str(Tree.parse("(0 (1 2) 3)").renumber(lambda i: 10 * i + 1)) == "(1 (11 21) 31)"


def test_equal_trees_are_equal_however_they_grew() -> None:
    assert Tree.parse("(0 1) 2") == Tree.from_parents([ROOT, 0, ROOT])
    assert len({Tree.parse("(0 1) 2"), Tree.from_parents([ROOT, 0, ROOT])}) == 1
    assert Tree.parse("(0 1) 2") != Tree.parse("(0 1 2)")


def test_a_long_document_can_be_compared_written_and_pickled() -> None:
    tree = Tree.from_parents([ROOT] * 50_000)
    assert pickle.loads(pickle.dumps(tree)) == tree
    assert str(tree).endswith("49999")


@given(TREES)
def test_after_any_put_the_pre_order_is_the_reading_order(tree: Tree) -> None:
    assert tree.pre_order() == tree.objects() == tuple(range(tree.size))


@given(TREES)
def test_a_tree_reads_back_from_its_text_and_its_parents(tree: Tree) -> None:
    assert Tree.parse(str(tree)) == tree
    assert Tree.from_parents(tree.parents()) == tree


@given(TREES)
def test_the_branch_is_the_path_of_the_last_object(tree: Tree) -> None:
    last_path = tree.paths()[tree.size - 1] if tree.size else ()
    assert tree.branch == (ROOT, *last_path)


@given(TREES, st.sets(st.integers(0, 59)))
def test_splicing_keeps_the_order_of_ancestors(tree: Tree, gone: set[int]) -> None:
    expected = {
        obj: tuple(node for node in path if node not in gone)
        for obj, path in tree.paths().items()
        if obj not in gone
    }
    assert tree.without(gone).paths() == expected
