"""What the check of finished trees learns: which parents are right, in trees by models that err."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from held.hierarchy.tree_check import CHECK_FEATURES, CHECK_PART
from held.models.inference import BoostedTrees
from held.training.boosted_data import EQUAL_WEIGHTS, TrainingDocument, training_document
from held.tree import ROOT
from tests.training.test_boosted_training import FEW, discard_log, labelled

pytest.importorskip("lightgbm", reason="training needs the extra `train`")
pytest.importorskip("onnx", reason="training needs the extra `train`")

from held.hierarchy.boosted_step import boosted_tree_step
from held.training.boosted_trainer import (
    BoostedPutOrSkip,
    out_of_fold_trees,
    train_put_or_skip,
)
from held.training.check_trainer import UNKNOWN, BuiltTree, check_rows, right_places

CHAPTER, SECTION, TEXT, NEXT_CHAPTER, NEXT_SECTION = 0, 1, 2, 4, 5  # objects of a labelled document
UNLISTED = 12
DOCUMENTS = (("a", 3), ("b", 5), ("d", 8))  # in both folds


@pytest.fixture(scope="module")
def documents() -> list[TrainingDocument]:
    return [training_document(labelled(name, chapters)) for name, chapters in DOCUMENTS]


def built(*headings: tuple[int, int]) -> BuiltTree:
    """A tree of headings, each with the row of its parent."""
    objects, parents = zip(*headings, strict=True)
    return BuiltTree(objects, parents, np.ones(len(headings), np.float32))


def right(document: TrainingDocument, *headings: tuple[int, int]) -> list[int]:
    return list(map(int, right_places(document, built(*headings))))


def test_a_heading_right_below_its_true_parent_is_right(documents: list[TrainingDocument]) -> None:
    assert right(documents[0], (CHAPTER, ROOT), (SECTION, 0)) == [1, 1]
    assert right(documents[0], (CHAPTER, ROOT), (SECTION, ROOT)) == [1, 0]


def test_a_heading_whose_true_parent_was_not_found_is_wrong(documents: list[TrainingDocument]) -> None:
    found = ((CHAPTER, ROOT), (SECTION, 0), (NEXT_SECTION, 0))
    assert right(documents[0], *found) == [1, 1, 0]


def test_whether_other_objects_lie_right_is_not_known(documents: list[TrainingDocument]) -> None:
    assert right(documents[0], (CHAPTER, ROOT), (TEXT, 0), (UNLISTED, 0)) == [1, UNKNOWN, UNKNOWN]


def test_a_heading_below_a_false_one_is_wrong(documents: list[TrainingDocument]) -> None:
    assert right(documents[0], (CHAPTER, ROOT), (TEXT, 0), (NEXT_CHAPTER, 1))[-1] == 0


def test_a_heading_below_an_unknown_object_counts_as_lying_above_it() -> None:
    document = training_document(labelled())
    document.labels[SECTION] = UNKNOWN
    # 4 is a chapter: below the unknown section it lies in chapter 0, and beside it at the top level.
    assert right(document, (CHAPTER, ROOT), (SECTION, ROOT), (NEXT_CHAPTER, 1)) == [1, UNKNOWN, 1]


def test_the_check_learns_from_true_headings_alone(documents: list[TrainingDocument]) -> None:
    tree = built((CHAPTER, ROOT), (SECTION, 0), (TEXT, 1))
    rows = check_rows(documents[:1], [tree], EQUAL_WEIGHTS)
    assert rows.labels.tolist() == [1, 1]
    assert rows.features.shape == (2, len(CHECK_FEATURES))


def test_each_document_gets_a_tree_of_the_headings_found_in_it(documents: list[TrainingDocument]) -> None:
    settings = BoostedPutOrSkip(**FEW)
    found = [document.headings[:4] for document in documents]
    trees = out_of_fold_trees(documents, settings, found, log=discard_log)
    assert [own and own.headings for own in trees] == found


def test_a_tree_step_with_a_check_has_one_more_part(documents: list[TrainingDocument]) -> None:
    settings: dict[str, Any] = {**FEW, "check": True}
    model = train_put_or_skip(documents, BoostedPutOrSkip(**settings), log=discard_log)
    check = boosted_tree_step(model).check
    assert isinstance(check, BoostedTrees)
    assert check.width == len(CHECK_FEATURES)
    assert CHECK_PART not in train_put_or_skip(documents, BoostedPutOrSkip(**FEW), log=discard_log).parts


def test_fine_tuning_keeps_the_check(documents: list[TrainingDocument]) -> None:
    start = train_put_or_skip(documents, BoostedPutOrSkip(**FEW, check=True), log=discard_log)
    tuned = train_put_or_skip(documents, BoostedPutOrSkip(**FEW, check=True), start=start, log=discard_log)
    assert tuned.parts[CHECK_PART] == start.parts[CHECK_PART]
