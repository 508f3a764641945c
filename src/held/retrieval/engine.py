"""What the ranker needs of whatever keeps the documents: candidates, and their passages.

One small protocol. An SQLite index (`store`) is its first implementation, a single file (`index.OneFile`)
its smallest. An engine finds which documents may answer; in which order their passages do is for the ranker
alone, so that every engine gives the same answers for the same candidates.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import NamedTuple, Protocol

from held.retrieval.packing import Entry


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
        return not os.path.exists(self.path)


class Engine(Protocol):
    """What can be asked."""

    def sources(self) -> list[Source]:
        """The documents, in the order in which they were added."""
        ...

    def documents_with(self, words: Sequence[str]) -> dict[int, float]:
        """The documents that may answer, by id, best first, each with a score from 0 on."""
        ...

    def entry(self, document: int) -> Entry:
        """The passages of a document, ready for the ranker."""
        ...
