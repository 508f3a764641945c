"""What hostile files cost with the usual limits: memory and time of a command's whole process tree.

    python -m research.benchmarks.hostile FOLDER -o research/benchmarks/results/hostile.json

Each file of the folder is extracted, each model in it used, and each JSON searched. Memory is what all
processes of a command hold at a time, shared pages counted once; it is looked at every few milliseconds, so a
height of a moment may be missed. Time is that of the clock, with the seconds that were computed beside it.
"""

from __future__ import annotations

import json
import os
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from research.arguments import make_parser
from research.result_file import write_result

SECONDS_BETWEEN_LOOKS = 0.02
MOST_MEGABYTES, MOST_SECONDS = 1536, 90  # what is promised
GIVEN_UP_AFTER = 600.0


def calls(folder: Path) -> Iterator[list[str]]:
    """What to run: the words of a command for each file that there is."""
    for path in sorted(folder.rglob("*.pdf")):
        yield ["extract", str(path)]
    for path in (*sorted(folder.glob("*.json")), *sorted(folder.glob("*.json.xz"))):
        yield ["search", str(path), "tax"]
    good = folder / "held-batch.pdf"
    for path in sorted(folder.glob("model-*")):
        yield ["extract", str(good), "--model", str(path)]


def measure_command(words: list[str]) -> dict[str, Any]:
    """The end of a command, and what its process tree took."""
    command = [sys.executable, "-P", "-m", "held", *words]
    before = _children_seconds()
    start = time.monotonic()
    with tempfile.TemporaryFile() as told:
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=told, stdin=subprocess.DEVNULL)
        most = 0.0
        while process.poll() is None and time.monotonic() - start < GIVEN_UP_AFTER:
            most = max(most, _megabytes(process.pid))
            time.sleep(SECONDS_BETWEEN_LOOKS)
        process.kill()
        process.wait()
        told.seek(0)
        said = told.read().decode("utf-8", "replace").strip().splitlines()
    return {
        "code": process.returncode,
        "megabytes": round(most),
        "seconds": round(time.monotonic() - start, 1),
        "computed": round(_children_seconds() - before, 1),
        "said": _without_folders(said[-1])[:200] if said else "",
    }


def _megabytes(root: int) -> float:
    """What a process and all below it hold, each page that several share in parts."""
    below: dict[int, list[int]] = {}
    for name in os.listdir("/proc"):
        if name.isdecimal():
            with suppress(OSError, ValueError, IndexError):
                parent = int(Path("/proc", name, "stat").read_text().rpartition(")")[2].split()[1])
                below.setdefault(parent, []).append(int(name))
    waiting, total = [root], 0
    while waiting:
        process = waiting.pop()
        waiting += below.get(process, [])
        with suppress(OSError, StopIteration):
            lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
            total += int(next(line for line in lines if line.startswith("Pss:")).split()[1])
    return total / 1024


def _without_folders(line: str) -> str:
    """A line without the folders of the machine that it was said on."""
    return re.sub(r"(/[^/\s:]+)+/", "", line)


def _children_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main() -> None:
    """Measures all, writes it, and ends with 1 where more was taken than is promised."""
    parser = make_parser(__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("-o", "--output", type=Path)
    asked = parser.parse_args()
    rows: list[dict[str, Any]] = []
    for words in calls(asked.folder):
        found = measure_command(words)
        named = [Path(word).name if os.sep in word else word for word in words]
        rows.append({"command": " ".join(named)[:80], **found})
        print(json.dumps(rows[-1], ensure_ascii=False), flush=True)
    over = [row for row in rows if row["megabytes"] > MOST_MEGABYTES or row["seconds"] > MOST_SECONDS]
    result = {
        "most megabytes": max(row["megabytes"] for row in rows),
        "most seconds": max(row["seconds"] for row in rows),
        "load": os.getloadavg()[0],
        "over": [row["command"] for row in over],
        "commands": rows,
    }
    if asked.output:
        write_result(asked.output, result)
    sys.exit(bool(over))


if __name__ == "__main__":
    main()
