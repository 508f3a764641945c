"""User corrections: levels, parents and kinds that are fixed for objects, and insertion that keeps to them.

An override also teaches: headings of the same kind go where the corrected one went.
"""

from __future__ import annotations

import heapq
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from held.errors import UsageError
from held.hierarchy.insertion.scorer import HasKinds, Question, Scorer
from held.tree import ROOT, Tree

HEADING = "heading"
TEXT = "text"
Override = int | str | None
OverrideMap = Mapping[int, Override]

_ADVICE = 'a place is the object of the heading above, None for the top, "heading" or "text"'


@dataclass(frozen=True, slots=True)
class Overrides:
    """The headings with a given parent (ROOT for the top level), other headings, and texts."""

    parents: Mapping[int, int] = field(default_factory=dict)
    headings: frozenset[int] = frozenset()
    texts: frozenset[int] = frozenset()

    def apply_to(self, found: Mapping[int, float], *, score: float) -> dict[int, float]:
        """The headings found, without the texts and with the given headings at `score`, in reading order."""
        given = {*self.parents, *self.headings}
        scores = {**found, **dict.fromkeys(given, score)}
        return {heading: scores[heading] for heading in sorted(scores) if heading not in self.texts}


NO_OVERRIDES = Overrides()


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


Parents = Mapping[int, int]
"""The given parent of each object that has one; ROOT for the top level."""
Kinds = Mapping[int, Hashable]

# Lessons that each kind of parent counts for before there are any: one lesson makes its kind of parent
# (1 + 0.3) / 0.3, or about four times, as likely as the others.
_PRIOR_LESSONS = 0.3


@dataclass(frozen=True, slots=True)
class AllowedPositions:
    """Which positions each object may be put at; `kept_open` has the deepest node that it may not close."""

    parents: Parents = field(default_factory=dict)
    kept_open: Mapping[int, int] = field(default_factory=dict)

    def positions(self, tree: Tree, obj: int) -> range:
        """The positions of the branch that are allowed for an object: all where nothing is given."""
        parent = self.parents.get(obj)
        if parent is not None:
            position = _position(tree, parent)
            return range(position, position + 1)
        return range(_position(tree, self.kept_open.get(obj, ROOT)), len(tree.positions))


ALL_ALLOWED = AllowedPositions()


def allowed_positions(objects: Sequence[int], parents: Parents) -> AllowedPositions:
    """The positions allowed for the objects, in reading order; contradicting parents are an error."""
    known = set(objects)
    for obj, parent in parents.items():
        _check(obj, parent, known)
    kept_open = _kept_open(objects, parents)
    for obj, parent in parents.items():
        if parent < kept_open.get(obj, ROOT):
            raise UsageError(
                f"object {obj} cannot stand under {_name(parent)}: "
                f"a later object is given a place under object {kept_open[obj]}, which would be closed",
                advice="give places that fit into one tree in reading order",
            )
    return AllowedPositions(parents, kept_open)


def _kept_open(objects: Sequence[int], parents: Parents) -> dict[int, int]:
    """For each object the deepest node that a later object is to be put under.

    All nodes that must stay open are on one branch, so the deepest of them is the last in reading order.
    """
    last_child: dict[int, int] = {}
    for obj, parent in parents.items():
        last_child[parent] = max(obj, last_child.get(parent, obj))
    found: dict[int, int] = {}
    waiting: list[tuple[int, int]] = []  # (-node, its last given child): the latest node first
    for obj in objects:
        while waiting and waiting[0][1] <= obj:
            heapq.heappop(waiting)
        if waiting:
            found[obj] = -waiting[0][0]
        if obj in last_child:
            heapq.heappush(waiting, (-obj, last_child[obj]))
    return found


def _check(obj: int, parent: int, known: set[int]) -> None:
    if obj not in known:
        raise UsageError(f"object {obj} has a place but is not inserted", advice="give places to headings")
    if parent != ROOT and parent not in known:
        raise UsageError(f"object {obj} cannot stand under object {parent}, which is not inserted")
    if parent >= obj:
        raise UsageError(f"object {obj} cannot stand under object {parent}, which does not come before it")


def _name(parent: int) -> str:
    return "the root" if parent == ROOT else f"object {parent}"


def _position(tree: Tree, node: int) -> int:
    position = tree.position_under(node)
    assert position is not None, "what must stay open is on the branch"
    return position


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
        self._kinds = [
            scorer.kinds(document) if isinstance(scorer, HasKinds) else {} for document in range(len(lessons))
        ]
        self._lessons = [_by_kind(*pair) for pair in zip(lessons, self._kinds, strict=True)]

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
        nodes = [question.tree.positions[position].parent for position in question.positions]
        weights = [_PRIOR_LESSONS + before.count(_kind(node, kinds)) for node in nodes]
        raised = [weight * probability for weight, probability in zip(weights, answer, strict=True)]
        total, wanted = sum(raised), sum(answer)
        return [value * wanted / total for value in raised] if total > 0 else list(answer)


def _by_kind(lessons: Parents, kinds: Kinds) -> dict[Hashable, list[_Lesson]]:
    found: dict[Hashable, list[_Lesson]] = {}
    for obj, parent in lessons.items():
        # A kind that lies below itself occurs at several levels, so it says nothing about the level.
        if obj in kinds and kinds[obj] != _kind(parent, kinds):
            found.setdefault(kinds[obj], []).append(_Lesson(obj, _kind(parent, kinds)))
    return found


def _kind(node: int, kinds: Kinds) -> Hashable:
    return "root" if node == ROOT else kinds.get(node)
