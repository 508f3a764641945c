"""Runs many tasks in worker processes and hands their results to a sink.

An error in one file, or in storing its result, does not affect the others: a worker may crash, hang or run
out of memory. Tasks and results are exchanged as plain data. The worker has read an untrusted file, so its
answer is checked like one.
"""

from __future__ import annotations

import os
import traceback
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, Protocol

from held.batch.report import FileReport, reason_of, report_failure, report_result
from held.document_json import note_from_json
from held.errors import INTERNAL_ERROR, HeldError, UnexpectedError
from held.exports.formats import ExportOptions
from held.extraction import ExtractOptions, PageRange
from held.file_task import (
    Counts,
    FileTask,
    RunOptions,
    TaskOptions,
    TaskResult,
    export_file,
    name_file_in_errors,
)
from held.reading.text_checks import OcrOptions
from held.system import worker_pool
from held.system.bounded_json import JsonValue, Record, file_sha256
from held.system.console import StageProgress
from held.system.limits import memory_share
from held.system.worker_main import Connection, InvalidMessage
from held.system.worker_pool import Answer, ProgressEvent, error_from_json, error_to_json, serve_requests
from held.system.worker_process import WorkerLost, WorkerSpec, WorkerTimeout


class Sink(Protocol):
    """Stores results: in a folder, an index or a data set."""

    def find_done(self, tasks: Sequence[FileTask]) -> Mapping[int, FileReport]:
        """Return the reports of tasks that an earlier run has done, by index; the others will run."""
        ...

    def store(self, task: FileTask, result: TaskResult) -> None:
        """Store a result."""
        ...

    def store_failure(self, task: FileTask, error: HeldError) -> None:
        """Record that a task has no result."""
        ...


class Watcher(Protocol):
    """Follows a run; `index` is the index of the task."""

    def report_progress(self, index: int, progress: ProgressEvent) -> None:
        """A task makes progress."""
        ...

    def report_file(self, index: int, report: FileReport, trace: str | None = None) -> None:
        """A task has ended; `trace` is the traceback of an unexpected error."""
        ...


def run(tasks: Sequence[FileTask], sink: Sink, options: RunOptions, watcher: Watcher) -> list[FileReport]:
    """Run all tasks that the sink does not have yet, and return a report of each."""
    reports = dict(sink.find_done(tasks))
    for index, report in reports.items():
        watcher.report_file(index, report)
    indices = range(len(tasks))
    waiting = [index for index in indices if index not in reports]
    for index, event in _run_waiting(tasks, waiting, options):
        if isinstance(event, ProgressEvent):
            watcher.report_progress(index, event)
            continue
        report, trace = _store(tasks[index], event, sink)
        reports[index] = report
        watcher.report_file(index, report, trace)
    return [reports[index] for index in indices]  # tasks end in any order


def _run_waiting(
    tasks: Sequence[FileTask], waiting: Sequence[int], options: RunOptions
) -> Iterator[TaskEvent]:
    """Yield the events of the waiting tasks; each task ends with a result or an error."""
    # More processes than files would only share the memory.
    jobs = min(options.jobs or count_cores(), len(waiting) or 1)
    unfinished = dict.fromkeys(waiting)
    chosen = [tasks[index] for index in waiting]
    try:
        for position, event in run_tasks(chosen, jobs=jobs, timeout=options.timeout):
            index = waiting[position]
            if not isinstance(event, ProgressEvent):
                del unfinished[index]
            yield index, event
    except Exception as error:
        # The system starts no more processes, so the rest of the files cannot be tried.
        advice = "run the same again with --resume"
        for index in unfinished:
            failure = UnexpectedError(f"was not tried: {error!r}", advice=advice)
            failure.__cause__ = error
            yield index, failure


def _store(task: FileTask, event: TaskResult | HeldError, sink: Sink) -> tuple[FileReport, str | None]:
    """Store the result or the error of a task; return its report and the traceback of an unexpected error."""
    try:
        if isinstance(event, HeldError):
            sink.store_failure(task, event)
            return report_failure(task, reason_of(event)), format_trace(event)
        sink.store(task, event)
        return report_result(task, event), None
    except HeldError as error:
        return report_failure(task, str(error)), None
    except Exception as error:
        return report_failure(task, f"{error!r} ({INTERNAL_ERROR})"), traceback.format_exc()


def count_cores() -> int:
    """Return the number of cores that this process may use."""
    # Only Linux has this call. A container or a batch system may allow fewer cores than there are.
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


# --- tasks in worker processes ---

SERVE = "held.batch.runner:serve"

TaskEvent = tuple[int, ProgressEvent | TaskResult | HeldError]


class WorkerTraceback(Exception):
    """The traceback of an error that a worker reported, as text: the cause of the error raised here."""


def run_tasks(tasks: Sequence[FileTask], *, jobs: int, timeout: float | None = None) -> Iterator[TaskEvent]:
    """Yield the index of a task with its progress, result or error, in the order in which they come."""
    program = _program(jobs)
    events = worker_pool.run_requests(program, tasks, jobs=jobs, seconds=timeout, encode=task_to_json)
    for index, event in events:
        yield index, event if isinstance(event, ProgressEvent) else read_answer(event, tasks[index])


def run_task(
    task: FileTask,
    progress: StageProgress,
    *,
    timeout: float | None = None,
    workers: int = 1,
    keep: bool = False,
) -> TaskResult:
    """Run one task in a worker process.

    It may use the memory divided by the number of `workers`. `keep` reuses the process for later tasks.
    """
    program = _program(workers)
    answer = worker_pool.run_request(program, task_to_json(task), progress, seconds=timeout, keep=keep)
    result = read_answer(answer, task)
    if isinstance(result, HeldError):
        raise result
    return result


def _program(workers: int) -> WorkerSpec:
    return WorkerSpec(SERVE, memory=memory_share(workers), group=True)


def serve(line: Connection) -> None:
    """Answer the parent's requests: the main function of a worker process."""

    def answer(request: Any, progress: StageProgress) -> Answer:
        task = task_from_json(request)
        try:
            with name_file_in_errors(task.source, task.name):
                source_hash = file_sha256(task.source)
                result = export_file(task, progress)
        except HeldError as error:
            return _error_answer(error)
        return result_answer(replace(result, source_hash=source_hash))

    serve_requests(line, answer)


def task_to_json(task: FileTask) -> Record:
    """Convert a task to plain data."""
    plain: Record = _paths_to_text(asdict(task))
    return plain


def _paths_to_text(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _paths_to_text(item) for name, item in value.items()}
    return os.fspath(value) if isinstance(value, Path) else value


def task_from_json(value: Record) -> FileTask:
    """Convert plain data back to a task. It comes from the parent, so it is trusted."""
    options = value["options"]
    extract = dict(options["extract"])
    if extract["pages"] is not None:
        extract["pages"] = PageRange(**extract["pages"])
    # JSON has no tuples, and options must be hashable.
    extract["fixed"] = tuple(map(tuple, extract["fixed"]))
    export = dict(options["export"])
    for name in ("images", "tables", "target", "source"):
        if export[name] is not None:
            export[name] = Path(export[name])
    export["ocr"] = OcrOptions(**export["ocr"])
    rebuilt = TaskOptions(options["format"], ExtractOptions(**extract), ExportOptions(**export))
    return FileTask(**{**value, "source": Path(value["source"]), "options": rebuilt})


def _error_answer(error: HeldError) -> Answer:
    trace = format_trace(error)
    # After an unexpected error the process may be in any state, so the next file gets a fresh one.
    return Answer(error_to_json(error) | {"trace": trace}, reusable=trace is None)


def result_answer(result: TaskResult) -> Answer:
    """Return the answer that hands a result to the parent; `read_result` reads it back."""
    value = {
        "source_hash": result.source_hash,
        "counts": result.counts._asdict(),
        "notes": [note._asdict() for note in result.notes],
        "seconds": result.seconds,
        "lost": list(result.lost),
    }
    return Answer(value, (result.content,))


def format_trace(error: HeldError) -> str | None:
    """Return the traceback of an unexpected error; None if the file or the call is to blame."""
    if not isinstance(error, UnexpectedError):
        return None
    if isinstance(error.__cause__, WorkerTraceback):
        return str(error.__cause__)
    return "".join(traceback.format_exception(error))


def read_answer(answer: Answer | WorkerLost, task: FileTask) -> TaskResult | HeldError:
    """Return the result or the error in a worker's answer, which is untrusted."""
    if isinstance(answer, WorkerLost):
        advice = "give more with --timeout" if isinstance(answer, WorkerTimeout) else None
        return HeldError(str(answer), file=task.name, advice=advice)
    try:
        return read_result(answer) if answer.parts else _read_error(JsonValue(answer.value))
    except (HeldError, ValueError, InvalidMessage) as garbled:
        error = HeldError(f"the worker's answer makes no sense: {garbled}", file=task.name)
        error.__cause__ = garbled
        return error


def read_result(answer: Answer) -> TaskResult:
    """Return the result in an answer; raise an error if it is none."""
    (content,) = answer.parts
    value = JsonValue(answer.value)
    counts = [value["counts"][name].integer() for name in Counts._fields]
    notes = [note_from_json(note) for note in value["notes"].items()]
    seconds = value["seconds"]
    lost = [page.integer(minimum=1) for page in value["lost"].items()]
    return TaskResult(
        content,
        Counts(*counts),
        tuple(notes),
        {stage: seconds[stage].number() for stage in seconds.fields()},
        tuple(lost),
        value["source_hash"].text(),
    )


def _read_error(value: JsonValue) -> HeldError:
    error = error_from_json(value.value)
    trace = value["trace"]
    if trace.value is not None:
        error.__cause__ = WorkerTraceback(trace.text())
    return error
