"""Measures a cheap row of RQ1 again, from the models in this repository, and compares it with the page's.

    python -m research.paper.stored_row --data LABELLED      # Pembe with true headings: a minute

LABELLED is what `held corpus build` or `held corpus from-manifest` writes. If it has a part of the test
documents, the stored result is that of the same documents; those that differ are listed. With all of them
the figures go to stored_row.json, which the page shows.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from research.commit import exact_commit
from research.paper import results
from research.paper.checksums import STORED
from research.paper.measure import count_run, row_scores
from research.paper.methods import outcome
from research.paper.plan import RowPlan, model_plans, question_plan
from research.paper.results import TOLERANCE
from research.paper.subjects import TRUE, headings_for, subjects
from research.paper.train import domain_data
from research.paper.verdicts import COUNTS, HERE

from held.corpus.store import data_hash

FILE = Path(__file__).parent / "stored_row.json"
ROW = "Pembe, true headings"


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code: 0 if every domain has the accuracy of the stored result."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True, help="folder of labelled documents")
    parser.add_argument("--work", type=Path, default=Path("stored-row"), help="folder for links to them")
    options = parser.parse_args(arguments)
    commit = exact_commit()
    stored = (results.read(HERE / "rq1" / COUNTS) or {})[ROW]
    [row] = [row for row in question_plan("rq1").rows if row.name == ROW]
    found, is_whole = {}, True
    for plan in row.variants(model_plans()):
        folder = domain_data(options.data, plan.domain, options.work)
        measured = counts_of(replace(row, model=plan.name), plan.domain, folder)
        expected = {name: own for name, own in stored[plan.domain].items() if name in measured}
        is_whole &= len(expected) == len(stored[plan.domain])
        print(f"{plan.domain}: {len(expected)} of {len(stored[plan.domain])} test documents")
        for name, own in expected.items():
            if tuple(own) != measured[name]:
                print(f"  {name}: {measured[name]} paths are right, stored {tuple(own)}")
        if expected:
            found[plan.domain] = {"measured": _share(measured), "stored": _share(expected)}
    for domain, own in found.items():
        print(f"{'OK' if _is_same(own) else 'off':4}{domain}: {own['measured']}, stored {own['stored']}")
    if is_whole:
        result = {"commit": commit, "data": data_hash(options.data), "row": ROW, "domains": found}
        results.write(FILE, result)
    return 0 if found and all(map(_is_same, found.values())) else 1


def counts_of(row: RowPlan, domain: str, folder: Path) -> dict[str, tuple[int, int]]:
    """For each test document of a domain how many paths are right, and of how many, with true headings."""
    documents = subjects(folder, "test")
    if not documents:
        return {}
    found = outcome(row, STORED, documents, headings_for(TRUE, documents))
    counts: dict[str, tuple[int, int]] = row_scores([count_run(documents, found)])["documents"][domain]
    return counts


def _share(counts: Mapping[str, Sequence[int]]) -> float:
    right, total = (sum(count[index] for count in counts.values()) for index in (0, 1))
    return round(right / total, 4)


def _is_same(own: Mapping[str, float]) -> bool:
    return abs(own["measured"] - own["stored"]) <= TOLERANCE


if __name__ == "__main__":
    sys.exit(main())
