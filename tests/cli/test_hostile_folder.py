"""Code that lies in the current folder, whatever it is called: no command runs it, and no child of one."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from research.fuzz.calls import CALLS, SERVING, TRAINING, fill_calls, prepare_folder, words

from tests.cli.conftest import write_report
from tests.cli.test_hostile_calls import commands
from tests.waiting import PATIENCE, eventually

# What Python looks for by itself, what every module of ours needs, and what only some do.
NAMES = (
    "sitecustomize.py",
    "usercustomize.py",
    "contextlib.py",
    "functools.py",
    "json.py",
    "typing.py",
    "select.py",
    "numpy.py",
    "numpy/__init__.py",
    "click.py",
    "pikepdf.py",
    "pypdfium2.py",
    "PIL/__init__.py",
    "onnxruntime.py",
    "torch.py",
    "held/__init__.py",
    "held/processes/child.py",
)
HELD = Path(sys.executable).with_name("held")  # not `python -m held`: Python itself looks here first then
NOTHING_TO_LEARN = 2  # from a folder without labelled documents
ENDS = (0, 1, 3)  # done, not done, done in part: not refused as a wrong call


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder with a report and hostile code, which is the current one; no trace of it may be there then."""
    here = tmp_path / "downloads"
    write_report(here / "a.pdf")
    for name in NAMES:
        (here / name).parent.mkdir(parents=True, exist_ok=True)
        (here / name).write_text(f"open({str(here)!r} + '/PWNED ' + __name__, 'w')")
    monkeypatch.chdir(here)
    yield here
    assert list(here.glob("PWNED*")) == []


def ended(command: list[str]) -> int:
    return subprocess.run(command, capture_output=True, stdin=subprocess.DEVNULL, timeout=PATIENCE).returncode


def test_no_command_is_left_out() -> None:
    assert {name.removeprefix("held ") for name, _ in commands()} == {*CALLS, *TRAINING, *SERVING}


@pytest.mark.skipif(not HELD.exists(), reason="held is not installed as a program")
def test_no_command_runs_what_lies_in_the_current_folder(folder: Path, tmp_path: Path) -> None:
    out = prepare_folder(tmp_path / "out")
    for call in fill_calls(CALLS, folder / "a.pdf", out):
        assert ended([str(HELD), *call]) in ENDS, call


@pytest.mark.skipif(not HELD.exists(), reason="held is not installed as a program")
@pytest.mark.parametrize("name", TRAINING)
def test_no_training_runs_what_lies_in_the_current_folder(folder: Path, tmp_path: Path, name: str) -> None:
    out = prepare_folder(tmp_path / "out")
    (call,) = fill_calls({name: TRAINING[name]}, folder / "a.pdf", out)
    assert ended([str(HELD), *call]) in (*ENDS, NOTHING_TO_LEARN)


@pytest.mark.skipif(not HELD.exists(), reason="held is not installed as a program")
@pytest.mark.parametrize("name", ["serve", "edit"])
def test_no_server_runs_what_lies_in_the_current_folder(folder: Path, tmp_path: Path, name: str) -> None:
    out = prepare_folder(tmp_path / "out")
    command = [str(HELD), name, *words(SERVING[name], folder / "a.pdf", out)]
    server = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    assert eventually(lambda: any(out.rglob("trees/*.json")))  # a document was worked on
    server.send_signal(signal.SIGINT)
    server.wait(PATIENCE)


@pytest.mark.skipif(not HELD.exists(), reason="held is not installed as a program")
def test_assistants_run_nothing_of_the_current_folder(folder: Path, tmp_path: Path) -> None:
    pytest.importorskip("mcp")
    assert ended([str(HELD), "mcp", *words(SERVING["mcp"], folder / "a.pdf", tmp_path)]) in ENDS


def test_the_library_runs_nothing_of_the_current_folder(folder: Path, tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text("import held; print(len(held.extract('a.pdf').to_markdown()))")
    assert ended([sys.executable, os.fspath(script)]) == 0
