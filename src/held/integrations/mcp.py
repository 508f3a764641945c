"""The tools behind `held mcp`: outline, section, search and tables of documents, as plain functions.

An assistant may follow instructions in a text that it read. So a path is accepted only below the folders
given at the start, after symbolic links are resolved.

The protocol's library hides why a tool failed unless the tool raises the library's own error, and does not
answer a request at all that has half a surrogate pair. `report_errors` and `RequestStream` see to both.
"""

from __future__ import annotations

import io
import json
import os
from collections.abc import Callable, Sequence
from functools import lru_cache, wraps
from pathlib import Path
from typing import Any, BinaryIO

from held.api import StructuredDocument, extract
from held.errors import HeldError, InputError, UsageError
from held.system.console import printable, printable_values

_MAX_DOCUMENTS = 8  # kept in memory
_MAX_CHARACTERS = 20_000  # of a section: an assistant's context is limited


class DocumentCache:
    """Documents below some folders; each is read once, and again if its file changes.

    The docstrings of its public methods are the tools' descriptions.
    """

    def __init__(self, folders: Sequence[str | os.PathLike[str]], *, model: str = "base") -> None:
        self._folders = tuple(Path(folder).resolve(strict=True) for folder in folders)
        if not self._folders:
            raise UsageError("no folder was given", advice="give those whose documents may be read")
        # The time of the last change is part of the key, so that a changed file is read again. The cache is
        # this object's own: a decorated method would keep the documents of all caches alive.
        self._read = lru_cache(_MAX_DOCUMENTS)(lambda path, modified: extract(path, model=model))

    def files(self) -> list[str]:
        """The PDFs that can be asked about."""
        files: list[str] = []
        for folder in self._folders:
            pdfs = [path for path in folder.rglob("*") if path.suffix.lower() == ".pdf"]
            files += [str(path) for path in pdfs if self._allows(path)]
        return sorted(files)

    def outline(self, path: str, max_depth: int | None = None) -> list[dict[str, Any]]:
        """The headings of a document, each with its level, page and path."""
        headings = []
        for section in self._document(path).walk():
            if max_depth is None or section.level <= max_depth:
                heading = {
                    "title": section.title,
                    "level": section.level,
                    "page": section.page,
                    "path": list(section.path),
                }
                headings.append(heading)
        return headings

    def section(self, path: str, title: str, deep: bool = True) -> dict[str, Any]:
        """The text of the first section with a title, with the sections below it if `deep`."""
        section = self._document(path).find(title)
        if section is None:
            raise UsageError(f"no section is called {title!r}", advice="ask for the outline first")
        text = section.full_text() if deep else section.text
        return {
            "title": section.title,
            "page": section.page,
            "path": list(section.path),
            "text": text[:_MAX_CHARACTERS],
        }

    def search(self, path: str, query: str, k: int = 5) -> list[dict[str, Any]]:
        """The passages of a document that answer a question best, each with its heading path and page."""
        from held.retrieval.document_index import build_entry
        from held.retrieval.engine import SingleDocument
        from held.retrieval.search import search_documents

        document = SingleDocument(path, build_entry(self._document(path)))
        hits = search_documents(document, query, k=k)
        return [hit.to_json() for hit in hits]

    def tables(self, path: str, title: str | None = None) -> list[dict[str, Any]]:
        """The tables of a document, or of the sections whose title contains this, with their rows."""
        document = self._document(path)
        paths = document.tree.paths()
        sections = None if title is None else {section.index for section in document.find_all(title)}
        return [
            {"page": table.page, "path": list(table.path), "rows": table.to_rows()}
            for table in document.tables
            if sections is None or sections.intersection(paths[table.index])
        ]

    def _document(self, path: str) -> StructuredDocument:
        file = Path(path).resolve()
        if not self._allows(file):
            raise InputError("is not below a folder that was given", file=path)
        if not file.is_file():
            raise InputError("no such file", file=path)
        return self._read(file, file.stat().st_mtime_ns)

    def _allows(self, path: Path) -> bool:
        file = path.resolve()
        return any(file.is_relative_to(folder) for folder in self._folders)  # both without symbolic links


def report_errors(tool: Callable[..., Any], error_class: type[Exception]) -> Callable[..., Any]:
    """The tool with its errors as those of the protocol's library, and with texts that can be sent."""

    @wraps(tool)
    def answer(*args: Any, **arguments: Any) -> Any:
        try:
            return printable_values(tool(*args, **arguments))
        except HeldError as error:
            raise error_class(printable(str(error))) from error
        except Exception as error:
            raise error_class(printable(f"a fault in held: {error!r}")) from error

    return answer


class RequestStream(io.RawIOBase):
    """The requests of a client, one JSON object per line, without halves of surrogate pairs."""

    def __init__(self, lines: BinaryIO) -> None:
        self._lines = lines
        self._rest = b""

    def readable(self) -> bool:
        """Always true: this is an input."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Fill the buffer with the next bytes; 0 at the end."""
        if not self._rest:
            self._rest = replace_lone_surrogates(self._lines.readline())
        piece = self._rest[: len(buffer)]
        self._rest = self._rest[len(piece) :]
        buffer[: len(piece)] = piece
        return len(piece)


def replace_lone_surrogates(line: bytes) -> bytes:
    """A line of JSON with "?" for each half of a surrogate pair, which only an escape can express."""
    if b"\\u" not in line:  # nearly always
        return line
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return line  # the library answers it
    return json.dumps(value, ensure_ascii=False).encode("utf-8", "replace") + b"\n"
