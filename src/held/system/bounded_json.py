"""Untrusted files, read into memory only within the limits of `held.system.limits`; JSON with checks.

Anything but a regular file is refused before it is opened: reading a pipe can block, and a device has no end.
The size of JSON is checked before it is parsed, because a few megabytes of JSON, or kilobytes of xz, can
unfold to gigabytes of values.

`JsonValue` checks just what our formats need. The schemas in `held/schemas` say the same to other programs,
but reading a file must not require a schema library.
"""

from __future__ import annotations

import json
import lzma
import os
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, NoReturn

from held.errors import FormatError, InputError
from held.system import compiled_module
from held.system.limits import format_bytes, limits

Record = dict[str, Any]
"""A JSON object: a line of a journal, a row of a data set."""
AnyPath = str | os.PathLike[str]
SizeLimit = Literal["json_bytes", "model_bytes"]  # fields of Limits

_INTERFACE_VERSION = 1  # of `_json.c`

XZ_MAGIC = b"\xfd7zXZ\x00"
UTF8_BOM = b"\xef\xbb\xbf"
HEAD_BYTES = 1024  # viewers accept a PDF header up to here
UNPACK_BYTES = 1 << 22  # at a time, so that the limit is noticed soon
XZ_MEMORY = 1 << 28  # bytes; `xz -9` needs 65 MB for unpacking

# The most bytes that a value takes in Python, by the character that begins it or separates it from the next:
# an object with one member, a list with its slot in another one, a number, a string's header (two quotes).
BYTES_PER_CHARACTER = {b"{": 240, b"[": 90, b",": 34, b'"': 30}
UNCOUNTED_BYTES = 1 << 24  # JSON up to this size cannot take much memory, whatever it contains
WIDEST_CHARACTER = 4  # bytes per character of a Python string with any character above U+FFFF

_FILE_TYPES = {
    stat.S_IFIFO: "a pipe",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
    stat.S_IFSOCK: "a socket",
    stat.S_IFDIR: "a folder",
}


def require_regular_file(path: AnyPath, name: str | None = None) -> os.stat_result:
    """The file's status; an error unless it is a regular file. `name` is for the message."""
    try:
        status = os.stat(path)
    except (OSError, ValueError) as error:
        raise InputError(f"cannot be read: {_reason(error)}", file=name or path) from error
    if not stat.S_ISREG(status.st_mode):
        file_type = _FILE_TYPES.get(stat.S_IFMT(status.st_mode), "something else")
        raise InputError(f"is {file_type}, not a file", file=name or path)
    return status


def _read(path: AnyPath, max_bytes: int, name: str | None = None) -> bytes:
    """The first bytes of a regular file."""
    require_regular_file(path, name)
    try:
        with open(path, "rb") as file:
            return file.read(max_bytes)
    except OSError as error:
        raise InputError(f"cannot be read: {_reason(error)}", file=name or path) from error


def is_pdf(path: Path) -> bool:
    """Whether a file is to be read as a PDF, which is any file that is neither JSON nor xz."""
    head = _read(path, HEAD_BYTES)
    is_json = head.lstrip(UTF8_BOM + b" \t\r\n").startswith((b"{", b"["))
    return not is_json and not head.startswith(XZ_MAGIC)


def has_pdf_header(path: Path, name: str | None = None) -> bool:
    """Whether a file declares itself a PDF. `name` is for the message if it cannot be read."""
    return b"%PDF" in _read(path, HEAD_BYTES, name)


def file_sha256(path: Path) -> str:
    """The SHA-256 of a file's content, in hexadecimal."""
    import hashlib  # loads OpenSSL, which most commands do not need

    require_regular_file(path)
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise InputError(f"cannot be read: {_reason(error)}", file=path) from error


def read_json_value(path: AnyPath, limit: SizeLimit = "json_bytes") -> Any:
    """The JSON value in a file, plain or xz-compressed."""
    max_bytes = getattr(limits(), limit)
    content = _read(path, max_bytes + 1)
    if len(content) > max_bytes:
        raise _too_large(path, limit)
    if content.startswith(b"%PDF"):
        advice = "held.extract, or `held extract`, reads it"
        raise FormatError("is a PDF, not JSON", file=path, advice=advice)
    if content.startswith(XZ_MAGIC):
        content = _unpack_xz(content, limit, path)
    memory = limits().memory
    if _memory_estimate(content) > memory:
        what = f"its values would take more than {format_bytes(memory)} of memory"
        raise FormatError(what, file=path, advice="--limit or HELD_LIMITS sets the limit: memory")
    try:
        return json.loads(content)
    except RecursionError as error:
        raise FormatError("its values are nested too deep", file=path) from error
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        raise FormatError(f"not a JSON file: {error}", file=path) from error
    except ValueError as error:  # Python refuses integers that would take minutes to parse
        raise FormatError("holds a number of thousands of digits", file=path) from error


def _unpack_xz(content: bytes, limit: SizeLimit, path: AnyPath) -> bytes:
    max_bytes = getattr(limits(), limit)
    unpacked = bytearray()
    try:
        while content:
            stream = lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=XZ_MEMORY)
            unpacked += stream.decompress(content, UNPACK_BYTES)
            while not stream.eof and len(unpacked) <= max_bytes:
                if stream.needs_input:
                    raise FormatError("not a JSON file: its end is missing", file=path)
                unpacked += stream.decompress(b"", UNPACK_BYTES)
            if len(unpacked) > max_bytes:
                raise _too_large(path, limit)
            content = stream.unused_data.lstrip(b"\0")  # there may be padding between streams
    except lzma.LZMAError as error:
        raise FormatError(f"not a JSON file: {error}", file=path) from error
    return bytes(unpacked)


def _memory_estimate(content: bytes) -> int:
    """The most bytes that JSON can take as text and as values; 0 for small files."""
    if len(content) < UNCOUNTED_BYTES:
        return 0
    text_bytes = len(content) * (1 if content.isascii() else WIDEST_CHARACTER)
    value_bytes = 0
    for character, size in BYTES_PER_CHARACTER.items():
        value_bytes += content.count(character) * size
    return text_bytes + value_bytes


def _too_large(path: AnyPath, limit: SizeLimit) -> FormatError:
    size = format_bytes(getattr(limits(), limit))
    advice = f"--limit or HELD_LIMITS sets the limit: {limit}"
    return FormatError(f"holds more than {size}", file=path, advice=advice)


def _reason(error: OSError | ValueError) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error)


# --- JSON values ---

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


def write_json(path: AnyPath, value: Record) -> None:
    """Write a JSON object to a file."""
    from held.system.atomic_write import write_file  # most commands write no file

    write_file(path, encode_json(value))


def encode_json(value: Record) -> bytes:
    """A JSON object as UTF-8 with each array element on its own line, for people and for diffs."""
    native = compiled_module("held.system._json", _INTERFACE_VERSION)
    encoded: bytes | None = None if native is None else native.encode(value)
    if encoded is not None:  # None: the value is left to Python
        return encoded
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
