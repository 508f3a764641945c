"""The worker process of the server: only this process opens uploaded PDFs.

A worker renders a page, or runs a `FileTask`, which extracts a tree or writes an export that needs the PDF.
The limits of `held.system` apply, so a PDF that crashes or exhausts it does not harm the server. Training
runs in a process of the same kind.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any

from held.errors import HeldError
from held.system.console import StageProgress
from held.system.optional_packages import missing_package
from held.system.worker_main import Connection
from held.system.worker_pool import Answer, serve_requests

Request = Mapping[str, Any]

_TRAINING_STEPS = 3  # reading, the heading model, the tree model


class TooManyPagesError(HeldError):
    """A document has more pages than the server accepts."""


def serve_pdf_tasks(line: Connection) -> None:
    """Entry point of the process that opens PDFs."""
    serve_requests(line, _answer_pdf_task)


def _answer_pdf_task(request: Any, progress: StageProgress) -> Answer:
    # A process that ran out of memory or hit a bug is not reusable: the server replaces it.
    try:
        task = _PDF_TASKS[request["do"]]
        return task(request, progress)
    except HeldError as error:
        return Answer({"error": type(error).__name__, "what": error.what, "page": error.page})
    except MemoryError:
        return Answer({"error": "MemoryError", "what": "needs more memory than it may use"}, reusable=False)
    except Exception as error:
        return Answer({"error": "fault", "what": repr(error)}, reusable=False)


def _export(request: Request, progress: StageProgress) -> Answer:
    """The result of a `FileTask`, as a batch run makes it."""
    # A process that only renders pages imports none of this.
    from held.batch.runner import result_answer, task_from_json
    from held.file_task import export_file
    from held.system.bounded_json import file_sha256

    max_pages = request["max_pages"]

    def progress_within_limit(stage: str, done: int, total: int) -> None:
        if stage == "reading" and total > max_pages:
            raise TooManyPagesError(f"has {total} pages, more than {max_pages}")
        progress(stage, done, total)

    task = task_from_json(request["task"])
    result = export_file(task, progress_within_limit)
    return result_answer(replace(result, source_hash=file_sha256(task.source)))


def _render_page(request: Request, progress: StageProgress) -> Answer:
    """A page as PNG."""
    from held.exports.draw_background import render_page

    source = Path(request["source"])
    image = render_page(source, request["page"], request["scale"], password=request["password"])
    buffer = BytesIO()
    image.save(buffer, "PNG", compress_level=3)  # a page is seen once or twice: speed before size
    return Answer({}, (buffer.getvalue(),))


_PDF_TASKS: Mapping[str, Callable[[Request, StageProgress], Answer]] = {
    "export": _export,
    "page": _render_page,
}


def serve_training(line: Connection) -> None:
    """Entry point of the process that trains a model."""
    serve_requests(line, _train)


def _train(request: Any, progress: StageProgress) -> Answer:
    done = 0

    def count_step(step: str) -> None:
        nonlocal done
        done = min(done + 1, _TRAINING_STEPS)
        progress("learning", done, _TRAINING_STEPS)

    try:
        from held.training.corrections import teach

        folder, output = Path(request["folder"]), Path(request["output"])
        report = teach(folder, output, start=request["model"], log=count_step)
    except HeldError as error:
        return Answer({"error": str(error)})
    except ModuleNotFoundError as error:
        return Answer({"error": str(missing_package(f"training needs {error.name}", "train"))})
    return Answer({"learnt": report.learnt, "report": report.summary()})
