"""Monte Carlo tree search over insertions: the way out that the paper names for its limitation (5.3).

Greedy insertion never takes a decision back, so one wrong high heading spoils all below it. Here a doubtful
decision is tried out before it is taken: simulations insert the headings that follow, and the position after
which they fit best is chosen.

policy   the put-or-skip probabilities of a heading's positions, divided by their sum
rollout  the headings after the simulation's new node, inserted greedily
value    the geometric mean of the put-or-skip probabilities from the doubtful heading to the rollout's end;
         not normalised, for after a wrong decision nothing fits well, and that is what shows it

Insertion is deterministic, so a node is worth the best simulation through it, not their mean. A decision that
the policy is sure of is taken at once: the search costs little where greedy is right.
"""

from __future__ import annotations

import math
from collections.abc import Generator, Sequence
from dataclasses import dataclass, field

from held.hierarchy.insertion import Question, Scorer, Strategy
from held.hierarchy.insertion.build import advance_together
from held.hierarchy.insertion.search import Answers, Found, Search, State
from held.hierarchy.steps import Objects
from held.tree import Tree

_TOGETHER = 32  # documents that are searched at a time


@dataclass(frozen=True, slots=True)
class MonteCarlo:
    """How much is searched.

    certain       probability from which the policy's first choice is taken without a search
    least         probability below which a position is not tried
    simulations   of each doubtful decision
    horizon       headings from the doubtful one to the end of a rollout
    exploration   weight of the policy against the value where a simulation chooses its way (PUCT)
    """

    certain: float = 0.97
    least: float = 0.03
    simulations: int = 20
    horizon: int = 15
    exploration: float = 0.5


@dataclass(slots=True)
class _Node:
    """A partial tree in the search, and what the simulations through it found."""

    state: State
    depth: int = 0  # headings inserted since the doubtful one
    prior: float = 1.0
    visits: int = 0
    value: float = 0.0  # of the best simulation
    children: dict[int, _Node] = field(default_factory=dict)  # by position

    def expand(self, obj: int, probabilities: Sequence[float], *, least: float) -> None:
        """Add a child for each position that is likely enough; the likeliest always is."""
        priors = _policy(probabilities)
        for position, prior in enumerate(priors):
            if prior >= min(least, max(priors)):
                after = self.state.put(obj, position, probability=probabilities[position])
                self.children[position] = _Node(after, self.depth + 1, prior)

    def choose(self, exploration: float) -> _Node:
        """The child that a simulation goes to next: a high value, or likely and seldom tried (PUCT)."""

        def promise(child: _Node) -> float:
            bonus = exploration * child.prior * math.sqrt(self.visits + 1) / (1 + child.visits)
            return child.value + bonus

        return max(self.children.values(), key=promise)


Asking = Generator[list[Question], Answers, list[float]]
Simulation = Generator[list[Question], Answers, int]


def search_by_simulation(
    document: int,
    objects: Sequence[int],
    settings: MonteCarlo = MonteCarlo(),
) -> Search:
    """The search for a document's tree."""
    state = State()
    inquiries = 0
    for index, obj in enumerate(objects):
        probabilities = yield from _ask(document, state.tree, obj)
        inquiries += len(probabilities)
        priors = _policy(probabilities)
        position = max(range(len(priors)), key=priors.__getitem__)
        if priors[position] < settings.certain:
            root = _Node(state)
            root.expand(obj, probabilities, least=settings.least)
            ahead = objects[index : index + settings.horizon]
            for _ in range(settings.simulations):
                inquiries += yield from _simulate(document, root, ahead, settings)
            position = max(root.children, key=lambda tried: root.children[tried].value)
        others = state.others(enumerate(priors), position)
        state = state.put(obj, position, probability=probabilities[position], alternatives=others)
    return Found(state, inquiries)


def _simulate(document: int, root: _Node, objects: Sequence[int], settings: MonteCarlo) -> Simulation:
    """One simulation, whose value is noted in the nodes it went through; returns its inquiries."""
    inquiries = 0
    way = [root]
    while way[-1].children:
        way.append(way[-1].choose(settings.exploration))
    leaf = way[-1]
    state = leaf.state
    for depth in range(leaf.depth, len(objects)):
        probabilities = yield from _ask(document, state.tree, objects[depth])
        inquiries += len(probabilities)
        if depth == leaf.depth:
            leaf.expand(objects[depth], probabilities, least=settings.least)
        best = max(range(len(probabilities)), key=probabilities.__getitem__)
        state = state.put(objects[depth], best, probability=probabilities[best])
    gained = state.log_probability - root.state.log_probability
    value = math.exp(gained / len(objects))
    for node in way:
        node.visits += 1
        node.value = max(node.value, value)
    return inquiries


def _ask(document: int, tree: Tree, obj: int) -> Asking:
    """The probabilities of all positions of the branch."""
    (answer,) = yield [Question.about(document, tree, obj)]
    return [float(probability) for probability in answer]


def _policy(probabilities: Sequence[float]) -> list[float]:
    """The probabilities divided by their sum; all alike where the sum is 0."""
    total = sum(probabilities)
    return [p / total if total > 0 else 1 / len(probabilities) for p in probabilities]


def build_by_simulation(
    objects: Objects,
    scorer: Scorer,
    strategy: Strategy | None = None,
    settings: MonteCarlo = MonteCarlo(),
) -> list[tuple[Tree, int]]:
    """The tree of each document, and its inquiries; order and beam of the strategy have no meaning here."""
    searches = (search_by_simulation(document, own, settings) for document, own in enumerate(objects))
    found = advance_together(searches, scorer, together=_TOGETHER)
    return [(each.state.tree, each.inquiries) for each in found]
