"""The ablation of heading rules and placement constraints."""

from __future__ import annotations

import json
from typing import Any

from research.ablation.__main__ import HERE, change, markdown, recording, sample, summary, worth

from held.headings.rules import RULES
from held.hierarchy.constraints import CONSTRAINTS


def row(id: str, *, right: int, wrong: int, trained_on: bool = False) -> dict[str, Any]:
    changes = {"closes a numbered list": [right, wrong]} if right or wrong else {}
    return {
        "id": id,
        "domain": "en_fin",
        "group": id,
        "trained_on": trained_on,
        "paths": 100,
        "right": 90,
        "changes": changes,
    }


def test_a_sample_takes_all_domains_alike() -> None:
    documents = [(f"a-{number}", "a") for number in range(9)] + [("b-0", "b"), ("b-1", "b")]
    chosen = sample(documents, 4)
    assert sorted(id[0] for id in chosen) == ["a", "a", "b", "b"]
    assert len(sample(documents, None)) == len(documents)


def test_a_change_counts_the_paths_that_turn_right_and_wrong() -> None:
    assert change({1, 2, 3}, {3, 4}) == (1, 2)


def test_an_entry_that_wins_paths_in_every_document_is_worth_more_than_noise() -> None:
    found = worth("closes a numbered list", [row(str(number), right=0, wrong=5) for number in range(8)])
    assert (found["wrong_without"], found["gain"], found["within_noise"]) == (40, 0.05, False)


def test_an_entry_that_changes_one_document_of_many_is_within_the_noise() -> None:
    rows = [row("0", right=0, wrong=5), *(row(str(number), right=0, wrong=0) for number in range(1, 9))]
    assert worth("closes a numbered list", rows)["within_noise"]


def test_the_table_names_entries_without_effect_and_documents_that_are_new_to_the_weights() -> None:
    rows = [row("0", right=1, wrong=5), row("1", right=0, wrong=2, trained_on=True)]
    page = markdown({"documents": rows, "entries": summary(rows)})
    assert "| **closes a numbered list** | all: 2 | 1 | 7 |" in page
    assert "| **not text** | no change in any document |" in page
    assert "1 of them are new to the weights" in page


def test_recording_keeps_the_table_of_the_product_as_it_is() -> None:
    assert [own.name for own in recording(set())] == [own.name for own in CONSTRAINTS]
    assert all(
        own.predicate is not other.predicate for own, other in zip(recording(set()), CONSTRAINTS, strict=True)
    )


def test_the_stored_measures_are_those_of_the_entries_in_the_code() -> None:
    entries = {entry.name for entry in (*RULES, *CONSTRAINTS)}
    for name in ("result.json", "evidence.json"):
        stored = json.loads((HERE / name).read_text(encoding="utf-8"))
        assert set(stored["entries"]) == entries


def test_the_tables_quote_the_evidence_that_was_counted() -> None:
    stored = json.loads((HERE / "evidence.json").read_text(encoding="utf-8"))
    for rule in RULES:
        own = stored["entries"][rule.name]
        known = own["heading"] + own["body"]
        assert rule.evidence.startswith(f"{own['heading']:,} of {known:,} are headings")
    for constraint in CONSTRAINTS:
        own = stored["entries"][constraint.name]
        noun = "violation" if own["violations"] == 1 else "violations"
        assert constraint.evidence == f"{own['violations']:,} {noun} in {own['cases']:,} cases"
