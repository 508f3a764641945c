"""Changes each threshold and predicate of the layout and reports the changes that nobody notices.

    HELD_CORPUS=DIR python -m research.mutation -o research/mutation/result.json --documents 200
    python -m research.mutation -o FILE --only 'MAX_.*'
    python -m research.mutation -o FILE --documents 20 --mutants 60 --tests 60 --summary FILE   # a sample

A first pass with tracking numbers tells which tests and documents a threshold can alter at all
(`research.mutation.tracking`); only these are run again with the mutant. Results are written as they come:
a run that was stopped goes on.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from research.commit import short_commit
from research.mutation.mutants import (
    Mutant,
    all_mutants,
    fingerprint,
    in_child,
    judge,
    survey_documents,
    survey_tests,
    touched_by,
    uncomparable_counts,
)
from research.result_file import write_result

from held.corpus.sources import read_corpus_document
from held.document import Pages

TESTS = ("tests/layout",)
MAX_PAGES = 25  # longer documents say little more and take long
SEED = 7


def main() -> None:
    """Runs the mutants that have no verdict yet and prints the summary."""
    parser = argparse.ArgumentParser(prog="research.mutation", description=__doc__.splitlines()[0])
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--corpus", type=Path, default=os.environ.get("HELD_CORPUS"))
    parser.add_argument("--documents", type=int, default=200, help="how many real documents to try")
    parser.add_argument("--tests", type=int, default=300, help="of how many mutants to run the tests")
    parser.add_argument("--only", default="", help="a regular expression for the names to change")
    parser.add_argument("--mutants", type=int, help="how many mutants to draw at random; default: all")
    parser.add_argument("--summary", type=Path, help="file for the counts")
    parser.add_argument("--jobs", type=int, default=2)
    arguments = parser.parse_args()
    if arguments.corpus is None:
        parser.error("give --corpus, or set HELD_CORPUS")
    documents = sample_documents(Path(arguments.corpus), arguments.documents)
    mutants = [mutant for mutant in all_mutants() if re.search(arguments.only, mutant.name)]
    if arguments.mutants is not None:
        mutants = random.Random(SEED).sample(mutants, min(arguments.mutants, len(mutants)))
    verdicts = _read(arguments.output)
    tested = set(random.Random(SEED).sample(mutants, min(arguments.tests, len(mutants))))
    run(mutants, documents, tested, verdicts, arguments.output, arguments.jobs)
    counts = summarise(verdicts, len(documents))
    print("\n".join(_summary_lines(counts)))
    if arguments.summary is not None:
        write_result(arguments.summary, counts)


def sample_documents(corpus: Path, count: int) -> dict[str, Pages]:
    """Documents of train and valid, drawn evenly from all domains and languages."""
    rows = [json.loads(line) for line in (corpus / "index.jsonl").read_text("utf-8").splitlines()]
    groups: dict[str, list[str]] = {}
    for row in rows:
        if row["split"] in ("train", "valid") and row["n_pages"] <= MAX_PAGES:
            groups.setdefault(f"{row['domain']} {row.get('lang')}", []).append(row["id"])
    draw = random.Random(SEED)
    for names in groups.values():
        draw.shuffle(names)
    chosen: list[str] = []
    while len(chosen) < count and any(groups.values()):
        for names in groups.values():
            if names and len(chosen) < count:
                chosen.append(names.pop())
    return {name: read_corpus_document(corpus / "docs" / f"{name}.json.xz") for name in chosen}


def run(
    mutants: list[Mutant],
    documents: dict[str, Pages],
    tested: set[Mutant],
    verdicts: dict[str, Any],
    output: Path,
    jobs: int,
) -> None:
    """Adds the verdicts of all mutants that have none, writing them to `output` as they come."""
    waiting = [mutant for mutant in mutants if str(mutant) not in verdicts]
    if not waiting:
        return
    original = in_child(lambda: {name: fingerprint(pages) for name, pages in documents.items()})
    print(f"surveying {len(documents)} documents and the tests", file=sys.stderr)
    document_flips = survey_documents(documents)
    test_flips, tests = survey_tests(TESTS)

    everywhere = in_child(uncomparable_counts)

    def judge_one(mutant: Mutant) -> tuple[Mutant, dict[str, Any]]:
        if mutant.name in everywhere:
            chosen_tests, chosen = sorted(tests), documents
        else:
            chosen_tests = [test for test in touched_by(mutant, test_flips) if test in tests]
            chosen = {name: documents[name] for name in touched_by(mutant, document_flips) if name}
        if mutant not in tested:
            chosen_tests = []
        whole = len(chosen_tests) > len(tests) / 2
        found = judge(mutant, TESTS if whole else chosen_tests, chosen, original)
        tests_ran = mutant in tested
        return mutant, {"tested": tests_ran, **found._asdict(), "reached": len(chosen)}

    with ThreadPoolExecutor(jobs) as pool:
        for done, (mutant, found) in enumerate(pool.map(judge_one, waiting), 1):
            verdicts[str(mutant)] = {"name": mutant.name, "change": mutant.change, **found}
            if done % 10 == 0 or done == len(waiting):
                write_result(output, verdicts)
                print(f"\r{done}/{len(waiting)} {mutant}".ljust(100), end="", file=sys.stderr, flush=True)


def summarise(verdicts: dict[str, Any], documents: int) -> dict[str, Any]:
    """How many mutants are noticed, and which thresholds no change of which alters anything."""
    rows = list(verdicts.values())
    tested = [row for row in rows if row["tested"]]
    alive: dict[str, bool] = {}
    for row in rows:
        alive[row["name"]] = alive.get(row["name"], False) or row["document"] is not None
    return {
        "documents": documents,
        "mutants": len(rows),
        "noticed by documents": sum(row["document"] is not None for row in rows),
        "tested": len(tested),
        "noticed by tests": sum(row["test"] is not None for row in tested),
        "noticed by either": sum(row["test"] is not None or row["document"] is not None for row in tested),
        "commit": short_commit(),
        "names": len(alive),
        "names that alter no document": sorted(name for name, alters in alive.items() if not alters),
    }


def _summary_lines(counts: dict[str, Any]) -> Iterator[str]:
    by_document = counts["noticed by documents"] / max(counts["mutants"], 1)
    yield f"{counts['mutants']} mutants: {by_document:.0%} noticed by {counts['documents']} real documents"
    tested = max(counts["tested"], 1)
    by_test, by_either = counts["noticed by tests"] / tested, counts["noticed by either"] / tested
    yield f"{counts['tested']} of them tested: {by_test:.0%} noticed by tests, {by_either:.0%} by either"
    dead = counts["names that alter no document"]
    yield f"{len(dead)} of {counts['names']} thresholds and predicates alter none of the documents:"
    yield from (f"  {name}" for name in dead)


def _read(path: Path) -> dict[str, Any]:
    return dict(json.loads(path.read_text("utf-8"))) if path.exists() else {}


if __name__ == "__main__":
    main()
