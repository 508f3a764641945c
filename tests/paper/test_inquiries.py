"""The theory of inquiry counts against what really runs, and against its page in the docs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from held.hierarchy.insertion import Order, Strategy, build
from held.hierarchy.oracle import PerfectScorer
from held.paper.inquiries import expected_inquiries, paper_inquiries
from held.tree import ROOT, Tree
from tests.hierarchy.insertion.random_trees import TREES

PAGE = Path(__file__).parents[2] / "docs" / "research" / "inquiries.md"


def counted(tree: Tree, order: Order) -> int:
    return build(tree.objects(), PerfectScorer([tree]), Strategy(order)).inquiries


@given(TREES, st.sampled_from(Order))
def test_our_closed_forms_count_what_really_runs(tree: Tree, order: Order) -> None:
    assert expected_inquiries(tree, order) == counted(tree, order)


@given(TREES)
def test_the_papers_form_for_traversal_all_counts_what_really_runs(tree: Tree) -> None:
    assert paper_inquiries(tree, Order.TA) == counted(tree, Order.TA)


@given(TREES.filter(lambda tree: tree.size > 0))
def test_the_papers_form_for_root_to_leaf_counts_every_next_sibling_too_often(tree: Tree) -> None:
    next_siblings = sum(len(below) - 1 for below in tree.children().values() if below)
    assert paper_inquiries(tree, Order.R2L) - counted(tree, Order.R2L) == next_siblings


@given(TREES)
def test_the_orders_differ_by_what_the_page_says(tree: Tree) -> None:
    ta, r2l, l2r = (expected_inquiries(tree, order) for order in (Order.TA, Order.R2L, Order.L2R))
    last = len(tree.branch) - 1
    assert ta - r2l == tree.size - last
    assert ta - l2r == sum(level - 1 for level in tree.levels().values())
    assert l2r <= ta
    assert r2l <= ta


def test_leaf_to_root_can_need_more_than_root_to_leaf() -> None:
    flat = Tree.from_parents([ROOT] * 10)
    assert (expected_inquiries(flat, Order.R2L), expected_inquiries(flat, Order.L2R)) == (10, 19)


def rows() -> list[tuple[str, list[int]]]:
    lines = re.findall(r"^\| `([0-9() ]*)` \|(.*)\|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    return [(tree, [int(cell) for cell in cells.split("|")]) for tree, cells in lines]


def test_the_page_has_examples() -> None:
    assert len(rows()) >= 4


@pytest.mark.parametrize(("text", "numbers"), rows())
def test_the_examples_of_the_page_are_right(text: str, numbers: list[int]) -> None:
    tree = Tree.parse(text)
    ours = [counted(tree, order) for order in Order]
    papers = [paper_inquiries(tree, order) for order in Order]
    assert numbers == [number for pair in zip(ours, papers, strict=True) for number in pair]
