"""Prints our own tables with Chromium, recognises them, and compares the cells with the known ones.

python -m research.tables.made.run -o research/tables/made/result.json
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from research.tables.adjacency import found_tables, precision_and_recall, relations_of
from research.tables.made.styles import Made, made_tables, page, true_cells

from held.layout.recognise import recognise
from held.reading.read_pdf import read_pdf

CHROMIUM = ("chromium", "--headless=new", "--no-sandbox", "--disable-gpu", "--no-pdf-header-footer")


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code of the command."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("-o", "--output", type=Path)
    options = parser.parse_args(arguments)
    with TemporaryDirectory() as folder:
        scores = {made.name: measured(made, Path(folder)) for made in made_tables()}
    precision, recall = (sum(column) / len(scores) for column in zip(*scores.values(), strict=True))
    total = {"tables": len(scores), "P": round(precision, 4), "R": round(recall, 4)}
    total["F1"] = round(_f1(precision, recall), 4)
    styles = {name: {"P": round(p, 4), "R": round(r, 4)} for name, (p, r) in scores.items()}
    written = json.dumps({"all": total, "styles": styles}, indent=1)
    print(written)
    if options.output:
        options.output.write_text(written + "\n", encoding="utf-8")
    return 0


def measured(made: Made, folder: Path) -> tuple[float, float]:
    """Precision and recall of the relations between a table's neighbouring cells."""
    source, printed = folder / f"{made.name}.html", folder / f"{made.name}.pdf"
    source.write_text(page(made), encoding="utf-8")
    profile = f"--user-data-dir={folder / 'profile'}"
    command = [*CHROMIUM, profile, f"--print-to-pdf={printed}", source.as_uri()]
    subprocess.run(command, check=True, capture_output=True)
    found = found_tables(recognise(read_pdf(printed, jobs=0)))
    return precision_and_recall(relations_of([true_cells(made)]), relations_of(found))


def _f1(precision: float, recall: float) -> float:
    return 2 * precision * recall / max(1e-9, precision + recall)


if __name__ == "__main__":
    sys.exit(main())
