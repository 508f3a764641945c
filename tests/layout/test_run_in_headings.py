"""Run-in headings that an underline, italics behind a number, or a font without a telling name show."""

from collections.abc import Callable

import pytest

from held.document import Box, PageContent, Pages, Run, Style
from held.layout.recognise import recognise

BODY, ITALIC, OTHER, BOLD = range(4)
STYLES = (
    Style("F1", 10.0),
    Style("F1-Italic", 10.0, italic=True),
    Style("F2", 10.0),
    Style("F1-Bold", 10.0, bold=True),
)
TITLES = ("Tides", "Lights", "Berths", "Moorings")
REST = "The boats were counted twice a day and the numbers were written"
END = "into the book that lay on the table of the harbour master, where it was read by no one at all."


def texts(leads: list[list[Run]], strokes: list[Box]) -> list[str]:
    """The texts of paragraphs of two lines that begin with these runs."""
    runs: list[Run] = []
    for index, lead in enumerate(leads):
        y = 100 + 60.0 * index
        below = [Run(60, y + 13, 540, y + 23, BODY, END), Run(60, y + 26, 300, y + 36, BODY, "It was.")]
        runs += [*lead, *below]
    page = PageContent(600, 850, runs=tuple(runs), rules=tuple(strokes))
    return [item.text for item in recognise(Pages("test", STYLES, (page,))).objects]


def paragraph_starts(lead: str, style: int, case: Callable[[str], str] = str) -> list[list[Run]]:
    """The first line of each paragraph: the lead, with a title in it, and the text behind it."""
    starts = []
    for index, title in enumerate(TITLES):
        y = 100 + 60.0 * index
        words = lead.format(case(title))
        x = 60 + 5.0 * len(words)
        starts.append([Run(60, y, x, y + 10, style, words), Run(x + 3, y, 540, y + 10, BODY, REST)])
    return starts


def test_an_underline_that_ends_within_a_line_shows_a_heading() -> None:
    leads, strokes = [], []
    for index, title in enumerate(TITLES):
        y = 100 + 60.0 * index
        text = f"{title}. {REST}"
        end = 60 + 480 * (len(title) + 1) / len(text)
        leads.append([Run(60, y, 540, y + 10, BODY, text)])
        strokes.append(Box(60, y + 9, end, y + 9.6))
    found = texts(leads, strokes)
    assert found[::2] == [f"{title}." for title in TITLES]
    assert found[1] == f"{REST} {END} It was."


def test_without_strokes_the_same_words_begin_a_sentence() -> None:
    leads = [[Run(60, 100, 540, 110, BODY, f"Tides. {REST}")]]
    assert len(texts(leads, [])) == 1


def test_titles_in_italics_behind_letters_of_a_list_are_headings() -> None:
    found = texts(paragraph_starts("(a) {}.", ITALIC), [])
    assert found[::2] == [f"(a) {title}." for title in TITLES]


def test_bold_names_of_list_items_stay_in_their_items() -> None:
    assert len(texts(paragraph_starts("1. {}:", BOLD), [])) == len(TITLES)


def test_bold_capitals_behind_numbers_of_a_list_are_headings() -> None:
    found = texts(paragraph_starts("7. {}.", BOLD, str.upper), [])
    assert found[::2] == [f"7. {title.upper()}." for title in TITLES]


def test_a_single_bold_abbreviation_behind_a_number_is_none() -> None:
    leads = paragraph_starts("7. {}.", BOLD)
    leads[0] = paragraph_starts("7. {}.", BOLD, str.upper)[0]
    assert len(texts(leads, [])) == len(TITLES)


def test_another_font_before_a_dash_is_a_heading_where_it_is_a_habit() -> None:
    assert texts(paragraph_starts("{} –", OTHER), [])[::2] == [f"{title} –" for title in TITLES]


@pytest.mark.parametrize("lead", ["{}.", "{}"])
def test_another_font_without_a_dash_or_colon_is_none(lead: str) -> None:
    assert len(texts(paragraph_starts(lead, OTHER), [])) == len(TITLES)


def test_a_stop_in_the_font_of_the_text_stays_with_the_heading() -> None:
    leads = [
        [Run(60, 100, 85, 110, BOLD, "Tides"), Run(85, 100, 540, 110, BODY, f". {REST}")],
    ]
    assert texts(leads, [])[0] == "Tides."


def test_emphasised_dashes_without_a_word_are_no_heading() -> None:
    assert len(texts(paragraph_starts("————", BOLD), [])) == len(TITLES)
