"""Prints all scores of the table finder within a minute, for ablations.

    python -m research.tables.scores SHARED --cache CACHE [--off held.layout.tables.rows:build_rows=[] …]

SHARED has the folders `tables`, `retrieval` and `corpus`. What is read from PDFs is kept in CACHE, with at
most `MAX_PAGES` pages of each long document: those with the most rows of numbers. Test documents are left
out. Lone cells of a table that end like a sentence, or stand between two headers, are counted as swallowed:
text and headings that belong outside. `--off` replaces a function by one that returns its first argument
(`=0`), or a constant: None, False, True or []. `--changes` compares the tables of all documents with those of
the last run with `--keep`, page by page.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib
import itertools
import json
import pickle
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from research.tables.adjacency import (
    Placed,
    f1_of,
    found_tables,
    half_of,
    precision_and_recall,
    relations_of,
    true_tables,
)
from research.tables.judged import JudgedTable, judge_tables, summarise
from research.tables.made.run import print_style
from research.tables.made.styles import STYLES, made_tables, true_cells
from research.tables.printed import Statement, find_statements
from research.tables.rows import (
    PrintedWord,
    RowCounts,
    count_rows,
    rows_of_numbers,
    table_boxes,
    words_of_pdf,
    words_of_runs,
)
from research.tables.run import PRINTED
from research.tables.statements import judge

from held.corpus.sources import CORPUS_SUFFIX, read_corpus_document
from held.document import Document, Kind, Pages, PhysicalObject
from held.layout.recognise import recognise
from held.layout.tables.words import YEAR, is_amount
from held.reading.read_pdf import read_pdf

MAX_PAGES = 16  # of a long document
MAX_FILINGS = 16
MIN_SENTENCE_CHARS = 40
NOT_WHILE_WORKING = ("VERIZON",)  # test documents of the corpus
CONSTANTS: dict[str, Any] = {"None": None, "False": False, "True": True, "[]": []}


class Sample(NamedTuple):
    """Pages to recognise, and what is known about them."""

    name: str
    group: str
    pages: Pages
    tables: list[list[Placed]] | None = None
    words: list[list[PrintedWord]] | None = None
    statements: tuple[Statement, ...] = ()


# --- Samples ---


def icdar_samples(shared: Path) -> Iterator[Sample]:
    """The documents with known cells, in groups by origin and half."""
    for path in sorted((shared / "tables").rglob("*.pdf")):
        truth = path.with_name(path.stem + "-str.xml")
        if truth.exists():
            group = f"icdar {path.parent.name} {half_of(path)}"
            yield Sample(path.stem, group, read_pdf(path, jobs=0), true_tables(truth))


def made_samples(folder: Path) -> Iterator[Sample]:
    """Our own tables, printed in many styles."""
    for style in STYLES:
        tables = [true_cells(table.content) for table in made_tables(style)]
        group = f"made {half_of(Path(style.name))}"
        yield Sample(style.name, group, read_pdf(print_style(style, folder), jobs=0), tables)


def pdf_samples(shared: Path) -> Iterator[Sample]:
    """Pages with rows of numbers of the corpus's PDFs."""
    splits = _splits(shared / "corpus" / "index.jsonl")
    for path in sorted((shared / "corpus" / "pdfs").glob("*.pdf")):
        if splits.get(path.stem) in ("train", "valid"):
            group = f"rows {path.stem.split('-')[0]}"
            yield _with_rows(path.stem, group, read_pdf(path, jobs=0), words_of_pdf(path))


def filing_samples(shared: Path) -> Iterator[Sample]:
    """Pages with rows of numbers, and those of statements, of stored filings."""
    splits = _splits(shared / "retrieval" / "questions.jsonl")
    listed = json.loads(PRINTED.read_text("utf-8"))
    paths = sorted((shared / "retrieval" / "docs").glob(f"*{CORPUS_SUFFIX}"), key=_draw_order)
    names = [(path, path.name.removesuffix(CORPUS_SUFFIX)) for path in paths]
    chosen = [(path, name) for path, name in names if splits.get(name) == "train"]
    chosen = [(path, name) for path, name in chosen if not name.startswith(NOT_WHILE_WORKING)]
    for rank, (path, name) in enumerate(chosen):
        pages = read_corpus_document(path)
        if rank < MAX_FILINGS:
            yield _with_rows(name, "rows filings", pages, words_of_runs(pages))
        found = [one for one in find_statements(pages) if listed[name].get(one.kind) == list(one.pages)]
        wanted = sorted({page + shift for one in found for page in one.pages for shift in (-1, 0, 1)})
        numbers = [number for number in wanted if 0 < number <= len(pages.pages)]
        place = {number: index for index, number in enumerate(numbers, 1)}
        moved = [replace(one, pages=tuple(place[page] for page in one.pages)) for one in found]
        yield Sample(f"{name} statements", "statements", _subset(pages, numbers), statements=tuple(moved))


def _splits(path: Path) -> dict[str, str]:
    entries = map(json.loads, path.read_text("utf-8").splitlines())
    return {entry.get("doc") or entry["id"]: entry["split"] for entry in entries}


def _draw_order(path: Path) -> str:
    return hashlib.sha1(path.name.encode()).hexdigest()


def _with_rows(name: str, group: str, pages: Pages, words: list[list[PrintedWord]]) -> Sample:
    """The pages with the most rows of numbers, in their order."""
    counts = Counter({number: len(rows_of_numbers(on_page)) for number, on_page in enumerate(words, 1)})
    numbers = sorted(number for number, _ in counts.most_common(MAX_PAGES))
    return Sample(name, group, _subset(pages, numbers), words=[words[number - 1] for number in numbers])


def _subset(pages: Pages, numbers: Sequence[int]) -> Pages:
    chosen = tuple(pages.pages[number - 1] for number in numbers)
    return replace(pages, pages=chosen, lost=(), unread=())


def load_samples(shared: Path, cache: Path) -> Iterator[Sample]:
    """All samples; what is read once is kept in the cache."""
    sources: dict[str, Callable[[], Iterator[Sample]]] = {
        "icdar": lambda: icdar_samples(shared),
        "made": lambda: made_samples(cache / "printed"),
        "pdfs": lambda: pdf_samples(shared),
        "filings": lambda: filing_samples(shared),
    }
    for name, read in sources.items():
        stored = cache / f"{name}.pickle"
        if not stored.exists():
            cache.mkdir(parents=True, exist_ok=True)
            # Plain tuples: the class is `__main__.Sample` when this module is the command.
            stored.write_bytes(pickle.dumps([tuple(sample) for sample in read()]))
        yield from itertools.starmap(Sample, pickle.loads(stored.read_bytes()))


# --- Scores ---


class Scores:
    """The scores of all groups of samples."""

    def __init__(self) -> None:
        self.relations: dict[str, dict[str, tuple[float, float]]] = defaultdict(dict)
        self.judged: dict[str, list[JudgedTable]] = defaultdict(list)
        self.rows: dict[str, list[RowCounts]] = defaultdict(list)
        self.statements: Counter[str] = Counter()
        self.swallowed: Counter[str] = Counter()

    def add(self, sample: Sample, document: Document) -> None:
        """Scores one recognised document."""
        self.swallowed[sample.group.split()[0]] += sum(map(_count_swallowed, document.objects))
        if sample.tables is not None:
            true = relations_of(sample.tables)
            found = relations_of(found_tables(document))
            self.relations[sample.group][sample.name] = precision_and_recall(true, found)
            self.judged[sample.group.replace(" eu", "").replace(" us", "")] += judge_tables(
                document, sample.tables
            )
        if sample.words is not None:
            self.rows[sample.group].append(count_rows(sample.words, table_boxes(document)))
        for statement in sample.statements:
            finding = judge(statement, document)
            self.statements[f"{statement.kind} printed"] += 1
            self.statements[f"{statement.kind} apart"] += finding.aligned
            self.statements[f"{statement.kind} named"] += finding.named

    def lines(self, *, by_document: bool) -> Iterator[str]:
        """The scores to print."""
        for group, scores in sorted(self.relations.items()):
            precision, recall = (sum(column) / len(scores) for column in zip(*scores.values(), strict=True))
            f1 = f1_of(precision, recall)
            yield f"{group:14} {len(scores):3} documents P {precision:.4f} R {recall:.4f} F1 {f1:.4f}"
            for name, score in scores.items() if by_document else ():
                yield f"   {name:24} P {score[0]:.3f} R {score[1]:.3f} F1 {f1_of(*score):.3f}"
        for group, judged in sorted(self.judged.items()):
            summary = summarise(judged)
            words = ("tables", "wrong", "wrong marked", "right marked")
            yield f"{group:14} " + " ".join(f"{word} {summary[word]}" for word in words)
        for group, counts in sorted(self.rows.items()):
            total = RowCounts(*(sum(column) for column in zip(*counts, strict=True)))
            shares = " ".join(f"{word} {getattr(total, word):4}" for word in RowCounts._fields)
            yield f"{group:14} rows {total.total:5} {shares} ({total.whole / max(1, total.total):.4f} whole)"
        for group, count in sorted(self.swallowed.items()):
            yield f"swallowed: {group} {count}"
        for word, count in sorted(self.statements.items()):
            yield f"statements: {word} {count}"


def _count_swallowed(item: PhysicalObject) -> int:
    """How many rows below a table's first amounts are text of another place: a sentence, or a next header."""
    rows = [[text for text in row if text] for row in item.rows]
    first = next((r for r, row in enumerate(rows) if any(map(is_amount, row[1:]))), len(rows))
    count = 0
    for r, row in enumerate(rows):
        is_sentence = len(row) == 1 and len(row[0]) > MIN_SENTENCE_CHARS and row[0].endswith((".", ":", "。"))
        is_header = r > first and len(row) > 1 and all(map(YEAR.fullmatch, row[1:]))
        count += is_sentence or is_header
    return count


def _switch_off(what: str) -> None:
    target, _, value = what.partition("=")
    module, _, name = target.partition(":")
    found = importlib.import_module(module)

    def replacement(*arguments: Any, **_: Any) -> Any:
        return arguments[int(value)] if value.isdigit() else CONSTANTS[value]

    original = getattr(found, name)
    for loaded in list(sys.modules.values()):
        is_layout = getattr(loaded, "__name__", "").startswith("held.layout")
        if is_layout and getattr(loaded, name, None) is original:
            setattr(loaded, name, replacement)


def _page_tables(sample: Sample, document: Document) -> dict[str, str]:
    """A digest of the tables that begin on each page."""
    texts: dict[int, list[str]] = defaultdict(list)
    for item in document.objects:
        if item.kind is Kind.TABLE:
            cells = item.table.cells if item.table else ()
            texts[item.page].append(repr([cell[:6] for cell in cells]))
    return {f"{sample.group} | {sample.name} | {page}": "\n".join(found) for page, found in texts.items()}


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code of the command."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("shared", type=Path)
    parser.add_argument("--cache", type=Path, required=True)
    parser.add_argument("--off", action="append", default=[], metavar="MODULE:FUNCTION=VALUE")
    parser.add_argument("--only", default="", help="groups that begin with this")
    parser.add_argument("--documents", action="store_true", help="also the scores of each document")
    parser.add_argument("--keep", action="store_true", help="keep the tables to compare later runs with")
    parser.add_argument("--changes", type=int, default=0, help="print this many changed pages")
    options = parser.parse_args(arguments)
    for what in options.off:
        _switch_off(what)
    scores = Scores()
    tables: dict[str, str] = {}
    for sample in load_samples(options.shared, options.cache):
        if sample.group.startswith(options.only):
            document = recognise(sample.pages)
            scores.add(sample, document)
            tables |= _page_tables(sample, document)
    print("\n".join(scores.lines(by_document=options.documents)))
    kept = options.cache / "tables.json"
    if options.keep:
        kept.write_text(json.dumps(tables), encoding="utf-8")
    elif kept.exists():
        before = {k: v for k, v in json.loads(kept.read_text("utf-8")).items() if k.startswith(options.only)}
        changed = [page for page in sorted(before | tables) if before.get(page) != tables.get(page)]
        groups = Counter(page.split(" | ")[0] for page in changed)
        print(f"pages with other tables: {len(changed)} of {len(before | tables)}", dict(groups))
        print("\n".join(changed[: options.changes]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
