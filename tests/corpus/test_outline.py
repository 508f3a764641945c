"""Outlines as the headings they list."""

import pytest
from made_up import entry

from held.corpus.outline import is_junk, listed_headings
from held.document import OutlineEntry


def listed(*entries: OutlineEntry, last_page: int = 9) -> list[tuple[int, str, int]]:
    headings = listed_headings(entries, last_page=last_page).headings
    return [(heading.level, heading.title, heading.parent) for heading in headings]


@pytest.mark.parametrize(
    "title",
    [
        *(
            "",
            "  ",
            "OLE_LINK12",
            "_Toc123",
            "_Hlk9",
            "Untitled",
            "Cover",
            "Back Cover",
            "Cover Page",
            "封面",
        ),
        *("report FINAL (1).pdf", "Slide 3", "383,304,545.59", "...", "－", "Table 16. Timing", "图3-2 结构"),
        *("Figure 3", "表77. 版本", "Blank Page"),
    ],
)
def test_an_entry_that_names_no_heading_is_junk(title: str) -> None:
    assert is_junk(title)


@pytest.mark.parametrize(
    "title",
    [
        *(
            "Table of Contents",
            "List of Figures",
            "图目录",
            "表决权",
            "1",
            "2024",
            "Covered calls",
            "Figures",
        ),
        *("Tablets", "v1.0", "Part (1)", "§ 2", "图形界面", "Untimely ends"),
    ],
)
def test_a_title_is_not_junk(title: str) -> None:
    assert not is_junk(title)


def test_junk_is_left_out_and_its_children_stay() -> None:
    entries = (entry("1 A"), entry("OLE_LINK1", 2), entry("1.1 B", 3), entry("2 C"))
    assert listed(*entries) == [(1, "1 A", -1), (2, "1.1 B", 0), (1, "2 C", -1)]
    assert listed_headings(entries, last_page=9).junk == 1


def test_an_entry_that_is_listed_twice_counts_once() -> None:
    found = listed_headings((entry("A", y=50.0), entry("A", y=50.0), entry("A", y=90.0)), last_page=9)
    assert (len(found.headings), found.junk) == (2, 1)


def test_a_lone_root_is_removed() -> None:
    found = listed_headings((entry("Our Report"), entry("1 A", 2), entry("1.1 B", 3)), last_page=9)
    assert [heading.level for heading in found.headings] == [1, 2]
    assert (found.lone_root, found.levels_repaired) == (entry("Our Report"), 0)


def test_a_lone_chapter_is_no_lone_root() -> None:
    assert listed(entry("Chapter 6 Nets"), entry("6.1 A", 2)) == [(1, "Chapter 6 Nets", -1), (2, "6.1 A", 0)]


def test_two_entries_at_the_top_are_no_lone_root() -> None:
    assert len(listed(entry("A"), entry("B", 2), entry("C"))) == 3


def test_a_level_that_jumps_is_put_next_to_its_parent() -> None:
    found = listed_headings(
        (entry("A"), entry("B", 3), entry("C", 3), entry("D", 2), entry("E")), last_page=9
    )
    assert [heading.level for heading in found.headings] == [1, 2, 2, 2, 1]
    assert found.levels_repaired == 2


def test_a_destination_outside_the_document_is_none() -> None:
    found = listed_headings((entry("A", page=99, y=5.0), entry("B", page=0)), last_page=9).headings
    assert [(heading.page, heading.y) for heading in found] == [(None, None), (None, None)]


def test_entries_that_point_back_are_counted() -> None:
    entries = [entry("A", page=3), entry("B", page=2), entry("C", page=1)]
    assert listed_headings(entries, last_page=9).out_of_order == 2


def test_headings_know_their_entry() -> None:
    headings = listed_headings((entry("Cover"), entry("A"), entry("B")), last_page=9).headings
    assert [heading.entry for heading in headings] == [1, 2]
