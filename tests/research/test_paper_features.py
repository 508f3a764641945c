"""The paper's features on all questions: ours count like those about filings, and groups stay apart."""

from dataclasses import replace

import pytest
from research.retrieval.data import Case
from research.retrieval.own import Answer, OwnQuestion
from research.retrieval.paper_features import OWN, enough, markdown, rows_of, with_evidence
from research.retrieval.tables import WITHIN

from held.document import Box, PageContent, Pages, Run
from tests.research.test_retrieval_experiment import case


def own_case(document: str) -> Case:
    made = case(document)
    return replace(made, question=replace(made.question, split=OWN))


def test_the_evidence_of_a_question_of_ours_is_what_its_box_holds() -> None:
    runs = (Run(10, 100, 200, 110, 0, "Ships leave at noon."), Run(10, 500, 200, 510, 0, "Boats are cheap."))
    pages = Pages("made", (), (PageContent(600, 800, runs),), ())
    asked = OwnQuestion("q", "made-1", "When?", (Answer(1, Box(0, 95, 600, 115)),))
    (evidence,) = with_evidence(asked, pages).evidence
    assert (evidence.page, evidence.text) == (1, "Ships leave at noon.")


def test_questions_about_filings_and_our_own_are_counted_together_and_apart() -> None:
    pytest.importorskip("lightgbm")
    rows = rows_of([*(case(company) for company in "abc"), own_case("d"), own_case("e")])
    counts = {name: own["questions"] for name, own in rows["BM25"]["passages"].items()}
    assert counts == {"all": 5, "filings": 3, "own": 2}
    page = markdown({"rows": rows})
    assert "| + all four |" in page
    assert "| not run | 0.338 |" in page


def test_the_passages_of_one_question_can_be_compared_in_place_of_each_by_itself() -> None:
    pytest.importorskip("lightgbm")
    cases = [case(company) for company in "abc"]
    page = markdown({"rows": rows_of(cases), "within": rows_of(cases, WITHIN)})
    assert "not run" not in page


def test_half_a_difference_needs_four_times_the_questions() -> None:
    whole = enough(100, {"mean": 0.1, "interval": [0.0, 0.2]})
    half = enough(100, {"mean": 0.05, "interval": [-0.05, 0.15]})
    assert half == pytest.approx(4 * whole, abs=2)
