"""A scorer that learns from given places: what one heading of a look needed, the next ones may need too.

A given place that the scorer itself would not have chosen is a lesson: headings of this kind stand under
headings of that kind. It counts for objects that come after it, so what stands above a correction stays as
it was; and a place that the scorer had right teaches nothing, so giving it changes nothing.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import NamedTuple

from held.hierarchy.insertion.build import Insertion, build_many
from held.hierarchy.insertion.places import Parents
from held.hierarchy.insertion.scorer import HasKinds, Question, Scorer
from held.hierarchy.insertion.strategy import Strategy
from held.tree import ROOT, Tree

_DOUBT = 0.3
"""How many lessons against it a place is worth at the start: one lesson makes its kind of parent
(1 + 0.3) / 0.3, or some four times, as likely as the others."""


class _Lesson(NamedTuple):
    obj: int
    parent_kind: Hashable


Kinds = Mapping[int, Hashable]


def lessons_of(fixed: Parents, untaught: Tree) -> dict[int, int]:
    """The given places that differ from those of the tree that was built without them."""
    own = untaught.parents()
    return {obj: parent for obj, parent in fixed.items() if own.get(obj) != parent}


def insert_with_overrides(
    documents: Sequence[Sequence[int]], scorer: Scorer, strategy: Strategy, fixed: Sequence[Parents]
) -> list[Insertion]:
    """The trees of documents with given places; what is given where the scorer errs teaches it."""
    untaught = build_many(documents, scorer, strategy)
    if not any(fixed):
        return untaught
    lessons = [lessons_of(own, found.tree) for own, found in zip(fixed, untaught, strict=True)]
    return build_many(documents, TaughtScorer(scorer, lessons), strategy, fixed=fixed)


class TaughtScorer:
    """What a scorer says, changed by the lessons of each document."""

    def __init__(self, scorer: Scorer, lessons: Sequence[Parents]) -> None:
        self._scorer = scorer
        self._kinds = [_kinds(scorer, document) for document in range(len(lessons))]
        self._lessons = [_by_kind(*pair) for pair in zip(lessons, self._kinds, strict=True)]

    def kinds(self, document: int) -> Kinds:
        """The kinds that the scorer itself knows."""
        return self._kinds[document]

    def score(self, questions: Sequence[Question]) -> list[list[float]]:
        """For each question a probability for each of its positions, as probable in all as before."""
        answers = self._scorer.score(questions)
        return [self._taught(*pair) for pair in zip(questions, answers, strict=True)]

    def _taught(self, question: Question, answer: Sequence[float]) -> list[float]:
        kinds = self._kinds[question.document]
        of_kind = self._lessons[question.document].get(kinds.get(question.obj), ())
        before = [lesson.parent_kind for lesson in of_kind if lesson.obj < question.obj]
        if not before:
            return list(answer)
        nodes = [question.tree.positions[position].parent for position in question.positions]
        weights = [_DOUBT + before.count(_kind(node, kinds)) for node in nodes]
        raised = [weight * probability for weight, probability in zip(weights, answer, strict=True)]
        total, wanted = sum(raised), sum(answer)
        return [value * wanted / total for value in raised] if total > 0 else list(answer)


def _kinds(scorer: Scorer, document: int) -> Kinds:
    return scorer.kinds(document) if isinstance(scorer, HasKinds) else {}


def _by_kind(lessons: Parents, kinds: Kinds) -> dict[Hashable, list[_Lesson]]:
    found: dict[Hashable, list[_Lesson]] = {}
    for obj, parent in lessons.items():
        # A kind that stands below itself stands at several levels: its kind tells nothing of its place.
        if obj in kinds and kinds[obj] != _kind(parent, kinds):
            found.setdefault(kinds[obj], []).append(_Lesson(obj, _kind(parent, kinds)))
    return found


def _kind(node: int, kinds: Kinds) -> Hashable:
    return "root" if node == ROOT else kinds.get(node)
