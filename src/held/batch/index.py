"""A sink that adds each result to a search index.

The index is its own journal: each document is a transaction that keeps the hashes of its file and of the
options. So a run can always be resumed, and files that have not changed are always skipped.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from held.batch.report import FileReport, report_skipped
from held.batch.task import INDEX, RunOptions, Task, TaskOptions, TaskResult, hash_options, hash_or_none
from held.errors import HeldError
from held.extraction import ExtractOptions
from held.retrieval.engine import IndexWriter, source_name


class IndexSink:
    """Adds results to an index."""

    def __init__(self, writer: IndexWriter, *, model: str = "base") -> None:
        self._writer = writer
        self._options = TaskOptions(INDEX.name, ExtractOptions(model=model))
        self._options_hash = hash_options(self._options)

    def tasks(self, files: Sequence[Path], run: RunOptions) -> list[Task]:
        """Return the tasks that index these files."""
        tasks = []
        for file in files:
            # Files are done in parallel, so one process reads the pages of each.
            task = Task(file, str(file), self._options, str(file), password=run.password, jobs=1)
            tasks.append(task)
        return tasks

    def find_done(self, tasks: Sequence[Task]) -> Mapping[int, FileReport]:
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

    def store(self, task: Task, result: TaskResult) -> None:
        """Replace the document in the index."""
        self._writer.put(
            source_name(task.source),
            result.content,
            digest=result.source_hash,
            maker=self._options_hash,
            lost=result.lost,
        )

    def store_failure(self, task: Task, error: HeldError) -> None:
        """Keep what the index has of the file, if anything."""
