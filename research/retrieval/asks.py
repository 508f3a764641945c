"""What it is worth to know that a question asks for a definition, or for a number.

Each of the two matches is added with several weights to the sum without both. The weight for each domain, or
company, is the one that does best on all others (`chosen`), so that a gain is no fit to these questions; the
intervals are 95 %, paired by question. The questions are the newcomer's, our own, those about filings
(train), and those made of tables that define words.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from research.retrieval.data import kept_entry
from research.retrieval.definitions import made_definitions
from research.retrieval.ideas import (
    NEVER,
    Posed,
    Tried,
    filings_posed,
    own_posed,
    place_of,
    shares,
    unseen_places,
)
from research.retrieval.newcomer import newcomer_questions
from research.retrieval.own import FIRST_HITS, PageQuestion, corpus_folder, stored

from held.metrics.averages import bootstrap, mean
from held.retrieval.features import FEATURES, has_any, match_features
from held.retrieval.query import understood
from held.retrieval.ranker import rank, weights_for

WEIGHTS: Mapping[str, tuple[float, ...]] = {"defined": (0.0, 2.0, 4.0, 6.0), "number": (0.0, 1.0, 2.0, 3.0)}


def measure(options: argparse.Namespace) -> dict[str, Any]:
    """For each set of questions and each of the two matches what it brings."""
    posed = {
        "newcomer": list(_posed(newcomer_questions(), options)),
        "own": list(own_posed(options)),
        "filings": list(filings_posed(options)),
        "definitions": list(_posed(made_definitions(corpus_folder(), options.cache), options)),
    }
    return {name: _trials([_tried(*one) for one in questions]) for name, questions in posed.items()}


def _posed(questions: Sequence[PageQuestion], options: argparse.Namespace) -> Iterator[Posed]:
    corpus = corpus_folder()
    for question in questions:
        document = kept_entry(stored(question.document, corpus), options.cache).document
        yield Posed(question.text, document, question.pages, question.domain)


def _tried(text: str, document: Any, pages: frozenset[int], group: str) -> Tried:
    question = understood(text)
    features = match_features(question, document)
    weights = weights_for(question)
    without = np.array([0.0 if name in WEIGHTS else weights[name] for name in FEATURES], np.float32)
    fit = has_any(document, question.words)
    return Tried(
        group,
        np.where(fit, features @ without, NEVER),
        np.where(fit, rank(question, document), NEVER),
        {name: features[:, FEATURES.index(name)] for name in WEIGHTS},
        document.page,
        [not pages.isdisjoint(passage.pages) for passage in document.passages],
    )


def _trials(tried: Sequence[Tried]) -> dict[str, Any]:
    before = [place_of(one, one.before) for one in tried]
    shipped = [place_of(one, one.shipped) for one in tried]
    return {
        "questions": len(tried),
        "without both": shares(before),
        "as shipped": shares(shipped) | _gains(shipped, before),
        **{name: _by_weight(tried, name, before) for name in WEIGHTS},
    }


def _by_weight(tried: Sequence[Tried], name: str, before: Sequence[int]) -> dict[str, Any]:
    places = {
        weight: [place_of(one, one.before + weight * one.ideas[name]) for one in tried]
        for weight in WEIGHTS[name]
    }
    chosen = unseen_places(places, [one.group for one in tried])
    by_weight: dict[str, Any] = {f"{weight}": shares(found) for weight, found in places.items() if weight}
    return by_weight | {"chosen": shares(chosen) | _gains(chosen, before)}


def _gains(places: Sequence[int], before: Sequence[int]) -> dict[str, Any]:
    """What is gained, with intervals: first hits, and hits among three."""
    pairs = list(zip(places, before, strict=True))
    return {
        f"gain {name}": _interval([float(now <= most) - float(then <= most) for now, then in pairs])
        for name, most in (("first", 1), ("in three", FIRST_HITS))
    }


def _interval(differences: Sequence[float]) -> dict[str, Any]:
    low, high = bootstrap(differences)
    return {"mean": round(mean(differences), 3), "interval": [round(low, 3), round(high, 3)]}
