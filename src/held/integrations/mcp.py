"""What assistants may ask of documents: outline, section, search, tables; plain functions behind `held mcp`.

An assistant does what a text that it read may tell it to, so a path is only taken below folders that were
given at the start, after links are followed.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from held.api import Section, StructuredDocument, extract
from held.document import Kind
from held.errors import InputError, UsageError

_AT_HAND = 8  # documents that are kept
_MOST_CHARACTERS = 20_000  # of a section: an assistant has only so much room


class Shelf:
    """Documents below some folders; each is read once, and again if its file changes."""

    def __init__(self, folders: Sequence[str | os.PathLike[str]], *, model: str = "base") -> None:
        self._folders = tuple(Path(folder).resolve(strict=True) for folder in folders)
        if not self._folders:
            raise UsageError("no folder was given", advice="give those whose documents may be read")
        self._read = lru_cache(_AT_HAND)(lambda path, changed: extract(path, model=model))

    def files(self) -> list[str]:
        """The PDFs that can be asked about."""
        found = (path for folder in self._folders for path in folder.rglob("*"))
        return sorted(str(path) for path in found if path.suffix.lower() == ".pdf" and self._allows(path))

    def outline(self, path: str, max_depth: int | None = None) -> list[dict[str, Any]]:
        """The headings of a document, each with its level, page and path."""
        return [
            {"title": section.title, "level": section.level, "page": section.page, "path": list(section.path)}
            for section in self._document(path).walk()
            if max_depth is None or section.level <= max_depth
        ]

    def section(self, path: str, title: str, deep: bool = True) -> dict[str, Any]:
        """The text of the first section with a title, with the sections below it if `deep`."""
        found = self._document(path).find(title)
        if found is None:
            raise UsageError(f"no section is called {title!r}", advice="ask for the outline first")
        text = found.full_text() if deep else found.text
        return {**_where(found), "text": text[:_MOST_CHARACTERS]}

    def search(self, path: str, query: str, k: int = 5) -> list[dict[str, Any]]:
        """The passages of a document that answer a question best, each with its heading path and page."""
        from held.retrieval.index import OneFile
        from held.retrieval.packing import entry_of
        from held.retrieval.search import hits_in

        found = hits_in(OneFile(path, entry_of(self._document(path))), query, k=k)
        return [hit.to_json() for hit in found]

    def tables(self, path: str, title: str | None = None) -> list[dict[str, Any]]:
        """The tables of a document, or of the sections whose title holds this, with their rows."""
        document = self._document(path)
        within = None if title is None else {section.index for section in document.find_all(title)}
        return [
            {"page": item.page, "path": list(document.path(index)), "rows": [list(row) for row in item.rows]}
            for index, item in enumerate(document.objects)
            if item.kind is Kind.TABLE and item.rows
            if within is None or within & set(document.tree.paths()[index])
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
        return any(file.is_relative_to(folder) for folder in self._folders)


def _where(section: Section) -> dict[str, Any]:
    return {"title": section.title, "page": section.page, "path": list(section.path)}
