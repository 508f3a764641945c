"""User corrections: levels, parents and kinds that are fixed for objects, and insertion that keeps to them.

An override also teaches: headings of the same kind go where the corrected one went.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import NamedTuple

from held.errors import UsageError
from held.hierarchy.insertion import (
    HasKinds,
    Insertion,
    Objects,
    Overrides,
    Question,
    Scorer,
    Strategy,
    build_many,
)
from held.tree import ROOT, Parents, Tree

HEADING = "heading"
TEXT = "text"
Override = int | str | None
OverrideMap = Mapping[int, Override]

_ADVICE = 'a place is the object of the heading above, None for the top, "heading" or "text"'


def parse_overrides(overrides: OverrideMap, *, object_count: int) -> Overrides:
    """The overrides of a document with so many objects; a given parent is a heading, too."""
    parents: dict[int, int] = {}
    by_word: dict[str, set[int]] = {HEADING: set(), TEXT: set()}
    for obj, override in overrides.items():
        if isinstance(override, int):
            parents[obj] = override
        elif override is None:
            parents[obj] = ROOT
        elif override in by_word:
            by_word[override].add(obj)
        else:
            raise UsageError(f"object {obj} cannot be fixed at {override!r}", advice=_ADVICE)
    above = {parent for parent in parents.values() if parent != ROOT}
    texts = by_word[TEXT]
    for obj in {*overrides, *above}:
        if not 0 <= obj < object_count:
            raise UsageError(f"there is no object {obj}: the document has {object_count}")
    if above & texts:
        raise UsageError(f"object {min(above & texts)} is fixed as text, but has a heading below it")
    return Overrides(parents, frozenset(by_word[HEADING] | above), frozenset(texts))


Kinds = Mapping[int, Hashable]

# Lessons that each kind of parent counts for before there are any: one lesson makes its kind of parent
# (1 + 0.3) / 0.3, or about four times, as likely as the others.
_PRIOR_LESSONS = 0.3


class _Lesson(NamedTuple):
    obj: int
    parent_kind: Hashable


def lessons_of(parents: Parents, built: Tree) -> dict[int, int]:
    """The given parents that differ from those of the tree that was built without them."""
    own = built.parents()
    return {obj: parent for obj, parent in parents.items() if own.get(obj) != parent}


class LessonScorer:
    """A scorer whose probabilities are changed by the lessons of each document."""

    def __init__(self, scorer: Scorer, lessons: Sequence[Parents]) -> None:
        self._scorer = scorer
        self._kinds: list[Kinds] = [{} for _ in lessons]
        if isinstance(scorer, HasKinds):
            self._kinds = [scorer.kinds(document) for document in range(len(lessons))]
        self._lessons = list(map(_by_kind, lessons, self._kinds))

    def kinds(self, document: int) -> Kinds:
        """The kinds of the scorer itself."""
        return self._kinds[document]

    def score(self, questions: Sequence[Question]) -> list[list[float]]:
        """For each question a probability for each of its positions; their sum stays the same."""
        answers = self._scorer.score(questions)
        return [self._apply_lessons(*pair) for pair in zip(questions, answers, strict=True)]

    def _apply_lessons(self, question: Question, answer: Sequence[float]) -> list[float]:
        kinds = self._kinds[question.document]
        of_kind = self._lessons[question.document].get(kinds.get(question.obj), ())
        # A lesson counts for later objects only: what stands above a correction stays as it was.
        before = [lesson.parent_kind for lesson in of_kind if lesson.obj < question.obj]
        if not before:
            return list(answer)
        raised = []
        for position, probability in zip(question.positions, answer, strict=True):
            node = question.tree.positions[position].parent
            weight = _PRIOR_LESSONS + before.count(_kind(node, kinds))
            raised.append(weight * probability)
        total, wanted = sum(raised), sum(answer)
        if total <= 0:
            return list(answer)
        return [value * wanted / total for value in raised]


def _by_kind(lessons: Parents, kinds: Kinds) -> dict[Hashable, list[_Lesson]]:
    found: dict[Hashable, list[_Lesson]] = {}
    for obj, parent in lessons.items():
        parent_kind = _kind(parent, kinds)
        # A kind that lies below itself occurs at several levels, so it says nothing about the level.
        if obj in kinds and kinds[obj] != parent_kind:
            lesson = _Lesson(obj, parent_kind)
            found.setdefault(kinds[obj], []).append(lesson)
    return found


def _kind(node: int, kinds: Kinds) -> Hashable:
    return "root" if node == ROOT else kinds.get(node)


def insert_with_overrides(
    documents: Objects, scorer: Scorer, strategy: Strategy, parents: Sequence[Parents]
) -> list[Insertion]:
    """The trees of documents with given parents; those that the scorer would not choose are its lessons."""
    built = build_many(documents, scorer, strategy)
    lessons = [lessons_of(given, own.tree) for given, own in zip(parents, built, strict=True)]
    return build_many(documents, LessonScorer(scorer, lessons), strategy, parents=parents)
