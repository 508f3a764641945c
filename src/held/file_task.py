"""The work on one file: extract its hierarchy and export it.

`export_file` runs in this process for a single file, and in worker processes for many (`held.batch`).
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from held.document import Note
from held.errors import INTERNAL_ERROR, HeldError, InputError, UnexpectedError
from held.exports.formats import FORMATS, ExportFormat, ExportOptions, ExportResult
from held.extraction import ExtractOptions, StageTimer, extract
from held.system.console import StageProgress

if TYPE_CHECKING:
    from held.hierarchy import Hierarchy


@dataclass(frozen=True, slots=True)
class TaskOptions:
    """Everything that a result depends on besides the file."""

    format: str = "json"
    extract: ExtractOptions = field(default_factory=ExtractOptions)
    export: ExportOptions = field(default_factory=ExportOptions)


@dataclass(frozen=True, slots=True)
class RunOptions:
    """Options of a run that do not affect its results.

    timeout  seconds per file
    resume   skip the files that an earlier run has done
    summary  file for the outcome of each file, as JSON
    """

    password: str | None = None
    jobs: int | None = None
    timeout: float | None = None
    resume: bool = False
    summary: Path | None = None
    quiet: bool = False
    verbose: bool = False


@dataclass(frozen=True, slots=True)
class FileTask:
    """One file to work on.

    name    what the user calls the file: its path, its URL, or - for standard input
    output  where the result goes, as reports name it
    jobs    number of processes that read pages
    """

    source: Path
    name: str
    options: TaskOptions
    output: str = ""
    password: str | None = None
    jobs: int | None = None


class Counts(NamedTuple):
    """The numbers of pages, objects and headings of a file."""

    pages: int = 0
    objects: int = 0
    headings: int = 0


@dataclass(frozen=True, slots=True)
class TaskResult:
    """An exported file. Only workers fill in `source_hash`: it is for sinks that skip unchanged files."""

    content: bytes
    counts: Counts
    notes: tuple[Note, ...]
    seconds: dict[str, float]  # of each stage
    lost: tuple[int, ...] = ()  # pages that could not be read
    source_hash: str = ""

    @property
    def status(self) -> str:
        """`done`, or `partial` if pages are missing."""
        return "partial" if self.lost else "done"


def export_file(task: FileTask, progress: StageProgress) -> TaskResult:
    """Extract a file and export its hierarchy."""
    timer = StageTimer(progress)
    hierarchy = extract(
        task.source, task.options.extract, password=task.password, jobs=task.jobs, timer=timer
    )
    timer.start("writing")
    options = replace(
        task.options.export,
        # The server exports a stored tree, whose PDF is another file than the task's.
        source=task.options.export.source or task.source,
        password=task.password,
        ocr=task.options.extract.ocr_options,
    )
    content, warnings = TASK_FORMATS[task.options.format].write(hierarchy, options)
    if options.tables is not None:
        _write_tables(hierarchy, options.tables)
    document = hierarchy.document
    counts = Counts(len(document.pages), len(document.objects), len(hierarchy.headings))
    notes = (*document.notes, *warnings)
    return TaskResult(content, counts, notes, timer.seconds(), document.lost)


@contextmanager
def name_file_in_errors(source: Path, name: str) -> Iterator[None]:
    """Turn every error into a `HeldError` that names the file as the user does.

    A worker may read a temporary copy of standard input, which the user calls `-`.
    """
    try:
        yield
    except HeldError as error:
        if error.file not in (os.fspath(source), source.name):
            raise
        raise type(error)(error.what, file=name, page=error.page, advice=error.advice) from error.__cause__
    except MemoryError as error:
        advice = "try fewer --jobs"
        raise UnexpectedError("needs more memory than there is", file=name, advice=advice) from error
    except Exception as error:
        raise UnexpectedError(repr(error), file=name, advice=INTERNAL_ERROR) from error


def _write_tables(hierarchy: Hierarchy, folder: Path) -> None:
    from held.exports.tables import tables_of, write_tables

    write_tables(tables_of(hierarchy), folder, source=hierarchy.document.source)


def _index_entry(hierarchy: Hierarchy, _: ExportOptions) -> ExportResult:
    from held.retrieval.document_index import build_entry, entry_to_bytes

    return ExportResult(entry_to_bytes(build_entry(hierarchy)))


def _dataset_rows(hierarchy: Hierarchy, options: ExportOptions) -> ExportResult:
    from held.dataset.rows import rows_of, rows_to_json

    return ExportResult(rows_to_json(rows_of(hierarchy, max_tokens=options.max_tokens)))


# Internal formats: what workers hand to an index and to a data set.
INDEX = ExportFormat("index", "", "", "an entry of an index", _index_entry, is_text=False)
ROWS = ExportFormat("rows", "", "", "rows of a data set", _dataset_rows, is_text=False)
TASK_FORMATS = {**FORMATS, INDEX.name: INDEX, ROWS.name: ROWS}


def hash_options(options: TaskOptions) -> str:
    """Hash what results depend on besides their sources: the options, the model and the version."""
    import hashlib  # loads OpenSSL, which one extraction does not need

    from held import __version__
    from held.models.inference import load_calibration
    from held.models.store import step_files

    model = options.extract.model
    models = [hash_or_none(path) for path in step_files(model).values()]
    everything = asdict(options), models, load_calibration(model), __version__
    return hashlib.sha256(repr(everything).encode()).hexdigest()


def hash_or_none(path: Path) -> str | None:
    """Return the hash of a file, None if it cannot be read."""
    from held.system.bounded_json import file_sha256

    try:
        return file_sha256(path)
    except InputError:
        return None
