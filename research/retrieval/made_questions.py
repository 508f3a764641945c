"""Questions made from documents: how tokens are compared where there are no questions of people.

Three kinds, as people ask: for a topic (a heading, which is then hidden, is asked for; the passages of its
section answer), for a figure (the labels of some rows of a table) and for a statement (the telling words of a
paragraph), the last two mostly with words of the headings above, as one who knows the document would ask.
Words of other places are mixed in, for a question has words that lead nowhere.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from held.document import Kind
from held.hierarchy.pipeline import Hierarchy
from held.retrieval.features import Searchable, searchable
from held.retrieval.passages import Passage, passages
from held.retrieval.stopwords import telling
from held.retrieval.tokens import tokens

LONGEST_SECTION = 15  # passages; a longer section is no answer


@dataclass(frozen=True, slots=True, kw_only=True)
class Asking:
    """How many questions of each kind a document gives, and how they are put."""

    topics: int = 4
    figures: int = 8
    statements: int = 4
    with_heading: float = 0.7  # how often figures and statements are asked for with a heading
    strange_words: int = 6  # the most words of other places


class MadeQuestion(NamedTuple):
    """A question about a document, and which of its passages answer it."""

    query: str
    relevant: NDArray[np.bool_]


def made_questions(
    hierarchy: Hierarchy, asking: Asking, *, seed: int = 0
) -> tuple[Searchable, list[MadeQuestion]]:
    """Questions about a document, with its passages as they look once the headings asked for are hidden."""
    rng = random.Random(f"{seed}/{hierarchy.document.source}")
    found = passages(hierarchy)
    topics = _topics(found, asking.topics, rng)
    shown = [_without(passage, set(topics)) for passage in found]
    questions = [MadeQuestion(text, _under(found, heading)) for heading, text in topics.items()]
    questions += _figures(shown, asking, rng)
    questions += _statements(shown, asking, rng)
    strange = _telling(" ".join(passage.text for passage in rng.sample(shown, min(len(shown), 40))))
    return searchable(shown), [
        question._replace(query=_with_strange_words(question.query, strange, asking, rng))
        for question in questions
    ]


def _topics(found: Sequence[Passage], count: int, rng: random.Random) -> dict[int, str]:
    """Some headings of short sections, none above another, by what they say."""
    sections: dict[int, int] = {}
    texts: dict[int, str] = {}
    for passage in found:
        if passage.ancestors:
            nearest = passage.ancestors[-1]
            sections[nearest] = sections.get(nearest, 0) + 1
            texts[nearest] = passage.path[-1]
    fit = [h for h, size in sections.items() if size <= LONGEST_SECTION and len(_telling(texts[h])) >= 2]
    chosen = set(rng.sample(fit, min(count, len(fit))))
    nested = {h for p in found for h in p.ancestors[:-1] if chosen.intersection(p.ancestors[-1:])}
    return {heading: texts[heading] for heading in sorted(chosen - nested)}


def _without(passage: Passage, hidden: set[int]) -> Passage:
    """The passage without the hidden headings above it."""
    if not hidden.intersection(passage.ancestors):
        return passage
    kept = [(o, t) for o, t in zip(passage.ancestors, passage.path, strict=True) if o not in hidden]
    return replace(passage, ancestors=tuple(o for o, _ in kept), path=tuple(t for _, t in kept))


def _under(found: Sequence[Passage], heading: int) -> NDArray[np.bool_]:
    return np.array([passage.ancestors[-1:] == (heading,) for passage in found], bool)


def _figures(found: Sequence[Passage], asking: Asking, rng: random.Random) -> Iterator[MadeQuestion]:
    """Questions for rows of tables."""
    tables = [place for place, passage in enumerate(found) if passage.kind is Kind.TABLE]
    for place in rng.sample(tables, min(asking.figures, len(tables))):
        labels = [line.split("\t")[0] for line in found[place].text.splitlines()]
        labels = [label for label in labels if any(map(str.isalpha, label)) and _telling(label)]
        if labels:
            rows = rng.sample(labels, min(len(labels), rng.randint(1, 3)))
            years = [
                word for word in tokens(found[place].text) if word[:2] in ("19", "20") and len(word) == 4
            ]
            words = [*rows, *rng.sample(years, min(1, len(years)))]
            yield _about(found, place, words, asking, rng)


def _statements(found: Sequence[Passage], asking: Asking, rng: random.Random) -> Iterator[MadeQuestion]:
    """Questions for what paragraphs say."""
    long = [
        p for p, passage in enumerate(found) if passage.kind is Kind.PARAGRAPH and len(passage.text) > 120
    ]
    for place in rng.sample(long, min(asking.statements, len(long))):
        words = _telling(found[place].text)
        yield _about(found, place, rng.sample(words, min(len(words), rng.randint(3, 6))), asking, rng)


def _about(
    found: Sequence[Passage], place: int, words: Sequence[str], asking: Asking, rng: random.Random
) -> MadeQuestion:
    """The question with these words for one passage, mostly with some of the heading above it."""
    above = _telling(" ".join(found[place].path[-1:])) if rng.random() < asking.with_heading else []
    kept = [word for word in above if rng.random() < 0.8]
    relevant = np.zeros(len(found), bool)
    relevant[place] = True
    return MadeQuestion(" ".join([*words, *kept]), relevant)


def _with_strange_words(query: str, strange: Sequence[str], asking: Asking, rng: random.Random) -> str:
    count = min(len(strange), rng.randint(0, asking.strange_words))
    return " ".join([query, *rng.sample(strange, count)])


def _telling(text: str) -> list[str]:
    """The words of a text that tell something, each once."""
    words = dict.fromkeys(telling(tokens(text)))
    return [word for word in words if not word[0].isdigit() and len(word) > 1]
