"""The work folder of a server: jobs and corrections in SQLite, PDFs and trees as files beside it.

Every change is on disk before it is answered, so that a killed server loses nothing. Files are named by
random ids; the name of an upload is only shown.
"""

from __future__ import annotations

import json
import secrets
import shutil
import sqlite3
import threading
import time
import unicodedata
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, fields
from enum import StrEnum
from functools import partial
from io import FileIO
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from held.corpus.store import labelled_path, store_labelled
from held.document import Note
from held.errors import InputError, UsageError
from held.serve.correction_log import LOG_SCHEMA, delete_log, read_version, require_version
from held.system.atomic_write import lock_file, make_folder, remove_stale_drafts, write_chunks, write_error

EXTRACT, TRAIN = "extract", "teach"  # the kinds of jobs, as stored and sent
MAX_ATTEMPTS = 2  # a job whose process was killed is tried once more
_MAX_NAME_CHARACTERS = 200
_COPY_BYTES = 1 << 20  # at a time, when an upload is saved
_SCHEMA = """
CREATE TABLE IF NOT EXISTS jobs (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    kind TEXT NOT NULL,
    status TEXT NOT NULL,
    options TEXT NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0,
    created REAL NOT NULL,
    started REAL,
    finished REAL,
    reason TEXT,
    code INTEGER,
    pages INTEGER NOT NULL DEFAULT 0,
    objects INTEGER NOT NULL DEFAULT 0,
    headings INTEGER NOT NULL DEFAULT 0,
    notes TEXT NOT NULL DEFAULT '[]',
    source_hash TEXT NOT NULL DEFAULT '',
    checked INTEGER NOT NULL DEFAULT 0
) STRICT;
"""
# In the transaction of the correction itself: no kill can leave a corrected tree marked as right.
_UNCHECK_CORRECTED = """
CREATE TRIGGER IF NOT EXISTS uncheck_corrected AFTER INSERT ON logs
BEGIN UPDATE jobs SET checked = 0 WHERE id = NEW.document; END;
"""


class Status(StrEnum):
    """The status of a job; PARTIAL means done, except for pages that could not be read."""

    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    PARTIAL = "partial"
    FAILED = "failed"


WITH_RESULT = frozenset({Status.DONE, Status.PARTIAL})
FINISHED = WITH_RESULT | {Status.FAILED}


class JobTotals(NamedTuple):
    """How many jobs have each status; the pages and the seconds of those with a result."""

    jobs: Mapping[Status, int]
    pages: int
    seconds: float


class DocumentGoneError(KeyError):
    """There is no such job, or somebody has deleted it meanwhile."""


class QueueFullError(Exception):
    """The queue has reached its maximum length."""


@dataclass(frozen=True, slots=True)
class Job:
    """A row of the table `jobs`."""

    id: str
    name: str
    kind: str
    status: str
    options: str
    attempts: int
    created: float
    started: float | None
    finished: float | None
    reason: str | None
    code: int | None
    pages: int
    objects: int
    headings: int
    notes: str
    source_hash: str
    checked: int

    @property
    def has_result(self) -> bool:
        """Whether the job succeeded."""
        return self.status in WITH_RESULT

    def option(self, name: str) -> Any:
        """The value of an option, None if it was not set."""
        return json.loads(self.options).get(name)


_COLUMNS = ", ".join(column.name for column in fields(Job))


class JobStore:
    """The work folder. Safe for any thread."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.labelled_folder = folder / "labelled"
        self.models_folder = folder / "models"
        self.pages_folder = folder / "pages"
        make_folder(folder)
        self._folder_lock = _lock_folder(folder)
        for name in ("files", "trees", "pages", "labelled", "models"):
            make_folder(folder / name)
            remove_stale_drafts(folder / name)
        folder.chmod(0o700)  # the PDFs may be confidential
        # One connection for all threads; the lock gives it to one of them at a time.
        self._lock = threading.RLock()
        try:
            self._database = _open_database(folder / "held.sqlite")
        except InputError:
            self._folder_lock.close()
            raise
        self._remove_stale_labels()

    def close(self) -> None:
        """Closes the database and frees the folder for another server."""
        with self._lock:
            self._database.close()
            self._folder_lock.close()

    @contextmanager
    def database(self) -> Iterator[sqlite3.Connection]:
        """The database, for this thread alone."""
        with self._lock:
            yield self._database

    def pdf_path(self, id: str) -> Path:
        """The path of a job's PDF."""
        return self.folder / "files" / f"{id}.pdf"

    def tree_path(self, id: str) -> Path:
        """The path of a job's tree, without corrections."""
        return self.folder / "trees" / f"{id}.json"

    def page_path(self, id: str, number: int, width: int) -> Path:
        """The path of a page image, which may not exist yet."""
        return self.pages_folder / id / f"{number}-{width}.png"

    def add(
        self,
        name: str,
        options: dict[str, Any],
        *,
        kind: str = EXTRACT,
        id: str | None = None,
        max_queued: int | None = None,
    ) -> Job:
        """Queues a new job; `QueueFullError` if so many wait already."""
        id = id or new_id()
        row = [id, display_name(name), kind, Status.QUEUED, json.dumps(options), time.time()]
        # The lock is held from counting to inserting, so that two uploads can't take the last place.
        with self.database() as database:
            if max_queued is not None and self.count(Status.QUEUED) >= max_queued:
                raise QueueFullError
            database.execute(
                "INSERT INTO jobs (id, name, kind, status, options, created) VALUES (?, ?, ?, ?, ?, ?)", row
            )
            return self.job(id)

    def job(self, id: str) -> Job:
        """The job with this id; `DocumentGoneError` if there is none."""
        for job in self._select("WHERE id = ?", id):
            return job
        raise DocumentGoneError(id)

    def jobs(self) -> list[Job]:
        """All jobs, newest first."""
        return self._select("ORDER BY created DESC, rowid DESC")

    def find(self, source_hash: str) -> Job | None:
        """A job for the file with this hash, if there is one."""
        found = self._select("WHERE source_hash = ? LIMIT 1", source_hash)
        return found[0] if found else None

    def count(self, status: Status) -> int:
        """The number of jobs with this status."""
        with self.database() as database:
            (count,) = database.execute("SELECT count(*) FROM jobs WHERE status = ?", [status]).fetchone()
        return int(count)

    def totals(self) -> JobTotals:
        """Counts over all jobs, by the database: there may be many thousands."""
        with self.database() as database:
            rows = database.execute(
                "SELECT status, count(*), sum(pages), sum(finished - started) FROM jobs GROUP BY status"
            ).fetchall()
        counts = dict.fromkeys(Status, 0)
        pages, seconds = 0, 0.0
        for status, count, status_pages, status_seconds in rows:
            counts[Status(status)] = count
            if status in WITH_RESULT:
                pages += status_pages
                seconds += status_seconds or 0.0
        return JobTotals(counts, pages, seconds)

    def save_pdf(self, file: BinaryIO) -> str:
        """Copies a PDF into the store, flushed to disk, and returns its new id."""
        id = new_id()
        pieces = iter(partial(file.read, _COPY_BYTES), b"")
        write_chunks(self.pdf_path(id), pieces, durable=True)
        return id

    def claim(self) -> Job | None:
        """Takes the job that has waited longest and marks it as running; None if no job waits."""
        with self.database() as database, database:
            database.execute("BEGIN IMMEDIATE")
            row = database.execute(
                "SELECT id FROM jobs WHERE status = ? ORDER BY created, rowid LIMIT 1", [Status.QUEUED]
            ).fetchone()
            if row is None:
                return None
            (id,) = row
            database.execute(
                "UPDATE jobs SET status = ?, started = ?, attempts = attempts + 1 WHERE id = ?",
                [Status.RUNNING, time.time(), id],
            )
            # Read before anybody else can delete it.
            return self.job(id)

    def settle(self, id: str, status: Status, **values: Any) -> Job:
        """Records how a run of a job ended: finished, or queued again."""
        finished = time.time() if status in FINISHED else None
        return self.update(id, **values, status=status, finished=finished)

    def update(self, id: str, **values: Any) -> Job:
        """Changes columns of a job."""
        # The names come from our own code, never from a request.
        changes = ", ".join(f"{name} = ?" for name in values)
        with self.database() as database:
            database.execute(f"UPDATE jobs SET {changes} WHERE id = ?", [*values.values(), id])
            # Read before anybody else can delete it.
            return self.job(id)

    def remove(self, id: str) -> bool:
        """Deletes a job with its files and corrections; False if it is running, and stays."""
        with self.database() as database:
            deleted = database.execute(
                "DELETE FROM jobs WHERE id = ? AND status != ?", [id, Status.RUNNING]
            ).rowcount
            if not deleted:
                return False
            delete_log(database, id)
        self.remove_files(id)
        return True

    def remove_files(self, id: str) -> None:
        """Deletes the files of a job."""
        for path in (self.pdf_path(id), self.tree_path(id), labelled_path(self.labelled_folder, id)):
            path.unlink(missing_ok=True)
        shutil.rmtree(self.pages_folder / id, ignore_errors=True)

    def set_checked(self, id: str, labelled: bytes | None, *, version: int) -> Job:
        """Keeps the tree of this version as a labelled document, or, with None, no tree of this document."""
        # The lock is held throughout: nobody corrects the document between the comparison and the mark.
        with self.database() as database:
            require_version(read_version(database, id), version)
            if labelled is None:
                self.update(id, checked=0)
                return self.remove_stale_label(id)
            store_labelled(self.labelled_folder, id, labelled)
            return self.update(id, checked=1)

    def remove_stale_label(self, id: str) -> Job:
        """Removes the labelled document of a job that is not checked, or not any more."""
        with self.database():
            job = self.job(id)
            if not job.checked:
                labelled_path(self.labelled_folder, id).unlink(missing_ok=True)
            return job

    def _remove_stale_labels(self) -> None:
        """Removes what a killed server left: labelled documents of trees that were corrected since."""
        for job in self._select("WHERE checked = 0"):
            self.remove_stale_label(job.id)

    def log_version(self, id: str) -> int:
        """The version of a document's corrections."""
        with self.database() as database:
            return read_version(database, id)

    def free_bytes(self) -> int:
        """The space left on the disk of the work folder."""
        return shutil.disk_usage(self.folder).free

    def requeue_running(self, *, after_crash: bool) -> None:
        """Queues running jobs again. After a crash, a job that was running for the last time has failed."""
        for job in self._select("WHERE status = ?", Status.RUNNING):
            if not after_crash:
                # The server itself stopped the job, so the attempt does not count.
                self.settle(job.id, Status.QUEUED, attempts=job.attempts - 1)
            elif job.attempts < MAX_ATTEMPTS:
                self.settle(job.id, Status.QUEUED)
            else:
                reason = f"the server ended {job.attempts} times while the job was running"
                self.settle(job.id, Status.FAILED, reason=reason, code=500)

    def _select(self, clause: str, *values: Any) -> list[Job]:
        with self.database() as database:
            rows = database.execute(f"SELECT {_COLUMNS} FROM jobs {clause}", values).fetchall()
        return [Job(*row) for row in rows]


def _lock_folder(folder: Path) -> FileIO:
    """A file of the folder that stays locked while it is open; an error if another process has locked it."""
    lock = folder / "server.lock"
    try:
        file = FileIO(lock, "a")
    except OSError as error:
        raise write_error(lock, error) from error
    if not lock_file(file.fileno()):
        file.close()
        advice = "use the page of that server, or end it, or name another folder with --work"
        raise UsageError("another server of held works in this folder", file=folder, advice=advice)
    return file


def _open_database(path: Path) -> sqlite3.Connection:
    database = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    try:
        database.execute("PRAGMA journal_mode = WAL")
        database.executescript(_SCHEMA + LOG_SCHEMA + _UNCHECK_CORRECTED)
    except sqlite3.Error as error:
        database.close()
        advice = "free some space if the disk is full, or name another folder with --work"
        raise InputError(f"cannot be opened: {error}", file=path, advice=advice) from error
    return database


def new_id() -> str:
    """An id that nobody can guess, and that is safe as a file name."""
    return secrets.token_hex(8)


def display_name(name: str) -> str:
    """The name of an upload as it may be shown: without folders and control characters."""
    last = name.replace("\\", "/").rsplit("/", 1)[-1]
    # Category C: control, format (such as text direction marks), surrogate, unassigned.
    characters = [c for c in last if unicodedata.category(c)[0] != "C"]
    printable = "".join(characters).strip()
    return printable[:_MAX_NAME_CHARACTERS] or "document.pdf"


def notes_to_json(notes: tuple[Note, ...]) -> str:
    """Notes as the column `notes` stores them."""
    values = [note._asdict() for note in notes]
    return json.dumps(values)  # in ASCII: SQLite cannot store half a character
