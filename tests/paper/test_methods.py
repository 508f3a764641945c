"""Every method by the same call."""

from pathlib import Path

import numpy as np
import pytest

from held.errors import UsageError
from held.hierarchy.heading_features import heading_features
from held.models.store import BaselineKind, Model, npz_part, save_model
from held.paper.baselines import NAMES, method, prediction_of_depths
from held.paper.pembe import FEATURES, PAIR, Relations
from held.tree import Tree
from tests.paper.typeset import typeset

LINES = ("16b 1 Scope", "10 Some text of the body.", "12b 1.1 Terms", "10 More of it.", "16b 2 Rules")
TRUE = (0, 2, 4)


@pytest.fixture(scope="module")
def pembe(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A regression that puts a heading under its number's prefix or beside the number before."""
    weights = np.zeros(len(FEATURES), np.float32)
    weights[FEATURES.index("parent_under")] = weights[FEATURES.index("sibling_follows")] = 5
    still = {"mean": np.zeros_like(weights), "scale": np.ones_like(weights)}
    arrays = {"weights": weights, "bias": np.zeros(1, np.float32), **still}
    path = tmp_path_factory.mktemp("models") / "pembe.held"
    return save_model(path, Model(BaselineKind.PEMBE, "paper", {"weights.npz": npz_part(arrays)}))


@pytest.mark.parametrize("name", [name for name in NAMES if name != "toc"])
def test_a_method_puts_given_headings_and_hangs_the_rest(name: str, pembe: Path) -> None:
    (prediction,) = method(name, model=pembe if name == "pembe" else None)([typeset(*LINES)], [TRUE])
    assert prediction.headings == set(TRUE)
    assert str(prediction.tree) == "(0 1 (2 3)) 4"


def test_without_given_headings_those_of_our_heading_step_are_taken() -> None:
    documents = [typeset(*LINES), typeset("10 Nothing but text, and no heading at all.")]
    for prediction, document in zip(method("heps")(documents), documents, strict=True):
        assert prediction.tree.size == len(document.objects)
        assert method("heps")([document], [sorted(prediction.headings)])[0] == prediction


@pytest.mark.parametrize("name", ["size", "numbers", "heps", "held"])
def test_no_documents_and_empty_ones_are_no_trouble(name: str) -> None:
    assert method(name)([], []) == []
    assert method(name)([typeset()])[0].tree == Tree()


def test_a_method_that_is_not_there_is_named() -> None:
    with pytest.raises(UsageError, match="no baseline helps"):
        method("helps")


def test_a_learned_row_needs_its_model() -> None:
    with pytest.raises(UsageError, match="held train toc"):
        method("toc")


# --- toc: depths ---


def probabilities(*depths: int) -> np.ndarray:
    return np.eye(12, dtype=np.float32)[list(depths)] * 0.5 + 0.5 / 12


def test_an_object_of_depth_0_is_body() -> None:
    prediction = prediction_of_depths(probabilities(0, 1, 0, 2, 1, 0))
    assert prediction.headings == {1, 3, 4}
    assert str(prediction.tree) == "0 (1 2 3) (4 5)"


def test_a_depth_that_jumps_hangs_under_the_heading_before() -> None:
    assert str(prediction_of_depths(probabilities(1, 3, 2, 3)).tree) == "(0 1 (2 3))"


def test_a_given_heading_has_its_likeliest_depth_even_if_body_is_likelier() -> None:
    found = probabilities(1, 0, 2)
    found[1, 2] += 0.1
    prediction = prediction_of_depths(found, [0, 1])
    assert prediction.headings == {0, 1}
    assert str(prediction.tree) == "(0 (1 2))"


# --- pembe: features ---


def features_of(lines: tuple[str, ...], tree: str) -> list[dict[str, float]]:
    """The features of the last line at each position of a tree of those before it."""
    document = typeset(*lines)
    relations = Relations([heading_features(document.objects, range(len(lines)))])
    rows = relations.features([(0, Tree.parse(tree), len(lines) - 1)])
    return [dict(zip(FEATURES, row.tolist(), strict=True)) for row in rows]


def test_the_four_relatives_of_a_position_are_compared() -> None:
    lines = ("16b 1 A", "12b 1.1 B", "12 1.2 C", "12 1.3 D")
    top, middle, leaf = features_of(lines, "(0 1 2)")
    assert top["parent_is_root"] == top["sibling_present"] == 1
    assert top["grandparent_present"] == top["second_sibling_present"] == 0
    assert (middle["parent_under"], middle["parent_smaller"], middle["sibling_follows"]) == (1, 1, 1)
    assert (middle["second_sibling_same_form_alone"], middle["second_sibling_its_bold_alone"]) == (1, 1)
    assert middle["grandparent_is_root"] == leaf["last"] == 1
    assert leaf["sibling_present"] == 0


def test_a_relative_that_is_not_there_has_no_features() -> None:
    (only,) = features_of(("16b 1 A",), "")
    assert all(only[f"sibling_{name}"] == 0 for name in PAIR)
    assert only["parent_starts"] == only["last"] == 1
