"""Titles that a page repeats with "(continued)"."""

import pytest

from held.document import Box, Kind, PageRegion, PhysicalObject
from held.numbering.titles import find_continued_titles, is_continued_title


def titles(*texts: str) -> list[PhysicalObject]:
    return [PhysicalObject(Kind.PARAGRAPH, text, (PageRegion(1, Box(0, 0, 1, 1)),)) for text in texts]


@pytest.mark.parametrize(
    "text",
    [
        "NOTES (Continued)",
        "Notes—continued",
        "Notes (cont’d)",
        "Notes (cont.)",
        "1. Policies (continued):",
        "财务报表附注（续）",
        "(Continued)",
    ],
)
def test_a_title_may_say_in_many_ways_that_it_goes_on(text: str) -> None:
    assert is_continued_title(text)


@pytest.mark.parametrize(
    "text", ["Discontinued", "Operations discontinued", "The work is continued here.", "Sails:", ""]
)
def test_other_titles_do_not(text: str) -> None:
    assert not is_continued_title(text)


def test_a_title_that_stands_before_is_repeated() -> None:
    assert find_continued_titles(titles("Segments", "Text.", "SEGMENTS (Continued)")) == {2}


def test_a_title_that_ends_in_a_colon_is_repeated_with_it() -> None:
    assert find_continued_titles(titles("1. Sails:", "Text.", "1. Sails (continued):")) == {2}


def test_the_number_may_be_left_out_where_a_title_is_repeated() -> None:
    assert find_continued_titles(titles("Item 7. Our business", "Our business (continued)")) == {1}


def test_a_title_that_begins_on_pages_that_were_cut_off_is_none_that_is_repeated() -> None:
    assert find_continued_titles(titles("Segments (continued)", "Text.")) == frozenset()
