"""Boosted trees: what they learn from, and that the exported ones are the trained ones."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from held.corpus.store import LabelledDocument, write_labelled
from held.document import Box, Document, Kind, PageRegion, PageSize, PhysicalObject, Style
from held.errors import UsageError
from held.headings.classifier import SECOND_STAGE, HeadingClassifier
from held.hierarchy.matching.nodes import MissingHeading
from held.hierarchy.oracle import Noise
from held.metrics import Label
from held.models.inference import BoostedTrees
from held.models.store import ModelKind, load_model
from held.training.boosted_data import (
    ExampleOptions,
    OutlineWeights,
    TrainingDocument,
    TrainingRows,
    assign_folds,
    heading_rows,
    position_rows,
    training_document,
)
from held.training.trainers import length_weight

lightgbm = pytest.importorskip("lightgbm", reason="training needs the extra `train`")
pytest.importorskip("onnx", reason="training needs the extra `train`")

from held.training.boosted_export import join_trees, round_down, to_onnx  # noqa: E402
from held.training.boosted_growth import TreeSettings, grow, softmax_objective  # noqa: E402
from held.training.boosted_trainer import (  # noqa: E402
    BoostedHeadings,
    BoostedPutOrSkip,
    known_titles,
    out_of_fold_probabilities,
    train_headings,
    train_put_or_skip,
)
from held.training.trainers import TrainingRequest, train_model  # noqa: E402

BODY, BOLD = Style("Serif", 10.0), Style("Serif", 12.0, bold=True)
FEW: dict[str, Any] = {"trees": 4, "smallest_leaf": 1, "features_share": 1.0}
PLAIN = ExampleOptions(Noise(), power=0.0, unlisted=0.0, balance=0.0, astray=False, seed=0)


def discard_log(_: str) -> None:
    """Tells nobody."""


def labelled(name: str = "a", chapters: int = 3) -> LabelledDocument:
    """Chapters "1 T" with sections "1.1 T" and two paragraphs each; the last object is unknown."""
    objects, labels, parents = [], [], []

    def add(text: str, style: Style, label: Label, parent: int) -> int:
        part = PageRegion(1, Box(72, 100, 300, 110))
        objects.append(PhysicalObject(text=text, kind=Kind.PARAGRAPH, parts=(part,), style=style))
        labels.append(label)
        parents.append(parent)
        return len(objects) - 1

    for chapter in range(1, chapters + 1):
        top = add(f"{chapter} Title", BOLD, Label.HEADING, -1)
        section = add(f"{chapter}.1 Title", BOLD, Label.HEADING, top)
        for _ in range(2):
            add("some running text that says something at length.", BODY, Label.BODY, section)
    add("Unlisted", Style("Serif", 10.0, bold=True), Label.UNKNOWN, section)
    document = Document(name, (PageSize(612, 792),), tuple(objects), body=BODY)
    return LabelledDocument(
        name, document, tuple(labels), tuple(parents), (-1,) * len(objects), group=name, domain="manuals"
    )


@pytest.fixture(scope="module")
def documents() -> list[TrainingDocument]:
    return [training_document(labelled(name, chapters)) for name, chapters in (("a", 3), ("b", 5), ("c", 8))]


def rows_of_headings(documents: list[TrainingDocument], *, balance: float = 0.0) -> TrainingRows:
    titles = known_titles(documents)[1]
    return heading_rows(documents, titles, keep_long=1.0, power=0.0, balance=balance, seed=0)


def random_rows(count: int = 400) -> TrainingRows:
    rng = np.random.default_rng(0)
    features = rng.normal(size=(count, 6)).astype(np.float32)
    labels = (features[:, 0] * features[:, 1] > 0).astype(np.float32)
    return TrainingRows(features, labels, np.ones(count, np.float32), np.full(count // 4, 4))


@pytest.mark.parametrize("compete", [False, True])
def test_exported_trees_give_the_numbers_of_the_trained_ones(compete: bool) -> None:
    rows = random_rows()
    booster = grow(rows, TreeSettings(trees=20, smallest_leaf=5), compete=compete)
    theirs = booster.predict(rows.features, raw_score=True)
    assert np.allclose(BoostedTrees(to_onnx(booster)).score(rows.features), theirs, atol=1e-5)


def test_exported_trees_decide_values_on_a_threshold_alike() -> None:
    rows = random_rows()
    booster = grow(rows, TreeSettings(trees=3, smallest_leaf=5))
    first = booster.dump_model()["tree_info"][0]["tree_structure"]
    edge = rows.features.copy()
    edge[:, first["split_feature"]] = round_down(first["threshold"])
    assert np.allclose(
        BoostedTrees(to_onnx(booster)).score(edge), booster.predict(edge, raw_score=True), atol=1e-5
    )


def test_a_threshold_is_rounded_down_never_up() -> None:
    rounded = round_down(0.1)
    assert rounded <= 0.1 < float(np.nextafter(np.float32(rounded), np.float32(1)))


def test_the_slopes_of_competing_rows_add_up_to_nothing() -> None:
    rows = random_rows(8)._replace(labels=np.array([1, 0, 0, 0] * 2, np.float32))
    slope, _ = softmax_objective(rows)(np.arange(8.0), None)
    assert slope.reshape(2, 4).sum(axis=1) == pytest.approx([0, 0])


def test_unknown_objects_are_no_rows_of_the_heading_step(documents: list[TrainingDocument]) -> None:
    rows = rows_of_headings(documents[:1])
    assert len(rows.labels) == len(documents[0].labels) - 1


def test_headings_of_rare_domains_weigh_more(documents: list[TrainingDocument]) -> None:
    mixed = [documents[0]._replace(domain="rare"), *documents[1:3]]
    weights = rows_of_headings(mixed, balance=1.0).weights
    assert weights[0] == 2 * weights[-1]


def test_guessed_outlines_can_weigh_less_or_be_left_out(documents: list[TrainingDocument]) -> None:
    mixed = [documents[0], documents[1]._replace(silver=True)]
    titles = known_titles(mixed)[1]
    settings = {"keep_long": 1.0, "power": 0.0, "balance": 0.0}
    light = heading_rows(mixed, titles, **settings, seed=0, outline_weights=OutlineWeights(silver=0.5))
    assert (light.weights[0], light.weights[-1]) == (1.0, 0.5)
    without = heading_rows(mixed, titles, **settings, seed=0, outline_weights=OutlineWeights(silver=0.0))
    assert len(without.labels) == len(rows_of_headings(mixed[:1]).labels)


def test_complete_outlines_weigh_by_who_wrote_them(documents: list[TrainingDocument]) -> None:
    weights = OutlineWeights(complete=10.0, read=3.0)
    listed = documents[0]
    read = listed._replace(complete=True)
    by_hand = read._replace(by_hand=True)
    assert [weights.weight(document) for document in (listed, read, by_hand)] == [1.0, 3.0, 10.0]


def test_guessed_outlines_can_weigh_less_or_be_left_out_of_the_insertions(
    documents: list[TrainingDocument],
) -> None:
    mixed = [documents[0], documents[1]._replace(silver=True)]
    pairs = [(document, document.headings) for document in mixed]
    light = position_rows(pairs, replace(PLAIN, outline_weights=OutlineWeights(silver=0.5)))
    assert light.weights[-1] == pytest.approx(0.5 * light.weights[0])
    without = position_rows(pairs, replace(PLAIN, outline_weights=OutlineWeights(silver=0.0)))
    assert len(without.counts) == 6


def test_insertions_that_weigh_less_are_drawn_less_often_and_weigh_as_much_in_all(
    documents: list[TrainingDocument],
) -> None:
    shown = [(known, known.headings) for known in documents] * 40
    light = replace(PLAIN, power=-0.5)  # these documents are short: a negative power makes them weigh little
    every = position_rows(shown, light)
    drawn = position_rows(shown, replace(light, drawn=1.0))
    assert len(drawn.counts) < len(every.counts) / 2
    assert set(drawn.weights.tolist()) == {1.0}


def test_positions_are_rows_and_one_of_each_object_is_right(documents: list[TrainingDocument]) -> None:
    rows = position_rows([(documents[0], documents[0].headings)], PLAIN)
    starts = np.cumsum(rows.counts) - rows.counts
    assert rows.counts.tolist() == [1, 2, 3, 2, 3, 2]
    assert np.add.reduceat(rows.labels, starts).tolist() == [1] * 6


def test_an_unknown_object_among_the_headings_teaches_nothing(documents: list[TrainingDocument]) -> None:
    found = (*documents[0].headings, len(documents[0].labels) - 1)
    rows = position_rows([(documents[0], found)], PLAIN)
    assert len(rows.counts) == 6


def test_an_unlisted_heading_can_be_taught_to_hang_under_the_last_listed_one(
    documents: list[TrainingDocument],
) -> None:
    found = (*documents[0].headings, len(documents[0].labels) - 1)
    rows = position_rows([(documents[0], found)], replace(PLAIN, unlisted=0.5))
    assert rows.counts.tolist()[-1] == 3
    assert rows.labels[-3:].tolist() == [0, 0, 1]
    assert rows.weights[-3:].tolist() == [0.5] * 3


def test_documents_of_rare_domains_weigh_more(documents: list[TrainingDocument]) -> None:
    mixed = [documents[0]._replace(domain="rare"), *documents[1:]]
    pairs = [(document, document.headings) for document in mixed]
    rows = position_rows(pairs, replace(PLAIN, balance=1.0))
    assert rows.weights[0] == pytest.approx(1.5)
    assert rows.weights[-1] == pytest.approx(0.75)


def test_children_of_a_heading_without_an_object_hang_under_its_parent() -> None:
    document = labelled()
    gap = MissingHeading("1.0 Gone", 1, 1, 0, 0)
    parents = (-1, len(document.labels), *document.parents[2:])
    lost = LabelledDocument("a", document.document, document.labels, parents, document.entries, (gap,))
    assert training_document(lost).tree.parents()[1] == 0
    assert training_document(lost).astray == {1}


def test_a_heading_under_a_missing_one_is_taught_on_request_only(documents: list[TrainingDocument]) -> None:
    lost = documents[0]._replace(astray=frozenset(documents[0].headings[1:2]))
    pairs = [(lost, lost.headings)]
    assert len(position_rows(pairs, PLAIN).counts) == 5
    assert len(position_rows(pairs, replace(PLAIN, astray=True)).counts) == 6


def test_hidden_features_are_used_by_no_tree() -> None:
    rng = np.random.default_rng(0)
    features = rng.random((400, 2)).astype(np.float32)
    labels = (features[:, 0] > 0.5).astype(np.float32)
    rows = TrainingRows(features, labels, np.ones(400, np.float32), np.full(400, 1))
    booster = grow(rows, TreeSettings(**FEW, hidden="^first"), names=("first_one", "other"))
    assert booster.feature_importance()[0] == 0


def test_documents_of_one_group_share_a_fold(documents: list[TrainingDocument]) -> None:
    same = [document._replace(group="x") for document in documents]
    assert len(set(assign_folds(same, 5).tolist())) == 1


def test_long_documents_weigh_less_for_each_row() -> None:
    assert length_weight(400, 0.5) == pytest.approx(length_weight(100, 0.5) / 2)
    assert length_weight(400, 0.0) == length_weight(100, 0.0)


def test_training_gives_the_same_weights_again(documents: list[TrainingDocument]) -> None:
    settings = BoostedPutOrSkip(**FEW)
    first, again = (train_put_or_skip(documents, settings, log=discard_log) for _ in range(2))
    assert first.parts == again.parts


def test_the_heading_step_knows_titles_besides_its_trees(documents: list[TrainingDocument]) -> None:
    model = train_headings(documents, BoostedHeadings(**FEW), log=discard_log)
    assert set(model.parts) == {"trees.onnx", "titles.npz"}


def test_an_empty_corpus_is_refused() -> None:
    with pytest.raises(UsageError, match="nothing to learn from"):
        train_headings([], BoostedHeadings(), log=discard_log)


def test_trees_of_two_models_add_up_when_joined() -> None:
    rows = random_rows()
    settings = TreeSettings(trees=5, smallest_leaf=5)
    old = to_onnx(grow(rows, settings))
    new = to_onnx(grow(rows, settings, scores=BoostedTrees(old).score(rows.features)))
    total = BoostedTrees(old).score(rows.features) + BoostedTrees(new).score(rows.features)
    assert np.allclose(BoostedTrees(join_trees(old, new)).score(rows.features), total, atol=1e-5)


def test_a_heading_step_of_several_members_gives_the_mean_of_their_scores(
    documents: list[TrainingDocument],
) -> None:
    alone = [train_headings(documents, BoostedHeadings(**FEW, seed=seed), log=discard_log) for seed in (3, 4)]
    both = train_headings(documents, BoostedHeadings(**FEW, seed=3, members=2), log=discard_log)
    rows = np.concatenate([known.features for known in documents])
    trees = [BoostedTrees(model.parts["trees.onnx"]) for model in (*alone, both)]
    padded = np.pad(rows, ((0, 0), (0, trees[0].width - rows.shape[1])))
    first, second, mean = (each.score(padded) for each in trees)
    assert not np.allclose(first, second)
    assert np.allclose((first + second) / 2, mean, atol=1e-5)


@pytest.mark.parametrize("kind", list(ModelKind))
def test_fine_tuning_adds_trees_to_those_it_starts_from(
    documents: list[TrainingDocument], kind: ModelKind
) -> None:
    if kind is ModelKind.HEADINGS:
        tuned = train_headings(
            documents, BoostedHeadings(**FEW), start=load_model("base", kind), log=discard_log
        )
    else:
        start = load_model("base", kind)
        tuned = train_put_or_skip(documents, BoostedPutOrSkip(**FEW), start=start, log=discard_log)
    assert len(tuned.parts["trees.onnx"]) > len(load_model("base", kind).parts["trees.onnx"])


@pytest.mark.parametrize("kind", list(ModelKind))
def test_held_train_makes_either_model_from_a_folder(tmp_path: Path, kind: ModelKind) -> None:
    for name, split in (("a", "train"), ("b", "train"), ("c", "valid")):
        write_labelled(tmp_path, replace(labelled(name), split=split))
    changes = ("trees=3", "smallest_leaf=1")
    model = train_model(TrainingRequest(kind, "base", tmp_path, tmp_path, changes=changes))
    assert model is not None
    assert model.kind is kind
    assert model.scores


def test_training_tells_how_many_trees_are_grown(documents: list[TrainingDocument]) -> None:
    told: list[str] = []
    train_headings(documents, BoostedHeadings(**{**FEW, "trees": 100}), log=told.append)
    assert told[-2:] == ["50 of 100 trees", "100 of 100 trees"]


def test_the_found_headings_are_looked_for_only_where_they_are_learnt_from(tmp_path: Path) -> None:
    for name in "ab":
        write_labelled(tmp_path, replace(labelled(name), split="train"))
    told: list[str] = []
    changes = ("trees=3", "smallest_leaf=1", "found=false")
    train_model(
        TrainingRequest(
            ModelKind.PUT_OR_SKIP,
            "base",
            tmp_path,
            tmp_path,
            changes=changes,
            log=lambda line: told.append(line["doing"]),
        )
    )
    assert told
    assert not any("heading step" in message for message in told)


def test_a_second_look_sees_more_than_the_first(documents: list[TrainingDocument]) -> None:
    model = train_headings(documents, BoostedHeadings(**FEW, second=True), log=discard_log)
    first, second = BoostedTrees(model.parts["trees.onnx"]), BoostedTrees(model.parts[SECOND_STAGE])
    found = HeadingClassifier(model).classify(documents[0].table)
    assert second.width > first.width
    assert found[0] > 0.5 > found[2]


def test_a_second_look_is_kept_where_further_trees_are_grown(documents: list[TrainingDocument]) -> None:
    start = train_headings(documents, BoostedHeadings(**FEW, second=True), log=discard_log)
    taught = train_headings(documents, BoostedHeadings(**FEW), start=start, log=discard_log)
    assert len(taught.parts[SECOND_STAGE]) > len(start.parts[SECOND_STAGE])


def test_unseen_probabilities_come_from_the_second_look(documents: list[TrainingDocument]) -> None:
    said: list[str] = []
    settings = BoostedHeadings(**FEW, second=True, folds=5)
    found = out_of_fold_probabilities(documents, settings, log=said.append)
    assert any("second look" in message for message in said)
    assert [len(p) for p in found] == [len(d.table) for d in documents]
