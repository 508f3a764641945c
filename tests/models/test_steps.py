"""One way from a model to both steps: whatever presets a folder mixes, the product runs it."""

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

import held
from held.document import Document, Kind
from held.document_json import document_to_json
from held.errors import InputError, UsageError, VersionError
from held.headings.object_features import DocumentFeatures
from held.hierarchy.insertion import Overrides, Strategy
from held.hierarchy.pipeline import (
    HeadingSource,
    TreeOptions,
    build_tree,
    build_trees,
    find_headings,
    heading_step,
    insert_objects,
    load_steps,
    tree_step,
)
from held.models.store import PRESETS, WEIGHTS, Model, ModelKind, Preset, load_model, save_model, step_files
from held.system.bounded_json import write_json
from held.tree import ROOT, Tree
from tests.training.small_corpus import small_document, untrained

SENTENCES = "The harbour was dredged in spring. Boats of every size have come in since, and fees were paid."


def with_sentences(document: Document) -> Document:
    """The document with whole sentences below its titles, as the shipped model expects them."""
    objects = [item if item.style.bold else replace(item, text=SENTENCES) for item in document.objects]
    return replace(document, objects=tuple(objects))


LABELLED = [small_document(seed) for seed in range(3)]
DOCUMENTS = [with_sentences(labelled.document) for labelled in LABELLED]
HEADINGS, PUT_OR_SKIP = ModelKind.HEADINGS, ModelKind.PUT_OR_SKIP


def folder_of(path: Path, *models: Model) -> Path:
    for model in models:
        save_model(path / f"{model.kind}.held", model)
    return path


@pytest.fixture(scope="module")
def networks() -> dict[ModelKind, Model]:
    """Networks with the weights that training begins with, at a threshold that all objects pass."""
    return {
        HEADINGS: untrained(HEADINGS, "threshold=0.0"),
        PUT_OR_SKIP: untrained(PUT_OR_SKIP),
    }


@pytest.fixture(scope="module")
def one_step() -> Model:
    return untrained(PUT_OR_SKIP, "two_step=false")


@pytest.mark.parametrize(
    ("finding", "placing"), [("paper", "paper"), ("base", "paper"), ("paper", "base"), ("base", "base")]
)
def test_a_folder_may_mix_presets(
    finding: str, placing: str, networks: dict[ModelKind, Model], tmp_path: Path
) -> None:
    heading, tree = (
        networks[kind] if preset == "paper" else load_model("base", kind)
        for preset, kind in ((finding, HEADINGS), (placing, PUT_OR_SKIP))
    )
    folder = folder_of(tmp_path, heading, tree)
    trees = build_trees(DOCUMENTS, TreeOptions(model=str(folder)))
    for document, found in zip(DOCUMENTS, trees, strict=True):
        assert found.tree.pre_order() == tuple(range(len(document.objects)))
        assert found.headings
        assert found.confidence.keys() == found.headings.keys()
        assert not found.calibrated


def test_networks_find_in_the_product_what_they_find_alone(
    networks: dict[ModelKind, Model], tmp_path: Path
) -> None:
    folder = folder_of(tmp_path, *networks.values())
    (alone,) = find_headings(heading_step(networks[HEADINGS]), [DocumentFeatures(DOCUMENTS[0])])
    assert tuple(build_tree(DOCUMENTS[0], TreeOptions(model=str(folder))).headings) == alone


def test_a_one_step_model_needs_no_heading_step(one_step: Model, tmp_path: Path) -> None:
    folder = folder_of(tmp_path, one_step)
    assert load_steps(folder).heading is None
    found = build_tree(DOCUMENTS[0], TreeOptions(model=str(folder)))
    inner = {parent for parent in found.tree.parents().values() if parent >= 0}
    assert set(found.headings) == inner
    assert found.confidence.keys() == found.headings.keys()
    assert all(other.parent in {-1, *inner} for others in found.alternatives.values() for other in others)


def test_a_one_step_model_puts_the_headings_that_it_is_given(one_step: Model, tmp_path: Path) -> None:
    folder = folder_of(tmp_path, one_step)
    found = build_tree(DOCUMENTS[0], TreeOptions(model=str(folder), headings=HeadingSource.GIVEN))
    assert not found.headings
    assert found.tree == Tree.from_parents([-1] * len(DOCUMENTS[0].objects))


def test_the_exports_of_a_one_step_tree_hold_every_object(one_step: Model, tmp_path: Path) -> None:
    source = tmp_path / "document.json"
    write_json(source, document_to_json(DOCUMENTS[0]))
    document = held.extract(source, model=str(folder_of(tmp_path / "model", one_step)))
    for written in (document.to_markdown(), document.to_html()):
        assert all(item.text in written for item in DOCUMENTS[0].objects)


def test_given_headings_are_put_by_networks_too(networks: dict[ModelKind, Model], tmp_path: Path) -> None:
    objects = tuple(
        replace(item, kind=Kind.HEADING) if place in LABELLED[0].headings else item
        for place, item in enumerate(DOCUMENTS[0].objects)
    )
    document = replace(DOCUMENTS[0], objects=objects)
    found = build_tree(document, TreeOptions(model=str(folder_of(tmp_path, *networks.values()))))
    assert tuple(found.headings) == LABELLED[0].headings


def test_a_folder_says_which_steps_it_has(networks: dict[ModelKind, Model], tmp_path: Path) -> None:
    folder = folder_of(tmp_path, networks[HEADINGS])
    assert step_files(folder) == {HEADINGS: folder / "headings.held"}
    assert step_files("base").keys() == {HEADINGS, PUT_OR_SKIP}


def test_a_folder_without_a_step_names_the_command_that_makes_it(
    networks: dict[ModelKind, Model], tmp_path: Path
) -> None:
    with pytest.raises(InputError, match=r"has no put-or-skip.held .*held train put-or-skip"):
        load_steps(folder_of(tmp_path, networks[HEADINGS]))
    with pytest.raises(InputError, match=r"has no headings.held .*held train headings"):
        load_steps(folder_of(tmp_path / "other", networks[PUT_OR_SKIP]))


def test_a_model_file_is_no_folder(networks: dict[ModelKind, Model], tmp_path: Path) -> None:
    folder = folder_of(tmp_path, networks[PUT_OR_SKIP])
    with pytest.raises(UsageError, match="give the folder"):
        load_steps(folder / "put-or-skip.held")


def test_models_may_name_their_preset_as_it_was_once_called() -> None:
    model = load_model("base", PUT_OR_SKIP)
    made = [tree_step(replace(model, preset=preset)) for preset in ("base", "boosted")]
    assert type(made[0]) is type(made[1])


def test_a_preset_that_is_not_known_is_named(networks: dict[ModelKind, Model]) -> None:
    with pytest.raises(VersionError, match=r"preset 'odd'.*boosted, paper"):
        tree_step(replace(networks[PUT_OR_SKIP], preset="odd"))


@pytest.mark.parametrize("kind", [HEADINGS, PUT_OR_SKIP])
def test_networks_for_other_inputs_are_refused(kind: ModelKind, networks: dict[ModelKind, Model]) -> None:
    model = networks[kind]
    later = replace(model, settings={**model.settings, "features": 99})
    with pytest.raises(VersionError, match="features of version 99"):
        (heading_step if kind is HEADINGS else tree_step)(later)


def test_a_network_that_names_no_version_of_its_inputs_has_the_first(
    networks: dict[ModelKind, Model],
) -> None:
    model = networks[PUT_OR_SKIP]
    settings = {name: value for name, value in model.settings.items() if name != "features"}
    assert not tree_step(replace(model, settings=settings)).every_object


def test_a_new_preset_is_one_module_and_one_entry(
    monkeypatch: pytest.MonkeyPatch, networks: dict[ModelKind, Model], tmp_path: Path
) -> None:
    (tmp_path / "flat_model.py").write_text(
        "class FlatStep:\n"
        "    every_object = normalise = False\n"
        "    def scorer(self, documents, objects): return self\n"
        "    def score(self, questions):\n"
        "        return [[float(p == 0) for p in q.positions] for q in questions]\n"
        "def tree_step(model, *, threads, disabled): return FlatStep()\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setitem(PRESETS, "flat", Preset(None, "flat_model:tree_step", "no_trainer"))
    flat = replace(networks[PUT_OR_SKIP], preset="flat")
    folder = folder_of(tmp_path / "model", networks[HEADINGS], flat)
    told: list[tuple[int, int]] = []
    options = TreeOptions(model=str(folder))
    found = build_tree(DOCUMENTS[0], options, progress=lambda done, total: told.append((done, total)))
    assert set(found.headings) == set(range(len(DOCUMENTS[0].objects)))
    assert max(found.tree.levels().values()) == 1
    assert told[-1] == (len(found.headings), len(found.headings))
    with pytest.raises(UsageError, match="preset flat has no model for headings"):
        heading_step(replace(networks[HEADINGS], preset="flat"))


def test_the_shipped_model_in_a_folder_of_ones_own_keeps_its_calibration(tmp_path: Path) -> None:
    folder = shutil.copytree(WEIGHTS / "base", tmp_path / "mine")
    own, shipped = build_tree(DOCUMENTS[0], TreeOptions(model=str(folder))), build_tree(DOCUMENTS[0])
    assert own == shipped
    assert own.calibrated


def test_a_table_and_an_empty_text_head_no_section(networks: dict[ModelKind, Model], tmp_path: Path) -> None:
    first, second, *rest = DOCUMENTS[0].objects
    document = replace(
        DOCUMENTS[0], objects=(replace(first, kind=Kind.TABLE), replace(second, text=""), *rest)
    )
    found = build_tree(document, TreeOptions(model=str(folder_of(tmp_path, *networks.values()))))
    assert set(found.headings) == set(range(2, len(document.objects)))


def test_a_one_step_model_refuses_fixed_places(one_step: Model, tmp_path: Path) -> None:
    options = TreeOptions(model=str(folder_of(tmp_path, one_step)))
    with pytest.raises(UsageError, match="fixed places"):
        build_tree(DOCUMENTS[0], options, overrides=Overrides(parents={0: ROOT}))


def test_a_beam_with_the_papers_network_adds_up_its_own_log_probabilities(
    networks: dict[ModelKind, Model], tmp_path: Path
) -> None:
    folder = folder_of(tmp_path / "model", networks[HEADINGS], networks[PUT_OR_SKIP])
    options = TreeOptions(model=str(folder), strategy=Strategy(width=3))
    found = build_tree(DOCUMENTS[0], options)
    features = [DocumentFeatures(DOCUMENTS[0])]
    (expected,) = insert_objects(
        tree_step(networks[PUT_OR_SKIP]), features, [tuple(found.headings)], Strategy(width=3)
    )
    assert found.log_probability == pytest.approx(expected.log_probability, abs=1e-3)
