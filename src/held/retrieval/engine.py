"""What the ranker needs of whatever keeps the documents: candidates, and their passages.

One small protocol. An SQLite index (`store`) is its first implementation, a Lance data set (`lance`) the one
for many machines, a single file (`index.OneFile`) its smallest. An engine finds which documents may answer;
in which order their passages do is for the ranker alone, so that every engine gives the same answers for the
same candidates.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple, Protocol

from held.retrieval.bm25 import Floats
from held.retrieval.packing import Entry

LANCE = "lance:"
"""How the name of an index begins that is a Lance data set."""

_WRITTEN_BYTE = re.compile(rb"\\x([89a-f][0-9a-f])")  # as `name_of` writes it


def is_lance(path: str | os.PathLike[str]) -> bool:
    """Whether a name is that of a Lance data set."""
    return os.fspath(path).startswith(LANCE)


def name_of(file: str | os.PathLike[str]) -> str:
    """What an index calls a source: its whole path, with bytes that are no UTF-8 written as `\\xff`."""
    return os.fsencode(os.path.abspath(file)).decode("utf-8", "backslashreplace")


def file_named(name: str) -> str:
    """The path of the file that `name_of` gave this name."""
    if os.path.exists(name):
        return name
    written = os.fsencode(name)
    return os.fsdecode(_WRITTEN_BYTE.sub(lambda byte: bytes.fromhex(byte[1].decode()), written))


class Source(NamedTuple):
    """A document of an index, and where it came from; `lost` are its pages that could not be read."""

    id: int
    path: str
    digest: str
    maker: str
    pages: int
    passages: int
    lost: tuple[int, ...] = ()

    @property
    def missing(self) -> bool:
        """Whether the file is no longer where it was read."""
        return not os.path.exists(file_named(self.path))


class Engine(Protocol):
    """What can be asked."""

    def sources(self) -> list[Source]:
        """The documents, in the order in which they were added."""
        ...

    def documents_with(self, words: Sequence[str], vector: Floats | None = None) -> dict[int, float]:
        """The documents that may answer, by id, best first, each with a score from 0 on.

        `vector` is that of the question, for engines that keep vectors.
        """
        ...

    def entry(self, document: int) -> Entry:
        """The passages of a document, ready for the ranker."""
        ...

    def close(self) -> None:
        """Ends the use of what it holds open."""
        ...


class EngineWriter(Engine, Protocol):
    """What can be changed, too."""

    def put(
        self, path: str, content: bytes, *, digest: str = "", maker: str = "", lost: Sequence[int] = ()
    ) -> None:
        """Adds a document that was packed, in place of what was there from the same path."""
        ...

    def remove(self, path: str) -> None:
        """Takes out the document that came from a path."""
        ...


def documents_of_sections(scores: Iterable[tuple[int, float]]) -> dict[int, float]:
    """The documents of sections that answer, best first, from the document and the score of each section.

    Each further section of a document counts less: half, a third … So a document that speaks of nothing else
    goes before one that mentions it once, but a single fitting section is found, too.
    """
    found: dict[int, list[float]] = {}
    for document, score in scores:
        found.setdefault(document, []).append(score)
    totals = {document: sum(s / n for n, s in enumerate(own, 1)) for document, own in found.items()}
    return dict(sorted(totals.items(), key=lambda item: -item[1]))
