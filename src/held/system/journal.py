"""What long work has done so far, a JSON object a line, so that it can be taken up again after a kill.

A line that was torn when the work was killed is passed over, and spoils none after it. The latest row of a
name counts. Who has a journal open holds its lock: a second run is refused before it touches anything.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from io import FileIO
from pathlib import Path

from held.errors import UsageError
from held.system.atomic_write import cannot_be_written, make_folder
from held.system.json_values import Record
from held.system.locks import holds


@dataclass(frozen=True, slots=True)
class Journal:
    """The latest rows by name, and where new ones go. `key` is the field that has a row's name."""

    rows: dict[str, Record]
    key: str
    file: FileIO

    def add(self, row: Record) -> None:
        """Writes a row down for good, or, where the disk is full, none of it."""
        size = os.fstat(self.file.fileno()).st_size
        try:
            _append(self.file, _line(row))
        except OSError as error:
            with suppress(OSError):  # a torn line costs no more than doing its file again
                self.file.truncate(size)
            raise cannot_be_written(self.file.name, error) from error
        self.rows[row[self.key]] = row


@contextmanager
def journal_at(path: Path, *, key: str) -> Iterator[Journal]:
    """The journal in a file, made with its folder where there is none, and locked."""
    make_folder(path.parent)
    try:
        # Without a buffer: what could not be written must not be tried again when the file is closed.
        file = FileIO(os.fspath(path), "a+")
    except OSError as error:
        raise cannot_be_written(path, error) from error
    with file:
        if not holds(file.fileno()):
            refusal = "another run writes into this folder"
            raise UsageError(refusal, file=path.parent, advice="wait for it")
        rows = {row[key]: row for row in _rows(file) if isinstance(row.get(key), str)}
        yield Journal(rows, key, file)


def _line(row: Record) -> bytes:
    try:
        # A name that is not UTF-8 stands in its row as it is.
        return json.dumps(row, ensure_ascii=False).encode("utf-8", "surrogateescape") + b"\n"
    except UnicodeEncodeError:  # half a character, from a damaged font: JSON can only escape it
        return json.dumps(row).encode() + b"\n"


def _append(file: FileIO, content: bytes) -> None:
    rest = memoryview(content)
    while rest:
        rest = rest[file.write(rest) :]


def _rows(file: FileIO) -> Iterator[Record]:
    """The rows of a journal; a line that was torn is ended, so that the next begins anew."""
    file.seek(0)
    content = file.readall()
    if content and not content.endswith(b"\n"):
        with suppress(OSError):  # on a full disk, adding a row will tell
            _append(file, b"\n")
    # Not `splitlines`: it would also split at characters that names may have, as U+2028.
    for line in content.decode("utf-8", "surrogateescape").split("\n"):
        with suppress(ValueError):
            row = json.loads(line)
            if isinstance(row, dict):
                yield row
