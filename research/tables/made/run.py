"""Prints our own tables with Chromium, recognises them, and compares the cells with the known ones.

    python -m research.tables.made.run [--folder PDFS] [--style ruled] -o research/tables/made/result.json

`--folder` keeps the PDFs, one for each style, and does not print those again that it has.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from research.result_file import write_result
from research.tables.adjacency import f1_of, found_tables, precision_and_recall, relations_of
from research.tables.made.contents import CHINESE
from research.tables.made.stand_in_font import font_face
from research.tables.made.styles import CHINESE_FONT, STYLES, Style, document, made_tables, true_cells

from held.layout.recognise import recognise
from held.reading.read_pdf import read_pdf

CHROMIUM = ("chromium", "--headless=new", "--no-sandbox", "--disable-gpu", "--no-pdf-header-footer")


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code of the command."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--folder", type=Path, help="keeps the printed PDFs")
    parser.add_argument("--style", action="append", help="only this style")
    parser.add_argument("-o", "--output", type=Path)
    parser.add_argument("--name", default="after", help="what the scores are called in the results file")
    options = parser.parse_args(arguments)
    styles = [style for style in STYLES if not options.style or style.name in options.style]
    with nullcontext(options.folder) if options.folder else TemporaryDirectory() as folder:
        scores = {style.name: score_style(style, print_style(style, Path(folder))) for style in styles}
    for name, (precision, recall) in scores.items():
        print(f"{name:22} P {precision:.3f} R {recall:.3f} F1 {f1_of(precision, recall):.3f}")
    result = _result(scores)
    print({word: value for word, value in result.items() if word != "F1 by style"})
    if options.output:
        kept = json.loads(options.output.read_text("utf-8")) if options.output.exists() else {}
        kept[options.name] = result
        write_result(options.output, kept)
    return 0


def print_style(style: Style, folder: Path) -> Path:
    """The PDF of a style's tables; printed unless the folder has it."""
    folder.mkdir(parents=True, exist_ok=True)
    printed = folder / f"{style.name}.pdf"
    if printed.exists():
        return printed
    html = document(made_tables(style))
    if style.subjects == (CHINESE,):
        html = html.replace("<style>", "<style>" + font_face(CHINESE_FONT, html), 1)
    source = folder / f"{style.name}.html"
    source.write_text(html, encoding="utf-8")
    with TemporaryDirectory() as profile:
        command = [*CHROMIUM, f"--user-data-dir={profile}", f"--print-to-pdf={printed}"]
        subprocess.run([*command, source.absolute().as_uri()], check=True, capture_output=True)
    source.unlink()
    return printed


def score_style(style: Style, printed: Path) -> tuple[float, float]:
    """Precision and recall of the relations between neighbouring cells of a style's tables."""
    found = found_tables(recognise(read_pdf(printed, jobs=0)))
    true = relations_of(true_cells(made.content) for made in made_tables(style))
    return precision_and_recall(true, relations_of(found))


def _result(scores: dict[str, tuple[float, float]]) -> dict[str, Any]:
    """The means over styles, and F1 of each style."""
    precision, recall = (sum(column) / len(scores) for column in zip(*scores.values(), strict=True))
    return {
        "styles": len(scores),
        "P": round(precision, 4),
        "R": round(recall, 4),
        "F1": round(f1_of(precision, recall), 4),
        "F1 by style": {name: round(f1_of(*score), 4) for name, score in scores.items()},
    }


if __name__ == "__main__":
    sys.exit(main())
