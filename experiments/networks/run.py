"""What the paper's networks are worth on a split, by domain: each step alone, both together, every order.

    python -m experiments.networks.run HEADINGS PUT_OR_SKIP --data DIR -o experiments/networks/results.json

"given" is the share of headings with the right path when the true headings are given; "both" the share of all
objects with the right path when the headings are found too.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from held.corpus.labelled import LabelledDocument, truth
from held.corpus.store import labelled_documents
from held.insertion import Order, Strategy, two_step_many
from held.metrics import Matches, Prediction, TreeCounts, compare_trees, heading_matches
from held.models.networks import PutOrSkipNetwork, PutOrSkipScorer, heading_probabilities
from held.models.store import Model, ModelKind, load_model

STRATEGIES = {
    "ta": Strategy(Order.TA),
    "r2l": Strategy(Order.R2L),
    "l2r": Strategy(Order.L2R),
    "ta, beam 3": Strategy(Order.TA, width=3),
    "ta, beam 8": Strategy(Order.TA, width=8),
}

Headings = Sequence[Sequence[int]]


def found_headings(model: Model, documents: Sequence[LabelledDocument]) -> list[list[int]]:
    """The headings that the first step finds in each document."""
    found = heading_probabilities(model, [labelled.document for labelled in documents])
    return [np.flatnonzero(row > model.settings["threshold"]).tolist() for row in found]


def heading_table(documents: Sequence[LabelledDocument], found: Headings) -> dict[str, dict[str, float]]:
    """Precision, recall and F1 of the headings, by domain."""
    matches: dict[str, Matches] = {}
    for labelled, own in zip(documents, found, strict=True):
        for name in (labelled.domain, "all"):
            matches[name] = matches.get(name, Matches()) + heading_matches(truth(labelled), own)
    return {
        name: {"precision": counted.precision, "recall": counted.recall, "F1": counted.f1}
        for name, counted in sorted(matches.items())
    }


def tree_row(
    network: PutOrSkipNetwork, documents: Sequence[LabelledDocument], headings: Headings, strategy: Strategy
) -> tuple[dict[str, TreeCounts], float, float]:
    """What was counted in each domain, and the inquiries and the seconds of CPU time for a document."""
    shown = [labelled.document for labelled in documents]
    start = time.process_time()
    scorer = PutOrSkipScorer(network, shown, headings)
    counts = [len(document.objects) for document in shown]
    built = two_step_many(headings, counts, scorer, strategy)
    seconds = time.process_time() - start
    domains: dict[str, TreeCounts] = {}
    for labelled, own, insertion in zip(documents, headings, built, strict=True):
        found = compare_trees(truth(labelled), Prediction(insertion.tree, frozenset(own)))
        for name in (labelled.domain, "all"):
            domains[name] = domains.get(name, TreeCounts()) + found
    inquiries = sum(insertion.inquiries for insertion in built)
    return domains, inquiries / len(built), seconds / len(built)


def measure(
    headings: Model, network: PutOrSkipNetwork, documents: Sequence[LabelledDocument]
) -> dict[str, Any]:
    """All tables."""
    found = found_headings(headings, documents)
    trees = {}
    for name, strategy in STRATEGIES.items():
        given, inquiries, seconds = tree_row(
            network, documents, [labelled.headings for labelled in documents], strategy
        )
        both, _, _ = tree_row(network, documents, found, strategy)
        trees[name] = {
            "inquiries": round(inquiries, 1),
            "seconds": round(seconds, 4),
            "given": {domain: counts.heading_paths.value for domain, counts in sorted(given.items())},
            "both": {domain: counts.paths.value for domain, counts in sorted(both.items())},
        }
    return {"documents": len(documents), "headings": heading_table(documents, found), "trees": trees}


def print_tables(found: dict[str, Any]) -> None:
    """Print the tables in Markdown."""
    domains = list(found["headings"])
    print(f"{found['documents']} documents\n")
    _print_head("headings", *domains)
    for name in ("precision", "recall", "F1"):
        _print_row(name, *(f"{found['headings'][domain][name]:.4f}" for domain in domains))
    print()
    _print_head("trees", "inquiries", "seconds", *domains)
    for name, row in found["trees"].items():
        for step in ("given", "both"):
            shares = (f"{row[step][domain]:.4f}" for domain in domains)
            _print_row(f"{name}, {step}", row["inquiries"], row["seconds"], *shares)


def _print_head(*names: str) -> None:
    _print_row(*names)
    _print_row(*("---" for _ in names))


def _print_row(*cells: object) -> None:
    print(f"| {' | '.join(map(str, cells))} |")


def main() -> None:
    """Print the tables, and write them where asked."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("headings")
    parser.add_argument("put_or_skip")
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--split", default="valid")
    parser.add_argument("-o", "--output", type=Path)
    options = parser.parse_args()
    network = PutOrSkipNetwork(load_model(options.put_or_skip, ModelKind.PUT_OR_SKIP))
    documents = list(labelled_documents(options.data, splits=[options.split]))
    found = measure(load_model(options.headings, ModelKind.HEADINGS), network, documents)
    print_tables(found)
    if options.output:
        options.output.parent.mkdir(parents=True, exist_ok=True)
        options.output.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
