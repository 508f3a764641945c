"""Untrusted input files, read into memory only within the limits of `held.system.limits`.

Anything but a regular file is refused before it is opened: reading a pipe can block, and a device has no end.
The size of JSON is checked before it is parsed, because a few megabytes of JSON, or kilobytes of xz, can
unfold to gigabytes of values.
"""

from __future__ import annotations

import json
import lzma
import os
import stat
from pathlib import Path
from typing import Any, Literal

from held.errors import FormatError, InputError
from held.system.limits import format_bytes, limits

AnyPath = str | os.PathLike[str]
SizeLimit = Literal["json_bytes", "model_bytes"]  # fields of Limits

XZ_MAGIC = b"\xfd7zXZ\x00"
UTF8_BOM = b"\xef\xbb\xbf"
HEAD_BYTES = 1024  # viewers accept a PDF header up to here
UNPACK_BYTES = 1 << 22
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
