"""What fine-tuning brings: models that have never seen a domain, before and after some of its documents.

The shipped weights know all domains, so models of the same settings are trained without the one in question.
Its groups are dealt to two sides: about fifty documents to learn from, and the rest to be judged.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from research.base import measure
from research.base.both import both_steps
from research.base.data import Case

from held.hierarchy.steps import heading_step, tree_step
from held.models.store import Model
from held.training.boosted import BoostedHeadings, BoostedPutOrSkip

OWN_DOCUMENTS = 50


def compare(
    others: Sequence[Case], own: Sequence[Case], headings: BoostedHeadings, placing: BoostedPutOrSkip
) -> dict[str, Any]:
    """The figures over the judged documents: before, after fine-tuning, and trained on one's own alone."""
    learnt, judged = split(own)
    before = both_steps([case.known for case in others], headings, placing)
    mine = [case.known for case in learnt]
    results = {
        "before": _figures(judged, before),
        "fine-tuned": _figures(judged, both_steps(mine, headings, placing, before)),
        "own documents alone": _figures(judged, both_steps(mine, headings, placing)),
    }
    for name, figures in results.items():
        print(f"{name:20}", figures, flush=True)
    return {"own documents": len(learnt), "judged documents": len(judged), **results}


def split(own: Sequence[Case]) -> tuple[list[Case], list[Case]]:
    """The documents to learn from, of the smallest groups, and those to judge; no group is on both sides."""
    sizes: dict[str, int] = {}
    for case in own:
        sizes[case.known.group] = sizes.get(case.known.group, 0) + 1
    chosen: set[str] = set()
    count = 0
    for group in sorted(sizes, key=lambda group: (sizes[group], group)):
        if count + sizes[group] <= OWN_DOCUMENTS:
            chosen.add(group)
            count += sizes[group]
    learnt = [case for case in own if case.known.group in chosen]
    return learnt, [case for case in own if case.known.group not in chosen]


def _figures(judged: Sequence[Case], models: tuple[Model, Model]) -> dict[str, float]:
    """Heading F1, paths of headings with the true ones given, paths of all objects after both steps."""
    finding, placing = models
    placer = tree_step(placing)
    found = measure.found_headings(judged, heading_step(finding))
    given = measure.insertions(judged, measure.true_headings(judged), placer)
    both = measure.insertions(judged, found, placer)
    (matches,) = measure.heading_table(judged, found).values()
    (reach,) = measure.reachable(judged, given).values()
    (trees,) = measure.tree_table(judged, both).values()
    shares = {"F1": matches.f1, "given": reach.value, "both": trees.paths.value}
    return {name: round(value, 4) for name, value in shares.items()}
