"""The guides do what they say: the commands and the Python of each page run, in order, in a new folder."""

import re
import shlex
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Held = Callable[..., Any]
ROOT = Path(__file__).parents[2]
GUIDES = [
    ROOT / "docs" / "start.md",
    ROOT / "docs" / "search.md",
    *sorted((ROOT / "docs" / "guides").glob("*.md")),
]
# Commands that need more than the reader's folder: a cluster, a bucket, a scan with an OCR engine, a home, a
# model of embeddings.
ELSEWHERE = ("s3://", "lance:", "scan.pdf", "uvx ", "~/", "--embed")
COMMAND = r"^    (?P<command>(?:held|cp) .*?)(?: \||  +#|$)"
SNIPPET = r"^```python\n(?P<python>.*?)^```"
STEP = re.compile(f"{COMMAND}|{SNIPPET}", re.MULTILINE | re.DOTALL)


@pytest.fixture
def folder(tmp_path: Path, report: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the reader: a report, a folder of reports, and another parser's JSON."""
    shutil.copy(ROOT / "samples" / "report-en.pdf", tmp_path / "report.pdf")
    shutil.copy(ROOT / "tests" / "integrations" / "harbour.docling.json", tmp_path / "docling.json")
    (tmp_path / "reports").mkdir()
    shutil.copy(report, tmp_path / "reports")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("guide", GUIDES, ids=lambda guide: guide.stem)
def test_every_command_and_every_snippet_of_a_guide_runs(guide: Path, folder: Path, held: Held) -> None:
    names: dict[str, Any] = {}
    for step in STEP.finditer(guide.read_text(encoding="utf-8")):
        command = step["command"]
        if command is None:
            exec(step["python"], names)
        elif not any(place in command for place in ELSEWHERE):
            run(command, held)


def run(command: str, held: Held) -> None:
    program, *arguments = shlex.split(command)
    if program == "cp":
        shutil.copy(*arguments)
        return
    result = held(*arguments)
    assert result.code == 0, f"{command}: {result.err}"


def test_the_guides_have_commands_to_run() -> None:
    pages = [guide.read_text(encoding="utf-8") for guide in GUIDES]
    commands = [step["command"] for page in pages for step in STEP.finditer(page) if step["command"]]
    assert len(commands) > 30
