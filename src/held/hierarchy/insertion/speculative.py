"""Speculative search: guesses of the next objects' positions, so that one call asks about several objects.

Objects of a kind are mostly at one level, so the next one is expected where the last one went. The search
uses the answers up to the first wrong guess. Guesses save calls, and never change the tree.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from typing import NamedTuple

from held.hierarchy.insertion.overrides import ALL_ALLOWED, AllowedPositions
from held.hierarchy.insertion.scorer import Question
from held.tree import Tree


class Guess(NamedTuple):
    """A question about an object, where it is expected to be put, and the tree with it there."""

    question: Question
    position: int
    tree: Tree


class Draft:
    """The guesses for a document.

    `kinds` has the kind of each object. `call_cost` is the cost of a call of the scorer, however small, in
    questions; where it is 0, objects are asked about one by one.
    """

    def __init__(
        self,
        kinds: Mapping[int, Hashable] | None = None,
        *,
        call_cost: float = 0.0,
        allowed: AllowedPositions = ALL_ALLOWED,
    ) -> None:
        self._kinds = kinds or {}
        self._allowed = allowed
        self._call_cost = call_cost
        self._right = self._wrong = 1
        self._level: dict[Hashable, int] = {}  # where the last of each kind went

    def guesses(self, document: int, tree: Tree, objects: Sequence[int], *, start: int) -> list[Guess]:
        """Guesses for the objects from the `start`-th on, each as if those before it were right."""
        found = []
        for obj in objects[start : start + self._length()]:
            positions = self._allowed.positions(tree, obj)
            leaf = positions[-1]
            question = Question(document, tree, obj, positions)
            expected = self._level.get(self._kinds.get(obj), leaf)
            position = max(positions[0], min(expected, leaf))
            tree = tree.put(obj, position)
            found.append(Guess(question, position, tree))
        return found

    def _length(self) -> int:
        """How many guesses to make at a time.

        Where one guess in r is wrong, n guesses waste n²/2r questions on average, and save n - 1 calls: an
        object costs least where n² is 2r calls.
        """
        return max(1, int(math.sqrt(2 * self._call_cost * self._right / self._wrong)))

    def learn(self, obj: int, position: int, *, guessed: int) -> None:
        """Remembers the position of an object, and whether the guess was right."""
        self._level[self._kinds.get(obj)] = position
        self._right += position == guessed
        self._wrong += position != guessed
