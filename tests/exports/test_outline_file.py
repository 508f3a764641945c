"""Outlines as files of lines, and where their titles stand."""

import codecs
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from held.document import PageContent, Pages, Run, Style
from held.errors import InputError, UsageError
from held.exports.bookmarks import title_top
from held.exports.outline import OutlineLine, read_outline

TWO = [OutlineLine(1, 1, 3, "Boats"), OutlineLine(2, 2, 4, "船 and nets")]
WRITTEN = "1\t3\tBoats\n2\t4\t船 and nets\n"


def read(text: str) -> list[OutlineLine]:
    return read_outline(text.encode(), "o.tsv")


@pytest.mark.parametrize(
    "content",
    [
        WRITTEN.encode(),
        codecs.BOM_UTF8 + WRITTEN.encode(),
        WRITTEN.replace("\n", "\r\n").encode(),
        WRITTEN.replace("\n", "\r").encode(),
        WRITTEN.encode("utf-16"),
        codecs.BOM_UTF16_BE + WRITTEN.encode("utf-16-be"),
        WRITTEN.rstrip("\n").replace("\t", " \t ").encode(),
        WRITTEN.replace("\n", "\t\t\n").encode(),
    ],
)
def test_what_editors_and_spreadsheets_write_is_read(content: bytes) -> None:
    assert read_outline(content, "o.tsv") == TWO


def test_blank_lines_and_comments_are_passed_over_but_counted() -> None:
    assert read("# made by hand\n\n  \n1\t3\t# Boats\n") == [OutlineLine(4, 1, 3, "# Boats")]


def test_a_tab_in_a_title_becomes_a_space_and_a_question_mark_means_doubt() -> None:
    assert read("1\t3\tBoats\tand nets\n1\t4\tWhy\t?\n1\t5\t?\n") == [
        OutlineLine(1, 1, 3, "Boats and nets"),
        OutlineLine(2, 1, 4, "Why", doubtful=True),
        OutlineLine(3, 1, 5, "?"),
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1\t3\tA\n1 4 B\n", "line 2: has no tabs"),
        ("1\t3\n", "line 1: has no title"),
        ("1\t3\t \n", "line 1: has no title"),
        ("1\t\n", "line 1: has no"),
        ("one\t3\tA\n", "line 1: the level 'one' is not a number"),
        ("0\t3\tA\n", "line 1: the level is 0, but levels count from 1"),
        ("1\tiv\tA\n", "line 1: the page 'iv' is not a number (count pages from 1"),
        ("# nothing\n", "has no entries"),
        ("1\t3\tA\0\n", "save it as UTF-8"),
    ],
)
def test_an_error_says_the_line_and_what_to_do(text: str, message: str) -> None:
    with pytest.raises(InputError) as raised:
        read(text)
    assert str(raised.value).startswith("o.tsv: ")
    assert message in str(raised.value)


def test_another_encoding_is_refused_by_line() -> None:
    with pytest.raises(InputError, match="line 2: is not UTF-8"):
        read_outline("1\t3\tA\n1\t4\t船\n".encode("gb18030"), "o.tsv")


def test_a_pdf_in_place_of_the_outline_is_refused() -> None:
    with pytest.raises(UsageError, match="give the PDF first"):
        read_outline(b"%PDF-1.7\n", "a.pdf")


def test_json_is_told_how_it_becomes_an_outline() -> None:
    with pytest.raises(UsageError, match="--format outline"):
        read_outline(b'{\n "format": "held.tree"}', "report.json")


@given(st.binary(max_size=60))
def test_any_bytes_are_read_or_refused(content: bytes) -> None:
    with suppress(InputError, UsageError):
        assert read_outline(content, "o.tsv")


STYLES = (Style("Body", 10.0), Style("Body", 14.0, bold=True))


def page(*runs: tuple[float, int, str]) -> Pages:
    """A page of runs below each other: distance from the top, style, text."""
    content = PageContent(600, 800, tuple(Run(50, y, 300, y + 10, style, text) for y, style, text in runs))
    return Pages("a.pdf", STYLES, (content,), first_page=7)


@pytest.mark.parametrize("title", ["1.1 Boats and nets", "1.1 boats  and Nets", "Boats and nets"])
def test_a_title_is_found_where_it_is_set_like_a_heading(title: str) -> None:
    runs = (30, 0, "Boats and nets"), (100, 0, "On boats and nets see"), (300, 1, "1.1 Boats and nets")
    assert title_top(page(*runs), 7, title) == 300


def test_a_title_may_be_broken_over_lines_and_lack_its_number_on_the_page() -> None:
    assert (
        title_top(page((90, 0, "Foo."), (300, 1, "Boats and"), (316, 1, "nets")), 7, "2 Boats and nets")
        == 300
    )


@pytest.mark.parametrize("title", ["Harbours", "A", "…", "it"])
def test_a_title_that_is_not_on_the_page_has_no_place(title: str) -> None:
    assert title_top(page((90, 0, "We think that a boat is what it is")), 7, title) is None
