"""The log of corrections, kept in SQLite as they happen: nothing is lost with a tab or a crash.

A document's log is a list of corrections of which the first so many are in force: undoing takes the last of
these out of force, redoing puts it back. Every change counts the version up, and must name the version that
it was made for, so that two tabs cannot overwrite each other silently.
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
from held.hierarchy.corrections.effects import Effect
from held.system.json_values import JsonValue

SCHEMA = """
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
class Entry:
    """A correction as it was made, what it fixes, and when it was made, in seconds since 1970."""

    correction: dict[str, Any]
    effect: Effect
    at: float


@dataclass(frozen=True, slots=True)
class Log:
    """All entries of a document; `in_force` of them hold, the others can be redone."""

    version: int = 0
    entries: tuple[Entry, ...] = ()
    in_force: int = 0

    @property
    def effects(self) -> tuple[Effect, ...]:
        """What holds."""
        return tuple(entry.effect for entry in self.entries[: self.in_force])


def read_log(database: sqlite3.Connection, document: str) -> Log:
    """The log of a document, empty where nothing was corrected."""
    head = database.execute("SELECT version, in_force FROM logs WHERE document = ?", [document]).fetchone()
    if head is None:
        return Log()
    rows = database.execute(
        "SELECT correction, effect, at FROM corrections WHERE document = ? ORDER BY place", [document]
    )
    entries = tuple(
        Entry(json.loads(correction), Effect.from_json(JsonValue(json.loads(effect))), at)
        for correction, effect, at in rows
    )
    return Log(head[0], entries, head[1])


def append(
    database: sqlite3.Connection, document: str, correction: dict[str, Any], effect: Effect, *, version: int
) -> Log:
    """The log with one more correction in force; what was undone before cannot be redone any more."""
    with _changing(database, document, version) as log:
        database.execute(
            "DELETE FROM corrections WHERE document = ? AND place >= ?", [document, log.in_force]
        )
        written = [
            json.dumps(correction, ensure_ascii=False),
            json.dumps(effect.to_json(), ensure_ascii=False),
        ]
        database.execute(
            "INSERT INTO corrections VALUES (?, ?, ?, ?, ?)", [document, log.in_force, *written, time.time()]
        )
        _count_up(database, document, log, log.in_force + 1)
    return read_log(database, document)


def undo(database: sqlite3.Connection, document: str, *, version: int) -> Log:
    """The log with its last correction out of force."""
    with _changing(database, document, version) as log:
        if not log.in_force:
            raise UsageError("there is nothing to undo")
        _count_up(database, document, log, log.in_force - 1)
    return read_log(database, document)


def redo(database: sqlite3.Connection, document: str, *, version: int) -> Log:
    """The log with the correction that was undone last in force again."""
    with _changing(database, document, version) as log:
        if log.in_force == len(log.entries):
            raise UsageError("there is nothing to redo")
        _count_up(database, document, log, log.in_force + 1)
    return read_log(database, document)


def forget(database: sqlite3.Connection, document: str) -> None:
    """Take all corrections of a document out of the database."""
    with database:
        database.execute("DELETE FROM corrections WHERE document = ?", [document])
        database.execute("DELETE FROM logs WHERE document = ?", [document])


@contextmanager
def _changing(database: sqlite3.Connection, document: str, version: int) -> Iterator[Log]:
    """A transaction in which nobody else changes the log, which must still have this version."""
    with database:
        database.execute("BEGIN IMMEDIATE")
        log = read_log(database, document)
        if log.version != version:
            raise ConflictError(
                f"the corrections are at version {log.version}, not {version}: another tab has changed them",
                advice="load the document again",
            )
        yield log


def _count_up(database: sqlite3.Connection, document: str, log: Log, in_force: int) -> None:
    database.execute("INSERT OR REPLACE INTO logs VALUES (?, ?, ?)", [document, log.version + 1, in_force])
