"""Compares the weight and slant of the lines of scans with those of the same lines born digital.

Lines are matched by their text. A line counts if all its letters born digital have one weight and one slant.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from pathlib import Path
from typing import NamedTuple

from research.result_file import write_result

from held.document import PageContent, Pages, Style
from held.reading.read_pdf import read_pdf
from held.reading.text_checks import OcrOptions

MIN_SIMILARITY = 0.8
MIN_LETTERS = 4


class Line(NamedTuple):
    """A line of text in one style."""

    text: str
    bold: bool
    italic: bool


class Counts(NamedTuple):
    """Lines that are so in the original, that are found to be so, and both."""

    true: int
    found: int
    right: int


def main(arguments: Sequence[str]) -> int:
    """Exit code of the command."""
    parser = argparse.ArgumentParser(
        prog="research.scans weights", description=(__doc__ or "").splitlines()[0]
    )
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    parser.add_argument("--only", nargs="*", default=None, metavar="NAME", help="compare these scans only")
    parser.add_argument("-o", "--output", type=Path, metavar="FILE")
    options = parser.parse_args(arguments)
    rows = {}
    for digital in sorted(options.folder.glob("*.digital.pdf")):
        name = digital.name.removesuffix(".digital.pdf")
        if options.only is None or name in options.only:
            pairs = list(matched_lines(digital, options.folder / f"{name}.pdf"))
            rows[name] = {"lines": len(pairs), "bold": _bold(pairs), "italic": _italic(pairs)}
            print(name, json.dumps(rows[name]), flush=True)
    total = {
        kind: Counts(*map(sum, zip(*(row[kind] for row in rows.values()), strict=True))) for kind in KINDS
    }
    print({kind: counts._asdict() for kind, counts in total.items()})
    if options.output:
        write_result(options.output, rows)
    return 0


KINDS = ("bold", "italic")


def _bold(pairs: Sequence[tuple[Line, Line]]) -> Counts:
    both = [(true.bold, found.bold) for true, found in pairs]
    return Counts(sum(true for true, _ in both), sum(found for _, found in both), both.count((True, True)))


def _italic(pairs: Sequence[tuple[Line, Line]]) -> Counts:
    both = [(true.italic, found.italic) for true, found in pairs]
    return Counts(sum(true for true, _ in both), sum(found for _, found in both), both.count((True, True)))


def matched_lines(digital: Path, scan: Path) -> Iterator[tuple[Line, Line]]:
    """Lines of the original, each with the line of the scan that has the most similar text."""
    original = read_pdf(digital, ocr=OcrOptions("never"))
    scanned = read_pdf(scan, ocr=OcrOptions("auto"))
    for true_page, found_page in zip(original.pages, scanned.pages, strict=True):
        found = list(_lines(scanned, found_page))
        for line in _lines(original, true_page):
            best = max(found, key=lambda other: _similarity(line.text, other.text), default=None)
            if best is not None and _similarity(line.text, best.text) >= MIN_SIMILARITY:
                yield line, best


def _similarity(one: str, other: str) -> float:
    matcher = SequenceMatcher(None, one, other, autojunk=False)
    if matcher.real_quick_ratio() < MIN_SIMILARITY or matcher.quick_ratio() < MIN_SIMILARITY:
        return 0.0
    return matcher.ratio()


def _lines(pages: Pages, page: PageContent) -> Iterator[Line]:
    """The lines of a page that have one weight and one slant."""
    rows: list[tuple[float, list[tuple[str, Style]]]] = []
    for run in page.runs:
        middle = (run.y0 + run.y1) / 2
        part = (run.text, pages.styles[run.style])
        if rows and abs(rows[-1][0] - middle) < (run.y1 - run.y0) / 4:
            rows[-1][1].append(part)
        else:
            rows.append((middle, [part]))
    for _, parts in rows:
        text = " ".join(text.strip() for text, _ in parts)
        styles = {(style.bold, style.italic) for text, style in parts if any(map(str.isalpha, text))}
        if len(styles) == 1 and sum(map(str.isalpha, text)) >= MIN_LETTERS:
            ((bold, italic),) = styles
            yield Line(text, bold, italic)
