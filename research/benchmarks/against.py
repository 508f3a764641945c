"""What recognising costs against another checkout of `held`, in one run.

    git worktree add ../before 527c32d
    python -m research.benchmarks.against ../before --rounds 5 -o against.json
    python -m research.benchmarks.against ../before --count -o against-counted.json

CPU seconds: both sides take turns, each in a process of its own, so that a busy machine slows both alike, and
the cheapest turn of each document counts. Both are compiled to bytecode first: a side without it would pay
for that, too. `--count` counts the instructions of Python instead, on some pages of each document: the same
on every machine, however busy, but blind to what a single instruction costs.
"""

from __future__ import annotations

import argparse
import compileall
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from research.result_file import report_result

REPOSITORY = Path(__file__).resolve().parents[2]
# Documents of train and valid with a hundred pages and more, two of each domain.
DOCUMENTS = (
    "en_fin-85c38b2e",
    "en_fin-acde54e6",
    "zh_fin-7d67d5db",
    "zh_fin-c47b77fc",
    "manuals-99640e1e",
    "manuals-1bec8718",
    "science-64d022f8",
    "science-360e13a5",
)
COUNTED_PAGES = (20, 36)  # of each document, from and up to
TURN = """
import json, sys, time
from dataclasses import replace
from pathlib import Path
from held.corpus.build import read_corpus_document
from held.layout.recognise import recognise

def seconds(pages):
    began = time.process_time()
    recognise(pages)
    return time.process_time() - began

def instructions(pages):
    counted = 0
    def trace(frame, event, _):
        nonlocal counted
        frame.f_trace_lines, frame.f_trace_opcodes = False, True
        counted += event == "opcode"
        return trace
    sys.settrace(trace)
    recognise(pages)
    sys.settrace(None)
    return counted

first, last, *paths = sys.argv[1:]
spent = {}
for path in map(Path, paths):
    pages = read_corpus_document(path)
    if int(last):
        pages = replace(pages, pages=pages.pages[int(first) : int(last)], outline=())
    recognise(pages)  # what is worked out once and remembered is no part of it
    spent[path.name.partition(".")[0]] = (instructions if int(last) else seconds)(pages)
print(json.dumps(spent))
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code of the command."""
    options = _parser().parse_args(arguments)
    paths = [options.corpus / "docs" / f"{name}.json.xz" for name in DOCUMENTS]
    sides = {"before": options.other, "after": REPOSITORY}
    for checkout in sides.values():
        compileall.compile_dir(checkout / "src", quiet=2)
    turns: dict[str, list[dict[str, float]]] = {side: [] for side in sides}
    rounds = 1 if options.count else options.rounds
    for number in range(rounds):
        for side, checkout in sides.items():
            turns[side].append(turn(checkout, paths, COUNTED_PAGES if options.count else (0, 0)))
        print(f"round {number + 1} of {rounds}", file=sys.stderr)
    unit = "instructions" if options.count else "cpu_seconds"
    found = {"unit": unit, "rounds": rounds, **compare_sides(turns["before"], turns["after"])}
    report_result(found, options.output)
    return 0


def turn(checkout: Path, paths: Sequence[Path], counted: tuple[int, int]) -> dict[str, float]:
    """What a checkout takes for each document: CPU seconds, or instructions for the counted pages."""
    environment = {**os.environ, "PYTHONPATH": str(checkout / "src"), "OMP_NUM_THREADS": "1"}
    command = [sys.executable, "-c", TURN, *map(str, counted), *map(str, paths)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    spent: dict[str, float] = json.loads(done.stdout)
    return spent


def compare_sides(before: Sequence[dict[str, float]], after: Sequence[dict[str, float]]) -> dict[str, object]:
    """The cheapest turn of each document on both sides, and how many times as much the second costs."""
    documents = {}
    for name in before[0]:
        cheapest = min(turn[name] for turn in before), min(turn[name] for turn in after)
        documents[name] = {
            "before": round(cheapest[0], 3),
            "after": round(cheapest[1], 3),
            "ratio": round(cheapest[1] / cheapest[0], 3),
        }
    spent_before = sum(row["before"] for row in documents.values())
    spent_after = sum(row["after"] for row in documents.values())
    return {"documents": documents, "ratio": round(spent_after / spent_before, 3)}


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="research.benchmarks.against", description=__doc__.splitlines()[0])
    corpus = os.environ.get("HELD_CORPUS")
    parser.add_argument("other", type=Path, help="folder of the other checkout")
    parser.add_argument("--corpus", type=Path, default=corpus, required=corpus is None)
    parser.add_argument("--rounds", type=int, default=5, metavar="N", help="turns of each side (5)")
    parser.add_argument("--count", action="store_true", help="count instructions instead of CPU seconds")
    parser.add_argument("-o", "--output", type=Path, metavar="FILE", help="write the figures as JSON")
    return parser


if __name__ == "__main__":
    sys.exit(main())
