"""Recognised objects against true ones."""

from __future__ import annotations

from held.document import Box, Kind, PageRegion, PhysicalObject
from held.metrics import Matches, layout_matches, match_objects


def obj(text: str, *, page: int = 1, kind: Kind = Kind.PARAGRAPH) -> PhysicalObject:
    return PhysicalObject(kind, text, (PageRegion(page, Box(0, 0, 1, 1)),))


def test_objects_match_by_text_and_page() -> None:
    assert match_objects([obj("a"), obj("b")], [obj("b"), obj("a", page=2)]) == {1: 0}


def test_white_space_and_width_of_letters_do_not_count() -> None:
    assert match_objects([obj("第 1 章 A")], [obj("第１章\u3000A")]) == {0: 0}


def test_equal_objects_are_matched_one_to_one_in_order() -> None:
    assert match_objects([obj("a"), obj("a"), obj("a")], [obj("a"), obj("a")]) == {0: 0, 1: 1}


def test_a_heading_and_a_paragraph_are_the_same_to_layout() -> None:
    found = layout_matches([obj("a", kind=Kind.HEADING)], [obj("a")])
    assert found == {Kind.PARAGRAPH: Matches(1, 1, 1)}


def test_matches_are_counted_by_kind() -> None:
    true = [obj("a"), obj("b"), obj("", kind=Kind.FIGURE), obj("t", kind=Kind.TABLE)]
    found = [obj("a"), obj("bc"), obj("", kind=Kind.FIGURE), obj("t")]
    assert layout_matches(true, found) == {
        Kind.PARAGRAPH: Matches(both=1, true=2, found=3),
        Kind.FIGURE: Matches(both=1, true=1, found=1),
        Kind.TABLE: Matches(both=0, true=1, found=0),
    }


def test_without_objects_nothing_matches() -> None:
    assert match_objects([], [obj("a")]) == {}
    assert layout_matches([], []) == {}
