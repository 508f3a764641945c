"""Beyond greedy: a wrong decision must not spoil what comes after it.

`best_first` is global decoding: it goes on with whichever partial tree promises the most, the greedy tree
telling what the rest will cost. `repaired` takes the greedy tree and asks of each doubtful decision what
would have become of the headings after it, had the subtree been promoted, demoted, or its heading deleted.
Both are searches like any other, so documents are advanced together.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from typing import NamedTuple

from held.hierarchy.insertion import Answers, Question, Search, SearchResult, State, log


@dataclass(frozen=True, slots=True)
class Doubt:
    """When a decision is looked at again, and how far ahead.

    least     the probability from which another position is tried
    horizon   how many headings ahead an alternative is followed, unless it meets the old tree before
    gain      how much better the log-probability must be
    rounds    how often the whole document is gone through
    """

    least: float = 0.05
    horizon: int = 30
    gain: float = 0.0
    rounds: int = 2


_DOUBT = Doubt()


class _Step(NamedTuple):
    """What became of an object: the states before and after it, and where it was put (None: deleted)."""

    obj: int
    before: State
    probabilities: Sequence[float]
    position: int | None
    gain: float  # its part of the log-probability
    after: State


def _take(
    obj: int, before: State, probabilities: Sequence[float], position: int | None, gain: float
) -> _Step:
    if position is None:
        return _Step(obj, before, probabilities, None, gain, before)
    after = before.put(obj, position, probability=probabilities[position])
    return _Step(obj, before, probabilities, position, gain, after)


def repair_tree(
    document: int, objects: Sequence[int], odds: Mapping[int, float] | None = None, doubt: Doubt = _DOUBT
) -> Search:
    """The greedy tree after every change that raises its log-probability.

    `odds` are the log-odds that each object is a heading at all; without them none is deleted.
    """
    steps, inquiries = yield from _greedy(document, objects)
    for _ in range(doubt.rounds):
        changed = False
        state = State()
        for k in range(len(steps)):
            if steps[k].before is not state:  # something before it was changed
                steps[k] = yield from _again(document, steps[k], state)
            for position in _alternatives(steps[k], odds, doubt):
                trial, asked = yield from _try(document, steps, k, position, odds or {}, doubt)
                inquiries += asked
                if trial:
                    steps[k : k + len(trial)] = trial
                    changed = True
                    break
            state = steps[k].after
        if not changed:
            break
    return SearchResult(steps[-1].after if steps else State(), inquiries)


def best_first(
    document: int, objects: Sequence[int], *, budget: float = 4.0, least: float = 0.02, hope: float = 0.5
) -> Search:
    """The best tree found within so many times the questions of a greedy search.

    `hope` is the share of what the greedy tree pays for the rest that a partial tree is expected to pay.
    """
    steps, inquiries = yield from _greedy(document, objects)
    rest = [0.0]  # what the greedy tree pays from each object on
    for step in reversed(steps):
        rest.append(rest[-1] + step.gain)
    rest.reverse()
    best = steps[-1].after if steps else State()
    order = count()  # equal promises: the older first
    waiting = [(-hope * rest[0], next(order), 0, State())]
    for _ in range(int(budget * len(objects))):
        if not waiting:
            break
        _, _, k, state = heapq.heappop(waiting)
        if k == len(objects):
            best = max(best, state, key=lambda s: s.log_probability)
            break
        probabilities = yield from _ask(document, state, objects[k])
        inquiries += len(probabilities)
        for position, probability in enumerate(probabilities):
            if probability >= least:
                after = state.put(objects[k], position, probability=probability)
                promise = after.log_probability + hope * rest[k + 1]
                heapq.heappush(waiting, (-promise, next(order), k + 1, after))
    return SearchResult(best, inquiries)


Asking = Generator[list[Question], Answers, list[float]]


def _ask(document: int, state: State, obj: int) -> Asking:
    """The probabilities of all positions, adding up to 1."""
    (answer,) = yield [Question(document, state.tree, obj, range(len(state.tree.positions)))]
    total = sum(answer)
    return [float(p) / total if total > 0 else 1 / len(answer) for p in answer]


def _greedy(
    document: int, objects: Sequence[int]
) -> Generator[list[Question], Answers, tuple[list[_Step], int]]:
    steps: list[_Step] = []
    inquiries = 0
    state = State()
    for obj in objects:
        step = yield from _step(document, state, obj)
        steps.append(step)
        inquiries += len(step.probabilities)
        state = step.after
    return steps, inquiries


def _step(document: int, state: State, obj: int) -> Generator[list[Question], Answers, _Step]:
    """The object put at its likeliest position."""
    probabilities = yield from _ask(document, state, obj)
    position = max(range(len(probabilities)), key=probabilities.__getitem__)
    return _take(obj, state, probabilities, position, log(probabilities[position]))


def _again(document: int, step: _Step, state: State) -> Generator[list[Question], Answers, _Step]:
    """The same step after another state: the same decision where the branch is the same."""
    if step.position is None or state.tree.branch == step.before.tree.branch:
        return _take(step.obj, state, step.probabilities, step.position, step.gain)
    return (yield from _step(document, state, step.obj))


def _alternatives(step: _Step, odds: Mapping[int, float] | None, doubt: Doubt) -> list[int | None]:
    """Other things to do with an object, the likeliest first; None is to delete it."""
    if step.position is None:
        return []
    others = [
        position
        for position, probability in enumerate(step.probabilities)
        if probability >= doubt.least and position != step.position
    ]
    found: list[int | None] = [*sorted(others, key=lambda position: -step.probabilities[position])]
    if odds is not None and odds.get(step.obj, math.inf) < -math.log(doubt.least):
        found.append(None)
    return found


def _try(
    document: int,
    steps: Sequence[_Step],
    k: int,
    position: int | None,
    odds: Mapping[int, float],
    doubt: Doubt,
) -> Generator[list[Question], Answers, tuple[list[_Step], int]]:
    """Another decision at k and the greedy way on from there until it meets the old one; empty if no gain."""
    old = steps[k]
    gain = -odds[old.obj] if position is None else log(old.probabilities[position])
    trial = [_take(old.obj, old.before, old.probabilities, position, gain)]
    inquiries = 0
    for step in steps[k + 1 : k + 1 + doubt.horizon]:
        state = trial[-1].after
        if len(trial) > 1 and state.tree.branch == step.before.tree.branch:
            break
        if step.position is None:
            trial.append(_take(step.obj, state, step.probabilities, None, step.gain))
            continue
        trial.append((yield from _step(document, state, step.obj)))
        inquiries += len(trial[-1].probabilities)
    gained = sum(step.gain for step in trial) - sum(step.gain for step in steps[k : k + len(trial)])
    return (trial if gained > doubt.gain else []), inquiries
