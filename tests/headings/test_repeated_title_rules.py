"""Titles that stand twice."""

from __future__ import annotations

import numpy as np
import pytest

from held.document import Box, Kind, PageRegion, PhysicalObject, Style
from held.headings.object_features import object_features
from held.headings.rules import RULES, apply_rules
from tests.headings.test_toc_features import BODY, document

REPEATS = [rule for rule in RULES if rule.name == "repeated title"]
REPEATED = REPEATS[0].effect.probability
TITLE, LARGER = Style("Serif", 14.0, bold=True), Style("Serif", 18.0, bold=True)


def title(text: str, page: int, style: Style = TITLE) -> PhysicalObject:
    part = PageRegion(page, Box(72, 100, 400, 112))
    return PhysicalObject(Kind.PARAGRAPH, text, (part,), style, relative_size=style.size / BODY.size)


def text(page: int) -> PhysicalObject:
    part = PageRegion(page, Box(72, 200, 400, 212))
    return PhysicalObject(Kind.PARAGRAPH, "What is said of it.", (part,), BODY)


def last(*objects: PhysicalObject) -> float:
    """The probability of the last title, where all titles were likely headings."""
    return judged(*objects)[len(objects) - 1]


def judged(*objects: PhysicalObject) -> list[float]:
    """The probability of each object, where all titles were likely headings, and of a text after them."""
    table = object_features(document(*objects, text(9)))
    given = np.array([0.1 if own.style == BODY else 0.9 for own in objects] + [0.1], np.float32)
    return [float(own) for own in apply_rules(REPEATS, given, table, 0.35)]


def test_a_title_that_the_page_before_had_is_no_heading_of_its_own() -> None:
    assert last(title("Ships", 1), text(1), text(1), title("Ships", 2)) == pytest.approx(REPEATED)


def test_nor_is_the_same_title_on_a_third_page() -> None:
    pages = [title("Ships", 1), text(1), text(1), title("Ships", 2), text(2), text(2)]
    assert last(*pages, title("Ships", 3)) == pytest.approx(REPEATED)


def test_another_title_is_a_heading() -> None:
    assert last(title("Ships", 1), text(1), text(1), title("Sails", 2)) == pytest.approx(0.9)


def test_a_title_that_comes_again_after_some_pages_is_a_heading() -> None:
    assert last(title("Ships", 1), text(1), text(1), title("Ships", 4)) == pytest.approx(0.9)


def test_a_title_within_the_next_page_is_a_heading() -> None:
    assert last(title("Ships", 1), text(1), text(1), text(2), title("Ships", 2)) == pytest.approx(0.9)


def test_a_title_within_another_chapter_is_a_heading() -> None:
    between = title("Harbours", 1, LARGER)
    assert last(title("Ships", 1), text(1), between, title("Ships", 2)) == pytest.approx(0.9)


def test_a_title_that_headed_nothing_leaves_its_place_to_the_next() -> None:
    assert last(title("Part I", 1), title("Part I", 2)) == pytest.approx(0.9)
