"""What a true tree teaches: for every object the positions to skip and the one to put it at.

At inference earlier objects may stand in wrong places, headings may be missing and others be false. The
examples can be made under the same conditions: the right position is then the one under the deepest true
ancestor that is still on the branch.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from held.errors import UsageError
from held.hierarchy.insertion import Question
from held.tree import Tree


class Example(NamedTuple):
    """An object to insert, the tree so far, and the right position: put there, skip the others."""

    tree: Tree
    obj: int
    right: int

    @property
    def labels(self) -> tuple[bool, ...]:
        """For each position of the branch whether the object belongs there."""
        return tuple(position == self.right for position in range(len(self.tree.positions)))


@dataclass(frozen=True, slots=True)
class Noise:
    """Rates of earlier errors: objects put at a wrong position, headings dropped and false ones added.

    All are shares of the number of headings.
    """

    misplaced: float = 0.0
    dropped: float = 0.0
    false: float = 0.0

    def __post_init__(self) -> None:
        for name in ("misplaced", "dropped", "false"):
            if not 0 <= getattr(self, name) <= 1:
                raise UsageError(f"{name} = {getattr(self, name)} is no rate", advice="give one from 0 to 1")


Misplace = Callable[[Example, random.Random], int]
"""Draws a position for an object that is to be put wrongly."""


def right_position(parents: Mapping[int, int], tree: Tree, obj: int) -> int:
    """The position under the object's deepest true ancestor that is on the branch."""
    ancestor = parents[obj]
    while (position := tree.position_under(ancestor)) is None:
        ancestor = parents[ancestor]  # ends at the root, which is always on the branch
    return position


def anywhere_else(example: Example, rng: random.Random) -> int:
    """A wrong position, all alike; the right one where there is no other."""
    count = len(example.tree.positions)
    if count == 1:
        return example.right
    # One to count - 1 steps on from the right one, and round: every other position is as likely.
    steps = rng.randrange(1, count)
    return (example.right + steps) % count


def examples(
    truth: Tree,
    objects: Iterable[int] | None = None,
    *,
    misplaced: float = 0.0,
    rng: random.Random | None = None,
    misplace: Misplace = anywhere_else,
) -> Iterator[Example]:
    """An example for each object in order, some of them put wrongly before the next one comes.

    `objects` are those to insert, all of the tree's by default; the truth must know each of them.
    """
    rng = rng or random.Random(0)
    parents = truth.parents()
    tree = Tree()
    for obj in parents if objects is None else objects:
        example = Example(tree, obj, right_position(parents, tree, obj))
        yield example
        wrong = misplaced > 0 and rng.random() < misplaced
        tree = tree.put(obj, misplace(example, rng) if wrong else example.right)


def noisy_headings(
    headings: Collection[int], object_count: int, *, noise: Noise, rng: random.Random
) -> tuple[int, ...]:
    """The headings that a heading step might give: some dropped, some objects of the body among them."""
    true = set(headings)
    body = object_count - len(true)
    # The rate is a share of the headings, and is spread over the objects of the body.
    false = min(1.0, noise.false * len(true) / body) if body else 0.0
    found = []
    for obj in range(object_count):
        drawn = rng.random()
        is_found = drawn >= noise.dropped if obj in true else drawn < false
        if is_found:
            found.append(obj)
    return tuple(found)


def noisy_examples(
    truth: Tree,
    headings: Collection[int],
    *,
    noise: Noise,
    rng: random.Random,
    misplace: Misplace = anywhere_else,
) -> Iterator[Example]:
    """Examples for the headings of a whole tree under all three kinds of earlier errors."""
    found = noisy_headings(headings, truth.size, noise=noise, rng=rng)
    return examples(truth, found, misplaced=noise.misplaced, rng=rng, misplace=misplace)


class PerfectScorer:
    """A scorer that knows the true trees: 1 for the right position, 0 for the others."""

    def __init__(self, truths: Sequence[Tree]) -> None:
        self._parents = [truth.parents() for truth in truths]

    def score(self, questions: Sequence[Question]) -> list[list[float]]:
        """For each question 1.0 at the right position and 0.0 elsewhere."""
        answers = []
        for document, tree, obj, positions in questions:
            right = right_position(self._parents[document], tree, obj)
            answers.append([float(position == right) for position in positions])
        return answers
