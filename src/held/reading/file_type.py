"""Tells PDFs from the JSON files that `held` reads."""

from __future__ import annotations

from pathlib import Path

from held.errors import InputError
from held.system.bounded_input import XZ_MAGIC, require_regular_file

_JSON = (b"{", b"[")


def is_pdf(path: Path) -> bool:
    """Whether a file looks like a PDF, or at least not like one of the JSON forms."""
    head = _head(path)
    return not head.startswith(XZ_MAGIC) and not head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(_JSON)


def _head(path: Path) -> bytes:
    require_regular_file(path)
    try:
        with path.open("rb") as file:
            return file.read(1024)
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", file=path) from error
