"""What the check sees of a heading in a finished tree."""

from __future__ import annotations

import numpy as np
import pytest

from held.document import PhysicalObject
from held.headings import Floats
from held.headings.object_features import MISSING, object_features
from held.hierarchy.boosted_step import check_tree
from held.hierarchy.heading_features import heading_features
from held.hierarchy.insertion import Insertion
from held.hierarchy.tree_check import (
    CHECK_FEATURES,
    TreeChecker,
    _over_others,
    _share_alike,
    parent_rows,
    siblings_beside,
)
from held.tree import ROOT, Tree
from tests.hierarchy.test_features import BODY, BOLD, document, obj

TITLES = ("1 Sails", "1.1 Cloth", "1.2 Ropes", "2 Oars", "2.1 Wood")


def features(*parents: int, probability: tuple[float, ...] = ()) -> dict[str, list[float]]:
    """By name the features of the TITLES in a tree, given as the rows of their parents."""
    objects: list[PhysicalObject] = []
    for page, title in enumerate(TITLES, start=1):
        objects += [obj(title, BOLD, page=page), obj("Some text.", BODY, page=page)]
    table = object_features(document(*objects))
    checker = TreeChecker(heading_features(table, range(0, 2 * len(TITLES), 2)))
    sure = np.ones(len(TITLES), np.float32)
    rows = checker.features(parents, np.array(probability, np.float32) if probability else sure)
    return dict(zip(CHECK_FEATURES, rows.T.tolist(), strict=True))


RIGHT = features(ROOT, 0, 0, ROOT, 3)
OARS_UNDER_SAILS = features(ROOT, 0, 0, 0, 3)


def test_levels_and_heights_count_from_both_ends() -> None:
    assert RIGHT["tree_level"] == [1, 2, 2, 1, 2]
    assert RIGHT["tree_height"] == [1, 0, 0, 1, 0]


def test_a_section_holds_what_comes_before_the_next_heading_of_its_level_or_above() -> None:
    assert np.exp(RIGHT["tree_inside"]) == pytest.approx([3, 1, 1, 2, 1])
    assert np.expm1(RIGHT["tree_pages"]) == pytest.approx([3, 1, 1, 2, 1])


def test_a_list_goes_on_where_the_next_number_has_the_same_parent() -> None:
    assert RIGHT["tree_list_goes_on"][0] == 1
    assert OARS_UNDER_SAILS["tree_list_goes_on"][0] == 0
    assert OARS_UNDER_SAILS["tree_list_began"][3] == 0


def test_a_heading_without_a_next_number_has_no_list_that_goes_on() -> None:
    assert RIGHT["tree_list_goes_on"][3] == MISSING


def test_the_number_right_above_is_open_where_it_lies_above() -> None:
    assert RIGHT["tree_prefix_open"][1] == 1
    assert features(ROOT, ROOT, 0, ROOT, 3)["tree_prefix_open"][1] == 0


def test_a_heading_unlike_the_others_of_its_class_has_a_smaller_share() -> None:
    # Sections 1.1, 1.2 and 2.1 are of one class; with 2 under 1, section 2.1 is at a level of its own.
    assert RIGHT["tree_class_level"][1] == 1
    assert OARS_UNDER_SAILS["tree_class_level"][1] == 0.5
    assert OARS_UNDER_SAILS["tree_class_level"][4] == 0


def test_the_score_of_a_path_falls_with_each_doubtful_heading_above() -> None:
    scores = features(ROOT, 0, 0, ROOT, 3, probability=(0.5, 0.5, 1, 1, 1))
    assert np.exp(scores["tree_path_score"]) == pytest.approx([0.5, 0.25, 0.5, 1, 1])
    assert np.exp(scores["tree_lowest_score"]) == pytest.approx([0.5, 0.5, 0.5, 1, 1])


def test_siblings_have_the_same_parent() -> None:
    # 0 (1 2) 3
    before, after = siblings_beside(np.array([ROOT, 0, 0, ROOT]))
    assert before.tolist() == [-1, -1, 1, 0]
    assert after.tolist() == [3, 2, -1, -1]


def test_a_share_is_of_the_others_of_a_group() -> None:
    share = _share_alike(np.array([7, 7, 7]), np.array([1, 1, 2]))
    assert share.tolist() == [0.5, 0.5, 0.0]


def test_a_value_is_compared_with_the_mean_of_the_others() -> None:
    assert _over_others(np.array([7, 7, 8]), np.array([1.0, 4.0, 9.0])).tolist() == [-3.0, 3.0, 0.0]


def test_parents_are_rows_among_the_headings() -> None:
    assert parent_rows([2, 5, 9], Tree.parse("(2 (5 9))")) == (ROOT, 0, 1)


class LevelCheck:
    """A check that finds headings at the top level right, and others wrong."""

    def score(self, rows: Floats) -> Floats:
        """The raw score of each heading."""
        return np.where(rows[:, CHECK_FEATURES.index("tree_level")] == 1, 9, -9).astype(np.float32)


def test_a_check_gives_each_heading_a_probability() -> None:
    table = object_features(document(obj("1 Sails", BOLD), obj("1.1 Cloth", BOLD)))
    insertion = Insertion(Tree.parse("(0 (1))"), 3, 0.0, {0: 1.0, 1: 1.0})
    found = check_tree(LevelCheck(), heading_features(table, [0, 1]), insertion)  # type: ignore[arg-type]
    assert found == {0: pytest.approx(1, abs=0.01), 1: pytest.approx(0, abs=0.01)}


def test_a_document_without_headings_has_nothing_to_check() -> None:
    table = object_features(document(obj("Some text.")))
    assert check_tree(LevelCheck(), heading_features(table, []), Insertion(Tree(), 0, 0.0, {})) == {}  # type: ignore[arg-type]
