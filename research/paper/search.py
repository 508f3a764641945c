"""The searches for a tree that are compared: greedy and beams, and three that take decisions back."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from research.trees.repair import best_first, repaired

from held.hierarchy.insertion import Scorer, Strategy
from held.hierarchy.insertion.build import advance_together
from held.hierarchy.insertion.search import Search
from held.hierarchy.steps import Objects
from held.paper.monte_carlo import build_by_simulation
from held.training.evaluation import Build, Built, build_by_strategy

_TOGETHER = 32  # documents


def _built_by(search: Callable[[int, Sequence[int]], Search]) -> Build:
    def build(objects: Objects, scorer: Scorer, strategy: Strategy) -> list[Built]:
        searches = (search(document, own) for document, own in enumerate(objects))
        found = advance_together(searches, scorer, together=_TOGETHER)
        return [(each.state.tree, each.inquiries) for each in found]

    return build


SEARCHES: dict[str, Build] = {
    "insertion": build_by_strategy,
    "best-first": _built_by(best_first),
    "repair": _built_by(repaired),
    "mcts": build_by_simulation,
}
"""By name; insertion is greedy, or a beam if the strategy has a width."""
