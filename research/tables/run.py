"""Measures tables: cells against known ones, and the statements of filings, which check themselves.

    python -m research.tables.run adjacency PDFS [PDFS …] [--half A]
    python -m research.tables.run statements FILINGS --split train
    python -m research.tables.run list FILINGS

PDFS has `NAME.pdf` with `NAME-str.xml` beside it, FILINGS the folder `docs` of stored filings and
`questions.jsonl`. `adjacency` reports the two halves of the documents apart: choose mechanisms on A, and look
at B in final runs only. `-o` adds the counts to a results file under `--name`, without a word of the
documents.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

from research.result_file import write_result
from research.tables.adjacency import (
    f1_of,
    found_tables,
    half_of,
    precision_and_recall,
    relations_of,
    true_tables,
)
from research.tables.printed import Statement, find_statements
from research.tables.statements import Finding, crowded_rows, judge

from held.corpus.sources import read_corpus_document
from held.layout.recognise import recognise
from held.reading.read_pdf import read_pdf

PRINTED = Path(__file__).with_name("printed.json")
NOT_WHILE_WORKING = "VERIZON"  # its filings are test documents of the corpus
SUFFIX = ".json.xz"


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code of the command."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("what", choices=["adjacency", "statements", "list"])
    parser.add_argument("folders", type=Path, nargs="+", metavar="FOLDER")
    parser.add_argument("--half", choices=["A", "B"], help="adjacency: only this half of the documents")
    parser.add_argument("--split", choices=["train", "all"], default="train")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("-o", "--output", type=Path)
    parser.add_argument("--name", default="after", help="what the counts are called in the results file")
    parser.add_argument("--doc", action="append", help="only documents with this in their name")
    options = parser.parse_args(arguments)
    measured = {"adjacency": _adjacency, "statements": _statements, "list": _list}[options.what](options)
    if options.output and measured:
        kept = json.loads(options.output.read_text("utf-8")) if options.output.exists() else {}
        kept.setdefault(options.name, {}).update(measured)
        write_result(options.output, kept)
    return 0


def _chosen(paths: Iterable[Path], options: argparse.Namespace) -> list[Path]:
    return [
        path for path in sorted(paths) if not options.doc or any(part in path.name for part in options.doc)
    ]


# Cells against known ones


def _adjacency(options: argparse.Namespace) -> dict[str, Any]:
    found = [path for folder in options.folders for path in folder.rglob("*.pdf")]
    paths = [path for path in _chosen(found, options) if _truth_path(path).exists()]
    if options.half:
        paths = [path for path in paths if half_of(path) == options.half]
    with ProcessPoolExecutor(options.jobs) as pool:
        scores = dict(zip(paths, pool.map(_measure_file, paths), strict=True))
    measured: dict[str, Any] = {}
    for half in sorted({half_of(path) for path in paths}):
        members = {path.stem: score for path, score in scores.items() if half_of(path) == half}
        print(f"half {half}")
        for name, (precision, recall) in members.items():
            print(f"  {name:10} P {precision:.3f} R {recall:.3f} F1 {f1_of(precision, recall):.3f}")
        measured[f"adjacency, half {half}"] = _mean_score(f"half {half}", members)
    if len(measured) > 1:
        measured["adjacency"] = _mean_score("all", {path.stem: scores[path] for path in paths})
    return measured


def _mean_score(name: str, scores: Mapping[str, tuple[float, float]]) -> dict[str, Any]:
    """The means over documents, and F1 of each document; F1 of the means is the competition's measure."""
    precision, recall = (sum(column) / len(scores) for column in zip(*scores.values(), strict=True))
    f1 = f1_of(precision, recall)
    print(f"{name}: {len(scores)} documents, P {precision:.3f} R {recall:.3f} F1 {f1:.3f}")
    return {
        "documents": len(scores),
        "P": round(precision, 4),
        "R": round(recall, 4),
        "F1": round(f1, 4),
        "F1 by document": {document: round(f1_of(*score), 4) for document, score in scores.items()},
    }


def _truth_path(path: Path) -> Path:
    return path.with_name(path.stem + "-str.xml")


def _measure_file(path: Path) -> tuple[float, float]:
    true = relations_of(true_tables(_truth_path(path)))
    return precision_and_recall(true, relations_of(found_tables(recognise(read_pdf(path, jobs=0)))))


# Statements of filings


def _filings(options: argparse.Namespace) -> list[Path]:
    questions = (options.folders[0] / "questions.jsonl").read_text("utf-8").splitlines()
    splits = {question["doc"]: question["split"] for question in map(json.loads, questions)}
    paths = _chosen((options.folders[0] / "docs").glob(f"*{SUFFIX}"), options)
    if options.split == "all":
        return paths
    train = [path for path in paths if splits.get(_name(path)) == "train"]
    return [path for path in train if NOT_WHILE_WORKING not in path.name]


def _name(path: Path) -> str:
    return path.name.removesuffix(SUFFIX)


def _list(options: argparse.Namespace) -> None:
    """Writes down which statements each filing prints, and where: names and page numbers alone."""
    found = {}
    for path in _filings(options):
        statements = find_statements(read_corpus_document(path))
        found[_name(path)] = {statement.kind: list(statement.pages) for statement in statements}
        print(_name(path), found[_name(path)], file=sys.stderr)
    write_result(PRINTED, found)


def _statements(options: argparse.Namespace) -> dict[str, Any]:
    paths = _filings(options)
    counts: Counter[str] = Counter()
    with ProcessPoolExecutor(options.jobs) as pool:
        for path, (findings, crowded, rows) in zip(paths, pool.map(_judge_file, paths), strict=True):
            counts += Counter({"table rows": rows, "rows with three numbers in a cell": crowded})
            for finding in findings:
                counts[f"{finding.kind}: printed"] += 1
                counts[f"{finding.kind}: one table, columns apart"] += finding.aligned
                counts[f"{finding.kind}: a year over each column"] += finding.named
            print(f"{_name(path):40} {' '.join(map(_finding_line, findings)):60} {crowded}/{rows}")
    for name, count in sorted(counts.items()):
        print(f"{name}: {count}")
    return {f"statements, {options.split}": {"filings": len(paths), **dict(sorted(counts.items()))}}


def _finding_line(finding: Finding) -> str:
    verdict = (
        "ok" if finding.named else "unnamed" if finding.aligned else "askew" if finding.whole else "TORN"
    )
    return f"{finding.kind} {verdict}"


def _judge_file(path: Path) -> tuple[list[Finding], int, int]:
    pages = read_corpus_document(path)
    listed = json.loads(PRINTED.read_text("utf-8"))[_name(path)]
    statements = [statement for statement in find_statements(pages) if _is_listed(statement, listed)]
    document = recognise(pages)
    crowded, rows = crowded_rows(document)
    return [judge(statement, document) for statement in statements], crowded, rows


def _is_listed(statement: Statement, listed: dict[str, list[int]]) -> bool:
    return listed.get(statement.kind) == list(statement.pages)


if __name__ == "__main__":
    sys.exit(main())
