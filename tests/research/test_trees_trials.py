"""Trials of ways of training: what is left out, how domains are balanced, and the page."""

from dataclasses import replace
from pathlib import Path

from research.trees.data import Case, prepare
from research.trees.summary import FOLDS, markdown, read_trials, summarise
from research.trees.trials import balance_domains, keep_one_domain, leave_out_domains, split_into_folds

from tests.research.test_trees_tables import labelled


def case(name: str, domain: str, *, silver: bool = False) -> Case:
    known = prepare(labelled(name))
    return known._replace(known=known.known._replace(domain=domain), silver=silver)


CASES = [
    *(case(f"s{number}", "science") for number in range(6)),
    *(case(f"b{number}", "books") for number in range(2)),
    case("silver", "books", silver=True),
]


def test_a_domain_that_is_left_out_is_judged_and_not_learnt_from() -> None:
    part = leave_out_domains(CASES, ["books"], most=100)
    assert {own.domain for own in part.seen} == {"science"}
    assert [own.known.id for own in part.judged] == ["b0", "b1"]


def test_small_domains_are_learnt_from_whole_and_large_ones_in_part() -> None:
    chosen = balance_domains(CASES, 6)
    assert [own.domain for own in chosen].count("books") == 3
    assert len(chosen) == 6


def test_folds_of_a_domain_judge_each_document_once_and_no_silver_one() -> None:
    parts = split_into_folds(CASES, "books", folds=2, most=100)
    judged = [own.known.id for part in parts for own in part.judged]
    assert sorted(judged) == ["b0", "b1"]
    assert all({own.known.id for own in part.seen}.isdisjoint(judged_in(part.judged)) for part in parts)


def test_folds_of_all_domains_judge_every_document_once_and_learn_from_all_others() -> None:
    parts = split_into_folds(CASES, "all", folds=2, most=100)
    trusted = {own.known.id for own in CASES if not own.silver}
    assert sorted(own.known.id for part in parts for own in part.judged) == sorted(trusted)
    assert all(judged_in(part.seen) | judged_in(part.judged) >= trusted for part in parts)
    assert all(judged_in(part.seen).isdisjoint(judged_in(part.judged)) for part in parts)


def test_a_domain_alone_is_judged_on_the_same_documents_and_learns_from_its_own() -> None:
    whole = split_into_folds(CASES, "all", folds=2, most=100)[0]
    own = keep_one_domain(whole, "science")
    assert judged_in(own.judged) == {name for name in judged_in(whole.judged) if name.startswith("s")}
    assert {case.domain for case in own.seen} == {"science"}


def judged_in(cases: list[Case]) -> set[str]:
    return {own.known.id for own in cases}


def fold(number: int, right: int, total: int) -> dict[str, object]:
    counts = {f"books-{number}": [right, total, right, total]}
    return {
        "part": f"books fold {number} of 2",
        "way": "base",
        "matches": {"books": {"both": total, "true": total, "found": total}},
        "given by document": counts,
        "both by document": counts,
    }


def test_folds_are_added_up_by_what_they_counted() -> None:
    table = summarise([fold(1, 3, 3), fold(2, 0, 1)])
    assert table[FOLDS]["base"]["books"]["both paths"] == 0.75
    assert "| base | 0.750, 0.750 |" in list(markdown(table))


def test_trials_that_are_kept_know_their_part_and_way(tmp_path: Path) -> None:
    (tmp_path / "by_hand_fold_1_of_3_-_as_shipped.json").write_text('{"seconds": 9}')
    (found,) = read_trials(tmp_path)
    assert found == {"part": "by hand fold 1 of 3", "way": "as shipped", "seconds": 9}


def test_an_outline_guessed_from_the_strength_of_lines_is_silver() -> None:
    assert prepare(replace(labelled("x"), labels_from="html-style")).silver
