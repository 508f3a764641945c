"""Columns by name: what is filled by one name is read by it, and is the models' column of that name."""

import hashlib

import numpy as np
import pytest

from held.headings import Columns
from held.headings.object_features import FEATURES_VERSION
from held.hierarchy.comparisons import PAIR, SHORT
from held.hierarchy.heading_features import IDS, OWN, VALUES
from held.hierarchy.position_features import FEATURES

COLOURS = Columns(("red", "green", "blue"))


def test_what_is_filled_by_name_stands_in_the_column_of_that_name() -> None:
    matrix = np.zeros((2, 3), np.float32)
    COLOURS.records(matrix)["green"] = [1, 2]
    assert matrix.tolist() == [[0, 1, 0], [0, 2, 0]]


def test_ids_are_read_by_name_too() -> None:
    assert COLOURS.records(np.array([[1, 2, 3]], np.int64))["blue"].tolist() == [3]


def test_a_matrix_without_rows_has_columns() -> None:
    assert COLOURS.records(COLOURS.empty(0))["red"].shape == (0,)


def test_a_matrix_that_lies_column_by_column_in_memory_is_refused() -> None:
    with pytest.raises(AssertionError):
        COLOURS.records(np.zeros((2, 3), np.float32, order="F"))


def test_a_span_includes_both_ends() -> None:
    assert COLOURS[COLOURS.span("green", "blue")] == ("green", "blue")


def test_prefixed_columns_keep_their_order() -> None:
    assert COLOURS.with_prefix("dark") == ("dark_red", "dark_green", "dark_blue")


@pytest.mark.parametrize("columns", [IDS, VALUES, OWN, PAIR, SHORT, FEATURES])
def test_no_name_stands_twice(columns: Columns) -> None:
    assert len(set(columns)) == len(columns)


def test_the_features_of_the_tree_step_and_their_order_belong_to_the_version() -> None:
    digest = hashlib.sha256("\n".join(FEATURES).encode()).hexdigest()
    assert (FEATURES_VERSION, digest[:16]) == (6, "299ad1e289fd7c9f")
