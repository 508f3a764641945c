"""The newcomer's guide does what it says: its commands and its Python, one after another."""

import re
import shlex
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Held = Callable[..., Any]
ROOT = Path(__file__).parents[2]
GUIDE = (ROOT / "docs" / "guide.md").read_text(encoding="utf-8")
COMMANDS = re.findall(r"^    ((?:held|cp) .*?)(?: \||  +#|$)", GUIDE, re.MULTILINE)
SNIPPETS = re.findall(r"```python\n(.*?)```", GUIDE, re.DOTALL)


@pytest.fixture
def desk(tmp_path: Path, report: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder that the guide speaks of, with nothing but what a newcomer brings."""
    shutil.copy(ROOT / "samples" / "report-en.pdf", tmp_path / "report.pdf")
    shutil.copy(ROOT / "tests" / "integrations" / "harbour.docling.json", tmp_path / "docling.json")
    (tmp_path / "reports").mkdir()
    shutil.copy(report, tmp_path / "reports")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_every_command_and_every_snippet_of_the_guide_runs(desk: Path, held: Held) -> None:
    for command in COMMANDS:
        program, *arguments = shlex.split(command)
        if program == "cp":
            shutil.copy(*arguments)
        else:
            result = held(*arguments)
            assert result.code == 0, f"{command}: {result.err}"
    exec("".join(SNIPPETS), {})
    assert {"report.json", "report.html", "report.md", "mine.pdf", "report.xlsx", "tables", "drawn"} <= {
        path.name for path in desk.iterdir()
    }
