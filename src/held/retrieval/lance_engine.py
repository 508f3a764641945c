"""The Lance engine, for many machines: an index in a Lance dataset, on a disk or in an object store.

`documents` has the entries that the ranker needs. `sections` has our own tokens, so that Chinese is found
like English, and perhaps a vector. The sections of a document are written before its entry: a killed writer
leaves sections that nobody refers to, and indexing the document again replaces them. Deletes and additions
are commits of Lance: other processes may search and write meanwhile.
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

from held.errors import InputError
from held.retrieval.bm25 import Floats
from held.retrieval.document_index import DAMAGE_ERRORS, IndexEntry, entry_from_bytes, entry_to_bytes
from held.retrieval.embeddings import Embed, embed_passages
from held.retrieval.engine import (
    CACHED_ENTRIES,
    LANCE,
    MAX_QUERY_WORDS,
    MAX_SECTIONS,
    Source,
    build_sections,
    rank_documents,
    section_members,
)
from held.system.optional_packages import missing_package

_DOCUMENTS, _SECTIONS = "documents", "sections"
_DOCUMENTS_PER_COMMIT = 100  # each commit costs files
_ID_BITS = 63  # of a document's id: Lance's integers are signed


class _PendingDocument(NamedTuple):
    """A document that is not written yet."""

    source: Source
    content: bytes
    entry: IndexEntry


class LanceEngine:
    """A Lance index that is open for searching."""

    def __init__(self, name: str | os.PathLike[str]) -> None:
        self.path = os.fspath(name).removeprefix(LANCE)
        self._database = _connect(self.path)
        self._sources: tuple[int, list[Source]] | None = None
        self.entry = lru_cache(CACHED_ENTRIES)(self._read_entry)

    def close(self) -> None:
        """Lance keeps nothing open."""

    def sources(self) -> list[Source]:
        """The documents in the index, sorted by path; read again only after a change."""
        table = self._table(_DOCUMENTS)
        version = int(table.version)
        if self._sources is None or self._sources[0] != version:
            columns = list(Source._fields)
            rows = table.search().select(columns).limit(None).to_list()
            sources = [_source(row) for row in rows]
            sources.sort(key=lambda source: source.path)
            self._sources = version, sources
            self.entry.cache_clear()
        return self._sources[1]

    def candidates(self, words: Sequence[str], vector: Floats | None = None) -> dict[int, float]:
        """The documents that may answer, best first: by the BM25 and the vectors of their sections."""
        by_words = rank_documents(self._sections_by_words(words))
        if vector is None:
            return by_words
        by_vectors = rank_documents(self._sections_by_vector(vector))
        return _fuse_scores(by_words, by_vectors)

    def _sections_by_words(self, words: Sequence[str]) -> list[tuple[int, float]]:
        from lancedb.query import MatchQuery

        distinct = list(dict.fromkeys(words))[:MAX_QUERY_WORDS]
        query = MatchQuery(" ".join(distinct), "words")
        table = self._table(_SECTIONS)
        found = table.search(query, query_type="fts").limit(MAX_SECTIONS)
        rows = found.select(["document", "_score"]).to_list()
        return [(row["document"], row["_score"]) for row in rows]

    def _sections_by_vector(self, vector: Floats) -> list[tuple[int, float]]:
        table = self._table(_SECTIONS)
        if "vector" not in table.schema.names:
            return []
        found = table.search(vector).metric("cosine").limit(MAX_SECTIONS)
        sections = []
        for row in found.select(["document", "_distance"]).to_list():
            cosine = 1.0 - row["_distance"]
            sections.append((row["document"], max(0.0, cosine)))
        return sections

    def _read_entry(self, document: int) -> IndexEntry:
        table = self._table(_DOCUMENTS)
        found = table.search().where(f"id = {document}").select(["content"]).limit(1)
        with self._name_damage():
            (row,) = found.to_list()
            (content,) = row.values()
            return entry_from_bytes(content, self._name_damage)

    @contextmanager
    def _name_damage(self) -> Iterator[None]:
        try:
            yield
        except DAMAGE_ERRORS as error:
            raise InputError("is damaged", file=self.path, advice="index the documents again") from error

    def _table(self, name: str) -> Any:
        try:
            return self._database.open_table(name)
        except RuntimeError as error:
            raise _unreachable(self.path, error) from error
        except (ValueError, OSError) as error:
            advice = "`held index FILES -o lance:PATH` makes one"
            raise InputError("is no index in a Lance data set", file=self.path, advice=advice) from error


class LanceWriter(LanceEngine):
    """A Lance index that is open for changes; several processes may add different documents."""

    def __init__(self, name: str | os.PathLike[str], *, embed: Embed | None = None) -> None:
        super().__init__(name)
        self._embed = embed
        self._pending: dict[str, _PendingDocument] = {}

    def put(
        self, path: str, content: bytes, *, digest: str = "", maker: str = "", lost: Sequence[int] = ()
    ) -> None:
        """Adds the entry of a document as bytes; it can be found after the next `flush`."""
        entry = entry_from_bytes(content)
        if self._embed is not None:
            vectors = embed_passages(entry.document.passages, self._embed)
            entry = replace(entry, vectors=vectors)
            content = entry_to_bytes(entry)
        passages = len(entry.document.passages)
        source = Source(lance_id(path), path, digest, maker, entry.pages, passages, tuple(lost))
        self._pending[path] = _PendingDocument(source, content, entry)
        if len(self._pending) >= _DOCUMENTS_PER_COMMIT:
            self.flush()

    def remove(self, path: str) -> None:
        """Removes the document from a path."""
        self.flush()
        document = lance_id(path)
        self._table(_DOCUMENTS).delete(f"id = {document}")
        self._table(_SECTIONS).delete(f"document = {document}")

    def sources(self) -> list[Source]:
        """The documents in the index, none if it does not exist yet."""
        return super().sources() if _DOCUMENTS in _tables(self._database) else []

    def flush(self) -> None:
        """Writes the pending documents: sections first, so that no document is found without them."""
        rows = list(self._pending.values())
        if not rows:
            return
        self._replace(_SECTIONS, "document", rows, _sections_table(rows))
        self._replace(_DOCUMENTS, "id", rows, _documents_table(rows))
        self._pending.clear()

    def finish(self) -> None:
        """Writes the pending documents and updates the full-text index."""
        self.flush()
        if _SECTIONS not in _tables(self._database):
            return
        from lancedb.index import FTS

        table = self._table(_SECTIONS)
        if any(index.columns == ["words"] for index in table.list_indices()):
            table.optimize()
            return
        # The words are tokens already: Lance only has to split them at spaces.
        config = FTS(
            base_tokenizer="whitespace",
            max_token_length=None,
            lower_case=False,
            stem=False,
            remove_stop_words=False,
            ascii_folding=False,
        )
        table.create_index("words", config=config)

    def _replace(self, name: str, column: str, rows: Sequence[_PendingDocument], new: Any) -> None:
        """Adds rows to a table, and deletes the old rows of the same documents."""
        if name not in _tables(self._database):
            self._database.create_table(name, new)
            return
        table = self._table(name)
        ids = ", ".join(str(row.source.id) for row in rows)
        table.delete(f"{column} IN ({ids})")
        table.add(new)


@contextmanager
def write_lance_index(name: str | os.PathLike[str], *, embed: Embed | None = None) -> Iterator[LanceWriter]:
    """Opens an index for changes; writes all pending documents at the end, even after an interrupt."""
    writer = LanceWriter(name, embed=embed)
    try:
        yield writer
    finally:
        writer.finish()


def _source(row: dict[str, Any]) -> Source:
    fields = {name: row[name] for name in Source._fields}
    fields["lost"] = tuple(row["lost"])
    return Source(**fields)


def lance_id(path: str) -> int:
    """The id of a document, computed from its path: all writers agree on it."""
    name = path.encode("utf-8", "surrogatepass")
    digest = hashlib.sha256(name).digest()
    return int.from_bytes(digest[:8], "big") >> (64 - _ID_BITS)


def _fuse_scores(by_words: dict[int, float], by_vectors: dict[int, float]) -> dict[int, float]:
    """The sum of both scores of each document, each divided by its best."""
    best_words = max(by_words.values(), default=0.0) or 1.0
    best_vectors = max(by_vectors.values(), default=0.0) or 1.0
    fused = {}
    for document in {*by_words, *by_vectors}:
        words = by_words.get(document, 0.0) / best_words
        vectors = by_vectors.get(document, 0.0) / best_vectors
        fused[document] = words + vectors
    return dict(sorted(fused.items(), key=lambda item: -item[1]))


def _sections_table(rows: Sequence[_PendingDocument]) -> Any:
    import pyarrow as pa

    documents, words, vectors = [], [], []
    for row in rows:
        sections = build_sections(row.entry.document)
        documents += [row.source.id] * len(sections)
        words += [f"{section.path} {section.body}" for section in sections]
        if row.entry.vectors is not None:
            # The vector of a section is the mean of its passages.
            for passages in section_members(row.entry.document):
                own = row.entry.vectors[passages]
                vectors.append(np.mean(own, axis=0))
    columns = {"document": pa.array(documents, pa.int64()), "words": pa.array(words, pa.string())}
    if vectors:
        # Lance can only search vectors of a fixed length.
        vector_type = pa.list_(pa.float32(), len(vectors[0]))
        columns["vector"] = pa.array(vectors, vector_type)
    return pa.table(columns)


def _documents_table(rows: Sequence[_PendingDocument]) -> Any:
    import pyarrow as pa

    types = {
        "id": pa.int64(),
        "path": pa.string(),
        "digest": pa.string(),
        "maker": pa.string(),
        "pages": pa.int64(),
        "passages": pa.int64(),
        "lost": pa.list_(pa.int64()),
    }
    columns = {}
    for name, type_ in types.items():
        values = [getattr(row.source, name) for row in rows]
        columns[name] = pa.array(values, type_)
    contents = [row.content for row in rows]
    columns["content"] = pa.array(contents, pa.large_binary())
    return pa.table(columns)


def _tables(database: Any) -> list[str]:
    return list(database.list_tables().tables)


def _connect(path: str) -> Any:
    os.environ.setdefault("LANCE_LOG", "error")  # its own progress is of no use here
    try:
        import lancedb
    except ImportError as error:
        raise missing_package("an index in a Lance data set needs lancedb", "lance") from error
    try:
        return lancedb.connect(path)
    except (RuntimeError, ValueError, OSError) as error:
        raise _unreachable(path, error) from error


def _unreachable(path: str, error: Exception) -> InputError:
    """The error of the object store, without the line in Lance's source."""
    first_line = str(error).partition("\n")[0]
    reason = first_line.partition(", /")[0].removeprefix("lance error: ")
    return InputError(f"cannot be reached: {reason}", file=path)
