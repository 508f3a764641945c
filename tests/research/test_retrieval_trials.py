"""What was tried for retrieval: ideas judged on other domains, nothing found, the ranking before."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import pytest
from research.retrieval import before
from research.retrieval.ideas import kind_of_answer, shares, stems, unseen_places, weighed_stems
from research.retrieval.nothing import Asked, refusals

from held.document import Kind
from held.errors import InputError
from held.retrieval.features import searchable
from held.retrieval.passages import Passage
from held.retrieval.query import understood


def test_words_of_one_stem_are_one() -> None:
    assert stems("installation") == stems("installing") == ["instal"]


def test_a_pair_of_characters_is_asked_for_by_both() -> None:
    assert {"存", "货"} <= set(weighed_stems(understood("存货")))


def test_who_asks_how_long_is_answered_by_a_time() -> None:
    texts = ("Kept for 30 days.", "Kept in a safe.")
    document = searchable([Passage(text, Kind.PARAGRAPH, 1) for text in texts])
    assert kind_of_answer("How long are copies kept?", document).tolist() == [1, 0]


def test_a_weight_is_chosen_on_the_other_domains() -> None:
    places = {0.0: [1, 9, 9], 1.0: [9, 1, 1]}
    assert unseen_places(places, ["a", "b", "b"]) == [9, 9, 9]


def test_shares_count_the_first_and_the_first_three() -> None:
    assert shares([1, 3, 4, 9]) == {"first": 0.25, "in three": 0.5}


def test_a_first_hit_that_is_always_surer_tells_documents_apart() -> None:
    asked = [Asked(0.9, own=True), Asked(0.1, own=False), Asked(0.0, own=False)]
    found = refusals(asked)
    assert found["asked of another"]["nothing found"] == 0.5
    assert found["a first hit of the right document is surer"] == 1.0


def test_the_mean_over_train_follows_from_those_over_all_and_test() -> None:
    means = {name: {"mean": 0.5} for name in before.MEASURES}
    right = {name: {"mean": 1.0} for name in before.MEASURES}
    found = before.on_train({"questions": 4, **means}, {"questions": 1, **right})
    assert found["questions"] == 3
    assert found["recall@1"] == 0.333


def test_a_table_of_another_ranking_is_not_taken_for_the_former(tmp_path: Path) -> None:
    (tmp_path / "tree-ours.json").write_text(json.dumps({"commit": "another"}), encoding="utf-8")
    with pytest.raises(InputError, match="not of the former ranking"):
        before.measure(argparse.Namespace(results=tmp_path))
