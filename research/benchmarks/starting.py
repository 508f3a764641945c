"""What it costs to start: CPU seconds of `held extract` for a file of two pages, several versions in turns.

    python -m research.benchmarks.starting before=OTHER_CLONE/src now=src -o starting.json

Each version is started once before the clock runs, which writes its bytecode. On a busy machine the fewest
seconds tell most; the median shows how busy it was.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from statistics import median
from typing import Any

from research.benchmarks.reading import SHORT, cpu_seconds, generate

from held.system.bounded_json import write_json

ROUNDS = 20


def start_seconds(source: Path, file: Path) -> float:
    """The CPU seconds that an extraction by the code in a folder takes, those of its children included."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    command = [sys.executable, "-m", "held", "extract", str(file), "-o", str(file.with_suffix(".json"))]
    before = cpu_seconds()
    subprocess.run(command, env={**environment, "PYTHONPATH": str(source)}, check=True, capture_output=True)
    return cpu_seconds() - before


def in_turns(versions: Mapping[str, Callable[[], float]], rounds: int) -> dict[str, Any]:
    """The fewest seconds and the median of each version, all of them started in turns."""
    for start in versions.values():
        start()
    seconds: dict[str, list[float]] = {name: [] for name in versions}
    for _ in range(rounds):
        for name, start in versions.items():
            seconds[name].append(start())
    return {
        name: {"cpu_seconds": round(min(own), 3), "median": round(median(own), 3)}
        for name, own in seconds.items()
    }


def main() -> None:
    """Starts all versions, and writes what they cost."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("versions", nargs="+", metavar="NAME=FOLDER", help="where the source of a version is")
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="held-bench-") as folder:
        file = Path(folder, "short.pdf")
        generate(file, SHORT)

        def starting(source: str) -> Callable[[], float]:
            return lambda: start_seconds(Path(source).resolve(), file)

        given = dict(version.split("=", 1) for version in asked.versions)
        found = in_turns({name: starting(source) for name, source in given.items()}, asked.rounds)
    result = {"pages": SHORT, "rounds": asked.rounds, "versions": found}
    write_json(asked.output, result)
    print(result, file=sys.stderr)


if __name__ == "__main__":
    main()
