"""Why a hit ranks where it does, and why a question finds nothing, in plain words; and quoted phrases."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from held.numbering.words import find_language
from held.retrieval.bm25 import Bools
from held.retrieval.document_index import DocumentIndex
from held.retrieval.query import Question
from held.retrieval.ranker import FEATURES, Ranking, contains_any
from held.retrieval.tokens import DEFAULT, is_paired, tokens

MIN_POINTS = 0.05  # a reason that brings less is left out
MAX_WORDS = 5  # of a question that a message names

_LABELS = {
    "fields": "words in the passage and in the headings above it",
    "path": "words in the headings above it",
    "section": "words in its section",
    "page": "words on its page",
    "passage meant": "the passage is about the same thing",
    "path meant": "the headings are about the same thing",
    "section meant": "the section is about the same thing",
    "page meant": "the page is about the same thing",
    "row": "a table row has the name of what is asked for",
    "row asked": "a table row or short line has the question's words",
    "number": "it has a number, as the question asks for one",
    "defined": "it defines the term",
    "near": "the question's words stand near each other",
    "title": "a heading above it has most of the question",
    "kind": "its page is of the kind that has the answer",
}
_EMBEDDING = "similar to the question by your embeddings"
_PROMINENCE = "a note, caption, reference, contents or index: counts less"

_LANGUAGE_NAMES = {
    "en": "English",
    "zh": "Chinese",
    "de": "German",
    "fr": "French",
    "es": "Spanish",
    "it": "Italian",
    "pt": "Portuguese",
    "nl": "Dutch",
    "ru": "Russian",
    "ja": "Japanese",
    "ko": "Korean",
}


class Reason(NamedTuple):
    """One reason for a hit's score: the feature, the points it brings, and what it means."""

    name: str
    points: float
    text: str


def explain(
    question: Question, ranking: Ranking, document: DocumentIndex, passage: int
) -> tuple[Reason, ...]:
    """The reasons for the score of a passage, the strongest first; their points add up to the score."""
    labels = {**_LABELS, "share": _share_text(question, document, passage)}
    found = []
    for name, points in zip(FEATURES, ranking.points[passage].tolist(), strict=True):
        found.append(Reason(name, points, labels[name]))
    total = sum(reason.points for reason in found)
    prominence = float(document.prominence[passage])
    if prominence < 1:
        found.append(Reason("prominence", (prominence - 1) * total, _PROMINENCE))
    rest = float(ranking.scores[passage]) - prominence * total
    found.append(Reason("embedding", rest, _EMBEDDING))
    found.sort(key=lambda reason: -abs(reason.points))
    return tuple(reason for reason in found if abs(reason.points) >= MIN_POINTS)


def _share_text(question: Question, document: DocumentIndex, passage: int) -> str:
    """Which words of the question a passage and its headings have, and which they lack."""
    present = [word for word in question.own_words if contains_any(document, [word])[passage]]
    absent = [word for word in question.own_words if word not in present]
    text = f"has {', '.join(present) or 'no word'}"
    return f"{text}; lacks {', '.join(absent)}" if absent else text


def explain_nothing(question: Question, documents: Mapping[str, DocumentIndex]) -> str:
    """Why a question finds nothing in some documents, which are given by their names."""
    has_phrases = (contains_phrases(document, question.quoted).any() for document in documents.values())
    if question.quoted and not any(has_phrases):
        phrases = " and ".join(f'"{phrase}"' for phrase in question.quoted)
        return (
            f"no passage has {phrases} word for word; without the quotation marks, the words may stand apart"
        )
    asked = _language(question)
    languages = {document.language for document in documents.values()} - {""}
    if asked and languages and asked not in languages:
        return _explain_languages(asked, languages, documents)
    has_words = (contains_any(document, question.own_words).any() for document in documents.values())
    if question.own_words and not any(has_words):
        words = ", ".join(question.own_words[:MAX_WORDS])
        return f"none of its words occurs ({words}); ask in other words"
    return "its words occur, but no passage seems to answer; ask for less, or in the document's own words"


def _language(question: Question) -> str:
    """The language of a question, empty if it is not sure."""
    found = find_language([question.text])
    return found or (question.languages[0] if question.languages != (DEFAULT,) else "")


def _explain_languages(asked: str, languages: Collection[str], documents: Collection[str]) -> str:
    names = " and ".join(sorted(language_name(code) for code in languages))
    which = "the document" if len(documents) == 1 else "the documents"
    return (
        f"the question is in {language_name(asked)}, {which} in {names}; ask in {names}, or give an "
        "embedding function that knows both (--embed, docs/search.md)"
    )


def language_name(code: str) -> str:
    """The English name of a language, or its code."""
    return _LANGUAGE_NAMES.get(code, code)


# --- phrases in quotation marks ---
#
# Which passages have them word for word, in their text or in a heading above.

_APOSTROPHES = str.maketrans("’‘", "''")


def contains_phrases(document: DocumentIndex, phrases: Sequence[str]) -> Bools:
    """Which passages have all of the phrases; case and line ends do not matter."""
    patterns = [_phrase_pattern(phrase) for phrase in phrases]
    count = len(document.passages)
    found = np.zeros(count, np.bool_)
    # Only passages that have all words of the phrases are decoded and read.
    words = {word for phrase in phrases for word in tokens(phrase)}
    has_all = np.ones(count, np.bool_)
    for word in words:
        has_all &= contains_any(document, [word], exact=True)
    for number in np.flatnonzero(has_all).tolist():
        passage = document.passages[number]
        texts = [_normalise(text) for text in (passage.text, *passage.path)]
        found[number] = all(any(map(pattern.search, texts)) for pattern in patterns)
    return found


def _normalise(text: str) -> str:
    plain = unicodedata.normalize("NFKC", text).lower().translate(_APOSTROPHES)
    return " ".join(plain.split())


def _phrase_pattern(phrase: str) -> re.Pattern[str]:
    """Matches the phrase as whole words; Chinese, Japanese and Korean have no spaces that end a word."""
    plain = _normalise(phrase)
    escaped = re.escape(plain)
    return re.compile(escaped if is_paired(plain) else rf"(?<!\w){escaped}(?!\w)")
