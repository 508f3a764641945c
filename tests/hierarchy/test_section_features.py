"""How sections lie on their pages and hold each other, and which lists a number continues."""

from dataclasses import replace

import pytest

from held.document import Kind, PhysicalObject
from held.headings.object_features import MISSING, ObjectFeatures, object_features
from held.hierarchy.heading_features import IDS, HeadingFeatures, heading_features
from held.hierarchy.section_features import ENTRY, NEVER_RUNS, SECTION
from tests.hierarchy.test_features import BODY, BOLD, compare, document, numbered, obj

PART, CHAPTER, TEXT = "part", "chapter", "text"


def book(*pages: tuple[tuple[str, str], ...]) -> tuple[ObjectFeatures, list[int]]:
    """The features of a book, and its headings; each page is a sequence of pairs (kind, text)."""
    objects: list[PhysicalObject] = []
    headings: list[int] = []
    for page, content in enumerate(pages, start=1):
        for kind, text in content:
            if kind != TEXT:
                headings.append(len(objects))
            objects.append(obj(text, BODY if kind == TEXT else BOLD, page=page))
    return object_features(document(*objects)), headings


PARTS = book(
    ((PART, "Part I Ships"),),
    ((CHAPTER, "1 Sails"), (TEXT, "Sails catch the wind.")),
    ((TEXT, "They tear."), (CHAPTER, "2 Oars"), (TEXT, "Oars are slow.")),
    ((PART, "Part II Crews"),),
    ((CHAPTER, "1 Sailors"), (TEXT, "They sing.")),
)


def sections(table: ObjectFeatures, headings: list[int]) -> dict[str, list[float]]:
    features = heading_features(table, headings)
    section = SECTION.records(features.section)
    return {name: section[name].tolist() for name in SECTION}


def test_a_heading_without_text_before_it_opens_its_page() -> None:
    above = sections(*PARTS)["text_above"]
    assert [value == 0 for value in above] == [True, True, False, True, True]


def test_a_heading_alone_on_its_page_has_no_text_on_it() -> None:
    text = sections(*PARTS)["page_text"]
    assert [value == 0 for value in text] == [True, False, False, True, False]


def test_a_class_without_text_of_its_own_is_empty() -> None:
    assert sections(*PARTS)["class_empty"] == [1, 0, 0, 1, 0]


def test_a_section_spans_the_pages_until_the_next_heading_of_its_class() -> None:
    found = sections(*PARTS)
    assert found["span"][0] > found["span"][1]
    assert found["class_inner"][0] > found["class_inner"][1]


def test_numbers_restart_in_a_part_but_go_on_after_a_chapter() -> None:
    assert sections(*PARTS)["restarts"] == [1, MISSING, 0, 1, MISSING]


def test_the_numbers_of_chapters_restart_after_each_part() -> None:
    features = heading_features(*PARTS)
    part, chapter, *_ = _classes(features)
    assert features.resets[part, chapter] == 1
    assert features.resets[chapter, part] == 0


def test_chapters_that_count_on_are_not_reset_by_parts() -> None:
    table = numbered("Part I", "Chapter 1 A", "Chapter 2 B", "Part II", "Chapter 3 C")
    features = heading_features(table, range(5))
    part, chapter, *_ = _classes(features)
    assert features.resets[part, chapter] == 0


def test_a_class_that_stands_right_below_another_touches_it() -> None:
    features = heading_features(*PARTS)
    part, chapter, *_ = _classes(features)
    assert features.touches[part, chapter] == pytest.approx(2 / 3)
    assert features.touches[chapter, part] == 0


def _classes(features: HeadingFeatures) -> list[int]:
    found: list[int] = IDS.records(features.ids)["style_class"].tolist()
    return found


def test_a_document_without_headings_has_no_sections() -> None:
    assert heading_features(PARTS[0], ()).section.shape == (0, len(SECTION))


def test_a_heading_knows_how_its_entry_is_set() -> None:
    entries = [obj("Ships", kind=Kind.CONTENTS_ENTRY), obj("Sails", kind=Kind.CONTENTS_ENTRY, x0=133.2)]
    titles = [obj(text, BOLD) for text in ("Ships", "Sails", "Oars")]
    features = heading_features(object_features(document(*entries, *titles)), (2, 3, 4))
    inset = ENTRY.records(features.entry)["entry_inset"].tolist()
    assert inset == pytest.approx([0, 0.1, MISSING])


def test_a_number_continues_the_last_numbered_child_and_not_only_the_last() -> None:
    """A title without a number stands beside 一、: 二、 still belongs where 一、 is."""
    titles = ("第十节 财务报告", "一、审计报告", "审计意见", "一、基本情况", "七、税项", "二、财务报表")
    rows = compare(numbered(*titles), "(0 1 (2 3 4))", 5)
    assert [row["continues"] for row in rows] == [0, 1, 0, 0]
    assert [row["last_follows"] for row in rows] == [0, 0, 0, MISSING]
    assert [row["continues_above"] for row in rows] == [0, 0, 1, 1]
    assert [row["continues_below"] for row in rows] == [1, 0, 0, 0]


def test_letters_go_on_after_a_title_without_a_letter() -> None:
    titles = ("1. Policies", "(a) Basis", "(b) Revenue", "Sale of goods", "(c) Leases")
    rows = compare(numbered(*titles), "(0 1 2 3)", 4)
    assert [row["continues"] for row in rows] == [0, 1, 0]
    assert [row["counter_step"] for row in rows] == [MISSING, 1, MISSING]


def test_a_list_that_starts_again_is_told_from_one_that_opens() -> None:
    rows = compare(numbered("1. Aim", "(1) Scope", "(1) Terms"), "(0 1)", 2)
    assert [row["restarts_counter"] for row in rows] == [0, 1, 0]
    assert [row["opens_counter"] for row in rows] == [1, 0, 1]


def test_a_sibling_with_another_form_of_number_does_not_hide_the_list() -> None:
    rows = compare(numbered("1. Aim", "A. Start", "2. Scope"), "0 1", 2)
    assert [row["continues"] for row in rows] == [1, 0]


def with_running_heads(*heads: tuple[str, int]) -> tuple[ObjectFeatures, list[int]]:
    """A report of two sections with a title each inside, and what runs at the head of its pages."""
    titles = (("Directors' report", 1), ("Results", 2), ("Notes to the accounts", 4), ("Leases", 5))
    objects = [obj(title, BOLD, page=page) for title, page in titles]
    furniture = tuple(obj(text, kind=Kind.HEADER, page=page) for text, page in heads)
    return object_features(replace(document(*objects), furniture=furniture)), list(range(len(titles)))


def test_a_running_head_shows_how_far_a_section_goes() -> None:
    table, headings = with_running_heads(
        ("Annual Report | Directors' report", 2), ("Directors' report (continued)", 3), ("Notes to the", 5)
    )
    assert heading_features(table, headings).runs_until.tolist() == [2, NEVER_RUNS, 4, NEVER_RUNS]


def test_a_run_ends_where_pages_in_between_have_no_such_head() -> None:
    table, headings = with_running_heads(("Directors' report", 2), ("Directors' report", 8))
    assert heading_features(table, headings).runs_until.tolist()[0] == 1


def test_a_put_that_closes_a_section_whose_running_head_goes_on_is_seen() -> None:
    table, _ = with_running_heads(("Directors' report", 2), ("Directors' report", 3))
    rows = compare(table, "0", 1)
    assert [row["closed_running"] for row in rows] == [1, 0]
    assert [row["parent_runs_past"] for row in rows] == [MISSING, 1]
