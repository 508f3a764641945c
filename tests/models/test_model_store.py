import json
import zipfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from held.errors import FormatError, InputError, UsageError, VersionError
from held.models import store
from held.models.store import Model, ModelKind, json_part, load_model, model_card, npz_part, save_model

HEADINGS = ModelKind.HEADINGS


def a_model() -> Model:
    parts = {"trees.npz": npz_part({"a": np.arange(5)}), "names.json": json_part(["é", 1])}
    return Model(HEADINGS, "tiny", parts, {"depth": 3}, "d4t4", "c0de", {"f1": 0.5})


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return save_model(tmp_path / "m.held", a_model())


def rewrite(path: Path, name: str, content: bytes) -> None:
    with zipfile.ZipFile(path) as archive:
        contents = {entry: archive.read(entry) for entry in archive.namelist()}
    with zipfile.ZipFile(path, "w") as archive:
        for entry, stored in (contents | {name: content}).items():
            archive.writestr(entry, stored)


def test_a_saved_model_comes_back_whole(path: Path) -> None:
    model = load_model(path, HEADINGS)
    assert model == a_model()
    assert model.arrays("trees.npz")["a"].tolist() == [0, 1, 2, 3, 4]
    assert model.json("names.json") == ["é", 1]


def test_the_same_model_gives_the_same_bytes(path: Path, tmp_path: Path) -> None:
    assert save_model(tmp_path / "again.held", a_model()).read_bytes() == path.read_bytes()


@pytest.mark.parametrize("share", [0.0, 0.3, 0.9, 0.999])
def test_a_truncated_file_says_what_to_do(path: Path, share: float) -> None:
    content = path.read_bytes()
    path.write_bytes(content[: int(share * len(content))])
    with pytest.raises(FormatError, match=r"not a complete model file.*held train"):
        load_model(path, HEADINGS)


def test_a_changed_part_is_named(path: Path) -> None:
    rewrite(path, "names.json", b"[]")
    with pytest.raises(FormatError, match=r"names\.json is not what was saved"):
        load_model(path, HEADINGS)


def test_another_version_is_refused_with_advice(path: Path) -> None:
    with zipfile.ZipFile(path) as archive:
        metadata = json.loads(archive.read("model.json"))
    rewrite(path, "model.json", json.dumps(metadata | {"version": 99}).encode())
    with pytest.raises(VersionError, match=r"version 99 is not known.*held train"):
        load_model(path, HEADINGS)


@pytest.mark.parametrize("metadata", [b"{}", b"[]", b"no json", b'{"format": "other"}'])
def test_another_zip_is_no_model(path: Path, metadata: bytes) -> None:
    rewrite(path, "model.json", metadata)
    with pytest.raises(FormatError, match="not a model of held"):
        load_model(path, HEADINGS)


def test_a_model_for_the_other_step_is_refused(path: Path) -> None:
    with pytest.raises(UsageError, match="a model for headings, not for put-or-skip"):
        load_model(path, ModelKind.PUT_OR_SKIP)


def test_a_shipped_model_is_found_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "WEIGHTS", tmp_path)
    save_model(tmp_path / "tiny" / "headings.held", a_model())
    assert load_model("tiny", HEADINGS).preset == "tiny"


def test_a_missing_model_names_those_that_ship(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "WEIGHTS", tmp_path)
    save_model(tmp_path / "tiny" / "headings.held", a_model())
    with pytest.raises(InputError, match=r"no such model .*the name of a shipped one: tiny"):
        load_model("nowhere", HEADINGS)


def test_arrays_of_python_objects_are_refused() -> None:
    with pytest.raises(UsageError, match="array a contains Python objects"):
        npz_part({"a": np.array([{}])})


def test_the_card_tells_settings_and_scores() -> None:
    card = model_card(a_model())
    assert "| depth | 3 |" in card
    assert "| f1 | 0.5 |" in card


def test_the_card_names_the_figures_of_each_domain() -> None:
    card = model_card(replace(a_model(), scores={"books": {"F1": 0.5, "headings": 172.0}}))
    assert "| books | F1 0.5, headings 172 |" in card
