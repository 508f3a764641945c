"""A file's content, taken into memory only as far as the limits go: measured before, or while, it unpacks.

What is no regular file is refused before it is opened: a pipe would be waited for, a device has no end. And a
few megabytes of JSON, or kilobytes of xz, can stand for gigabytes of values.
"""

from __future__ import annotations

import json
import lzma
import os
import stat
from pathlib import Path
from typing import Any, Literal

from held.errors import FormatError, InputError
from held.system.limits import amount, limits

SizeLimit = Literal["json_bytes", "model_bytes"]  # fields of Limits
XZ_MAGIC = b"\xfd7zXZ\x00"
_PIECE = 1 << 22
_XZ_MEMORY = 1 << 28  # what unpacking itself may take: xz -9 needs 65 MB

# What a value takes in Python at most, by the character that begins it or parts it from the next: an object
# with one member, a list with its place in another, a number, the head of a string (two quotes).
_BYTES_OF_VALUES = {b"{": 240, b"[": 90, b",": 34, b'"': 30}
_SMALL = 1 << 24  # bytes of JSON that cannot take much memory whatever they say: not worth counting
_WIDEST_CHARACTER = 4  # bytes of a character of a Python string, where any is beyond the first 65,536

_KINDS = {
    stat.S_IFIFO: "a pipe",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
    stat.S_IFSOCK: "a socket",
    stat.S_IFDIR: "a folder",
}


def require_file(path: str | os.PathLike[str], name: str | None = None) -> None:
    """Refuses what is no regular file; `name` is what people call it."""
    try:
        mode = os.stat(path).st_mode
    except (OSError, ValueError) as error:
        raise InputError(f"cannot be read: {_cause(error)}", file=name or path) from error
    if not stat.S_ISREG(mode):
        kind = _KINDS.get(stat.S_IFMT(mode), "something else")
        raise InputError(f"is {kind}, not a file", file=name or path)


def _stored_bytes(path: str | os.PathLike[str], limit: SizeLimit) -> bytes:
    """The content of a file that is no larger than a limit."""
    most = getattr(limits(), limit)
    require_file(path)
    try:
        with Path(path).open("rb") as file:
            content = file.read(most + 1)
    except OSError as error:
        raise InputError(f"cannot be read: {_cause(error)}", file=path) from error
    if len(content) > most:
        raise _too_large(path, limit)
    return content


def stored_json(path: str | os.PathLike[str], limit: SizeLimit = "json_bytes") -> Any:
    """The JSON value in a file, xz-compressed or plain. What it is for says which limit it is held to."""
    in_force = limits()
    content = _stored_bytes(path, limit)
    if content.startswith(b"%PDF"):
        raise FormatError("is a PDF, not JSON", file=path, advice="held.extract, or `held extract`, reads it")
    if content.startswith(XZ_MAGIC):
        content = _unpacked(content, limit, path)
    if _memory_of(content) > in_force.memory:
        what = f"its values would take more than {amount(in_force.memory)} of memory"
        raise FormatError(what, file=path, advice="--limit or HELD_LIMITS sets the limit: memory")
    try:
        return json.loads(content)
    except RecursionError as error:
        raise FormatError("its values are nested too deep", file=path) from error
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        raise FormatError(f"not a JSON file: {error}", file=path) from error
    except ValueError as error:  # Python's guard against numbers that take minutes to read
        raise FormatError("holds a number of thousands of digits", file=path) from error


def _unpacked(content: bytes, limit: SizeLimit, path: str | os.PathLike[str]) -> bytes:
    """What xz-compressed content stands for, which is no larger than a limit."""
    most = getattr(limits(), limit)
    whole = bytearray()
    try:
        while content:
            stream = lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=_XZ_MEMORY)
            whole += stream.decompress(content, _PIECE)
            while not stream.eof and len(whole) <= most:
                if stream.needs_input:
                    raise FormatError("not a JSON file: its end is missing", file=path)
                whole += stream.decompress(b"", _PIECE)
            if len(whole) > most:
                raise _too_large(path, limit)
            content = stream.unused_data.lstrip(b"\0")  # streams may be padded
    except lzma.LZMAError as error:
        raise FormatError(f"not a JSON file: {error}", file=path) from error
    return bytes(whole)


def _memory_of(content: bytes) -> int:
    """The most memory that JSON can take, as text and as values; 0 where it is not worth counting."""
    if len(content) < _SMALL:
        return 0
    text = len(content) * (1 if content.isascii() else _WIDEST_CHARACTER)
    return text + sum(content.count(sign) * size for sign, size in _BYTES_OF_VALUES.items())


def _too_large(path: str | os.PathLike[str], limit: SizeLimit) -> FormatError:
    advice = f"--limit or HELD_LIMITS sets the limit: {limit}"
    return FormatError(f"holds more than {amount(getattr(limits(), limit))}", file=path, advice=advice)


def _cause(error: OSError | ValueError) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error)
