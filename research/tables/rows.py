"""Checks tables without known cells: every printed row of numbers must lie whole in one table.

    python -m research.tables.rows PDFS_OR_DOCUMENTS … [--splits questions.jsonl] [-o result.json]

A row of numbers is a height of a page with three or more numbers and few words, of which two Chinese
characters are one: sentences with numbers do not count. It is `whole` if one table
holds all its numbers, `cut` if tables hold some of them or two tables share them, and in `none` otherwise.
The printed words come from the PDF's characters, or from the runs of a stored document, never from the
recogniser. `--splits` names a JSON Lines file with the split of each document; test documents are left out
unless `--split all` asks for them.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import pypdfium2 as pdfium
from research.result_file import write_result

from held.corpus.sources import CORPUS_SUFFIX, read_corpus_document
from held.document import Box, Document, Kind, Pages, Run
from held.errors import HeldError
from held.layout.characters import is_cjk
from held.layout.recognise import recognise
from held.reading.read_pdf import read_pdf

NUMBER = re.compile(r"[($€¥£]*[-−–]?\d[\d,.]*[)%]*")
MIN_NUMBERS = 3  # of a row that must lie in a table
MAX_OTHER_WORDS = 9  # a row with more is a sentence
MIN_NUMBERS_SHARE = 0.3  # of a row's words
MIN_ROWS = 20  # documents with fewer rows of numbers say little
SAME_ROW_PT = 2.5  # between the middles of words of one row
SAME_WORD_PT = 3.0  # gap between characters of one word
MAX_WORD_SHIFT_PT = 4.0  # between the tops of characters of one word
CJK_CHARS_PER_WORD = 2
TABLE_MARGIN_PT = (3.0, 2.0)  # across and down: the box of a table may end inside a character


class PrintedWord(NamedTuple):
    """A word on a page, in points from its top left corner."""

    x0: float
    y0: float
    x1: float
    y1: float
    text: str

    @property
    def centre(self) -> tuple[float, float]:
        return (self.x0 + self.x1) / 2, (self.y0 + self.y1) / 2


class RowCounts(NamedTuple):
    """How many printed rows of numbers lie whole in one table, are cut, or lie in none."""

    whole: int
    cut: int
    none: int

    @property
    def total(self) -> int:
        return self.whole + self.cut + self.none


# --- Words as they are printed ---


def words_of_pdf(path: Path) -> list[list[PrintedWord]]:
    """The words of each page by its characters; none for a rotated page, whose boxes would not compare."""
    with pdfium.PdfDocument(path) as document:
        return [[] if page.get_rotation() else list(_words_of_page(page)) for page in document]


def _words_of_page(page: pdfium.PdfPage) -> Iterator[PrintedWord]:
    text_page = page.get_textpage()
    # Boxes are relative to the media box in PDFium, to the crop box in held.
    left, _, _, top = page.get_cropbox()
    word: PrintedWord | None = None
    for index in range(text_page.count_chars()):
        character = text_page.get_text_range(index, 1)
        # Loose boxes are as high as the font: those of a comma and of a digit begin at one height.
        x0, low, x1, high = text_page.get_charbox(index, loose=True)
        if character.isspace() or not character or x1 <= x0:
            if word and character.isspace():
                yield word
                word = None
            continue
        piece = PrintedWord(x0 - left, top - high, x1 - left, top - low, character)
        if word and _continues(word, piece):
            y0, y1 = min(word.y0, piece.y0), max(word.y1, piece.y1)
            word = PrintedWord(word.x0, y0, piece.x1, y1, word.text + character)
            continue
        if word:
            yield word
        word = piece
    if word:
        yield word


def _continues(word: PrintedWord, piece: PrintedWord) -> bool:
    is_level = abs(word.y0 - piece.y0) < MAX_WORD_SHIFT_PT
    return is_level and -1 < piece.x0 - word.x1 < SAME_WORD_PT


def words_of_runs(pages: Pages) -> list[list[PrintedWord]]:
    """The words of each page of a stored document; a run's words share its width by their characters."""
    return [
        [] if page.rotation else [word for run in page.runs for word in _words_of_run(run)]
        for page in pages.pages
    ]


def _words_of_run(run: Run) -> Iterator[PrintedWord]:
    width = (run.x1 - run.x0) / max(1, len(run.text))
    for match in re.finditer(r"\S+", run.text):
        x0, x1 = run.x0 + width * match.start(), run.x0 + width * match.end()
        yield PrintedWord(x0, run.y0, x1, run.y1, match[0])


# --- Rows of numbers, and the tables that hold them ---


def rows_of_numbers(words: Iterable[PrintedWord]) -> list[list[PrintedWord]]:
    """The numbers of each row of a page that has at least three of them and few other words."""
    rows: list[list[PrintedWord]] = []
    for word in sorted(words, key=lambda word: word.centre[1]):
        if rows and abs(rows[-1][0].centre[1] - word.centre[1]) < SAME_ROW_PT:
            rows[-1].append(word)
        else:
            rows.append([word])
    found = []
    for row in rows:
        numbers = [word for word in row if NUMBER.fullmatch(word.text)]
        others = sum(_count_words(word.text) for word in row if word not in numbers)
        is_sentence = others > MAX_OTHER_WORDS or len(numbers) < MIN_NUMBERS_SHARE * (len(numbers) + others)
        if len(numbers) >= MIN_NUMBERS and not is_sentence:
            found.append(numbers)
    return found


def _count_words(text: str) -> float:
    """How many words a text without spaces has: 1, or by its Chinese characters; 0 for marks alone."""
    chinese = sum(map(is_cjk, text))
    if chinese:
        return chinese / CJK_CHARS_PER_WORD
    return 1 if re.search(r"\w", text) else 0


def table_boxes(document: Document) -> dict[int, list[Box]]:
    """The boxes of a document's tables by page."""
    boxes: dict[int, list[Box]] = {}
    for item in document.objects:
        if item.kind is Kind.TABLE:
            for page, box in item.parts:
                boxes.setdefault(page, []).append(box)
    return boxes


def count_rows(pages: Sequence[Sequence[PrintedWord]], boxes: dict[int, list[Box]]) -> RowCounts:
    """What becomes of the rows of numbers of all pages; `boxes` has the tables of each, from page 1."""
    whole = cut = none = 0
    for number, words in enumerate(pages, start=1):
        on_page = boxes.get(number, [])
        for numbers in rows_of_numbers(words):
            held = [sum(_holds(box, word) for word in numbers) for box in on_page]
            if len(numbers) in held:
                whole += 1
            elif any(held):
                cut += 1
            else:
                none += 1
    return RowCounts(whole, cut, none)


def _holds(box: Box, word: PrintedWord) -> bool:
    across, down = TABLE_MARGIN_PT
    x, y = word.centre
    return box.x0 - across <= x <= box.x1 + across and box.y0 - down <= y <= box.y1 + down


def measure(path: Path) -> RowCounts | str:
    """The counts of one document, or why there are none."""
    try:
        if path.suffix == ".pdf":
            return count_rows(words_of_pdf(path), table_boxes(recognise(read_pdf(path, jobs=0))))
        pages = read_corpus_document(path)
        return count_rows(words_of_runs(pages), table_boxes(recognise(pages)))
    except (HeldError, pdfium.PdfiumError) as error:
        return str(error)


# --- The command ---


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code of the command."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("sources", type=Path, nargs="+", help="PDFs, stored documents, or folders of them")
    parser.add_argument("--splits", type=Path, help="JSON Lines with `split` and `id` or `doc`")
    parser.add_argument("--split", choices=["work", "all"], default="work", help="work: without test")
    parser.add_argument("--match", default="*", help="pattern of file names, such as 'zh_fin-*'")
    parser.add_argument("--without", action="append", default=[], help="leave out names with this in them")
    parser.add_argument("--sample", type=int, help="this many documents, the same ones each time")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("-o", "--output", type=Path)
    parser.add_argument("--name", default="after", help="what the counts are called in the results file")
    options = parser.parse_args(arguments)
    paths = _choose(options)
    with ProcessPoolExecutor(options.jobs) as pool:
        counts = {}
        for path, found in zip(paths, pool.map(measure, paths), strict=True):
            if isinstance(found, str):
                print(f"{path.name}: {found}", file=sys.stderr)
            elif found.total >= MIN_ROWS:
                counts[_document_name(path)] = found
                print(_line(_document_name(path), found), flush=True)
    if not counts:
        print("no document has enough rows of numbers", file=sys.stderr)
        return 1
    result = _result(counts)
    print(f"{len(counts)} documents, mean: whole {result['whole']:.4f} cut {result['cut']:.4f}")
    if options.output:
        kept = json.loads(options.output.read_text("utf-8")) if options.output.exists() else {}
        kept[options.name] = result
        write_result(options.output, kept)
    return 0


def _choose(options: argparse.Namespace) -> list[Path]:
    paths: list[Path] = []
    for source in options.sources:
        found = source.rglob(options.match) if source.is_dir() else [source]
        paths += (path for path in found if path.name.endswith((".pdf", CORPUS_SUFFIX)))
    paths = [path for path in paths if not any(part in path.name for part in options.without)]
    if options.splits and options.split == "work":
        splits = _splits(options.splits)
        paths = [path for path in paths if splits.get(_document_name(path)) != "test"]
    if options.sample:
        paths.sort(key=_draw_order)
    return sorted(paths[: options.sample])


def _splits(path: Path) -> dict[str, str]:
    lines = path.read_text("utf-8").splitlines()
    return {entry.get("doc") or entry["id"]: entry["split"] for entry in map(json.loads, lines)}


def _draw_order(path: Path) -> str:
    return hashlib.sha1(path.name.encode()).hexdigest()


def _document_name(path: Path) -> str:
    return path.name.removesuffix(CORPUS_SUFFIX).removesuffix(".pdf")


def _line(name: str, counts: RowCounts) -> str:
    shares = " ".join(f"{word} {getattr(counts, word) / counts.total:.3f}" for word in RowCounts._fields)
    return f"{name[:40]:40} rows {counts.total:5} {shares}"


def _result(counts: dict[str, RowCounts]) -> dict[str, Any]:
    """The mean shares over documents, and the counts of each."""
    result: dict[str, Any] = {"documents": len(counts), "rows": sum(found.total for found in counts.values())}
    for word in RowCounts._fields:
        shares = [getattr(found, word) / found.total for found in counts.values()]
        result[word] = round(sum(shares) / len(shares), 4)
    return result | {"by document": {name: list(found) for name, found in counts.items()}}


if __name__ == "__main__":
    sys.exit(main())
