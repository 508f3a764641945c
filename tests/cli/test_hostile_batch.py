"""A batch and its files' names: no file, whatever it is called or does, costs another its result."""

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from held import load
from held.batch import runner
from held.batch.sinks import RUN_JOURNAL, FolderSink
from held.file_task import FileTask, TaskResult
from held.system.worker_pool import ProgressEvent
from tests.cli.conftest import write_report

Held = Callable[..., Any]


def extracted(held: Held, folder: Path, out: Path, *more: object) -> tuple[Any, dict[str, Any]]:
    """The result of the command, and what its summary says of each file, by name."""
    summary = out.with_name("summary.json")
    result = held("extract", folder, "-o", out, "--summary", summary, *more)
    files = json.loads(summary.read_text("utf-8"))["files"]
    return result, {Path(file["source"]).name: file for file in files}


def test_a_name_of_nearly_255_bytes_is_done_like_any_other(held: Held, tmp_path: Path) -> None:
    long = write_report(tmp_path / "in" / f"{'n' * 246}.pdf")
    write_report(tmp_path / "in" / "z.pdf")
    result, files = extracted(held, long.parent, tmp_path / "out")
    assert (result.code, {file["outcome"] for file in files.values()}) == (0, {"done"})
    assert (tmp_path / "out" / f"{'n' * 246}.json").is_file()


def test_a_result_whose_name_is_too_long_fails_alone_and_is_passed_by_again(
    held: Held, tmp_path: Path
) -> None:
    long = write_report(tmp_path / "in" / f"{'n' * 251}.pdf")
    write_report(tmp_path / "in" / "z.pdf")
    for more, expected in (((), "done"), (("--resume",), "skipped")):
        result, files = extracted(held, long.parent, tmp_path / "out", "--format", "chunks", *more)
        assert result.code == 1
        assert "File name too long" in files[long.name]["reason"]
        assert files["z.pdf"]["outcome"] == expected


def test_a_report_called_like_the_journal_does_not_replace_it(held: Held, tmp_path: Path) -> None:
    report = write_report(tmp_path / "in" / "held-batch.pdf")
    extracted(held, report.parent, tmp_path / "out", "--format", "chunks")
    rows = [json.loads(line) for line in (tmp_path / "out" / RUN_JOURNAL).read_text().splitlines()]
    assert [row["output"] for row in rows] == ["held-batch-2.jsonl"]
    _, files = extracted(held, report.parent, tmp_path / "out", "--format", "chunks", "--resume")
    assert files["held-batch.pdf"]["outcome"] == "skipped"


def test_a_fault_with_one_file_is_told_and_the_others_come_out(
    held: Held, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in "abc":
        write_report(tmp_path / "in" / f"{name}.pdf")
    store = FolderSink.store

    def store_or_fail(sink: FolderSink, task: FileTask, result: TaskResult) -> None:
        if task.source.name == "b.pdf":
            raise ValueError("nobody foresaw this")
        store(sink, task, result)

    monkeypatch.setattr(FolderSink, "store", store_or_fail)
    result, files = extracted(held, tmp_path / "in", tmp_path / "out")
    assert {name: file["outcome"] for name, file in files.items()} == {
        "a.pdf": "done",
        "b.pdf": "failed",
        "c.pdf": "done",
    }
    assert "a fault in held: please report it" in files["b.pdf"]["reason"]
    assert (result.code, "Traceback" in result.err) == (1, False)


def test_where_no_process_can_be_started_any_more_the_rest_is_told(
    held: Held, library: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_tasks = runner.run_tasks

    def two(*arguments: Any, **options: Any) -> Iterator[runner.TaskEvent]:
        done = 0
        for event in run_tasks(*arguments, **options):
            yield event
            done += not isinstance(event[1], ProgressEvent)
            if done == 2:
                raise OSError("no more processes")

    monkeypatch.setattr(runner, "run_tasks", two)
    result, files = extracted(held, library, tmp_path / "out", "--jobs", 1)
    untried = [file for file in files.values() if "was not tried" in (file["reason"] or "")]
    assert (result.code, len(files), len(untried)) == (1, 12, 10)


def test_a_link_to_nothing_is_named(held: Held, report: Path, tmp_path: Path) -> None:
    (report.parent / "gone.pdf").symlink_to("nowhere.pdf")
    result, files = extracted(held, report.parent, tmp_path / "out")
    assert result.code == 1
    assert files["gone.pdf"]["outcome"] == "failed"
    assert files["report.pdf"]["outcome"] == "done"


def test_a_name_that_is_not_utf_8_is_done_and_done_only_once(held: Held, tmp_path: Path) -> None:
    odd = tmp_path / "in" / os.fsdecode(b"harbour-\xe9\xff.pdf")
    write_report(tmp_path / "in" / "plain.pdf").rename(odd)
    assert held("extract", odd.parent, "-o", tmp_path / "out").code == 0
    again = held("extract", odd.parent, "-o", tmp_path / "out", "--resume")
    assert (again.code, "1 done before" in again.err) == (0, True)
    assert (tmp_path / "out" / os.fsdecode(b"harbour-\xe9\xff.json")).is_file()


@pytest.fixture
def odd_name(report: Path) -> Path:
    """A PDF with bookmarks whose name is not UTF-8."""
    return report.rename(report.with_name(os.fsdecode(b"harbour-\xe9\xff.pdf")))


def test_a_name_that_is_not_utf_8_is_written_anew_with_bookmarks(
    held: Held, odd_name: Path, tmp_path: Path
) -> None:
    assert held("extract", odd_name, "-o", tmp_path / "out.pdf").code == 0
    assert (tmp_path / "out.pdf").read_bytes().startswith(b"%PDF")


def test_a_name_that_is_not_utf_8_is_in_an_index_and_not_pruned(
    held: Held, odd_name: Path, tmp_path: Path
) -> None:
    assert held("index", odd_name, "-o", tmp_path / "index", "--prune").code == 0
    again = held("index", "-o", tmp_path / "index", "--prune")
    assert "1 done before" in again.err
    assert "without its file" not in again.err


def with_a_lost_page(path: Path) -> Path:
    """Objects of a document of which page 2 could not be read."""
    path.parent.mkdir(parents=True, exist_ok=True)
    objects = [{"text": "1 Harbours", "kind": "heading", "page": 1}, {"text": "Ships come.", "page": 1}]
    pages = [{"width": 595, "height": 842}] * 2
    path.write_text(json.dumps({"objects": objects, "pages": pages, "lost": [2]}), encoding="utf-8")
    return path


def test_what_lacks_pages_is_partial_everywhere(held: Held, tmp_path: Path) -> None:
    part = with_a_lost_page(tmp_path / "in" / "part.json")
    whole = write_report(tmp_path / "in" / "whole.pdf")
    for outcome, more in (("partial", ()), ("skipped", ("--resume",))):
        summary = tmp_path / "summary.json"
        call = ("extract", part, whole, "-o", tmp_path / "out", "--summary", summary, *more)
        result = held(*call)
        told = json.loads(summary.read_text("utf-8"))["files"][0]
        assert (result.code, told["outcome"], told["status"], told["lost"]) == (3, outcome, "partial", [2])
        assert "page 2 could not be read" in result.err
    assert load(tmp_path / "out" / "part.json").status == "partial"


def test_a_single_file_that_lacks_pages_is_exit_code_3(held: Held, tmp_path: Path) -> None:
    part = with_a_lost_page(tmp_path / "part.json")
    result = held("extract", part)
    assert (result.code, json.loads(result.out)["status"]) == (3, "partial")
    assert "held: partial: page 2 could not be read" in result.err
