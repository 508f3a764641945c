"""`held evaluate`: models and baselines on the small corpus."""

import json
from pathlib import Path
from typing import Any

import pytest

from held.corpus.store import labelled_documents
from held.hierarchy.insertion import Strategy
from held.hierarchy.pipeline import tree_step
from held.training.evaluation import Evaluation, difference, evaluate, path_scores, tree_predictions
from tests.training.test_train_command import run


def evaluated(capsys: pytest.CaptureFixture[str], *arguments: object) -> Any:
    assert run("evaluate", *arguments, "--format", "json") == 0
    return json.loads(capsys.readouterr().out)


def test_models_stand_side_by_side_with_their_difference(
    corpus: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = evaluated(capsys, "base", "heps", "--data", corpus, "--headings", "true")
    assert [model["model"] for model in found["models"]] == ["base", "heps"]
    (one,) = found["differences"]
    accuracies = [model["all"]["accuracy"] for model in found["models"]]
    assert one["accuracy"] == pytest.approx(accuracies[1] - accuracies[0], abs=1e-3)
    assert one["interval"][0] <= one["accuracy"] <= one["interval"][1]


def test_a_table_has_every_measure(corpus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("evaluate", "heps", "--data", corpus) == 0
    out = capsys.readouterr().out
    for name in (
        "accuracy",
        "unmasked",
        "heading F1",
        "parents",
        "TEDS",
        "inquiries",
        "F1 by level",
        "seconds",
    ):
        assert name in out


def test_true_headings_judge_the_tree_step_alone(corpus: Path) -> None:
    documents = list(labelled_documents(corpus, splits=["valid"]))
    found = evaluate("base", documents, true_headings=True).to_json()["all"]
    predictions = tree_predictions(tree_step("base"), documents, Strategy(normalise=True))
    assert found["of_headings"] == pytest.approx(path_scores(documents, predictions)["paths"], abs=1e-4)
    assert found["heading_f1"] == 1.0


def test_mcts_is_a_search_of_its_own(corpus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    greedy = evaluated(capsys, "base", "--data", corpus)
    searched = evaluated(capsys, "base", "--data", corpus, "--search", "mcts")
    assert searched["models"][0]["all"]["inquiries"] >= greedy["models"][0]["all"]["inquiries"]
    assert run("evaluate", "base", "--data", corpus, "--search", "mcts", "--beam", "3") == 2


def test_a_split_without_documents_is_one_line(corpus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("evaluate", "base", "--data", corpus, "--domain", "moon") == 1
    assert "no labelled documents of split valid of moon" in capsys.readouterr().err


def test_a_difference_is_over_the_documents_that_both_have(corpus: Path) -> None:
    documents = list(labelled_documents(corpus, splits=["valid"]))
    whole = evaluate("heps", documents)
    part = Evaluation("part", whole.documents[:1], 0.0, 0.0)
    accuracy, interval = difference(whole, part)
    assert (accuracy, *interval) == (0.0, 0.0, 0.0)
