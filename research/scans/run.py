"""Judges the trees of scans beside those of the same pages born digital."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from research.arguments import make_parser
from research.languages.run import half_of
from research.result_file import result_text, write_result
from research.scans.score import Heading, Score, headings_of, score

from held.errors import HeldError
from held.extraction import ExtractOptions, extract


def main(arguments: Sequence[str]) -> int:
    """Exit code of the command."""
    parser = make_parser(__doc__, prog="research.scans run")
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    parser.add_argument("--only", nargs="*", default=None, metavar="NAME", help="judge these scans only")
    parser.add_argument("--engine", default="auto", choices=["auto", "tesseract", "rapidocr"])
    parser.add_argument("--mode", default="auto", choices=["auto", "always", "never"])
    parser.add_argument("-o", "--output", type=Path, metavar="FILE")
    parser.add_argument("--show", action="store_true", help="print the trees")
    options = parser.parse_args(arguments)
    rows: dict[str, Any] = {}
    for gold_file in sorted(options.folder.glob("*.gold.json")):
        name = gold_file.name.removesuffix(".gold.json")
        if options.only is not None and name not in options.only:
            continue
        gold = [Heading(*row) for row in json.loads(gold_file.read_text(encoding="utf-8"))]
        scan = ExtractOptions(ocr=options.mode, ocr_engine=options.engine)
        row = _row(gold, options.folder / f"{name}.pdf", scan, show=options.show)
        rows[name] = {"half": half_of(name), **row}
        for digital in options.folder.glob(f"{name}.digital.*"):
            rows[name] |= {
                f"digital {key}": value for key, value in _row(gold, digital, ExtractOptions()).items()
            }
        print(name, json.dumps(rows[name]), flush=True)
    groups = {key: {row[key] for row in rows.values()} for key in ("language", "half")}
    parts = {
        f"{key} {value}": summary({name: row for name, row in rows.items() if row[key] == value})
        for key, values in groups.items()
        for value in sorted(values)
    }
    result = {"summary": summary(rows), "parts": parts, "documents": rows}
    print(result_text(result["summary"]))
    if options.output:
        write_result(options.output, result)
    return 0


def _row(
    gold: Sequence[Heading], pdf: Path, options: ExtractOptions, *, show: bool = False
) -> dict[str, Any]:
    language = ""
    try:
        hierarchy = extract(pdf, options)
    except HeldError as error:
        print(f"{pdf.name}: {error}", file=sys.stderr)
        counts = Score(len(gold), 0, 0, 0)
    else:
        language = hierarchy.document.metadata.language
        found = headings_of(hierarchy)
        counts = score(gold, found)
        if show:
            for heading in found:
                print(f"{heading.page:>4} {'  ' * heading.level}{' '.join(heading.title.split())[:90]}")
    return {
        "language": language,
        "true": counts.true,
        "found": counts.found,
        "headings": round(counts.heading_f1, 4),
        "paths": round(counts.path_f1, 4),
    }


def summary(rows: Mapping[str, Mapping[str, Any]]) -> dict[str, float]:
    """Means over documents, each counted once, and the ratio to the same documents born digital."""
    result: dict[str, float] = {"documents": len(rows)}
    for name in ("headings", "paths"):
        result[name] = _mean([row[name] for row in rows.values()])
        both = [row for row in rows.values() if f"digital {name}" in row]
        result[f"digital {name}"] = _mean([row[f"digital {name}"] for row in both])
        own = _mean([row[name] for row in both])
        if result[f"digital {name}"]:
            result[f"{name} of digital"] = round(own / result[f"digital {name}"], 4)
    return result


def _mean(values: Sequence[float]) -> float:
    return round(sum(values) / len(values), 4) if values else 0.0
