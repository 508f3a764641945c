"""What a row was measured with: its code, and models that fit their settings and their data."""

from dataclasses import replace
from pathlib import Path

import pytest
from research.paper import results
from research.paper.plan import model_plans
from research.paper.provenance import ROOT, code_hash, reachable_files
from research.paper.train import domain_data, is_trained, train

from held.errors import HeldError

PEMBE = model_plans()["pembe-alone@zh_fin"]


def test_the_code_of_a_row_is_what_it_reaches_by_imports() -> None:
    files = {path.relative_to(ROOT).as_posix() for path in reachable_files(["research.paper.methods"])}
    assert "src/held/hierarchy/insertion.py" in files
    assert "src/held/paper/pembe.py" in files
    assert "src/held/serve/__init__.py" not in files
    assert "src/held/layout/recognise.py" not in files


def test_other_modules_are_other_code() -> None:
    assert code_hash(("held.tree",)) == code_hash(("held.tree",)) != code_hash(("held.hierarchy.insertion",))


def trained(folder: Path, *, data: str = "d") -> None:
    results.write(
        folder / f"{PEMBE.name}.trained.json", {"plan": PEMBE.identity(), "data": data, "batches": 0}
    )
    (folder / f"{PEMBE.name}.held").write_bytes(b"")


def test_a_model_is_trained_if_its_settings_and_its_data_are_the_same(tmp_path: Path) -> None:
    trained(tmp_path)
    assert is_trained(PEMBE, tmp_path, "d")
    assert not is_trained(PEMBE, tmp_path, "other data")
    assert not is_trained(replace(PEMBE, changes=("penalty=2.0",)), tmp_path, "d")


def test_a_model_without_a_note_is_not_trained(tmp_path: Path) -> None:
    (tmp_path / f"{PEMBE.name}.held").write_bytes(b"")
    assert not is_trained(PEMBE, tmp_path, "d")


def test_a_network_with_too_few_batches_is_not_trained(tmp_path: Path) -> None:
    plan = model_plans()["network-alone@zh_fin"]
    note = {"plan": plan.identity(), "data": "d", "batches": plan.batches - 1}
    results.write(tmp_path / f"{plan.name}.trained.json", note)
    (tmp_path / f"{plan.name}.held").write_bytes(b"")
    assert not is_trained(plan, tmp_path, "d")
    assert is_trained(plan.with_budget(0.5), tmp_path, "d")


def test_training_that_fails_leaves_no_note(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("research.paper.train.run_held", lambda *_: 1)
    with pytest.raises(HeldError, match="ended with 1"):
        train(PEMBE, tmp_path, tmp_path, "d")
    assert not is_trained(PEMBE, tmp_path, "d")


def test_the_data_of_a_domain_are_its_documents_and_no_others(tmp_path: Path) -> None:
    for name in ("zh_fin-a", "en_fin-b"):
        (tmp_path / f"{name}.held.json.xz").write_bytes(b"x")
    own = domain_data(tmp_path, "zh_fin", tmp_path / "data")
    assert [path.name for path in own.iterdir()] == ["zh_fin-a.held.json.xz"]
    (tmp_path / "zh_fin-a.held.json.xz").unlink()
    assert not list(domain_data(tmp_path, "zh_fin", tmp_path / "data").iterdir())
