"""Passages that answer a question, out of one document or of many.

In a document the ranker decides, and says how probable each answer is. Among many, the engine first says
which documents are about the question at all, and how much each: a passage's probability is weighed with
that. The best passage of each page comes before further ones of the same page, for a reader turns pages.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatch
from html import escape
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from held.document import PageRegion
from held.errors import UsageError
from held.retrieval.bm25 import Floats
from held.retrieval.definitions import row_defining
from held.retrieval.engine import Engine, Source
from held.retrieval.features import Searchable, has_any, row_likeness
from held.retrieval.highlight import Span, matches
from held.retrieval.hybrid import Embed, likeness, text_to_embed, vectors_of
from held.retrieval.names import Names
from held.retrieval.packing import Entry
from held.retrieval.query import Question, in_document, length_of, understood
from held.retrieval.ranker import Ranking, ranking
from held.retrieval.rows import TableRow

DOCUMENTS = 10  # that are ranked, of those that the engine finds
LONGEST_QUERY = 2_000  # characters; what follows tells nothing more
LEAST_PROBABLE = 0.01  # what is less probable is no answer
NOTHING = 0.1  # where the best hit is less probable, the documents have no answer ...
FEW_WORDS = 3  # ... unless so few words were asked for: then they are shown where they stand
LIKE_A_ROW = 0.5  # how like its label is to what was asked for, of a row that is shown as the answer


@dataclass(frozen=True, slots=True)
class Hit:
    """A passage that answers a question.

    `path` are the headings above it, from the top. `page` counts from 1, `label` is what is printed as its
    number where the file says. `score` is the probability that this page answers. `object` is the first of
    its objects, as `held extract` counts them, `boxes` are their places. `matches` are the places in the
    text that have words that were looked for. `row` is the row of a table that answers, with its columns,
    and `unit` what its numbers count. `missing` tells that the source is no longer where it was read.
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
    boxes: tuple[PageRegion, ...] = ()
    row: TableRow | None = None
    unit: str = ""

    def _repr_html_(self) -> str:
        """What notebooks show: where the passage stands, and its text."""
        where = f"{' › '.join(self.path)} · page {self.label or self.page} · {self.score:.0%}"
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
            "boxes": [_place_to_json(part) for part in self.boxes],
            "row": None if self.row is None else _row_to_json(self.row),
            "unit": self.unit,
        }


def _place_to_json(part: PageRegion) -> dict[str, Any]:
    return {"page": part.page, "box": [round(edge, 1) for edge in part.box]}


def _row_to_json(row: TableRow) -> dict[str, Any]:
    values = [{"header": header, "text": text} for header, text in zip(row.headers, row.values, strict=True)]
    return {"label": row.label, "values": values} | (_place_to_json(row.part) if row.part else {})


class Candidate(NamedTuple):
    """A passage of a document, how probable it is, and whether it is the best of its page."""

    probability: float
    first_of_page: bool
    document: int
    passage: int


def hits_in(
    searched: Engine,
    query: str,
    *,
    k: int = 5,
    source: str | None = None,
    names: Names | None = None,
    embed: Embed | None = None,
) -> list[Hit]:
    """The passages that answer best, best first; none if nothing has a word of the question, or hardly one.

    `names` are names of things beside those that ship, `embed` gives vectors for texts.
    """
    question = question_of(query, names)
    if k < 1:
        raise UsageError(f"{k} hits were asked for", advice="ask for one at least")
    sources = {found.id: found for found in chosen(searched.sources(), source)}
    vector = None if embed is None else vectors_of([question.text], embed)[0]
    weights = _weights(searched, question.asked, list(sources), vector)
    found: list[Candidate] = []
    for document, weight in weights.items():
        entry = searched.entry(document)
        found += _candidates(document, weight, entry, _ranked(question, entry, embed), k)
    found.sort(key=lambda one: (not one.first_of_page, -one.probability))
    # Vectors of the user's may find what has none of the words; how sure that is, nobody has measured.
    if embed is None and found and _answers_nothing(found[0], question):
        return []
    return [_hit(searched, sources[one.document], one, question) for one in found[:k]]


def _answers_nothing(best: Candidate, question: Question) -> bool:
    """Whether the best hit is none: improbable, for a question of some words that has no known name."""
    return best.probability < NOTHING and length_of(question.asked) > FEW_WORDS and not question.phrases


def question_of(query: str, names: Names | None = None) -> Question:
    """What a text asks for; an error if it has no words."""
    question = understood(query[:LONGEST_QUERY], names)
    if not question.words:
        raise UsageError("the question has no words", advice="ask with letters or digits")
    return question


class Ranked(NamedTuple):
    """The passages of a document that may answer, and how well."""

    ranking: Ranking
    fit: NDArray[np.bool_]


def _ranked(question: Question, entry: Entry, embed: Embed | None) -> Ranked:
    """How the passages of a document answer; with `embed` also those that have no word of the question."""
    if embed is None:
        found = ranking(question, entry.document)
        return Ranked(found, has_any(entry.document, question.words))
    vectors = entry.vectors
    if vectors is None:
        vectors = vectors_of([text_to_embed(passage) for passage in entry.document.passages], embed)
    found = ranking(question, entry.document, likeness(question.text, vectors, embed))
    return Ranked(found, np.ones(len(entry.document.passages), np.bool_))


def _candidates(document: int, weight: float, entry: Entry, ranked: Ranked, k: int) -> list[Candidate]:
    """The passages of a document that may be among the first k, best first."""
    scores, probabilities = ranked.ranking.scores, ranked.ranking.probabilities
    fit = np.flatnonzero(ranked.fit)
    order = fit[np.argsort(-scores[fit], kind="stable")]
    # A passage that ranks behind another is no surer, whatever single signs say.
    sure = np.minimum.accumulate(probabilities[order])
    firsts: dict[int, int] = {}
    found = []
    for probability, passage in zip(sure.tolist(), order.tolist(), strict=True):
        first = firsts.setdefault(int(entry.document.page[passage]), passage) == passage
        if probability >= LEAST_PROBABLE:
            found.append(Candidate(weight * probability, first, document, passage))
    found.sort(key=lambda one: not one.first_of_page)
    return found[:k]


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


def _weights(
    searched: Engine, words: Sequence[str], documents: Sequence[int], vector: Floats | None
) -> Mapping[int, float]:
    """The documents to be ranked, and how much each is about the question: the best 1."""
    if len(documents) <= 1:
        return dict.fromkeys(documents, 1.0)
    wanted = set(documents)
    found = searched.documents_with(words, vector)
    scores = {document: score for document, score in found.items() if document in wanted}
    best = list(scores)[:DOCUMENTS]
    return {document: scores[document] / scores[best[0]] for document in best}


def _hit(searched: Engine, source: Source, found: Candidate, question: Question) -> Hit:
    entry = searched.entry(source.id)
    passage = entry.document.passages[found.passage]
    row = _row_that_answers(question, entry.document, found.passage)
    page = row.part.page if row and row.part else passage.page
    return Hit(
        text=passage.text,
        path=passage.path,
        page=page,
        score=found.probability,
        source=source.path,
        label=entry.label(page),
        pages=passage.pages,
        kind=passage.kind.value,
        object=passage.object,
        matches=tuple(matches(passage.text, _words(question))),
        missing=source.missing,
        boxes=passage.parts,
        row=row,
        unit=passage.unit,
    )


def _words(question: Question) -> Collection[str]:
    """The words that are marked: those asked for, and those of their other names."""
    return question.words.keys()


def _row_that_answers(question: Question, document: Searchable, passage: int) -> TableRow | None:
    """The row of a passage that is most like what is asked for, if it is like it and has values."""
    rows = document.passages[passage].rows
    if not any(row.values for row in rows):
        return None
    if row := row_defining(rows, question.term):
        return row
    asked = in_document(question, document.about)
    named: Floats = row_likeness(document, {**asked.phrases, asked.asked: 1.0})
    likeness_of_row = named[document.owner == passage]
    best = int(np.argmax(likeness_of_row))
    return rows[best] if likeness_of_row[best] >= LIKE_A_ROW and rows[best].values else None
