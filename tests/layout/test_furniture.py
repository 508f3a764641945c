"""What is furniture and, more important, what is not."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from held.document import FURNITURE, Kind, PageContent, Pages, Run, Style
from held.layout.furniture import (
    find_furniture,
    find_overlays,
    find_rotated_furniture,
)
from held.layout.lines import build_lines

STYLES = (
    Style("Text", 10.0),
    Style("Text", 8.0),
    Style("Text-Bold", 18.0, bold=True),
    Style("Text-Bold", 10.0, bold=True),
    Style("Text", 10.0, upright=False),
    Style("Text", 60.0, "d0d0d0", upright=False),
    Style("Text", 60.0, "d0d0d0"),
)
HEADING, BOLD, TURNED, DIAGONAL, LIGHT = 2, 3, 4, 5, 6


def run(text: str, y: float, style: int = 0, x: float = 72.0) -> Run:
    size = STYLES[style].size
    return Run(x, y, x + 0.5 * size * len(text), y + size, style, text)


def body(page: int, top: float = 100.0) -> list[Run]:
    words = ["many", "other", "words", "come", "and", "go", "here"]
    return [run(f"{words[(page + i) % 7]} {words[(page * 3 + i) % 7]} text", top + 14 * i) for i in range(40)]


def kinds(*pages: list[Run]) -> list[dict[str, Kind]]:
    document = Pages("test", STYLES, tuple(PageContent(600.0, 800.0, tuple(runs)) for runs in pages))
    lines = [build_lines(page, STYLES) for page in document.pages]
    found = find_furniture(document, lines)
    return [{lines[i][j].text: kind for j, kind in marked.items()} for i, marked in enumerate(found)]


def test_a_line_repeated_at_the_top_is_a_running_head() -> None:
    found = kinds(*[[run("Annual Report 2024", 40, 1), *body(p)] for p in range(6)])
    assert found == [{"Annual Report 2024": Kind.HEADER}] * 6


def test_running_heads_of_left_and_right_pages_alternate() -> None:
    heads = ["The Author", "A Long Story"]
    found = kinds(*[[run(heads[p % 2], 40, 1), *body(p)] for p in range(8)])
    assert found == [{heads[p % 2]: Kind.HEADER} for p in range(8)]


def test_the_running_head_of_a_one_page_section_is_known_by_its_level() -> None:
    heads = ["Alpha", "Alpha", "Alpha", "Beta", "Gamma", "Gamma", "Gamma"]
    found = kinds(*[[run(head, 40, 1), *body(p)] for p, head in enumerate(heads)])
    assert found[3] == {"Beta": Kind.HEADER}


def test_page_numbers_are_found_in_many_forms() -> None:
    for form in ("{}", "- {} -", "Page {} of 9", "{} / 120", "1-1-{}", "第 {} 页 共 9 页", "F-{}"):
        found = kinds(*[[*body(p), run(form.format(p + 3), 760)] for p in range(5)])
        assert found == [{form.format(p + 3): Kind.PAGE_NUMBER} for p in range(5)], form


def test_roman_page_numbers_count_too() -> None:
    found = kinds(*[[*body(p), run(roman, 760)] for p, roman in enumerate(("iii", "iv", "v", "vi", "vii"))])
    assert [list(marked.values()) for marked in found] == [[Kind.PAGE_NUMBER]] * 5


def test_numbers_at_the_bottom_that_do_not_count_pages_are_text() -> None:
    found = kinds(*[[*body(p), run(number, 760)] for p, number in enumerate(("17", "4", "96", "12", "55"))])
    assert found == [{}] * 5


def test_a_chapter_heading_above_its_own_running_heads_stays() -> None:
    first = [run("Chapter of Life", 40, HEADING), *body(0)]
    found = kinds(first, *[[run("Chapter of Life", 40, 1), *body(p)] for p in range(1, 7)])
    assert found[0] == {}
    assert all(found[1:])


def test_the_word_above_a_chapters_number_is_text_however_many_pages_begin_with_it() -> None:
    numbers = ["ONE", "TWO", "THREE", "FOUR", "FIVE", "SIX", "SEVEN", "EIGHT"]
    found = kinds(
        *[[run("CHAPTER", 40, BOLD), run(own, 60, HEADING), *body(p)] for p, own in enumerate(numbers)]
    )
    assert found == [{}] * 8


def test_the_first_of_many_bold_heads_is_the_heading() -> None:
    heads = ["NOTES TO THE STATEMENTS"] + ["NOTES TO THE STATEMENTS (continued)"] * 6
    found = kinds(*[[run(head, 60, BOLD), *body(p)] for p, head in enumerate(heads)])
    assert [len(marked) for marked in found] == [0, 1, 1, 1, 1, 1, 1]


def test_a_head_that_is_continued_is_no_heading_not_even_the_first() -> None:
    heads = ["NOTES TO THE STATEMENTS (continued)"] * 6
    found = kinds(*[[run(head, 60, BOLD), *body(p)] for p, head in enumerate(heads)])
    assert all(found)


def test_a_head_of_two_lines_is_continued_as_a_whole() -> None:
    heads = [run("DISCUSSION AND ANALYSIS", 60, BOLD), run("OF RESULTS (continued)", 73, BOLD)]
    found = kinds(*[[*heads, *body(p, 130)] for p in range(6)])
    assert [len(marked) for marked in found] == [2] * 6


def test_headings_that_differ_at_the_top_of_pages_are_text() -> None:
    heads = ["Apples", "Pears", "Plums", "Cherries", "Nuts", "Berries"]
    found = kinds(*[[run(head, 60, HEADING), *body(p)] for p, head in enumerate(heads)])
    assert found == [{}] * 6


def test_a_heading_that_recurs_at_varied_heights_is_text() -> None:
    found = kinds(*[[run("Syntax", 60 + 11 * p, BOLD), *body(p, 200)] for p in range(6)])
    assert found == [{}] * 6


def test_a_document_of_two_pages_loses_no_words() -> None:
    found = kinds(*[[run("Invoice", 40), *body(p)] for p in range(2)])
    assert found == [{}, {}]


def test_the_head_of_a_table_that_goes_on_over_pages_is_text() -> None:
    cells = [run("Item", 88, BOLD), run("2024", 88, BOLD, 300), run("2023", 88, BOLD, 400)]
    plain = [body(p, 88) for p in range(20)]
    found = kinds(*plain, *[[*cells, *body(p)] for p in range(4)], *plain)
    assert not any(found)


def test_large_light_text_at_one_place_of_all_pages_is_a_watermark() -> None:
    found = kinds(*[[run("DRAFT", 400, LIGHT), *body(p, 480)] for p in range(5)])
    assert found == [{"DRAFT": Kind.WATERMARK}] * 5


def test_numbers_that_count_the_lines_are_margin_marks() -> None:
    numbers = [run(str(i + 1), 100 + 14 * i, 1, 20) for i in range(40)]
    found = kinds(*[[*numbers, *body(p)] for p in range(3)])
    assert [set(marked.values()) for marked in found] == [{Kind.MARGIN}] * 3
    assert all(len(marked) == 40 for marked in found)


def test_turned_text_is_a_stamp_in_the_margin_and_a_watermark_across_the_page() -> None:
    stamp = Run(15, 200, 30, 500, TURNED, "stamp 1234")
    across = Run(100, 200, 500, 600, DIAGONAL, "DRAFT")
    axis = Run(200, 300, 210, 400, TURNED, "metres")
    pages = Pages("test", STYLES, (PageContent(600.0, 800.0, (stamp, across, axis, *body(0))),))
    assert find_rotated_furniture(pages) == [{0: Kind.MARGIN, 1: Kind.WATERMARK}]


def test_a_page_number_that_moves_to_the_foot_is_followed() -> None:
    pages = [[run(str(p), 40), *body(p)] for p in range(1, 9)]
    pages[4] = [*body(5, 200), run("5", 770)]
    assert kinds(*pages)[4] == {"5": Kind.PAGE_NUMBER}


def test_heads_of_several_rows_are_one_band() -> None:
    found = kinds(*[[run("The Bank", 40, 1), run("A Project", 50, 1), *body(p)] for p in range(6)])
    assert found == [{"The Bank": Kind.HEADER, "A Project": Kind.HEADER}] * 6


def test_one_page_sections_counted_in_their_headings_are_text() -> None:
    found = kinds(*[[run(f"Problem {p + 1}", 60, HEADING), *body(p)] for p in range(8)])
    assert found == [{}] * 8


def test_numbers_in_the_margin_of_one_page_are_text() -> None:
    listing = [run(str(i + 1), 100 + 14 * i, 1, 20) for i in range(40)]
    found = kinds([*listing, *body(0)], *[body(p) for p in range(1, 6)])
    assert not any(found)


def test_a_tab_at_the_side_of_several_pages_is_a_margin_mark() -> None:
    found = kinds(*[[run("Tab", 400, 1, 570), *body(p)] for p in range(5)])
    assert found == [{"Tab": Kind.MARGIN}] * 5


TEXTS = st.sampled_from(["Head", "Page 3", "3", "4", "iv", "", "第 3 页", "Text", "- 5 -", "…"])
RUNS = st.lists(st.builds(run, TEXTS, st.integers(-20, 820), st.sampled_from([0, 1, 2, 3, 6])), max_size=12)


@given(st.lists(RUNS, max_size=8))
def test_only_lines_of_the_page_are_marked_and_only_as_furniture(pages: list[list[Run]]) -> None:
    document = Pages("test", STYLES, tuple(PageContent(600.0, 800.0, tuple(runs)) for runs in pages))
    lines = [build_lines(page, STYLES) for page in document.pages]
    found = find_furniture(document, lines)
    assert len(found) == len(lines)
    for page_lines, marked in zip(lines, found, strict=True):
        assert marked.keys() <= set(range(len(page_lines)))
        assert set(marked.values()) <= FURNITURE


def test_large_headings_of_short_chapters_that_begin_alike_are_text() -> None:
    pages = [[run("The Product", 60, HEADING), *body(p)] if p % 3 == 0 else body(p) for p in range(15)]
    assert kinds(*pages) == [{}] * 15


def test_the_head_of_a_table_on_every_page_below_the_running_head_is_text() -> None:
    cells = [run(f"Column {'abcd'[i]}", 70, BOLD, 72 + 120 * i) for i in range(4)]
    found = kinds(*[[run("Standard", 40, 1), *cells, *body(p)] for p in range(8)])
    assert found == [{"Standard": Kind.HEADER}] * 8


def test_what_stands_beside_the_page_number_is_furniture_however_near_the_text() -> None:
    feet = ["2.3. Rights"] * 2 + ["2.4. Sections"] * 2 + ["2.5. Priorities", "3. Packages"]
    pages = [[*body(p, 60), run(feet[p], 760), run(str(p + 9), 760, x=500)] for p in range(6)]
    pages[4].append(run("the last line of a text", 740))
    assert kinds(*pages)[4]["2.5. Priorities"] is Kind.FOOTER


def test_a_section_named_once_in_another_font_beside_the_running_head_is_a_half_of_it() -> None:
    sections = ["Boats", "Boats", "Boats", "港口", "Tides", "Tides", "Tides"]
    halves = [run(name, 40, 0 if name == "港口" else 1, x=400) for name in sections]
    found = kinds(*[[run("The Sea", 40, 1), half, *body(p)] for p, half in enumerate(halves)])
    assert found[3] == {"The Sea": Kind.HEADER, "港口": Kind.HEADER}


def test_the_title_of_a_statement_below_a_repeated_name_is_text() -> None:
    titles = ["Consolidated Statement of Cash Flows", *[f"Notes, page {p}" for p in range(1, 8)]]
    found = kinds(
        *[[run("The City", 40), run(title, 52), *body(p, top=120)] for p, title in enumerate(titles)]
    )
    assert found[0] == {"The City": Kind.HEADER}
    assert found[1] == {"The City": Kind.HEADER, "Notes, page 1": Kind.HEADER}


def test_a_bold_head_that_counts_its_pages_is_no_heading_not_even_the_first() -> None:
    found = kinds(*[[run(f"Tides and winds {p + 11}", 40, BOLD), *body(p)] for p in range(5)])
    assert found[0] == {"Tides and winds 11": Kind.HEADER}


def test_captions_at_the_top_of_pages_in_a_row_count_no_pages() -> None:
    found = kinds(*[[run(f"Figure {p + 2}", 40, BOLD), *body(p)] for p in range(5)])
    assert found == [{}] * 5


def test_the_date_of_a_report_in_its_running_head_is_no_heading() -> None:
    names = [run("Notes to the statements", 40, BOLD), run("For the year ended 30 June 2022", 54, BOLD)]
    found = kinds(*[body(p) for p in range(5)], *[[*names, *body(p)] for p in range(7)])
    assert found[5] == {"For the year ended 30 June 2022": Kind.HEADER}


def test_the_name_of_the_document_is_known_on_a_page_apart() -> None:
    pages = [[run("Example Limited", 40, BOLD), *body(p)] for p in range(12)]
    pages[0] = [run("Example Limited", 66, BOLD), *body(0)]
    assert kinds(*pages)[0] == {"Example Limited": Kind.HEADER}


def test_the_line_below_the_documents_name_on_a_page_apart_is_text() -> None:
    pages = [[run("Example Limited", 40, 1), run("Report of the board", 52, 1), *body(p)] for p in range(12)]
    pages[0] = [run("Example Limited", 66, 1), run("Letter to the members", 78, 1), *body(0)]
    assert kinds(*pages)[0] == {"Example Limited": Kind.HEADER}


SLIDE_STYLES = (Style("Text", 28.0), Style("Text", 10.0))


def slide(page: int, title: str) -> list[Run]:
    words = ("many", "other", "words", "come")
    texts = [title, *(f"• {words[(page + i) % 4]} {words[page % 3]}" for i in range(3)), "Harbour Days"]
    tops = (30, 140, 180, 220, 510)
    return [
        Run(40, top, 40 + 7 * len(text), top + 28, int(top == 510), text)
        for top, text in zip(tops, texts, strict=True)
    ]


def test_titles_of_slides_are_text_even_where_several_slides_have_one() -> None:
    titles = ["Boats", "Boats", "Boats", "Sails", "Ropes", "Ropes", "Ropes", "Masts"]
    pages = tuple(PageContent(720, 540, tuple(slide(p, title))) for p, title in enumerate(titles))
    lines = [build_lines(page, SLIDE_STYLES) for page in pages]
    found = find_furniture(Pages("test", SLIDE_STYLES, pages), lines)
    heads = [
        [lines[p][i].text for i, kind in marked.items() if kind is Kind.HEADER]
        for p, marked in enumerate(found)
    ]
    assert heads == [[], ["Boats"], ["Boats"], [], [], ["Ropes"], ["Ropes"], []]


# --- slides that build up line by line ---


def furniture_of_slides(*slides: list[Run]) -> list[dict[str, Kind]]:
    pages = Pages("test", SLIDE_STYLES, tuple(PageContent(720, 540, tuple(runs)) for runs in slides))
    lines = [build_lines(page, SLIDE_STYLES) for page in pages.pages]
    found = find_furniture(pages, lines, find_overlays(pages, lines))
    return [{lines[i][j].text: kind for j, kind in marked.items()} for i, marked in enumerate(found)]


def built_slide(number: int, steps: int, lines_on_first: int = 1) -> list[list[Run]]:
    """The pages of a slide that gets one line more on each."""
    texts = [f"Slide {'ABCDEFGH'[number]} is shown", *(f"{'pqrstuvw'[number]}{i} added" for i in range(9))]
    runs = [Run(40, 20 + 24 * i, 240, 40 + 24 * i, 1, text) for i, text in enumerate(texts)]
    return [runs[: lines_on_first + step] for step in range(steps)]


def test_the_lines_of_a_slide_that_builds_up_are_no_running_heads() -> None:
    pages = [page for number in range(6) for page in built_slide(number, steps=6)]
    assert furniture_of_slides(*pages) == [{}] * 36


def test_a_slide_that_replaces_a_line_builds_up_too() -> None:
    def page(number: int, step: int) -> list[Run]:
        *kept, last = built_slide(number, steps=10)[-1]
        return [*kept, last._replace(text=f"{last.text} {step}")]

    pages = [page(number, step) for number in range(3) for step in range(5)]
    assert furniture_of_slides(*pages) == [{}] * 15


def test_the_foot_of_slides_that_build_up_is_furniture_on_each_page() -> None:
    pages = [page for number in range(6) for page in built_slide(number, steps=3, lines_on_first=6)]
    with_feet = [
        [*page, Run(40, 515, 120, 525, 1, "Harbour Days"), Run(600, 515, 630, 525, 1, f"{p} / 18")]
        for p, page in enumerate(pages, start=1)
    ]
    assert furniture_of_slides(*with_feet) == [
        {"Harbour Days": Kind.FOOTER, f"{p} / 18": Kind.PAGE_NUMBER} for p in range(1, 19)
    ]


def test_the_pages_of_a_slide_may_have_one_number() -> None:
    pages = [(number, page) for number in range(6) for page in built_slide(number, 3, lines_on_first=6)]
    with_feet = [[*page, Run(600, 515, 630, 525, 1, f"{number} / 6")] for number, page in pages]
    assert furniture_of_slides(*with_feet) == [{f"{number} / 6": Kind.PAGE_NUMBER} for number, _ in pages]


def test_a_form_that_stands_on_two_pages_keeps_the_running_heads_of_left_and_right_pages() -> None:
    heads = ["The Author", "A Long Story"]
    pages = [[run(heads[p % 2], 40, 1), *body(5 if p in (5, 6) else 2 * p)] for p in range(10)]
    document = Pages("test", STYLES, tuple(PageContent(600.0, 800.0, tuple(runs)) for runs in pages))
    lines = [build_lines(page, STYLES) for page in document.pages]
    overlays = find_overlays(document, lines)
    found = find_furniture(document, lines, overlays)
    assert overlays == {5}
    assert [len(marked) for marked in found] == [1] * 10


def test_a_running_head_above_pictures_is_one_although_nothing_else_changes() -> None:
    heads = [[Run(40, 20, 240, 40, 1, f"Part {part}")] for part in ("of boats", "of ropes") for _ in range(6)]
    assert all(furniture_of_slides(*heads))


def test_names_of_sections_beside_all_slides_do_not_make_them_one() -> None:
    names = [
        Run(600, 150 + 24 * i, 700, 170 + 24 * i, 1, f"Section on {name}") for i, name in enumerate("xyz")
    ]
    pages = [
        [*names, Run(40, 20, 240, 40, 1, "Of boats"), Run(40, 200, 90, 220, 1, f"{p} x")] for p in range(12)
    ]
    for count in (4, 12):
        contents = tuple(PageContent(720, 540, tuple(runs)) for runs in pages[:count])
        lines = [build_lines(page, SLIDE_STYLES) for page in contents]
        assert find_overlays(Pages("test", SLIDE_STYLES, contents), lines) == frozenset()
    assert all("Of boats" in marked for marked in furniture_of_slides(*pages)[1:])


def test_a_document_may_be_one_slide_that_builds_up() -> None:
    assert furniture_of_slides(*built_slide(0, steps=6, lines_on_first=2)) == [{}] * 6
