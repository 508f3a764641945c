"""Ever more small documents: seconds and memory must grow with their number, and with nothing else.

    python -m research.benchmarks.scale.many -o research/benchmarks/results/scale-many.json

Reports of our own of one to three pages, under as many names as are needed, go into a data set: by own
processes and on a cluster of this machine. What a further document costs is the difference between two
sizes, so that what it costs to start does not count. Each run then is begun again with `--resume`, which has
to find that nothing is missing. Sizes that the results have already are not measured again.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from itertools import pairwise
from pathlib import Path
from typing import Any

from research.benchmarks.scale.cost import cost_of
from research.benchmarks.scale.originals import WAYS

from held.system.bounded_json import write_json
from tests.serve.small_pdf import write_report

SIZES = (100, 1_000, 10_000)
MOST_PAGES = 3
DOCUMENTS_OF_A_FOLDER = 1_000


def write_documents(folder: Path, count: int) -> Path:
    """A folder of so many small PDFs: the same few, under names of their own."""
    kinds = [write_report(folder / f"of-{pages}.report", pages=pages) for pages in range(1, MOST_PAGES + 1)]
    for number in range(count):
        place = folder / f"{number // DOCUMENTS_OF_A_FOLDER:04}"
        place.mkdir(exist_ok=True)
        os.link(kinds[number % len(kinds)], place / f"{number:07}.pdf")
    return folder


def measure_run(way: str, size: int, jobs: int) -> dict[str, Any]:
    """What so many documents cost, and what it costs to find that all are done."""
    with tempfile.TemporaryDirectory(prefix="held-bench-") as folder:
        place = Path(folder)
        (place / "in").mkdir()
        source = write_documents(place / "in", size)
        command = [sys.executable, "-m", "held", "extract", str(source), "--format", "parquet", "--quiet"]
        command += ["-o", str(place / "out"), "--jobs", str(jobs), *WAYS[way]]
        first, code = cost_of(command)
        again, code_again = cost_of([*command, "--resume"])
        files = sum(1 for _ in (place / "out").rglob("*.parquet"))
    return {
        "exit_codes": [code, code_again],
        **first.to_json(),
        "first_process_megabytes": round(max(first.own_megabytes), 1),
        "files_written": files,
        "again": {"seconds": round(again.seconds, 1), "cpu_seconds": round(again.cpu_seconds, 1)},
    }


def further_documents(by_size: dict[str, Any]) -> dict[str, Any]:
    """What a further document costs between two sizes, in milliseconds and in kilobytes of the driver."""
    found = {}
    for few, many in pairwise(sorted(by_size, key=int)):
        start, end = by_size[few], by_size[many]
        documents = int(many) - int(few)
        grown = end["first_process_megabytes"] - start["first_process_megabytes"]
        found[f"from {few} to {many}"] = {
            "milliseconds": round(1000 * (end["seconds"] - start["seconds"]) / documents, 1),
            "cpu_milliseconds": round(1000 * (end["cpu_seconds"] - start["cpu_seconds"]) / documents, 1),
            "kilobytes_of_first_process": round(1024 * grown / documents, 2),
        }
    return found


def main() -> None:
    """Measures what the results lack, and writes them after each size."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES)
    parser.add_argument("--ways", nargs="+", choices=WAYS, default=list(WAYS))
    asked = parser.parse_args()
    found = json.loads(asked.output.read_text(encoding="utf-8")) if asked.output.exists() else {}
    for size in sorted(asked.sizes):
        for way in asked.ways:
            by_size = found.setdefault(way, {}).setdefault("documents", {})
            if str(size) in by_size:
                continue
            by_size[str(size)] = measure_run(way, size, asked.jobs)
            found[way]["a further document"] = further_documents(by_size)
            write_json(asked.output, found)
            print(way, size, json.dumps(by_size[str(size)]), file=sys.stderr)


if __name__ == "__main__":
    main()
