"""The sum that ranks passages, and how sure it is."""

from dataclasses import replace

import numpy as np
import pytest

from held.document import Kind
from held.retrieval.document_index import index_passages
from held.retrieval.passages import split_into_passages
from held.retrieval.query import parse_question
from held.retrieval.ranker import (
    FEATURES,
    SHORT_WEIGHTS,
    WEIGHTS,
    feature_weights,
    match_features,
    rank_passages,
    score_passages,
)
from tests.retrieval.made_hierarchies import hierarchy, thing

TABLE = replace(
    thing("Total assets\t120\nAccounts payable\t30\n", Kind.TABLE),
    rows=(("Total assets", "120"), ("Accounts payable", "30")),
)
REPORT = split_into_passages(
    hierarchy(
        "(0 1 2) (3 4 5) 6",
        thing("Consolidated balance sheets"),
        TABLE,
        thing("The notes are part of this."),
        thing("Risk factors"),
        thing("Our suppliers might not be paid in time, and accounts might be closed."),
        thing("Storms may close harbours."),
        thing("Signed by the directors."),
    )
)


def columns(query: str) -> dict[str, list[float]]:
    found = match_features(parse_question(query), index_passages(REPORT))
    return dict(zip(FEATURES, found.T.tolist(), strict=True))


def test_the_table_under_the_statement_that_is_asked_for_comes_first() -> None:
    scores = score_passages(
        "What are the accounts payable for FY2021, according to the balance sheet?", REPORT
    )
    assert REPORT[int(np.argmax(scores))].kind is Kind.TABLE


def test_without_a_match_all_scores_are_0() -> None:
    assert score_passages("zebra", REPORT).tolist() == [0] * len(REPORT)
    assert score_passages("", REPORT).tolist() == [0] * len(REPORT)


def test_every_feature_has_a_weight() -> None:
    assert tuple(WEIGHTS) == FEATURES


def test_a_match_is_measured_by_the_best_of_the_document() -> None:
    assert max(columns("storms harbours")["fields"]) == pytest.approx(1)


def test_the_path_matches_where_the_text_does_not() -> None:
    found = columns("risk factors")
    assert found["path"][2] == found["path"][3] == 1
    assert found["path"][0] == 0


def test_a_section_is_matched_as_one_text() -> None:
    found = columns("storms harbours")
    assert found["section"][2] == found["section"][3] == 1
    assert found["section"][0] == 0


def test_a_row_matches_by_another_name_of_what_is_asked_for() -> None:
    found = columns("What are the trade payables?")
    assert found["row"][0] == 1 > max(found["row"][1:])


def test_a_question_that_is_answered_is_surer_than_one_that_is_not() -> None:
    document = index_passages(REPORT)
    sure = rank_passages(parse_question("When may harbours close in storms?"), document).probabilities.max()
    unsure = rank_passages(
        parse_question("Who won the election in the harbours of Lisbon?"), document
    ).probabilities.max()
    assert 0 < unsure < sure < 1


def test_every_column_has_a_name() -> None:
    assert match_features(parse_question("cash"), index_passages([])).shape == (0, len(FEATURES))


def test_a_short_question_is_answered_by_a_passage_and_not_by_the_words_of_a_page() -> None:
    assert feature_weights(parse_question("Any lawsuits?"))["page"] == 0


def test_a_long_question_has_its_words_all_over_a_page() -> None:
    text = "Which lawsuits about patents, brands, taxes and pensions were settled in California?"
    assert feature_weights(parse_question(text))["page"] == WEIGHTS["page"] > 0


def test_meanings_count_as_far_as_the_words_of_a_question_have_a_vector() -> None:
    english = feature_weights(parse_question("Any lawsuits or taxes?"))
    german = feature_weights(parse_question("Gibt es Gerichtsverfahren?"))
    assert english["passage meant"] == SHORT_WEIGHTS["passage meant"]
    assert german["passage meant"] == 0


def test_a_section_whose_title_answers_comes_before_text_that_repeats_the_words() -> None:
    made = split_into_passages(
        hierarchy(
            "(0 1) (2 3)",
            thing("Background"),
            thing("Automatic differentiation differentiates: automatic differentiation, differentiation."),
            thing("Why Automatic Differentiation Failed"),
            thing("The solver branches on its state, so that gradients were wrong in most steps."),
        )
    )
    scores = score_passages("Why did automatic differentiation not work?", made)
    assert int(np.argmax(scores)) == 1


def test_a_title_that_shares_little_with_the_question_brings_nothing() -> None:
    assert not any(columns("Which harbours, ships, pilots and factors are there?")["title"])


def test_a_reference_comes_after_the_text_that_it_stands_for() -> None:
    made = split_into_passages(
        hierarchy(
            "(0 1) (2 3)",
            thing("Tides"),
            thing("The tide at the harbour is measured by a float."),
            thing("References"),
            thing("[3] Measuring the tide at the harbour. Journal of Tides, 2011."),
        )
    )
    scores = score_passages("How is the tide at the harbour measured?", made)
    assert int(np.argmax(scores)) == 0


def test_who_asks_for_a_number_is_shown_a_passage_that_has_one() -> None:
    made = split_into_passages(
        hierarchy(
            "(0 1 2)",
            thing("Employees"),
            thing("Our employees are trained, and employees are what we care for since 2019."),
            thing("At the end of the year we had 1,321 employees in all of our harbours and offices."),
        )
    )
    assert np.argsort(-score_passages("How many employees are there?", made)).tolist()[0] == 1
    assert columns("How many suppliers?")["number"] == [1, 0, 0, 0, 0]
    assert not any(columns("Which suppliers?")["number"])


NEAR = split_into_passages(
    hierarchy(
        "(0 1 2 3)",
        thing("Rigging"),
        thing("The mast carries sails, and far below them, where nobody looks, is the old iron ballast."),
        thing("The mast and its ballast were new."),
        thing("The ballast is iron."),
    )
)


def test_words_that_stand_together_count_more_than_words_far_apart() -> None:
    found = match_features(parse_question("mast ballast"), index_passages(NEAR))
    far, near, alone = found[:, FEATURES.index("near")].tolist()
    assert near > far == alone == 0


def test_neighbours_are_as_near_as_can_be() -> None:
    found = match_features(parse_question("iron ballast"), index_passages(NEAR))
    assert found[0, FEATURES.index("near")] == 1
