"""An index, the first engine: many documents in one SQLite file, searched while another process adds to it.

Each document is a transaction of its own, so a killed writer loses what it was about to add and nothing
else. Searching sees the last commit. A second writer is refused at once.
"""

from __future__ import annotations

import json
import os
import sqlite3
import weakref
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from functools import lru_cache, partial
from pathlib import Path
from threading import RLock
from typing import Any, Self

from held.errors import InputError
from held.retrieval.bm25 import Floats
from held.retrieval.engine import Source, documents_of_sections
from held.retrieval.packing import Entry, unpacked
from held.retrieval.schema import damage_named, is_index, open_to_read, open_to_write
from held.retrieval.sections import Section, sections

ENTRIES_KEPT = 64  # documents that stay in memory between questions
MOST_WORDS = 64  # of a question, the rarest, that are looked for
SECTIONS = 200  # that tell which documents are worth ranking
COMMON = 0.1  # a word that a greater share of the sections has finds nothing and costs much ...
FEW = 1000  # ... unless there are few of them
_WEIGHTS = "1.0, 1.0"  # of the heading path and of the text


class Store:
    """An index that is open to be searched, by any thread."""

    def __init__(self, path: str | os.PathLike[str], connection: sqlite3.Connection) -> None:
        self.path = Path(path)
        self._connection = connection
        # Retrievers have no end of their own: what they opened is closed when they are gone.
        self._closing = weakref.finalize(self, connection.close)
        self._lock = RLock()
        self.entry = lru_cache(ENTRIES_KEPT)(self._read_entry)

    @classmethod
    def open(cls, path: str | os.PathLike[str]) -> Self:
        """The index in a file."""
        return cls(path, open_to_read(Path(path)))

    def close(self) -> None:
        """Ends the use of the file."""
        self._closing()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    @contextmanager
    def unchanging(self) -> Iterator[None]:
        """A time in which the index stays as it is, whatever another process commits."""
        with self._lock:
            self.rows("BEGIN")
            try:
                yield
            finally:
                self._connection.rollback()

    def sources(self) -> list[Source]:
        """The documents in the index, in the order in which they were added."""
        rows = self.rows("SELECT id, source, digest, maker, pages, passages, lost FROM documents ORDER BY id")
        with damage_named(self.path):
            return [Source(*row)._replace(lost=tuple(json.loads(row[-1]))) for row in rows]

    def documents_with(self, words: Sequence[str], vector: Floats | None = None) -> dict[int, float]:
        """The documents that may answer, best first, with a score: BM25 of the sections that answer best."""
        return documents_of_sections(self._best_sections(words))

    def _best_sections(self, words: Sequence[str]) -> list[tuple[int, float]]:
        """The document and the BM25 score of the sections that answer best, best first."""
        asked = self._telling(words)
        if not asked:
            return []
        return self.rows(
            f"SELECT document, -bm25(words, {_WEIGHTS}) AS score FROM words "
            "JOIN sections ON sections.id = words.rowid WHERE words MATCH ? ORDER BY score DESC LIMIT ?",
            (" OR ".join(f'"{word}"' for word in asked), SECTIONS),
        )

    def _telling(self, words: Sequence[str]) -> list[str]:
        """The words that the index has, without those that are everywhere unless all are."""
        wanted = list(dict.fromkeys(words))
        marks = ",".join("?" * len(wanted))
        found = dict(self.rows(f"SELECT term, doc FROM vocabulary WHERE term IN ({marks})", wanted))
        (total,) = self.rows("SELECT count(*) FROM sections")[0]
        by_rarity = sorted(found, key=found.__getitem__)
        few = max(FEW, COMMON * total)
        return [word for word in by_rarity if found[word] <= few][:MOST_WORDS] or by_rarity[:1]

    def _read_entry(self, document: int) -> Entry:
        ((content,),) = self.rows("SELECT content FROM documents WHERE id = ?", (document,))
        watch = partial(damage_named, self.path)
        with watch():
            return unpacked(content, watch)

    def rows(self, statement: str, values: Sequence[object] = ()) -> list[Any]:
        """What the database answers."""
        with self._lock, damage_named(self.path):
            return self._connection.execute(statement, values).fetchall()


class StoreWriter(Store):
    """An index that is open to be changed, by this process alone."""

    def put(
        self, path: str, content: bytes, *, digest: str = "", maker: str = "", lost: Sequence[int] = ()
    ) -> None:
        """Adds a document that was packed, in place of what was there from the same path."""
        with self._whole_change():
            entry = unpacked(content)
            passages = len(entry.document.passages)
            self._take_out(path)
            cursor = self._connection.execute(
                "INSERT INTO documents (source, digest, maker, pages, passages, lost, content) "
                "VALUES (?, ?, ?, ?, ?, ?, ?)",
                (path, digest, maker, entry.pages, passages, json.dumps(list(lost)), content),
            )
            self._add_words(cursor.lastrowid, sections(entry.document))

    def remove(self, path: str) -> None:
        """Takes out the document that came from a path."""
        with self._whole_change():
            self._take_out(path)

    @contextmanager
    def _whole_change(self) -> Iterator[None]:
        with damage_named(self.path):
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield
            except BaseException:
                self._connection.rollback()
                raise
            self._connection.commit()

    def _add_words(self, document: int | None, rows: Sequence[Section]) -> None:
        for section in rows:
            cursor = self._connection.execute("INSERT INTO sections (document) VALUES (?)", (document,))
            self._connection.execute(
                "INSERT INTO words (rowid, path, body) VALUES (?, ?, ?)", (cursor.lastrowid, *section)
            )

    def _take_out(self, path: str) -> None:
        found = self.rows("SELECT id, content FROM documents WHERE source = ?", (path,))
        for document, content in found:
            ids = self.rows("SELECT id FROM sections WHERE document = ? ORDER BY id", (document,))
            # The full-text index keeps no copy of what it was given: it must be told what to forget.
            for (id_,), section in zip(ids, sections(unpacked(content).document), strict=True):
                self._connection.execute(
                    "INSERT INTO words (words, rowid, path, body) VALUES ('delete', ?, ?, ?)", (id_, *section)
                )
            self._connection.execute("DELETE FROM sections WHERE document = ?", (document,))
            self._connection.execute("DELETE FROM documents WHERE id = ?", (document,))


@contextmanager
def writing(path: str | os.PathLike[str]) -> Iterator[StoreWriter]:
    """The index to be changed, made where there was none; an error if another process is at it.

    One that was made now and got no document is gone afterwards: nobody would know what it is for.
    """
    with _only_writer(Path(path)), ExitStack() as at_the_end:
        if not is_index(Path(path)):
            at_the_end.callback(_remove_without_documents, Path(path))
        with StoreWriter(path, open_to_write(Path(path))) as writer:
            yield writer


def _remove_without_documents(path: Path) -> None:
    if is_index(path):
        with Store.open(path) as made:
            documents = made.sources()
        if not documents:
            with suppress(OSError):  # some systems keep what is open
                path.unlink()


@contextmanager
def _only_writer(path: Path) -> Iterator[None]:
    """Holds the writer's lock, which the system takes back even if the process is killed.

    It is a lock of SQLite on an empty file beside the index, as SQLite's own on the index end with each
    commit.
    """
    lock = path.with_name(f"{path.name}.lock")
    try:
        connection = sqlite3.connect(lock, timeout=0, isolation_level=None)
        with closing(connection):
            connection.execute("BEGIN EXCLUSIVE")
            try:
                yield
            finally:
                with suppress(OSError):  # some systems keep what is open
                    lock.unlink()
    except sqlite3.OperationalError as error:
        if "locked" in str(error):
            advice = "wait for the other `held index`; searching goes on meanwhile"
            raise InputError("is being written by another process", file=path, advice=advice) from error
        raise InputError(f"cannot be written: {error}", file=path) from error
