"""Passages that answer a question, out of one document or of many.

In a document the ranker decides. Its scores come from the document's own statistics, so those of two
documents do not compare; among many, the full-text index first says which documents are about the question
at all, and how much each: a passage's score is weighed with that of its document.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatch
from html import escape
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from held.errors import UsageError
from held.retrieval.bm25 import Floats
from held.retrieval.features import Searchable
from held.retrieval.highlight import Span, matches
from held.retrieval.packing import Entry
from held.retrieval.query import asked
from held.retrieval.ranker import rank
from held.retrieval.store import Source

DOCUMENTS = 10  # that are ranked, of those that the full-text index finds
LONGEST_QUERY = 2_000  # characters; what follows tells nothing more


class Searched(Protocol):
    """What can be asked: an index, or a single file."""

    def sources(self) -> list[Source]: ...
    def documents_with(self, words: Sequence[str]) -> dict[int, float]: ...
    def entry(self, document: int) -> Entry: ...


@dataclass(frozen=True, slots=True)
class Hit:
    """A passage that answers a question.

    `path` are the headings above it, from the top. `page` counts from 1, `label` is what is printed as its
    number where the file says. `object` is the first of its objects, as `held extract` counts them.
    `matches` are the places in the text that have words that were looked for.
    `missing` tells that the source is no longer where it was read.
    """

    text: str
    path: tuple[str, ...]
    page: int
    score: float
    source: str
    label: str | None = None
    pages: tuple[int, ...] = ()
    kind: str = "paragraph"
    object: int = 0
    matches: tuple[Span, ...] = ()
    missing: bool = False

    def _repr_html_(self) -> str:
        """What notebooks show: where the passage stands, and its text."""
        where = f"{' › '.join(self.path)} · page {self.label or self.page} · {self.score:.2f}"
        return f"<p><small>{escape(where)}</small><br>{escape(self.text)}</p>"

    def to_json(self) -> dict[str, Any]:
        """The hit as a JSON object."""
        return {
            "text": self.text,
            "path": list(self.path),
            "page": self.page,
            "label": self.label,
            "pages": list(self.pages),
            "kind": self.kind,
            "object": self.object,
            "score": round(self.score, 4),
            "source": self.source,
            "missing": self.missing,
            "matches": [list(span) for span in self.matches],
        }


def hits_in(searched: Searched, query: str, *, k: int = 5, source: str | None = None) -> list[Hit]:
    """The passages that answer best, best first; none if no passage has a word of the question."""
    query = query[:LONGEST_QUERY]
    words = words_of(query)
    if k < 1:
        raise UsageError(f"{k} hits were asked for", advice="ask for one at least")
    sources = {found.id: found for found in chosen(searched.sources(), source)}
    weights = _weights(searched, [word for word in words if words[word] == 1], list(sources))
    found: list[tuple[float, int, int]] = []
    for document, weight in weights.items():
        ready = searched.entry(document).document
        scores = weight * _relevance(query, ready)
        having = np.flatnonzero(_has_any(ready, words))
        best = having[np.argsort(-scores[having], kind="stable")[:k]]
        found += [(float(scores[passage]), document, int(passage)) for passage in best]
    found.sort(key=lambda item: -item[0])
    return [_hit(searched, sources[document], n, score, words) for score, document, n in found[:k]]


def words_of(query: str) -> dict[str, float]:
    """The words that a question asks for, by weight; an error if it has none."""
    words = asked(query)
    if not words:
        raise UsageError("the question has no words", advice="ask with letters or digits")
    return words


def chosen(sources: Sequence[Source], name: str | None) -> list[Source]:
    """The sources that a name means: a path or its end, a folder, a pattern such as *2018*; else all."""
    if name is None:
        return list(sources)
    found = [source for source in sources if _is_meant(source.path, name)]
    if not found:
        known = ", ".join(os.path.basename(source.path) for source in sources[:5])
        more = ", …" if len(sources) > 5 else ""
        raise UsageError(f"no source is called {name}", advice=f"there are: {known}{more}")
    return found


def _is_meant(path: str, name: str) -> bool:
    whole = os.path.abspath(name)
    return (
        path == whole
        or path.startswith(whole + os.sep)
        or path.endswith(os.sep + name)
        or fnmatch(os.path.basename(path), name)
        or os.path.splitext(os.path.basename(path))[0] == name
    )


def _weights(searched: Searched, words: Sequence[str], documents: Sequence[int]) -> dict[int, float]:
    """The documents to be ranked, and how much each is about the question: the best 1."""
    if len(documents) <= 1:
        return dict.fromkeys(documents, 1.0)
    wanted = set(documents)
    scores = {document: s for document, s in searched.documents_with(words).items() if document in wanted}
    best = list(scores)[:DOCUMENTS]
    return {document: scores[document] / scores[best[0]] for document in best}


def _relevance(query: str, document: Searchable) -> Floats:
    """How well each passage of a document answers, from 0 on."""
    return np.maximum(rank(query, document), 0)


def _has_any(document: Searchable, words: Iterable[str]) -> NDArray[np.bool_]:
    """Which passages have one of the words, themselves or in a heading above them."""
    having = np.zeros(len(document.postings.lengths), np.bool_)
    for word in words:
        having[document.postings.having(word)[0]] = True
    found = having[: len(document.passages)].copy()
    found[document.below[having[document.above]]] = True
    return found


def _hit(searched: Searched, source: Source, number: int, score: float, words: Collection[str]) -> Hit:
    entry = searched.entry(source.id)
    passage = entry.document.passages[number]
    return Hit(
        text=passage.text,
        path=passage.path,
        page=passage.page,
        score=score,
        source=source.path,
        label=entry.label(passage.page),
        pages=passage.pages,
        kind=passage.kind.value,
        object=passage.object,
        matches=tuple(matches(passage.text, words)),
        missing=source.missing,
    )
