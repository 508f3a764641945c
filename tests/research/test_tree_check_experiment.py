"""Figures of doubt: the paths that a wrong heading loses, and how many of them are marked."""

from __future__ import annotations

import json

import numpy as np
import pytest
from research.tree_check import measure
from research.tree_check.measure import CheckedTree, lost_paths, marked_losses
from research.tree_check.run import RESULT

from held.headings import Floats
from held.metrics import Share
from held.tree import ROOT


def test_a_path_is_lost_to_the_topmost_wrong_heading() -> None:
    # In 0 (1 (2)) the headings 1 and 2 are wrong, and 1 drags 2.
    assert lost_paths(_tree([ROOT, 0, 1], wrong=[1, 2], objects=[5, 2, 3])).tolist() == [0, 5, 0]


def test_a_right_heading_loses_no_paths() -> None:
    assert lost_paths(_tree([ROOT, 0, ROOT], wrong=[2], objects=[5, 2, 3])).tolist() == [0, 0, 3]


def test_a_tenth_of_the_headings_is_marked() -> None:
    scores = [_floats(0.5, *[1] * 9), _floats(0.4, *[1] * 9)]
    lost = [np.eye(10, dtype=np.int64)[0] * 4, np.eye(10, dtype=np.int64)[9] * 2]
    # The lowest two of twenty are the first of either document.
    assert marked_losses(scores, lost) == [Share(4, 4), Share(0, 2)]


def test_the_tables_have_both_settings() -> None:
    if not RESULT.exists():
        pytest.skip("not measured yet")
    tables = measure.tables(json.loads(RESULT.read_text(encoding="utf-8")))
    assert all(name in tables for name in measure.PARTS)


def _floats(*values: float) -> Floats:
    return np.array(values, np.float32)


def _tree(parents: list[int], *, wrong: list[int], objects: list[int]) -> CheckedTree:
    none = np.zeros(0, np.float32)
    return CheckedTree(
        case=None,  # type: ignore[arg-type]
        parents=tuple(parents),
        insertion=none,
        heading_probability=none,
        features=none,
        right=np.zeros(0, np.int64),
        is_wrong=np.isin(np.arange(len(parents)), wrong),
        objects=np.array(objects),
        rows=None,  # type: ignore[arg-type]
    )
