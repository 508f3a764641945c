"""What can be searched, opened by its path: an index, or a single file that is read on the spot."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Self

from held.document import Document, Pages
from held.pipeline import tree_of
from held.retrieval.packing import Entry, entry_of
from held.retrieval.schema import is_index
from held.retrieval.search import Hit, Searched, hits_in
from held.retrieval.store import Source, Store


class Index:
    """Documents that can be asked, by any number of threads."""

    def __init__(self, searched: Searched) -> None:
        self._searched = searched

    @classmethod
    def open(cls, path: str | os.PathLike[str], *, model: str = "base", password: str | None = None) -> Self:
        """The index in a file that `held index` made, or a PDF, which is read now."""
        file = Path(path)
        if is_index(file):
            return cls(Store.open(file))
        return cls.of(_read(file, password), file, model=model)

    @classmethod
    def of(cls, document: Document | Pages, path: str | os.PathLike[str], *, model: str = "base") -> Self:
        """A single document to be asked, which came from a path."""
        return cls(OneFile(path, entry_of(tree_of(document, model=model))))

    def search(self, query: str, k: int = 5, *, source: str | None = None) -> list[Hit]:
        """The k passages that answer best, best first; of one source where one is named."""
        if isinstance(self._searched, Store):
            with self._searched.unchanging():
                return hits_in(self._searched, query, k=k, source=source)
        return hits_in(self._searched, query, k=k, source=source)

    def sources(self) -> list[Source]:
        """The documents that can be asked."""
        return self._searched.sources()

    def close(self) -> None:
        """Ends the use of the file."""
        if isinstance(self._searched, Store):
            self._searched.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


class OneFile:
    """A document that was read to be asked at once."""

    def __init__(self, path: str | os.PathLike[str], entry: Entry) -> None:
        self._entry = entry
        self._source = Source(1, os.path.abspath(path), "", "", entry.pages, len(entry.document.passages))

    def sources(self) -> list[Source]:
        """The document."""
        return [self._source]

    def documents_with(self, words: Sequence[str]) -> dict[int, float]:
        """The document, whatever the words are."""
        return {self._source.id: 1.0}

    def entry(self, document: int) -> Entry:
        """The document's passages."""
        return self._entry


def search(
    index_or_file: str | os.PathLike[str], query: str, k: int = 5, *, source: str | None = None
) -> list[Hit]:
    """The k passages of an index, or of a file, that answer a question best, best first."""
    with Index.open(index_or_file) as index:
        return index.search(query, k, source=source)


def _read(path: Path, password: str | None) -> Pages:
    from held.pdf.read import read_pdf
    from held.pdf.readable import require_text
    from held.pdf.view import as_viewed

    return as_viewed(require_text(read_pdf(path, password=password)))
