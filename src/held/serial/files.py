"""JSON in files: read whole or refused, and written so that a person can read it and a diff is short."""

from __future__ import annotations

import hashlib
import json
import os
import re
from pathlib import Path
from typing import Any

from held.errors import InputError
from held.system.atomic_write import write_whole
from held.system.bounded_json import require_file, stored_json
from held.system.json_values import JsonValue

# Control characters that JSON may leave as they are, but terminals obey.
_OBEYED = re.compile("[\x7f-\x9f]")


def read_json(path: str | os.PathLike[str]) -> dict[str, Any]:
    """The JSON object in a file, xz-compressed or plain."""
    return JsonValue(read_json_value(path), file=os.fspath(path)).fields()


def read_json_value(path: str | os.PathLike[str]) -> Any:
    """The JSON value in a file, xz-compressed or plain, whatever it is."""
    return stored_json(path)


def write_json(path: str | os.PathLike[str], value: dict[str, Any]) -> None:
    """Write a JSON object to a file."""
    write_whole(path, dumps(value))


def hash_of(path: Path) -> str:
    """The SHA-256 of a file's content."""
    require_file(path)
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", file=path) from error


def dumps(value: dict[str, Any]) -> bytes:
    """A JSON object as UTF-8, with each element of its arrays on a line of its own."""
    try:
        return _laid_out(value, ascii_only=False).encode()
    except UnicodeEncodeError:  # a lone surrogate, from a damaged font: JSON can only escape it
        return _laid_out(value, ascii_only=True).encode()


def _laid_out(value: dict[str, Any], *, ascii_only: bool) -> str:
    def compact(item: object) -> str:
        return escaped(json.dumps(item, ensure_ascii=ascii_only, allow_nan=False))

    lines = []
    for name, item in value.items():
        if isinstance(item, list) and item:
            lines.append(f"{compact(name)}: [\n  " + ",\n  ".join(map(compact, item)) + "\n ]")
        else:
            lines.append(f"{compact(name)}: {compact(item)}")
    return "{\n " + ",\n ".join(lines) + "\n}\n"


def escaped(text: str) -> str:
    """JSON with those control characters escaped, too, that it need not escape but terminals obey."""
    return _OBEYED.sub(lambda found: f"\\u{ord(found[0]):04x}", text) if _OBEYED.search(text) else text
