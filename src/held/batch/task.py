"""One file on the whole way: from what is asked for to the bytes of the result and the time of each stage."""

from __future__ import annotations

import os
import traceback
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from held.batch.request import Task
from held.document import Note
from held.errors import INTERNAL_ERROR, HeldError
from held.exports.formats import FORMATS, ExportFormat, ExportOptions, ExportResult
from held.extraction import StageProgress, StageTimer, extract
from held.system.bounded_input import file_sha256

if TYPE_CHECKING:
    from held.hierarchy.hierarchy import Hierarchy


class Counts(NamedTuple):
    """How much was found in a file."""

    pages: int = 0
    objects: int = 0
    headings: int = 0


@dataclass(frozen=True, slots=True)
class Done:
    """The result of a task; `seconds` has the time of each stage, `lost` the pages that are missing in it."""

    content: bytes
    source_hash: str
    counts: Counts
    notes: tuple[Note, ...]
    seconds: dict[str, float]
    lost: tuple[int, ...] = ()

    @property
    def status(self) -> str:
        """Whether all of the file is in the result."""
        return "partial" if self.lost else "done"


@dataclass(frozen=True, slots=True)
class Failed:
    """Why a task has no result. `trace` says where, if it was no fault of the file."""

    error: HeldError
    trace: str | None = None

    @property
    def reason(self) -> str:
        """The error without the file, which stands before the reason anyway."""
        return str(HeldError(self.error.what, page=self.error.page, advice=self.error.advice))


Outcome = Done | Failed


def carry_out(task: Task, tell: StageProgress) -> Outcome:
    """What becomes of a task: every error is an outcome, too."""
    try:
        return _done(task, tell)
    except HeldError as error:
        return Failed(_named(error, task))
    except MemoryError:
        fault = HeldError("needs more memory than there is", file=task.name, advice="try fewer --jobs")
        return Failed(fault, traceback.format_exc())
    except Exception as error:
        return Failed(HeldError(repr(error), file=task.name, advice=INTERNAL_ERROR), traceback.format_exc())


def _named(error: HeldError, task: Task) -> HeldError:
    """The error with the file named as people call it."""
    if error.file in (os.fspath(task.source), task.source.name):
        return type(error)(error.what, file=task.name, page=error.page, advice=error.advice)
    return error


def _done(task: Task, tell: StageProgress) -> Done:
    timer = StageTimer(tell)
    source_hash = file_sha256(task.source)
    extraction = task.options.extraction
    hierarchy = extract(task.source, extraction, password=task.password, jobs=task.jobs, timer=timer)
    timer.start("writing")
    content, cautions = ALL_FORMS[task.options.form].write(hierarchy, _writing(task))
    if task.tables is not None:
        _write_tables(hierarchy, task.tables)
    document = hierarchy.document
    counts = Counts(len(document.pages), len(document.objects), len(hierarchy.headings))
    return Done(content, source_hash, counts, (*document.notes, *cautions), timer.seconds(), document.lost)


def _write_tables(hierarchy: Hierarchy, folder: Path) -> None:
    from held.exports.tables import tables_of, write_tables

    write_tables(tables_of(hierarchy), folder, source=hierarchy.document.source)


def _writing(task: Task) -> ExportOptions:
    """What the form is asked for, with the places of this task."""
    return replace(
        task.options.writing,
        images=task.images,
        tables=task.tables,
        target=task.target,
        source=task.source,
        password=task.password,
    )


def _entry(hierarchy: Hierarchy, _: ExportOptions) -> ExportResult:
    from held.retrieval.document_index import build_entry, entry_to_bytes

    return ExportResult(entry_to_bytes(build_entry(hierarchy)))


def _rows(hierarchy: Hierarchy, writing: ExportOptions) -> ExportResult:
    from held.dataset.rows import rows_of, rows_to_json

    return ExportResult(rows_to_json(rows_of(hierarchy, max_tokens=writing.max_tokens)))


# What an index and a data set take in: nobody asks for these by name.
INDEX = ExportFormat("index", "", "an entry of an index", _entry, is_text=False)
ROWS = ExportFormat("rows", "", "rows of a data set", _rows, is_text=False)
ALL_FORMS = {form.name: form for form in (*FORMATS.values(), INDEX, ROWS)}
