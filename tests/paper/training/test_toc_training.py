"""The baseline `toc`, trained on documents whose depth can be seen from their style."""

from pathlib import Path

import numpy as np
import pytest
import torch

from held.corpus.store import truth
from held.hierarchy.pipeline import TreeOptions, build_tree
from held.metrics import Prediction, compare_trees
from held.models.store import BaselineKind
from held.paper.network_models import WindowLabeller
from held.paper.training.examples import gather
from held.paper.training.loop import _losses
from tests.training.small_corpus import TOC, log_of, small_document, untrained
from tests.training.test_train_command import changed, run


def test_a_trained_network_finds_headings_and_their_depth(
    corpus: Path, embeddings: Path, tmp_path: Path
) -> None:
    model = tmp_path / "toc.held"
    more = changed(*TOC, "learning_rate=0.01", "epochs=40", "evaluate_every=40")
    arguments = ["--data", corpus, "-o", model, "--embeddings", embeddings, *more]
    assert run("train", "toc", *arguments) == 0
    labelled = small_document(7, split="valid")
    found = build_tree(labelled.document, TreeOptions(model=str(tmp_path)))  # as `held extract --model` does
    prediction = Prediction(found.tree, frozenset(found.headings))
    assert compare_trees(truth(labelled), prediction).paths.value > 0.9


def test_a_run_of_depths_goes_on_where_it_was(corpus: Path, embeddings: Path, tmp_path: Path) -> None:
    data = ["--data", corpus, "--embeddings", embeddings, *changed(*TOC)]
    for batches in (2, 4):
        assert run("train", "toc", *data, "-o", tmp_path / "m", *changed(f"batches={batches}")) == 0
    lines = log_of(tmp_path / "m.run")
    assert [line["step"] for line in lines if "loss" in line] == [1, 2, 3, 4]
    assert "paths" in lines[-1]["valid"]


def test_every_object_has_a_probability_for_each_depth() -> None:
    labelled = small_document(3)
    found = WindowLabeller(untrained(BaselineKind.TOC, "deepest=5")).labels(labelled.document)
    assert found.shape == (len(labelled.labels), 6)
    np.testing.assert_allclose(found.sum(axis=1), 1, atol=1e-5)


def test_depths_are_levels_of_headings_and_0_for_body() -> None:
    labelled = small_document(1)
    gathered = gather([labelled], cut=64)
    levels = [level if o in labelled.headings else 0 for o, level in enumerate(labelled.levels())]
    assert gathered.depths.tolist() == levels
    assert set(levels) == {0, 1, 2}


def test_the_loss_over_classes_leaves_out_what_has_no_weight() -> None:
    class Batch:
        labels = torch.tensor([[2, 0]])
        weights = torch.tensor([[1.0, 0.0]])

    logits = torch.tensor([[[0.0, 0.0, 1.0], [9.0, -9.0, 0.0]]])
    assert _losses(logits, Batch()).item() == pytest.approx(-np.log(np.e / (np.e + 2)), abs=1e-6)
