"""Coverage-guided fuzzing of the pure parsers: numbers, cells, JSON, messages, outline files, contents.

    python -m research.fuzz.parsers --seconds 60 -o research/benchmarks/results/parsers.json

Needs Atheris (pip install atheris), which changes its inputs towards lines that none has reached before. Each
parser runs in a process of its own, for so many seconds. An error of ours is a good end; anything else is a
finding, and its input is kept beside the corpus. A later run goes on from the inputs of an earlier one.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from research.fuzz.mutants import JSON_VALUES, holders
from research.fuzz.trees import ODD_TEXTS
from research.result_file import write_result

from tests.hierarchy.made_report import report

# What the parsers import when they are called; it must be imported while Atheris instruments it.
INSTRUMENTED = (
    "held.api",
    "held.document_json",
    "held.exports.amounts",
    "held.exports.tables",
    "held.exports.outline",
    "held.exports.tree_json",
    "held.layout.recognise",
    "held.numbering.numerals",
    "held.numbering.words",
    "held.system.worker_main",
)
PAGE_BREAK, COLUMN = "\f", "\t"
PAGE_SIZE = (595.0, 842.0)
LINE_POINTS, CHARACTER_POINTS = 14.0, 5.0
MAX_LINES = 60  # of one page
MAX_INPUT = 4096  # bytes; what is parsed is short, and longer inputs only cost time


NEW_VALUES = (*JSON_VALUES, *ODD_TEXTS, 1, 2, 3, 0.5, False, [0, 1, 2, 3], [[0, 0, 9, 9]])


@cache
def small_tree() -> str:
    """The tree of a report of twelve objects, as JSON."""
    from held.exports.tree_json import tree_to_json
    from held.hierarchy.pipeline import build_tree

    return json.dumps(tree_to_json(build_tree(report())))


def _text(content: bytes) -> str:
    # Bytes that are no UTF-8 become lone surrogates, which a damaged font yields, too.
    return content.decode("utf-8", "surrogateescape")


def parse_numbers(content: bytes) -> None:
    """Item numbers, labels and languages of titles, and the order of two numbers."""
    from held.numbering import parse_number
    from held.numbering.numerals import labelled_number
    from held.numbering.words import find_language

    text = _text(content)
    number = parse_number(text)
    assert number is None or 0 <= number.title_start <= len(text)
    labelled_number(text)
    find_language([text])


def parse_cells(content: bytes) -> None:
    """The numbers of table cells, their units and decimal marks."""
    from held.exports.amounts import (
        detect_decimal,
        parse_amount,
        parse_currency,
        parse_scale,
        parse_value,
    )

    texts = _text(content).split("\n")
    decimal = detect_decimal(texts) or "."
    for text in texts:
        parse_value(text, decimal=decimal)
        parse_amount(text, decimal=decimal)
        parse_currency(text)
        parse_scale(text)


def parse_outline(content: bytes) -> None:
    """Outline files, which people write by hand."""
    from held.exports.outline import read_outline

    read_outline(content, "outline.tsv")


def parse_tree(content: bytes) -> None:
    """Trees as JSON: a small one with as many values changed as the input has groups of four bytes."""
    import held

    value = json.loads(small_tree())
    for start in range(0, min(len(content), MAX_INPUT) - 3, 4):
        first, second, place, choice = content[start : start + 4]
        holder = (found := holders(value))[(first << 8 | second) % len(found)]
        keys = list(holder) if isinstance(holder, dict) else list(range(len(holder)))
        holder[keys[place % len(keys)]] = json.loads(json.dumps(NEW_VALUES[choice % len(NEW_VALUES)]))
        if not holders(value):
            break
    document = held.load(json.dumps(value))
    written = document.to_json()
    assert held.load(written).to_json() == written


def parse_message(content: bytes) -> None:
    """Messages of worker processes, which a hostile PDF may have taken over.

    The first byte says where the JSON ends, so that its length is right: wrong lengths have a test.
    """
    from held.system.worker_main import LENGTH_BYTES, InvalidMessage, read_message

    size = content[0] if content else 0
    text, rest = content[1 : 1 + size], content[1 + size :]
    message = memoryview(len(text).to_bytes(LENGTH_BYTES, "little") + text + rest)

    def read(count: int) -> bytes:
        nonlocal message
        if count > len(message):
            raise EOFError
        piece, message = message[:count], message[count:]
        return bytes(piece)

    with suppress(InvalidMessage, EOFError):
        read_message(read)


def parse_contents(content: bytes) -> None:
    """Pages of text lines, as printed contents are: titles, leaders, page labels, columns."""
    from held.document import PageContent, Pages, Run, Style
    from held.layout.recognise import recognise

    pages = []
    for page in _text(content).split(PAGE_BREAK)[:4]:
        runs = []
        for row, line in enumerate(page.split("\n")[:MAX_LINES]):
            y = 40 + row * LINE_POINTS
            for column, piece in enumerate(line.split(COLUMN)[:4]):
                x = 60 + 130.0 * column
                if piece.strip():
                    width = CHARACTER_POINTS * min(len(piece), 90)
                    runs.append(Run(x, y, x + width, y + 10, 0, piece))
        pages.append(PageContent(*PAGE_SIZE, runs=tuple(runs)))
    recognise(Pages("contents.pdf", (Style("Times", 10.0),), tuple(pages)))


PARSERS: Mapping[str, Callable[[bytes], None]] = {
    "numbers": parse_numbers,
    "cells": parse_cells,
    "outline": parse_outline,
    "tree": parse_tree,
    "message": parse_message,
    "contents": parse_contents,
}


def seeds_of(parser: str) -> list[bytes]:
    """Inputs to begin with."""
    contents = (
        "Contents\n1 Ships ........ 3\n1.1 Sails\t4\nAnnex A . . . . ix\n第一章 总则……5\fPart II\n2 Quays 7\n"
    )
    seeds: dict[str, list[str]] = {
        "numbers": [
            "1.2.3 Ships",
            "第一章 总则",
            "(iv) Sails",
            "Annex A-2",
            "Item 1A.",
            "Kapitel drei",
            "①",
            "§ 4 (2)",
        ],
        "cells": ["(1,234)\n1.234,5\n-", "12 %", "in millions of US$", "1e5\n٣"],
        "outline": ["1\t1\tOne\n2\t3\tTwo ?\n", "# comment\n\n1\t2\tA\n", "\ufeff1\t1\tOne\r\n"],
        "tree": ["", "abcd", "abcdefgh"],
        "message": ["\x07[[],[]]", "\x0b[[1],[1,2]]abc", '\x14[["answer",1,true],[]]'],
        "contents": [contents, contents.replace("\t", " ")],
    }
    return [text.encode() for text in seeds[parser]] + [
        odd.encode("utf-8", "replace")[:200] for odd in ODD_TEXTS
    ]


def fuzz(parser: str, seconds: float, corpus: Path) -> None:
    """Fuzz one parser in this process, which ends with the run."""
    atheris: Any = import_module("atheris")  # not a dependency: there are no types
    with atheris.instrument_imports(include=["held"]):
        for module in INSTRUMENTED:
            import_module(module)
    from held.errors import HeldError

    small_tree()  # loads the models, which is no part of any input's time

    def test_one_input(content: bytes) -> None:
        with suppress(HeldError):
            PARSERS[parser](content)

    corpus.mkdir(parents=True, exist_ok=True)
    for number, seed in enumerate(seeds_of(parser)):
        (corpus / f"seed-{number}").write_bytes(seed)
    options = [f"-max_total_time={seconds:.0f}", f"-max_len={MAX_INPUT}", "-timeout=60", "-rss_limit_mb=2048"]
    findings = f"-artifact_prefix={corpus.parent}/finding-{parser}-"
    atheris.Setup([sys.argv[0], *options, findings, "-print_final_stats=1", str(corpus)], test_one_input)
    atheris.Fuzz()


def run(parser: str, seconds: float, folder: Path) -> dict[str, Any]:
    """The result of fuzzing a parser in a process of its own."""
    words = ["--parser", parser, "--seconds", str(seconds), "--corpus", str(folder)]
    command = [sys.executable, "-m", "research.fuzz.parsers", *words]
    done = subprocess.run(command, capture_output=True, text=True, check=False, errors="replace")
    counts = dict(re.findall(r"stat::(\w+):\s+(\d+)", done.stderr))
    coverage = re.findall(r"cov: (\d+)", done.stderr)
    finding = ""
    if done.returncode:
        lines = [line for line in done.stderr.splitlines() if line.strip()]
        errors = [line.strip() for line in lines if re.search(r"Error|Exception|ERROR|assert", line)]
        finding = (errors or lines or ["it ended"])[-1][:300]
    return {
        "inputs": int(counts.get("number_of_executed_units", 0)),
        "branches reached": int(coverage[-1]) if coverage else 0,
        "finding": finding,
    }


def main() -> None:
    """Fuzzes all parsers one after another, and ends with 1 where anything was found."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=60.0, help="of each parser")
    parser.add_argument("--corpus", type=Path, default=Path("out/parsers"), help="folder of the inputs")
    parser.add_argument("--parser", choices=PARSERS, help="only this one, in this process")
    parser.add_argument("-o", "--output", type=Path)
    asked = parser.parse_args()
    if asked.parser:
        fuzz(asked.parser, asked.seconds, asked.corpus / asked.parser)
        return
    found = {}
    for name in PARSERS:
        found[name] = run(name, asked.seconds, asked.corpus)
        print(name, json.dumps(found[name]), flush=True)
    if asked.output:
        write_result(asked.output, {"seconds of each": asked.seconds, "parsers": found})
    sys.exit(any(result["finding"] for result in found.values()))


if __name__ == "__main__":
    main()
