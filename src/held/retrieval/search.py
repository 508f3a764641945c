"""Finds the passages that answer a question, in one document or in many.

In one document the ranker orders the passages and gives each a probability. Among many documents, the engine
first selects those that are about the question, and scores them: a passage's probability is multiplied by the
relative score of its document. The best passage of each page comes before further ones of the same page, as
a reader opens pages.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatch
from html import escape
from typing import Any, NamedTuple

import numpy as np

from held.document import PageRegion
from held.errors import UsageError
from held.retrieval.bm25 import Bools, Floats
from held.retrieval.definitions import defining_row
from held.retrieval.document_index import DocumentIndex, IndexEntry
from held.retrieval.embeddings import Embed, embed_passages, embed_texts, embedding_similarity
from held.retrieval.engine import SearchEngine, Source
from held.retrieval.explanation import Reason, contains_phrases, explain_nothing
from held.retrieval.explanation import explain as explain_rank
from held.retrieval.passages import TableRow
from held.retrieval.query import Concepts, Question, parse_question, without_document_name, word_count
from held.retrieval.ranker import Ranking, contains_any, rank_passages, row_similarity
from held.retrieval.tokens import TextRange, find_matches

MAX_DOCUMENTS = 10  # that are ranked, of those that the engine finds
MAX_QUERY_CHARACTERS = 2_000  # the rest of a longer query adds nothing
MIN_PROBABILITY = 0.01  # of a hit
# If the best hit is less probable, there is no answer, unless the question is so short that the places of
# its words are worth showing.
MIN_BEST_PROBABILITY = 0.1
MAX_SHORT_QUESTION_WORDS = 3
MIN_ROW_SIMILARITY = 0.5  # of a row's label to the question, if the row is shown as the answer
_MAX_EXAMPLES = 5  # of source names in an error message

VectorCache = dict[int, Floats]
"""The user's vectors of the passages of documents, by the documents' ids."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A passage that answers a question.

    path      the headings above it, from the top
    page      its page, counted from 1; `label` is the printed page number, if the file has one
    score     the probability that this page answers
    object    the number of its first object in `held extract`; `boxes` has the regions of all
    matches   the spans of the text that have a word of the question
    row       the table row that answers, with its columns; `unit` is the unit of its numbers
    missing   whether the source file no longer exists
    reasons   why it ranks where it does, if that was asked for
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
    matches: tuple[TextRange, ...] = ()
    missing: bool = False
    boxes: tuple[PageRegion, ...] = ()
    row: TableRow | None = None
    unit: str = ""
    reasons: tuple[Reason, ...] = ()

    def _repr_html_(self) -> str:
        """How notebooks show a hit: its location and its text."""
        path = " › ".join(self.path)
        where = f"{path} · page {self.label or self.page} · {self.score:.0%}"
        return f"<p><small>{escape(where)}</small><br>{escape(self.text)}</p>"

    @property
    def id(self) -> str:
        """A name of the passage that is the same from question to question."""
        return f"{self.source}#{self.object}"

    def metadata(self) -> dict[str, Any]:
        """The hit as a JSON object without its text, for libraries that keep the text apart."""
        value = self.to_json()
        del value["text"], value["matches"]  # spans of the text
        return value

    def to_json(self) -> dict[str, Any]:
        """The hit as a JSON object; `reasons` only if there are any."""
        found = {
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
            "boxes": [_region_to_json(part) for part in self.boxes],
            "row": None if self.row is None else _row_to_json(self.row),
            "unit": self.unit,
        }
        if self.reasons:
            found["reasons"] = [
                {"name": reason.name, "points": round(reason.points, 2), "text": reason.text}
                for reason in self.reasons
            ]
        return found


def _region_to_json(part: PageRegion) -> dict[str, Any]:
    box = [round(edge, 1) for edge in part.box]  # tenths of a point
    return {"page": part.page, "box": box}


def _row_to_json(row: TableRow) -> dict[str, Any]:
    cells = zip(row.headers, row.values, strict=True)
    values = [{"header": header, "text": text} for header, text in cells]
    region = _region_to_json(row.part) if row.part else {}
    return {"label": row.label, "values": values, **region}


class _RankedPassage(NamedTuple):
    """A passage, the probability that it answers, and whether it is the best of its page."""

    probability: float
    is_best_of_page: bool
    document: int
    passage: int
    ranking: Ranking


def search_documents(
    engine: SearchEngine,
    query: str,
    *,
    k: int = 5,
    source: str | None = None,
    concepts: Concepts | None = None,
    embed: Embed | None = None,
    vectors: VectorCache | None = None,
    explain: bool = False,
) -> list[Hit]:
    """The k best passages, best first; none if the documents have no answer.

    `concepts` replace the shipped aliases, `embed` gives vectors for texts, and `vectors` keeps those of
    documents that are stored without. With `explain` each hit has the reasons for its rank.
    """
    question = require_words(query, concepts)
    if k < 1:
        raise UsageError(f"{k} hits were asked for", advice="ask for one at least")
    selected = select_sources(engine.sources(), source)
    sources = {found.id: found for found in selected}
    vector = None if embed is None else embed_texts([question.text], embed)[0]
    document_scores = _score_documents(engine, question, list(sources), vector)
    vectors = {} if vectors is None else vectors
    candidates: list[_RankedPassage] = []
    for document, score in document_scores.items():
        entry = engine.entry(document)
        if embed is not None and entry.vectors is None and document not in vectors:
            vectors[document] = embed_passages(entry.document.passages, embed)
        ranking, eligible = _rank_document(question, entry, embed, vectors.get(document))
        candidates += _best_candidates(document, score, entry, ranking, eligible, k)
    candidates.sort(key=lambda candidate: (not candidate.is_best_of_page, -candidate.probability))
    # With the user's vectors a hit may have none of the words; its probability is not calibrated.
    if embed is None and candidates and _has_no_answer(candidates[0], question):
        return []
    hits = []
    for candidate in candidates[:k]:
        found = sources[candidate.document]
        hit = _hit(engine, found, candidate, question)
        if explain:
            index = engine.entry(candidate.document).document
            reasons = explain_rank(question, candidate.ranking, index, candidate.passage)
            hit = replace(hit, reasons=reasons)
        hits.append(hit)
    return hits


def why_nothing(
    engine: SearchEngine, query: str, *, source: str | None = None, concepts: Concepts | None = None
) -> str:
    """Why a question finds nothing: a phrase, a language or words that the documents don't have."""
    question = require_words(query, concepts)
    selected = select_sources(engine.sources(), source)[:MAX_DOCUMENTS]
    documents = {found.path: engine.entry(found.id).document for found in selected}
    return explain_nothing(question, documents)


def require_words(query: str, concepts: Concepts | None = None) -> Question:
    """The parsed question; an error if it has no words."""
    question = parse_question(query[:MAX_QUERY_CHARACTERS], concepts)
    if not question.words:
        raise UsageError("the question has no words", advice="ask with letters or digits")
    return question


def _has_no_answer(best: _RankedPassage, question: Question) -> bool:
    is_short = word_count(question.own_words) <= MAX_SHORT_QUESTION_WORDS
    is_exact = bool(question.phrases or question.quoted)
    return best.probability < MIN_BEST_PROBABILITY and not is_short and not is_exact


def _rank_document(
    question: Question, entry: IndexEntry, embed: Embed | None, kept: Floats | None
) -> tuple[Ranking, Bools]:
    """The ranking of a document's passages, and which of them may be hits.

    Without embeddings a hit must have a word of the question; `kept` are those of an entry without vectors.
    Phrases in quotation marks must stand in it in any case.
    """
    document = entry.document
    vectors = kept if entry.vectors is None else entry.vectors
    if embed is None or vectors is None:
        ranking = rank_passages(question, document)
        eligible = contains_any(document, question.words)
    else:
        similarity = embedding_similarity(question.text, vectors, embed)
        ranking = rank_passages(question, document, similarity)
        eligible = np.ones(len(document.passages), np.bool_)
    if question.quoted:
        eligible = eligible & contains_phrases(document, question.quoted)
    return ranking, eligible


def _best_candidates(
    document: int, document_score: float, entry: IndexEntry, ranking: Ranking, eligible: Bools, k: int
) -> list[_RankedPassage]:
    """The passages of a document that may be among the first k, best first."""
    numbers = np.flatnonzero(eligible)
    scores = ranking.scores[numbers]
    order = numbers[np.argsort(-scores, kind="stable")]  # best first, ties in reading order
    # A passage must not be more probable than one that ranks before it.
    probabilities = np.minimum.accumulate(ranking.probabilities[order])
    best_of_page: dict[int, int] = {}
    candidates = []
    for probability, passage in zip(probabilities.tolist(), order.tolist(), strict=True):
        page = int(entry.document.page[passage])
        is_best = best_of_page.setdefault(page, passage) == passage
        if probability >= MIN_PROBABILITY:
            candidates.append(
                _RankedPassage(document_score * probability, is_best, document, passage, ranking)
            )
    candidates.sort(key=lambda candidate: not candidate.is_best_of_page)
    return candidates[:k]


def select_sources(sources: Sequence[Source], name: str | None) -> list[Source]:
    """The sources with a name: a path or its end, a folder, or a pattern such as *2018*; all without one."""
    if name is None:
        return list(sources)
    selected = [source for source in sources if _has_name(source.path, name)]
    if not selected:
        names = [os.path.basename(source.path) for source in sources]
        examples = ", ".join(names[:_MAX_EXAMPLES])
        more = ", …" if len(names) > _MAX_EXAMPLES else ""
        raise UsageError(f"no source is called {name}", advice=f"there are: {examples}{more}")
    return selected


def _has_name(path: str, name: str) -> bool:
    absolute = os.path.abspath(name)
    file_name = os.path.basename(path)
    stem, _ = os.path.splitext(file_name)
    return (
        path == absolute
        or path.startswith(absolute + os.sep)
        or path.endswith(os.sep + name)
        or fnmatch(file_name, name)
        or stem == name
    )


def _score_documents(
    engine: SearchEngine, question: Question, documents: Sequence[int], vector: Floats | None
) -> Mapping[int, float]:
    """The documents to rank, each with its score divided by the best one."""
    # The words say nothing about a few documents in another language; the vectors of their passages do.
    if len(documents) <= 1 or (vector is not None and len(documents) <= MAX_DOCUMENTS):
        return dict.fromkeys(documents, 1.0)
    allowed = set(documents)
    found = engine.candidates(question.own_words, vector)
    # Engines give the best document first.
    chosen = [document for document in found if document in allowed][:MAX_DOCUMENTS]
    return {document: found[document] / found[chosen[0]] for document in chosen}


def _hit(engine: SearchEngine, source: Source, candidate: _RankedPassage, question: Question) -> Hit:
    entry = engine.entry(source.id)
    passage = entry.document.passages[candidate.passage]
    row = _answering_row(question, entry.document, candidate.passage)
    texts, language = entry.document.texts, entry.document.language
    words = {form for word in question.words for form in texts.forms(word, language)}
    page = row.part.page if row and row.part else passage.page
    return Hit(
        text=passage.text,
        path=passage.path,
        page=page,
        score=candidate.probability,
        source=source.path,
        label=entry.label(page),
        pages=passage.pages,
        kind=passage.kind.value,
        object=passage.object,
        matches=tuple(find_matches(passage.text, words)),
        missing=source.missing,
        boxes=passage.parts,
        row=row,
        unit=passage.unit,
    )


def _answering_row(question: Question, document: DocumentIndex, passage: int) -> TableRow | None:
    """The row of a passage that is most similar to the question, if it is similar enough and has values."""
    rows = document.passages[passage].rows
    if not any(row.values for row in rows):
        return None
    if row := defining_row(rows, question.term):
        return row
    question = without_document_name(question, document.title_words)
    phrases = {**question.phrases, question.own_words: 1.0}
    is_own_row = document.row_owner == passage
    similarity = row_similarity(document, phrases)[is_own_row]
    number = int(np.argmax(similarity))
    best = rows[number]
    return best if similarity[number] >= MIN_ROW_SIMILARITY and best.values else None
