"""Greedy against beams, global decoding and repair, and what a missed heading costs each of them.

For the last, one heading that has headings below it is deleted from each document, drawn at random; what is
counted is the share of the headings below it that keep the rest of their path.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from research.trees.data import Case
from research.trees.measure import DOMAINS, counts
from research.trees.repair import best_first, repair_tree

from held.headings import Floats
from held.hierarchy.insertion import Insertion, Search, Strategy, advance_together, search
from held.hierarchy.pipeline import TreeStep
from held.metrics import Share, TreeCounts
from held.tree import ROOT

Way = Callable[[int, Sequence[int], Floats | None], Search]
"""A way to search: document, headings, and the probability of each object to be a heading."""


def _odds(headings: Sequence[int], probabilities: Floats | None) -> dict[int, float] | None:
    if probabilities is None:
        return None
    clipped = np.clip(probabilities, 1e-4, 1 - 1e-4)
    return {h: float(np.log(clipped[h] / (1 - clipped[h]))) for h in headings}


WAYS: dict[str, Way] = {
    "greedy": lambda d, hs, p: search(d, hs, Strategy(normalise=True)),
    "beam 3": lambda d, hs, p: search(d, hs, Strategy(width=3, normalise=True)),
    "beam 8": lambda d, hs, p: search(d, hs, Strategy(width=8, normalise=True)),
    "best first": lambda d, hs, p: best_first(d, hs),
    "repair": lambda d, hs, p: repair_tree(d, hs),
    "repair, delete": lambda d, hs, p: repair_tree(d, hs, _odds(hs, p)),
}


def compare(
    cases: Sequence[Case],
    headings: Sequence[Sequence[int]],
    probabilities: Sequence[Floats],
    placer: TreeStep,
) -> dict[str, Any]:
    """For each way its path accuracies by domain, its inquiries and seconds per document."""
    rows: dict[str, Any] = {}
    for name, way in WAYS.items():
        started = time.perf_counter()
        found = run(cases, headings, probabilities, placer, way)
        seconds = time.perf_counter() - started
        totals = dict.fromkeys(DOMAINS, TreeCounts())
        for case, insertion in zip(cases, found, strict=True):
            totals[case.domain] += counts(case, insertion)
        rows[name] = {
            "paths": {d: round(t.paths.value, 4) for d, t in totals.items() if t.paths.total},
            "of headings": {d: round(t.heading_paths.value, 4) for d, t in totals.items() if t.paths.total},
            "inquiries": round(sum(i.inquiries for i in found) / len(cases), 1),
            "seconds": round(seconds / len(cases), 4),
        }
        print(f"{name:16}", rows[name], flush=True)
    return rows


def run(
    cases: Sequence[Case],
    headings: Sequence[Sequence[int]],
    probabilities: Sequence[Floats],
    placer: TreeStep,
    way: Way,
) -> list[Insertion]:
    """The trees of the headings, found in this way."""
    scorer = placer.scorer([case.seen for case in cases], headings)
    searches = (way(d, found, probabilities[d]) for d, found in enumerate(headings))
    return [
        Insertion(state.tree, inquiries, state.log_probability, state.confidence())
        for state, inquiries, _ in advance_together(searches, scorer, together=32)
    ]


def compare_with_one_deleted(cases: Sequence[Case], placer: TreeStep, *, seed: int = 0) -> dict[str, Any]:
    """For each way the share of headings below a deleted one whose path is right but for it, by domain."""
    chosen = [(case, victim) for case in cases if (victim := _victim(case, seed)) is not None]
    kept = [tuple(h for h in case.known.headings if h != victim) for case, victim in chosen]
    certain = [np.ones(len(case.known.labels), np.float32) for case, _ in chosen]
    rows: dict[str, Any] = {}
    for name, way in WAYS.items():
        found = run([case for case, _ in chosen], kept, certain, placer, way)
        totals = dict.fromkeys(DOMAINS, Share())
        for (case, victim), insertion in zip(chosen, found, strict=True):
            totals[case.domain] += _survivors(case, victim, insertion)
        rows[name] = {d: round(t.value, 4) for d, t in totals.items() if t.total}
        print(f"{name:16}", rows[name], flush=True)
    return rows


def _victim(case: Case, seed: int) -> int | None:
    """A heading with headings below it, the same one for every way."""
    headings = set(case.known.headings)
    parents = case.known.tree.parents()
    inner = sorted({parents[h] for h in headings if parents[h] != ROOT})
    return random.Random(f"{seed}/{case.known.id}").choice(inner) if inner else None


def _survivors(case: Case, victim: int, insertion: Insertion) -> Share:
    bodies = set(np.flatnonzero(case.known.labels != 1).tolist())
    true = case.known.tree.without(bodies).paths()
    expected = case.known.tree.without(bodies | {victim}).paths()
    shown = insertion.tree.paths()
    below = [h for h, path in true.items() if victim in path[:-1]]
    return Share(sum(shown.get(h) == expected[h] for h in below), len(below))
