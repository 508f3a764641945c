"""Counts the evidence for each heading rule and each placement constraint in labelled documents.

    python -m research.ablation.evidence --data LABELLED [--docs N]

For a rule: how many objects it marks, and how many of them are headings. For a constraint: in how many
insertions of true headings it marks a position, and in how many of these the true one. The tables in
`held.headings.rules` and `held.hierarchy.constraints` quote these counts. The command writes evidence.json
beside this file: counts, no text.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from research.ablation.__main__ import HERE, MODEL, SPLITS, labelled_ids, sample
from research.arguments import make_parser
from research.commit import short_commit
from research.result_file import report_result

from held.corpus.store import LabelledDocument, data_hash, labelled_documents
from held.headings.object_features import DocumentFeatures
from held.headings.rules import RULES, apply_rules
from held.hierarchy.constraints import CONSTRAINTS, ConstraintChecker
from held.hierarchy.heading_features import heading_features
from held.hierarchy.insertion import Question
from held.hierarchy.oracle import examples
from held.hierarchy.pipeline import HeadingStep, heading_step
from held.hierarchy.position_features import PositionFeatures
from held.metrics import Label
from held.training.boosted_data import object_tree
from held.training.trainers import orphan_headings

Counts = dict[str, Counter[str]]
"""By entry: how often each thing was counted."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code of the command."""
    parser = make_parser(__doc__, prog="research.ablation.evidence")
    parser.add_argument("--data", type=Path, required=True, help="what `held corpus build` wrote")
    parser.add_argument("--docs", type=int, help="at most so many documents, alike for all domains")
    parser.add_argument("-o", "--output", type=Path, default=HERE / "evidence.json")
    options = parser.parse_args(arguments)
    chosen = sample(list(labelled_ids(options.data)), options.docs)
    finder = heading_step(MODEL)
    counts: Counts = {entry.name: Counter() for entry in (*RULES, *CONSTRAINTS)}
    domains: Counter[str] = Counter()
    for labelled in labelled_documents(options.data, splits=SPLITS):
        # Part of a silver outline is a guess, so it is no evidence.
        if labelled.id in chosen and not labelled.silver:
            domains[labelled.domain] += 1
            features = DocumentFeatures(labelled.document)
            count_rules(labelled, features, finder, counts)
            count_constraints(labelled, features, counts)
    result = {
        "model": MODEL,
        "data": data_hash(options.data),
        "commit": short_commit(),
        "documents": dict(sorted(domains.items())),
        "entries": {name: dict(sorted(own.items())) for name, own in counts.items()},
    }
    report_result(result, options.output)
    return 0


def count_rules(
    labelled: LabelledDocument, features: DocumentFeatures, finder: HeadingStep, counts: Counts
) -> None:
    """Count the objects that each rule marks: headings, body, and those that nobody knows."""
    (probabilities,) = finder.probabilities([features])
    labels = np.array([label.value for label in labelled.labels])
    for index, rule in enumerate(RULES):
        # A rule sees the probabilities that the rules before it have left.
        before = apply_rules(RULES[:index], probabilities, features.objects, finder.threshold)
        marked = rule.predicate(features.objects, before, finder.threshold)
        for label in Label:
            counts[rule.name][label.value] += int(np.sum(labels[marked] == label.value))


def count_constraints(labelled: LabelledDocument, features: DocumentFeatures, counts: Counts) -> None:
    """Count the insertions of true headings in which each constraint marks a position, and the true one."""
    headings = labelled.headings
    if not headings:
        return
    outline = heading_features(features.objects, headings)
    positions = PositionFeatures([outline])
    orphans = orphan_headings(labelled)
    # Headings under a missing one have no true position.
    known = [example for example in examples(object_tree(labelled), headings) if example.obj not in orphans]
    if not known:
        return
    at = positions.positions([Question.about(0, example.tree, example.obj) for example in known])
    starts = at.starts
    true_positions = starts + np.array([example.right for example in known])
    for constraint in CONSTRAINTS:
        checker = ConstraintChecker([outline], positions.headings, [constraint])
        violated = checker.penalties(at) > 0
        counts[constraint.name]["cases"] += int(np.logical_or.reduceat(violated, starts).sum())
        counts[constraint.name]["violations"] += int(violated[true_positions].sum())


if __name__ == "__main__":
    sys.exit(main())
