"""Formulas in the line, code, footnotes, emphasis: what stands inside and beside running text."""

from collections.abc import Sequence
from itertools import pairwise

from held.document import Box, Kind, Mark, PageContent, Pages, PhysicalObject, Run, Span, Style
from held.layout.characters import MONOSPACED_FONT
from held.layout.lines import build_lines
from held.layout.recognise import recognise
from held.reading.text_checks import text_notes
from tests.layout.conftest import LEFT, Typesetter

BODY = Style("Body", 10.0)
ITALIC = Style("Body-Italic", 10.0, italic=True)
BOLD = Style("Body-Bold", 10.0, bold=True)
SMALL = Style("Body", 7.0)
NOTE = Style("Body", 8.0)
ROOT = Style("CMSY10", 10.0)
LARGE_SIGNS = Style("CMEX10", 10.0)
MATHS = Style("CMMI10", 10.0, italic=True)
FIXED = Style("Courier", 10.0)
TINY = Style("Body", 6.0)
STYLES = (BODY, ITALIC, BOLD, SMALL, NOTE, ROOT, LARGE_SIGNS, MATHS, FIXED, TINY)
FULL = "lines of the harbour go on and on until the edge of the column where they end and so"


def run(
    text: str, x: float, y: float, style: Style = BODY, *, x1: float | None = None, high: float = 0
) -> Run:
    end = x + len(text) * style.size / 2 if x1 is None else x1
    return Run(x, y, end, y + (high or style.size), STYLES.index(style), text)


def page(runs: Sequence[Run]) -> PageContent:
    return PageContent(600, 850, runs=tuple(runs))


def objects(*runs: Run) -> Sequence[PhysicalObject]:
    return recognise(Pages("test", STYLES, (page(runs),))).objects


def lines(*runs: Run) -> list[str]:
    return [line.text for line in build_lines(page(runs), STYLES)]


def first_words(found: Sequence[PhysicalObject], *words: str) -> bool:
    """Whether all that one word begins is read before all that the next one begins."""
    text = " ".join(item.text for item in found)
    return all(text.rindex(before) < text.index(after) for before, after in pairwise(words))


def test_a_root_that_reaches_up_to_the_line_above_joins_no_lines() -> None:
    above = run("We sail along the coast of the", 60, 100, x1=300)
    below = (run("bound is", 60, 113), run("√", 104, 104, ROOT, x1=112, high=19), run("n today", 112, 113))
    (found,) = objects(above, *below)
    assert found.text == "We sail along the coast of the bound is √n today"


def test_a_fraction_in_the_line_is_read_level_by_level() -> None:
    text = (run("where d =", 60, 100), run("is small", 130, 100))
    upper = (run("W", 108, 97, SMALL, x1=114), run("2", 112, 98, SMALL))
    lower = (run("L", 108, 105, SMALL, x1=114), run("1", 112, 106, SMALL))
    assert [item.text for item in objects(text[0], *lower, *upper, text[1])] == ["where d = W2L1 is small"]


def test_a_narrow_space_at_a_change_of_font_is_not_lost() -> None:
    assert lines(run("of", 60, 100), run("entropy", 71.2, 100, ITALIC)) == ["of entropy"]
    assert lines(run("price", 60, 100, ITALIC), run("s of fish", 85.6, 100)) == ["prices of fish"]


def test_large_signs_of_mathematics_are_read_as_signs() -> None:
    assert lines(run("X", 60, 95, LARGE_SIGNS, high=20), run("x", 66, 100, MATHS)) == ["∑x"]


def test_emphasis_inside_a_paragraph_is_kept() -> None:
    (found,) = objects(run("We saw", 60, 100), run("two", 95, 100, BOLD), run("boats", 115, 100, ITALIC))
    assert found.text == "We saw two boats"
    assert found.spans == (Span(7, 10, Mark.BOLD), Span(11, 16, Mark.ITALIC))


def test_a_paragraph_all_in_bold_has_no_spans() -> None:
    (found,) = objects(run("We saw", 60, 100, BOLD), run("two", 95, 100, BOLD))
    assert found.spans == ()


def test_exponents_and_indices_are_told_apart() -> None:
    (found,) = objects(
        run("x", 60, 100), run("2", 65, 98, SMALL), run("and y", 72, 100), run("1", 97, 106, SMALL)
    )
    assert [(found.text[s.start : s.end], s.mark) for s in found.spans] == [
        ("2", Mark.SUPERSCRIPT),
        ("1", Mark.SUBSCRIPT),
    ]


def with_footnotes(*notes: str) -> Sequence[PhysicalObject]:
    text = [run(FULL, 60, 100 + 13 * i, x1=540) for i in range(4)]
    text += [run("as the standard says.", 60, 152), run("7", 165, 150, SMALL)]
    foot = [run(note, 60, 700 + 11 * i, NOTE, x1=540) for i, note in enumerate(notes)]
    return objects(*text, *foot)


def test_a_footnote_is_tied_to_the_mark_that_refers_to_it() -> None:
    text, note = with_footnotes("7 See the harbour's own rules, which say more of it")
    assert (text.text[text.spans[-1].start :], text.spans[-1].note) == ("7", "7")
    assert (note.kind, note.note) == (Kind.FOOTNOTE, "7")


def test_several_marks_that_stand_together_refer_to_a_note_each() -> None:
    text = [run(FULL, 60, 100 + 13 * i, x1=540) for i in range(4)]
    text += [run("as the standard says.", 60, 152), run("7, 8", 165, 150, SMALL)]
    foot = [run("7 See the rules of the harbour", 60, 700, NOTE), run("8 See the town's", 60, 711, NOTE)]
    found = objects(*text, *foot)
    marks = [(found[0].text[span.start : span.end], span.note) for span in found[0].spans]
    assert marks == [("7", "7"), ("8", "8")]
    assert [note.note for note in found[1:]] == ["7", "8"]


def with_endnotes(title: str) -> Sequence[PhysicalObject]:
    text = [run(FULL, 60, 100 + 13 * i, x1=540) for i in range(4)]
    text += [run("as the standard says.", 60, 152), run("1", 165, 150, SMALL), run("The harbour’s", 172, 152)]
    text += [run("2", 238, 150, SMALL), run("own rules differ.", 243, 152)]
    notes = [run(title, 60, 100, BOLD), run("1 See the rules of the harbour.", 60, 130)]
    notes += [run("2 See the rules of the town and of its market.", 60, 150)]
    return recognise(Pages("test", STYLES, (page(text), page(notes)))).objects


def test_notes_at_the_end_are_tied_to_the_marks_before_them() -> None:
    found = with_endnotes("Notes")
    assert [span.note for span in found[0].spans] == ["1", "2"]
    assert [(item.kind, item.note) for item in found[-2:]] == [(Kind.FOOTNOTE, "1"), (Kind.FOOTNOTE, "2")]


def test_a_numbered_list_under_another_title_is_no_list_of_notes() -> None:
    assert Kind.FOOTNOTE not in {item.kind for item in with_endnotes("Rules")}
    assert Kind.FOOTNOTE in {item.kind for item in with_endnotes("Notes")}


def test_a_sign_below_the_footnotes_does_not_hide_them() -> None:
    text = [run(FULL, 60, 100 + 13 * i, x1=540) for i in range(4)]
    foot = [run("1 See the rules of the harbour.", 60, 650, NOTE), run("1 3", 60, 690)]
    assert [item.kind for item in objects(*text, *foot)][1] is Kind.FOOTNOTE


def with_margin_notes(*notes: Run) -> Sequence[PhysicalObject]:
    text = [run(FULL, 60, 100 + 13 * i, x1=400) for i in range(24)]
    text += [run("as the standard says.", 60, 412), run("1", 165, 410, SMALL)]
    return objects(*text, *notes)


def test_a_note_in_the_margin_is_a_note_at_any_height_and_breaks_no_paragraph() -> None:
    lines = ["See the rules of the harbour", "which are older than those of", "the town and of its market."]
    notes = [run(line, 424, 120 + 10 * i, NOTE, x1=540) for i, line in enumerate(lines)]
    text, note = with_margin_notes(run("1", 420, 118, TINY), *notes)
    assert (text.spans[-1].note, note.kind, note.note) == ("1", Kind.FOOTNOTE, "1")


def test_a_note_with_a_ragged_line_is_one() -> None:
    lines = ["1 See the rules of the", "which are older than those of", "the town and of its market."]
    ends = [480, 540, 540]
    notes = [run(line, 420, 320 + 10 * i, NOTE, x1=ends[i]) for i, line in enumerate(lines)]
    _, note = with_margin_notes(*notes)
    assert note.text == " ".join(lines)


def test_addresses_of_footnotes_in_a_fixed_width_are_no_code() -> None:
    text = [run(FULL, 60, 100 + 13 * i, x1=540) for i in range(4)]
    small = Style("Courier", 7.0)
    styles = (*STYLES, small)
    notes = [
        Run(60, y, 300, y + 7, len(STYLES), f"{i}https://example.org/{i}") for i, y in ((3, 700), (4, 709))
    ]
    found = recognise(Pages("test", styles, (page([*text, *notes]),))).objects
    assert [item.kind for item in found[1:]] == [Kind.FOOTNOTE, Kind.FOOTNOTE]


def test_footnotes_that_follow_each_other_are_parted() -> None:
    _, *notes = with_footnotes(
        "7 See the rules of the harbour", "8 See the rules of the town and of its market"
    )
    assert [note.text[:5] for note in notes] == ["7 See", "8 See"]


def test_code_keeps_its_lines_and_indents() -> None:
    text = [run(FULL, 60, 100 + 13 * i, x1=540) for i in range(5)]
    code = [run("for boat in fleet:", 60, 180, FIXED, x1=168), run("sail(boat)", 84, 192, FIXED, x1=144)]
    found = objects(*text, *code)
    assert [(item.kind, item.text) for item in found[1:]] == [
        (Kind.CODE, "for boat in fleet:\n    sail(boat)")
    ]


def test_blanks_on_both_sides_of_a_sign_in_code_are_kept() -> None:
    text = [run(FULL, 60, 100 + 13 * i, x1=540) for i in range(5)]
    words = (run("fleet", 60, 180, FIXED, x1=90), run(" = ", 90, 180, FIXED, x1=108))
    code = (*words, run("boats(all)", 108, 180, FIXED, x1=168), run("sail(fleet)", 60, 192, FIXED, x1=126))
    assert objects(*text, *code)[1].text == "fleet = boats(all)\nsail(fleet)"


def test_a_listing_over_a_page_break_is_one_with_its_indents() -> None:
    text = [run(FULL, 60, 100 + 13 * i, x1=540) for i in range(5)]
    above = [run("for boat in fleet:", 60, 700, FIXED, x1=168), run("sail(boat)", 84, 712, FIXED, x1=144)]
    below = [run("rest(boat)", 84, 60, FIXED, x1=144), run("moor(boat)", 84, 72, FIXED, x1=144)]
    more = [run(FULL, 60, 120 + 13 * i, x1=540) for i in range(5)]
    found = recognise(Pages("test", STYLES, (page(text + above), page(below + more)))).objects
    assert found[1].text == "for boat in fleet:\n    sail(boat)\n    rest(boat)\n    moor(boat)"
    assert [part.page for part in found[1].parts] == [1, 2]


def test_a_listing_below_a_title_on_the_next_page_is_another_one() -> None:
    text = [run(FULL, 60, 100 + 13 * i, x1=540) for i in range(5)]
    above = [run("for boat in fleet:", 60, 700, FIXED, x1=168), run("sail(boat)", 84, 712, FIXED, x1=144)]
    title = run("Listing 2: how boats rest", 60, 40)
    below = [run("rest(boat)", 84, 60, FIXED, x1=144), run("moor(boat)", 84, 72, FIXED, x1=144)]
    found = recognise(Pages("test", STYLES, (page(text + above), page([title, *below])))).objects
    assert sum(item.kind is Kind.CODE for item in found) == 2


def test_terms_in_a_fixed_width_beside_their_meaning_are_no_code() -> None:
    text = [run(FULL, 60, 100 + 13 * i, x1=540) for i in range(5)]
    terms = [run(f"--sail{i}", 60, 200 + 13 * i, FIXED, x1=108) for i in range(3)]
    meanings = [run("hoist the sails of the boat", 150, 200 + 13 * i) for i in range(3)]
    found = objects(*text, *(piece for pair in zip(terms, meanings, strict=True) for piece in pair))
    assert Kind.CODE not in {item.kind for item in found}


def test_the_pieces_of_a_formula_are_one_object_with_its_number_at_the_end() -> None:
    text = [run(FULL, 60, 100 + 13 * i, x1=540) for i in range(5)]
    limits = [run("T", 250, 180, MATHS), run("t", 250, 206, MATHS)]
    main = [run("X", 245, 189, LARGE_SIGNS, high=14), run("x = y", 260, 191, MATHS), run("(3)", 525, 191)]
    after = [run("where " + FULL, 60, 230 + 13 * i, x1=540) for i in range(2)]
    found = objects(*text, *limits, *main, *after)
    assert [item.kind for item in found] == [Kind.PARAGRAPH, Kind.FORMULA, Kind.PARAGRAPH]
    assert found[1].text.endswith("(3)")


def test_the_names_of_authors_are_read_before_the_columns_below_them() -> None:
    names = [
        run(name, x, y)
        for y, pair in ((80, ("Anna Berg", "Ole Dahl")), (92, ("Harbour", "Market")))
        for x, name in zip((150, 400), pair, strict=True)
    ]
    left = [run("left " + "word " * 8, 60, 120 + 13 * i, x1=290) for i in range(8)]
    right = [run("right " + "word " * 8, 310, 120 + 13 * i, x1=540) for i in range(8)]
    assert first_words(objects(*names, *left, *right), "Market", "left", "right")


def test_the_first_lines_of_columns_do_not_belong_to_the_abstract_above_them() -> None:
    keywords = [run("Keywords", 60, 100 + 13 * i, x1=150) for i in range(5)]
    abstract = [run("abstract " + "word " * 12, 200, 100 + 13 * i, x1=540) for i in range(5)]
    left = [run("1 Introduction", 60, 200, x1=140)]
    left += [run("left " + "word " * 8, 60, 213 + 13 * i, x1=290) for i in range(8)]
    right = [run("right " + "word " * 8, 310, 200 + 13 * i, x1=540) for i in range(9)]
    found = objects(*keywords, *abstract, *left, *right)
    assert first_words(found, "Keywords", "abstract", "Introduction", "left", "right")


def test_a_last_column_that_ends_early_is_read_after_the_others() -> None:
    first = [run("one " + "word " * 8, 60, 100 + 13 * i + 6 * (i // 4), x1=290) for i in range(16)]
    second = [run("two " + "word " * 8, 310, 100 + 13 * i, x1=540) for i in range(2)]
    assert first_words(objects(*first, *second), "one", "two")


def test_columns_beside_the_labels_of_a_chart_are_read_one_after_another() -> None:
    first = [run("one " + "word " * 3, 60, 100 + 13 * i + 9 * (i // 4), x1=210) for i in range(12)]
    second = [run("two " + "word " * 3, 230, 100 + 13 * i + 9 * (i // 6), x1=380) for i in range(12)]
    labels = [run(f"chart {i}", 410 + 20 * (i % 2), 96 + 70 * i) for i in range(3)]
    values = [run(f"chart {i} %", 500, 90 + 61 * i) for i in range(3)]
    found = objects(*first, *second, *labels, *values)
    assert first_words(found, "one", "two", "chart")


def test_a_run_in_heading_with_a_stop_is_split_though_bold_words_follow() -> None:
    lead = (run("2.1", 60, 100), run("Tides.", 78, 100, BOLD))
    rest = (run("They rise and", 112, 100), run("fall", 180, 100, BOLD), run("each day.", 203, 100, x1=540))
    below = run("So the boats wait for them in the harbour.", 60, 113)
    assert objects(*lead, *rest, below)[0].text == "2.1 Tides."


def test_a_numbered_paragraph_is_one_with_the_bold_sentence_that_begins_it() -> None:
    number, lead = run("8.", 60, 100), run("The " + FULL, 78, 100, BOLD, x1=540)
    ending = run("it is the end of the first sentence.", 60, 112, BOLD, x1=540)
    rest = [run(FULL, 60, 124 + 12 * i, x1=540) for i in range(5)]
    assert len(objects(number, lead, ending, *rest)) == 1


def test_bold_words_that_end_within_a_row_are_no_heading_above_it() -> None:
    number, lead = run("8.", 60, 100), run("The " + FULL, 78, 100, BOLD, x1=540)
    second = run(FULL, 60, 112, BOLD, x1=540)
    third = (run("it ends.", 60, 124, BOLD), run("The boats are in the harbour.", 105, 124, x1=540))
    rest = [run(FULL, 60, 136 + 12 * i, x1=540) for i in range(5)]
    assert len(objects(number, lead, second, *third, *rest)) == 1


def test_a_numbered_heading_of_two_lines_is_parted_from_the_text_right_below() -> None:
    number, title = run("8.", 60, 100), run("The " + FULL, 78, 100, BOLD, x1=540)
    second = run("and of the Harbour", 60, 112, BOLD)
    rest = [run(FULL, 60, 124 + 12 * i, x1=540) for i in range(5)]
    assert len(objects(number, title, second, *rest)) == 2


def test_the_second_line_of_a_run_in_heading_may_hang() -> None:
    lead = (run("Tides rise and fall in the harbour.", 60, 100, BOLD), run("The boats", 240, 100, x1=540))
    below = run("wait for them.", 96, 113)
    found = objects(*lead, below, *[run(FULL, 60, 140 + 13 * i, x1=540) for i in range(5)])
    assert [item.text for item in found][:2] == [lead[0].text, "The boats wait for them."]


def test_columns_beside_a_tall_picture_are_read_one_after_another() -> None:
    above = [run("all " + "word " * 10, 60, 100 + 13 * i, x1=380) for i in range(2)]
    first = [run("one " + "word " * 4, 60, 150 + 13 * i, x1=200) for i in range(6)]
    second = [run("two " + "word " * 4, 230, 150 + 13 * i, x1=380) for i in range(6)]
    runs = (*above, *first, *second)
    content = PageContent(600, 850, runs=runs, images=(Box(400, 90, 560, 300),))
    found = recognise(Pages("test", STYLES, (content,))).objects
    assert first_words(found, "all", "one", "two")


def test_columns_under_one_title_beside_the_labels_of_a_chart_are_read_one_after_another() -> None:
    title = run("all the boats of the harbour in one title", 60, 100, BOLD, x1=380)
    first = [run("one " + "word " * 4, 60, 150 + 13 * i, x1=200) for i in range(9)]
    second = [run("two " + "word " * 4, 230, 150 + 13 * i, x1=380) for i in range(9)]
    labels = [run(f"chart {i}", 460 + 10 * (i % 3), 105 + 20 * i) for i in range(8)]
    assert first_words(objects(title, *first, *second, *labels), "all", "one", "two")


def test_a_short_item_right_beside_the_next_one_of_its_list_is_an_item() -> None:
    text = [run(FULL, 60, 100 + 13 * i, x1=540) for i in range(5)]
    texts = ("1. A boat is seen", "2. The harbour master waves to it.", "3. It comes in.", "4. All cheer")
    found = objects(*text, *[run(text, 72, 180 + 13 * i) for i, text in enumerate(texts)])
    assert [item.kind for item in found[1:]] == [Kind.LIST_ITEM] * 4


def test_a_numbered_title_above_a_list_is_no_item() -> None:
    title = run("1. Boats", 60, 160, BOLD)
    items = [run(f"{i}. A boat comes in.", 60, 160 + 13 * i) for i in (2, 3)]
    assert objects(run(FULL, 60, 100, x1=540), title, *items)[1].kind is Kind.PARAGRAPH


def test_items_that_fill_their_lines_and_end_without_a_stop_are_divided_by_their_numbers() -> None:
    texts = [f"{i}. The {FULL}" for i in (1, 2, 3)]
    found = objects(*[run(text, 60, 100 + 13 * i, x1=540) for i, text in enumerate(texts)])
    assert [item.text for item in found] == texts


def test_the_first_letter_of_a_list_ends_the_title_above_it() -> None:
    rows = [run("2. Boats that come in by night and leave by day", 60, 100, ITALIC, x1=540)]
    rows += [run("a) Boats from the north", 60, 113, ITALIC), run(FULL, 75, 126, x1=540)]
    assert objects(*rows)[1].text == "a) Boats from the north"


def test_an_entry_of_a_bibliography_goes_on_where_lines_hang_below_its_number() -> None:
    names = ("[9] A. Sailor, B. Fisher,", "C. Smith, and D. Jones. Boats", "Journal of Boats, 9, 2010.")
    more = ("[10] E. Miller. Nets.", "F. Baker, editor, 2011.")
    rows = [run(text, 60 if text[0] == "[" else 75, 100 + 12 * i) for i, text in enumerate((*names, *more))]
    long = run(FULL, 60, 20, x1=540)
    assert [item.text for item in objects(long, *rows)[1:]] == [" ".join(names), " ".join(more)]


def test_abbreviations_are_read_with_the_words_beside_them() -> None:
    terms = ("AU", "CAG", "CBO", "NPV", "SDR")
    texts = ("African Union of the", "Controller and Auditor", "Community", "Net Present Value", "Drawing")
    rows = [run(term, 60, 100 + 13 * i) for i, term in enumerate(terms)]
    rows += [run(text, 160, 100 + 13 * i) for i, text in enumerate(texts)]
    found = [item.text for item in objects(*rows)]
    assert found == [f"{term} {text}" for term, text in zip(terms, texts, strict=True)]


def test_a_reference_after_a_line_break_begins_no_item() -> None:
    rows = [run(f"1. The {FULL}", 60, 100, x1=540), run("(a) above shows why they do.", 60, 113)]
    assert len(objects(*rows)) == 1


def test_a_numbered_italic_heading_of_two_lines_is_one() -> None:
    heading = (run("5.2 Is it possible to sail", 60, 100, ITALIC, x1=540), run("at night?", 81, 113, ITALIC))
    text = [run(FULL, 75 if i == 0 else 60, 126 + 13 * i, x1=540) for i in range(5)]
    assert objects(*heading, *text)[0].text == "5.2 Is it possible to sail at night?"


def test_a_numbered_heading_in_the_fixed_width_of_the_text_is_not_glued_to_it() -> None:
    text = [run(FULL, 60, 100 + 12 * i, FIXED, x1=540) for i in range(5)]
    below = [run(FULL, 75 if i == 0 else 60, 196 + 12 * i, FIXED, x1=540) for i in range(5)]
    found = objects(*text, run("1.2.2 Tides", 60, 182, FIXED), *below)
    assert "1.2.2 Tides" in [item.text for item in found]


def test_the_rest_of_a_footnote_on_the_next_page_is_joined_with_it() -> None:
    text = [run(FULL, 60, 100 + 13 * i, x1=540) for i in range(12)] + [run("They end.", 60, 256)]
    note = [run("7 See the rules that the harbour has and", 60, 700, NOTE, x1=540)]
    rest = [run("that the town has, too.", 60, 700, NOTE)]
    found = recognise(Pages("test", STYLES, (page(text + note), page(text + rest)))).objects
    (joined,) = [item for item in found if item.kind is Kind.FOOTNOTE]
    assert joined.text == "7 See the rules that the harbour has and that the town has, too."
    assert [part.page for part in joined.parts] == [1, 2]


def test_pages_of_text_from_right_to_left_are_named() -> None:
    hebrew = page([run("\u05e1\u05e4\u05d9\u05e0\u05d4 " * 5, 60, 100)])
    pages = Pages("test", STYLES, (page([run(FULL, 60, 100)]), hebrew))
    assert [note.page for note in text_notes(pages)] == [2]


def test_fixed_width_fonts_are_known_by_their_names() -> None:
    fixed = ("mplus1mn-regular", "PrestigeEliteStd-Bd", "SFST1000", "LinLibertineMT", "LucidaTypewriter")
    assert all(map(MONOSPACED_FONT.search, fixed))
    assert not any(map(MONOSPACED_FONT.search, ("AmericanTypewriter", "MPLUS1p-Regular", "LinLibertineT")))


def test_titles_in_a_font_without_characters_are_noted() -> None:
    title = Run(20, 30, 120, 50, 1, "H\x01\x02b\x03 \x04\x05n\x06s\x07\x0f and\x0e \x08h\x10ps")
    body = Run(20, 60, 120, 70, 0, "The harbours and the ships of this coast. " * 5)
    signs = Run(20, 80, 120, 90, 2, "\x01\x02 \x01\x02 \x01\x02 \x01\x02 \x01\x02 \x01\x02 \x01\x02 \x01")
    styles = (Style("Text", 10), Style("Display", 20), Style("Signs", 10))
    contents = [PageContent(600, 800, runs, (), ()) for runs in ((title, body), (body, signs), (body,))]
    assert [note.page for note in text_notes(Pages("a.pdf", styles, tuple(contents)))] == [1]


def test_a_caption_that_hangs_under_its_first_word_is_one_object(sheet: Typesetter) -> None:
    sheet.paragraph("The boats of the harbour are counted every year by those who sail them home. " * 3)
    sheet.skip(20)
    sheet.put("Table 6: Number of boats in the harbours of the north and of the south by length, counted in")
    sheet.put("spring", 120)
    sheet.skip(20)
    sheet.paragraph("What is counted is what can sail, and nothing that lies on the land for good. " * 3)
    caption = next(item for item in sheet.objects() if item.kind is Kind.CAPTION)
    assert caption.text.endswith("counted in spring")


def test_a_heading_in_a_fixed_width_is_no_code(sheet: Typesetter) -> None:
    sheet.paragraph("The boats of the harbour are counted every year by those who sail them home. " * 3)
    sheet.put("count(boats)", size=8, font="Courier")
    sheet.put("8.2 count(self, boats)", size=14, font="Courier")
    sheet.paragraph("What is counted is what can sail, and nothing that lies on the land for good. " * 3)
    assert [item.kind for item in sheet.objects()][1:3] == [Kind.CODE, Kind.PARAGRAPH]


def test_entries_of_a_bibliography_in_two_lines_are_one_object_each(sheet: Typesetter) -> None:
    first = "Bianca, N. and G. Lupo. 2006. Learning and Games in the Theory of Chance. University Press,"
    for town in ("New York.", "London.", "Bern."):
        sheet.put(first)
        sheet.put(town, LEFT + 36)
    assert sheet.texts()[:2] == [f"{first} New York.", f"{first} London."]


def test_a_row_that_ends_in_a_particle_goes_on_below(sheet: Typesetter) -> None:
    sheet.paragraph("A text that goes from the left edge to the right one tells how wide its column is. " * 3)
    sheet.skip(10)
    sheet.put("Procedures that are made to tell of conflicts and at a", 200)
    sheet.put("Minimum to bring them before all of those whom they concern", 200)
    assert len(sheet.texts()) == 2


def test_a_manual_of_more_code_than_text_has_listings(sheet: Typesetter) -> None:
    sheet.paragraph("The harbour is counted by a script that asks for boats and tells what can sail. " * 2)
    sheet.skip(8)
    for text in ["def count(boats):", *["    return sum(boat.sails for boat in boats)"] * 8]:
        sheet.put(text, font="Courier")
    assert [item.kind for item in sheet.objects()] == [Kind.PARAGRAPH, Kind.CODE]


def test_entries_of_an_index_in_a_fixed_width_are_no_code(sheet: Typesetter) -> None:
    sheet.paragraph("The names of what can be asked are listed here, with the pages where they stand. " * 9)
    for name in ("count", "sails", "boats"):
        sheet.put(f"\\{name} . . . . . . . . . . . . 12, 45", font="Courier")
    assert Kind.CODE not in {item.kind for item in sheet.objects()}


def test_a_paragraph_goes_on_with_a_reference_in_another_colour(sheet: Typesetter) -> None:
    sheet.put("a" + " word" * 18)
    sheet.put("Algorithm 1.", colour="0000ff")
    assert len(sheet.texts()) == 1


def test_a_coloured_line_below_the_end_of_a_sentence_is_parted_from_it(sheet: Typesetter) -> None:
    sheet.put("a" + " word" * 17 + " ends.")
    sheet.put("Algorithms", colour="0000ff")
    assert len(sheet.texts()) == 2


def test_sentences_about_a_table_or_figure_are_no_captions(sheet: Typesetter) -> None:
    for text in (
        "Table 1 summarizes the boats.",
        "Figure 2.3 also shows the harbour.",
        "表 1 中第 2 级的要求",
    ):
        sheet.put(text)
        sheet.skip(30)
    assert {item.kind for item in sheet.objects()} == {Kind.PARAGRAPH}


def test_captions_of_an_appendix_are_captions(sheet: Typesetter) -> None:
    for text in ("表 A.1 船只", "图 B-2 港口", "Table A-3 Boats", "Table 4 Shows of the Year"):
        sheet.put(text)
        sheet.skip(30)
    assert {item.kind for item in sheet.objects()} == {Kind.CAPTION}


def text_of_a_page(sheet: Typesetter) -> None:
    sheet.paragraph("All boats are in the harbour. " * 60)


def test_a_numbered_heading_over_a_page_break_is_one(sheet: Typesetter) -> None:
    text_of_a_page(sheet)
    sheet.put("（三）" + "港" * 45, bold=True)
    sheet.new_page()
    sheet.put("口的船只", bold=True)
    text_of_a_page(sheet)
    assert "（三）" + "港" * 45 + "口的船只" in sheet.texts()


def test_a_heading_on_the_next_page_is_another_one(sheet: Typesetter) -> None:
    text_of_a_page(sheet)
    sheet.put("（三）港口的船只", bold=True)
    sheet.new_page()
    sheet.put("口的船只", bold=True)
    text_of_a_page(sheet)
    assert "（三）港口的船只" in sheet.texts()


def test_the_number_of_a_formula_does_not_go_on_with_the_next_page(sheet: Typesetter) -> None:
    text_of_a_page(sheet)
    sheet.put("(12)", x=520)
    sheet.new_page()
    text_of_a_page(sheet)
    assert "(12)" in sheet.texts()


def test_a_title_in_the_margin_is_read_before_text_beside_it_that_begins_higher(sheet: Typesetter) -> None:
    for top in (100.0, 301.3, 502.6):
        sheet.put("The Harbour", y=top + 3.0, size=13)
        for i in range(8):
            sheet.put("beside it are many words of text", x=200, y=top + 13 * i)
    texts = [text.split()[0] for text in sheet.texts()]
    assert texts == ["The", "beside"] * 3


def test_monospaced_rows_of_numbers_are_a_table(sheet: Typesetter) -> None:
    sheet.paragraph("The shares of the year are counted by age, as in all the years before this one. " * 3)
    sheet.skip(13)
    for age, *shares in (("20-29", "0.26", "0.27"), ("30-39", "0.31", "0.32"), ("40-49", "0.43", "0.41")):
        y = sheet.y
        sheet.put(age, y=y, font="Courier")
        for x, share in zip((160, 220), shares, strict=True):
            sheet.put(share, x, y, font="Courier")
        sheet.skip(13)
    assert [item.kind for item in sheet.objects()] == [Kind.PARAGRAPH, Kind.TABLE]


def test_the_numbers_of_code_lines_are_no_paragraph() -> None:
    code = ["def sail(boat):", "    boat.hoist()", "    boat.go()", "    return boat"]
    rows = [
        run(text.strip(), 90 + 5 * (len(text) - len(text.lstrip())), 200 + 12 * i, FIXED)
        for i, text in enumerate(code)
    ]
    numbers = [run(str(i + 1), 60, 202 + 12 * i, TINY) for i in range(4)]
    text = [run(FULL, 60, 100 + 12 * i) for i in range(6)]
    found = objects(*text, *numbers, *rows)
    assert [item.kind for item in found] == [Kind.PARAGRAPH, Kind.CODE]
    assert found[1].text == "\n".join(code)


def test_the_numbers_of_blank_code_lines_and_those_close_to_a_bracket_are_none_either() -> None:
    code = ["def sail(boat):", "{", "", "boat.go()", "", "return boat"]
    rows = [run(text, 70, 200 + 12 * i, FIXED) for i, text in enumerate(code) if text]
    numbers = [run(str(i + 1), 60, 202 + 12 * i, TINY) for i in range(len(code))]
    text = [run(FULL, 60, 100 + 12 * i) for i in range(6)]
    found = objects(*text, *numbers, *rows)
    assert [item.kind for item in found] == [Kind.PARAGRAPH, Kind.CODE]
    assert not any(character.isdecimal() for character in found[1].text)


def test_the_unit_of_a_table_is_parted_from_the_title_above_it() -> None:
    above = [run(FULL, 100, 20 + 15 * i, x1=530) for i in range(4)]
    titles = [
        run("二、股东", 60, 85),
        run("股东信息", 60, 110),
        run("（一）普通股股东总数及持股情况表", 60, 135, x1=420),
    ]
    unit = run("单位：股", 450, 152, x1=490)
    assert objects(*above, *titles, unit)[-1].text == "单位：股"


def test_a_shadow_in_other_pieces_is_printed_once() -> None:
    large = Style("Body", 20.0)
    styles = (*STYLES, large)
    index = len(STYLES)
    shown = Run(60, 100, 260, 120, index, "Annual Report 2025")
    shadow = [Run(64, 104, 150, 124, index, "Annual R"), Run(150, 104, 264, 124, index, "eport 2025")]
    for runs in ([shown, *shadow], [*shadow, shown]):
        (line,) = build_lines(PageContent(600, 850, runs=tuple(runs)), styles)
        assert "".join(line.text.split()) == "AnnualReport2025"


def test_a_minus_before_words_is_a_bullet_and_before_a_formula_none(sheet: Typesetter) -> None:
    sheet.paragraph("The boats of the harbour are counted every year by those who sail them home. " * 3)
    for text in ("− boats that sail", "− boats that lie on land", "− x + y = 2 z"):
        sheet.put(text, LEFT + 20)
    kinds = [item.kind for item in sheet.objects()]
    assert kinds[:3] == [Kind.PARAGRAPH, Kind.LIST_ITEM, Kind.LIST_ITEM]
    assert kinds.count(Kind.LIST_ITEM) == 2


def test_numbers_beside_all_rows_show_code_of_any_language(sheet: Typesetter) -> None:
    sheet.paragraph("The harbour is counted by a script that asks for boats and tells what can sail. " * 9)
    for number, text in enumerate(("load boats", "keep sails", "tell"), start=1):
        y = sheet.y
        sheet.put(str(number), 88, y, size=5)
        sheet.put("beside it, in the next column,", 190, y)
        sheet.put(text, 100, font="NimbusMonL-Regu")
    assert "load boats\nkeep sails\ntell" in sheet.texts()


def test_a_row_with_more_code_than_words_goes_on_with_its_sentence(sheet: Typesetter) -> None:
    above = "This is the case for all of the instructions that write two or more of the places, which"
    sheet.put(above)
    y = sheet.y
    end = sheet.put("are ", y=y)
    sheet.put("compare_exchange, multiply_long, insert_scalar, exchange_add", end, size=9, font="Courier")
    (found,) = sheet.objects()
    assert found.text.startswith(f"{above} are compare_exchange")


def test_e_mail_addresses_and_the_rest_of_a_web_address_are_no_code(sheet: Typesetter) -> None:
    sheet.put("{ann,bob}@harbour.org", font="Courier")
    sheet.skip(20)
    sheet.paragraph("The boats of the harbour are counted every year by those who sail them home. " * 3)
    sheet.skip(20)
    end = sheet.put("All of the numbers that were found in the last years stand at ", y=sheet.y)
    sheet.put("https://harbour.org/of/the/", end, font="Courier")
    sheet.put("boats-of-the-year.html#", font="Courier")
    sheet.put("numbers.", font="Courier")
    assert Kind.CODE not in {item.kind for item in sheet.objects()}


def test_text_beside_a_figure_ends_at_the_figure(sheet: Typesetter) -> None:
    sheet.image(320, 90, 540, 148)
    sheet.y = 100
    for text in (
        "The harbour supported the masters and the crews",
        "throughout the winter to keep the boats from the",
        "ice. Most of these works were done by the hands",
        "of those who sail them.",
    ):
        sheet.put(text)
    sheet.skip(8)
    sheet.paragraph("What is counted is what can sail, and nothing that lies on the land for good. " * 5)
    _, beside, _ = sheet.texts()
    assert beside.startswith("The harbour supported")
    assert beside.endswith("who sail them.")


def test_answers_that_stand_apart_are_not_joined_with_the_next_question(sheet: Typesetter) -> None:
    question = "Tell by a mark whether the harbour has filed all of the reports that it has to file."
    for _ in range(4):
        sheet.put(question)
        sheet.put("Yes ☑", 220, sheet.y)
        sheet.put("No □", 360)
    assert sheet.texts() == [question, "Yes ☑ No □"] * 4


def test_a_row_in_bold_goes_on_with_its_sentence(sheet: Typesetter) -> None:
    above = "The master of the harbour is the holder of all the rights that concern the boats and the"
    sheet.put(above)
    sheet.put("Licensed Harbour Kit.", bold=True)
    sheet.skip(10)
    sheet.put("The master of the harbour is the holder of all the rights that concern the boats of it")
    sheet.put("Licensed Harbour Kit", bold=True)
    joined, *apart = sheet.texts()
    assert joined == f"{above} Licensed Harbour Kit."
    assert apart[-1] == "Licensed Harbour Kit"


def test_listings_in_two_columns_stay_apart(sheet: Typesetter) -> None:
    for left in (60, 310):
        sheet.y = 80
        sheet.paragraph("The boats of the harbour are counted by a script. " * 6, left=left, right=left + 230)
        sheet.skip(10)
        for text in ("def count(boats):", "    return len(boats) + 1234567890", "count(all)"):
            sheet.put(text, left, font="Courier")
    codes = [item.text for item in sheet.objects() if item.kind is Kind.CODE]
    assert [code.split(chr(10))[0] for code in codes] == ["def count(boats):"] * 2
