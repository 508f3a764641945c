"""The trees of preset `base` at work: versions, probabilities, batches."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from held.document import Box, Document, Kind, PageRegion, PageSize, PhysicalObject, Style
from held.errors import FormatError, InputError, VersionError
from held.headings.classifier import HeadingClassifier
from held.headings.object_features import DocumentFeatures, object_features
from held.hierarchy.boosted_step import PositionScorer, boosted_tree_step
from held.hierarchy.heading_features import heading_features
from held.hierarchy.insertion import Order, Question, Strategy, build, build_many
from held.hierarchy.pipeline import heading_step
from held.models.inference import BoostedTrees, sigmoid, softmax
from held.models.store import WEIGHTS, ModelKind, load_model, save_model
from held.tree import Tree

BODY, BOLD = Style("Serif", 10.0), Style("Serif", 14.0, bold=True)


def report(chapters: int = 3) -> Document:
    """Numbered chapters with numbered sections and a paragraph each."""
    objects: list[PhysicalObject] = []
    for chapter in range(1, chapters + 1):
        for text, style in (
            (f"{chapter} Chapter of things", BOLD),
            (f"{chapter}.1 Section of things", BOLD),
            ("Running text goes on and on, as it does in documents, until it ends here.", BODY),
        ):
            y0 = 100.0 + 30 * (len(objects) % 20)
            part = PageRegion(1 + len(objects) // 20, Box(72, y0, 400, y0 + 12))
            objects.append(
                PhysicalObject(Kind.PARAGRAPH, text, (part,), style, relative_size=style.size / 10)
            )
    return Document("report", (PageSize(612, 792),) * (1 + len(objects) // 20), tuple(objects), body=BODY)


def scorer(*documents: Document, headings: list[int]) -> PositionScorer:
    outlines = [heading_features(object_features(document), headings) for document in documents]
    return boosted_tree_step(load_model("base", ModelKind.PUT_OR_SKIP)).scorer_of(outlines)


HEADINGS = [0, 1, 3, 4, 6, 7]


def test_the_probabilities_of_an_objects_positions_add_up_to_one() -> None:
    (answer,) = scorer(report(), headings=HEADINGS).score([Question(0, Tree.parse("(0 1)"), 3, range(3))])
    assert sum(answer) == pytest.approx(1)


def test_positions_are_answered_in_the_order_in_which_they_are_asked() -> None:
    one = scorer(report(), headings=HEADINGS)
    tree = Tree.parse("(0 1)")
    (answer,), (turned,) = (one.score([Question(0, tree, 3, order)]) for order in ([0, 1, 2], [2, 0]))
    assert turned == [answer[2], answer[0]]


def test_numbered_sections_hang_under_their_chapters() -> None:
    insertion = build(HEADINGS, scorer(report(), headings=HEADINGS))
    assert insertion.tree == Tree.parse("(0 1) (3 4) (6 7)")


@pytest.mark.parametrize("order", list(Order))
def test_every_order_of_asking_builds_a_tree(order: Order) -> None:
    insertion = build(HEADINGS, scorer(report(), headings=HEADINGS), Strategy(order))
    assert insertion.tree.pre_order() == tuple(HEADINGS)


def test_documents_advanced_together_get_the_trees_they_get_alone() -> None:
    documents = [report(), report(5)]
    together = build_many([HEADINGS] * 2, scorer(*documents, headings=HEADINGS))
    alone = [build(HEADINGS, scorer(document, headings=HEADINGS)) for document in documents]
    assert [i.tree for i in together] == [i.tree for i in alone]


def test_headings_are_told_from_running_text() -> None:
    model = heading_step("base")
    (probabilities,) = model.probabilities([DocumentFeatures(report(6))])
    assert model.headings(probabilities) == tuple(i for i in range(18) if i % 3 != 2)


def test_a_document_without_objects_has_no_probabilities() -> None:
    (probabilities,) = heading_step("base").probabilities([DocumentFeatures(replace(report(), objects=()))])
    assert probabilities.tolist() == []


def test_softmax_works_within_each_stretch() -> None:
    found = softmax(np.array([0.0, 0.0, 900.0], np.float32), np.array([2, 1]))
    assert found.tolist() == [0.5, 0.5, 1.0]


def test_sigmoid_gives_probabilities_even_of_extreme_scores() -> None:
    assert sigmoid(np.array([-1e4, 0, 1e4], np.float32)).tolist() == [0, 0.5, 1]


def test_weights_for_other_features_are_refused() -> None:
    model = load_model("base", ModelKind.HEADINGS)
    old = replace(model, settings={**model.settings, "features": 0})
    with pytest.raises(VersionError, match="features of version 0"):
        HeadingClassifier(old)


def test_trees_that_know_another_number_of_features_are_refused() -> None:
    trees = BoostedTrees(load_model("base", ModelKind.HEADINGS).parts["trees.onnx"])
    with pytest.raises(VersionError, match=f"need {trees.width} features, not 3"):
        trees.score(np.zeros((2, 3), np.float32))


def test_a_truncated_model_file_is_refused(tmp_path: Path) -> None:
    path = save_model(tmp_path / "headings.held", load_model("base", ModelKind.HEADINGS))
    path.write_bytes(path.read_bytes()[:-100])
    with pytest.raises(FormatError, match="not a complete model file"):
        heading_step(path)


def test_a_model_that_does_not_exist_is_named_with_those_that_do() -> None:
    with pytest.raises(InputError, match="base"):
        heading_step("nosuch")


def test_the_shipped_weights_are_at_most_eight_megabytes() -> None:
    assert sum(path.stat().st_size for path in (WEIGHTS / "base").iterdir()) <= 8_000_000
