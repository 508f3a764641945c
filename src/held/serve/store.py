"""What a server keeps: jobs and corrections in SQLite, PDFs and trees as files beside it.

Every change is on disk before it is answered, so a server that is killed goes on where it was. Files are
named by ids that we draw: what an upload calls itself is shown to people and used for nothing else.
"""

from __future__ import annotations

import json
import secrets
import shutil
import sqlite3
import threading
import time
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields
from enum import StrEnum
from functools import partial
from io import FileIO
from pathlib import Path
from typing import Any, BinaryIO

from held.document import Note
from held.errors import UsageError
from held.serve.correction_log import SCHEMA as LOG_SCHEMA
from held.serve.correction_log import delete_log
from held.system.atomic_write import cannot_be_written, clear_drafts, make_folder, write_pieces
from held.system.locks import holds

MOST_ATTEMPTS = 2  # a job that was killed is done once more
_LONGEST_NAME = 200
_PIECE = 1 << 20  # bytes of a file that are taken at a time
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


class Status(StrEnum):
    """How far a job is; PARTIAL is done, but for pages that could not be read."""

    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    PARTIAL = "partial"
    FAILED = "failed"


FINISHED = frozenset({Status.DONE, Status.PARTIAL, Status.FAILED})


@dataclass(frozen=True, slots=True)
class Job:
    """A row of the table of jobs."""

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
        """Whether the job ended well."""
        return self.status in (Status.DONE, Status.PARTIAL)

    def option(self, name: str) -> Any:
        """What an option of the job was set to, None where it was not."""
        return json.loads(self.options).get(name)


_COLUMNS = ", ".join(column.name for column in fields(Job))


class Store:
    """The work folder. Any thread may use it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        make_folder(folder)
        self._alone = _only_server(folder)
        for name in ("files", "trees", "pages", "labelled", "models"):
            make_folder(folder / name)
            clear_drafts(folder / name)
        folder.chmod(0o700)
        self._lock = threading.RLock()
        self._database = sqlite3.connect(
            folder / "held.sqlite", isolation_level=None, check_same_thread=False
        )
        self._database.execute("PRAGMA journal_mode = WAL")
        self._database.executescript(_SCHEMA + LOG_SCHEMA)

    def close(self) -> None:
        """Ends the use of the database."""
        with self._lock:
            self._database.close()
            self._alone.close()

    @contextmanager
    def database(self) -> Iterator[sqlite3.Connection]:
        """The database, for as long as nobody else uses it."""
        with self._lock:
            yield self._database

    def file(self, id: str) -> Path:
        """Where the PDF of a job is."""
        return self.folder / "files" / f"{id}.pdf"

    def tree(self, id: str) -> Path:
        """Where the tree of a job is, as it was before corrections."""
        return self.folder / "trees" / f"{id}.json"

    def add(self, name: str, options: dict[str, Any], *, kind: str = "extract", id: str | None = None) -> Job:
        """A new job, which waits."""
        id = id or new_id()
        with self.database() as database:
            database.execute(
                "INSERT INTO jobs (id, name, kind, status, options, created) VALUES (?, ?, ?, ?, ?, ?)",
                [id, shown_name(name), kind, Status.QUEUED, json.dumps(options), time.time()],
            )
        return self.job(id)

    def job(self, id: str) -> Job:
        """The job of this id; `KeyError` where there is none."""
        for job in self._jobs("WHERE id = ?", id):
            return job
        raise KeyError(id)

    def jobs(self) -> list[Job]:
        """All jobs, the newest first."""
        return self._jobs("ORDER BY created DESC, rowid DESC")

    def count(self, *statuses: Status) -> int:
        """How many jobs are in one of these states."""
        marks = ", ".join("?" * len(statuses))
        with self.database() as database:
            (count,) = database.execute(
                f"SELECT count(*) FROM jobs WHERE status IN ({marks})", statuses
            ).fetchone()
        return int(count)

    def keep(self, file: BinaryIO) -> str:
        """The id of a new document whose file is kept here now, whole and on the disk."""
        id = new_id()
        write_pieces(self.file(id), iter(partial(file.read, _PIECE), b""), lasting=True)
        return id

    def known(self, source_hash: str) -> Job | None:
        """A job for the same file, if there was one."""
        return next(iter(self._jobs("WHERE source_hash = ? LIMIT 1", source_hash)), None)

    def claim(self) -> Job | None:
        """The job that has waited longest, which is at work from now on; None where none waits."""
        with self.database() as database, database:
            database.execute("BEGIN IMMEDIATE")
            row = database.execute(
                "SELECT id FROM jobs WHERE status = ? ORDER BY created, rowid LIMIT 1", [Status.QUEUED]
            ).fetchone()
            if row is None:
                return None
            database.execute(
                "UPDATE jobs SET status = ?, started = ?, attempts = attempts + 1 WHERE id = ?",
                [Status.RUNNING, time.time(), row[0]],
            )
        return self.job(row[0])

    def settle(self, id: str, status: Status, **values: Any) -> Job:
        """The job with how it ended, or that it waits again."""
        values |= {"status": status, "finished": time.time() if status in FINISHED else None}
        return self.change(id, **values)

    def change(self, id: str, **values: Any) -> Job:
        """The job with other values."""
        changes = ", ".join(f"{name} = ?" for name in values)
        with self.database() as database:
            database.execute(f"UPDATE jobs SET {changes} WHERE id = ?", [*values.values(), id])
        return self.job(id)

    def remove(self, id: str) -> None:
        """Take a job out, with all that belongs to it."""
        with self.database() as database:
            database.execute("DELETE FROM jobs WHERE id = ?", [id])
            delete_log(database, id)
        for path in (self.file(id), self.tree(id)):
            path.unlink(missing_ok=True)
        shutil.rmtree(self.folder / "pages" / id, ignore_errors=True)

    def take_up_again(self, *, interrupted: bool) -> None:
        """Let those that were at work wait again; after a crash, one that was at work twice has failed."""
        for job in self._jobs("WHERE status = ?", Status.RUNNING):
            if not interrupted:
                self.settle(job.id, Status.QUEUED, attempts=job.attempts - 1)
            elif job.attempts < MOST_ATTEMPTS:
                self.settle(job.id, Status.QUEUED)
            else:
                reason = f"the server ended {job.attempts} times while it was at work"
                self.settle(job.id, Status.FAILED, reason=reason, code=500)

    def _jobs(self, clause: str, *values: Any) -> list[Job]:
        with self.database() as database:
            rows = database.execute(f"SELECT {_COLUMNS} FROM jobs {clause}", values).fetchall()
        return [Job(*row) for row in rows]


def _only_server(folder: Path) -> FileIO:
    """A file of the folder that this process holds while it is open; an error if another one does."""
    lock = folder / "server.lock"
    try:
        file = FileIO(lock, "a")
    except OSError as error:
        raise cannot_be_written(lock, error) from error
    if not holds(file.fileno()):
        file.close()
        advice = "use the page of that server, or end it, or name another folder with --work"
        raise UsageError("another server of held works in this folder", file=folder, advice=advice)
    return file


def new_id() -> str:
    """An id that nobody can guess, and that is safe as a file's name."""
    return secrets.token_hex(8)


def shown_name(name: str) -> str:
    """What a file calls itself, as it may be shown: no folders, nothing that does not print."""
    last = name.replace("\\", "/").rsplit("/", 1)[-1]
    printed = "".join(c for c in last if unicodedata.category(c)[0] != "C")
    return printed.strip()[:_LONGEST_NAME] or "document.pdf"


def notes_json(notes: tuple[Note, ...]) -> str:
    """Notes as they are kept."""
    return json.dumps([note._asdict() for note in notes], ensure_ascii=False)
