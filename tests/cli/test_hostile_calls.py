"""Calls that would destroy something, wait for ever, end in a traceback or command the terminal."""

import json
import os
import shlex
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import click
import pikepdf
import pytest

from held import cli
from held.cli.parameters import Command, InputPath, OutputFolder, OutputPath, Seconds
from tests.cli.conftest import write_report
from tests.hostile.files import form_that_draws_itself_twice

Held = Callable[..., Any]
ESCAPES = "\x1b]0;owned\x07\x9b31m\x08"


def commands(group: click.Group = cli.held, path: str = "held") -> Iterator[tuple[str, click.Command]]:
    """All commands, those of groups too."""
    context = click.Context(group)
    for name in group.list_commands(context):
        found = group.get_command(context, name)
        assert found is not None
        if isinstance(found, click.Group):
            yield from commands(found, f"{path} {name}")
        else:
            yield f"{path} {name}", found


@pytest.mark.parametrize(("name", "command"), list(commands()))
def test_every_command_looks_over_its_files_before_it_works(name: str, command: click.Command) -> None:
    assert isinstance(command, Command)
    paths = [param.type for param in command.params if isinstance(param.type, click.Path)]
    assert all(isinstance(path, InputPath | OutputPath | OutputFolder) for path in paths)


@pytest.mark.parametrize("way", ["path", "symbolic", "hard"])
@pytest.mark.parametrize(
    "call",
    [
        ("objects", "{pdf}", "-o", "{out}"),
        ("extract", "{pdf}", "-o", "{out}"),
        ("extract", "{dir}", "-o", "{dir}/o", "--summary", "{out}"),
        ("bookmark", "{pdf}", "{tsv}", "-o", "{out}"),
        ("compare", "{json}", "{json}", "-o", "{out}"),
        ("tables", "{json}", "-o", "{out}"),
        ("index", "{pdf}", "-o", "{out}"),
    ],
    ids=" ".join,
)
def test_no_output_is_an_input(held: Held, tmp_path: Path, call: tuple[str, ...], way: str) -> None:
    files = {
        "pdf": write_report(tmp_path / "a.pdf"),
        "dir": tmp_path,
        "tsv": tmp_path / "a.tsv",
        "json": tmp_path / "a.json",
    }
    files["tsv"].write_text("1\t1\tHarbours\n")
    files["json"].write_text("{}")
    victim = files["tsv"] if "{tsv}" in call else files["json"] if "{json}" in call else files["pdf"]
    out = victim if way == "path" else tmp_path / f"other{victim.suffix}"
    if way == "symbolic":
        out.symlink_to(victim)
    elif way == "hard":
        out.hardlink_to(victim)
    before = victim.read_bytes()
    result = held(*(part.format(**files, out=out) for part in call))
    assert (result.code, victim.read_bytes()) == (2, before)
    assert "would be overwritten" in result.err


def test_a_file_that_is_no_result_is_replaced_only_by_force(held: Held, report: Path, tmp_path: Path) -> None:
    letter = tmp_path / "letter.odt"
    letter.write_bytes(b"dear harbour")
    call = ("extract", report, "--format", "markdown", "-o", letter)
    refused = held(*call)
    assert (refused.code, letter.read_bytes()) == (2, b"dear harbour")
    assert "--force" in refused.err
    assert held(*call, "--force").code == 0
    assert letter.read_bytes() != b"dear harbour"


def test_a_result_in_the_way_is_replaced(held: Held, report: Path, tmp_path: Path) -> None:
    (tmp_path / "tree.json").write_text("{}")
    assert held("extract", report, "-o", tmp_path / "tree.json").code == 0
    assert json.loads((tmp_path / "tree.json").read_text("utf-8"))["status"] == "done"


@pytest.mark.parametrize("summary", ["out/held-batch.jsonl", "out/report.json"])
def test_a_summary_takes_no_place_of_a_result(held: Held, report: Path, tmp_path: Path, summary: str) -> None:
    call = ("extract", report, report, "-o", tmp_path / "out", "--summary", tmp_path / summary)
    assert held(*call).code == 2


def test_an_unknown_suffix_is_refused_and_names_those_that_are_known(held: Held, report: Path) -> None:
    for command in ("extract", "objects"):
        result = held(command, report, "-o", report.with_suffix(".csv"))
        assert (result.code, report.with_suffix(".csv").exists()) == (2, False)
        assert ".json" in result.err
        assert "--format" in result.err


def test_the_folder_of_a_result_is_made(held: Held, report: Path, tmp_path: Path) -> None:
    assert held("extract", report, "-o", tmp_path / "new" / "er" / "x.md").code == 0
    assert (tmp_path / "new" / "er" / "x.md").read_text("utf-8").startswith("# ")


def test_an_address_gets_a_clear_word(held: Held) -> None:
    result = held("extract", "https://harbour.example/report.pdf")
    assert (result.code, "download it first" in result.err) == (2, True)


def test_an_empty_name_is_not_the_current_folder(held: Held, report: Path, tmp_path: Path) -> None:
    result = held("extract", "", "-o", tmp_path / "out")
    assert (result.code, "an empty name" in result.err) == (2, True)


def test_a_beam_that_no_machine_could_keep_is_refused_at_once(held: Held, report: Path) -> None:
    result = held("extract", report, "--beam", 100_000_000)
    assert (result.code, "1<=x<=100" in result.err) == (2, True)


def test_a_command_with_a_slip_gets_a_suggestion(held: Held) -> None:
    assert "did you mean extract?" in held("extrct", "a.pdf").err


def test_a_pipe_or_a_device_ends_at_once(held: Held, report: Path, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "f.pdf")
    for file in (tmp_path / "f.pdf", "/dev/zero"):
        for command in ("extract", "objects"):
            result = held(command, file)
            assert (result.code, ", not a file" in result.err) == (1, True)
    both = held("extract", report, tmp_path / "f.pdf", "-o", tmp_path / "out")
    assert (both.code, (tmp_path / "out" / "report.json").exists()) == (1, True)


@pytest.mark.parametrize(
    "arguments", [("extract", "-"), ("objects", "-"), ("search", "-", "ships"), ("tables", "-")]
)
def test_standard_input_is_read(report: Path, arguments: tuple[str, ...]) -> None:
    command = [sys.executable, "-m", "held", *arguments]
    piped = subprocess.run(command, input=report.read_bytes(), capture_output=True)
    assert (piped.returncode, b"Traceback" in piped.stderr) == (0, False)
    with report.open("rb") as file:
        assert subprocess.run(command, stdin=file, capture_output=True).stdout == piped.stdout


def test_a_full_standard_output_is_one_line(report: Path) -> None:
    command = [sys.executable, "-m", "held", "extract", str(report)]
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE)
    assert (done.returncode, done.stderr.count(b"\n")) == (1, 1)
    assert b"held: standard output: cannot be written: No space left on device" in done.stderr


def test_a_full_device_is_one_line(held: Held, report: Path) -> None:
    result = held("extract", report, "--format", "tree", "-o", "/dev/full")
    assert (result.code, result.err.count("\n")) == (1, 1)


def test_a_folder_that_is_a_file_is_refused(held: Held, report: Path) -> None:
    before = report.read_bytes()
    for command in ("label", "draw"):
        assert held(command, report, "-o", report).code == 2
    assert report.read_bytes() == before


@pytest.mark.parametrize(("given", "seconds"), [("1e300", 31_536_000.0), ("inf", 31_536_000.0), ("2.5", 2.5)])
def test_a_time_to_wait_is_at_most_a_year(given: str, seconds: float) -> None:
    assert Seconds().convert(given, None, None) == seconds


@pytest.mark.parametrize("given", ["nan", "0", "-1", "soon"])
def test_what_is_no_time_to_wait_is_refused(given: str) -> None:
    with pytest.raises(click.BadParameter):
        Seconds().convert(given, None, None)


@pytest.mark.parametrize("command", ["extract", "bookmark"])
def test_a_cross_reference_beyond_all_files_is_a_damaged_pdf(
    held: Held, report: Path, tmp_path: Path, command: str
) -> None:
    start = report.read_bytes().rindex(b"startxref")
    report.write_bytes(report.read_bytes()[:start] + b"startxref\n99999999999999999999999\n%%EOF\n")
    (tmp_path / "o.tsv").write_text("1\t1\tHarbours\n")
    more = (tmp_path / "o.tsv",) if command == "bookmark" else ()
    result = held(command, report, *more, "-o", tmp_path / "o.pdf")
    assert "Traceback" not in result.err
    assert "a fault in held" not in result.err


def test_bookmarks_in_place_keep_mode_and_link(held: Held, report: Path, tmp_path: Path) -> None:
    report.chmod(0o640)
    link = tmp_path / "link.pdf"
    link.symlink_to(report)
    (tmp_path / "o.tsv").write_text("1\t1\tMine\n")
    assert held("bookmark", link, tmp_path / "o.tsv", "-o", link).code == 0
    assert (link.is_symlink(), stat.S_IMODE(report.stat().st_mode)) == (True, 0o640)
    with pikepdf.open(report) as file, file.open_outline() as outline:
        assert [str(item.title) for item in outline.root] == ["Mine"]


def test_a_password_comes_from_a_file_or_the_environment(
    held: Held, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    locked = write_report(tmp_path / "locked.pdf", password="harbour")
    secret = tmp_path / "secret"
    secret.write_bytes(b"harbour\r\nnot this\n")
    assert held("extract", locked, "--format", "tree", "--password-file", secret).code == 0
    assert held("extract", locked, "--password", "x", "--password-file", secret).code == 2
    monkeypatch.setenv("HELD_PASSWORD", "harbour")
    assert held("extract", locked, "--format", "tree").code == 0


def hostile_tree(path: Path) -> Path:
    """Objects with titles, a source and notes that command terminals."""
    heading = {"text": f"1 Harbours{ESCAPES}", "kind": "heading", "page": 1}
    value = {
        "source": f"a{ESCAPES}.pdf",
        "objects": [heading, {"text": f"Ships {ESCAPES} come.", "page": 1}],
        "pages": [{"width": 595, "height": 842, "label": f"i{ESCAPES}"}],
        "notes": [{"page": 1, "message": f"odd {ESCAPES}"}],
    }
    path.write_text(json.dumps(value), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    "arguments",
    [("extract", "--format", form) for form in ("tree", "outline", "json", "chunks", "markdown")]
    + [("objects", "--format", "text"), ("objects",), ("search",), ("search", "--format", "json")],
    ids=" ".join,
)
def test_nothing_that_commands_a_terminal_gets_out(
    held: Held, tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    command, *options = arguments
    file = hostile_tree(tmp_path / f"odd{ESCAPES}.json")
    question = ("ships",) if command == "search" else ()
    result = held(command, file, *question, *options)
    assert result.code == 0
    shown = result.out + result.err
    assert not [
        sign for sign in shown if sign != "\n" and sign != "\t" and (ord(sign) < 32 or 127 <= ord(sign) < 160)
    ]


def test_a_fault_is_one_line_and_its_trace_is_there_for_the_asking(
    held: Held, report: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fault(*_: object, **__: object) -> None:
        raise ValueError("nobody foresaw this")

    monkeypatch.setattr("held.cli.objects.load_document", fault)
    plain, asked = held("objects", report), held("objects", report, "--debug")
    assert (plain.code, plain.err.count("\n"), "Traceback" in plain.err) == (1, 1, False)
    assert "ValueError: nobody foresaw this (a fault in held: please report it" in plain.err
    assert "Traceback" in asked.err


@pytest.mark.parametrize(
    "error",
    [KeyboardInterrupt(), BrokenPipeError(), MemoryError(), OSError(30, "Read-only file system", "/x")],
)
def test_whatever_ends_a_command_is_at_most_one_line(
    held: Held, report: Path, monkeypatch: pytest.MonkeyPatch, error: BaseException
) -> None:
    def ended(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr("held.cli.objects.load_document", ended)
    result = held("objects", report)
    assert result.code == (130 if isinstance(error, KeyboardInterrupt) else 1)
    assert (len(result.err.split("\n")) <= 3, "Traceback" in result.err) == (True, False)


@pytest.mark.parametrize(("name", "command"), list(commands()))
def test_every_command_takes_limits(name: str, command: click.Command) -> None:
    assert "limit" in [param.name for param in command.params]


def test_a_limit_is_set_by_an_option_and_named_where_it_stops_something(
    held: Held, hostile_pdf: Path, tmp_path: Path
) -> None:
    refused = held("extract", hostile_pdf, "--limit", "memory=200M", "--limit", "page_seconds=20")
    assert (refused.code, "needs more than 200 MB of memory" in refused.err) == (1, True)
    assert "--limit" in refused.err


@pytest.mark.parametrize("limit", ["memory=much", "pages=3", "memory"])
def test_what_is_no_limit_is_a_wrong_call(held: Held, report: Path, limit: str) -> None:
    assert held("objects", report, "--limit", limit).code == 2


@pytest.fixture
def hostile_pdf(tmp_path: Path) -> Path:
    """A form that draws itself twice, again and again."""
    path = tmp_path / "twice.pdf"
    path.write_bytes(form_that_draws_itself_twice())
    return path


WRITING = {
    "extract": ("extract", "{pdf}", "-o", "{out}/x.json"),
    "a batch": ("extract", "{dir}", "-o", "{out}/batch"),
    "images": ("extract", "{pdf}", "--format", "markdown", "--images", "{out}/images", "-o", "{dir}/x.md"),
    "tables of a file": ("extract", "{pdf}", "--tables", "{out}/tables", "-o", "{dir}/x.md"),
    "objects": ("objects", "{pdf}", "-o", "{out}/x.json"),
    "tables": ("tables", "{pdf}", "-o", "{out}/tables"),
    "bookmark": ("bookmark", "{pdf}", "{tsv}", "-o", "{out}/x.pdf"),
    "draw": ("draw", "{pdf}", "-o", "{out}/drawn"),
    "label": ("label", "{pdf}", "-o", "{out}/labels"),
    "corpus build": ("corpus", "build", "{dir}", "-o", "{out}/corpus"),
    "index": ("index", "{pdf}", "-o", "{out}/index"),
    "serve": ("serve", "--work", "{out}/work", "--port", "0"),
}


@pytest.mark.parametrize("call", WRITING.values(), ids=WRITING)
def test_a_read_only_file_system_is_one_line(report: Path, tmp_path: Path, call: tuple[str, ...]) -> None:
    out = tmp_path / "mounted"
    out.mkdir()
    (tmp_path / "a.tsv").write_text("1\t1\tHarbours\n")
    files = {"pdf": report, "dir": report.parent, "tsv": tmp_path / "a.tsv", "out": out}
    command = shlex.join([sys.executable, "-m", "held", *(part.format(**files) for part in call)])
    mounted = f"mount -t tmpfs -o ro tmpfs {shlex.quote(str(out))} && exec {command}"
    if subprocess.run(["unshare", "-rm", "true"], capture_output=True).returncode:
        pytest.skip("this system lets nobody mount")
    done = subprocess.run(["unshare", "-rm", "sh", "-c", mounted], capture_output=True, text=True)
    *before, last = done.stderr.splitlines()
    assert (done.returncode, done.stdout) == (1, "")
    assert last.startswith(f"held: {out}")
    assert all(line.startswith("held: ") for line in before)
