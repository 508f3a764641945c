"""How scans are made, and how their trees are compared with the truth."""

from __future__ import annotations

from research.scans.data import Entry, densest_pages, single_title
from research.scans.run import summary
from research.scans.score import Heading, score

GOLD = [Heading(1, "Introduction", 1), Heading(2, "Scope", 1), Heading(1, "Results", 3)]


def test_a_tree_with_misread_titles_and_numbers_is_right() -> None:
    found = [Heading(1, "1 lntroduction", 1), Heading(2, "1.1 Scope", 1), Heading(1, "2 Resu1ts", 3)]
    assert score(GOLD, found) == (3, 3, 3, 3)


def test_a_wrong_level_costs_the_path_and_not_the_heading() -> None:
    found = [Heading(1, "Introduction", 1), Heading(1, "Scope", 1), Heading(1, "Results", 3)]
    counts = score(GOLD, found)
    assert counts.headings == 3
    assert counts.paths == 2


def test_a_false_heading_costs_precision() -> None:
    counts = score(GOLD, [*GOLD, Heading(1, "A line of text", 3)])
    assert counts.path_f1 == 6 / 7


def test_a_heading_on_another_page_is_another_heading() -> None:
    assert score(GOLD, [Heading(1, "Introduction", 7)]).headings == 0


def test_the_summary_compares_with_the_same_pages_born_digital() -> None:
    rows = {
        "a": {"headings": 0.9, "paths": 0.8, "digital headings": 1.0, "digital paths": 1.0},
        "b": {"headings": 0.5, "paths": 0.4},
    }
    result = summary(rows)
    assert result["paths"] == 0.6
    assert result["paths of digital"] == 0.8


def test_a_scan_has_the_pages_with_the_most_bookmarks() -> None:
    entries = [Entry(1, "Far", 1), Entry(2, "Near", 7), Entry(3, "Nearer", 8), Entry(2, "Nearest", 9)]
    first, gold = densest_pages(entries, 12, max_pages=3)
    assert first == 7
    assert gold == [Entry(1, "Near", 1), Entry(2, "Nearer", 2), Entry(1, "Nearest", 3)]


def test_a_short_document_is_scanned_as_a_whole() -> None:
    entries = [Entry(1, "First", 1), Entry(1, "Second", 2)]
    assert densest_pages(entries, 2, max_pages=10) == (1, entries)


def test_a_doubled_bookmark_names_its_title_once() -> None:
    assert single_title("Free WillFree Will") == "Free Will"
    assert single_title("Free Will") == "Free Will"
