"""Put-or-skip insertion: one object after another is put at a position of the rightmost branch.

A model provides a scorer, the user chooses a strategy. The search for a document's tree is a coroutine: it
yields questions, is sent answers, and returns the tree. So the searches of many documents can be advanced
together (`advance_together`), and neither traversal orders nor beams know about batches.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Generator, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple, Protocol, runtime_checkable

from held.errors import UsageError
from held.tree import ALL_ALLOWED, AllowedPositions, Parents, Tree, allowed_positions

# --- What a search is given ---
#
# A scorer is made for some documents, so that it can encode every object once. It is asked in batches: all
# positions of an object, all trees of a beam and all documents that are processed together come in one call.


class Question(NamedTuple):
    """Which of these positions of the tree's branch does an object belong at? One inquiry per position."""

    document: int  # which of the scorer's documents
    tree: Tree
    obj: int
    positions: Sequence[int]  # indices into tree.positions

    @staticmethod
    def about(document: int, tree: Tree, obj: int) -> Question:
        """The question about all positions of the branch."""
        return Question(document, tree, obj, range(len(tree.positions)))


class Scorer(Protocol):
    """Scores objects at positions."""

    def score(self, questions: Sequence[Question]) -> Sequence[Sequence[float]]:
        """For each question a probability for each of its positions, in their order."""
        ...


@runtime_checkable
class HasKinds(Protocol):
    """A scorer that knows kinds of objects, so that several objects can be asked about at a time."""

    def kinds(self, document: int) -> Mapping[int, Hashable]:
        """The kind of each object; objects of a kind are mostly at one level."""
        ...


class Order(StrEnum):
    """The traversal order of the positions of a branch.

    TA    all positions; the most probable one is taken
    R2L   from the root; the first one above 0.5 is taken, or else the most probable one
    L2R   from the leaf; the same
    """

    TA = "ta"
    R2L = "r2l"
    L2R = "l2r"


@dataclass(frozen=True, slots=True)
class Strategy:
    """How to search for the tree.

    order       the traversal order of the positions
    width       how many trees a beam keeps; 1 is greedy
    normalise   whether the probabilities of an object's positions are divided by their sum, so that the trees
                of a beam can be compared; the paper does not. It needs all positions, so it has no effect on
                R2L and L2R.
    """

    order: Order = Order.TA
    width: int = 1
    normalise: bool = False

    def __post_init__(self) -> None:
        if self.width < 1:
            message = f"a beam of width {self.width} holds no tree"
            raise UsageError(message, advice="give a width of 1 or more")
        if self.width > 1 and self.order is not Order.TA:
            message = f"a beam cannot go with order {self.order}"
            raise UsageError(message, advice="use order ta, or a width of 1 for greedy")


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


# --- The search for one document's tree ---

_EMPTY = Tree()
_THRESHOLD = 0.5  # probability from which r2l and l2r put an object, as in the paper
_MIN_PROBABILITY = 1e-12  # keeps the logarithm of a probability of 0 finite
_MIN_ALTERNATIVE = 0.01  # probability; less likely positions are forgotten

Answers = Sequence[Sequence[float]]


class Alternative(NamedTuple):
    """Another parent that an object might have got, and with which probability."""

    parent: int
    probability: float


Alternatives = tuple[Alternative, ...]


class _Choice(NamedTuple):
    obj: int
    probability: float
    alternatives: Alternatives
    before: _Choice | None


@dataclass(frozen=True, slots=True, eq=False)
class State:
    """A partial tree, its log-probability, and the choices that led to it."""

    tree: Tree = _EMPTY
    log_probability: float = 0.0
    _choices: _Choice | None = None

    def put(
        self,
        obj: int,
        position: int,
        *,
        probability: float,
        alternatives: Alternatives = (),
        tree: Tree | None = None,
    ) -> State:
        """The state after putting the object at a position that has this probability; `tree` if known."""
        return State(
            tree or self.tree.put(obj, position),
            self.log_probability + log(probability),
            _Choice(obj, probability, alternatives, self._choices),
        )

    def others(self, probabilities: Iterable[tuple[int, float]], taken: int) -> Alternatives:
        """The positions that might have been taken instead, the most probable first."""
        found = [
            Alternative(self.tree.positions[position].parent, float(probability))
            for position, probability in probabilities
            if probability >= _MIN_ALTERNATIVE and position != taken
        ]
        return tuple(sorted(found, key=lambda other: -other.probability)) if found else ()

    def confidence(self) -> dict[int, float]:
        """The probability with which each object was put where it is."""
        return {choice.obj: choice.probability for choice in self._history()}

    def alternatives(self) -> dict[int, Alternatives]:
        """For each object that might have got another parent, which."""
        return {choice.obj: choice.alternatives for choice in self._history() if choice.alternatives}

    def _history(self) -> list[_Choice]:
        found = []
        choice = self._choices
        while choice is not None:
            found.append(choice)
            choice = choice.before
        return found[::-1]


class SearchResult(NamedTuple):
    """The end of a search: `wasted` inquiries were made after a wrong guess, and count for nothing."""

    state: State
    inquiries: int
    wasted: int = 0


Search = Generator[list[Question], Answers, SearchResult]


def search(
    document: int,
    objects: Sequence[int],
    strategy: Strategy,
    draft: Draft | None = None,
    *,
    allowed: AllowedPositions = ALL_ALLOWED,
) -> Search:
    """The search for the tree of a document's objects; only a greedy search uses the draft."""
    if strategy.order is not Order.TA:
        return _scan(document, objects, strategy.order, allowed)
    if strategy.width > 1:
        return _beam(document, objects, strategy, allowed)
    return _greedy(document, objects, draft or Draft(allowed=allowed), normalise=strategy.normalise)


def log(probability: float) -> float:
    """The logarithm of a probability, finite even for 0."""
    return math.log(max(probability, _MIN_PROBABILITY))


def _greedy(document: int, objects: Sequence[int], draft: Draft, *, normalise: bool) -> Search:
    """One tree: each object goes to its most probable position, the first of equals.

    After "0 (1 2)" the scorer is asked about object 3 below the root, 1 and 2. It answers .1, .7, .2; so 3
    goes below 1, with a confidence of .7 and the alternatives 2 (.2) and the root (.1).
    """
    state = State()
    done = inquiries = asked = 0
    while done < len(objects):
        guesses = draft.guesses(document, state.tree, objects, start=done)
        answers = yield [guess.question for guess in guesses]
        asked += sum(map(len, answers))
        for guess, answer in zip(guesses, answers, strict=True):
            given = _normalise(answer) if normalise else answer
            best = max(range(len(given)), key=given.__getitem__)
            asked_about = guess.question.positions
            position = asked_about[best]
            state = state.put(
                guess.question.obj,
                position,
                probability=float(given[best]),
                alternatives=state.others(zip(asked_about, given, strict=True), position),
                tree=guess.tree if position == guess.position else None,
            )
            done += 1
            inquiries += len(given)
            draft.learn(guess.question.obj, position, guessed=guess.position)
            if position != guess.position:
                # The answers that follow are about a tree that did not come about.
                break
    return SearchResult(state, inquiries, asked - inquiries)


def _beam(
    document: int, objects: Sequence[int], strategy: Strategy, allowed: AllowedPositions = ALL_ALLOWED
) -> Search:
    """The `width` most probable trees are kept."""
    states = [State()]
    inquiries = 0
    for obj in objects:
        questions = [Question(document, s.tree, obj, allowed.positions(s.tree, obj)) for s in states]
        answers = yield questions
        inquiries += sum(len(question.positions) for question in questions)
        probabilities = [_normalise(answer) if strategy.normalise else answer for answer in answers]
        by_position = [
            dict(zip(question.positions, given, strict=True))
            for question, given in zip(questions, probabilities, strict=True)
        ]
        # Every kept tree with the object at every position; the most probable of all of them are kept.
        extensions = [
            (state.log_probability + log(probability), state, position, given)
            for state, given in zip(states, by_position, strict=True)
            for position, probability in given.items()
        ]
        best = heapq.nlargest(strategy.width, extensions, key=lambda extension: extension[0])
        states = [
            state.put(
                obj,
                position,
                probability=float(given[position]),
                alternatives=state.others(given.items(), position),
            )
            for _, state, position, given in best
        ]
    return SearchResult(states[0], inquiries)


def _normalise(probabilities: Sequence[float]) -> list[float]:
    """The probabilities divided by their sum; all alike where the sum is 0."""
    total = sum(probabilities)
    return [p / total if total > 0 else 1 / len(probabilities) for p in probabilities]


def _scan(document: int, objects: Sequence[int], order: Order, allowed: AllowedPositions) -> Search:
    """From the root or from the leaf: one position after another until one has more than 0.5."""
    state = State()
    inquiries = 0
    for obj in objects:
        positions = allowed.positions(state.tree, obj)
        asked: dict[int, float] = {}
        for position in positions if order is Order.R2L else reversed(positions):
            ((probability,),) = yield [Question(document, state.tree, obj, (position,))]
            inquiries += 1
            asked[position] = float(probability)
            if probability > _THRESHOLD:
                break
        best = max(asked, key=asked.__getitem__)
        state = state.put(obj, best, probability=asked[best], alternatives=state.others(asked.items(), best))
    return SearchResult(state, inquiries)


# --- speculation ---
#
# The positions of the next objects are guessed, so that one call asks about several objects. Objects of a
# kind are mostly at one level, so the next one is expected where the last one went. The search uses the
# answers up to the first wrong guess. Guesses save calls, and never change the tree.


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


# --- trees of many documents ---
#
# Many documents are searched together, so that one call of the scorer serves all of them.

Objects = Sequence[Sequence[int]]
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
    documents: Objects,
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
        search(document, objects, strategy, _make_draft(document, scorer, call_cost, own), allowed=own)
        for document, (objects, own) in enumerate(zip(documents, allowed, strict=True))
    )
    found = advance_together(searches, scorer, together=together)
    return [_insertion(*pair) for pair in zip(found, given, strict=True)]


def _insertion(found: SearchResult, parents: Parents) -> Insertion:
    state, inquiries, wasted = found
    certain = dict.fromkeys(parents, 1.0)
    confidence = {**state.confidence(), **certain}
    return Insertion(state.tree, inquiries, state.log_probability, confidence, state.alternatives(), wasted)


def _make_draft(document: int, scorer: Scorer, call_cost: float, allowed: AllowedPositions) -> Draft | None:
    """The guesses for a document, if the scorer knows the kinds of its objects."""
    if not isinstance(scorer, HasKinds):
        return None
    return Draft(scorer.kinds(document), call_cost=call_cost, allowed=allowed)


def advance_together(searches: Iterable[Search], scorer: Scorer, *, together: int) -> list[SearchResult]:
    """The result of each search, in order; when one ends the next one starts."""
    if together < 1:
        raise UsageError(f"{together} documents cannot be advanced together", advice="give 1 or more")
    # A search is a generator: `next` runs it up to its first questions, `send` answers them and runs it up to
    # the next ones, and the exception that ends it carries the result.
    waiting = enumerate(searches)
    live: dict[int, tuple[Search, list[Question]]] = {}
    found: dict[int, SearchResult] = {}

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
        # One call for the questions of all searches; each gets its part of the answers.
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
