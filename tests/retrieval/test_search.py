from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from held.errors import InputError, UsageError
from held.retrieval.engine import SingleDocument
from held.retrieval.index import Index, search
from held.retrieval.passages import split_into_passages
from held.retrieval.tokens import best_excerpt, best_lines, find_matches, mark_spans, tokens
from tests.retrieval.harbours import HARBOUR, Rows, entry_of_rows
from tests.retrieval.made_hierarchies import hierarchy, thing


@pytest.fixture
def harbour() -> Index:
    return Index(SingleDocument("/harbour.pdf", entry_of_rows(HARBOUR, labels=("i", "1", "2"))))


def test_a_hit_has_all_that_one_needs_to_find_it_again(harbour: Index) -> None:
    hit = harbour.search("What does dredging cost?")[0]
    assert (hit.text, hit.path, hit.page) == (HARBOUR[1][1], ("1 Harbours", "1.1 Depth"), 2)
    assert (hit.label, hit.source, hit.missing) == ("1", "/harbour.pdf", True)
    assert [hit.text[a:b] for a, b in hit.matches] == ["Dredging", "costs"]


def test_one_call_asks_an_index(index_file: Path) -> None:
    assert [hit.text for hit in search(index_file, "pilots", k=1)] == [HARBOUR[2][1]]


def test_hits_come_best_first(harbour: Index) -> None:
    hits = harbour.search("deep dredging", k=3)
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)


def test_a_heading_alone_finds_what_stands_below_it(harbour: Index) -> None:
    assert [hit.text for hit in harbour.search("staff")] == [HARBOUR[2][1]]


def test_more_hits_than_passages_are_all_that_match(harbour: Index) -> None:
    assert len(harbour.search("harbours", k=1000)) == len(HARBOUR)


def test_a_question_in_another_language_has_no_hits(harbour: Index, index_file: Path) -> None:
    assert harbour.search("Wie tief ist das Hafenbecken?") == []
    assert harbour.search("港口的水深") == []
    with Index.open(index_file) as index:
        assert index.search("Wie tief ist das Hafenbecken?") == []


@pytest.mark.parametrize("question", ["", "   ", "?!…", "\n"])
def test_a_question_without_words_is_refused(harbour: Index, question: str) -> None:
    with pytest.raises(UsageError, match="no words"):
        harbour.search(question)


@pytest.mark.parametrize("content", [b"", b"\0" * 5000, b"SQLite forgot its head"])
def test_a_file_that_is_nothing_is_said_to_be_no_index(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "all.index"
    path.write_bytes(content)
    with pytest.raises(InputError, match="neither an index nor a document"):
        Index.open(path)


def test_no_hits_at_all_cannot_be_asked_for(harbour: Index) -> None:
    with pytest.raises(UsageError, match="one at least"):
        harbour.search("depth", k=0)


@pytest.mark.parametrize(
    "question",
    [
        '"pilots',
        "pilots*",
        "pilots AND",
        "NOT pilots",
        "body:pilots",
        "(pilots",
        "pilots' OR 1=1 --",
        "^pilots",
        "-pilots +x",
    ],
)
def test_signs_of_a_query_language_mean_nothing(index_file: Path, question: str) -> None:
    with Index.open(index_file) as index:
        assert index.search(question)[0].text == HARBOUR[2][1]


def test_a_huge_question_is_answered(index_file: Path) -> None:
    with Index.open(index_file) as index:
        assert index.search("pilots " + "word number 17 " * 100_000)[0].text == HARBOUR[2][1]
        different = " ".join(f"w{n}" for n in range(3_000))
        assert index.search(f"pilots {different}")[0].text == HARBOUR[2][1]


@pytest.mark.parametrize("name", ["harbour", "harbour.pdf", "harb*"])
def test_a_source_is_meant_by_name_or_pattern(index_file: Path, folder: Path, name: str) -> None:
    with Index.open(index_file) as index:
        hits = index.search("million", source=name)
        assert {Path(hit.source).stem for hit in hits} == {"harbour"}
        assert len(index.search("million")) == 2
        assert index.search("million", source=str(folder)) == index.search("million")


def test_an_unknown_source_is_told_with_those_that_there_are(index_file: Path) -> None:
    with Index.open(index_file) as index, pytest.raises(UsageError, match=r"airport.*harbour\.pdf"):
        index.search("million", source="airport")


def test_a_hit_whose_file_is_gone_says_so(index_file: Path) -> None:
    with Index.open(index_file) as index:
        missing = {Path(hit.source).stem: hit.missing for hit in index.search("million")}
    assert missing == {"harbour": False, "railway": True}


def test_threads_may_share_an_index(index_file: Path) -> None:
    with Index.open(index_file) as index, ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(index.search, ["pilots", "track", "million", "港口"] * 10))
    assert answers[:4] * 10 == answers


def test_marked_words_are_those_of_the_question() -> None:
    text = "Revenues rose; the REVENUE of FY2018 was 1,200.5 million."
    spans = find_matches(text, tokens("revenue 2018, 1200.5"))
    assert (
        mark_spans(text, spans, "[", "]")
        == "[Revenues] rose; the [REVENUE] of [FY2018] was [1,200.5] million."
    )


def test_overlapping_pairs_of_characters_are_marked_as_one() -> None:
    text = "营业收入增长，收益下降"
    assert mark_spans(text, find_matches(text, tokens("营业收入")), "[", "]") == "[营业收入]增长，收益下降"


def test_words_that_touch_are_marked_as_one() -> None:
    assert find_matches("公司员工", ["公司", "员工"]) == [(0, 4)]


def test_of_a_long_table_the_lines_are_shown_that_answer() -> None:
    text = "Sales 5\nCosts 4\nDividends paid 3\nTax 2"
    start, end = best_lines(text, find_matches(text, ["dividend", "paid"]), (0, len(text)), 2)
    assert text[start:end] == "Costs 4\nDividends paid 3"


def test_a_short_table_is_shown_whole() -> None:
    assert best_lines("Sales 5\nCosts 4", [(0, 5)], (0, 15), 2) == (0, 15)


def test_a_long_passage_is_shown_where_it_answers() -> None:
    text = "Sand and water. " * 100 + "The pilots are forty. " + "More sand. " * 100
    start, end = best_excerpt(text, find_matches(text, ["pilot"]), 200)
    assert "The pilots are forty." in text[start:end]
    assert end - start <= 200


def test_a_short_passage_is_shown_whole() -> None:
    assert best_excerpt("Forty pilots.", [(6, 12)], 200) == (0, 13)


def test_each_page_is_shown_once_before_one_is_shown_again() -> None:
    rows: Rows = [(("Tides",), "High tide comes late.", 1), (("Tides",), "High tide is high.", 1)]
    rows += [(("Ships",), "A ship waits for the high tide.", 2)]
    pages = [hit.page for hit in Index(SingleDocument("/t.pdf", entry_of_rows(rows))).search("high tide")]
    assert pages == [1, 2, 1]


def test_boxes_that_are_ticked_are_no_passage() -> None:
    made = hierarchy("(0 1 2)", thing("十、诉讼"), thing("□适用 √不适用"), thing("本年度公司无诉讼。"))
    assert [passage.text for passage in split_into_passages(made)] == ["本年度公司无诉讼。"]


def test_a_document_about_something_else_answers_nothing(harbour: Index) -> None:
    question = "Which vaccines cost insurers more than doctors expected when hospitals were deep in mud?"
    assert harbour.search(question) == []


def test_who_asks_for_a_word_is_shown_where_it_stands(harbour: Index) -> None:
    assert harbour.search("deep harbours")
