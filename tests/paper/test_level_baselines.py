"""The rules of docs/research/baselines.md, one by one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from held.hierarchy.insertion import build
from held.paper.baselines import PlaceRule, RuleScorer, RuleStep, by_numbers, by_size, by_style, place_by_rank
from held.tree import Tree
from tests.paper.typeset import all_of, typeset


def tree_of(rule: PlaceRule, *lines: str) -> Tree:
    document = typeset(*lines)
    headings = all_of(document)
    return build(headings, RuleStep(rule).scorer([document], [headings])).tree


def size_tree(*lines: str) -> str:
    return str(tree_of(by_size, *lines))


def style_tree(*lines: str) -> str:
    return str(tree_of(by_style, *lines))


def number_tree(*lines: str) -> str:
    return str(tree_of(by_numbers, *lines))


def test_a_heading_hangs_under_the_last_one_of_lower_rank() -> None:
    ranks = dict(enumerate([1, 3, 2, 3, 1]))
    assert str(build(range(5), RuleScorer([place_by_rank(ranks)])).tree) == "(0 1 (2 3)) 4"


def test_larger_type_is_higher() -> None:
    assert size_tree("16 A", "12 B", "12 C", "16 D", "14 E", "12 F") == "(0 1 2) (3 (4 5))"


def test_sizes_that_differ_by_a_fortieth_are_the_same() -> None:
    assert size_tree("12.1 A", "12 B") == "0 1"


@pytest.mark.parametrize("lines", [("12b A", "12 B"), ("12c A", "12 B"), ("12 A", "12i B")])
def test_of_one_size_bold_capitals_and_upright_are_higher(lines: tuple[str, str]) -> None:
    assert style_tree(*lines) == "(0 1)"
    assert style_tree(*reversed(lines)) == "0 1"


def test_size_counts_before_weight() -> None:
    assert style_tree("14 A", "12b B", "14 C") == "(0 1) 2"


def test_headings_of_one_style_are_on_one_level_of_their_block() -> None:
    assert style_tree("14b A", "12b B", "12b C", "14b D", "12b E") == "(0 1 2) (3 4)"


def test_heps_does_not_read_numbers() -> None:
    assert style_tree("12b 1 A", "12b 1.1 B", "12b 2 C") == "0 1 2"


def test_the_next_number_is_a_sibling() -> None:
    assert number_tree("10 1. A", "10 (a) B", "10 (b) C", "10 2. D") == "(0 1 2) 3"


def test_a_dotted_number_hangs_under_its_prefix() -> None:
    assert number_tree("10 1 A", "10 1.1 B", "10 1.1.1 C", "10 1.2 D", "10 2 E") == "(0 (1 2) 3) 4"


def test_a_gap_in_a_list_does_not_begin_another() -> None:
    assert number_tree("10 1. A", "10 (a) B", "10 3. C") == "(0 1) 2"


def test_a_list_begins_under_the_heading_before_it() -> None:
    assert number_tree("14 Notes", "10 1. A", "10 (a) B", "10 2. C", "10 (a) D") == "(0 (1 2) (3 4))"


def test_a_list_does_not_begin_under_smaller_type() -> None:
    assert number_tree("14 A", "10 B", "12 1. C") == "(0 1 2)"


def test_without_a_number_the_size_decides() -> None:
    assert number_tree("14 A", "12 1. B", "12 C", "14 D") == "(0 1 2) 3"


@given(
    st.lists(st.sampled_from(["16b 1 A", "12 1.1 B", "12 (a) C", "10i D", "10 2. E", "14c F"]), max_size=12)
)
def test_every_rule_makes_a_tree_of_all_headings(lines: list[str]) -> None:
    for rule in (by_size, by_style, by_numbers):
        assert tree_of(rule, *lines).pre_order() == tuple(range(len(lines)))
