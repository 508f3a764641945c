"""Every baseline by its name."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from held.document import Kind
from held.hierarchy.heading_features import heading_features
from held.hierarchy.insertion import build
from held.hierarchy.pipeline import TreeOptions, build_tree
from held.models.store import BASELINE_RULES, BaselineKind, Model, npz_part, save_model
from held.paper.baselines import RuleScorer, heading_probabilities, likeliest_depths, place_by_rank
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


@pytest.fixture
def model(request: pytest.FixtureRequest, pembe: Path) -> str:
    """The value of `--model`: the name of a rule, or the folder of the regression."""
    return str(pembe.parent) if request.param == "pembe" else request.param


BASELINES = pytest.mark.parametrize("model", [*BASELINE_RULES, "pembe"], indirect=True)


@BASELINES
def test_a_baseline_places_the_headings_that_a_document_marks(model: str) -> None:
    document = typeset(*LINES).document
    marked = [
        replace(item, kind=Kind.HEADING) if obj in TRUE else item for obj, item in enumerate(document.objects)
    ]
    found = build_tree(replace(document, objects=tuple(marked)), TreeOptions(model=model))
    assert tuple(found.headings) == TRUE
    assert str(found.tree) == "(0 1 (2 3)) 4"


@BASELINES
def test_the_shipped_model_finds_the_headings_that_a_document_does_not_mark(model: str) -> None:
    document = typeset(*LINES).document
    found = build_tree(document, TreeOptions(model=model))
    assert tuple(found.headings) == tuple(build_tree(document).headings)


@BASELINES
def test_a_document_without_objects_has_an_empty_tree(model: str) -> None:
    assert build_tree(typeset().document, TreeOptions(model=model)).tree == Tree()


# --- toc: depths ---


def probabilities(*depths: int) -> np.ndarray:
    return np.eye(12, dtype=np.float32)[list(depths)] * 0.5 + 0.5 / 12


def depth_tree(depths: np.ndarray, headings: tuple[int, ...]) -> str:
    place = place_by_rank(likeliest_depths(depths, headings))
    return str(build(headings, RuleScorer([place])).tree)


def test_an_object_of_depth_0_is_body() -> None:
    likelihood = heading_probabilities(probabilities(0, 1, 0, 2, 1, 0))
    assert np.flatnonzero(likelihood > 0.5).tolist() == [1, 3, 4]


def test_a_depth_that_jumps_hangs_under_the_heading_before() -> None:
    assert depth_tree(probabilities(1, 3, 2, 3), (0, 1, 2, 3)) == "(0 1 (2 3))"


def test_a_given_heading_has_its_likeliest_depth_even_if_body_is_likelier() -> None:
    found = probabilities(1, 0, 2)
    found[1, 2] += 0.1
    assert depth_tree(found, (0, 1)) == "(0 1)"


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
