"""Numbered lists: which objects belong to one, and what tells a list of headings from a list of items."""

from __future__ import annotations

import numpy as np
import pytest

from held.document import Box, Document, Kind, PageRegion, PhysicalObject
from held.headings.object_features import MISSING, list_features, number_lists, object_features
from tests.headings.test_toc_features import BODY, document


def lists(*texts: str) -> list[int]:
    return [int(own) for own in number_lists(object_features(_document(*texts)))]


def features(*texts: str) -> dict[str, list[float]]:
    objects = object_features(_document(*texts))
    found = list_features(objects, {"long": objects["length"]})
    return {name: values.tolist() for name, values in found.items()}


def _document(*texts: str) -> Document:
    return document(*(_paragraph(text) for text in texts))


def _paragraph(text: str) -> PhysicalObject:
    return PhysicalObject(Kind.PARAGRAPH, text, (PageRegion(1, Box(72, 100, 400, 112)),), BODY)


def test_numbers_that_count_up_are_a_list() -> None:
    assert lists("1. Hull", "Oak.", "2. Mast", "Fir.", "3. Sail") == [0, -1, 0, -1, 0]


def test_a_number_alone_is_no_list() -> None:
    assert lists("1. Hull", "Oak.") == [-1, -1]


def test_numbers_of_another_form_are_a_list_of_their_own() -> None:
    assert lists("1. Hull", "(1) Oak", "(2) Elm", "2. Mast") == [1, 0, 0, 1]


def test_a_list_that_counts_from_one_again_is_another() -> None:
    assert lists("1. Hull", "2. Mast", "1. Oak", "2. Elm", "3. Fir") == [0, 0, 1, 1, 1]


def test_a_list_has_the_mean_of_its_members() -> None:
    assert features("1. ab", "a text between", "2. abcd")["list_long"] == [6, MISSING, 6]


def test_members_are_as_far_apart_as_the_text_between_them() -> None:
    found = features("1. Hull", "x" * 10, "2. Mast", "3. Sail")
    assert found["list_closest"] == [0, MISSING, 0, 0]
    assert found["list_apart"][0] == pytest.approx(np.log1p(10) / 2)


def test_the_rank_is_the_share_of_the_list_up_to_a_member() -> None:
    assert features("1. Hull", "2. Mast")["list_rank"] == [0.5, 1.0]


def test_a_document_without_lists_has_none_of_their_features() -> None:
    assert set(features("Hull", "Mast")["list_size"]) == {MISSING}
