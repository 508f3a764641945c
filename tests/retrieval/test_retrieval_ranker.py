"""The ranker that ships."""

from dataclasses import replace

import numpy as np
import pytest

from held.document import Kind
from held.errors import VersionError
from held.models.store import RetrievalKind, load_model
from held.retrieval.features import FACTS, FEATURES, MATCHES, ranker_features, searchable
from held.retrieval.passages import passages
from held.retrieval.ranker import Ranker, rank
from tests.retrieval.made_hierarchies import hierarchy, thing

REPORT = passages(
    hierarchy(
        "(0 1 2) (3 4 5) 6",
        thing("Consolidated balance sheets"),
        thing("Total assets\t120\nAccounts payable\t30\n2020\t2021", Kind.TABLE),
        thing("The notes are part of this."),
        thing("Risk factors"),
        thing("Our suppliers might not be paid in time, and accounts might be closed."),
        thing("Storms may close harbours."),
        thing("Signed by the directors."),
    )
)


def columns(query: str) -> dict[str, list[float]]:
    return dict(zip(FEATURES, ranker_features(query, searchable(REPORT)).T.tolist(), strict=True))


def test_the_table_under_the_statement_that_is_asked_for_comes_first() -> None:
    scores = rank("What are the accounts payable for FY2021, according to the balance sheet?", REPORT)
    assert REPORT[int(np.argmax(scores))].kind is Kind.TABLE


def test_scores_are_from_0_to_1_and_0_where_nothing_matches() -> None:
    scores = rank("accounts payable", REPORT)
    assert ((scores >= 0) & (scores <= 1)).all()
    assert rank("zebra", REPORT).tolist() == [0] * len(REPORT)
    assert rank("", REPORT).tolist() == [0] * len(REPORT)


def test_a_match_is_measured_by_the_best_of_the_document() -> None:
    found = columns("balance sheet accounts")
    assert max(found["text"]) == max(found["with path"]) == pytest.approx(1)


def test_the_path_matches_where_the_text_does_not() -> None:
    found = columns("balance sheet")
    assert found["text"] == [0] * len(REPORT)
    assert found["path"][0] == found["parent"][0] == 1
    assert found["path"][-1] == 0


def test_a_section_is_matched_as_one_text() -> None:
    found = columns("storms harbours")
    assert found["section"][2] == found["section"][3] == 1
    assert found["section"][0] == 0


def test_years_are_the_share_of_those_asked_for() -> None:
    assert columns("payable in 2021 and 1999")["years"][0] == 0.5


def test_every_column_has_a_name() -> None:
    assert ranker_features("cash", searchable([])).shape == (0, len(MATCHES) + len(FACTS))


def test_a_ranker_for_other_features_is_refused() -> None:
    model = load_model("base", RetrievalKind.RANKER)
    with pytest.raises(VersionError, match="held train ranker"):
        Ranker(replace(model, settings={**model.settings, "features": 0}))
