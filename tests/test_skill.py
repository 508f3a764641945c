"""The skill for coding assistants: what it tells them to do works on the sample."""

import re
import shlex
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from held.cli import held

ROOT = Path(__file__).parents[1]
SKILL = (ROOT / "skills" / "held" / "SKILL.md").read_text(encoding="utf-8")
# Indented lines, and the commands of the table whose files are there.
COMMANDS = [line.split("#")[0].strip() for line in re.findall(r"^ {7}(held .*)$", SKILL, re.MULTILINE)]
COMMANDS += re.findall(r"`(held extract report\.\w+ [^`]*|held tables [^`]*)`", SKILL)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("skill")
    shutil.copy(ROOT / "samples" / "report-en.pdf", made / "report.pdf")
    return made


def test_it_says_when_to_use_it() -> None:
    head = re.match(r"---\nname: held\ndescription: (.+)\n---\n", SKILL)
    assert head
    assert len(head[1]) <= 1024  # what assistants accept


def test_its_commands_succeed_in_order(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    assert len(COMMANDS) >= 8
    for command in COMMANDS:
        result = CliRunner().invoke(held, shlex.split(command)[1:])
        assert result.exit_code == 0, (command, result.output)


def test_its_python_runs(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(folder)
    (snippet,) = re.findall(r"```python\n(.*?)```", SKILL, re.DOTALL)
    exec(snippet, {})
    assert "2.2 Markets" in capsys.readouterr().out
