"""A journal of long-running work, one JSON object per line, so that a killed run can be resumed.

A line that was torn when the process was killed is skipped and does not spoil later ones. The last row of a
name counts. The journal is locked while it is open: a second run is refused before it changes anything.
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
from held.system.atomic_write import lock_file, make_folder, write_all, write_error
from held.system.json_values import Record


@dataclass(frozen=True, slots=True)
class Journal:
    """The last row of each name, and the file that new rows go to. `key` is the field with a row's name."""

    rows: dict[str, Record]
    key: str
    file: FileIO

    def add(self, row: Record) -> None:
        """Append a row, or nothing if the disk is full."""
        size = os.fstat(self.file.fileno()).st_size
        try:
            write_all(self.file.fileno(), _encode_row(row))
        except OSError as error:
            with suppress(OSError):  # a torn line only means that its file is processed again
                self.file.truncate(size)
            raise write_error(self.file.name, error) from error
        self.rows[row[self.key]] = row


@contextmanager
def open_journal(path: Path, *, key: str) -> Iterator[Journal]:
    """The journal in a file, locked; the file and its folder are created if they do not exist."""
    make_folder(path.parent)
    try:
        # Unbuffered: a failed write must not be repeated when the file is closed.
        file = FileIO(os.fspath(path), "a+")
    except OSError as error:
        raise write_error(path, error) from error
    with file:
        if not lock_file(file.fileno()):
            reason = "another run writes into this folder"
            raise UsageError(reason, file=path.parent, advice="wait for it")
        rows = {row[key]: row for row in _read_rows(file) if isinstance(row.get(key), str)}
        yield Journal(rows, key, file)


def _encode_row(row: Record) -> bytes:
    try:
        # Surrogates are the bytes of a file name that is not UTF-8.
        return json.dumps(row, ensure_ascii=False).encode("utf-8", "surrogateescape") + b"\n"
    except UnicodeEncodeError:  # a lone surrogate from a damaged font, which only an escape can express
        return json.dumps(row).encode() + b"\n"


def _read_rows(file: FileIO) -> Iterator[Record]:
    """The rows of a journal; a torn last line is terminated, so that the next row starts on its own line."""
    file.seek(0)
    content = file.readall()
    if content and not content.endswith(b"\n"):
        with suppress(OSError):  # if the disk is full, adding a row reports it
            write_all(file.fileno(), b"\n")
    # Not `splitlines`, which also splits at characters that names may contain, such as U+2028.
    for line in content.decode("utf-8", "surrogateescape").split("\n"):
        with suppress(ValueError):
            row = json.loads(line)
            if isinstance(row, dict):
                yield row
