"""The tree searches that are compared: greedy and beam search, and three that revise decisions."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from research.trees.repair import best_first, repair_tree

from held.hierarchy.insertion import Objects, Scorer, Search, Strategy, advance_together
from held.paper.monte_carlo import build_by_simulation
from held.training.evaluation import Build, Built, build_by_strategy

_DOCUMENTS_PER_BATCH = 32  # documents


def _builder_of(search: Callable[[int, Sequence[int]], Search]) -> Build:
    def build(objects: Objects, scorer: Scorer, strategy: Strategy) -> list[Built]:
        searches = [search(document, headings) for document, headings in enumerate(objects)]
        results = advance_together(searches, scorer, together=_DOCUMENTS_PER_BATCH)
        return [(result.state.tree, result.inquiries) for result in results]

    return build


SEARCHES: dict[str, Build] = {
    "insertion": build_by_strategy,
    "best-first": _builder_of(best_first),
    "repair": _builder_of(repair_tree),
    "mcts": build_by_simulation,
}
"""The searches by name; `insertion` is greedy, or a beam search if the strategy has a width."""
