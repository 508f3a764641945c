"""What the sandbox refuses and what it costs: pages read a second with and without it, by turns in one run.

    python -m research.benchmarks.sandbox PDFS -o research/benchmarks/results/sandbox.json

Each escape that the tests know is tried in a process of its own. CPU seconds of the readers are measured, not
the clock: a busy machine changes the latter by more than what is looked for. Each round reads all files once
in either way, and each file is read by a fresh reader, so that entering the sandbox counts, too.
"""

from __future__ import annotations

import json
import os
import resource
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

from research.arguments import make_parser
from research.result_file import report_result, write_result

from held.errors import HeldError
from held.reading.read_pdf import read_pdf
from held.system import sandbox
from held.system.worker_main import SANDBOX_VARIABLE
from held.system.worker_process import close_idle_workers
from tests.system.escapes import REFUSED, REFUSED_BY_LANDLOCK, REFUSED_WITH_PROGRAMS, attempt

BY_ARGUMENTS = (
    "close",
    "dup3",
    "open",
    "openat",
    "mmap",
    "clone",
    "tgkill",
    "ioctl",
    "fcntl",
    "prctl",
    "prlimit64",
)


def main() -> None:
    """Measures, and writes the figures."""
    parser = make_parser(__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--files", type=int, default=20)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument(
        "--escapes", action="store_true", help="only the escapes; keep the cost of the output"
    )
    parser.add_argument("-o", "--output", type=Path)
    arguments = parser.parse_args()
    if arguments.escapes:
        result = {**json.loads(arguments.output.read_text("utf-8")), **facts()}
        write_result(arguments.output, result)
        return
    files = sorted(arguments.folder.glob("*.pdf"))[: arguments.files]
    rounds = [{way: _read(files, way) for way in ("on", "off")} for _ in range(arguments.rounds)]
    pages = rounds[0]["on"][0]
    seconds = {way: median([found[way][1] for found in rounds]) for way in ("on", "off")}
    result = {
        **facts(),
        "files": len(files),
        "pages": pages,
        "rounds": len(rounds),
        "pages a CPU second with the sandbox": round(pages / seconds["on"], 1),
        "pages a CPU second without": round(pages / seconds["off"], 1),
        "cost in percent": round(100 * (seconds["on"] / seconds["off"] - 1), 2),
        "cost in percent, each round": [
            round(100 * (found["on"][1] / found["off"][1] - 1), 2) for found in rounds
        ],
    }
    report_result(result, arguments.output)


def facts() -> dict[str, Any]:
    """What does not depend on the files."""
    return {"allowlist": allowlist(), "escapes": escapes()}


def allowlist() -> dict[str, int]:
    """How many system calls a reader may make."""
    return {
        "calls allowed whatever their arguments": len(sandbox.ALLOWED),
        "calls allowed with harmless arguments": len(BY_ARGUMENTS),
        "further calls of a process that runs Tesseract": len(sandbox.PROGRAM_CALLS),
        "instructions of the filter": len(sandbox.build_filter("x86_64")) // sandbox.INSTRUCTION_BYTES,
    }


def escapes() -> dict[str, str]:
    """What a process in the sandbox gets that tries each escape."""
    outcomes = {}
    with TemporaryDirectory() as folder:
        for name, statement in (REFUSED | REFUSED_BY_LANDLOCK).items():
            outcomes[name] = attempt(statement, Path(folder))
        for name, statement in REFUSED_WITH_PROGRAMS.items():
            outcomes[f"{name}, beside Tesseract"] = attempt(statement, Path(folder), programs=True)
    return {name: outcome.replace("PermissionError", "not permitted") for name, outcome in outcomes.items()}


def _read(files: list[Path], way: str) -> tuple[int, float]:
    """How many pages the files have, and the CPU seconds that readers took for them."""
    os.environ[SANDBOX_VARIABLE] = way
    before = _seconds_of_children()
    pages = 0
    for path in files:
        try:
            pages += len(read_pdf(path, jobs=1).pages)
        except HeldError:
            continue
        finally:
            close_idle_workers()
    return pages, _seconds_of_children() - before


def _seconds_of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    main()
