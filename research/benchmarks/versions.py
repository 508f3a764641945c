"""Two versions of `held` beside PDFium's plain text: CPU seconds of whole commands, in one run.

    git worktree add ../before b482b78
    python -m research.benchmarks.versions ../before -o research/benchmarks/results/versions.json

Every command runs in a process of its own, start-up included, and all take turns on a file before the next
file, so that a busy machine slows all alike. The cheapest of some rounds counts. Long documents show what a
page costs; a file of one page, `held --help` and `import held` show what starting costs.
"""

from __future__ import annotations

import argparse
import compileall
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from research.benchmarks.reading import CORPUS, generate
from research.result_file import result_text, write_result

REPOSITORY = Path(__file__).resolve().parents[2]
# All originals of train and valid with a hundred pages and more.
DOCUMENTS = (
    "en_fin-85c38b2e",
    "manuals-1fba04f8",
    "manuals-a90a8fc5",
    "manuals-d3f5623c",
    "science-360e13a5",
    "science-e5fb12f8",
    "zh_fin-1437082d",
    "zh_fin-5df9d13e",
    "zh_fin-c47b77fc",
    "zh_fin-e8c10683",
)
PLAIN = """
import sys
from pathlib import Path
from research.benchmarks.reading import plain_text
plain_text(Path(sys.argv[1]))
"""
MAX_RSS_KB = 1024  # ru_maxrss is in kilobytes on Linux

Cost = tuple[float, float]  # CPU seconds, and the largest process in MB


def commands(path: Path, target: Path) -> dict[str, list[str]]:
    """The commands of a version that are measured on a file."""
    held = ["-m", "held"]
    return {
        "objects": [*held, "objects", str(path), "-o", str(target)],
        "extract": [*held, "extract", str(path), "-o", str(target)],
    }


def measure(arguments: Sequence[str], checkout: Path) -> Cost:
    """What a command costs with all processes that it starts and waits for."""
    path = os.pathsep.join((str(checkout / "src"), str(REPOSITORY)))
    environment = {**os.environ, "PYTHONPATH": path, "OMP_NUM_THREADS": "1"}
    process = subprocess.Popen([sys.executable, *arguments], env=environment, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"failed: {arguments}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / MAX_RSS_KB


def take_turns(ways: Mapping[str, tuple[Sequence[str], Path]], rounds: int) -> dict[str, Cost]:
    """The cheapest of some rounds for each way."""
    best = dict.fromkeys(ways, (float("inf"), float("inf")))
    for _ in range(rounds):
        for name, (arguments, checkout) in ways.items():
            best[name] = min(best[name], measure(arguments, checkout))
    return best


def main() -> None:
    """Measure both versions, and write the result."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("before", type=Path, help="a checkout of the other version")
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    sides = {"before": options.before.resolve(), "after": REPOSITORY}
    for checkout in sides.values():
        compileall.compile_dir(checkout / "src", quiet=2)
    with tempfile.TemporaryDirectory(prefix="held-bench-") as folder:
        target = Path(folder, "out.json")
        documents = {}
        for name in DOCUMENTS:
            path = CORPUS / "pdfs" / f"{name}.pdf"
            ways: dict[str, tuple[Sequence[str], Path]] = {
                "plain text": (["-c", PLAIN, str(path)], REPOSITORY)
            }
            for side, checkout in sides.items():
                for way, command in commands(path, target).items():
                    ways[f"{way}, {side}"] = (command, checkout)
            documents[name] = take_turns(ways, options.rounds)
            print(name, _shares([documents[name]]), file=sys.stderr)
        short = Path(folder, "short.pdf")
        generate(short, 1)
        starts: dict[str, tuple[Sequence[str], Path]] = {}
        for side, checkout in sides.items():
            starts[f"extract one page, {side}"] = (commands(short, target)["extract"], checkout)
            starts[f"held --help, {side}"] = (["-m", "held", "--help"], checkout)
            starts[f"import held, {side}"] = (["-c", "import held"], checkout)
        started = take_turns(starts, 3 * options.rounds)
    seconds = {
        name: {way: round(cost[0], 3) for way, cost in costs.items()} for name, costs in documents.items()
    }
    result = {
        "share of plain text": _shares(list(documents.values())),
        "CPU seconds": seconds,
        "CPU seconds of starting": {way: round(cost[0], 3) for way, cost in started.items()},
        "MB of the largest process": {
            way: round(max(costs[way][1] for costs in documents.values())) for way in documents[DOCUMENTS[0]]
        },
    }
    write_result(options.output, result)
    print(result_text({key: value for key, value in result.items() if key != "CPU seconds"}))


def _shares(documents: Sequence[Mapping[str, Cost]]) -> dict[str, float]:
    """The CPU seconds of plain text by those of each way, over all documents."""
    total = {way: sum(costs[way][0] for costs in documents) for way in documents[0]}
    return {way: round(total["plain text"] / seconds, 3) for way, seconds in total.items()}


if __name__ == "__main__":
    main()
