"""Emphasis, references to footnotes and code in Markdown and HTML."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from held.document import Box, Document, Kind, Mark, PageRegion, PageSize, PhysicalObject, Span
from held.exports.html import to_html
from held.exports.html_blocks import html_blocks
from held.exports.markdown import to_markdown
from held.exports.object_text import shift_spans, split_by_spans
from held.hierarchy import Hierarchy
from held.tree import Tree
from tests.exports.markdown_reader import all_text

WHERE = (PageRegion(1, Box(0, 0, 1, 1)),)
SPANS = st.lists(
    st.tuples(st.integers(0, 20), st.integers(0, 20), st.sampled_from(Mark)).map(
        lambda given: Span(min(given[:2]), max(given[:2]), given[2])
    ),
    max_size=4,
)


def item(text: str, *spans: Span, kind: Kind = Kind.PARAGRAPH, note: str = "") -> PhysicalObject:
    return PhysicalObject(kind, text, WHERE, spans=spans, note=note)


def tree(*objects: PhysicalObject) -> Hierarchy:
    document = Document("a.pdf", (PageSize(100, 100),), objects)
    return Hierarchy(document, Tree.from_parents([-1] * len(objects)), {}, {}, 0, 0.0)


def as_markdown(*objects: PhysicalObject) -> str:
    return to_markdown(tree(*objects))


def as_html(*objects: PhysicalObject) -> str:
    return "\n".join(html_blocks(list(enumerate(objects)), {}))


def test_bold_and_italic_are_shown() -> None:
    text = item("We saw two boats.", Span(3, 6, Mark.BOLD), Span(11, 16, Mark.ITALIC))
    assert as_markdown(text) == "We **saw** two *boats*.\n"
    assert as_html(text) == "<p>We <b>saw</b> two <i>boats</i>.</p>"


def test_marks_keep_close_to_the_words() -> None:
    assert as_markdown(item("We saw boats", Span(2, 7, Mark.BOLD))) == "We **saw** boats\n"


def test_emphasis_that_asterisks_cannot_show_is_shown_by_a_tag() -> None:
    assert as_markdown(item("Note:boats", Span(0, 5, Mark.BOLD))) == "<b>Note:</b>boats\n"


def test_exponents_are_raised_and_indices_lowered() -> None:
    text = item("x2 and x1", Span(1, 2, Mark.SUPERSCRIPT), Span(8, 9, Mark.SUBSCRIPT))
    assert as_markdown(text) == "x<sup>2</sup> and x<sub>1</sub>\n"
    assert as_html(text) == "<p>x<sup>2</sup> and x<sub>1</sub></p>"


def test_an_index_of_a_variable_is_lowered_without_further_tags() -> None:
    index = (Span(1, 2, Mark.SUBSCRIPT), Span(0, 2, Mark.ITALIC))
    assert as_markdown(item("xi is", *index)) == "*x*<sub>i</sub> is\n"


@pytest.mark.parametrize("text", ["1The end.", "1 The end.", "[1] The end.", "1. The end."])
def test_the_first_word_of_a_footnote_is_no_part_of_its_mark(text: str) -> None:
    said = item("See1", Span(3, 4, Mark.SUPERSCRIPT, "1"))
    written = to_markdown(tree(said, item(text, kind=Kind.FOOTNOTE, note="1")))
    assert written.endswith("[^1]: The end.\n")


def test_a_reference_leads_to_its_footnote() -> None:
    text = item("by the standard.185", Span(16, 19, Mark.SUPERSCRIPT, "185"))
    note = item("185 See below.", kind=Kind.FOOTNOTE, note="185")
    assert as_markdown(text, note) == "by the standard.[^185]\n\n[^185]: See below.\n"
    shown = as_html(text, note)
    assert '<sup><a href="#fn-185" role="doc-noteref">185</a></sup>' in shown
    assert 'role="doc-footnote" id="fn-185">185 See below.' in shown


def test_a_heading_shows_its_exponents_and_leaves_weight_to_its_look() -> None:
    heading = item("O(n2) algorithms", Span(2, 3, Mark.ITALIC), Span(3, 4, Mark.SUPERSCRIPT))
    document = Document("a.pdf", (PageSize(100, 100),), (heading,))
    page = to_html(Hierarchy(document, Tree.from_parents([-1]), {0: 1.0}, {0: 1.0}, 0, 0.0))
    assert ">O(n<sup>2</sup>) algorithms</h1>" in page


def test_no_section_takes_the_name_of_a_footnote() -> None:
    page = to_html(tree(item("fn 1"), item("1 See.", kind=Kind.FOOTNOTE, note="1")))
    assert page.count('id="fn-1"') == 1


def test_a_reference_to_a_note_that_is_not_there_is_raised_text() -> None:
    assert as_markdown(item("ships1", Span(5, 6, Mark.SUPERSCRIPT, "1"))) == "ships<sup>1</sup>\n"


def test_code_keeps_its_lines_and_indents() -> None:
    code = item("if a < b:\n    go()", kind=Kind.CODE)
    assert as_markdown(code) == "```\nif a < b:\n    go()\n```\n"
    assert as_html(code) == "<pre><code>if a &lt; b:\n    go()</code></pre>"


def test_emphasis_in_a_list_item_stays_in_its_place_behind_the_bullet() -> None:
    listed = item("• Nets and oars", Span(2, 6, Mark.BOLD), kind=Kind.LIST_ITEM)
    assert as_markdown(listed) == "- **Nets** and oars\n"
    assert "<li><b>Nets</b> and oars</li>" in as_html(listed)


@given(st.text("ab .*_<[1", min_size=1, max_size=20).filter(str.strip), SPANS)
def test_no_text_is_lost_by_its_marks(text: str, spans: list[Span]) -> None:
    assert "".join(piece.text for piece in split_by_spans(text, spans)) == text
    assert all_text(as_markdown(item(text, *spans))) == "".join(text.split())


def test_spans_move_with_what_is_left_out_before_them() -> None:
    assert shift_spans([Span(0, 3, Mark.BOLD), Span(4, 6, Mark.BOLD)], 2) == (
        Span(0, 1, Mark.BOLD),
        Span(2, 4, Mark.BOLD),
    )


def test_a_note_that_only_a_caption_refers_to_is_text_that_every_renderer_shows() -> None:
    caption = item("Nets1", Span(4, 5, Mark.SUPERSCRIPT, "1"), kind=Kind.CAPTION)
    note = item("1 See below.", kind=Kind.FOOTNOTE, note="1")
    assert as_markdown(caption, note) == "*Nets1*\n\n> 1 See below.\n"
