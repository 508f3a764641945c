"""Opens what can be searched: an index, or a single file that is read on the spot."""

from __future__ import annotations

import os
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Self

from held.errors import InputError, NotAPdfError, UsageError
from held.extraction import DEFAULTS, ExtractOptions, StageTimer, extract, reading_progress
from held.retrieval.document_index import build_entry
from held.retrieval.embeddings import Embed
from held.retrieval.engine import IndexWriter, SearchEngine, SingleDocument, Source, is_lance
from held.retrieval.query import Concepts, load_concepts
from held.retrieval.search import Hit, VectorCache, search_documents, why_nothing
from held.retrieval.sqlite_engine import SQLiteEngine, is_sqlite_file, write_sqlite_index
from held.system.console import Progress

_DAMAGED_ADVICE = "`held index` makes an index; if this was one, it is damaged: make it anew"


class Index:
    """Documents that can be searched, by any number of threads."""

    def __init__(
        self, engine: SearchEngine, *, concepts: Concepts | None = None, embed: Embed | None = None
    ) -> None:
        self._engine = engine
        self._concepts = concepts
        self._embed = embed
        self._vectors: VectorCache = {}

    @classmethod
    def open(
        cls,
        path: str | os.PathLike[str],
        *,
        model: str = DEFAULTS.model,
        password: str | None = None,
        jobs: int | None = None,
        progress: Progress | None = None,
        names: str | os.PathLike[str] | None = None,
        embed: Embed | None = None,
    ) -> Self:
        """Opens an index of `held index`, or reads any file that `held extract` accepts.

        `lance:PATH` is an index in a Lance dataset, whose PATH may be in an object store. The JSON that
        `held extract` wrote is searched without extracting it again. `names` is a file of further aliases;
        `embed` is a function from texts to vectors, whose similarity then counts beside the words.
        """
        concepts = load_concepts(names)
        if is_lance(path):
            # Lance is an optional dependency.
            from held.retrieval.lance_engine import LanceEngine

            return cls(LanceEngine(path), concepts=concepts, embed=embed)
        file = Path(path)
        if file.is_dir():
            advice = f"index it first: `held index {file} -o {file}.index`, then search {file}.index"
            raise InputError("is a folder", file=file, advice=advice)
        # By its content: an index may have any name.
        if is_sqlite_file(file):
            return cls(SQLiteEngine.open(file), concepts=concepts, embed=embed)
        try:
            timer = StageTimer(reading_progress(progress))
            options = ExtractOptions(model=model)
            hierarchy = extract(file, options, password=password, jobs=jobs, timer=timer)
        except NotAPdfError as error:
            problem = "neither an index nor a document"
            raise InputError(problem, file=file, advice=_DAMAGED_ADVICE) from error
        engine = SingleDocument(path, build_entry(hierarchy, embed=embed))
        return cls(engine, concepts=concepts, embed=embed)

    def search(
        self, query: str, k: int = 5, *, source: str | None = None, explain: bool = False
    ) -> list[Hit]:
        """The k best passages, best first; of one source if it is named.

        With `explain` each hit has the reasons for its rank.
        """
        with self._snapshot():
            return search_documents(
                self._engine,
                query,
                k=k,
                source=source,
                concepts=self._concepts,
                embed=self._embed,
                vectors=self._vectors,
                explain=explain,
            )

    def why_nothing(self, query: str, *, source: str | None = None) -> str:
        """Why a question finds nothing, as a sentence without a full stop."""
        with self._snapshot():
            return why_nothing(self._engine, query, source=source, concepts=self._concepts)

    def _snapshot(self) -> AbstractContextManager[None]:
        # Another process may add documents; one search must see one state.
        return self._engine.snapshot() if isinstance(self._engine, SQLiteEngine) else nullcontext()

    def sources(self) -> list[Source]:
        """The documents that can be searched."""
        return self._engine.sources()

    def close(self) -> None:
        """Closes the file."""
        self._engine.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


def write_index(path: str | os.PathLike[str]) -> AbstractContextManager[IndexWriter]:
    """Opens or creates an index for changes: a file, or `lance:PATH`."""
    if is_lance(path):
        from held.retrieval.lance_engine import write_lance_index

        return write_lance_index(path)
    return write_sqlite_index(path)


def search(
    index_or_file: str | os.PathLike[str],
    query: str,
    k: int = 5,
    *,
    source: str | None = None,
    embed: Embed | None = None,
    explain: bool = False,
) -> list[Hit]:
    """The k best passages of an index, or of a file, for a question, best first.

    `embed` is a function from texts to vectors; with `explain` each hit has the reasons for its rank.
    """
    if not isinstance(index_or_file, str | os.PathLike):
        raise UsageError(
            f"a file or an index can be asked, not a {type(index_or_file).__name__}",
            advice="give the path of a PDF, of a document in held's JSON, or of an index",
        )
    with Index.open(index_or_file, embed=embed) as index:
        return index.search(query, k, source=source, explain=explain)
