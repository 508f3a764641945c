"""The retrieval experiment on documents of our own: trees, pages, ties and tables."""

import json
from pathlib import Path

import numpy as np
import pytest
from research.retrieval import tables
from research.retrieval.data import TREES, Case, Question, by_font_size, flat, in_tree, questions_in
from research.retrieval.figures import page_scores, summary
from research.retrieval.learn import Learning, ties_by, unseen_scores
from research.retrieval.relevance import Evidence

from held.document import Box, Document, Kind, PageRegion, PageSize, PhysicalObject, Style
from held.errors import InputError
from held.hierarchy import Hierarchy
from held.paper.ranker import PAPER_FEATURES, paper_features
from held.retrieval.document_index import index_passages
from held.retrieval.passages import split_into_passages
from held.tree import Tree


def hierarchy() -> Hierarchy:
    """Two chapters of equal size, the second under a smaller heading too, on two pages."""
    rows = [("Sales grew", 16, 1), ("Cash came from sales of boats.", 10, 1), ("Cash", 16, 2)]
    rows += [("Flows", 12, 2), ("Cash flowed in from the harbour.", 10, 2)]
    objects = tuple(
        PhysicalObject(Kind.PARAGRAPH, text, (PageRegion(page, Box(0, 0, 9, 9)),), Style("Serif", size))
        for text, size, page in rows
    )
    headings = {0: 1.0, 2: 1.0, 3: 1.0}
    document = Document("made", (PageSize(600, 800),) * 2, objects)
    return Hierarchy(document, Tree.parse("(0 1) (2 (3 4))"), headings, headings, 0, 0.0)


def case(company: str, *, answer: int = 1) -> Case:
    document = index_passages(split_into_passages(hierarchy()))
    question = Question("q", "cash flow", "made", company, "train", (Evidence(answer + 1, "Cash"),))
    flags = np.arange(2) == answer
    return Case(question, document, 2, flags, flags, ("Sales grew", "Cash flowed in"))


def test_a_flat_document_has_nothing_above_its_passages() -> None:
    made = hierarchy()
    placed = in_tree(split_into_passages(made), made, flat(made))
    assert [(p.path, p.position, p.siblings) for p in placed] == [((), 2, 5), ((), 5, 5)]


def test_by_font_size_a_heading_stands_under_the_last_larger_one() -> None:
    assert by_font_size(hierarchy()) == Tree.parse("(0 1) (2 (3 4))")


def test_a_page_has_the_score_of_its_best_passage() -> None:
    assert page_scores(case("a"), np.array([0.2, 0.7], np.float32)).tolist() == pytest.approx([0.2, 0.7])


def test_equal_scores_are_ordered_by_the_second() -> None:
    places = ties_by(np.array([1.0, 2.0, 1.0]), np.array([5.0, 0.0, 9.0]))
    assert np.argsort(-places).tolist() == [1, 2, 0]


def test_a_question_is_judged_by_trees_that_do_not_know_its_company() -> None:
    pytest.importorskip("lightgbm")
    cases = [case("a", answer=0), *(case(company) for company in "bc" for _ in range(20))]
    rows = [paper_features(each.question.text, each.document) for each in cases]
    learning = Learning(smallest_leaf=1, others=1.0, trees=10)
    assert np.argmax(unseen_scores(cases, rows, PAPER_FEATURES, learning)[0]) == 1


def test_differences_are_paired_by_question() -> None:
    found = summary({"mAP": [0.5, 1.0, 0.0]}, {"mAP": [0.25, 0.5, 1.0]}, which=[True, True, False])
    assert found["questions"] == 2
    assert found["mAP"]["difference"]["mean"] == pytest.approx(0.375)


def test_the_tables_show_our_figures_beside_the_papers(tmp_path: Path) -> None:
    pytest.importorskip("lightgbm")
    cases = [case(company) for company in "abcdef"]
    found = {"rows": tables.table_of(cases)}
    for tree in TREES:
        (tmp_path / tables.file_of(tree)).write_text(json.dumps(found))
    shown = tables.markdown(tmp_path)
    assert "| + all four |" in shown
    assert "0.338 / 0.218 / 0.471 / 0.576" in shown
    assert "ours, as shipped" in shown


def test_without_questions_the_folder_is_asked_for(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="HELD_RETRIEVAL"):
        questions_in(tmp_path)
