"""A sink that writes results as Parquet tables; a file that fails becomes a row with its reason.

Rows are buffered and written in parts, because one Parquet file per document would be too many. A kill
loses the buffer; the next run does those documents again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from held import __version__
from held.batch.report import FileReport, reason_of, report_skipped
from held.batch.task import ROWS, RunOptions, Task, TaskOptions, TaskResult, hash_options, hash_or_none
from held.dataset.parquet import require_pyarrow
from held.dataset.parts import DataSet
from held.dataset.rows import COLUMNS, DOCUMENTS, Rows, hash_text, rows_from_json
from held.dataset.storage import open_storage
from held.document import Note
from held.errors import FormatError, HeldError
from held.system.journal import open_journal
from held.system.json_values import Record

_DOCUMENTS_PER_PART = 100
_TEXT_PER_PART = 64 << 20  # characters in the buffer: what a kill may cost, and what memory must hold
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

    def find_done(self, tasks: Sequence[Task]) -> Mapping[int, FileReport]:
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

    def store(self, task: Task, result: TaskResult) -> None:
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

    def store_failure(self, task: Task, error: HeldError) -> None:
        """Add a row that says why the document failed."""
        self._add(task, {}, {"status": "failed", "reason": reason_of(error)})

    def _add(self, task: Task, rows: Rows, document: Record) -> None:
        own: Record = {
            "finished": datetime.now(UTC),
            "model": self._model,
            "held": __version__,
            "options_hash": self._options_hash,
            **document,
        }
        key = {"document": hash_text(task.name), "source": task.name}
        for table, found in {**rows, DOCUMENTS: [own]}.items():
            self._rows[table] += [key | row for row in found]
            self._text += sum(len(row.get("text") or "") for row in found)
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


def dataset_options(options: TaskOptions) -> TaskOptions:
    """Return the options of tasks whose results are rows."""
    return TaskOptions(ROWS.name, options.extract, options.export)


def dataset_tasks(sources: Sequence[Path], folder: Path, options: TaskOptions, run: RunOptions) -> list[Task]:
    """Return the tasks that make the rows of each file."""
    return [
        Task(source, str(source), options, str(folder), password=run.password, jobs=1) for source in sources
    ]


def _format_note(note: Note) -> str:
    return note.message if note.page is None else f"page {note.page}: {note.message}"
