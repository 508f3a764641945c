"""The native modules on broken PDFs: they must give what the Python ones give, and touch no foreign memory.

    CFLAGS=-fsanitize=address,undefined pip install -e .
    python -m research.fuzz.native --seeds 2000 -o research/benchmarks/results/native.json

Both ways read each file in one process, without a sandbox, so that the address sanitizer sees every access if
the modules were built with it (HELD_ASAN_LIBRARY names the sanitizer's library). Its pages and
their JSON are compared. What ends the process must end it without the native modules, too.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any
from unittest.mock import patch

from research.fuzz.mutants import pdf_mutant
from research.result_file import report_result

from held.errors import HeldError

SECONDS = 120.0  # of the clock, for one file; forms that draw each other have no end without limits
SANITIZER = "AddressSanitizer"
BOTH, PYTHON = "both", "python"


def read(seed: int, *, natively: bool) -> Any:
    """The pages of a seed's file with their JSON, or what our error says."""
    from held.document_json import pages_to_json
    from held.reading import pdfium_reader
    from held.reading.read_pdf import read_pdf
    from held.system import NATIVE_VARIABLE
    from held.system.bounded_json import encode_json

    native = pdfium_reader._native
    assert native is not None or not natively, "the native reader is not built"
    os.environ[NATIVE_VARIABLE] = "on" if natively else "off"
    try:
        with patch.object(pdfium_reader, "_native", native if natively else None):
            pages = read_pdf(pdf_mutant(seed), jobs=0)
    except HeldError as error:
        return str(error)
    return pages, encode_json(pages_to_json(pages))


def serve(readers: str, first: int, count: int) -> None:
    """Read files one after another, and tell of each whether both readers agree."""
    for seed in range(first, first + count):
        print(f"begin {seed}", flush=True)
        expected = read(seed, natively=False)
        agree = readers == PYTHON or read(seed, natively=True) == expected
        print(f"end {seed} {agree} {not isinstance(expected, str)}", flush=True)


def run(readers: str, first: int, count: int) -> tuple[list[list[str]], str]:
    """The output of a process about some seeds, as words, and its error output if it ended early."""
    words = ["--readers", readers, "--first", str(first), "--seeds", str(count)]
    environment = os.environ | {"ASAN_OPTIONS": "detect_leaks=0:abort_on_error=1"}
    if library := os.environ.get("HELD_ASAN_LIBRARY"):
        environment["LD_PRELOAD"] = library
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+", errors="replace") as said:
        command = [sys.executable, "-m", "research.fuzz.native", *words]
        process = subprocess.Popen(command, stdout=out, stderr=said, env=environment)
        reason = ""
        try:
            if process.wait(SECONDS + count):
                reason = f"exit code {process.returncode}"
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            reason = "took too long"
        out.seek(0)
        said.seek(0)
        text = said.read()
        if SANITIZER in text:
            reason = next(line for line in text.splitlines() if SANITIZER in line)
        return [line.split() for line in out.read().splitlines()], reason


def fuzz(first: int, seeds: int, batch: int) -> dict[str, Any]:
    """Try all seeds; those that end a process are tried again with the Python reader alone."""
    tried = readable = ended = 0
    findings = []
    seed = first
    while seed < first + seeds:
        lines, reason = run(BOTH, seed, min(batch, first + seeds - seed))
        for line in lines:
            if line[0] == "end":
                tried += 1
                readable += line[3] == "True"
                if line[2] != "True":
                    findings.append(f"seed {line[1]}: the readers disagree")
        if not reason:
            seed += batch
            continue
        last = int(lines[-1][1]) if lines else seed
        # Alone: a machine that others keep busy may only have been slow with the files before it.
        again, reason = run(BOTH, last, 1)
        _, python_reason = run(PYTHON, last, 1)
        if reason and (SANITIZER in reason or not python_reason):
            findings.append(f"seed {last}: {reason[:200]}")
        elif reason:
            ended += 1
        elif lines[-1][0] == "begin":
            tried += 1
            readable += again[-1][3] == "True"
        seed = last + 1
        print(f"{tried} files, {findings}", file=sys.stderr, flush=True)
    return {
        "files": tried,
        "read": readable,
        "ended the process with either reader": ended,
        "address sanitizer": bool(os.environ.get("HELD_ASAN_LIBRARY")),
        "findings": findings,
    }


def main() -> None:
    """Fuzzes, and ends with 1 where anything was found."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seeds", type=int, default=100)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--batch", type=int, default=50, help="files of one process")
    parser.add_argument("--readers", choices=[BOTH, PYTHON], help=argparse.SUPPRESS)
    parser.add_argument("-o", "--output", type=Path)
    asked = parser.parse_args()
    if asked.readers:
        serve(asked.readers, asked.first, asked.seeds)
        return
    result = fuzz(asked.first, asked.seeds, asked.batch)
    report_result(result, asked.output)
    sys.exit(bool(result["findings"]))


if __name__ == "__main__":
    main()
