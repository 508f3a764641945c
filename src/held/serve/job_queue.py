"""The job queue: threads that claim waiting jobs from the store and run each in a worker process.

Waiting jobs are rows of the store, so they survive a restart. If a job's process is killed, the job is tried
once more; then it fails with the reason. Every job reaches a final state: if the store cannot record it,
because the disk is full, the thread retries until it can. A thread that dies is replaced.
"""

from __future__ import annotations

import errno
import json
import sqlite3
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from typing import TypeVar

from held.document import Note
from held.serve.settings import ServerLimits
from held.serve.store import EXTRACT, MAX_ATTEMPTS, TRAIN, Job, JobStore, Status, notes_to_json
from held.serve.worker_client import WorkerError, extract_tree, train_model
from held.system.atomic_write import write_file
from held.system.console import StageProgress
from held.system.worker_pool import ProgressEvent

_POLL_SECONDS = 5.0  # between checks of the store, in case a notification is lost
_RETRY_SECONDS = 1.0  # between attempts to use a store that fails

_Result = TypeVar("_Result")
JobHandler = Callable[[Job, StageProgress], None]
"""Runs a job of one kind and writes its result; the queue records a `WorkerError`."""


class JobQueue:
    """The threads that run jobs, and the progress of the running ones."""

    def __init__(self, store: JobStore, limits: ServerLimits, handlers: Mapping[str, JobHandler]) -> None:
        self._store = store
        self._limits = limits
        self._handlers = handlers
        self._changed = threading.Condition()
        self._stopping = False
        self._progress: dict[str, ProgressEvent] = {}
        self._threads: list[threading.Thread] = []
        self._failing = False  # whether the last use of the store failed
        self._has_requeued = False

    def start(self) -> None:
        """Queues the jobs that a crash interrupted, and starts the threads."""
        self._start_threads()
        threading.Thread(target=self._supervise, name="held-supervisor", daemon=True).start()

    def _start_threads(self) -> None:
        """Starts as many threads as are missing; none before the interrupted jobs are queued again."""
        if not self._has_requeued:
            try:
                self._store.requeue_running(after_crash=True)
            except (sqlite3.Error, OSError):  # the disk is full, say: the supervisor tries again
                self._failing = True
                return
            self._has_requeued = True
        self._threads = [thread for thread in self._threads if thread.is_alive()]
        while len(self._threads) < self._limits.workers:
            thread = threading.Thread(target=self._run, name="held-worker", daemon=True)
            thread.start()
            self._threads.append(thread)

    def _supervise(self) -> None:
        """Starts missing threads. Errors in jobs do not end a thread, but errors between jobs can."""
        while not self._stopping:
            with self._changed:
                self._changed.wait(_POLL_SECONDS)
            if not self._stopping:
                self._start_threads()

    def stop(self) -> None:
        """Starts no further job. Running jobs are queued again; their processes end with this one."""
        with self._changed:
            self._stopping = True
            self._changed.notify_all()
        with suppress(sqlite3.Error, OSError):  # then the next start takes it for a crash
            self._store.requeue_running(after_crash=False)

    def notify(self) -> None:
        """Wakes the threads for a new job."""
        with self._changed:
            self._changed.notify_all()

    @property
    def working_threads(self) -> int:
        """How many threads live and can use the store."""
        if self._failing:
            return 0
        return sum(thread.is_alive() for thread in self._threads)

    def progress(self, id: str) -> ProgressEvent | None:
        """The progress of a running job."""
        return self._progress.get(id)

    def _run(self) -> None:
        while not self._stopping:
            job = self._retry(self._store.claim)
            if job is None:
                with self._changed:
                    self._changed.wait(_POLL_SECONDS)
                continue
            try:
                handle = self._handlers[job.kind]
                handle(job, self._progress_recorder(job.id))
            except WorkerError as error:
                self._record_failure(job, error)
            except Exception as error:  # one job must not end the others
                code = 507 if is_disk_full(error) else 500
                reason = "the disk is full" if code == 507 else f"a fault in held: {error!r}"
                self._record_failure(job, WorkerError(reason, code=code))
            finally:
                self._progress.pop(job.id, None)

    def _retry(self, use_store: Callable[[], _Result]) -> _Result | None:
        """The result of using the store, retried until it succeeds; None if the server stops first."""
        while not self._stopping:
            try:
                result = use_store()
            except (sqlite3.Error, OSError):
                self._failing = True
                with self._changed:
                    self._changed.wait(_RETRY_SECONDS)
            else:
                self._failing = False
                return result
        return None

    def _progress_recorder(self, id: str) -> StageProgress:
        def record(stage: str, done: int, total: int) -> None:
            self._progress[id] = ProgressEvent(stage, done, total)

        return record

    def _record_failure(self, job: Job, error: WorkerError) -> None:
        if self._stopping:
            return  # its process ended with the server, and `stop` has queued it again
        if error.killed and job.attempts < MAX_ATTEMPTS:
            settle = partial(self._store.settle, job.id, Status.QUEUED, reason=error.reason)
        else:
            settle = partial(self._store.settle, job.id, Status.FAILED, reason=error.reason, code=error.code)
        self._retry(settle)


def is_disk_full(error: BaseException) -> bool:
    """Whether an error, or the one that caused it, says that there is no space left."""
    if isinstance(error, OSError):
        return error.errno in (errno.ENOSPC, errno.EDQUOT)
    if isinstance(error, sqlite3.Error):
        return getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_FULL
    return error.__cause__ is not None and is_disk_full(error.__cause__)


def job_handlers(
    store: JobStore, limits: ServerLimits, *, job_model: Callable[[Job], str], base_model: str
) -> dict[str, JobHandler]:
    """The handler of each kind of job. Trained models start from `base_model`."""

    def extract(job: Job, progress: StageProgress) -> None:
        options = json.loads(job.options)
        tree = extract_tree(store.pdf_path(job.id), options, limits, progress, model=job_model(job))
        # The file comes first: a job that is done always has its tree.
        write_file(store.tree_path(job.id), tree.content)
        store.settle(
            job.id,
            Status.PARTIAL if tree.lost else Status.DONE,
            **tree.counts._asdict(),
            notes=notes_to_json(tree.notes),
            source_hash=tree.source_hash,
            reason=None,
        )

    def train(job: Job, progress: StageProgress) -> None:
        output = store.models_folder / job.id  # the model's name is the id of its job
        report = train_model(store.labelled_folder, output, progress, model=base_model)
        notes = notes_to_json((Note(None, report.text),))
        store.settle(job.id, Status.DONE, notes=notes, pages=report.documents)

    return {EXTRACT: extract, TRAIN: train}
