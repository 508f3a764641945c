import json
import os
import runpy
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from held import __version__
from held.cli import COMMANDS, progress
from held.models.tree_file import native_trees

Held = Callable[..., Any]
HEAVY = ("numpy", "onnxruntime", "pikepdf", "pypdfium2", "torch", "PIL")


def imported_by(code: str, *flags: str) -> set[str]:
    listing = f"import sys; sys.path += {sys.path!r}; {code}; print(*sys.modules)"
    done = subprocess.run([sys.executable, *flags, "-c", listing], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_import_held_imports_nothing_heavy() -> None:
    assert not imported_by("import held").intersection({*HEAVY, "click"})


def test_the_command_line_imports_nothing_heavy_before_a_command_works() -> None:
    commands = "; ".join(f"import held.cli.{name}" for name in COMMANDS)
    assert not imported_by(commands).intersection(HEAVY)


@pytest.mark.parametrize("arguments", [["--help"], ["extract", "--help"]])
def test_help_loads_few_modules(arguments: list[str]) -> None:
    command = [sys.executable, "-X", "importtime", "-m", "held", *arguments]
    told = subprocess.run(command, capture_output=True, text=True, check=True).stderr
    # Most are of Python itself and of click; numpy alone would be some 140 more.
    assert 0 < told.count("import time:") < 200


def test_a_program_runs_what_is_to_run_at_its_exit() -> None:
    code = (
        "import atexit, sys; from held.cli import run; sys.argv = ['held', 'extract'];"
        "atexit.register(lambda: print('closed', flush=True)); run()"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "closed\n")
    assert "Missing argument" in done.stderr


def test_extracting_a_short_file_imports_only_what_the_model_needs(report: Path) -> None:
    arguments = ["extract", str(report), "-o", os.devnull]
    code = f"from held.cli import held; held({arguments!r}, standalone_mode=False)"
    imported = imported_by(code)
    assert imported.intersection(HEAVY) == {"numpy"}
    # Each of them takes longer to import than a page to read, and none is needed here.
    assert not imported.intersection(
        {"numpy.ma", "html", "secrets", "sqlite3", "held.batch.runner", "held.reading.pdfium"}
    )
    # Those of our own that reading, recognising and both steps are made of: some 178 of them by now.
    assert sum(name.split(".")[0] == "held" for name in imported) < 190


def test_objects_are_written_without_numpy(report: Path) -> None:
    if native_trees() is None:
        pytest.skip("without the native modules, numpy scores the rows of tables")
    arguments = ["objects", str(report), "-o", os.devnull]
    imported = imported_by(f"from held.cli import held; held({arguments!r}, standalone_mode=False)")
    assert not imported.intersection(HEAVY)


def test_a_reading_process_imports_no_heavy_module_of_the_standard_library() -> None:
    imported = imported_by("import held.system.worker_main, held.reading.pdfium_reader", "-I", "-S")
    # Each of them takes longer to import than a page to read; `enum` comes with expressions.
    assert "held.reading.text_runs" in imported
    assert not imported.intersection({"typing", "dataclasses", "inspect", "pathlib", "held.document"})


def told_by_the_collector(code: str, *arguments: str) -> str:
    script = f"import atexit, gc, sys; from held.__main__ import run; {code}; run()"
    command = [sys.executable, "-c", script, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return done.stdout


def test_the_collector_hardly_works_while_a_short_file_is_extracted(report: Path) -> None:
    told = "gc.callbacks.append(lambda phase, info: print(phase))"
    assert told_by_the_collector(told, "extract", str(report), "-o", os.devnull).count("start") < 10


def test_a_command_that_ends_leaves_nothing_to_the_collector() -> None:
    told = "atexit.register(lambda: print(len(gc.get_objects()) < gc.get_freeze_count()))"
    assert told_by_the_collector(told, "--version").endswith("True\n")


def test_help_names_every_command(held: Held) -> None:
    result = held("--help")
    assert result.code == 0
    assert all(f"\n  {name} " in result.out for name in COMMANDS)


def test_the_version_is_printed(held: Held) -> None:
    assert held("--version").out.startswith(f"held {__version__} (")


def test_an_unknown_command_is_a_usage_error(held: Held) -> None:
    result = held("objetcs", "a.pdf")
    assert (result.code, result.out) == (2, "")


@pytest.mark.parametrize("group", [[], ["corpus"], ["train"]])
def test_a_group_of_commands_alone_gives_its_help_and_calls_it_no_error(held: Held, group: list[str]) -> None:
    assert held(*group) == (2, "", held(*group, "--help").out)


def test_choices_that_a_call_lacks_stand_on_the_line_of_the_error(held: Held) -> None:
    error = held("schema").err.splitlines()[-1]
    assert error == "held: Missing argument '{document|pages|tree}'. Choose from: document, pages, tree"


def test_a_file_that_begins_with_a_dash_is_told_what_it_is_called(
    held: Held, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("-report.pdf").touch()
    assert held("extract", "-report.pdf").err.endswith("To give the file, write ./-report.pdf\n")


@pytest.mark.parametrize("form", ["document", "pages", "tree"])
def test_the_published_schemas_are_schemas(held: Held, form: str) -> None:
    schema = json.loads(held("schema", form).out)
    jsonschema.Draft202012Validator.check_schema(schema)
    assert schema["properties"]["format"] == {"const": f"held.{form}"}


def test_the_help_page_is_current() -> None:
    docs = Path(__file__).parents[2] / "docs"
    made = runpy.run_path(str(docs / "cli_page.py"))["cli_page"]()
    assert made == (docs / "cli.md").read_text("utf-8"), "run: python docs/cli_page.py"


def test_progress_is_silent_where_nobody_looks() -> None:
    with progress("reading") as tell:
        assert tell is None


def test_progress_is_told_in_tenths_where_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    with progress("reading", verbose=True) as tell:
        assert tell is not None
        for done in range(1, 301):
            tell(done, 300)
    lines = capsys.readouterr().err.splitlines()
    assert (len(lines), lines[-1]) == (10, "held: reading 300/300 pages")


def test_progress_is_a_bar_on_a_terminal_and_leaves_nothing(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    with progress("reading") as tell:
        assert tell is not None
        tell(1, 2)
    assert capsys.readouterr().err == f"\rreading [{'#' * 15}{'-' * 15}] 1/2 pages\033[K\r\033[K"
