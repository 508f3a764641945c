"""Finds the files of a run, and stores the results: in a folder, a search index or a Parquet data set.

A sink says which files are done, stores results as they arrive, and finishes the output. `held.batch.runner`
drives all of them.
"""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from held import __version__
from held.batch.report import FileReport, reason_of, report_skipped
from held.dataset.parts import DataSet, open_storage
from held.dataset.rows import COLUMNS, DOCUMENTS, Rows, hash_text, require_pyarrow, rows_from_json
from held.document import Note
from held.errors import FormatError, HeldError, InputError, UsageError
from held.extraction import ExtractOptions
from held.file_task import (
    INDEX,
    Counts,
    FileTask,
    RunOptions,
    TaskOptions,
    TaskResult,
    hash_options,
    hash_or_none,
)
from held.retrieval.engine import IndexWriter, source_name
from held.system.atomic_write import Journal, make_folder, open_journal, remove_stale_drafts, write_file
from held.system.bounded_json import Record

# --- files of a run ---
#
# The folders of the sources are mirrored below the output folder, starting at the folder that all sources
# share. So two results can only collide if their sources differ in nothing but the suffix; those keep their
# suffix.
#
#     in/a.pdf, in/2024/b.pdf  →  out/a.md, out/2024/b.md
#     in/a.pdf, in/a.json      →  out/a.pdf.md, out/a.json.md

RUN_JOURNAL = "held-batch.jsonl"  # in the output folder; see `held.batch.sinks`


class PlannedFile(NamedTuple):
    """A source, and the file that its result is written to."""

    source: Path
    target: Path


def plan_files(inputs: Sequence[Path], output: Path, suffix: str) -> list[PlannedFile]:
    """Return the files among and below the inputs, in order and without duplicates, with their targets."""
    sources = find_sources(inputs, output)
    folders = []
    for given in inputs:
        folder = given if given.is_dir() else given.parent
        folders.append(os.path.abspath(folder))
    root = os.path.commonpath(folders)
    files = list(_choose_targets(sources, Path(root), output, suffix))
    identities = {_identity(source) for source in sources}
    for file in files:
        if _identity(file.target) in identities:
            raise UsageError("would be overwritten", file=file.target, advice="choose another folder with -o")
    return files


def find_sources(inputs: Sequence[Path], output: Path) -> list[Path]:
    """Return the files among and below the inputs, in order, without duplicates and earlier results."""
    found: dict[Path, None] = {}  # a set that keeps the order
    for given in inputs:
        found |= dict.fromkeys(_files_below(given, output))
    if not found:
        raise InputError("contains no PDF", file=inputs[0], advice="folders are searched for *.pdf")
    return list(found)


def _files_below(given: Path, output: Path) -> Iterator[Path]:
    if not given.is_dir():
        yield given
        return
    for path in sorted(given.rglob("*")):
        parts = path.relative_to(given).parts
        is_hidden = any(part.startswith(".") for part in parts)
        is_pdf = path.suffix.lower() == ".pdf" and not path.is_dir()
        if is_pdf and not is_hidden and not _is_below(path, output):
            yield path  # even a dangling link, so that the run reports it


def _is_below(path: Path, folder: Path) -> bool:
    absolute = Path(os.path.abspath(path))
    return absolute.is_relative_to(os.path.abspath(folder))


def _identity(path: Path) -> object:
    """Return what all names of one file share, hard links included."""
    try:
        status = path.stat()
    except OSError:
        return os.path.realpath(path)
    return status.st_dev, status.st_ino


def _choose_targets(sources: Sequence[Path], root: Path, output: Path, suffix: str) -> Iterator[PlannedFile]:
    # Names are compared without case: some file systems ignore it.
    stems = Counter(_stem(source, root).casefold() for source in sources)
    taken = {RUN_JOURNAL.casefold()}
    for source in sources:
        stem = _stem(source, root)
        is_shared = stems[stem.casefold()] > 1
        name = os.path.relpath(os.path.abspath(source), root) if is_shared else stem
        # A few names can still collide: a.pdf and A.pdf become a.pdf.md and A.pdf-2.md.
        count = 1
        target = f"{name}{suffix}"
        while target.casefold() in taken:
            count += 1
            target = f"{name}-{count}{suffix}"
        taken.add(target.casefold())
        yield PlannedFile(source, output / target)


def _stem(source: Path, root: Path) -> str:
    """Return the source's path below the root without its suffix, of which `.json.xz` is one."""
    name = source.name.removesuffix(".json.xz")
    if name == source.name:
        name = source.stem
    folder = os.path.relpath(os.path.abspath(source.parent), root)
    return os.path.join(folder, name).removeprefix("./")


# --- sinks ---


def folder_tasks(
    files: Iterable[PlannedFile], folder: Path, options: TaskOptions, run: RunOptions
) -> list[FileTask]:
    """Return the tasks that write each file to its target. Images and tables get a folder per file."""
    images, tables = options.export.images, options.export.tables
    tasks = []
    for source, target in files:
        own = target.relative_to(folder).with_suffix("")
        export = replace(
            options.export,
            target=target,
            images=images and images / own,
            tables=tables and tables / own,
        )
        own_options = replace(options, export=export)
        tasks += file_tasks([source], own_options, run, output=target)
    return tasks


def file_tasks(
    files: Iterable[Path], options: TaskOptions, run: RunOptions, *, output: Path | None = None
) -> list[FileTask]:
    """Return the tasks of files with the same options; `output` is where the results go."""
    # Files are done in parallel, so one process reads the pages of each.
    return [
        FileTask(file, str(file), options, str(output or file), password=run.password, jobs=1)
        for file in files
    ]


@dataclass(frozen=True, slots=True)
class FolderSink:
    """Writes results below a folder. With `resume`, files that are done are skipped."""

    folder: Path
    journal: Journal
    options_hash: str
    resume: bool = False

    def find_done(self, tasks: Sequence[FileTask]) -> Mapping[int, FileReport]:
        """Return the reports of the tasks whose result is in the folder."""
        if not self.resume:
            return {}
        done = {}
        for index, task in enumerate(tasks):
            row = self._find_row(task)
            if row is not None:
                counts = [int(row.get(name, 0)) for name in Counts._fields]
                lost = row.get("lost", ())
                done[index] = report_skipped(task, counts=Counts(*counts), lost=lost)
        return done

    def _find_row(self, task: FileTask) -> Record | None:
        target = _target(task)
        row = self.journal.rows.get(self._row_name(target))
        if row is None or row.get("options_hash") != self.options_hash:
            return None
        if row.get("content") != hash_or_none(target):
            return None  # killed between the journal and the file, or changed by somebody
        return row if row.get("source_hash") == hash_or_none(task.source) else None

    def store(self, task: FileTask, result: TaskResult) -> None:
        """Write the journal's row, then the result, whole or not at all."""
        target = _target(task)
        make_folder(target.parent)
        row = {
            "output": self._row_name(target),
            "source": task.name,
            "source_hash": result.source_hash,
            "options_hash": self.options_hash,
            **result.counts._asdict(),
            "lost": result.lost,
            "content": hashlib.sha256(result.content).hexdigest(),
        }
        # The row comes first, and has the hash of the content: a row whose file was never written is noticed.
        self.journal.add(row)
        write_file(target, result.content)

    def store_failure(self, task: FileTask, error: HeldError) -> None:
        """Leave no trace: a run with --resume tries the file again."""

    def _row_name(self, target: Path) -> str:
        return target.relative_to(self.folder).as_posix()


@contextmanager
def folder_sink(
    folder: Path, tasks: Sequence[FileTask], options: TaskOptions, *, resume: bool = False
) -> Iterator[FolderSink]:
    """Open a sink for a folder, which is created if needed and locked against other runs."""
    options_hash = hash_options(options)
    with open_journal(folder / RUN_JOURNAL, key="output") as journal:
        parents = {_target(task).parent for task in tasks}
        for parent in {folder, *parents}:
            remove_stale_drafts(parent)
        yield FolderSink(folder, journal, options_hash, resume)


def _target(task: FileTask) -> Path:
    target = task.options.export.target
    assert target is not None
    return target


class IndexSink:
    """Adds results to an index."""

    def __init__(self, writer: IndexWriter, options: ExtractOptions | None = None) -> None:
        self._writer = writer
        self._options = TaskOptions(INDEX.name, options or ExtractOptions())
        self._options_hash = hash_options(self._options)

    def tasks(self, files: Sequence[Path], run: RunOptions) -> list[FileTask]:
        """Return the tasks that index these files."""
        return file_tasks(files, self._options, run)

    def find_done(self, tasks: Sequence[FileTask]) -> Mapping[int, FileReport]:
        """Return the reports of the files that have not changed since they were indexed."""
        indexed = {source.path: source for source in self._writer.sources()}
        done = {}
        for index, task in enumerate(tasks):
            source = indexed.get(source_name(task.source))
            if source is None or source.maker != self._options_hash:
                continue
            # Hashing reads the file, so it comes last.
            if source.digest == hash_or_none(task.source):
                done[index] = report_skipped(task, lost=source.lost)
        return done

    def store(self, task: FileTask, result: TaskResult) -> None:
        """Replace the document in the index."""
        self._writer.put(
            source_name(task.source),
            result.content,
            digest=result.source_hash,
            maker=self._options_hash,
            lost=result.lost,
        )

    def store_failure(self, task: FileTask, error: HeldError) -> None:
        """Keep what the index has of the file, if anything."""


_DOCUMENTS_PER_PART = 100  # what a killed run loses at most
_TEXT_PER_PART = 64 << 20  # characters; bounds the memory of the buffer, and what a killed run loses
_JOURNAL = "run/journal.jsonl"


class MalformedRowsError(FormatError):
    """A worker returned rows that do not fit the tables. The document is stored as failed."""


class DataSetSink:
    """Buffers the rows of documents and writes them in parts."""

    def __init__(
        self,
        data_set: DataSet,
        options: TaskOptions,
        *,
        options_hash: str,
        resume: bool = False,
        documents_per_part: int = _DOCUMENTS_PER_PART,
    ) -> None:
        self._data_set = data_set
        self._model = options.extract.model
        self._options_hash = options_hash
        self._resume = resume
        self._documents_per_part = documents_per_part
        self._clear()

    def _clear(self) -> None:
        self._rows: Rows = {table: [] for table in COLUMNS}
        self._text = 0

    def find_done(self, tasks: Sequence[FileTask]) -> Mapping[int, FileReport]:
        """Return the reports of documents that are in the data set, and remove those that will be redone."""
        stored = self._data_set.documents()
        done = {}
        redo = {}
        for index, task in enumerate(tasks):
            id = hash_text(task.name)
            document = stored.get(id)
            if document is None:
                continue
            is_same = self._resume and document.is_done(self._options_hash)
            if is_same and document.source_hash == hash_or_none(task.source):
                done[index] = replace(report_skipped(task), output=document.part.file(DOCUMENTS))
            else:
                redo[id] = document
        self._data_set.remove(redo)
        return done

    def store(self, task: FileTask, result: TaskResult) -> None:
        """Add a document's rows. They come from a worker, so they are checked."""
        try:
            rows = rows_from_json(result.content, file=task.name)
        except HeldError as error:
            self.store_failure(task, error)
            raise MalformedRowsError(error.what, file=task.name) from error
        document = {
            "status": result.status,
            "lost_pages": list(result.lost),
            **result.counts._asdict(),
            "notes": [_format_note(note) for note in result.notes],
            "seconds": round(sum(result.seconds.values()), 3),
            "source_hash": result.source_hash,
        }
        self._add(task, rows, document)

    def store_failure(self, task: FileTask, error: HeldError) -> None:
        """Add a row that says why the document failed."""
        self._add(task, {}, {"status": "failed", "reason": reason_of(error)})

    def _add(self, task: FileTask, rows: Rows, document: Record) -> None:
        document_row: Record = {
            "finished": datetime.now(UTC),
            "model": self._model,
            "held": __version__,
            "options_hash": self._options_hash,
            **document,
        }
        key = {"document": hash_text(task.name), "source": task.name}
        for table, table_rows in {**rows, DOCUMENTS: [document_row]}.items():
            self._rows[table] += [key | row for row in table_rows]
            self._text += sum(len(row.get("text") or "") for row in table_rows)
        is_full = len(self._rows[DOCUMENTS]) >= self._documents_per_part
        if is_full or self._text >= _TEXT_PER_PART:
            self.flush()

    def flush(self) -> None:
        """Write the buffered rows as a part."""
        if not self._rows[DOCUMENTS]:
            return
        # A part is named after its documents: doing them again replaces the same files.
        documents = (row["document"] for row in self._rows[DOCUMENTS])
        self._data_set.write(hash_text(" ".join(documents)), self._rows)
        self._clear()


@contextmanager
def dataset_sink(folder: Path, options: TaskOptions, *, resume: bool) -> Iterator[DataSetSink]:
    """Open a sink for the data set in a folder; the rest of the buffer is written even after an interrupt."""
    require_pyarrow()
    with open_journal(folder / _JOURNAL, key="run"):  # its lock keeps other runs out
        data_set = DataSet.start_run(open_storage(str(folder)))
        sink = DataSetSink(data_set, options, options_hash=hash_options(options), resume=resume)
        try:
            yield sink
        finally:
            sink.flush()


def _format_note(note: Note) -> str:
    return note.message if note.page is None else f"page {note.page}: {note.message}"
