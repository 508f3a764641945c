"""A sink that writes each result to a file below a folder, with a journal of what is done.

The journal's row is written before the file, and contains the hash of the file's content. So whenever a run
is killed, a file that matches its row is complete, and every other file is done again. A row counts only
for the same source, options, model and version.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from held.batch.plan import JOURNAL, PlannedFile
from held.batch.report import FileReport, report_skipped
from held.batch.task import Counts, RunOptions, Task, TaskOptions, TaskResult, hash_options, hash_or_none
from held.errors import HeldError
from held.system.atomic_write import make_folder, remove_stale_drafts, write_file
from held.system.journal import Journal, open_journal
from held.system.json_values import Record


def folder_tasks(
    files: Iterable[PlannedFile], folder: Path, options: TaskOptions, run: RunOptions
) -> list[Task]:
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
        task = Task(source, str(source), own_options, str(target), password=run.password, jobs=1)
        tasks.append(task)
    return tasks


@dataclass(frozen=True, slots=True)
class FolderSink:
    """Writes results below a folder. With `resume`, files that are done are skipped."""

    folder: Path
    journal: Journal
    options_hash: str
    resume: bool = False

    def find_done(self, tasks: Sequence[Task]) -> Mapping[int, FileReport]:
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

    def _find_row(self, task: Task) -> Record | None:
        target = _target(task)
        row = self.journal.rows.get(self._row_name(target))
        if row is None or row.get("options_hash") != self.options_hash:
            return None
        if row.get("content") != hash_or_none(target):
            return None  # killed between the journal and the file, or changed by somebody
        return row if row.get("source_hash") == hash_or_none(task.source) else None

    def store(self, task: Task, result: TaskResult) -> None:
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
        self.journal.add(row)
        write_file(target, result.content)

    def store_failure(self, task: Task, error: HeldError) -> None:
        """Leave no trace: a run with --resume tries the file again."""

    def _row_name(self, target: Path) -> str:
        return target.relative_to(self.folder).as_posix()


@contextmanager
def folder_sink(
    folder: Path, tasks: Sequence[Task], options: TaskOptions, *, resume: bool = False
) -> Iterator[FolderSink]:
    """Open a sink for a folder, which is created if needed and locked against other runs."""
    options_hash = hash_options(options)
    with open_journal(folder / JOURNAL, key="output") as journal:
        parents = {_target(task).parent for task in tasks}
        for parent in {folder, *parents}:
            remove_stale_drafts(parent)
        yield FolderSink(folder, journal, options_hash, resume)


def _target(task: Task) -> Path:
    target = task.options.export.target
    assert target is not None
    return target
