"""Further ideas beside the sum that ships, which none of them joined; judged as those in `ideas` are.

    python -m research.retrieval.run further --corpus LABELLED [--vectors GLOVE.txt]

Words near a question's in our own vectors are looked for like words of the question (`neighbours`). Words
that stand below headings with a word of the question count for it (`associates`: normalised mutual
information over pairs of heading and paragraph). Vectors of general language, in the text form of GloVe, are
compared as our own are, where a file of them is given. And the weights of the sum are learnt: from questions
made of other documents, and from the questions themselves with one domain, or company, left out at a time.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from research.retrieval.ideas import (
    NEVER,
    Tried,
    filings_posed,
    over_best,
    own_posed,
    place_of,
    shares,
    trials,
)
from research.retrieval.learn import likely_weights
from research.retrieval.made_questions import Asking, made_questions
from research.retrieval.meanings import learnt_from, texts_of

from held.corpus.store import read_labelled
from held.hierarchy.pipeline import tree_of
from held.retrieval.bm25 import SMALL, Floats, bm25_of_counts
from held.retrieval.common import telling_weight
from held.retrieval.features import Searchable, has_any, match_features
from held.retrieval.meaning import Meanings, meanings_of_texts, shipped_meanings, summed
from held.retrieval.query import Question, in_document, understood
from held.retrieval.ranker import rank
from held.retrieval.tokens import tokens

LIKE = 0.5  # the cosine from which on a word is a neighbour of another
MOST_NEIGHBOURS = 8
NEIGHBOUR = 0.8  # the weight of a word that is just like one that was asked for
DOCUMENTS_FOR_ASSOCIATES, PAIRS_OF_EACH = 700, 150
LEAST_TOGETHER, LEAST_ASSOCIATED = 4, 0.15  # pairs that have both words, and their information
DOCUMENTS_ASKED_ABOUT = 40  # of which questions are made
GENERAL_WORDS = 40_000  # of general language, the most common
COMMON_DIRECTIONS = 2  # in which all general vectors go, whatever they mean (all-but-the-top)
SEED = 3


class Asked(NamedTuple):
    """A question with its document, what is found in it so far, and which passages answer."""

    question: Question
    document: Searchable
    features: Floats
    right: Sequence[bool]
    group: str


def measure(options: argparse.Namespace) -> dict[str, Any]:
    """For both sets of questions what each idea brings beside what ships."""
    associates = associated(options.corpus)
    general = general_vectors(options.vectors) if options.vectors else None
    made = list(_made(options.corpus))
    from_made = likely_weights([pages for pages, _ in made], [right for _, right in made])
    found: dict[str, Any] = {"pairs for associates": associates.pairs, "made questions": len(made)}
    for name, posed in (("own", own_posed(options)), ("filings", filings_posed(options))):
        asked = [_asked(*one) for one in posed]
        tried = [_tried(one, associates, general) for one in asked]
        found[name] = trials(tried) | {
            "weights learnt from made questions": _shares_of(asked, [from_made] * len(asked)),
            "weights learnt from other groups": _shares_of(asked, _unseen_weights(asked)),
        }
    return found


def _asked(text: str, document: Searchable, pages: frozenset[int], group: str) -> Asked:
    question = understood(text)
    right = [not pages.isdisjoint(passage.pages) for passage in document.passages]
    return Asked(question, document, match_features(question, document), right, group)


def _tried(one: Asked, associates: Associates, general: Meanings | None) -> Tried:
    question = in_document(one.question, one.document.about)
    ideas = {
        "neighbours of words": over_best(neighbours(question, one.document, shipped_meanings())),
        "associates of words": over_best(associates.scores(question, one.document)),
    }
    if general is not None:
        alike = [over_best(column) for column in general_likeness(question, one.document, general)]
        ideas |= {"general vectors, passage": alike[0], "general vectors, all four": np.sum(alike, axis=0)}
    shipped = _where_fit(one, rank(one.question, one.document))
    return Tried(one.group, shipped, shipped, ideas, one.document.page, one.right)


def _where_fit(one: Asked, scores: Floats) -> Floats:
    return np.where(has_any(one.document, one.question.words), scores, NEVER).astype(np.float32)


def neighbours(question: Question, document: Searchable, meanings: Meanings) -> Floats:
    """BM25 of the passages for the question's words and those that are near to one of them."""
    postings = document.postings
    vectors = _of_length_1(meanings.of_words(postings.words))
    weights = dict(question.words)
    for word in question.asked:
        alike = vectors @ _of_length_1(meanings.of_words([word]))[0]
        for place in np.argsort(-alike)[:MOST_NEIGHBOURS].tolist():
            near = (float(alike[place]) - LIKE) / (1 - LIKE)
            if near > 0:
                other = postings.words[place]
                weight = NEIGHBOUR * near * question.words[word] * telling_weight(other)
                weights[other] = max(weights.get(other, 0.0), weight)
    counts = postings.counts_of(list(weights))[:, : len(document.passages)]
    lengths = postings.lengths[: len(document.passages)]
    return bm25_of_counts(counts, lengths, np.array(list(weights.values()), np.float32))


def _of_length_1(vectors: Floats) -> Floats:
    return np.asarray(vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), SMALL), np.float32)


class Associates(NamedTuple):
    """Words that stand below headings with a word: for each such word how much they go with it."""

    pairs: int
    of_word: Mapping[str, Mapping[str, float]]

    def scores(self, question: Question, document: Searchable) -> Floats:
        """For each passage how much its best associates of the question's words go with these."""
        count = len(document.passages)
        whole = np.zeros(count, np.float32)
        for word in question.asked:
            best = np.zeros(count, np.float32)
            for other, worth in self.of_word.get(word, {}).items():
                texts = document.postings.having(other)[0]
                own = texts[texts < count]
                best[own] = np.maximum(best[own], worth)
            whole += telling_weight(word) * best
        return whole


def associated(labelled: Path) -> Associates:
    """What goes with the words of headings, in documents that nobody asks about."""
    from scipy.sparse import csr_matrix  # type: ignore[import-untyped,unused-ignore]

    known = shipped_meanings()
    rng = random.Random(SEED)
    paths = list(learnt_from(labelled))
    rng.shuffle(paths)
    above: list[tuple[int, int]] = []
    below: list[tuple[int, int]] = []
    pairs = 0
    for path in paths[:DOCUMENTS_FOR_ASSOCIATES]:
        for heading, paragraph in _pairs(path, known, rng):
            above += [(pairs, word) for word in heading]
            below += [(pairs, word) for word in paragraph - heading]
            pairs += 1
    shape = (pairs, len(known.words))
    headings, paragraphs = (
        csr_matrix((np.ones(len(cells), np.float32), tuple(zip(*cells, strict=True))), shape)
        for cells in (above, below)
    )
    return Associates(pairs, _informed(headings, paragraphs, known.words))


def _pairs(path: Path, known: Meanings, rng: random.Random) -> Iterator[tuple[set[int], set[int]]]:
    """The known words of some headings, each with those of a paragraph right below it."""
    numbers: dict[str, int] = {}
    texts = texts_of(path, numbers)
    words = list(numbers)
    headings = {text.object: text for text in texts if text.is_heading}
    chosen = [text for text in texts if not text.is_heading and text.above in headings]
    rng.shuffle(chosen)
    for text in chosen[:PAIRS_OF_EACH]:
        heading, paragraph = (
            {known.number_of[words[word]] for word in one.words if words[word] in known.number_of}
            for one in (headings[text.above], text)
        )
        if heading and paragraph:
            yield heading, paragraph


def _informed(headings: Any, paragraphs: Any, words: Sequence[str]) -> Mapping[str, Mapping[str, float]]:
    """For each word of headings those that stand below it, by their normalised mutual information."""
    count = headings.shape[0]
    together = (headings.T @ paragraphs).tocoo()
    alone = [np.asarray(matrix.sum(axis=0)).ravel() for matrix in (headings, paragraphs)]
    chance = alone[0][together.row] * alone[1][together.col] / count
    worth = np.log(together.data / chance) / -np.log(together.data / (count + 1))
    kept = (together.data >= LEAST_TOGETHER) & (worth >= LEAST_ASSOCIATED)
    found: dict[str, dict[str, float]] = {}
    rows = zip(together.row[kept].tolist(), together.col[kept].tolist(), worth[kept].tolist(), strict=True)
    for word, other, how_much in rows:
        found.setdefault(words[word], {})[words[other]] = how_much
    return found


def general_vectors(path: Path) -> Meanings:
    """Vectors of general language, in lines of a word and its numbers, without what all have in common."""
    words: list[str] = []
    rows: list[Floats] = []
    seen: set[str] = set()
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            word, *numbers = line.split()
            found = tokens(word)
            if len(found) == 1 and len(found[0]) > 1 and found[0] not in seen:
                seen.add(found[0])
                words.append(found[0])
                rows.append(np.array(numbers, np.float32))
            if len(words) == GENERAL_WORDS:
                break
    vectors = np.stack(rows) - np.mean(rows, axis=0)
    directions = np.linalg.svd(vectors, full_matrices=False)[2][:COMMON_DIRECTIONS]
    vectors = _of_length_1(vectors - vectors @ directions.T @ directions)
    return Meanings.of(words, vectors * np.array([[telling_weight(word)] for word in words], np.float32))


def general_likeness(question: Question, document: Searchable, general: Meanings) -> list[Floats]:
    """The cosine of each passage, its headings, its section and its page with the question."""
    count = len(document.passages)
    vectors = meanings_of_texts(document.postings, general)
    asked = general.of_words(question.asked).sum(axis=0)
    own = np.arange(count)
    section, page = document.section, document.page
    sums = [
        vectors[:count],
        summed(vectors, document.above, document.below, count),
        summed(vectors, own, section, int(section.max()) + 1)[section],
        summed(vectors, own, page, int(page.max()) + 1)[page],
    ]
    return [np.asarray(np.maximum(_of_length_1(one) @ asked, 0), np.float32) for one in sums]


def _made(labelled: Path) -> Iterator[tuple[Floats, Any]]:
    """Questions made of documents that nobody asks about: the features of pages, and which answer."""
    paths = list(learnt_from(labelled))
    step = max(1, len(paths) // DOCUMENTS_ASKED_ABOUT)
    for path in paths[::step][:DOCUMENTS_ASKED_ABOUT]:
        asking = Asking(topics=6, figures=2, statements=4, strange_words=2)
        document, made = made_questions(tree_of(read_labelled(path).document), asking)
        for text, relevant in made:
            question = understood(text)
            if question.words and relevant.any():
                yield _by_page(match_features(question, document), document.page, relevant)


def _by_page(features: Floats, page: Any, right: Any) -> tuple[Floats, Any]:
    """The best features of each page, and whether one of its passages answers."""
    pages = np.zeros((int(page.max()) + 1, features.shape[1]), np.float32)
    np.maximum.at(pages, page, features)
    answers = np.zeros(len(pages), np.bool_)
    answers[page[np.asarray(right, np.bool_)]] = True
    return pages, answers


def _unseen_weights(asked: Sequence[Asked]) -> list[Any]:
    """For each question the weights learnt from those of other groups."""
    pages = [_by_page(one.features, one.document.page, one.right) for one in asked]
    of_group = {}
    for group in {one.group for one in asked}:
        seen = [its for its, one in zip(pages, asked, strict=True) if one.group != group and its[1].any()]
        of_group[group] = likely_weights([features for features, _ in seen], [right for _, right in seen])
    return [of_group[one.group] for one in asked]


def _shares_of(asked: Sequence[Asked], weights: Sequence[Any]) -> dict[str, float]:
    """The shares answered first and in three, each question with weights of its own."""
    places = []
    for one, own in zip(asked, weights, strict=True):
        scores = _where_fit(one, one.features @ own)
        places.append(place_of(Tried(one.group, scores, scores, {}, one.document.page, one.right), scores))
    return shares(places)
