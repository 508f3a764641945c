"""The corpus's originals on one machine: by own processes, and by a Ray cluster of as many workers.

    python -m research.benchmarks.scale.originals -o research/benchmarks/results/scale-originals.json

Both write a data set; all rows of both must be the same, but for times. Then what each took: seconds, CPU
seconds and memory of all its processes. One after the other, so let nothing else be busy; originals of test
documents are left out unless `--test` asks for them.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

from research.benchmarks.reading import CORPUS
from research.benchmarks.scale.cost import cost_of

from held.dataset.parts import LocalFolder
from held.dataset.rows import COLUMNS, Rows, rows_from_parquet
from held.system.bounded_json import write_json

OF_TIME = ("seconds", "finished")
WAYS = {"own batch": (), "Ray": ("--on", "ray")}


def originals(*, test: bool, most: int | None) -> list[Path]:
    """The PDFs of the corpus, or so many evenly out of all."""
    rows = map(json.loads, (CORPUS / "index.jsonl").read_text(encoding="utf-8").splitlines())
    splits = {row["id"]: row["split"] for row in rows}
    found = [path for path in sorted((CORPUS / "pdfs").glob("*.pdf")) if test or splits[path.stem] != "test"]
    return found[:: max(1, len(found) // most)] if most else found


def rows_of(data_set: Path) -> Rows:
    """The rows of each table, by document and in order, without what tells of time."""
    place = LocalFolder(data_set)
    found: Rows = {}
    for table in COLUMNS:
        rows = [row for name in place.names(table) for row in rows_from_parquet(place.read(name), file=name)]
        kept = [{name: value for name, value in row.items() if name not in OF_TIME} for row in rows]
        found[table] = sorted(kept, key=lambda row: str(row["document"]))  # stable: their order is kept
    return found


def compare_ways(files: list[Path], jobs: int, folder: Path) -> dict[str, Any]:
    """What both ways cost, and whether they gave the same."""
    result: dict[str, Any] = {"files": len(files), "jobs": jobs, "load at the start": os.getloadavg()[0]}
    rows = {}
    for way, options in WAYS.items():
        output = folder / way.replace(" ", "-")
        command = [sys.executable, "-m", "held", "extract", *map(str, files), "--format", "parquet"]
        cost, code = cost_of([*command, "-o", str(output), "--jobs", str(jobs), *options])
        rows[way] = rows_of(output)
        result[way] = {"exit_code": code, **cost.to_json()}
        print(way, json.dumps(result[way]), file=sys.stderr)
    own, ray = rows.values()
    result["pages"] = sum(row["pages"] or 0 for row in own["documents"])
    result["rows"] = {table: len(found) for table, found in own.items()}
    result["the same rows"] = {table: own[table] == ray[table] for table in COLUMNS}
    return result


def main() -> None:
    """Measures and writes the results."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--files", type=int, help="only so many")
    parser.add_argument("--test", action="store_true", help="the originals of test documents, too")
    asked = parser.parse_args()
    files = originals(test=asked.test, most=asked.files)
    with tempfile.TemporaryDirectory(prefix="held-bench-") as folder:
        write_json(asked.output, compare_ways(files, asked.jobs, Path(folder)))


if __name__ == "__main__":
    main()
