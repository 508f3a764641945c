"""What the ranker sees of a passage for a question: how well the question's words match, at every size of
the tree.

The words are counted in the passage together with the headings above it, in these headings, in the section,
on the page; at the same sizes what the words mean is compared (`meaning`), for people do not know the words
of a document that they have not read; names are looked for among the labels of rows; and a page may be the
statement that has what is asked for. All is counted from postings and vectors that are made once, so a
question costs a few array operations. The features of the paper stand beside them, for comparison.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from held.retrieval.bm25 import SMALL, Floats, Postings, bm25, bm25_of_counts, idf, postings_of
from held.retrieval.definitions import defining
from held.retrieval.meaning import (
    Bytes,
    as_bytes,
    meaning_of_question,
    meanings_of_texts,
    shipped_meanings,
    summed,
)
from held.retrieval.names import Phrase
from held.retrieval.page_kinds import TITLE, PageWords, kinds_of_pages, page_kinds
from held.retrieval.passages import Passage
from held.retrieval.query import Question, in_document
from held.retrieval.stopwords import telling
from held.retrieval.tokens import tokens

PAPER = ("BM25", "BM25AncMax", "SameWordAnc", "Pos", "PosRatio")
WORDS = ("fields", "path", "section", "page")
MEANINGS = ("passage meant", "path meant", "section meant", "page meant")
FEATURES = (*WORDS, *MEANINGS, "row", "row asked", "defined", "number", "kind")
"""The columns of `match_features`.

fields     BM25F: the words in the passage, and in the headings above it, which count twice
path       the words in the headings alone
section    the words in all passages right under its heading, taken as one text
page       the words in all passages of its page, taken as one text
... meant  how near the passage, the headings, the section and the page are to what the question means
row        the row whose label is most like a name that is asked for
row asked  the row whose label is most like the question itself
defined    how surely it says what the word means that is asked for
number     whether it has a number, where one is asked for
kind       how much its page is what has the thing asked for: a balance sheet …

All but the last are over the best of the document, so that questions compare.
"""

TITLE_LINES = 4  # of a passage at the top of a page that may be its title
HEADING_WORTH = 2  # a heading says in few words what much text is about

Ints = NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class Searchable:
    """The passages of one document, ready for questions.

    `postings` has the passages first, then the headings above them. `above[i]` is a heading's text number and
    `below[i]` a passage under it, the nearest heading last. `section` numbers the headings that passages
    stand right under, `page` the pages. `labels` has the telling words of the rows, `owner` the passage of
    each row. `kinds` says how much the page of a passage is of each of `page_kinds`; `about` are the words of
    the first page, which names the document. `meaning` has the vectors of the texts in bytes, `meaning_step`
    what a step of each is worth, and `meaning_length` how long the vectors are of each passage, its headings,
    its section and its page: the columns `MEANINGS`.
    """

    passages: Sequence[Passage]
    postings: Postings
    above: Ints
    below: Ints
    section: Ints
    page: Ints
    labels: Postings
    owner: Ints
    kinds: Floats
    about: frozenset[str]
    meaning: Bytes  # (T, D)
    meaning_step: Floats  # (T,)
    meaning_length: Floats  # (P, 4)


def searchable(passages: Sequence[Passage]) -> Searchable:
    """The passages of one document with all that can be known before the question."""
    headings: dict[int, str] = {}
    for passage in passages:
        headings |= zip(passage.ancestors, passage.path, strict=True)
    number = {heading: len(passages) + place for place, heading in enumerate(headings)}
    words = [tokens(text) for text in chain((p.text for p in passages), headings.values())]
    pairs = [(number[obj], p) for p, passage in enumerate(passages) for obj in passage.ancestors]
    above, below = np.array(pairs, np.int32).reshape(-1, 2).T
    sections: dict[tuple[int, ...], int] = {}
    section = [sections.setdefault(passage.ancestors[-1:], len(sections)) for passage in passages]
    rows = [(owner, row.label) for owner, passage in enumerate(passages) for row in passage.rows]
    own = words[: len(passages)]
    paths = [[word for obj in passage.ancestors for word in words[number[obj]]] for passage in passages]
    postings = postings_of(words)
    groups = _Groups(above, below, np.array(section, np.int32), _pages(passages))
    meaning, step = as_bytes(meanings_of_texts(postings, shipped_meanings()))
    return Searchable(
        tuple(passages),
        postings,
        *groups,
        postings_of([telling(tokens(label)) for _, label in rows]),
        np.array([owner for owner, _ in rows], np.int32),
        _kinds(passages, own, paths),
        _about(passages, own, paths),
        meaning,
        step,
        _lengths(meaning * step[:, None], groups, len(passages)),
    )


class _Groups(NamedTuple):
    """What passages belong to: the fields of `Searchable` of the same names."""

    above: Ints
    below: Ints
    section: Ints
    page: Ints


def _pages(passages: Sequence[Passage]) -> Ints:
    return np.array([passage.page for passage in passages], np.int32)


def _lengths(vectors: Floats, groups: _Groups, count: int) -> Floats:
    """How long the vectors are of each passage, of its headings, its section and its page."""
    own = np.arange(count)
    path = summed(vectors, groups.above, groups.below, count)
    section = summed(vectors, own, groups.section, _count(groups.section))
    page = summed(vectors, own, groups.page, _count(groups.page))
    columns = [vectors[:count], path, section[groups.section], page[groups.page]]
    return np.stack([np.linalg.norm(column, axis=1) for column in columns], axis=1).astype(np.float32)


def _count(group: Ints) -> int:
    return int(group.max(initial=-1)) + 1


def _kinds(
    passages: Sequence[Passage], words: Sequence[Sequence[str]], paths: Sequence[Sequence[str]]
) -> Floats:
    """For each passage how much its page is of each kind."""
    texts: dict[int, list[str]] = {}
    headings: dict[int, list[str]] = {}
    titles: dict[int, list[str]] = {}
    for passage, own, path in zip(passages, words, paths, strict=True):
        text = texts.setdefault(passage.page, [])
        lines = passage.text.split("\n", TITLE_LINES)[:TITLE_LINES] if len(text) < TITLE else []
        titles.setdefault(passage.page, []).extend([*passage.path[-1:], *lines])
        headings.setdefault(passage.page, []).extend(path)
        text.extend(own)
    pages = sorted(texts)
    kinds = kinds_of_pages([PageWords(texts[page], headings[page], titles[page]) for page in pages])
    place = {page: at for at, page in enumerate(pages)}
    return kinds[np.array([place[passage.page] for passage in passages], np.int32)]


def _about(
    passages: Sequence[Passage], words: Sequence[Sequence[str]], paths: Sequence[Sequence[str]]
) -> frozenset[str]:
    """The words of the first page and of the headings there."""
    first = min((passage.page for passage in passages), default=0)
    here = [at for at, passage in enumerate(passages) if passage.page == first]
    return frozenset(word for at in here for word in (*words[at], *paths[at]))


def paper_features(query: str, document: Searchable) -> Floats:
    """For each passage the columns `PAPER`."""
    count = len(document.passages)
    scores = bm25(document.postings, tokens(query))
    best_above = _best_above(document, scores[count:])
    facts = [
        (_same_words(passage), passage.position, passage.position / passage.siblings)
        for passage in document.passages
    ]
    columns = [scores[:count, None], best_above[:, None], np.array(facts, np.float32).reshape(count, 3)]
    return np.concatenate(columns, axis=1)


def _same_words(passage: Passage) -> int:
    """How many different words a passage shares with all headings above it."""
    above = {word for heading in passage.path for word in tokens(heading)}
    return len(above.intersection(tokens(passage.text)))


class Matches(NamedTuple):
    """How well each passage matches: the columns `FEATURES` without the last, as counted, and the last.

    `share` is how much of the question the passage and the headings above it have, from 0 to 1.
    """

    columns: Floats
    kind: Floats
    share: Floats

    def features(self) -> Floats:
        """For each passage the columns `FEATURES`, all but the last over the best of the document."""
        best = np.maximum(self.columns.max(axis=0, initial=0), SMALL)
        return np.concatenate([self.columns / best, self.kind[:, None]], axis=1)


def match_features(question: Question, document: Searchable) -> Floats:
    """For each passage the columns `FEATURES`."""
    return matches_of(question, document).features()


def matches_of(question: Question, document: Searchable) -> Matches:
    """How well each passage matches the question."""
    asked = in_document(question, document.about)
    count = len(document.passages)
    weights = np.array(list(asked.words.values()), np.float32)
    found = document.postings.counts_of(list(asked.words))  # (W, T)
    lengths = document.postings.lengths.astype(np.float32)
    own, heads = found[:, :count], found[:, count:]
    path = _summed(heads[:, document.above - count], document.below, count)
    path_lengths = np.bincount(document.below, lengths[document.above], count)
    both_lengths = lengths[:count] + HEADING_WORTH * path_lengths
    worth = weights * idf(own)
    columns = [
        bm25_of_counts(own + HEADING_WORTH * path, both_lengths, weights),
        bm25_of_counts(path, path_lengths, weights),
        _grouped(own, lengths[:count], weights, document.section),
        _grouped(own, lengths[:count], weights, document.page),
        *meaning_likeness(asked, document).T,
        _best_row(document, row_likeness(document, asked.phrases)),
        _best_row(document, row_likeness(document, {asked.asked: 1.0})),
        _defined(asked.term, document),
        asked.number * document.postings.with_number[:count],
    ]
    share = worth @ ((own + path) > 0) / max(float(worth.sum()), SMALL)
    return Matches(np.stack(columns, axis=1).astype(np.float32), _kind(asked, document), share)


def _defined(term: str, document: Searchable) -> Floats:
    """For each passage how surely it says what the term means; 0 where no term is asked for."""
    found = np.zeros(len(document.passages), np.float32)
    if term:
        for number in np.flatnonzero(_has_all(document, telling(tokens(term)))).tolist():
            found[number] = defining(document.passages[number], term)
    return found


def meaning_likeness(question: Question, document: Searchable) -> Floats:
    """For each passage the columns `MEANINGS`: cosines, none below 0."""
    meant = meaning_of_question(question.asked, shipped_meanings())
    count = len(document.passages)
    along = (document.meaning @ meant) * document.meaning_step  # (T,): how far each text goes the same way
    own = along[:count]
    columns = [
        own,
        np.bincount(document.below, along[document.above], count),
        np.bincount(document.section, own)[document.section],
        np.bincount(document.page, own)[document.page],
    ]
    cosines = np.stack(columns, axis=1) / np.maximum(document.meaning_length, SMALL)
    return np.asarray(np.maximum(cosines, 0), np.float32)


def row_likeness(document: Searchable, phrases: Mapping[Phrase, float]) -> Floats:
    """How alike each row's label is to the phrase it is most like: Dice of their words, times the weight."""
    words = sorted({word for phrase in phrases for word in phrase})
    there = np.minimum(document.labels.counts_of(words), 1)  # (W, rows)
    number = {word: place for place, word in enumerate(words)}
    best = np.zeros(len(document.owner), np.float32)
    for phrase, weight in phrases.items():
        different = {number[word] for word in phrase}
        shared = there[list(different)].sum(axis=0)
        alike = 2 * shared / np.maximum(len(different) + document.labels.lengths, 1)
        np.maximum(best, weight * alike, out=best)
    return best


def _best_row(document: Searchable, likeness: Floats) -> Floats:
    """For each passage the likeness of its best row, 0 without any."""
    best = np.zeros(len(document.passages), np.float32)
    np.maximum.at(best, document.owner, likeness)
    return best


def _kind(question: Question, document: Searchable) -> Floats:
    """For each passage how much its page is of a kind that is asked for."""
    found = np.zeros(len(document.passages), np.float32)
    for column, kind in enumerate(page_kinds()):
        if kind.name in question.pages:
            np.maximum(found, document.kinds[:, column], out=found)
    return found


def _summed(counts: Floats, group: Ints, groups: int) -> Floats:
    """The counts of each word, summed by group."""
    sums = [np.bincount(group, row, groups) for row in counts]
    return np.array(sums, np.float32).reshape(len(counts), groups)


def _grouped(counts: Floats, lengths: Floats, weights: Floats, group: Ints) -> Floats:
    """For each passage the score of all passages of its group, taken as one text."""
    groups = _count(group)
    sums = _summed(counts, group, groups)
    return bm25_of_counts(sums, np.bincount(group, lengths, groups), weights)[group]


def _best_above(document: Searchable, headings: Floats) -> Floats:
    """For each passage the highest score among the headings above it, 0 without any."""
    best = np.zeros(len(document.passages), np.float32)
    np.maximum.at(best, document.below, headings[document.above - len(document.passages)])
    return best


def _has_all(document: Searchable, words: Iterable[str]) -> NDArray[np.bool_]:
    """Which passages have all the words, in themselves or in a heading above them."""
    return np.asarray(np.logical_and.reduce([has_any(document, [word]) for word in words]), np.bool_)


def has_any(document: Searchable, words: Iterable[str]) -> NDArray[np.bool_]:
    """Which passages have one of the words, themselves or in a heading above them."""
    having = np.zeros(len(document.postings.lengths), np.bool_)
    for word in words:
        having[document.postings.having(word)[0]] = True
    found = having[: len(document.passages)].copy()
    found[document.below[having[document.above]]] = True
    return found
