"""Runs many tasks in worker processes and hands their results to a sink.

Whatever goes wrong with one file, or with storing its result, concerns that file alone.
"""

from __future__ import annotations

import os
import traceback
from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol

from held.batch.report import FileReport, reason_of, report_failure, report_result
from held.batch.task import RunOptions, Task, TaskResult
from held.batch.worker import Event, format_trace, run_tasks
from held.errors import INTERNAL_ERROR, HeldError, UnexpectedError
from held.system.worker_pool import ProgressEvent


class Sink(Protocol):
    """Where results go: a folder, an index or a data set."""

    def find_done(self, tasks: Sequence[Task]) -> Mapping[int, FileReport]:
        """Return the reports of tasks that an earlier run has done, by index; the others will run."""
        ...

    def store(self, task: Task, result: TaskResult) -> None:
        """Store a result."""
        ...

    def store_failure(self, task: Task, error: HeldError) -> None:
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


def run(tasks: Sequence[Task], sink: Sink, options: RunOptions, watcher: Watcher) -> list[FileReport]:
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


def _run_waiting(tasks: Sequence[Task], waiting: Sequence[int], options: RunOptions) -> Iterator[Event]:
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


def _store(task: Task, event: TaskResult | HeldError, sink: Sink) -> tuple[FileReport, str | None]:
    """Store what became of a task; return its report and, for an unexpected error, the traceback."""
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
