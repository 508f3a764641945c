"""The baseline `pembe`: its tuples, its regression, and trained by the command."""

import random
from pathlib import Path

import numpy as np
import pytest

from held.errors import HeldError, InputError
from held.headings import Floats
from held.models.store import BaselineKind, load_model
from held.paper.pembe import FEATURES
from held.paper.training.pembe import Tuples, logistic_regression, tuples_of
from held.training.settings import PembeSettings
from tests.training.small_corpus import small_document
from tests.training.test_train_command import run


def test_a_model_is_trained_by_the_command(
    corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("train", "pembe", "--data", corpus, "-o", tmp_path / "pembe.held") == 0
    model = load_model(tmp_path / "pembe.held", BaselineKind.PEMBE)
    assert model.arrays("weights.npz")["weights"].shape == (len(FEATURES),)
    assert capsys.readouterr().out.startswith("paths\t1.0")


def alike(rows: Floats, labels: Floats) -> Tuples:
    """Tuples that all count the same."""
    return Tuples(rows, labels, np.ones(len(labels), np.float32))


def test_a_row_of_weight_two_is_a_row_that_stands_there_twice() -> None:
    rows = np.array([[1.0], [2.0], [0.0], [-1.0]], np.float32)
    labels = np.array([1, 0, 1, 0], np.float32)
    weighed = Tuples(rows, labels, np.array([2, 1, 1, 1], np.float32))
    doubled = alike(np.concatenate([rows[:1], rows]), np.concatenate([labels[:1], labels]))
    once, twice = (logistic_regression(tuples, PembeSettings())[0] for tuples in (weighed, doubled))
    assert once == pytest.approx(twice, abs=1e-6)


def test_no_small_change_of_the_weights_makes_the_labels_likelier() -> None:
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(400, 5)).astype(np.float32)
    labels = (rows[:, 0] - rows[:, 1] + rng.normal(size=400) > 0.3).astype(np.float32)
    weights, bias = logistic_regression(alike(rows, labels), PembeSettings(penalty=2.0))
    off = 1 / (1 + np.exp(-(rows @ weights + bias))) - labels
    assert rows.T @ off + 2.0 * weights == pytest.approx(np.zeros(5), abs=1e-3)
    assert off.sum() == pytest.approx(0, abs=1e-3)  # the bias is free


def test_every_position_of_every_heading_is_a_tuple_and_one_of_them_is_right() -> None:
    documents = [small_document(random.Random(0).randrange(99))]
    rows, labels, _ = tuples_of(documents, PembeSettings())
    assert labels.sum() == sum(len(d.headings) for d in documents)
    assert rows.shape == (len(labels), len(FEATURES))
    assert np.isfinite(rows).all()


def test_too_few_steps_are_an_error() -> None:
    rows, labels = np.eye(4, dtype=np.float32), np.array([1, 0, 1, 0], np.float32)
    with pytest.raises(HeldError, match="in 1 steps"):
        logistic_regression(alike(rows, labels), PembeSettings(steps=1))


def test_documents_without_headings_teach_nothing() -> None:
    with pytest.raises(InputError, match="no headings"):
        tuples_of([], PembeSettings())
