"""Which objects may be headings that the outline leaves out."""

import pytest

from held.document import Document, Kind, PhysicalObject, Style
from held.hierarchy.matching.unlisted import UnlistedReason, unlisted_headings
from tests.corpus.made_up import BODY, BOLD, document, head, item

ITALIC = Style("Serif", 10.0, italic=True)


def reason(
    unlisted: PhysicalObject | str, *, after: str = "Some text.", headings: int = 2
) -> UnlistedReason | None:
    """Why an object is held for a possible heading, in a document with headings in italics."""
    listed = [item(f"Listed {n}", style=ITALIC) for n in range(headings)]
    found = document(*listed, "Some text.", unlisted, after, "Some text.")
    return unlisted_headings(found, range(headings)).get(headings + 1)


def test_what_is_set_like_listed_headings_may_be_one() -> None:
    assert reason(item("Harbours", style=ITALIC)) is UnlistedReason.STYLE


def test_a_style_that_also_sets_running_text_tells_nothing() -> None:
    long = item("Ships come and go. " * 20, style=ITALIC, lines=9)
    found = document(
        item("A one", style=ITALIC), item("B two", style=ITALIC), long, item("Maybe", style=ITALIC)
    )
    assert 3 not in unlisted_headings(found, {0, 1})


@pytest.mark.parametrize(
    "text", ["Abstract", "REFERENCES", "参考文献", "目 录", "A. Acknowledgments", "Table of Contents"]
)
def test_a_word_that_heads_sections_may_be_a_heading(text: str) -> None:
    assert reason(text) is UnlistedReason.WORD


def test_what_the_printed_contents_list_may_be_a_heading() -> None:
    contents = item("2.1 Harbours ........ 7", kind=Kind.CONTENTS_ENTRY)
    found = document(contents, "Some text.", "Harbours", "Some text.")
    assert unlisted_headings(found, ()) == {2: UnlistedReason.CONTENTS}


def test_a_bold_line_may_be_a_heading() -> None:
    assert reason(head("Harbours and ships")) is UnlistedReason.PROMINENT


def test_an_underlined_line_may_be_a_heading() -> None:
    assert (
        reason(item("Harbours and ships", style=Style("Serif", 10.0, underlined=True)))
        is UnlistedReason.PROMINENT
    )


@pytest.mark.parametrize(
    "text", ["harbours", "(in millions)", "Parameters:", "Ships come,", "Total 1,333.6 1,174.4", "12"]
)
def test_a_bold_line_that_does_not_read_like_a_title_is_no_heading(text: str) -> None:
    assert reason(head(text)) is None


def test_a_bold_line_amid_its_like_is_no_heading() -> None:
    found = document(head("One two"), head("Three four"), head("Five six"), "Some text.")
    assert 1 not in unlisted_headings(found, ())


def test_a_numbered_line_with_content_may_be_a_heading() -> None:
    assert reason("（一）主要业务") is UnlistedReason.NUMBER


def test_an_item_of_a_list_is_no_heading() -> None:
    assert reason("(1) Ships", after="(2) Harbours") is None


@pytest.mark.parametrize("text", ["Theorem 4", "Lemma 2.3", "表 A.85 非流动资产", "Example 6.1"])
def test_a_theorem_is_no_heading(text: str) -> None:
    assert reason(item(text, style=ITALIC)) is None


def test_a_theorem_may_be_a_heading_where_theorems_are_listed() -> None:
    found = document(
        head("Theorem 1"), "Some text.", head("Theorem 2"), "Some text.", head("Theorem 3"), "So."
    )
    assert unlisted_headings(found, {0, 4}) == {2: UnlistedReason.STYLE}


def test_a_number_alone_above_a_heading_is_a_piece_of_it() -> None:
    found = document(head("CHAPTER FOUR", y=50), head("Harbours", y=80), "Some text.")
    assert unlisted_headings(found, {1}) == {0: UnlistedReason.PIECE}


def test_a_bold_title_that_runs_into_its_paragraph_may_be_a_heading() -> None:
    assert reason(head("Induced metric.")) is UnlistedReason.PROMINENT
    assert (
        reason(head("Ships come and go with every tide, and nobody ever counts them."))
        is UnlistedReason.PROMINENT
    )
    assert reason(item("Induced metric.")) is None


def test_a_line_in_title_case_above_a_paragraph_may_be_a_heading() -> None:
    paragraph = "Ships come and go with every tide, and nobody counts them. " * 2
    assert reason("Amortization of Intangibles", after=paragraph) is UnlistedReason.TITLE_CASE
    assert reason("Amortization of intangibles", after=paragraph) is None
    assert reason("Amortization of Intangibles", after="Some text.") is None


def test_a_title_after_a_numbered_paragraph_may_be_a_heading() -> None:
    found = document(
        "1. Ships come and go with every tide, and nobody counts them.", "2. Harbours", "Some text."
    )
    assert unlisted_headings(found, ()) == {1: UnlistedReason.NUMBER}


def test_a_number_alone_above_an_unlisted_heading_is_a_piece_of_it() -> None:
    found = document(head("3.1", y=50), head("Data element", y=70), "Some text.")
    assert unlisted_headings(found, ()) == {0: UnlistedReason.PIECE, 1: UnlistedReason.PROMINENT}


@pytest.mark.parametrize("text", ["[19] J. Page and L. Brin", "volume 0 {"])
def test_citations_and_code_are_no_headings(text: str) -> None:
    assert reason(text) is None


def test_a_long_bold_paragraph_is_no_heading() -> None:
    assert reason(item("Ships come and go " * 10, style=BOLD, lines=6)) is None


def test_the_dots_of_a_number_are_no_amounts() -> None:
    assert reason(head("3.3.2.4 Maximum number of steps")) is UnlistedReason.PROMINENT
    assert reason("13.3.2.1 判别") is UnlistedReason.NUMBER


def test_plain_text_is_no_heading() -> None:
    found: Document = document("Some short line", "Some text.")
    assert found.body == BODY
    assert not unlisted_headings(found, ())


def test_bold_lines_of_a_cover_are_no_headings() -> None:
    found = document(head("Harbour Company", page=1), "Some text.", head("Ships", page=2), "Some text.")
    assert 0 not in unlisted_headings(found, {2})


def test_a_bold_line_on_the_page_of_the_first_listed_heading_may_be_one() -> None:
    found = document(head("Harbour Company", page=1), "Some text.", head("Ships", page=1), "Some text.")
    assert unlisted_headings(found, {2})[0] is UnlistedReason.PROMINENT


def test_a_word_that_heads_sections_may_be_a_heading_on_a_cover_too() -> None:
    found = document(item("Abstract", page=1), "Some text.", head("Ships", page=2), "Some text.")
    assert unlisted_headings(found, {2}) == {0: UnlistedReason.WORD}
