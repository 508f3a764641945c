"""Placement constraints: which positions of an example tree are forbidden for a heading.

    forbidden(headings, "(0 (1 2))", 3) == [False, False, True, True]

Object 3 comes after a tree in which 1 lies under 0, and 2 under 1: it may go under the root, 0, 1 or 2.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np
import pytest

from held.document import Style
from held.headings.object_features import ObjectFeatures, object_features
from held.hierarchy.constraints import CONSTRAINTS, FORBIDDEN, ConstraintChecker
from held.hierarchy.heading_features import heading_features
from held.hierarchy.insertion import Question
from held.hierarchy.position_features import PositionFeatures
from held.tree import Tree
from tests.hierarchy.test_features import BODY, BOLD, document, numbered, obj


def penalties(
    objects: ObjectFeatures, tree: str, c: int, headings: Sequence[int] = (), *, only: Collection[str] = ()
) -> list[float]:
    """The penalty of object c at each position of a tree of headings, or of all objects."""
    features = heading_features(objects, headings or range(len(objects)))
    positions = PositionFeatures([features])
    at = positions.positions([Question.about(0, Tree.parse(tree), c)])
    chosen = [constraint for constraint in CONSTRAINTS if not only or constraint.name in only]
    checker = ConstraintChecker([features], positions.headings, chosen)
    return [float(own) for own in checker.penalties(at)]


def forbidden(objects: ObjectFeatures, tree: str, c: int, headings: Sequence[int] = ()) -> list[bool]:
    """Whether object c has a penalty at each position of a tree of headings, or of all objects."""
    return [penalty > 0 for penalty in penalties(objects, tree, c, headings)]


OUTER_STYLE = "closes an outer style"  # which is tested by style, further down
EXAMPLES = {
    "statement below opinion": (
        ("Item 8", "Report of Independent Auditors", "Basis", "Notes to the Financial Statements"),
        "(0 (1 2))",
        [0, 0, 1, 1],
    ),
    "closes a numbered list": (
        ("Part II", "Item 7. Results", "Footnotes", "Item 8. Statements"),
        "(0 1)",
        [1, 0, 0],
    ),
    "leaves a repeated title": (("第十节 财务报告", "一、审计报告", "审 计 报 告"), "(0 1)", [1, 1, 0]),
}
"""By constraint: headings, the tree of the first ones, and whether each position of the next is forbidden."""


@pytest.mark.parametrize("name", EXAMPLES)
def test_each_constraint_forbids_the_positions_of_its_example_by_itself(name: str) -> None:
    titles, tree, expected = EXAMPLES[name]
    obj = Tree.parse(tree).size
    found = penalties(numbered(*titles), tree, obj, only={name})
    assert found == [FORBIDDEN * own for own in expected]


def test_every_constraint_has_an_example() -> None:
    names = {constraint.name for constraint in CONSTRAINTS}
    assert names == {*EXAMPLES, OUTER_STYLE}, "EXAMPLES above has an entry for each constraint"


def test_a_position_is_forbidden_once_however_many_constraints_forbid_it() -> None:
    table = numbered("Part IV", "Item 15. Exhibits", "Signatures", "Signatures")
    assert max(penalties(table, "(0 (1 2))", 3)) == FORBIDDEN


def test_constraints_have_names_reasons_and_evidence() -> None:
    assert len({constraint.name for constraint in CONSTRAINTS}) == len(CONSTRAINTS)
    assert all(constraint.reason.endswith(".") and constraint.evidence for constraint in CONSTRAINTS)


def test_marks_move_along_their_branch_only() -> None:
    features = [heading_features(numbered("1 A", "1.1 B", "2 C"), range(3))] * 2
    at = PositionFeatures(features).positions([Question.about(d, Tree.parse("(0 1)"), 2) for d in (0, 1)])
    marks = np.array([True, False, True, False, True, False])
    assert at.from_above(marks).tolist() == [False, True, False, False, False, True]
    assert at.from_below(marks).tolist() == [False, True, False, True, False, False]
    assert at.count_above(marks).tolist() == [1, 1, 2, 0, 1, 1]
    assert at.count_closed(marks).tolist() == [1, 1, 0, 1, 0, 0]


def test_the_notes_never_lie_under_an_opinion_or_what_it_holds() -> None:
    table = numbered("Item 8", "Report of Independent Auditors", "Basis", "Notes to the Financial Statements")
    assert forbidden(table, "(0 (1 2))", 3) == [False, False, True, True]


def test_a_numbered_section_on_contents_holds_its_subsections() -> None:
    assert forbidden(numbered("2 Files", "2.1 Contents", "2.1.1 Fields"), "(0 1)", 2) == [False] * 3


def test_a_title_between_an_item_and_the_one_inserted_after_it_does_not_close_their_part() -> None:
    table = numbered("Part II", "Item 7. Results", "Footnotes", "Item 7A. Risks", "Item 8. Statements")
    assert forbidden(table, "(0 1)", 2) == [True, False, False]


@pytest.mark.parametrize("again", ["审 计 报 告", "审计"])
def test_a_title_that_repeats_the_one_before_lies_under_it(again: str) -> None:
    table = numbered("第十节 财务报告", "一、审计报告", again)
    assert forbidden(table, "(0 1)", 2) == [True, True, False]


def test_a_number_frees_a_title_from_the_one_it_repeats() -> None:
    table = numbered("第十节 财务报告", "一、审计报告", "二、审计报告")
    assert forbidden(table, "(0 1)", 2) == [False, False, False]


def test_titles_of_the_same_words_without_numbers_may_stand_apart() -> None:
    table = numbered("Team", "Tasks", "What they do.", "Tasks")
    assert forbidden(table, "(0 1)", 3, headings=(0, 1, 3)) == [False, False, False]


def test_a_chinese_opinion_may_hold_the_notes() -> None:
    assert forbidden(numbered("审计报告", "财务报表附注"), "0", 1) == [False, False]


def test_a_title_without_a_number_never_parts_the_items_of_a_part() -> None:
    table = numbered("Part II", "Item 7. Discussion", "Outlook", "Results", "Item 8. Statements")
    assert forbidden(table, "(0 (1 2))", 3) == [True, False, False, False]


def test_a_title_without_a_number_never_parts_the_notes_that_a_title_collects() -> None:
    table = numbered("Report", "Notes to Financial Statements", "1. Policies", "Leases", "2. Debt")
    assert forbidden(table, "(0 (1 2))", 3) == [True, True, False, False]


def test_a_title_may_part_numbers_that_nothing_collects() -> None:
    table = numbered("Report", "Ships", "1. Sails", "Harbours", "2. Oars")
    assert forbidden(table, "(0 (1 2))", 3) == [False] * 4


def test_a_title_may_follow_the_last_of_the_notes() -> None:
    table = numbered("Report", "Notes to Financial Statements", "1. Policies", "Leases")
    assert forbidden(table, "(0 (1 2))", 3) == [False] * 4


def test_a_part_may_part_items_that_go_on() -> None:
    table = numbered("Part I", "Item 1. Business", "Part II", "Item 2. Properties")
    assert not forbidden(table, "(0 1)", 2)[0]


def test_a_heading_that_says_nothing_of_its_place_is_barred_from_none() -> None:
    assert forbidden(numbered("Ships", "Sails", "Oars"), "(0 1)", 2) == [False, False, False]


ITALIC = Style("Serif", 10.0, bold=True, italic=True)
OPENED = [("Ships", BOLD), ("Sails", ITALIC), ("Text.", BODY)]
"""A bold title, an italic one right below it, and what that one heads."""


def forbidden_by_style(*objects: tuple[str, Style], tree: str) -> list[bool]:
    """Whether the last object is barred from each position of a tree of those before it that are titles."""
    table = object_features(document(*(obj(text, style) for text, style in objects)))
    headings = [place for place, (_, style) in enumerate(objects) if style is not BODY]
    found = penalties(table, tree, headings[-1], headings, only={OUTER_STYLE})
    return [penalty > 0 for penalty in found]


def test_a_title_whose_look_opens_another_is_no_sibling_of_that_one() -> None:
    found = forbidden_by_style(*OPENED * 3, ("Oars", ITALIC), tree="(0 1) (3 4) (6 7)")
    assert found == [True, False, False]


def test_what_opens_a_title_lies_below_it_also_after_text() -> None:
    found = forbidden_by_style(
        *OPENED * 3, ("Oars", BOLD), ("Text.", BODY), ("Rows", ITALIC), tree="(0 1) (3 4) (6 7) 9"
    )
    assert found == [True, False]


def test_looks_that_come_in_either_order_open_nothing() -> None:
    found = forbidden_by_style(("Oars", ITALIC), *OPENED * 3, ("Oars", ITALIC), tree="0 (1 2) (4 5) (7 8)")
    assert found == [False, False, False]


def test_looks_that_follow_each_other_seldom_open_nothing() -> None:
    assert forbidden_by_style(*OPENED * 2, ("Oars", ITALIC), tree="(0 1) (3 4)") == [False, False, False]


def test_a_number_says_more_than_looks() -> None:
    found = forbidden_by_style(*OPENED * 3, ("2. Oars", ITALIC), tree="(0 1) (3 4) (6 7)")
    assert found == [False, False, False]
