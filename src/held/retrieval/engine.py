"""Search engines: they store the documents of an index and find the candidates for a question.

`SearchEngine` is the protocol; SQLite, Lance and a single document in memory implement it. An engine finds
documents that may answer. The ranker alone orders their passages, so all engines give the same answers for
the same candidates. Full-text search works on sections, which are bags of words of a few passages.
"""

from __future__ import annotations

import os
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple, Protocol

import numpy as np

from held.retrieval.bm25 import Floats, InvertedIndex
from held.retrieval.document_index import DocumentIndex, IndexEntry

LANCE = "lance:"
"""The prefix of an index name that is a Lance dataset."""

MAX_SECTION_PASSAGES = 30  # a longer section becomes several rows
CACHED_ENTRIES = 64  # documents that stay in memory between questions
MAX_QUERY_WORDS = 64  # of a question that are looked up
MAX_SECTIONS = 200  # that decide which documents are worth ranking

_ESCAPED_BYTE = re.compile(rb"\\x([89a-f][0-9a-f])")  # as `source_name` writes it


def is_lance(path: str | os.PathLike[str]) -> bool:
    """Whether an index name is that of a Lance dataset."""
    return os.fspath(path).startswith(LANCE)


def source_name(file: str | os.PathLike[str]) -> str:
    """The name of a file in an index: its absolute path, with bytes that are not UTF-8 escaped as `\\xff`."""
    return os.fsencode(os.path.abspath(file)).decode("utf-8", "backslashreplace")


def source_file(name: str) -> str:
    """The path of the file with this `source_name`."""
    if os.path.exists(name):
        return name
    escaped = os.fsencode(name)
    return os.fsdecode(_ESCAPED_BYTE.sub(lambda byte: bytes.fromhex(byte[1].decode()), escaped))


class Source(NamedTuple):
    """A document of an index. `maker` is a hash of the options and the model, `lost` has unreadable pages."""

    id: int
    path: str
    digest: str
    maker: str
    pages: int
    passages: int
    lost: tuple[int, ...] = ()

    @property
    def missing(self) -> bool:
        """Whether the file no longer exists."""
        return not os.path.exists(source_file(self.path))


class SearchEngine(Protocol):
    """Documents that can be searched."""

    def sources(self) -> list[Source]:
        """The documents, in the order in which they were added."""
        ...

    def candidates(self, words: Sequence[str], vector: Floats | None = None) -> dict[int, float]:
        """The ids of documents that may answer, best first, each with a score of at least 0.

        `vector` is the user's embedding of the question, for engines that store vectors.
        """
        ...

    def entry(self, document: int) -> IndexEntry:
        """The passages of a document, ready for the ranker."""
        ...

    def close(self) -> None:
        """Closes what is open."""
        ...


class IndexWriter(SearchEngine, Protocol):
    """An index that can be changed."""

    def put(
        self, path: str, content: bytes, *, digest: str = "", maker: str = "", lost: Sequence[int] = ()
    ) -> None:
        """Adds the entry of a document as bytes, and replaces the one from the same path."""
        ...

    def remove(self, path: str) -> None:
        """Removes the document from a path."""
        ...


class SingleDocument:
    """The engine for one document in memory."""

    def __init__(self, path: str | os.PathLike[str], entry: IndexEntry) -> None:
        self._entry = entry
        passages = len(entry.document.passages)
        self._source = Source(1, os.path.abspath(path), "", "", entry.pages, passages)

    def sources(self) -> list[Source]:
        """The document."""
        return [self._source]

    def candidates(self, words: Sequence[str], vector: Floats | None = None) -> dict[int, float]:
        """The document, whatever the words are."""
        return {self._source.id: 1.0}

    def entry(self, document: int) -> IndexEntry:
        """The document's passages."""
        return self._entry

    def close(self) -> None:
        """Nothing is open."""


def rank_documents(section_scores: Iterable[tuple[int, float]]) -> dict[int, float]:
    """The documents, best first, from the document and the score of each section, best section first.

    Each further section of a document counts less: a half, a third … So a document about nothing else comes
    before one that mentions the topic once, and a single matching section is found, too.
    """
    totals: dict[int, float] = defaultdict(float)
    sections: Counter[int] = Counter()
    for document, score in section_scores:
        sections[document] += 1
        totals[document] += score / sections[document]
    best_first = sorted(totals, key=totals.__getitem__, reverse=True)
    return {document: totals[document] for document in best_first}


class IndexedSection(NamedTuple):
    """The words of the headings above a section, and of its passages, in any order."""

    path: str
    body: str


def build_sections(document: DocumentIndex) -> list[IndexedSection]:
    """The sections of a document.

    They come from its inverted index, which is stored. So the same sections come back when the document is
    removed from a full-text index that keeps no copy of them.
    """
    words = _words_of_texts(document.texts)
    heading_words: dict[int, list[str]] = {}
    headings, passages = document.heading.tolist(), document.below.tolist()
    for heading, passage in zip(headings, passages, strict=True):
        heading_words.setdefault(passage, []).append(words[heading])
    sections = []
    for members in section_members(document):
        path = " ".join(heading_words.get(members[0], ()))  # all members have the same headings
        body = " ".join(words[passage] for passage in members)
        sections.append(IndexedSection(path, body))
    return sections


def section_members(document: DocumentIndex) -> list[list[int]]:
    """The passages of each section; a long section is split."""
    found: list[list[int]] = []
    ancestors = None
    for number, passage in enumerate(document.passages):
        is_new = passage.ancestors != ancestors or len(found[-1]) == MAX_SECTION_PASSAGES
        if is_new:
            found.append([])
            ancestors = passage.ancestors
        found[-1].append(number)
    return found


def _words_of_texts(index: InvertedIndex) -> list[str]:
    """The words of each text, repeated as often as they occur, separated by spaces."""
    # Postings come word by word. A stable sort by text brings the words of a text together, in order.
    order = np.argsort(index.texts, kind="stable")
    sorted_texts = index.texts[order]
    text_count = len(index.lengths)
    ends = np.searchsorted(sorted_texts, np.arange(1, text_count + 1))
    boundaries = ends[:-1]
    word_numbers = np.split(index.word_of_posting[order], boundaries)
    counts = np.split(index.counts[order], boundaries)
    texts = []
    for numbers, repetitions in zip(word_numbers, counts, strict=True):
        repeated = np.repeat(numbers, repetitions).tolist()
        texts.append(" ".join(index.words[number] for number in repeated))
    return texts
