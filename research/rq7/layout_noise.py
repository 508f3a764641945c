"""RQ7: the layout held against tags, and the tree on the objects that the tags declare and on those
recognised.

Only files count that no model was trained on: those of the corpus whose tags are usable, its tagged `made`
files, and our own, which `research.rq7.render` prints. The tags' objects have no format of their own: each
takes that of the recognised object with its text, or with its beginning. The truth is the outline, aligned
to the tags' objects; recognised objects are matched to these one to one, and one that is missing is wrong
with all below it.
"""

from __future__ import annotations

import json
import math
import os
import shutil
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from research.layout.measure import paper_kind, true_objects
from research.layout.run import USABLE
from research.rq7.render import render_files
from research.tables.made.run import CHROMIUM

from held.corpus.store import Origin, label_document, truth
from held.document import Document, Kind, PhysicalObject
from held.hierarchy import Hierarchy
from held.hierarchy.pipeline import build_tree
from held.layout.recognise import recognise
from held.metrics import (
    Matches,
    Prediction,
    TreeCounts,
    bootstrap,
    compare_trees,
    layout_matches,
    match_objects,
)
from held.reading.read_pdf import read_pdf
from held.reading.tags import read_tags

CORPUS = "HELD_CORPUS"
MADE = "made"
_SAME_START = 12


@dataclass(frozen=True, slots=True)
class FileScore:
    """The measures of one file."""

    id: str
    domain: str
    layout: Matches
    paragraphs: Matches
    labelled: TreeCounts
    recognised: TreeCounts


def measure_rows(split: str, own: Path) -> dict[str, Any]:
    """The rows by domain; without the corpus' PDFs only those of our own files, printed into `own`."""
    corpus = os.environ.get(CORPUS)
    files = render_files(own) if shutil.which(CHROMIUM[0]) else []
    if corpus:
        splits = ("valid",) if split == "valid" else ("valid", "test")
        files = [*files, *untrained_files(Path(corpus), splits)]
    else:
        print(f"rq7 needs the PDFs of the corpus: name its folder in {CORPUS}")
    scores = [file_score(path) for path in files]
    rows = {name: _row(scores, counts) for name, counts in ROWS.items()}
    for name, tree in TREES.items():
        by_domain: dict[str, Any] = rows[name]["domains"]
        for domain, measured in by_domain.items():
            total = sum((tree(score) for score in scores if score.domain == domain), start=TreeCounts())
            levels = sorted(total.by_level.items())
            measured["by_level"] = {str(level): {"f1": _round(found.f1)} for level, found in levels}
    return rows


def _round(value: float) -> float | None:
    return None if math.isnan(value) else round(value, 4)


def untrained_files(corpus: Path, splits: Sequence[str]) -> list[Path]:
    """The PDFs of these splits with usable tags, and all that are `made`: Chromium tags what it prints."""
    usable = json.loads(USABLE.read_text(encoding="utf-8"))["usable"]
    with (corpus / "index.jsonl").open(encoding="utf-8") as lines:
        split_of = {row["id"]: row["split"] for row in map(json.loads, lines)}
    made = sorted(path.stem for path in (corpus / "pdfs").glob(f"{MADE}-*.pdf"))
    names = [*made, *(name for name in usable if not name.startswith(MADE))]
    paths = [corpus / "pdfs" / f"{name}.pdf" for name in names if split_of.get(name) in splits]
    return [path for path in paths if path.exists()]  # the corpus has lost some originals


def file_score(path: Path) -> FileScore:
    """The layout and both trees of a file."""
    pages = read_pdf(path)
    recognised = recognise(pages)
    tagged = _with_formats(true_objects(read_tags(path)), recognised)
    known = truth(label_document(tagged, pages.outline, Origin(path.stem)))
    match = match_objects(tagged.objects, recognised.objects)
    layout = layout_matches(tagged.objects, recognised.objects, kind_of=paper_kind)
    return FileScore(
        path.stem,
        path.stem.split("-")[0],
        sum(layout.values(), start=Matches()),
        layout.get(Kind.PARAGRAPH, Matches()),
        compare_trees(known, _prediction(build_tree(tagged))),
        compare_trees(known, _prediction(build_tree(recognised)), match),
    )


def _prediction(hierarchy: Hierarchy) -> Prediction:
    return Prediction(hierarchy.tree, frozenset(hierarchy.headings))


def _with_formats(objects: Sequence[PhysicalObject], recognised: Document) -> Document:
    """The document of the tags' objects, set as the recognised ones are."""
    match = match_objects(objects, recognised.objects)
    on_page: dict[int, list[PhysicalObject]] = {}
    for item in recognised.objects:
        on_page.setdefault(item.page, []).append(item)
    formatted = [
        _copy_format(item, recognised.objects[match[i]] if i in match else _find_similar(item, on_page))
        for i, item in enumerate(objects)
    ]
    return replace(recognised, objects=tuple(formatted))


def _copy_format(item: PhysicalObject, similar: PhysicalObject | None) -> PhysicalObject:
    """The object with the format of another; tables keep their cells."""
    return item if similar is None else replace(similar, kind=item.kind, text=item.text, parts=similar.parts)


def _find_similar(item: PhysicalObject, on_page: dict[int, list[PhysicalObject]]) -> PhysicalObject | None:
    """The recognised object of the same page that begins like this one, or holds its beginning."""
    start = _flat(item.text)[:_SAME_START]
    others = on_page.get(item.page, [])
    same = [other for other in others if start and _flat(other.text).startswith(start)]
    return next(iter(same or [other for other in others if start and start in _flat(other.text)]), None)


def _flat(text: str) -> str:
    return "".join(unicodedata.normalize("NFKC", text).split())


def _f1(found: Matches) -> tuple[int, int]:
    """F1 as a ratio of counts, which add up over files."""
    return 2 * found.both, found.true + found.found


def _row(scores: Sequence[FileScore], counts: Callable[[FileScore], tuple[int, int]]) -> dict[str, Any]:
    """A row as the other questions have it: the ratio of sums by domain, its interval, and the counts."""
    documents: dict[str, dict[str, tuple[int, int]]] = {}
    for score in scores:
        documents.setdefault(score.domain, {})[score.id] = counts(score)
    domains = {domain: _ratio(list(own.values())) for domain, own in documents.items()}
    return {"domains": domains, "inquiries": None, "seconds": 0.0, "documents": documents}


def _ratio(counts: Sequence[tuple[int, int]]) -> dict[str, Any]:
    right, total = (sum(column) for column in zip(*counts, strict=True))
    low, high = bootstrap([right for right, _ in counts], [total for _, total in counts])
    accuracy = round(right / total, 4) if total else None
    return {"documents": len(counts), "accuracy": accuracy, "interval": [round(low, 4), round(high, 4)]}


TREES: dict[str, Callable[[FileScore], TreeCounts]] = {
    "labelled layout": lambda s: s.labelled,
    "recognised layout": lambda s: s.recognised,
}
ROWS: dict[str, Callable[[FileScore], tuple[int, int]]] = {
    "layout precision": lambda s: (s.layout.both, s.layout.found),
    "layout recall": lambda s: (s.layout.both, s.layout.true),
    "layout F1": lambda s: _f1(s.layout),
    "layout F1, paragraphs": lambda s: _f1(s.paragraphs),
    "labelled layout": lambda s: (s.labelled.paths.right, s.labelled.paths.total),
    "recognised layout": lambda s: (s.recognised.paths.right, s.recognised.paths.total),
}
"""The rows, and the counts of a file that they are the ratio of."""
