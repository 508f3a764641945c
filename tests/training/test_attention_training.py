"""The networks of preset `attention`: trained in torch, run in numpy, mixed with boosted trees."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from held.errors import UsageError
from held.hierarchy.attention import MARGIN, RELATIONS, WINDOW, read_windows, relations, windows
from held.hierarchy.heading_features import heading_features
from held.hierarchy.insertion import Question, Strategy, build
from held.hierarchy.position_features import PositionFeatures
from held.hierarchy.scorers import Mixture, attention_tree_step
from held.models.store import Model, ModelKind, load_model, save_model
from held.training.boosted_data import TrainingDocument, training_document
from held.tree import Tree
from tests.training.test_boosted_training import FEW, labelled

torch = pytest.importorskip("torch", reason="training needs the extra `train`")
pytest.importorskip("lightgbm", reason="training needs the extra `train`")

from held.training.attention_network import AttentionNetwork, attention_windows, segment_losses  # noqa: E402
from held.training.attention_trainer import AttentionPutOrSkip, feature_scales, train_attention  # noqa: E402
from held.training.boosted_trainer import BoostedPutOrSkip, train_put_or_skip  # noqa: E402
from held.training.trainers import TrainingRequest, train_model  # noqa: E402

SMALL: dict[str, Any] = {**FEW, "width": 16, "between": 16, "scorer": 16, "epochs": 2, "found": False}


def discard_log(_: str) -> None:
    """Tells nobody."""


@pytest.fixture(scope="module")
def documents() -> list[TrainingDocument]:
    return [training_document(labelled(name, chapters)) for name, chapters in (("a", 3), ("b", 5), ("c", 8))]


def trained(documents: list[TrainingDocument], **given: Any) -> Model:
    settings = AttentionPutOrSkip(**SMALL)
    boosted = train_put_or_skip(documents, settings, log=discard_log)
    return train_attention(documents, boosted, settings, log=discard_log, **given)


def test_numpy_gives_the_scores_of_torch(documents: list[TrainingDocument]) -> None:
    settings = AttentionPutOrSkip(**SMALL)
    usual = feature_scales(documents, settings)
    network = AttentionNetwork(settings.shape, usual, dropout=0.1, rows_hidden=0.5).eval()
    outline = heading_features(documents[2].table, documents[2].headings)
    outlines = PositionFeatures([outline])
    at = outlines.positions([Question.about(0, Tree.parse("(0 1)"), 4)])
    rows, places = outlines.features_at(at), (at.nodes["parent"], at.nodes["last"])
    frozen = network.to_numpy()
    ours = frozen.score(frozen.sides([outline], [read_windows(outline)]), at.obj, *places, rows)
    with torch.no_grad():
        encoded = network.encodings(outline, attention_windows(outline))
        where = [torch.from_numpy(np.ascontiguousarray(place)) for place in (at.obj, *places)]
        theirs = network(encoded, *where, rows)
    assert np.allclose(ours, theirs.numpy(), atol=1e-4)


def test_a_trained_model_builds_trees_from_its_file(
    documents: list[TrainingDocument], tmp_path: Path
) -> None:
    path = save_model(tmp_path / "put-or-skip.held", trained(documents, held_out=documents[:1]))
    step = attention_tree_step(load_model(path, ModelKind.PUT_OR_SKIP))
    known = documents[1]
    scorer = step.scorer_of([heading_features(known.table, known.headings)])
    assert build(known.headings, scorer, Strategy(normalise=True)).tree.size == len(known.headings)


def test_a_run_that_was_ended_gives_the_same_weights(
    documents: list[TrainingDocument], tmp_path: Path
) -> None:
    whole = trained(documents)
    once = AttentionPutOrSkip(**SMALL)
    boosted = train_put_or_skip(documents, once, log=discard_log)

    def ended(epoch: str) -> None:
        if "epoch 1" in epoch:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train_attention(documents, boosted, once, checkpoints=tmp_path, log=ended)
    resumed = train_attention(documents, boosted, once, checkpoints=tmp_path, log=discard_log)
    ours, theirs = (model.arrays("network-0.npz") for model in (resumed, whole))
    assert all(np.allclose(ours[name], theirs[name], atol=1e-4) for name in theirs)


def test_fine_tuning_grows_trees_and_keeps_the_networks(documents: list[TrainingDocument]) -> None:
    start = trained(documents)
    finer = train_put_or_skip(documents, BoostedPutOrSkip(**FEW), start=start, log=discard_log)
    assert finer.parts["network-0.npz"] == start.parts["network-0.npz"]
    assert finer.parts["trees.onnx"] != start.parts["trees.onnx"]
    assert attention_tree_step(finer).networks


def test_the_loss_of_a_stretch_is_its_cross_entropy() -> None:
    scores = torch.tensor([1.0, 2.0, 0.5, 0.5])
    losses = segment_losses(scores, torch.tensor([1, 2]), torch.tensor([2, 2]))
    assert losses.tolist() == pytest.approx([np.log(1 + np.exp(-1)), np.log(2)], abs=1e-5)


def test_the_preset_has_no_heading_step(tmp_path: Path) -> None:
    request = TrainingRequest(ModelKind.HEADINGS, "attentive", tmp_path, tmp_path)
    with pytest.raises(UsageError, match="no model for headings"):
        train_model(request)


def test_windows_cover_each_heading_once_and_reach_further() -> None:
    found = list(windows(3 * WINDOW + 10))
    assert [row for start, end, _, _ in found for row in range(start, end)] == list(range(3 * WINDOW + 10))
    assert all(low == max(0, start - MARGIN) for start, _, low, _ in found)


def test_a_document_without_headings_has_no_window() -> None:
    assert list(windows(0)) == []


def test_relations_see_that_a_number_follows_and_lies_under(documents: list[TrainingDocument]) -> None:
    known = documents[0]
    related = relations(heading_features(known.table, known.headings), 0, len(known.headings))
    follows, under = RELATIONS.index("follows"), RELATIONS.index("under")
    assert related[2, 0, follows] == 1  # 2 after 1
    assert related[1, 0, under] == 1  # 1.1 under 1
    assert related[1, 2, under] == 0  # not under 2


def test_the_surer_the_trees_the_less_the_network_counts() -> None:
    doubtful, sure = Mixture(0.0, -0.5).weights(np.array([0.4, 0.99], np.float32))
    assert doubtful > 0.5 > sure


def test_a_mixture_of_equals_is_what_both_say() -> None:
    both = np.array([0.7, 0.3], np.float32)
    assert Mixture(0.3, 0.1).mix(both, both, np.array([2])) == pytest.approx(both, abs=1e-5)


def test_a_network_alone_outvotes_the_trees() -> None:
    trees, network = np.array([0.9, 0.1], np.float32), np.array([0.2, 0.8], np.float32)
    assert Mixture(usual=30.0).mix(trees, network, np.array([2])) == pytest.approx(network, abs=1e-5)
