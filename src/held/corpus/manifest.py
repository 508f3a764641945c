"""The manifest of a corpus: source, path, sha1, domain, language, split and group of each document; no text.

With the manifest and the files, anyone can rebuild the labelled documents. A file is recognised by its sha1,
not by its name. Labels come from the bookmarks or tags of the file, so documents whose outline was written by
hand, or taken from elsewhere, cannot be rebuilt. The field `outline_from` marks them.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from held.corpus.sources import SourceFile, origin_from_row
from held.errors import FormatError, InputError

FIELDS = ("id", "source", "path", "sha1", "domain", "lang", "split", "group", "outline_from", "suspect")
_IN_THE_FILE = frozenset({"", "outline", "tags"})  # outlines that the PDF itself has

Row = dict[str, str]


def manifest_rows(corpus: str | os.PathLike[str]) -> list[Row]:
    """The rows of the manifest of a corpus, from its index."""
    index = Path(corpus) / "index.jsonl"
    rows = []
    for stored in _read_lines(index):
        stored.setdefault("path", stored.get("origin"))
        row = {field: str(stored[field]) for field in FIELDS if stored.get(field)}
        rows.append(row)
    return sorted(rows, key=lambda row: row["id"])


def write_manifest(path: Path, rows: Iterable[Row]) -> None:
    """Write the rows as JSON lines."""
    lines = (json.dumps(row, ensure_ascii=False) for row in rows)
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def read_manifest(path: str | os.PathLike[str]) -> list[Row]:
    """The rows of a manifest."""
    return [{key: str(value) for key, value in row.items()} for row in _read_lines(Path(path))]


def _read_lines(path: Path) -> list[dict[str, Any]]:
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", file=path) from error
    rows = []
    for number, line in enumerate(lines, start=1):
        try:
            row = json.loads(line)
            row["id"], row["sha1"]
        except (ValueError, KeyError, TypeError) as error:
            message = f"line {number} names no document: {error!r}"
            advice = "each line is a JSON object with id and sha1"
            raise FormatError(message, file=path, advice=advice) from error
        rows.append(row)
    return rows


def sources_from_manifest(rows: Sequence[Row], folder: str | os.PathLike[str]) -> list[SourceFile]:
    """The PDFs of a folder that a manifest names and whose outline they contain, as sources to label."""
    root = Path(folder)
    if not root.is_dir():
        raise InputError("no such folder", file=folder)
    pdfs = [path for path in sorted(root.rglob("*")) if path.suffix.lower() == ".pdf"]
    pdf_by_sha1 = {_sha1(path): path for path in pdfs}
    sources = []
    for row in rows:
        path = pdf_by_sha1.get(row["sha1"])
        if path is not None and row.get("outline_from", "") in _IN_THE_FILE:
            group = row.get("group") or row["id"]
            sources.append(SourceFile(row["id"], path, group, origin_from_row(row)))
    if not sources:
        advice = "files are recognised by their sha1; documents with another outline_from are left out"
        raise InputError("has no PDF that the manifest names", file=folder, advice=advice)
    return sources


def _sha1(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha1").hexdigest()
