"""`--model DIR` with networks: the commands run them, and need no library of training."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from held.models.store import ModelKind, save_model
from tests.cli.conftest import Held
from tests.training.small_corpus import untrained


@pytest.fixture(scope="module")
def networks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of networks with the weights that training begins with: every object passes for a heading."""
    folder = tmp_path_factory.mktemp("networks")
    save_model(folder / "headings.held", untrained(ModelKind.HEADINGS, "threshold=0.0"))
    save_model(folder / "put-or-skip.held", untrained(ModelKind.PUT_OR_SKIP))
    return folder


def test_networks_extract_a_document(held: Held, networks: Path, pages_file: Path) -> None:
    result = held("extract", pages_file, "--model", networks, "--format", "json")
    assert result.code == 0
    tree = json.loads(result.out)
    assert len(tree["headings"]) == len(tree["parents"])


def test_networks_serve_a_search(held: Held, networks: Path, document_file: Path) -> None:
    result = held("search", document_file, "ships", "--model", networks)
    assert result.code == 0
    assert "*Ships* come" in result.out


def test_networks_serve_a_batch(held: Held, networks: Path, document_file: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.json"
    copy.write_bytes(document_file.read_bytes())
    result = held("extract", document_file, copy, "--model", networks, "-o", tmp_path / "out")
    assert result.code == 0
    assert len(list((tmp_path / "out").glob("*.json"))) == 2


@pytest.mark.parametrize("library", ["torch", "lightgbm", "onnx", "sklearn"])
def test_networks_need_nothing_of_training(networks: Path, document_file: Path, library: str) -> None:
    script = f"import sys; sys.modules[{library!r}] = None; import held; "
    script += f"held.extract({str(document_file)!r}, model={str(networks)!r})"
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0


def test_a_folder_that_lacks_a_step_is_one_line(
    held: Held, networks: Path, document_file: Path, tmp_path: Path
) -> None:
    (tmp_path / "half").mkdir()
    (tmp_path / "half" / "headings.held").write_bytes((networks / "headings.held").read_bytes())
    result = held("extract", document_file, "--model", tmp_path / "half")
    assert result.code == 1
    assert result.err.count("\n") == 1
    assert "held train put-or-skip" in result.err
