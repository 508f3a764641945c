"""The log of corrections in SQLite: every correction is on disk before it is answered.

A document's log is a list of corrections of which the first `in_force` apply: undo takes the last of these
out of force, redo puts it back. Every change raises the version and must name the version it was made for, so
that two browser tabs can't overwrite each other silently.
"""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from held.errors import ConflictError, UsageError
from held.hierarchy.edited_hierarchy import Effect
from held.system.bounded_json import JsonValue

LOG_SCHEMA = """
CREATE TABLE IF NOT EXISTS logs (
    document TEXT PRIMARY KEY,
    version INTEGER NOT NULL,
    in_force INTEGER NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS corrections (
    document TEXT NOT NULL,
    place INTEGER NOT NULL,
    correction TEXT NOT NULL,
    effect TEXT NOT NULL,
    at REAL NOT NULL,
    PRIMARY KEY (document, place)
) STRICT;
"""


@dataclass(frozen=True, slots=True)
class LogEntry:
    """A correction as JSON, its effect, and when it was made, in seconds since 1970."""

    correction: dict[str, Any]
    effect: Effect
    at: float


@dataclass(frozen=True, slots=True)
class CorrectionLog:
    """All corrections of a document; the first `in_force` apply, the others can be redone."""

    version: int = 0
    entries: tuple[LogEntry, ...] = ()
    in_force: int = 0

    @property
    def effects(self) -> tuple[Effect, ...]:
        """The effects that apply."""
        applied = self.entries[: self.in_force]
        return tuple(entry.effect for entry in applied)


def read_log(database: sqlite3.Connection, document: str) -> CorrectionLog:
    """The log of a document, empty if nothing was corrected."""
    logs = database.execute("SELECT version, in_force FROM logs WHERE document = ?", [document])
    log = logs.fetchone()
    if log is None:
        return CorrectionLog()
    version, in_force = log
    rows = database.execute(
        "SELECT correction, effect, at FROM corrections WHERE document = ? ORDER BY place", [document]
    )
    entries = []
    for correction, effect_json, at in rows:
        effect = Effect.from_json(JsonValue(json.loads(effect_json)))
        entries.append(LogEntry(json.loads(correction), effect, at))
    return CorrectionLog(version, tuple(entries), in_force)


def read_version(database: sqlite3.Connection, document: str) -> int:
    """The version of a document's log: how often it was changed."""
    row = database.execute("SELECT version FROM logs WHERE document = ?", [document]).fetchone()
    return int(row[0]) if row else 0


def require_version(current: int, version: int) -> None:
    """Raises `ConflictError` if a change was made for another version than the current one."""
    if current != version:
        reason = f"the corrections are at version {current}, not {version}: another tab has changed them"
        raise ConflictError(reason, advice="load the document again")


def append(
    database: sqlite3.Connection, document: str, correction: dict[str, Any], effect: Effect, *, version: int
) -> CorrectionLog:
    """The log with one more correction in force; undone corrections can't be redone any more."""
    correction_json = json.dumps(correction, ensure_ascii=False)
    effect_json = json.dumps(effect.to_json(), ensure_ascii=False)
    with _change(database, document, version) as log:
        database.execute(
            "DELETE FROM corrections WHERE document = ? AND place >= ?", [document, log.in_force]
        )
        # `place` counts from 0, so the new entry comes right after those in force.
        row = [document, log.in_force, correction_json, effect_json, time.time()]
        database.execute("INSERT INTO corrections VALUES (?, ?, ?, ?, ?)", row)
        _raise_version(database, document, log, log.in_force + 1)
    return read_log(database, document)


def undo(database: sqlite3.Connection, document: str, *, version: int) -> CorrectionLog:
    """The log with its last correction out of force."""
    with _change(database, document, version) as log:
        if not log.in_force:
            raise UsageError("there is nothing to undo")
        _raise_version(database, document, log, log.in_force - 1)
    return read_log(database, document)


def redo(database: sqlite3.Connection, document: str, *, version: int) -> CorrectionLog:
    """The log with the last undone correction in force again."""
    with _change(database, document, version) as log:
        if log.in_force == len(log.entries):
            raise UsageError("there is nothing to redo")
        _raise_version(database, document, log, log.in_force + 1)
    return read_log(database, document)


def delete_log(database: sqlite3.Connection, document: str) -> None:
    """Deletes all corrections of a document."""
    with database:
        database.execute("DELETE FROM corrections WHERE document = ?", [document])
        database.execute("DELETE FROM logs WHERE document = ?", [document])


@contextmanager
def _change(database: sqlite3.Connection, document: str, version: int) -> Iterator[CorrectionLog]:
    """A transaction on a log that must still have this version."""
    with database:
        # IMMEDIATE takes the write lock now, so that nobody writes between the check and the change.
        database.execute("BEGIN IMMEDIATE")
        log = read_log(database, document)
        require_version(log.version, version)
        yield log


def _raise_version(database: sqlite3.Connection, document: str, log: CorrectionLog, in_force: int) -> None:
    database.execute("INSERT OR REPLACE INTO logs VALUES (?, ?, ?)", [document, log.version + 1, in_force])
