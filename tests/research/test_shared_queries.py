"""Queries that all reports share: what is relevant, and who has seen what."""

import re

import numpy as np
from research.retrieval.shared_queries import (
    FOLDS,
    Answered,
    Query,
    answers,
    markdown,
    read_queries,
    row_scores,
    values_by_query,
)
from research.retrieval.tables import PAPERS_OWN

from held.paper.ranker import PAPER_FEATURES

CASH = Query("账上有多少现金？", re.compile("^货币资金$"), re.compile("会计政策"))


def asked(query: int, relevant: list[bool]) -> Answered:
    """A document in which BM25 alone ranks the relevant passages first."""
    features = np.zeros((len(relevant), len(PAPER_FEATURES)), np.float32)
    features[:, 0] = relevant
    return Answered(query, features, np.array(relevant))


def test_a_passage_under_a_matching_title_answers() -> None:
    assert answers(CASH, ["货币资金", "合并财务报表项目注释"])
    assert not answers(CASH, ["存货", "合并财务报表项目注释"])


def test_policies_of_accounting_answer_nothing() -> None:
    assert not answers(CASH, ["货币资金", "重要会计政策及会计估计"])


def test_there_are_as_many_queries_as_the_issue_asks_for() -> None:
    queries = read_queries()
    assert 20 <= len(queries) <= 40
    assert len({query.text for query in queries}) == len(queries)


def test_a_query_counts_once_however_many_documents_answer_it() -> None:
    answered = [asked(0, [True, False]), asked(0, [True, False]), asked(1, [False, True])]
    values = values_by_query(answered, [np.array([1.0, 0.0])] * 3)
    assert values["mAP"] == [1.0, 0.5]


def test_every_row_of_the_papers_table_is_measured_and_shown() -> None:
    answered = [asked(query, [True] + [False] * 9) for query in range(2 * FOLDS)]
    rows = dict(row_scores(answered, 2 * FOLDS))
    assert list(rows) == list(PAPERS_OWN)
    figure = {"mean": 0.5, "interval": [0.4, 0.6], "difference": {"mean": 0.1, "interval": [0.0, 0.2]}}
    own = {"passages": {"all": dict.fromkeys(("mAP", "recall@1", "recall@5", "recall@10"), figure)}}
    counts = {"queries": 10, "documents": 1, "pairs": 10, "relevant": 1.0, "passages": 10}
    page = markdown(counts | {"rows": dict.fromkeys(rows, own)})
    assert "| + Pos | 0.500 | +0.100 (+0.000 to +0.200) |" in page
