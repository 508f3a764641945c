"""An index in a Lance data set, the engine for many machines: on a disk or an object store.

Two tables: `documents` with what the ranker needs, `sections` with the words that candidates are found by, as
held's own tokens, so that Chinese is found like English, and perhaps a vector. The sections of a document
are written before it: a writer that is killed leaves sections that nobody asks for, and doing the document
again replaces them. Deleting and adding are commits of Lance: others may search, and write, meanwhile.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from held.errors import InputError, UsageError
from held.retrieval.bm25 import Floats
from held.retrieval.engine import LANCE, Source, documents_of_sections
from held.retrieval.hybrid import Embed, text_to_embed, vectors_of
from held.retrieval.packing import UNREADABLE, Entry, packed, unpacked
from held.retrieval.sections import members_of_sections, sections

_DOCUMENTS, _SECTIONS = "documents", "sections"
_ENTRIES_KEPT = 64  # documents that stay in memory between questions
_SECTIONS_FOUND = 200  # that tell which documents are worth ranking
_MOST_WORDS = 64  # of a question
_WRITTEN_TOGETHER = 100  # documents: each commit costs files
_ID_BITS = 63  # of a document's id: Lance's whole numbers have a sign


class _Row(NamedTuple):
    """A document that waits to be written."""

    source: Source
    content: bytes
    entry: Entry


class LanceStore:
    """A Lance index that is open to be searched."""

    def __init__(self, name: str | os.PathLike[str]) -> None:
        self.path = os.fspath(name).removeprefix(LANCE)
        self._database = _connected(self.path)
        self._sources: tuple[int, list[Source]] | None = None
        self.entry = lru_cache(_ENTRIES_KEPT)(self._read_entry)

    def close(self) -> None:
        """Lance keeps nothing open that has to be closed."""

    def sources(self) -> list[Source]:
        """The documents in the index, by their paths; read again only when it has changed."""
        table = self._table(_DOCUMENTS)
        version = int(table.version)
        if self._sources is None or self._sources[0] != version:
            rows = table.search().select(list(Source._fields)).limit(None).to_list()
            self._sources = version, sorted(map(_source, rows), key=lambda source: source.path)
            self.entry.cache_clear()
        return self._sources[1]

    def documents_with(self, words: Sequence[str], vector: Floats | None = None) -> dict[int, float]:
        """The documents that may answer, best first: BM25 of sections, and how alike their vectors are."""
        by_words = documents_of_sections(self._sections_with(words))
        if vector is None:
            return by_words
        by_vectors = documents_of_sections(self._sections_like(vector))
        return _fused(by_words, by_vectors)

    def _sections_with(self, words: Sequence[str]) -> list[tuple[int, float]]:
        from lancedb.query import MatchQuery

        asked = list(dict.fromkeys(words))[:_MOST_WORDS]
        query = MatchQuery(" ".join(asked), "words")
        found = self._table(_SECTIONS).search(query, query_type="fts").limit(_SECTIONS_FOUND)
        rows = found.select(["document", "_score"]).to_list()
        return [(row["document"], row["_score"]) for row in rows]

    def _sections_like(self, vector: Floats) -> list[tuple[int, float]]:
        table = self._table(_SECTIONS)
        if "vector" not in table.schema.names:
            return []
        found = table.search(vector).metric("cosine").limit(_SECTIONS_FOUND)
        rows = found.select(["document", "_distance"]).to_list()
        return [(row["document"], max(0.0, 1.0 - row["_distance"])) for row in rows]

    def _read_entry(self, document: int) -> Entry:
        found = self._table(_DOCUMENTS).search().where(f"id = {document}").select(["content"]).limit(1)
        with self._damage_named():
            ((content,),) = (row.values() for row in found.to_list())
            return unpacked(content, self._damage_named)

    @contextmanager
    def _damage_named(self) -> Iterator[None]:
        try:
            yield
        except UNREADABLE as error:
            raise InputError("is damaged", file=self.path, advice="index the documents again") from error

    def _table(self, name: str) -> Any:
        try:
            return self._database.open_table(name)
        except RuntimeError as error:
            raise _refused(self.path, error) from error
        except (ValueError, OSError) as error:
            advice = "`held index FILES -o lance:PATH` makes one"
            raise InputError("is no index in a Lance data set", file=self.path, advice=advice) from error


class LanceWriter(LanceStore):
    """A Lance index that is changed; several processes may do so, each with documents of its own."""

    def __init__(self, name: str | os.PathLike[str], *, embed: Embed | None = None) -> None:
        super().__init__(name)
        self._embed = embed
        self._waiting: dict[str, _Row] = {}

    def put(
        self, path: str, content: bytes, *, digest: str = "", maker: str = "", lost: Sequence[int] = ()
    ) -> None:
        """Adds a document that was packed; it is there after the next `flush`."""
        entry = unpacked(content)
        if self._embed is not None:
            texts = [text_to_embed(passage) for passage in entry.document.passages]
            entry = replace(entry, vectors=vectors_of(texts, self._embed))
            content = packed(entry)
        passages = len(entry.document.passages)
        source = Source(lance_id(path), path, digest, maker, entry.pages, passages, tuple(lost))
        self._waiting[path] = _Row(source, content, entry)
        if len(self._waiting) >= _WRITTEN_TOGETHER:
            self.flush()

    def remove(self, path: str) -> None:
        """Takes out the document that came from a path."""
        self.flush()
        for table, column in ((_DOCUMENTS, "id"), (_SECTIONS, "document")):
            self._table(table).delete(f"{column} = {lance_id(path)}")

    def sources(self) -> list[Source]:
        """The documents in the index, none where it is not made yet."""
        return super().sources() if _DOCUMENTS in _tables(self._database) else []

    def flush(self) -> None:
        """Writes what waits: sections first, for a document that is there is there with all of them."""
        rows = list(self._waiting.values())
        if not rows:
            return
        self._replace(_SECTIONS, "document", rows, _sections_table(rows))
        self._replace(_DOCUMENTS, "id", rows, _documents_table(rows))
        self._waiting.clear()

    def finish(self) -> None:
        """Writes what waits, and brings the full-text index up to date."""
        self.flush()
        if _SECTIONS not in _tables(self._database):
            return
        from lancedb.index import FTS

        table = self._table(_SECTIONS)
        if any(index.columns == ["words"] for index in table.list_indices()):
            table.optimize()
            return
        # The words are tokens already: Lance has only to part them at spaces.
        ready = {"lower_case": False, "stem": False, "remove_stop_words": False, "ascii_folding": False}
        config = FTS(base_tokenizer="whitespace", max_token_length=None, **ready)
        table.create_index("words", config=config)

    def _replace(self, name: str, column: str, rows: Sequence[_Row], new: Any) -> None:
        """Adds rows to a table, in place of those of the same documents."""
        if name not in _tables(self._database):
            self._database.create_table(name, new)
            return
        table = self._table(name)
        table.delete(f"{column} IN ({', '.join(str(row.source.id) for row in rows)})")
        table.add(new)


@contextmanager
def writing_lance(name: str | os.PathLike[str], *, embed: Embed | None = None) -> Iterator[LanceWriter]:
    """The index to be changed; what was put is there afterwards, also when the run is interrupted."""
    writer = LanceWriter(name, embed=embed)
    try:
        yield writer
    finally:
        writer.finish()


def _source(row: dict[str, Any]) -> Source:
    found = Source(*(row[name] for name in Source._fields))
    return found._replace(lost=tuple(found.lost))


def lance_id(path: str) -> int:
    """The number of a document, made of its path: every writer gives it the same."""
    digest = hashlib.sha256(path.encode("utf-8", "surrogatepass")).digest()
    return int.from_bytes(digest[:8], "big") >> (64 - _ID_BITS)


def _fused(by_words: dict[int, float], by_vectors: dict[int, float]) -> dict[int, float]:
    """Both scores of each document, each over the best of its kind, added."""
    parts = [(found, max(found.values(), default=0.0) or 1.0) for found in (by_words, by_vectors)]
    documents = {document for found, _ in parts for document in found}
    scores = {d: sum(found.get(d, 0.0) / best for found, best in parts) for d in documents}
    return dict(sorted(scores.items(), key=lambda item: -item[1]))


def _sections_table(rows: Sequence[_Row]) -> Any:
    import pyarrow as pa

    documents, words, vectors = [], [], []
    for row in rows:
        found = sections(row.entry.document)
        documents += [row.source.id] * len(found)
        words += [f"{section.path} {section.body}" for section in found]
        if row.entry.vectors is not None:
            members = members_of_sections(row.entry.document)
            vectors += [np.mean(row.entry.vectors[own], axis=0) for own in members]
    columns = {"document": pa.array(documents, pa.int64()), "words": pa.array(words, pa.string())}
    if vectors:
        columns["vector"] = pa.array(list(vectors), pa.list_(pa.float32(), len(vectors[0])))
    return pa.table(columns)


def _documents_table(rows: Sequence[_Row]) -> Any:
    import pyarrow as pa

    names = ("path", "digest", "maker")
    columns: dict[str, Any] = {"id": pa.array([row.source.id for row in rows], pa.int64())}
    columns |= {name: pa.array([getattr(row.source, name) for row in rows], pa.string()) for name in names}
    columns |= {
        name: pa.array([getattr(row.source, name) for row in rows], pa.int64())
        for name in ("pages", "passages")
    }
    columns["lost"] = pa.array([list(row.source.lost) for row in rows], pa.list_(pa.int64()))
    columns["content"] = pa.array([row.content for row in rows], pa.large_binary())
    return pa.table(columns)


def _tables(database: Any) -> list[str]:
    return list(database.list_tables().tables)


def _connected(path: str) -> Any:
    os.environ.setdefault("LANCE_LOG", "error")  # what it tells of its own work is nobody's concern here
    try:
        import lancedb
    except ImportError as error:
        advice = "pip install 'held[lance]'"
        raise UsageError("an index in a Lance data set needs lancedb", advice=advice) from error
    try:
        return lancedb.connect(path)
    except (RuntimeError, ValueError, OSError) as error:
        raise _refused(path, error) from error


def _refused(path: str, error: Exception) -> InputError:
    """What a store says of itself, without the place in Lance's source."""
    reason = str(error).partition("\n")[0].partition(", /")[0]
    return InputError(f"cannot be reached: {reason.removeprefix('lance error: ')}", file=path)
