"""Further matches beside those of words, tried on questions of our own and on those about filings (train).

Each is added with three weights to the sum of all matches but those of meanings. So that a gain is no fit to
these few questions, the weight for each domain, or company, is the one that does best on all others
(`chosen`). What ships must help the questions of our own and do no harm to those about filings.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from research.retrieval.data import cases_of, kept_entry, questions_in
from research.retrieval.own import FIRST_HITS, corpus_folder, own_questions, stored

from held.retrieval.bm25 import SMALL, Floats, bm25_of_counts, postings_of
from held.retrieval.features import FEATURES, MEANINGS, Searchable, has_any, match_features, matches_of
from held.retrieval.query import Question, understood
from held.retrieval.ranker import SHORT, WEIGHTS, rank
from held.retrieval.tokens import tokens

TRIED_WEIGHTS = (0.0, 0.5, 1.0, 2.0)
SHORT_STEM, LONG_STEM, LONG_WORD = 5, 6, 8  # letters: what is kept of a word, and from where on a letter more
NEVER = -100.0  # the score of what has no word of the question: no hit, whatever is added
ALL_MEANINGS = "all four meanings"
LESS_OF_THE_PAGE = "less of the words of the page for short questions"

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


class Posed(NamedTuple):
    """A question to one document, the pages that answer it, and what it is left out with."""

    text: str
    document: Searchable
    pages: frozenset[int]
    group: str


class Tried(NamedTuple):
    """A question, the sum without meanings, and for each idea its match, over the best of the document.

    `group` is what is left out at a time: a domain or a company.
    """

    group: str
    before: Floats
    shipped: Floats
    ideas: Mapping[str, Floats]
    pages: Any
    right: Any


def measure(options: argparse.Namespace) -> dict[str, Any]:
    """For both sets of questions and each idea the shares answered first and in three."""
    own = [_tried(*posed) for posed in own_posed(options)]
    filings = [_tried(*posed) for posed in filings_posed(options)]
    return {"own": trials(own), "filings": trials(filings)}


def trials(tried: Sequence[Tried]) -> dict[str, Any]:
    """For each idea the shares answered first and in three, by its weight beside the sum."""
    return {
        "questions": len(tried),
        "words alone": shares([place_of(one, one.before) for one in tried]),
        "as shipped": shares([place_of(one, one.shipped) for one in tried]),
        "ideas": {idea: _by_weight(tried, idea) for idea in tried[0].ideas},
    }


def own_posed(options: argparse.Namespace) -> Iterator[Posed]:
    """Our own questions; the group is the document's domain."""
    corpus = corpus_folder()
    for asked in own_questions():
        document = kept_entry(stored(asked.document, corpus), options.cache).document
        yield Posed(asked.text, document, asked.pages, asked.domain)


def filings_posed(options: argparse.Namespace) -> Iterator[Posed]:
    """The questions about filings that choices are made on; the group is the company."""
    questions = [question for question in questions_in(options.data) if question.split == "train"]
    for case in cases_of(questions, options.data, options.cache):
        pages = frozenset((np.flatnonzero(case.answers) + 1).tolist())
        yield Posed(case.question.text, case.document, pages, case.question.company)


def _tried(text: str, document: Searchable, pages: frozenset[int], group: str) -> Tried:
    question = understood(text)
    features = match_features(question, document)
    meant = [FEATURES.index(name) for name in MEANINGS]
    weights = np.array([0.0 if name in MEANINGS else WEIGHTS[name] for name in FEATURES], np.float32)
    right = [not pages.isdisjoint(passage.pages) for passage in document.passages]
    ideas = {name: over_best(scores) for name, scores in _ideas(question, document).items()}
    ideas |= {name: features[:, column] for name, column in zip(MEANINGS, meant, strict=True)}
    ideas[ALL_MEANINGS] = features[:, meant].sum(axis=1)
    ideas[LESS_OF_THE_PAGE] = -features[:, FEATURES.index("page")] * (len(question.asked) <= SHORT)
    fit = has_any(document, question.words)
    before = np.where(fit, features @ weights, NEVER)
    shipped = np.where(fit, rank(question, document), NEVER)
    return Tried(group, before, shipped, ideas, document.page, right)


def _ideas(question: Question, document: Searchable) -> dict[str, Floats]:
    words = weighed_stems(question)
    texts = [stems(" ".join([passage.text, *passage.path[-2:]])) for passage in document.passages]
    postings = postings_of(texts)
    counts = postings.counts_of(list(words))
    weights = np.array(list(words.values()), np.float32)
    return {
        "stems, and single Chinese characters": bm25_of_counts(counts, postings.lengths, weights),
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


def over_best(scores: Floats) -> Floats:
    """The scores over the best of the document."""
    return scores / max(float(scores.max(initial=0)), SMALL)


def place_of(one: Tried, scores: Floats) -> int:
    """The place, from 1, of the first page whose best passage answers."""
    best: dict[int, int] = {}
    for passage in np.argsort(-scores, kind="stable").tolist():
        best.setdefault(int(one.pages[passage]), passage)
    answers = [one.right[passage] for passage in best.values()]
    return answers.index(True) + 1 if True in answers else len(answers) + 1


def _by_weight(tried: Sequence[Tried], idea: str) -> dict[str, Any]:
    places = {
        weight: [place_of(one, one.before + weight * one.ideas[idea]) for one in tried]
        for weight in TRIED_WEIGHTS
    }
    chosen = unseen_places(places, [one.group for one in tried])
    return {f"{weight}": shares(found) for weight, found in places.items() if weight} | {
        "chosen": shares(chosen)
    }


def unseen_places(places: Mapping[float, Sequence[int]], groups: Sequence[str]) -> list[int]:
    """For each question its place with the weight that is best on the other groups."""
    found = []
    for at, group in enumerate(groups):
        others = [i for i, its in enumerate(groups) if its != group]
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
