"""The server's side of the worker processes: requests, answers, and HTTP codes for failures.

What a worker returns is untrusted, since the PDF it has read may have taken it over. Its answer is checked
like a file.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from held.batch.runner import read_result, task_to_json
from held.errors import HeldError
from held.exports.formats import ExportOptions
from held.extraction import ExtractOptions
from held.file_task import FileTask, TaskOptions, TaskResult
from held.serve.settings import ServerLimits
from held.system.bounded_json import JsonValue
from held.system.console import StageProgress, ignore_progress, printable
from held.system.limits import limits as reading_limits
from held.system.limits import memory_share
from held.system.worker_pool import Answer, run_request
from held.system.worker_process import WALL_TIME_FACTOR, WorkerDied, WorkerLost, WorkerSpec, WorkerTimeout

_PDF_WORKER = "held.serve.worker:serve_pdf_tasks"
_TRAINING_WORKER = "held.serve.worker:serve_training"
_CODES = {"NotAPdfError": 415, "TooManyPagesError": 413, "MemoryError": 413, "fault": 500}
_UNPROCESSABLE = 422  # any other problem with the PDF


class WorkerError(Exception):
    """Why there is no result, as an HTTP code and a reason; `killed` means that a retry may help."""

    def __init__(self, reason: str, *, code: int, killed: bool = False) -> None:
        # It may have text of the PDF in it: half a character could neither be stored nor sent.
        self.reason = printable(reason)
        super().__init__(self.reason)
        self.code = code
        self.killed = killed


def extract_tree(
    source: Path, options: Mapping[str, Any], limits: ServerLimits, progress: StageProgress, *, model: str
) -> TaskResult:
    """The tree of a PDF as JSON. `progress` gets the stages: reading, recognising, headings, inserting."""
    extract = ExtractOptions(
        model=model,
        outline=options.get("outline") or "ignore",
        ocr=options.get("ocr") or "auto",
        ocr_languages=options.get("ocr_languages") or "",
    )
    task = FileTask(source, source.name, TaskOptions(extract=extract), password=options.get("password"))
    # The queue itself repeats a job whose process was killed.
    return _run_file_task(task, limits, progress, retry=False)


def export_with_pdf(
    format: str, source: Path, tree: Path, *, password: str | None, limits: ServerLimits
) -> bytes:
    """A tree in an export format that needs its PDF."""
    options = TaskOptions(format, export=ExportOptions(source=source))
    task = FileTask(tree, source.name, options, password=password)
    return _run_file_task(task, limits, ignore_progress, retry=True).content


def _run_file_task(
    task: FileTask, limits: ServerLimits, progress: StageProgress, *, retry: bool
) -> TaskResult:
    request = {"do": "export", "task": task_to_json(task), "max_pages": limits.pages}
    answer = _ask_pdf_worker(request, limits, progress, limits.seconds, retry=retry)
    return read_result(answer)


def render_page(
    source: Path, number: int, *, scale: float, password: str | None, limits: ServerLimits
) -> bytes:
    """A page of a PDF as PNG."""
    request = {
        "do": "page",
        "source": os.fspath(source),
        "page": number,
        "scale": scale,
        "password": password,
    }
    # The renderer has its own limit, in seconds of CPU time. This one only waits longer than that.
    seconds = reading_limits().page_seconds * (1 + WALL_TIME_FACTOR)
    answer = _ask_pdf_worker(request, limits, ignore_progress, seconds, retry=True)
    (image,) = answer.parts
    return image


def _ask_pdf_worker(
    request: Mapping[str, Any],
    limits: ServerLimits,
    progress: StageProgress,
    seconds: float,
    *,
    retry: bool,
) -> Answer:
    # Pages of one document are asked for in a row, so the process that renders them is kept.
    keep = request["do"] == "page"
    answer = run_request(_pdf_program(limits), request, progress, seconds=seconds, keep=keep)
    if isinstance(answer, WorkerDied) and retry:
        # The process was killed from outside, so one retry is worth it.
        answer = run_request(_pdf_program(limits), request, progress, seconds=seconds, keep=keep)
    if isinstance(answer, WorkerLost):
        code = 504 if isinstance(answer, WorkerTimeout) else 500
        raise WorkerError(str(answer), code=code, killed=isinstance(answer, WorkerDied))
    try:
        facts = JsonValue(answer.value)
        if "error" in facts:
            raise _error(facts)
        if len(answer.parts) != 1:
            raise WorkerError("the worker process gave no result", code=500)
    except HeldError as error:
        raise WorkerError(f"the worker process gave an invalid answer: {error}", code=500) from error
    return answer


@cache
def _pdf_program(limits: ServerLimits) -> WorkerSpec:
    """The program of a worker. It is cached, as a process is only reused for an equal program."""
    # One more than the jobs: a worker may render a page meanwhile.
    memory = limits.memory or memory_share(limits.workers + 1)
    return WorkerSpec(_PDF_WORKER, memory=memory, group=True)


def _error(facts: JsonValue) -> WorkerError:
    page = facts.get("page", None).value
    prefix = f"page {page}: " if isinstance(page, int) else ""
    code = _CODES.get(facts["error"].text(), _UNPROCESSABLE)
    return WorkerError(prefix + facts["what"].text(), code=code)


class TrainingReport(NamedTuple):
    """How many documents a model was trained on, and what was measured."""

    documents: int
    text: str


def train_model(labelled: Path, output: Path, progress: StageProgress, *, model: str) -> TrainingReport:
    """Trains a model on a folder of labelled documents, starting from another model."""
    request = {"folder": os.fspath(labelled), "output": os.fspath(output), "model": model}
    answer = run_request(WorkerSpec(_TRAINING_WORKER, group=True), request, progress)
    if isinstance(answer, WorkerLost):
        raise WorkerError(str(answer), code=500)
    facts = JsonValue(answer.value)
    if "error" in facts:
        raise WorkerError(facts["error"].text(), code=_UNPROCESSABLE)
    return TrainingReport(facts["learnt"].integer(), facts["report"].text())
