"""Tasks in processes of their own, which may crash, hang or run out of memory alone.

A task goes there and its outcome comes back as plain data: a worker has read what a stranger wrote, so what
it says is checked like a file.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from held.batch.request import Options, Task
from held.batch.task import Counts, Done, Failed, Outcome, carry_out
from held.document import Note
from held.errors import HeldError
from held.exports.formats import ExportOptions
from held.extraction import ExtractOptions, PageRange
from held.system.console import StageProgress
from held.system.json_values import JsonValue
from held.system.memory import memory_share
from held.system.worker_main import Connection, InvalidMessage
from held.system.worker_pool import Answer, ProgressEvent, error_from_json, error_to_json, serve_requests
from held.system.worker_pool import run_requests as events_of
from held.system.worker_process import WorkerLost, WorkerSpec, WorkerTimeout

SERVE = "held.batch.worker:serve"

Event = tuple[int, ProgressEvent | Outcome]


def events(tasks: Sequence[Task], *, jobs: int, timeout: float | None = None) -> Iterator[Event]:
    """The index of a task and its progress or outcome, for all tasks, in the order in which they come."""
    program = program_for(jobs)
    for index, event in events_of(program, tasks, jobs=jobs, seconds=timeout, encode=task_to_json):
        yield index, event if isinstance(event, ProgressEvent) else outcome_of(event, tasks[index])


def program_for(share: int) -> WorkerSpec:
    """What a worker runs, with its part of the memory where so many of them share it."""
    return WorkerSpec(SERVE, memory=memory_share(share), group=True)


def serve(line: Connection) -> None:
    """Carries out what the parent asks for: what a worker process runs."""

    def answer(request: Any, tell: StageProgress) -> Answer:
        return _answer(carry_out(task_from_json(request), tell))

    serve_requests(line, answer)


def task_to_json(task: Task) -> dict[str, Any]:
    """A task as plain data."""
    plain: dict[str, Any] = _with_paths_as_text(asdict(task))
    return plain


def _with_paths_as_text(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _with_paths_as_text(field) for name, field in value.items()}
    return os.fspath(value) if isinstance(value, Path) else value


def task_from_json(value: dict[str, Any]) -> Task:
    """The task that `task_to_json` wrote: what a parent says is believed."""
    options = value["options"]
    extraction, writing = options["extraction"], options["writing"]
    pages = extraction["pages"] and PageRange(**extraction["pages"])
    fixed = tuple((obj, place) for obj, place in extraction["fixed"])
    chosen = Options(
        options["form"],
        ExtractOptions(**{**extraction, "pages": pages, "fixed": fixed}),
        ExportOptions(**{**writing, **_paths(writing, "images", "tables", "target", "source")}),
    )
    return Task(**{**value, **_paths(value, "source", "target", "images", "tables"), "options": chosen})


def _paths(value: dict[str, Any], *names: str) -> dict[str, Any]:
    """The fields that are paths, as paths again."""
    return {name: value[name] and Path(value[name]) for name in names}


def _answer(outcome: Outcome) -> Answer:
    """An outcome as plain data, with the result beside it."""
    if isinstance(outcome, Failed):
        said = error_to_json(outcome.error) | {"trace": outcome.trace}
        # After what nobody foresaw, the next file gets a fresh process.
        return Answer(said, reusable=outcome.trace is None)
    said = {
        "source_hash": outcome.source_hash,
        "counts": outcome.counts._asdict(),
        "notes": [note._asdict() for note in outcome.notes],
        "seconds": outcome.seconds,
        "lost": list(outcome.lost),
    }
    return Answer(said, (outcome.content,))


def outcome_of(event: Answer | WorkerLost, task: Task) -> Outcome:
    """What became of a task, from what the worker said, or did not."""
    if isinstance(event, WorkerLost):
        advice = "give more with --timeout" if isinstance(event, WorkerTimeout) else None
        return Failed(HeldError(str(event), file=task.name, advice=advice))
    try:
        said = JsonValue(event.value)
        return _done(said, event.parts) if event.parts else _failed(said)
    except (HeldError, ValueError, InvalidMessage) as error:
        return Failed(HeldError(f"the worker's answer makes no sense: {error}", file=task.name))


def _done(said: JsonValue, parts: tuple[bytes, ...]) -> Done:
    (content,) = parts
    counts = said["counts"]
    seconds = said["seconds"]
    return Done(
        content,
        said["source_hash"].text(),
        Counts(*(counts[name].integer() for name in Counts._fields)),
        tuple(_note(note) for note in said["notes"].items()),
        {stage: seconds[stage].number() for stage in seconds.fields()},
        tuple(page.integer(minimum=1) for page in said["lost"].items()),
    )


def _note(said: JsonValue) -> Note:
    page = said["page"]
    return Note(None if page.value is None else page.integer(), said["message"].text())


def _failed(said: JsonValue) -> Failed:
    return Failed(error_from_json(said.value), _text_or_none(said["trace"]))


def _text_or_none(said: JsonValue) -> str | None:
    return None if said.value is None else said.text()
