"""The Dockerfile, as far as it can be looked at without a daemon."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

from click.testing import CliRunner

from held.cli import held

ROOT = Path(__file__).parents[2]
LINES = (ROOT / "Dockerfile").read_text(encoding="utf-8").splitlines()


def arguments(instruction: str) -> list[str]:
    return [line.removeprefix(instruction).strip() for line in LINES if line.startswith(f"{instruction} ")]


def test_what_is_copied_is_there_and_not_ignored() -> None:
    sources = [name for line in arguments("COPY") for name in line.split()[:-1]]
    allowed = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    for name in sources:
        assert (ROOT / name).exists()
        assert f"!{name}" in allowed


def test_all_that_the_build_reads_is_copied() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    included = project["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]
    sources = [name for line in arguments("COPY") for name in line.split()[:-1]]
    assert {*included, "hatch_build.py"} <= set(sources)


def test_the_extras_that_are_installed_are_ours() -> None:
    (extras,) = re.findall(r'"/src\[([\w,]+)\]"', "\n".join(LINES))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert set(extras.split(",")) <= set(project["optional-dependencies"])


def test_it_runs_without_root_from_a_slim_image() -> None:
    assert arguments("FROM")[-1].endswith("-slim")
    assert arguments("USER") == ["1000"]
    assert LINES.index("USER 1000") < LINES.index("VOLUME /work")


def test_the_command_takes_the_options_that_are_given() -> None:
    (entry,), (command,) = arguments("ENTRYPOINT"), arguments("CMD")
    assert json.loads(entry) == ["held"]
    options = json.loads(command)
    assert CliRunner().invoke(held, [*options, "--help"]).exit_code == 0
    assert options[options.index("--host") + 1] == "0.0.0.0"
