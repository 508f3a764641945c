"""JSON values: checked access with errors that name the position, a text form for files, and journals.

`JsonValue` checks just what our formats need. The schemas in `held/schemas` say the same to other programs,
but reading a file must not require a schema library.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from io import FileIO
from pathlib import Path
from typing import Any, NoReturn

from held.errors import FormatError, UsageError
from held.system.atomic_write import lock_file, make_folder, write_all, write_error, write_file
from held.system.bounded_input import read_json_value

Record = dict[str, Any]
"""A JSON object: a line of a journal, a row of a data set."""

MAX_SHOWN = 40  # characters of a wrong value in a message
MAX_NUMBER = 1e300  # no measure is that large, and larger integers do not fit a float
ADVICE = "docs/formats.md describes the form"

# Control characters that JSON does not require to be escaped, but that a terminal would obey.
_UNESCAPED_CONTROLS = [chr(code) for code in range(0x7F, 0xA0)]


@dataclass(frozen=True, slots=True)
class JsonValue:
    """A JSON value with its position in the file, such as `objects[3].box`."""

    value: Any
    position: str = ""
    file: str | os.PathLike[str] | None = None

    def fail(self, expected: str) -> NoReturn:
        """Raise an error: the value is not what was expected."""
        found = repr(self.value)
        if len(found) > MAX_SHOWN:
            found = found[: MAX_SHOWN - 1] + "…"
        name = self.position or "the file"
        raise FormatError(f"{name} must be {expected}, found {found}", file=self.file, advice=ADVICE)

    def fields(self) -> Record:
        """The value as a JSON object."""
        if not isinstance(self.value, dict):
            self.fail("an object")
        return self.value

    def __contains__(self, name: str) -> bool:
        return self.fields().get(name) is not None

    def __getitem__(self, name: str) -> JsonValue:
        """The field of that name; an error if it is missing."""
        fields = self.fields()
        if name not in fields:
            raise FormatError(f"{self._field(name)} is missing", file=self.file, advice=ADVICE)
        return JsonValue(fields[name], self._field(name), self.file)

    def get(self, name: str, default: Any) -> JsonValue:
        """The field of that name, or the default if it is missing."""
        value = self.fields().get(name, default)
        return JsonValue(value, self._field(name), self.file)

    def items(self) -> list[JsonValue]:
        """The elements of a JSON array."""
        if not isinstance(self.value, list | tuple):
            self.fail("an array")
        prefix, file = self.position, self.file
        return [JsonValue(item, f"{prefix}[{index}]", file) for index, item in enumerate(self.value)]

    def text(self) -> str:
        if not isinstance(self.value, str):
            self.fail("a string")
        return self.value

    def flag(self) -> bool:
        if not isinstance(self.value, bool):
            self.fail("true or false")
        return self.value

    def integer(self, *, minimum: int = 0, maximum: int | None = None) -> int:
        value = self.value
        if not isinstance(value, int) or isinstance(value, bool) or value < minimum:
            self.fail(f"a whole number from {minimum}")
        if maximum is not None and value > maximum:
            self.fail(f"a whole number up to {maximum}")
        return value

    def number(self) -> float:
        if not is_number(self.value):
            self.fail("a number")
        return float(self.value)

    def _field(self, name: str) -> str:
        return f"{self.position}.{name}" if self.position else name


def is_number(value: object) -> bool:
    """Whether a JSON value is a finite number that fits a float."""
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < MAX_NUMBER


def read_json(path: str | os.PathLike[str]) -> Record:
    """The JSON object in a file, plain or xz-compressed."""
    return JsonValue(read_json_value(path), file=path).fields()


def write_json(path: str | os.PathLike[str], value: Record) -> None:
    """Write a JSON object to a file."""
    write_file(path, encode_json(value))


def encode_json(value: Record) -> bytes:
    """A JSON object as UTF-8 with each array element on its own line, for people and for diffs."""
    try:
        return _format(value, ascii_only=False).encode()
    except UnicodeEncodeError:  # a lone surrogate from a damaged font, which only an escape can express
        return _format(value, ascii_only=True).encode()


def _format(value: Record, *, ascii_only: bool) -> str:
    # One encoder: `json.dumps` makes one for each call, and a list may have thousands of numbers.
    encode = json.JSONEncoder(ensure_ascii=ascii_only, allow_nan=False).encode
    lines = []
    for name, item in value.items():
        if isinstance(item, list) and item:
            elements = ",\n  ".join(map(encode, item))
            lines.append(f"{encode(name)}: [\n  {elements}\n ]")
        else:
            lines.append(f"{encode(name)}: {encode(item)}")
    fields = ",\n ".join(lines)
    return escape_controls(f"{{\n {fields}\n}}\n")


def escape_controls(text: str) -> str:
    """JSON text with the control characters escaped that JSON allows but a terminal obeys."""
    for control in _UNESCAPED_CONTROLS:
        if control in text:  # hardly ever, and half the time of a regular expression
            text = text.replace(control, f"\\u{ord(control):04x}")
    return text


# --- journals ---
#
# A journal of long-running work, one JSON object per line, so that a killed run can be resumed.
#
# A line that was torn when the process was killed is skipped and does not spoil later ones. The last row of
# a name counts. The journal is locked while it is open: a second run is refused before it changes anything.


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
