"""What the ranker sees of a passage for a question: the features of the paper, and ours.

A node's ancestors are the headings above it. All nodes of a document, passages and headings, are one
collection of texts. Ours look at the same words at every size of the tree: in the passage, with the headings
above it, in its section, on its page. They are counted from the same postings, so a question costs a few
array operations.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from held.document import Kind
from held.retrieval.bm25 import Floats, Postings, bm25, bm25_of_counts, idf, postings_of
from held.retrieval.passages import Passage
from held.retrieval.query import asked
from held.retrieval.tokens import tokens

PAPER = ("BM25", "BM25AncMax", "SameWordAnc", "Pos", "PosRatio")
MATCHES = (
    "text",
    "with path",
    "path",
    "section",
    "page",
    "best heading",
    "parent",
    "heading asked for",
    "share",
    "neighbour",
)
"""How well the question's words match; each over the best of the document, so that questions compare."""
FACTS = (
    "SameWordAnc",
    "Pos",
    "PosRatio",
    "table",
    "length",
    "digits",
    "place",
    "depth",
    "siblings",
    "years",
)
"""What the passage is and where it stands; `years` is the share of the years asked for that it names."""
FEATURES = (*MATCHES, *FACTS)

_YEAR = re.compile(r"(?:19|20)\d\d")

Ints = NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class Searchable:
    """The passages of one document, ready for questions.

    `postings` has the passages first, then the headings above them. `above[i]` is a heading's text number and
    `below[i]` a passage under it, the nearest heading last. `section` numbers the headings that passages
    stand right under, `page` the pages. `facts` are the columns of `FACTS` without the years.
    """

    passages: tuple[Passage, ...]
    postings: Postings
    above: Ints
    below: Ints
    section: Ints
    page: Ints
    facts: Floats


def searchable(passages: Sequence[Passage]) -> Searchable:
    """The passages of one document with all that can be known before the question."""
    headings: dict[int, str] = {}
    for passage in passages:
        headings |= zip(passage.ancestors, passage.path, strict=True)
    number = {heading: len(passages) + place for place, heading in enumerate(headings)}
    words = [tokens(text) for text in chain((p.text for p in passages), headings.values())]
    pairs = [(number[obj], p) for p, passage in enumerate(passages) for obj in passage.ancestors]
    above, below = np.array(pairs, np.int32).reshape(-1, 2).T
    path_words = [{w for obj in passage.ancestors for w in words[number[obj]]} for passage in passages]
    sections: dict[tuple[int, ...], int] = {}
    section = [sections.setdefault(passage.ancestors[-1:], len(sections)) for passage in passages]
    return Searchable(
        tuple(passages),
        postings_of(words),
        above,
        below,
        np.array(section, np.int32),
        np.array([passage.page for passage in passages], np.int32),
        _facts(passages, words, path_words),
    )


def _facts(
    passages: Sequence[Passage], words: Sequence[Sequence[str]], path_words: Sequence[set[str]]
) -> Floats:
    rows = [
        (
            len(above.intersection(text)),
            passage.position,
            passage.position / passage.siblings,
            passage.kind is Kind.TABLE,
            len(text),
            sum(word[0].isdigit() for word in text) / max(1, len(text)),
            place / len(passages),
            len(passage.ancestors),
            passage.siblings,
        )
        for place, (passage, text, above) in enumerate(zip(passages, words, path_words, strict=False))
    ]
    return np.array(rows, np.float32).reshape(len(passages), len(FACTS) - 1)


def paper_features(query: str, document: Searchable) -> Floats:
    """For each passage the columns `PAPER`."""
    count = len(document.passages)
    scores = bm25(document.postings, tokens(query))
    best_above = _best_above(document, scores[count:])
    return np.concatenate([scores[:count, None], best_above[:, None], document.facts[:, :3]], axis=1)


def ranker_features(query: str, document: Searchable, *, synonyms: bool = True) -> Floats:
    """For each passage the columns `FEATURES`."""
    wanted = asked(query, synonyms=synonyms)
    matches = _matches(wanted, document)
    best = np.maximum(matches.max(axis=0, initial=0), 1e-6)
    return np.concatenate([matches / best, document.facts, _years(wanted, document)], axis=1)


def _matches(wanted: dict[str, float], document: Searchable) -> Floats:
    """For each passage the columns `MATCHES`, not yet over the best of the document."""
    count = len(document.passages)
    weights = np.array(list(wanted.values()), np.float32)
    found = document.postings.counts_of(list(wanted))  # (W, T)
    lengths = document.postings.lengths.astype(np.float32)
    own, heads = found[:, :count], found[:, count:]
    path = _summed(heads[:, document.above - count], document.below, count)
    path_lengths = np.bincount(document.below, lengths[document.above], count)
    text = bm25_of_counts(own, lengths[:count], weights)
    headings = bm25_of_counts(heads, lengths[count:], weights)
    columns = [
        text,
        bm25_of_counts(own + path, lengths[:count] + path_lengths, weights),
        bm25_of_counts(path, path_lengths, weights),
        _grouped(own, lengths[:count], weights, document.section),
        _grouped(own, lengths[:count], weights, document.page),
        _best_above(document, headings),
        _parent(document, headings),
        _best_above(document, _asked_for(heads, lengths[count:])),
        (weights * idf(own)) @ (own > 0),
        np.maximum(np.append(0, text[:-1]), np.append(text[1:], 0)) if count else text,
    ]
    return np.stack(columns, axis=1).astype(np.float32)


def _summed(counts: Floats, group: Ints, groups: int) -> Floats:
    """The counts of each word, summed by group."""
    sums = [np.bincount(group, row, groups) for row in counts]
    return np.array(sums, np.float32).reshape(len(counts), groups)


def _grouped(counts: Floats, lengths: Floats, weights: Floats, group: Ints) -> Floats:
    """For each passage the score of all passages of its group, taken as one text."""
    groups = int(group.max(initial=-1)) + 1
    sums = _summed(counts, group, groups)
    return bm25_of_counts(sums, np.bincount(group, lengths, groups), weights)[group]


def _best_above(document: Searchable, headings: Floats) -> Floats:
    """For each passage the highest score among the headings above it, 0 without any."""
    best = np.zeros(len(document.passages), np.float32)
    np.maximum.at(best, document.below, headings[document.above - len(document.passages)])
    return best


def _parent(document: Searchable, headings: Floats) -> Floats:
    """For each passage the score of the heading right above it, 0 without one."""
    scores = np.zeros(len(document.passages), np.float32)
    scores[document.below] = headings[document.above - len(document.passages)]  # the nearest comes last
    return scores


def _asked_for(heads: Floats, lengths: Floats) -> Floats:
    """The share of each heading's words that the question asks for; one word alone counts half."""
    share = (heads > 0).sum(axis=0) / np.maximum(lengths, 1)
    return np.asarray(share * np.minimum(1, lengths / 2), np.float32)


def _years(wanted: dict[str, float], document: Searchable) -> Floats:
    count = len(document.passages)
    years = [word for word in wanted if _YEAR.fullmatch(word)]
    named = (document.postings.counts_of(years)[:, :count] > 0).sum(axis=0, keepdims=True).T
    return np.asarray(named / max(1, len(years)), np.float32)
