"""Trains the two models that tell the rows of borderless tables (`held.layout.tables.borderless`).

    python -m research.tables.row_model collect CORPUS PAGES [--documents 600] [--seed 1] [--tests]
    python -m research.tables.row_model fit PAGES [PAGES …] [--judge PAGES]

`collect` lays out pages of training documents of a corpus (the pages with the most lines side by side, and a
few others) and writes what the borderless finder was given and found; `--tests` adds the pages of the
layout's tests, with lines taken away at random, for they show rare tables.

The labels of the shipped models are the tables of the rules that they replaced: `collect` ran on the package
of commit 4c50c48f, and can run there again, for it touches nothing but `find_borderless_tables`. On today's
package the models would learn from themselves. The shipped ones also learnt from 32 pages each of further
annual reports, from 110 manuals of Debian packages, and from half A of the tables with known cells.

`fit` writes the models into the package, and counts how many rows they label unlike the pages of `--judge`.
"""

from __future__ import annotations

import argparse
import json
import pickle
import random
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from held.corpus.sources import CORPUS_SUFFIX, read_corpus_document
from held.document import Box, Pages
from held.layout.lines import Line
from held.layout.recognise import recognise
from held.layout.strokes import Strokes
from held.layout.tables import borderless, page_tables
from held.layout.tables.cells import usual_size
from held.models.inference import Floats, Integers
from held.models.tree_file import write_graph
from held.reading.read_pdf import read_pdf
from held.training.boosted_export import to_onnx

SHARES = {"en_fin": 0.3, "zh_fin": 0.15, "manuals": 0.15, "science": 0.12, "reports": 0.1, "books": 0.05}
SHARE = 0.04  # of the documents, for each other domain
PAGES_WITH_ROWS, OTHER_PAGES = 9, 3  # of a document
MAX_TEST_LINES, TEST_COPIES, TEST_VARIANTS = 400, 6, 8
TREES, BEGIN_TREES = 170, 100
SETTINGS = {
    "objective": "binary",
    "num_leaves": 48,
    "learning_rate": 0.09,
    "min_data_in_leaf": 30,
    "feature_fraction": 0.4,
    "bagging_fraction": 0.7,
    "bagging_freq": 1,
    "lambda_l2": 5,
    "verbose": -1,
    "num_threads": 1,
    "seed": 1,
}


class FinderCall(NamedTuple):
    """What the borderless finder was given, and the lines of the tables that it found."""

    document: str
    lines: list[Line]
    free: list[int]
    strokes: Strokes
    boxes: list[Box]
    tables: list[tuple[int, ...]]


class LabelledRows(NamedTuple):
    """Features of rows, and the index of the table of each or -1; rows only in part in one teach nothing."""

    features: Floats
    tables: Integers
    is_whole: Integers


# --- Pages ---


def collect(corpus: Path, documents: int, seed: int) -> Iterator[FinderCall]:
    """The finder's calls on pages of training documents; documents with a PDF are read in both forms."""
    rng = random.Random(seed)
    names: dict[str, list[str]] = defaultdict(list)
    for line in (corpus / "index.jsonl").read_text("utf-8").splitlines():
        entry = json.loads(line)
        if entry["split"] == "train":
            names[entry["domain"]].append(entry["id"])
    for domain, members in sorted(names.items()):
        rng.shuffle(members)
        for name in members[: int(documents * SHARES.get(domain, SHARE))]:
            pdf = corpus / "pdfs" / f"{name}.pdf"
            stored = [read_corpus_document(corpus / "docs" / f"{name}{CORPUS_SUFFIX}")]
            for pages in [read_pdf(pdf, jobs=0), *stored] if pdf.exists() else stored:
                yield from _finder_calls(name, _choose_pages(pages, rng))


def _choose_pages(pages: Pages, rng: random.Random) -> Pages:
    def lines_beside_others(index: int) -> int:
        heights = Counter(round(run.y0 / 3) for run in pages.pages[index].runs)
        return sum(count - 1 for count in heights.values())

    ranked = sorted(range(len(pages.pages)), key=lines_beside_others, reverse=True)
    others = ranked[PAGES_WITH_ROWS:]
    rng.shuffle(others)
    chosen = sorted([*ranked[:PAGES_WITH_ROWS], *others[:OTHER_PAGES]])
    return replace(pages, pages=tuple(pages.pages[i] for i in chosen), lost=(), unread=())


def _finder_calls(name: str, pages: Pages) -> list[FinderCall]:
    with _recorded_calls(name) as calls:
        recognise(pages)
    return calls


@contextmanager
def _recorded_calls(name: str) -> Iterator[list[FinderCall]]:
    """The calls of the finder within the block."""
    calls: list[FinderCall] = []
    names = vars(page_tables)
    finder = names["find_borderless_tables"]

    def record(lines: Any, free: Any, strokes: Strokes, boxes: Any = ()) -> Any:
        tables = finder(lines, free, strokes, boxes)
        found = [table.lines for table in tables]
        calls.append(FinderCall(name, list(lines), list(free), strokes, list(boxes), found))
        return tables

    names["find_borderless_tables"] = record
    try:
        yield calls
    finally:
        names["find_borderless_tables"] = finder


def collect_tests(seed: int) -> Iterator[FinderCall]:
    """The calls on the pages of the layout's tests, each several times, and with lines taken away."""
    import pytest

    rng = random.Random(seed)
    with _recorded_calls("tests") as calls:
        pytest.main(
            ["-p", "no:cacheprovider", "-k", "not random and not times", "tests/layout", "tests/samples"]
        )
    for call in calls:
        if len(call.lines) > MAX_TEST_LINES:
            continue
        yield from [call] * TEST_COPIES
        for _ in range(TEST_VARIANTS):
            share = rng.choice((0.03, 0.08, 0.15))
            free = [i for i in call.free if rng.random() > share]
            tables = borderless.find_borderless_tables(call.lines, free, call.strokes, call.boxes)
            yield call._replace(free=free, tables=[table.lines for table in tables])


# --- Rows ---


def label_rows(call: FinderCall) -> Iterator[LabelledRows]:
    """The labelled rows of a page, those of each text column apart."""
    from held.layout.tables.row_features import row_features  # younger than the rules that it replaced

    table_of = {i: table for table, lines in enumerate(call.tables) for i in lines}
    for rows in borderless.candidate_rows(call.lines, call.free, call.boxes):
        features = np.array(row_features(rows, call.strokes, call.boxes, usual_size(call.lines)), np.float32)
        tables, is_whole = [], []
        for row in rows:
            found = Counter(table_of.get(i, -1) for cell in row.cells for i in cell.lines)
            tables.append(found.most_common(1)[0][0])
            is_whole.append(len(found) == 1)
        yield LabelledRows(features, np.array(tables), np.array(is_whole, np.int64))


def _begin_labels(rows: LabelledRows) -> tuple[Floats, Integers]:
    """The rows in tables, and whether each is the first of its table."""
    inside = np.flatnonzero((rows.tables >= 0) & (rows.is_whole > 0))
    _, first = np.unique(rows.tables[inside], return_index=True)
    begins = np.zeros(len(inside), np.int64)
    begins[first] = 1
    return rows.features[inside], begins


def fit(labelled: Sequence[LabelledRows]) -> tuple[Any, Any]:
    """The model of rows in tables, and that of rows which begin one."""
    import lightgbm

    features = np.concatenate([rows.features for rows in labelled])
    inside = np.concatenate([rows.tables >= 0 for rows in labelled])
    weights = np.concatenate([rows.is_whole for rows in labelled])
    in_table = lightgbm.train(SETTINGS, lightgbm.Dataset(features, inside, weight=weights), TREES)
    of_tables = [_begin_labels(rows) for rows in labelled]
    rows, first = map(np.concatenate, zip(*of_tables, strict=True))
    dataset = lightgbm.Dataset(rows, first)
    return in_table, lightgbm.train({**SETTINGS, "num_leaves": 24}, dataset, BEGIN_TREES)


def _agreement(in_table: Any, labelled: Sequence[LabelledRows]) -> str:
    features = np.concatenate([rows.features for rows in labelled])
    inside = np.concatenate([rows.tables >= 0 for rows in labelled])
    found = in_table.predict(features) > 0.5
    missed, false = int((inside & ~found).sum()), int((found & ~inside).sum())
    return f"{len(inside)} rows, {int(inside.sum())} in tables: {missed} missed, {false} false"


def _load(paths: Sequence[Path]) -> list[LabelledRows]:
    calls = [FinderCall(*stored) for path in paths for stored in pickle.loads(path.read_bytes())]
    return [rows for call in calls for rows in label_rows(call)]


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code of the command."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("what", choices=["collect", "fit"])
    parser.add_argument("paths", type=Path, nargs="+", metavar="PATH")
    parser.add_argument("--documents", type=int, default=600)
    parser.add_argument("--tests", action="store_true", help="also the pages of the layout's tests")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--judge", type=Path, nargs="*", default=[], metavar="PAGES")
    options = parser.parse_args(arguments)
    if options.what == "collect":
        *corpora, pages = options.paths
        calls = chain(
            collect_tests(options.seed) if options.tests else (),
            *(collect(corpus, options.documents, options.seed) for corpus in corpora),
        )
        pages.write_bytes(pickle.dumps([tuple(call) for call in calls]))
        return 0
    in_table, begins = fit(_load(options.paths))
    for path in options.judge:
        print(path.name, _agreement(in_table, _load([path])))
    folder = Path(borderless.__file__).parent
    write_graph(folder / borderless.IN_TABLE_FILE, to_onnx(in_table))
    write_graph(folder / borderless.BEGINS_FILE, to_onnx(begins))
    return 0


if __name__ == "__main__":
    sys.exit(main())
