"""Monte Carlo tree search over insertions, which the paper proposes as future work (section 5.3).

Greedy insertion never takes a decision back, so one wrong heading at a high level spoils everything below it.
The search tries out doubtful decisions: simulations insert the headings that follow, and the position after
which they fit best is chosen.

policy   the put-or-skip probabilities of a heading's positions, divided by their sum
rollout  the greedy insertion of the headings after the simulation's new node
value    the geometric mean of the put-or-skip probabilities from the doubtful heading to the rollout's end.
         It is not normalised: low probabilities after a decision are the sign that it was wrong

Insertion is deterministic, so the value of a node is that of its best simulation, not their mean. A decision
that the policy is sure of is taken at once, so that the search costs little where greedy insertion is right.
"""

from __future__ import annotations

import math
from collections.abc import Generator, Sequence
from dataclasses import dataclass, field

from held.hierarchy.insertion import (
    Answers,
    Objects,
    Question,
    Scorer,
    Search,
    SearchResult,
    State,
    Strategy,
    advance_together,
)
from held.tree import Tree

_DOCUMENTS_PER_BATCH = 32


@dataclass(frozen=True, slots=True)
class MonteCarlo:
    """The settings of the search.

    certain       from this probability on, the policy's first choice is taken without a search
    least         positions with a lower probability are not tried
    simulations   number per doubtful decision
    horizon       number of headings from the doubtful one to the end of a rollout
    exploration   weight of the policy against the value when a simulation chooses a child (PUCT)
    """

    certain: float = 0.97
    least: float = 0.03
    simulations: int = 20
    horizon: int = 15
    exploration: float = 0.5


@dataclass(slots=True)
class _Node:
    """A partial tree in the search, with the statistics of the simulations through it."""

    state: State
    depth: int = 0  # headings inserted since the doubtful one
    prior: float = 1.0
    visits: int = 0
    value: float = 0.0  # of the best simulation
    children: dict[int, _Node] = field(default_factory=dict)  # by position

    def expand(self, obj: int, probabilities: Sequence[float], *, least: float) -> None:
        """Add a child for each position that is likely enough, and in any case for the likeliest."""
        priors = _policy(probabilities)
        threshold = min(least, max(priors))
        for position, prior in enumerate(priors):
            if prior >= threshold:
                after = self.state.put(obj, position, probability=probabilities[position])
                self.children[position] = _Node(after, self.depth + 1, prior)

    def choose(self, exploration: float) -> _Node:
        """The child to visit next: one of high value, or a likely one with few visits (PUCT)."""

        def upper_bound(child: _Node) -> float:
            bonus = exploration * child.prior * math.sqrt(self.visits + 1) / (1 + child.visits)
            return child.value + bonus

        return max(self.children.values(), key=upper_bound)


PositionScores = Generator[list[Question], Answers, list[float]]
Simulation = Generator[list[Question], Answers, int]


def search_by_simulation(
    document: int,
    objects: Sequence[int],
    settings: MonteCarlo = MonteCarlo(),
) -> Search:
    """Search the tree of a document; a coroutine that yields questions and receives their answers."""
    state = State()
    inquiries = 0
    for index, obj in enumerate(objects):
        probabilities = yield from _ask(document, state.tree, obj)
        inquiries += len(probabilities)
        priors = _policy(probabilities)
        position = _index_of_max(priors)
        if priors[position] < settings.certain:
            root = _Node(state)
            root.expand(obj, probabilities, least=settings.least)
            ahead = objects[index : index + settings.horizon]
            for _ in range(settings.simulations):
                inquiries += yield from _simulate(document, root, ahead, settings)
            position = max(root.children, key=lambda tried: root.children[tried].value)
        others = state.others(enumerate(priors), position)
        state = state.put(obj, position, probability=probabilities[position], alternatives=others)
    return SearchResult(state, inquiries)


def _simulate(document: int, root: _Node, objects: Sequence[int], settings: MonteCarlo) -> Simulation:
    """Run one simulation, update the nodes that it visits, and return the number of its inquiries."""
    inquiries = 0
    visited = [root]
    while visited[-1].children:
        visited.append(visited[-1].choose(settings.exploration))
    leaf = visited[-1]
    state = leaf.state
    for depth in range(leaf.depth, len(objects)):
        probabilities = yield from _ask(document, state.tree, objects[depth])
        inquiries += len(probabilities)
        if depth == leaf.depth:
            leaf.expand(objects[depth], probabilities, least=settings.least)
        best = _index_of_max(probabilities)
        state = state.put(objects[depth], best, probability=probabilities[best])
    log_probability = state.log_probability - root.state.log_probability
    value = math.exp(log_probability / len(objects))
    for node in visited:
        node.visits += 1
        node.value = max(node.value, value)
    return inquiries


def _ask(document: int, tree: Tree, obj: int) -> PositionScores:
    """The probabilities of all positions of the branch."""
    (answer,) = yield [Question.about(document, tree, obj)]
    return [float(probability) for probability in answer]


def _policy(probabilities: Sequence[float]) -> list[float]:
    """The probabilities divided by their sum; all equal if the sum is 0."""
    total = sum(probabilities)
    if total <= 0:
        return [1 / len(probabilities)] * len(probabilities)
    return [probability / total for probability in probabilities]


def _index_of_max(values: Sequence[float]) -> int:
    return max(range(len(values)), key=values.__getitem__)


def build_by_simulation(
    objects: Objects,
    scorer: Scorer,
    strategy: Strategy | None = None,
    settings: MonteCarlo = MonteCarlo(),
) -> list[tuple[Tree, int]]:
    """The tree of each document and its number of inquiries; the strategy's order and beam are ignored."""
    searches = [
        search_by_simulation(document, headings, settings) for document, headings in enumerate(objects)
    ]
    results = advance_together(searches, scorer, together=_DOCUMENTS_PER_BATCH)
    return [(result.state.tree, result.inquiries) for result in results]
