"""What long work has done so far, a JSON object a line, so that it can be taken up again after a kill.

A line that was torn when the work was killed is passed over, and spoils none after it. The latest row of a
name counts. Who has a journal open holds its lock: a second run is refused before it touches anything.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from held.errors import InputError, UsageError

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Journal:
    """The latest rows by name, and where new ones go. `key` is the field that has a row's name."""

    rows: dict[str, Row]
    key: str
    file: IO[str]

    def add(self, row: Row) -> None:
        """Writes a row down for good."""
        self.file.write(json.dumps(row, ensure_ascii=False) + "\n")
        self.file.flush()
        self.rows[row[self.key]] = row


@contextmanager
def journal_at(path: Path, *, key: str) -> Iterator[Journal]:
    """The journal in a file, made with its folder where there is none, and locked."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        # A name that is not UTF-8 stands in its row as it is.
        file = path.open("a+", encoding="utf-8", errors="surrogateescape")
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror}", file=error.filename or path) from error
    with file:
        _lock(file, path)
        rows = {row[key]: row for row in _rows(file) if isinstance(row.get(key), str)}
        yield Journal(rows, key, file)


def _lock(file: IO[str], path: Path) -> None:
    """Keeps a second run out, where the system can."""
    with suppress(ImportError):
        import fcntl

        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            refusal = "another run writes into this folder"
            raise UsageError(refusal, file=path.parent, advice="wait for it") from None


def _rows(file: IO[str]) -> Iterator[Row]:
    """The rows of a journal; a line that was torn is ended, so that the next begins anew."""
    file.seek(0)
    text = file.read()
    if text and not text.endswith("\n"):
        file.write("\n")
    for line in text.splitlines():
        with suppress(ValueError):
            row = json.loads(line)
            if isinstance(row, dict):
                yield row
