"""What can be searched, opened by its path: an index, or a single file that is read on the spot."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Self

from held.errors import InputError, NotAPdfError, UsageError
from held.hierarchy.hierarchy import Hierarchy
from held.hierarchy.pipeline import TreeOptions, build_tree
from held.input_files import read_file
from held.retrieval.bm25 import Floats
from held.retrieval.engine import Engine, EngineWriter, Source, is_lance
from held.retrieval.hybrid import Embed
from held.retrieval.names import Names, names_with
from held.retrieval.packing import Entry, entry_of
from held.retrieval.schema import is_index
from held.retrieval.search import Hit, hits_in
from held.retrieval.store import Store, writing
from held.system.console import Progress

_OR_DAMAGED = "`held index` makes an index; if this was one, it is damaged: make it anew"


class Index:
    """Documents that can be asked, by any number of threads."""

    def __init__(self, searched: Engine, *, names: Names | None = None, embed: Embed | None = None) -> None:
        self._searched = searched
        self._names = names
        self._embed = embed

    @classmethod
    def open(
        cls,
        path: str | os.PathLike[str],
        *,
        model: str = "base",
        password: str | None = None,
        jobs: int | None = None,
        progress: Progress | None = None,
        names: str | os.PathLike[str] | None = None,
        embed: Embed | None = None,
    ) -> Self:
        """The index that `held index` made, or any file that `held extract` takes, which is read now.

        `lance:PATH` is an index in a Lance data set; PATH may be that of an object store.

        The JSON that `held extract` wrote is asked as it is, at once. `names` is a file of further names of
        things; `embed` gives vectors for texts, whose likeness then counts beside words.
        """
        known = names_with(names)
        if is_lance(path):
            from held.retrieval.lance import LanceStore

            return cls(LanceStore(path), names=known, embed=embed)
        file = Path(path)
        if file.is_dir():
            advice = f"index it first: `held index {file} -o {file}.index`, then search {file}.index"
            raise InputError("is a folder", file=file, advice=advice)
        if is_index(file):
            return cls(Store.open(file), names=known, embed=embed)
        try:
            content = read_file(file, password=password, jobs=jobs, progress=progress)
        except NotAPdfError as error:
            raise InputError("neither an index nor a document", file=file, advice=_OR_DAMAGED) from error
        hierarchy = (
            content if isinstance(content, Hierarchy) else build_tree(content, TreeOptions(model=model))
        )
        return cls(OneFile(path, entry_of(hierarchy, embed=embed)), names=known, embed=embed)

    def search(self, query: str, k: int = 5, *, source: str | None = None) -> list[Hit]:
        """The k passages that answer best, best first; of one source where one is named."""
        if isinstance(self._searched, Store):
            with self._searched.unchanging():
                return self._hits(query, k, source)
        return self._hits(query, k, source)

    def _hits(self, query: str, k: int, source: str | None) -> list[Hit]:
        return hits_in(self._searched, query, k=k, source=source, names=self._names, embed=self._embed)

    def sources(self) -> list[Source]:
        """The documents that can be asked."""
        return self._searched.sources()

    def close(self) -> None:
        """Ends the use of the file."""
        self._searched.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


def writing_index(path: str | os.PathLike[str]) -> AbstractContextManager[EngineWriter]:
    """An index to be changed, made where there was none: in a file, or as `lance:PATH`."""
    if is_lance(path):
        from held.retrieval.lance import writing_lance

        return writing_lance(path)
    return writing(path)


class OneFile:
    """A document that was read to be asked at once."""

    def __init__(self, path: str | os.PathLike[str], entry: Entry) -> None:
        self._entry = entry
        self._source = Source(1, os.path.abspath(path), "", "", entry.pages, len(entry.document.passages))

    def sources(self) -> list[Source]:
        """The document."""
        return [self._source]

    def documents_with(self, words: Sequence[str], vector: Floats | None = None) -> dict[int, float]:
        """The document, whatever the words are."""
        return {self._source.id: 1.0}

    def entry(self, document: int) -> Entry:
        """The document's passages."""
        return self._entry

    def close(self) -> None:
        """Nothing is open."""


def search(
    index_or_file: str | os.PathLike[str], query: str, k: int = 5, *, source: str | None = None
) -> list[Hit]:
    """The k passages of an index, or of a file, that answer a question best, best first."""
    if not isinstance(index_or_file, str | os.PathLike):
        raise UsageError(
            f"a file or an index can be asked, not a {type(index_or_file).__name__}",
            advice="give the path of a PDF, of a document in held's JSON, or of an index",
        )
    with Index.open(index_or_file) as index:
        return index.search(query, k, source=source)
