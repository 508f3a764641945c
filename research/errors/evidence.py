"""Counts how many wrong insertions contradict what is printed: contents, running heads, numbered lists.

The true headings of a document are inserted one by one into its true tree. Where the tree step would choose a
wrong position, it either overlooks such evidence, or there is none.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from held.headings.object_features import MISSING
from held.hierarchy.boosted_step import BoostedTreeStep
from held.hierarchy.heading_features import heading_features
from held.hierarchy.insertion import Question
from held.hierarchy.oracle import examples
from held.hierarchy.position_features import FEATURES
from held.training.boosted_data import TrainingDocument

Rows = Any
"""Records with the fields of FEATURES."""

EVIDENCE: Mapping[str, Callable[[Rows], Any]] = {
    "closes what holds the next listed heading": lambda x: x["closed_must_stay_open"] > 0,
    "lies below an entry of its own level, or of a deeper one": lambda x: (
        (x["parent_contents_step"] <= 0) & (x["parent_contents_step"] > MISSING)
    ),
    "closes a section whose running head goes on": lambda x: x["closed_running"] > 0,
    "lies below a title whose running head has ended": lambda x: (
        (x["parent_runs_past"] < 0) & (x["parent_runs_past"] > MISSING)
    ),
    "closes a numbered list that goes on": lambda x: x["closed_goes_on"] > 0,
    "leaves a list that its number continues": lambda x: (
        (x["continues"] == 0) & (x["continues_above"] + x["continues_below"] > 0)
    ),
}
"""What a position contradicts."""


def count_insertions(document: TrainingDocument, step: BoostedTreeStep) -> Counter[str]:
    """Insertions, wrong ones, and for each evidence the wrong and the true positions that contradict it."""
    headings = document.headings
    features = heading_features(document.table, headings, step.wording)
    scorer = step.scorer_of([features])
    known = [own for own in examples(document.tree, headings) if own.obj not in document.astray]
    counts: Counter[str] = Counter(insertions=len(known))
    if not known:
        return counts
    questions = [Question.about(0, own.tree, own.obj) for own in known]
    matrix, sizes = scorer.features.features(questions)
    rows = FEATURES.records(np.ascontiguousarray(matrix))
    contradicts = {name: np.asarray(marks(rows)) for name, marks in EVIDENCE.items()}
    start = 0
    for own, scores, size in zip(known, scorer.score(questions), sizes.tolist(), strict=True):
        chosen = int(np.argmax(scores))
        is_wrong = chosen != own.right
        counts["wrong"] += is_wrong
        for name, marks in contradicts.items():
            is_true_marked = bool(marks[start + own.right])
            counts[f"{name}: true"] += is_true_marked
            counts[f"{name}: wrong"] += is_wrong and bool(marks[start + chosen]) and not is_true_marked
        start += size
    return counts


def evidence_table(kinds: Mapping[str, Mapping[str, int]]) -> str:
    """A row for each evidence with a pair of counts for each kind of documents, as Markdown."""
    lines = [
        f"| | {' | '.join(kinds)} |",
        f"| --- {'| ---: ' * len(kinds)}|",
        f"| insertions | {' | '.join(format(own['insertions'], ',') for own in kinds.values())} |",
        f"| wrong | {' | '.join(format(own['wrong'], ',') for own in kinds.values())} |",
    ]
    for name in EVIDENCE:
        cells = [f"{own[f'{name}: wrong']}, {own[f'{name}: true']}" for own in kinds.values()]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return "\n".join(lines)
