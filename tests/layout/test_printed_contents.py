"""What is an entry of a printed table of contents, and what only looks like one."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from held.document import Kind, PageContent, Pages, Run, Style
from held.layout.lines import build_lines
from held.layout.printed_contents import ContentsEntry, find_contents

STYLES = (Style("Text", 10.0), Style("Text-Bold", 16.0, bold=True), Style("Part", 12.0), Style("Text", 11.0))
RIGHT = 500.0
TITLES = ["1 Alpha", "1.1 Beta", "2 Gamma", "2.1 Delta", "3 Epsilon", "4 Zeta", "5 Eta", "6 Theta", "7 Iota"]


def run(text: str, y: float, x: float = 72.0, style: int = 0) -> Run:
    size = STYLES[style].size
    return Run(x, y, x + 0.5 * size * len(text), y + size, style, text)


def label(text: str, y: float) -> Run:
    return run(text, y, RIGHT - 5 * len(text))


def leaders(titles: list[str], pages: list[str], top: float = 120.0) -> list[Run]:
    """Lines that each hold title, dots and label."""
    texts = [
        f"{title}{'.' * (80 - len(title) - len(page))}{page}"
        for title, page in zip(titles, pages, strict=True)
    ]
    return [run(text, top + 16 * i) for i, text in enumerate(texts)]


def apart(titles: list[str], pages: list[str], top: float = 120.0) -> list[Run]:
    """Titles at the left and labels at the right, nothing between them."""
    rows = enumerate(zip(titles, pages, strict=True))
    return [run for i, (title, page) in rows for run in (run_at(title, top, i), label(page, top + 16 * i))]


def run_at(title: str, top: float, row: int) -> Run:
    return run(title, top + 16 * row)


def counting(titles: list[str], step: int = 3) -> list[str]:
    return [str(1 + step * i) for i in range(len(titles))]


def heading(text: str = "Contents") -> Run:
    return run(text, 80, style=1)


def find(*pages: list[Run]) -> list[list[ContentsEntry]]:
    document = Pages("test", STYLES, tuple(PageContent(600.0, 800.0, tuple(runs)) for runs in pages))
    lines = [build_lines(page, STYLES) for page in document.pages]
    return find_contents(document, lines, [{} for _ in pages])


def titles(entries: list[ContentsEntry]) -> list[tuple[str, str]]:
    return [(entry.title, entry.page_label) for entry in entries]


def test_dot_leaders_lead_to_page_labels() -> None:
    pages = counting(TITLES)
    (entries,) = find([heading(), *leaders(TITLES, pages)])
    assert titles(entries) == list(zip(TITLES, pages, strict=True))


def test_the_heading_itself_is_no_entry() -> None:
    for text in ("Contents", "TABLE OF CONTENTS", "目 录", "List of Figures"):
        (entries,) = find([heading(text), *leaders(TITLES, counting(TITLES))])
        assert all(0 not in entry.lines for entry in entries)


def test_a_single_entry_with_leaders_is_a_list_below_a_heading() -> None:
    (entries,) = find([heading("List of Figures"), *leaders(["Figure 1. Tides"], ["17"])])
    assert titles(entries) == [("Figure 1. Tides", "17")]


def test_two_lines_of_leaders_aside_of_each_other_share_no_line() -> None:
    (entries,) = find([heading(), run("…… 5", 166, 50.0), run("…… 5", 186, 72.0)])
    taken = [line for entry in entries for line in entry.lines]
    assert len(taken) == len(set(taken))


def test_labels_at_the_right_need_no_leaders_below_a_heading() -> None:
    (entries,) = find([heading(), *apart(TITLES, counting(TITLES))])
    assert [entry.title for entry in entries] == TITLES
    assert all(len(entry.lines) == 2 for entry in entries)


def test_leaders_of_many_kinds_are_cut_off() -> None:
    for dots in ("......", ". . . . .", "······", "………", "______"):
        (entries,) = find(
            [heading("目录"), *[run(f"第{i}章 概述{dots}{i + 3}", 120 + 16 * i) for i in range(5)]]
        )
        assert titles(entries) == [(f"第{i}章 概述", str(i + 3)) for i in range(5)], dots


def test_roman_labels_come_before_arabic_ones() -> None:
    pages = ["iv", "ix", "xii", "1", "3", "8", "12", "F-1", "F-9"]
    (entries,) = find([heading(), *leaders(TITLES, pages)])
    assert [entry.page_label for entry in entries] == pages


def test_a_title_over_two_lines_is_one_entry() -> None:
    long = "3 A title that is so long that it needs two lines to be told, for it does not end"
    rest = leaders(["here"], ["9"], 136 + 16 * 3)
    runs = [heading(), *leaders(TITLES[:3], ["1", "2", "3"]), run(long, 120 + 16 * 3), *rest]
    (entries,) = find(runs)
    assert titles(entries)[-1] == (f"{long} here", "9")
    assert entries[-1].lines == (4, 5)


def test_an_entry_without_page_inside_the_list_is_kept() -> None:
    runs = [
        heading(),
        *leaders(TITLES[:3], ["1", "2", "3"]),
        run("PART II", 168),
        *leaders(TITLES[3:], ["5", "6", "7", "8", "9", "10"], 184),
    ]
    (entries,) = find(runs)
    assert ("PART II", "") in titles(entries)


def test_contents_go_on_over_the_page() -> None:
    first = [heading(), *apart(TITLES[:5], ["1", "2", "3", "4", "7"])]
    second = apart(TITLES[5:8], ["9", "12", "15"], 60)
    found = find(first, second)
    assert [len(entries) for entries in found] == [5, 3]


def test_a_list_of_figures_below_the_contents_starts_anew() -> None:
    runs = [heading(), *leaders(TITLES[:4], ["1", "20", "30", "40"])]
    runs += [
        run("List of Figures", 220, style=1),
        *leaders(["Figure 1 Cat", "Figure 2 Dog"], ["3", "22"], 250),
    ]
    (entries,) = find(runs)
    assert [entry.page_label for entry in entries] == ["1", "20", "30", "40", "3", "22"]


def test_titles_without_labels_are_entries_if_later_pages_have_them() -> None:
    first = [heading("Table of Contents"), *[run(title, 120 + 16 * i) for i, title in enumerate(TITLES)]]
    later = [[run(title, 80)] for title in TITLES]
    found = find(first, *later)
    assert [entry.title for entry in found[0]] == TITLES
    assert not any(found[1:])


LONG = "3.1 A title that fills its line and therefore goes on in the next one as titles of laws do, namely"


def test_a_title_without_label_goes_on_in_the_next_line() -> None:
    rows = ["1 Alpha", "2 Beta", LONG, "below it", "4 Gamma", "5 Delta"]
    first = [heading("Table of Contents"), *[run(row, 120 + 16 * i) for i, row in enumerate(rows)]]
    later = [[run(title, 80)] for title in ("1 Alpha", "2 Beta", "4 Gamma", "5 Delta")]
    found = find(first, *later)
    assert [entry.title for entry in found[0]] == [
        "1 Alpha",
        "2 Beta",
        f"{LONG} below it",
        "4 Gamma",
        "5 Delta",
    ]


def test_a_title_broken_elsewhere_on_its_page_is_known_by_its_beginning() -> None:
    broken = ["Alpha and the very first of all letters", "Beta and the second one of all letters"]
    whole = ["Gamma", "Delta", *broken, *broken[:1]]
    first = [heading(), *[run(title, 120 + 16 * i) for i, title in enumerate(whole)]]
    later = [[run(title[:20], 80), run(title[20:], 92)] for title in whole[2:]]
    found = find(first, *later)
    assert len(found[0]) == len(whole)


def test_contents_without_labels_go_on_over_the_page() -> None:
    first = [heading(), *[run(title, 120 + 16 * i) for i, title in enumerate(TITLES[:5])]]
    second = [run(title, 60 + 16 * i) for i, title in enumerate(TITLES[5:])]
    found = find(first, second, *[[run(title, 80)] for title in TITLES])
    assert [entry.title for entry in found[1]] == TITLES[5:]


def test_numbered_titles_that_all_come_again_need_no_heading() -> None:
    first = [run("A Handbook", 80), *[run(title, 120 + 16 * i) for i, title in enumerate(TITLES)]]
    found = find(first, *[[run(title, 80)] for title in TITLES])
    assert [entry.title for entry in found[0]] == TITLES


def test_a_numbered_list_that_does_not_come_again_is_not_contents() -> None:
    (entries, _) = find([run(title, 120 + 16 * i) for i, title in enumerate(TITLES)], [run("Text", 80)])
    assert entries == []


def test_a_heading_of_text_ends_the_contents_above_it() -> None:
    history = leaders(["Changed the first", "Changed the last", "Changed it again"], ["9", "5", "2"], 300)
    runs = [heading(), *leaders(TITLES[:5], ["1", "2", "4", "7", "9"]), run("Revision History", 270, style=1)]
    (entries,) = find([*runs, *history])
    assert [entry.title for entry in entries] == TITLES[:5]


def test_a_number_that_few_titles_end_with_is_no_label() -> None:
    words = ["Our strategy", "The year 2024", "Our people", "Our future", "Our thanks"]
    first = [heading(), *[run(word, 120 + 16 * i) for i, word in enumerate(words)]]
    found = find(first, *[[run(word, 80)] for word in words])
    assert titles(found[0]) == [(word, "") for word in words]


def test_a_heading_may_have_its_letters_set_apart() -> None:
    (entries,) = find([heading("C O N T E N T S"), *apart(TITLES[:4], ["1", "3", "5", "8"])])
    assert len(entries) == 4


def test_contents_are_announced_in_other_languages() -> None:
    for word in ("Inhaltsverzeichnis", "Table des matières", "Índice", "Sommario", "Содержание", "목차"):
        (entries,) = find([heading(word), *apart(TITLES[:4], ["1", "3", "5", "8"])])
        assert len(entries) == 4, word


def test_a_table_of_numbers_with_leaders_is_not_contents() -> None:
    items = ["Sales", "Costs", "Wages", "Rents", "Taxes", "Gains", "Total"]
    (entries,) = find(leaders(items, ["91", "14", "77", "3", "25", "8", "40"]))
    assert entries == []


def test_a_table_with_two_columns_of_numbers_is_not_contents() -> None:
    items = ["Sales", "Costs", "Wages", "Rents", "Taxes", "Gains", "Total", "Other", "More"]
    second = [run(str(i), 120 + 16 * i, 400) for i in range(9)]
    (entries,) = find([heading(), *apart(items, counting(items)), *second])
    assert entries == []


def test_numbered_rows_of_a_table_are_not_contents() -> None:
    items = [f"Key {letter}" for letter in "abcdefghijkl"]
    (entries,) = find(apart(items, counting(items, 1)))
    assert entries == []


def test_an_index_is_not_contents() -> None:
    words = ["apple", "bear", "cat", "dog", "eel", "fox", "goat", "hen", "ibis"]
    (entries,) = find([heading("Index"), *leaders(words, ["12", "3", "77", "8", "41", "2", "90", "15", "6"])])
    assert entries == []


def test_two_columns_of_contents_are_read_one_after_the_other() -> None:
    rows = range(5)
    left = [run(f"{['Ant', 'Bee', 'Cat', 'Dog', 'Elk'][i]}........{i + 1}", 120 + 16 * i) for i in rows]
    right = [
        run(f"{['Fox', 'Gnu', 'Hen', 'Ibis', 'Jay'][i]}........{i + 7}", 120 + 16 * i, 320) for i in rows
    ]
    (entries,) = find([heading(), *[each for pair in zip(left, right, strict=True) for each in pair]])
    assert [entry.page_label for entry in entries] == ["1", "2", "3", "4", "5", "7", "8", "9", "10", "11"]


def test_a_title_that_wraps_beside_another_column_stays_in_its_own() -> None:
    rows = range(5)
    left = [run(f"{i + 1} Ant{'.' * 20}{i + 1}", 120 + 16 * i) for i in rows]
    right = [run(f"{i + 6} Bee{'.' * 20}{i + 12}", 120 + 16 * i, 320) for i in rows]
    left[2] = run("3 A longer title", 152)
    below = [run("9 Last......7", 200), run("of the left......8", 216)]
    (entries,) = find([heading(), *left, *right, *below])
    assert not [entry.title for entry in entries if "longer" in entry.title and "Bee" in entry.title]


def test_a_heading_beside_the_second_column_announces_both() -> None:
    left = [run(f"{i + 1} Ant{'.' * 20}{i + 1}", 120 + 16 * i) for i in range(8)]
    right = [run(f"{i + 9} Bee{'.' * 20}{i + 12}", 88 + 16 * i, 320) for i in range(8)]
    (entries,) = find([heading(), *left, *right])
    assert len(entries) == 16


def test_the_rest_of_a_title_below_its_label_belongs_to_it() -> None:
    long = "2 A title so long that it fills the line up to where the label stands"
    runs = [heading(), *apart(["1 Alpha", long], ["1", "4"]), run("and goes on", 148, 80)]
    runs += apart(["3 Gamma", "4 Delta"], ["6", "9"], 164)
    (entries,) = find(runs)
    assert titles(entries)[1] == (f"{long} and goes on", "4")


def test_labels_may_stand_before_the_titles() -> None:
    words = ["Our strategy", "Our people", "Our numbers", "Our future", "Our thanks"]
    pages = ["2", "9", "14", "20", "31"]
    runs = [
        run(f"{page} {word}", 120 + 16 * i) for i, (page, word) in enumerate(zip(pages, words, strict=True))
    ]
    found = find([heading(), *runs], *[[run(word, 80)] for word in words])
    assert titles(found[0]) == list(zip(words, pages, strict=True))


def test_numbered_equations_are_not_contents() -> None:
    rows = [[run("f(x) = x", 120 + 30 * i), label(f"({i + 1})", 120 + 30 * i)] for i in range(12)]
    (entries,) = find([each for row in rows for each in row])
    assert entries == []


TEXTS = st.sampled_from(
    ["Contents", "1", "2", "17", "iv", "Alpha", "Beta ....... 3", "Gamma....", "(3)", "目录", "…… 5"]
)
RUNS = st.lists(st.builds(run, TEXTS, st.integers(20, 780), st.sampled_from([50.0, 72.0, 300.0, 480.0])))


@given(st.lists(RUNS, max_size=4), st.sets(st.integers(0, 5)))
def test_no_line_is_in_two_entries_and_furniture_is_in_none(pages: list[list[Run]], marked: set[int]) -> None:
    document = Pages("test", STYLES, tuple(PageContent(600.0, 800.0, tuple(runs)) for runs in pages))
    lines = [build_lines(page, STYLES) for page in document.pages]
    found = find_contents(document, lines, [dict.fromkeys(marked, Kind.HEADER) for _ in pages])
    for page_lines, entries in zip(lines, found, strict=True):
        taken = [i for entry in entries for i in entry.lines]
        assert len(taken) == len(set(taken))
        assert set(taken) <= set(range(len(page_lines))) - marked


PARTED = ["Item 1 Ships", "Item 2 Sails", "Item 3 Oars", "Item 4 Ropes"]


def parted(first: str, *, outdent: float = 0.0) -> list[tuple[str, str]]:
    """The entries of contents of two parts, whose titles have no label, with a later page that has both."""
    listed = apart(PARTED[:2], ["3", "5"], 136) + apart(PARTED[2:], ["7", "9"], 184)
    parts = [run(title, y, 120 - outdent) for title, y in ((first, 120), ("PART II", 168))]
    shifted = [piece._replace(x0=piece.x0 + 48, x1=piece.x1 + 48) for piece in listed if piece.x0 < 100]
    labels = [piece for piece in listed if piece.x0 > 100]
    text = [run(first, 80), run("PART II", 300)]
    return titles(find([heading(), *parts, *shifted, *labels], text)[0])


def test_the_first_part_of_a_list_is_an_entry_as_the_others_are() -> None:
    assert [title for title, _ in parted("PART I")] == ["PART I", *PARTED[:2], "PART II", *PARTED[2:]]


def test_a_title_without_a_number_above_the_first_entry_is_none() -> None:
    assert "Harbours" not in dict(parted("Harbours"))


def test_parts_may_stand_far_to_the_left_of_what_they_hold() -> None:
    assert {"PART I", "PART II"} <= dict(parted("PART I", outdent=48)).keys()


def test_titles_of_another_column_are_none_of_a_list() -> None:
    left = [run("Ships", 128 + 16 * row, 72) for row in range(4)]
    right = [run(title, 120 + 16 * row, 320) for row, title in enumerate(PARTED)]
    labels = [label(str(page), 120 + 16 * row) for row, page in enumerate((3, 5, 7, 9))]
    found = find([heading(), *left, *right, *labels], [run("Ships", 80)])[0]
    assert [title for title, _ in titles(found)] == PARTED


# Parts, chapters and sections, each a little smaller than the one above; the pages follow the titles.
RAGGED = [("I The Harbours 1", 2), ("1 Boats 3", 3), ("1.1 Their sails 4", 0), ("1.2 Their oars 6", 0)]
RAGGED_AGAIN = [("2 Fish 8", 3), ("2.1 Herring 9", 0), ("2.2 Cod 12", 0), ("3 Nets 15", 3)]


def ragged(rows: list[tuple[str, int]]) -> list[Run]:
    return [run(text, 120 + 16 * i, style=style) for i, (text, style) in enumerate(rows)]


def body(rows: list[tuple[str, int]]) -> list[list[Run]]:
    """A page for each title, without its page number."""
    return [[run(text.rsplit(" ", 1)[0], 80)] for text, _ in rows]


def test_pages_may_follow_the_titles_of_levels_of_several_sizes() -> None:
    found = find([heading(), *ragged(RAGGED)], ragged(RAGGED_AGAIN), *body(RAGGED), *body(RAGGED_AGAIN))
    assert [entry.page_label for entry in found[0]] == ["1", "3", "4", "6"]
    assert [entry.page_label for entry in found[1]] == ["8", "9", "12", "15"]


def test_numbered_rows_that_count_from_the_start_do_not_continue_contents() -> None:
    found = find([heading(), *ragged(RAGGED_AGAIN)], ragged(RAGGED), *body(RAGGED), *body(RAGGED_AGAIN))
    assert len(found[0]) == 4
    assert found[1] == []
