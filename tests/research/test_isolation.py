import json
from dataclasses import replace
from pathlib import Path

import pytest
from research.isolation.measure import Isolation, is_junk, isolation
from research.isolation.pagetext import is_found, is_on_page, page_texts
from research.isolation.report import by_domain, print_report, summary
from research.isolation.run import Job, Outcome, choose, measure

from held.document import (
    Box,
    Document,
    Kind,
    Mark,
    OutlineEntry,
    PageContent,
    PageRegion,
    Pages,
    PhysicalObject,
    Run,
    Span,
    Style,
)
from held.hierarchy.matching.titles import bare_key, key


def line(text: str, y: float, x: float = 50.0) -> Run:
    return Run(x, y, x + 5 * len(text), y + 10, 0, text)


def item(text: str, kind: Kind = Kind.PARAGRAPH, page: int = 1, lines: int = 1) -> PhysicalObject:
    return PhysicalObject(kind, text, (PageRegion(page, Box(50, 50, 300, 60)),), lines=lines)


def measured(titles: list[str], lines: list[str], objects: list[PhysicalObject]) -> Isolation:
    page = PageContent(600, 800, tuple(line(text, 50 + 20 * n) for n, text in enumerate(lines)))
    outline = tuple(OutlineEntry(1, title, 1, None) for title in titles)
    pages = Pages("made up", (Style(),), (page,), outline)
    return isolation(pages, Document("made up", (), tuple(objects)))


def category(titles: list[str], lines: list[str], objects: list[PhysicalObject]) -> str:
    return measured(titles, lines, objects).misses[0].category


@pytest.mark.parametrize(
    ("title", "text"),
    [
        ("1.2 Net in­come", "1.2 NET INCOME"),
        ("Profit-sharing", "Profit sharing:"),
        ("（一）经营情况", "(一) 经营 情况"),
        ("eﬃcient markets.", "Efficient markets"),
    ],
)
def test_case_spacing_hyphens_and_forms_do_not_matter(title: str, text: str) -> None:
    assert key(title) == key(text)


@pytest.mark.parametrize(
    ("title", "bare"),
    [
        ("1.2 Results", "results"),
        ("Chapter 3: Results", "results"),
        ("第三章 结果", "结果"),
        ("（一）结果", "结果"),
        ("十二、结果", "结果"),
        ("A.1 Results", "results"),
        ("IV. Results", "results"),
        ("xiv) Results", "results"),
        ("Indexes", "indexes"),
        ("Notes to the accounts", "notestotheaccounts"),
        ("Civil law", "civillaw"),
        ("Chapter 3", "chapter3"),
    ],
)
def test_the_bare_key_lacks_the_item_number(title: str, bare: str) -> None:
    assert bare_key(title) == bare


@pytest.mark.parametrize("title", ["", " ", "OLE_LINK12", "_Toc4711", "report.pdf", "Untitled"])
def test_junk_entries_do_not_count(title: str) -> None:
    assert is_junk(title)


def test_a_title_within_a_sentence_is_on_the_page_but_not_found() -> None:
    texts = page_texts([line("see the index for more", 50)])
    assert is_on_page("Index", texts)
    assert not is_found("Index", texts)


def test_a_title_over_two_lines_is_found() -> None:
    assert is_found("Notes to the accounts", page_texts([line("3 Notes to the", 50), line("accounts", 62)]))


def test_a_title_in_the_second_column_is_found() -> None:
    assert is_found("Risks", page_texts([line("left text", 50), line("Risks", 50, x=300)]))


def test_a_title_that_is_one_object_is_isolated() -> None:
    assert measured(["Risks"], ["2 Risks", "Text."], [item("2 Risks"), item("Text.")]).isolated == 1


def test_an_entry_whose_title_is_not_on_its_page_does_not_count() -> None:
    result = measured(["Risks"], ["Text."], [item("Text.")])
    assert (result.entries, result.found) == (1, 0)


def test_the_next_page_is_tried_when_the_destination_slips() -> None:
    outline = (OutlineEntry(1, "Risks", 1, None),)
    pages = Pages("", (Style(),), (PageContent(9, 9), PageContent(9, 9, (line("Risks", 5),))), outline)
    assert isolation(pages, Document("", (), (item("Risks", page=2),))).isolated == 1


def test_two_entries_of_one_title_need_two_objects() -> None:
    lines = ["Notes", "a", "Notes"]
    assert measured(["Notes"] * 2, lines, [item("Notes"), item("Notes")]).isolated == 2
    assert measured(["Notes"] * 2, lines, [item("Notes")]).isolated == 0


def test_another_title_of_the_page_does_not_stand_in_for_one_that_is_glued() -> None:
    titles = ["1 Notes", "2 Notes"]
    assert measured(titles, titles, [item("1 Notes and text"), item("2 Notes")]).isolated == 1


def test_a_contents_entry_is_no_second_object() -> None:
    objects = [item("Risks", Kind.CONTENTS_ENTRY), item("Risks")]
    assert measured(["Risks"], ["Risks", "Risks"], objects).isolated == 1


def test_an_object_that_only_adds_a_colon_is_no_second_one() -> None:
    assert measured(["Margin"], ["Margin", "Margin:"], [item("Margin"), item("Margin:")]).isolated == 1


@pytest.mark.parametrize(
    ("objects", "expected"),
    [
        ([item("Risks are many and more.", lines=9)], "glued to the paragraph below"),
        ([item("Risks"), item("Risks")], "more than one object"),
        ([item("Ri"), item("sks")], "split over objects"),
        ([item("All the Risks")], "glued to text before"),
        ([item("Risks 5", Kind.TABLE)], "in a table"),
        ([item("Something")], "in no object"),
    ],
)
def test_a_miss_is_told_apart(objects: list[PhysicalObject], expected: str) -> None:
    assert category(["Risks"], ["Risks"], objects) == expected


def test_pieces_may_have_a_label_and_end_in_a_comma() -> None:
    objects = [item("Chapter 2 Risks,"), item("and more")]
    assert category(["2 Risks, and more"], ["Risks,", "and more"], objects) == "split over objects"


def test_two_headings_in_one_object_are_told() -> None:
    assert (
        category(["Risks", "Market"], ["Risks", "Market"], [item("Risks Market")])
        == "glued to the next heading"
    )


def test_test_documents_are_never_chosen(tmp_path: Path) -> None:
    rows = [{"id": split, "domain": "word", "split": split} for split in ("train", "valid", "test")]
    (tmp_path / "index.jsonl").write_text("\n".join(map(json.dumps, rows)))
    assert [job.id for job in choose(tmp_path, ["word"], None, ())] == ["train", "valid"]


def outcome(domain: str, *, suspect: bool = False) -> Outcome:
    lines = ["Secret plans", "Text."]
    result = measured(lines, lines, [item("Secret plans Text."), item("Text.")])
    return Outcome(Job(f"{domain}-1", domain, suspect, Path()), result)


def test_suspect_documents_have_a_row_of_their_own() -> None:
    rows = by_domain([outcome("word"), outcome("word", suspect=True)])
    assert {name: row.documents for name, row in rows.items()} == {"word": 1, "suspect": 1, "all": 1}
    assert rows["word"].share == 0.5


def test_the_results_file_has_no_text_of_the_documents() -> None:
    written = json.dumps(summary([outcome("word")]))
    assert '"isolated": 1' in written
    assert "Secret" not in written


def test_the_report_shows_what_went_wrong(capsys: pytest.CaptureFixture[str]) -> None:
    print_report([outcome("word")], worst=3, examples=3)
    assert "word-1 p. 1  'Secret plans'\n      paragraph: Secret plans Text." in capsys.readouterr().out


def test_a_document_that_fails_does_not_stop_the_others(tmp_path: Path) -> None:
    failed = measure(Job("a", "word", False, tmp_path / "none.json.xz"))
    assert failed.error is not None
    assert failed.error.startswith("InputError: ")


def test_the_mark_of_a_note_may_stand_in_the_outline() -> None:
    title = replace(item("Background1"), spans=(Span(10, 11, Mark.SUPERSCRIPT),))
    assert measured(["Background1"], ["Background1"], [title]).isolated == 1
