"""What the printed contents say of objects: which entry lies under which, and which object each one names."""

from __future__ import annotations

import numpy as np
import pytest

from held.document import Box, Document, Kind, PageRegion, PageSize, PhysicalObject, Style
from held.headings.classifier import stacked_features
from held.headings.object_features import object_features
from held.headings.toc_features import NO_PARENT, page_offset, toc_tree

PLAIN, BOLD = Style("Serif", 10.0), Style("Serif", 10.0, bold=True)
BODY = Style("Serif", 10.0)


def entry(
    title: str, label: str = "", *, x0: float = 72.0, style: Style = PLAIN, page: int = 2
) -> PhysicalObject:
    part = PageRegion(page, Box(x0, 100, 400, 112))
    rows = ((title, label),)
    return PhysicalObject(Kind.CONTENTS_ENTRY, title, (part,), style, caps=title.isupper(), rows=rows)


def heading(text: str, page: int) -> PhysicalObject:
    return PhysicalObject(Kind.PARAGRAPH, text, (PageRegion(page, Box(72, 100, 400, 112)),), BOLD)


def document(*objects: PhysicalObject) -> Document:
    return Document("test", (PageSize(612, 792),) * 99, objects, body=BODY)


def levels(*entries: PhysicalObject) -> list[int]:
    return [found.level for found in toc_tree(entries)]


def test_what_is_set_in_lies_below() -> None:
    assert levels(entry("One"), entry("Two", x0=90), entry("Three", x0=108), entry("Four")) == [0, 1, 2, 0]


def test_bold_entries_stand_above_plain_ones_at_the_same_edge() -> None:
    assert levels(entry("One", style=BOLD), entry("Two"), entry("Three"), entry("Four", style=BOLD)) == [
        0,
        1,
        1,
        0,
    ]


def test_parts_stand_above_chapters_that_are_set_alike() -> None:
    found = levels(
        entry("Part I One"), entry("Chapter 1 Two"), entry("Chapter 2 Three"), entry("Part II Four")
    )
    assert found == [0, 1, 1, 0]


def test_a_dotted_number_lies_under_its_prefix_whatever_the_edge() -> None:
    assert levels(entry("1 One"), entry("1.1 Two"), entry("1.1.1 Three"), entry("2 Four")) == [0, 1, 2, 0]


def test_an_unnumbered_entry_stands_beside_chapters_that_are_set_alike() -> None:
    assert levels(entry("Preface"), entry("1 One"), entry("1.1 Two", x0=90), entry("References")) == [
        0,
        0,
        1,
        0,
    ]


def test_left_and_right_pages_may_have_other_margins() -> None:
    found = levels(
        entry("One", x0=72),
        entry("Two", x0=90),
        entry("Three", x0=110, page=3),
        entry("Four", x0=128, page=3),
    )
    assert found == [0, 1, 0, 1]


def test_an_entry_knows_the_one_above_it() -> None:
    found = toc_tree([entry("One"), entry("Two", x0=90), entry("Three", x0=90)])
    assert [each.parent for each in found] == [NO_PARENT, 0, 0]


def test_most_pages_tell_by_how_much_labels_are_off() -> None:
    assert page_offset([(11, 1), (15, 5), (40, 20)]) == 10
    assert page_offset([(11, 1), (40, 20)]) is None


def test_titles_that_come_twice_are_named_by_their_page() -> None:
    entries = [entry("Alpha", "1"), entry("Notes", "3"), entry("Beta", "5"), entry("Notes", "8")]
    table = object_features(
        document(*entries, heading("Alpha", 11), heading("Beta", 15), heading("Notes", 18))
    )
    assert table["contents_entry"].tolist()[4:] == [1, 3, 4]


def test_an_object_knows_how_far_it_stands_from_the_page_of_its_entry() -> None:
    entries = [entry("Alpha", "1"), entry("Beta", "5"), entry("Gamma", "8")]
    table = object_features(
        document(*entries, heading("Alpha", 11), heading("Beta", 15), heading("Gamma", 20))
    )
    assert table["contents_page"].tolist()[3:] == [0, 0, 2]


def test_the_second_look_hears_of_the_others_with_a_look_but_not_of_itself() -> None:
    table = object_features(document(heading("Alpha", 1), heading("Beta", 2), heading("Gamma", 3)))
    features = stacked_features(table, np.array([0.9, 0.8, 0.1], np.float32))
    assert features["first_look_mean"].tolist() == pytest.approx([0.45, 0.5, 0.85])
    assert features["first_look_share"].tolist() == [0.5, 0.5, 1.0]


def test_the_second_look_sees_an_empty_document() -> None:
    table = object_features(document())
    assert all(len(column) == 0 for column in stacked_features(table, np.zeros(0, np.float32)).values())
