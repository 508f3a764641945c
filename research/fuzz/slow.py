"""Looks for PDFs that take far longer than others of their size: what was slow is changed further.

    python -m research.fuzz.slow --seeds 500 --rounds 10 -o research/benchmarks/results/slow.json

A file is named by a list of numbers: the first is the seed of a broken PDF, each further one of a change.
Every round changes the slowest files so far. Each file is read by a process without a sandbox and its objects
are recognised; what counts are the CPU seconds of both. A file that takes longer than `SECONDS` is a finding.
One that ends the process is none: with a sandbox it costs one page.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from research.fuzz.mutants import by_structure, pdf_mutant
from research.result_file import report_result

from held.errors import HeldError
from held.system.console import StageProgress
from held.system.worker_main import Connection
from held.system.worker_pool import Answer, run_requests, serve_requests
from held.system.worker_process import WorkerLost, WorkerSpec, WorkerTimeout

SERVE = "research.fuzz.slow:serve"
SECONDS = 10.0  # of CPU, for a file of two pages
KEPT = 20  # slowest files, which a round changes
CHANGES = 5  # of each of them

Key = tuple[int, ...]


class Timing(NamedTuple):
    """A file and the CPU seconds that it took to read and to recognise; None if it ended the process."""

    key: Key
    reading: float | None
    layout: float

    @property
    def seconds(self) -> float:
        """All of them."""
        return (self.reading or 0.0) + self.layout


def content(key: Sequence[int]) -> bytes:
    """The file of this name."""
    seed, *changes = key
    changed = pdf_mutant(seed)
    for change in changes:
        changed = by_structure(changed, random.Random(change))
    return changed


def serve(line: Connection) -> None:
    """Answers the name of a file with the seconds that it took."""
    serve_requests(line, _answer)


def _answer(key: Any, _: StageProgress) -> Answer:
    from held.layout.recognise import recognise
    from held.reading.read_pdf import read_pdf

    file = content(key)
    start = time.process_time()
    try:
        pages = read_pdf(file, jobs=0)
    except HeldError:
        return Answer([time.process_time() - start, 0.0])
    read = time.process_time()
    recognise(pages)
    return Answer([read - start, time.process_time() - read])


def measure(keys: Sequence[Key]) -> Iterator[Timing]:
    """The seconds of each file, in the order in which they are done."""
    spec = WorkerSpec(SERVE, timeout=SECONDS, cpu_time=True)
    for index, event in run_requests(spec, keys, jobs=1):
        if isinstance(event, Answer):
            yield Timing(keys[index], *event.value)
        elif isinstance(event, WorkerTimeout):
            print(f"too slow: {keys[index]}", file=sys.stderr, flush=True)
            yield Timing(keys[index], SECONDS, 0.0)
        elif isinstance(event, WorkerLost):
            yield Timing(keys[index], None, 0.0)


def hunt(first: int, seeds: int, rounds: int) -> list[Timing]:
    """All files that were tried."""
    chance = random.Random(first)
    tried: list[Timing] = []
    keys: list[Key] = [(seed,) for seed in range(first, first + seeds)]
    for number in range(rounds + 1):
        tried += measure(keys)
        slowest = sorted(tried, key=lambda timing: -timing.seconds)[:KEPT]
        print(f"round {number}: {slowest[0]}", file=sys.stderr, flush=True)
        keys = [(*timing.key, chance.randrange(1 << 31)) for timing in slowest for _ in range(CHANGES)]
    return tried


def main() -> None:
    """Hunts, and ends with 1 where a file took too long."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seeds", type=int, default=100, help="broken files to begin with")
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--rounds", type=int, default=5, help="of changes to the slowest files")
    parser.add_argument("-o", "--output", type=Path)
    asked = parser.parse_args()
    tried = hunt(asked.first, asked.seeds, asked.rounds)
    by_seconds = sorted(tried, key=lambda timing: -timing.seconds)
    result = {
        "files": len(tried),
        "ended the process": sum(timing.reading is None for timing in tried),
        "median CPU seconds": round(by_seconds[len(by_seconds) // 2].seconds, 3),
        "slowest": [timing._asdict() for timing in by_seconds[:5]],
        "longer than allowed": sum(timing.seconds >= SECONDS for timing in tried),
    }
    report_result(result, asked.output)
    sys.exit(bool(result["longer than allowed"]))


if __name__ == "__main__":
    main()
