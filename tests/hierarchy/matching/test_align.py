"""Which object each listed heading is."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from held.document import Document, Kind, OutlineEntry
from held.hierarchy.matching.align import align
from held.hierarchy.matching.outline import listed_headings
from tests.corpus.made_up import document, entry, head, item


def aligned(found: Document, *entries: OutlineEntry) -> list[tuple[int, int] | None]:
    headings = listed_headings(entries, last_page=len(found.pages)).headings
    return [match and (match.first, match.last) for match in align(headings, found)]


@pytest.mark.parametrize(
    ("title", "text"),
    [
        ("Results", "1.2 Results"),
        ("1.2　Results", "1.2 Results"),
        ("（一） 经营情况", "(一)经营情况"),
        ("eﬃcient markets", "Efficient markets"),
        ("The -adic case of", "4 The p-adic case of"),
        ("Item 9. Changes in and", "Item 9. Changes in and Disagreements with Accountants"),
    ],
)
def test_titles_that_differ_from_the_page_are_found(title: str, text: str) -> None:
    assert aligned(document("Some text.", text, "More."), entry(title)) == [(1, 1)]


def test_the_destination_tells_equal_titles_apart() -> None:
    titles = [item("Overview", y=y) for y in (100.0, 200.0, 300.0)]
    sure = [head(f"{n} Sure title", 2, 100.0 * n) for n in (1, 2, 3)]
    entries = [
        entry("Overview", y=195.0),
        *(entry(f"{n} Sure title", 1, 2, 100.0 * n - 5) for n in (1, 2, 3)),
    ]
    assert aligned(document(*titles, *sure), *entries)[0] == (1, 1)


def test_two_entries_never_share_an_object() -> None:
    assert aligned(document("Proof", "Text.", "Proof"), entry("Proof"), entry("Proof")) == [(0, 0), (2, 2)]
    assert aligned(document("Proof"), entry("Proof"), entry("Proof")).count(None) == 1


def test_matches_go_forward_through_the_document() -> None:
    found = aligned(document("Beta", "Alpha", "Beta"), entry("Alpha"), entry("Beta"))
    assert found == [(1, 1), (2, 2)]


def test_a_heading_on_the_next_page_is_found() -> None:
    assert aligned(document("Text.", item("2 Risks", 2)), entry("2 Risks", page=1, y=800.0)) == [(1, 1)]


def test_a_heading_without_destination_is_found_by_its_text() -> None:
    objects = [item("Text.", page) for page in range(1, 6)] + [item("2 Risks", 6)]
    assert aligned(document(*objects), entry("2 Risks", page=None)) == [(5, 5)]


def test_a_title_that_stands_in_pieces_is_put_together() -> None:
    assert aligned(document("CHAPTER 3", "Harbours", "Ships."), entry("Chapter 3 Harbours")) == [(0, 1)]


def test_the_contents_are_not_the_heading() -> None:
    contents = item("2 Risks", 1, kind=Kind.CONTENTS_ENTRY)
    assert aligned(document(contents, item("2 Risks", 2)), entry("2 Risks", page=2)) == [(1, 1)]


def test_a_table_that_begins_with_the_title_is_not_the_heading() -> None:
    assert aligned(document(item("Risks 1 2 3 4", kind=Kind.TABLE)), entry("Risks")) == [None]


def test_a_title_that_is_not_there_is_no_object() -> None:
    assert aligned(document("Some text.", "More text."), entry("Acknowledgements")) == [None]


@given(st.lists(st.sampled_from(["Alpha", "Beta", "1 Alpha", "Gamma rays", "text."]), max_size=8), st.data())
def test_every_alignment_is_in_order_without_overlap(texts: list[str], data: st.DataObject) -> None:
    titles = data.draw(st.lists(st.sampled_from(["Alpha", "Beta", "Gamma", "Alpha Beta"]), max_size=8))
    found = [match for match in aligned(document(*texts), *map(entry, titles)) if match]
    assert all(a[1] < b[0] for a, b in itertools.pairwise(found))
