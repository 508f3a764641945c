"""Outlines as the headings they list."""

import pytest

from held.document import OutlineEntry
from held.hierarchy.matching.outline import is_junk, listed_headings
from tests.corpus.made_up import entry


def listed(*entries: OutlineEntry, last_page: int = 9) -> list[tuple[int, str, int]]:
    headings = listed_headings(entries, last_page=last_page).headings
    return [(heading.level, heading.title, heading.parent) for heading in headings]


@pytest.mark.parametrize(
    "title",
    [
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
        "report FINAL (1).pdf",
        "Slide 3",
        "383,304,545.59",
        "...",
        "－",
        "Table 16. Timing",
        "图3-2 结构",
        "Figure 3",
        "表77. 版本",
        "Blank Page",
    ],
)
def test_an_entry_that_names_no_heading_is_junk(title: str) -> None:
    assert is_junk(title)


@pytest.mark.parametrize(
    "title",
    [
        "Table of Contents",
        "List of Figures",
        "图目录",
        "表决权",
        "1",
        "2024",
        "Covered calls",
        "Figures",
        "Tablets",
        "v1.0",
        "Part (1)",
        "§ 2",
        "图形界面",
        "Untimely ends",
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


def chapters(count: int, level: int = 2) -> list[OutlineEntry]:
    return [entry(f"{number} Chapter", level) for number in range(1, count + 1)]


def test_a_title_above_nearly_all_headings_goes_and_they_go_up() -> None:
    found = listed_headings(
        (entry("Preface"), entry("Our Report"), *chapters(20), entry("Index")), last_page=9
    )
    assert found.lone_root == entry("Our Report")
    assert {heading.level for heading in found.headings} == {1}
    assert (len(found.headings), found.levels_repaired) == (22, 0)


@pytest.mark.parametrize(
    "entries",
    [
        (entry("Notes"), *chapters(12), entry("A"), entry("B")),  # less than nine tenths
        (entry("Nets"), *(entry(f"2.{n} Net", 2) for n in range(1, 13)), entry("Index")),  # a chapter
        (entry("Notes"), *chapters(3), entry("Index")),  # too few to tell
    ],
)
def test_an_entry_above_many_headings_may_be_none(entries: tuple[OutlineEntry, ...]) -> None:
    assert listed_headings(entries, last_page=9).lone_root is None


def test_chapters_inside_the_chapter_before_them_are_put_beside_it() -> None:
    found = listed(entry("1 A"), entry("1.1 B", 2), entry("2 C", 2), entry("2.1 D", 3), entry("3 E", 2))
    assert found == [(1, "1 A", -1), (2, "1.1 B", 0), (1, "2 C", -1), (2, "2.1 D", 2), (1, "3 E", -1)]


def test_a_list_below_a_number_may_reach_the_number_after_it() -> None:
    found = listed(entry("2. A"), entry("1. B", 2), entry("2. C", 2), entry("3. D", 2), entry("3. E"))
    assert [level for level, _, _ in found] == [1, 2, 2, 2, 1]


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


def test_a_dotted_number_beside_its_prefix_is_put_below_it() -> None:
    entries = [entry("附录 A"), entry("A.1 B"), entry("A.1.1 C", 2), entry("A.2 D"), entry("附录 B")]
    found = listed_headings(entries, last_page=9)
    assert [(h.level, h.parent) for h in found.headings] == [(1, -1), (2, 0), (3, 1), (2, 0), (1, -1)]
    assert found.levels_repaired == 2


def test_levels_can_be_kept_as_listed() -> None:
    found = listed_headings([entry("3.1 A"), entry("3.1.1 B")], last_page=9, mend_by_numbers=False)
    assert [heading.level for heading in found.headings] == [1, 1]


def test_a_label_and_the_title_right_below_it_are_one_heading() -> None:
    entries = [
        entry("附 录 A", y=96.0),
        entry("（资料性）", y=112.0),
        entry("模型示例", y=128.0),
        entry("A.1 B", y=150.0),
    ]
    found = listed_headings(entries, last_page=9)
    assert [heading.title for heading in found.headings] == ["附 录 A （资料性） 模型示例", "A.1 B"]
    assert (found.joined, found.headings[1].entry) == (2, 3)


@pytest.mark.parametrize(
    "second", [entry("Harbours", y=400.0), entry("1 Harbours", y=120.0), entry("Tides", 2, y=120.0)]
)
def test_a_label_stays_alone_above_what_is_not_its_title(second: OutlineEntry) -> None:
    assert len(listed(entry("Chapter 3", y=100.0), second)) == 2
