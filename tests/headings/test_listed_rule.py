"""Plain lines that the printed contents alone tell from the text."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from held.document import Kind, PhysicalObject
from held.headings.object_features import ObjectFeatures, object_features
from held.headings.rules import RULES, apply_rules
from tests.headings.test_toc_features import document, entry, heading

(LISTED_RULE,) = [rule for rule in RULES if rule.name == "listed in contents"]
LISTED = LISTED_RULE.effect.probability
ENTRIES = (entry("Alpha", "1"), entry("Beta", "5"), entry("Gamma", "8"))
NAMED = (heading("Alpha", 11), heading("Beta", 15), heading("Gamma", 18))


def table_with(*further: PhysicalObject) -> ObjectFeatures:
    return object_features(document(*ENTRIES, *further))


def raised(table: ObjectFeatures, probabilities: Sequence[float]) -> list[float]:
    of_entries = [0.0] * len(ENTRIES)
    given = np.array([*of_entries, *probabilities], np.float32)
    return [float(own) for own in apply_rules([LISTED_RULE], given, table, 0.35)[len(ENTRIES) :]]


def test_a_line_that_an_entry_names_on_its_page_is_a_heading() -> None:
    assert raised(table_with(*NAMED), [0.9, 0.0, 0.8]) == pytest.approx([0.9, LISTED, 0.8])


def test_a_line_on_another_page_than_its_entry_says_is_none() -> None:
    far = heading("Gamma", 30)
    assert raised(table_with(NAMED[0], NAMED[1], far), [0.9, 0.8, 0.1])[-1] == pytest.approx(0.1)


def test_an_entry_whose_heading_was_found_names_no_other_line() -> None:
    again = heading("Beta", 15)
    assert raised(table_with(*NAMED, again), [0.9, 0.8, 0.8, 0.1])[-1] == pytest.approx(0.1)


def test_of_two_lines_for_one_entry_the_first_is_the_heading() -> None:
    again = heading("Beta", 15)
    found = raised(table_with(NAMED[0], NAMED[1], again, NAMED[2]), [0.9, 0.1, 0.1, 0.8])
    assert found == pytest.approx([0.9, LISTED, 0.1, 0.8])


def test_captions_that_a_list_of_figures_names_stay_captions() -> None:
    caption = PhysicalObject(Kind.CAPTION, "Beta", NAMED[1].parts, NAMED[1].style)
    assert raised(table_with(NAMED[0], caption, NAMED[2]), [0.9, 0.1, 0.8])[1] == pytest.approx(0.1)


def test_what_was_given_is_not_changed() -> None:
    given = np.zeros(len(ENTRIES) + len(NAMED), np.float32)
    apply_rules([LISTED_RULE], given, table_with(*NAMED), 0.35)
    assert not given.any()
