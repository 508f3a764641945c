"""Builds trees: many documents are searched together, so that one call of the scorer serves all of them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from held.errors import UsageError
from held.hierarchy.insertion.overrides import (
    AllowedPositions,
    LessonScorer,
    Parents,
    allowed_positions,
    lessons_of,
)
from held.hierarchy.insertion.scorer import HasKinds, Question, Scorer, Strategy
from held.hierarchy.insertion.search import Alternatives, Answers, Draft, Found, Search, search
from held.tree import ROOT, Tree

Documents = Sequence[Sequence[int]]
"""The objects to insert of each document, in reading order."""

_GREEDY = Strategy()
_MAX_TOGETHER = 32  # documents that are searched at a time
_CALL_COST = 10.0  # of a call of the scorer, in questions, however few it has: measured with both presets


@dataclass(frozen=True, slots=True)
class Insertion:
    """A tree, and how it was built.

    inquiries         positions that were scored, in all trees of a beam
    log_probability   of the tree
    confidence        the probability of the chosen position of each object that was inserted
    alternatives      the other parents that an object might have got
    wasted            further inquiries, after a wrong guess
    """

    tree: Tree
    inquiries: int
    log_probability: float
    confidence: Mapping[int, float]
    alternatives: Mapping[int, Alternatives] = field(default_factory=dict)
    wasted: int = field(default=0, compare=False)


def build(
    objects: Sequence[int],
    scorer: Scorer,
    strategy: Strategy = _GREEDY,
    *,
    parents: Parents | None = None,
) -> Insertion:
    """The tree of the objects of the scorer's only document, some of them with given parents."""
    return build_many([objects], scorer, strategy, parents=[parents or {}])[0]


def build_many(
    documents: Documents,
    scorer: Scorer,
    strategy: Strategy = _GREEDY,
    *,
    parents: Sequence[Parents] | None = None,
    together: int = _MAX_TOGETHER,
) -> list[Insertion]:
    """The trees of several documents.

    `parents` has the given parents of each document: such objects are put there with a probability of 1, and
    the others are inserted around them.
    """
    call_cost = _CALL_COST / max(1, min(together, len(documents)))  # each document's share
    given = parents or [{} for _ in documents]
    allowed = [allowed_positions(*pair) for pair in zip(documents, given, strict=True)]
    searches = (
        search(document, objects, strategy, _draft(document, scorer, call_cost, own), allowed=own)
        for document, (objects, own) in enumerate(zip(documents, allowed, strict=True))
    )
    found = advance_together(searches, scorer, together=together)
    return [_insertion(*pair) for pair in zip(found, given, strict=True)]


def insert_with_overrides(
    documents: Documents, scorer: Scorer, strategy: Strategy, parents: Sequence[Parents]
) -> list[Insertion]:
    """The trees of documents with given parents; those that the scorer would not choose are its lessons."""
    built = build_many(documents, scorer, strategy)
    if not any(parents):
        return built
    lessons = [lessons_of(given, own.tree) for given, own in zip(parents, built, strict=True)]
    return build_many(documents, LessonScorer(scorer, lessons), strategy, parents=parents)


def attach_body(headings: Tree, object_count: int) -> Tree:
    """The tree of all objects: body objects go under the heading before them, or else under the root."""
    heading_parents = headings.parents()
    parents: dict[int, int] = {}
    last_heading = ROOT
    for obj in range(object_count):
        parents[obj] = heading_parents.get(obj, last_heading)
        if obj in heading_parents:
            last_heading = obj
    return Tree.from_parents(parents)


def _insertion(found: Found, parents: Parents) -> Insertion:
    state, inquiries, wasted = found
    certain = dict.fromkeys(parents, 1.0)
    confidence = {**state.confidence(), **certain}
    return Insertion(state.tree, inquiries, state.log_probability, confidence, state.alternatives(), wasted)


def _draft(document: int, scorer: Scorer, call_cost: float, allowed: AllowedPositions) -> Draft | None:
    """The guesses for a document, if the scorer knows the kinds of its objects."""
    if not isinstance(scorer, HasKinds):
        return None
    return Draft(scorer.kinds(document), call_cost=call_cost, allowed=allowed)


def advance_together(searches: Iterable[Search], scorer: Scorer, *, together: int) -> list[Found]:
    """The result of each search, in order; when one ends the next one starts."""
    if together < 1:
        raise UsageError(f"{together} documents cannot be advanced together", advice="give 1 or more")
    waiting = enumerate(searches)
    live: dict[int, tuple[Search, list[Question]]] = {}
    found: dict[int, Found] = {}

    def advance(index: int, running: Search, answers: Answers | None) -> None:
        try:
            live[index] = running, next(running) if answers is None else running.send(answers)
        except StopIteration as end:
            live.pop(index, None)
            found[index] = end.value

    while True:
        while len(live) < together and (new := next(waiting, None)) is not None:
            advance(*new, None)
        if not live:
            return [found[index] for index in sorted(found)]
        answers = _ask(scorer, [question for _, questions in live.values() for question in questions])
        start = 0
        for index, (running, questions) in list(live.items()):
            advance(index, running, answers[start : start + len(questions)])
            start += len(questions)


def _ask(scorer: Scorer, questions: list[Question]) -> Answers:
    answers = scorer.score(questions)
    if [len(answer) for answer in answers] != [len(question.positions) for question in questions]:
        raise ValueError("the scorer must give one probability for each position of each question")
    if any(math.isnan(sum(answer)) for answer in answers):
        raise ValueError("the scorer gave a probability that is not a number")
    return answers
