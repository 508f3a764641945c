"""Further matches, tried on our own questions: does any raise the share of questions that are answered first?

Each is added to the sum that ships with three weights. So that a gain is no fit to these few questions, the
weight of each domain is the one that does best on the other domains (`chosen`).
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from experiments.retrieval.data import kept_hierarchy
from experiments.retrieval.own import FIRST_HITS, OwnQuestion, corpus_folder, own_questions, stored

from held.retrieval.bm25 import Floats, bm25_of_counts, postings_of
from held.retrieval.features import Searchable, has_any, matches_of
from held.retrieval.packing import entry_of
from held.retrieval.query import Question, understood
from held.retrieval.ranker import ranking
from held.retrieval.tokens import tokens

WEIGHTS = (0.0, 0.5, 1.0, 2.0)
SHORT_STEM, LONG_STEM, LONG_WORD = 5, 6, 8  # letters: what is kept of a word, and from where on a letter more
WINDOW_WORDS = 60.0  # of three passages together, so that a long one is not punished

_HAN = re.compile(r"[\u3400-\u9fff]")
_ANSWERS = (
    (r"how (much|many|big|large|old)|多少|占比|第几", r"\d"),
    (
        r"how (long|often|old|soon)|\bwhen\b|which years|几时|多长时间|什么时候",
        r"\d+\s*(year|month|week|day|hour|minute|second|年|个?月|天|日|小时|分钟|秒)|(19|20)\d\d",
    ),
    (r"\bwhy\b|为什么", r"because|due to|reason|therefore|in order to|因为|由于|主要系|所致|原因"),
    (
        r"^how (do|can|should) |怎么",
        r"\b(use|click|select|run|type|command|choose|press|enter)\b|点击|选择|填写",
    ),
)
"""What a question begins with, and what a passage has that answers such a question."""


class Tried(NamedTuple):
    """A question, the sum that ships, and for each idea its match, over the best of the document."""

    question: OwnQuestion
    shipped: Floats
    ideas: Mapping[str, Floats]
    pages: Any
    right: Any


def measure(options: argparse.Namespace) -> dict[str, Any]:
    """For each idea the shares answered first and in three, by weight, and by one chosen on other domains."""
    tried = list(_tried(own_questions(), options))
    return {
        "questions": len(tried),
        "as shipped": shares([place_of(one, "", 0.0) for one in tried]),
        "ideas": {idea: _by_weight(tried, idea) for idea in tried[0].ideas},
    }


def _tried(questions: Sequence[OwnQuestion], options: argparse.Namespace) -> Iterator[Tried]:
    corpus = corpus_folder()
    documents: dict[str, Searchable] = {}
    for asked in questions:
        if asked.document not in documents:
            hierarchy = kept_hierarchy(stored(asked.document, corpus), options.cache)
            documents[asked.document] = entry_of(hierarchy).document
        document = documents[asked.document]
        question = understood(asked.text)
        shipped = ranking(question, document).scores
        fit = has_any(document, question.words)
        right = [not asked.pages.isdisjoint(passage.pages) for passage in document.passages]
        ideas = {name: _over_best(scores) for name, scores in _ideas(question, document).items()}
        yield Tried(asked, np.where(fit, shipped, -1), ideas, document.page, right)


def _ideas(question: Question, document: Searchable) -> dict[str, Floats]:
    words = weighed_stems(question)
    texts = [stems(" ".join([passage.text, *passage.path[-2:]])) for passage in document.passages]
    postings = postings_of(texts)
    counts = postings.counts_of(list(words))
    weights = np.array(list(words.values()), np.float32)
    around = counts.copy()
    around[:, 1:] += counts[:, :-1]
    around[:, :-1] += counts[:, 1:]
    lengths = np.full(len(texts), WINDOW_WORDS)
    return {
        "stems, and single Chinese characters": bm25_of_counts(counts, postings.lengths, weights),
        "stems in the passage and its neighbours": bm25_of_counts(around, lengths, weights),
        "share of the question's words": matches_of(question, document).share,
        "what the question's first words ask for": kind_of_answer(question.text, document),
    }


def stems(text: str) -> list[str]:
    """The beginnings of words; of Chinese single characters."""
    return [word[0] if _HAN.match(word) else stem(word) for word in tokens(text)]


def stem(word: str) -> str:
    """The beginning of a word, which it shares with what is derived from it."""
    return word[: SHORT_STEM if len(word) < LONG_WORD else LONG_STEM]


def weighed_stems(question: Question) -> dict[str, float]:
    """The stems of what is asked for; of a pair of characters each has half the weight."""
    found: dict[str, float] = {}
    for word, weight in question.words.items():
        parts = list(word) if _HAN.match(word) else [stem(word)]
        for part in parts:
            found[part] = max(found.get(part, 0.0), weight / len(parts))
    return found


def kind_of_answer(text: str, document: Searchable) -> Floats:
    """For each passage how many of the signs it has that answers to such a question have."""
    signs = [answer for asked, answer in _ANSWERS if re.search(asked, text, re.IGNORECASE)]
    found = np.zeros(len(document.passages), np.float32)
    for sign in signs:
        pattern = re.compile(sign, re.IGNORECASE)
        found += [bool(pattern.search(passage.text)) for passage in document.passages]
    return found


def _over_best(scores: Floats) -> Floats:
    return scores / max(float(scores.max(initial=0)), 1e-6)


def place_of(one: Tried, idea: str, weight: float) -> int:
    """The place, from 1, of the first page whose best passage answers."""
    scores = one.shipped + weight * one.ideas[idea] if weight else one.shipped
    best: dict[int, int] = {}
    for passage in np.argsort(-scores, kind="stable").tolist():
        best.setdefault(int(one.pages[passage]), passage)
    answers = [one.right[passage] for passage in best.values()]
    return answers.index(True) + 1 if True in answers else len(answers) + 1


def _by_weight(tried: Sequence[Tried], idea: str) -> dict[str, Any]:
    places = {weight: [place_of(one, idea, weight) for one in tried] for weight in WEIGHTS}
    domains = [one.question.domain for one in tried]
    chosen = unseen_places(places, domains)
    return {f"{weight}": shares(found) for weight, found in places.items() if weight} | {
        "chosen": shares(chosen)
    }


def unseen_places(places: Mapping[float, Sequence[int]], domains: Sequence[str]) -> list[int]:
    """For each question its place with the weight that is best on the other domains."""
    found = []
    for at, domain in enumerate(domains):
        others = [i for i, its in enumerate(domains) if its != domain]
        weight = max(places, key=lambda w: sum(_worth(places[w][i]) for i in others))
        found.append(places[weight][at])
    return found


def _worth(place: int) -> float:
    """What an answer at a place is worth: the first and the first three count alike."""
    return (place == 1) + (place <= FIRST_HITS)


def shares(places: Sequence[int]) -> dict[str, float]:
    """The shares of questions that are answered first, and by one of three."""
    first = float(np.mean([place == 1 for place in places]))
    in_three = float(np.mean([place <= FIRST_HITS for place in places]))
    return {"first": round(first, 3), "in three": round(in_three, 3)}
