"""Measures a cheap row of RQ1 again, from the models in this repository, and compares it with the page's.

    python -m research.paper.stored_row --data LABELLED      # Pembe with true headings: a minute

LABELLED is what `held corpus build` or `held corpus from-manifest` writes. The figures go to stored_row.json,
which the page shows.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
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
from research.paper.verdicts import HERE, read_result

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
    result = read_result(HERE, "rq1") or {}
    stored = result["rows"][ROW]["domains"]
    [row] = [row for row in question_plan("rq1").rows if row.name == ROW]
    found = {}
    for plan in row.variants(model_plans()):
        if plan.domain in stored and (STORED / f"{plan.name}.held").exists():
            folder = domain_data(options.data, plan.domain, options.work)
            measured = accuracy_of(replace(row, model=plan.name), plan.domain, folder)
            expected = stored[plan.domain]["accuracy"]
            found[plan.domain] = {"measured": measured, "stored": expected}
            is_same = abs(measured - expected) <= TOLERANCE
            print(f"{'OK' if is_same else 'off':4}{plan.domain}: {measured:.4f}, stored {expected:.4f}")
    results.write(FILE, {"commit": commit, "data": data_hash(options.data), "row": ROW, "domains": found})
    return 0 if all(abs(own["measured"] - own["stored"]) <= TOLERANCE for own in found.values()) else 1


def accuracy_of(row: RowPlan, domain: str, folder: Path) -> float:
    """The path accuracy of a row with true headings, over the test documents of a domain."""
    documents = subjects(folder, "test")
    found = outcome(row, STORED, documents, headings_for(TRUE, documents))
    scores = row_scores([count_run(documents, found)])
    return float(scores["domains"][domain]["accuracy"])


if __name__ == "__main__":
    sys.exit(main())
