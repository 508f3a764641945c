"""RQ7: the layout held against tags, and the tree on the objects that the tags declare and on those
recognised.

Only files count that no model was trained on. The tags' objects have no format of their own: each takes
that of the recognised object with its text, or with its beginning. The truth is the outline, aligned to
the tags' objects; recognised objects are matched to these one to one, and one that is missing is wrong
with all below it.
"""

from __future__ import annotations

import json
import os
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from experiments.layout.measure import paper_kind, true_objects
from experiments.layout.run import USABLE

from held.corpus.labelled import truth
from held.corpus.labels import Origin, label_document
from held.document import Document, Kind, PhysicalObject
from held.metrics import Matches, Prediction, TreeCounts, compare_trees, layout_matches, match_objects
from held.pdf.reader.read import read_pdf
from held.pdf.reader.tagging import read_tags
from held.pdf.recognise import recognise
from held.pipeline import Hierarchy, tree_of

CORPUS = "HELD_CORPUS"
_SAME_START = 12


@dataclass(frozen=True, slots=True)
class FileScore:
    """What one file gave."""

    domain: str
    layout: Matches
    paragraphs: Matches
    labelled: TreeCounts
    recognised: TreeCounts


def measured_rows(split: str) -> dict[str, Any]:
    """The rows by domain; none without the corpus' PDFs."""
    corpus = os.environ.get(CORPUS)
    if not corpus:
        print(f"rq7 needs the PDFs of the corpus: name its folder in {CORPUS}")
        return {}
    splits = ("valid",) if split == "valid" else ("valid", "test")
    scores = [file_score(path) for path in untrained_files(Path(corpus), splits)]
    return {
        "layout F1": _row(scores, lambda s: _f1(s.layout)),
        "layout F1, paragraphs": _row(scores, lambda s: _f1(s.paragraphs)),
        "labelled layout": _row(scores, lambda s: (s.labelled.paths.right, s.labelled.paths.total)),
        "recognised layout": _row(scores, lambda s: (s.recognised.paths.right, s.recognised.paths.total)),
    }


def untrained_files(corpus: Path, splits: Sequence[str]) -> list[Path]:
    """The PDFs with usable tags in these splits."""
    usable = json.loads(USABLE.read_text(encoding="utf-8"))["usable"]
    with (corpus / "index.jsonl").open(encoding="utf-8") as lines:
        split_of = {row["id"]: row["split"] for row in map(json.loads, lines)}
    return [corpus / "pdfs" / f"{name}.pdf" for name in usable if split_of.get(name) in splits]


def file_score(path: Path) -> FileScore:
    """The layout and both trees of a file."""
    pages = read_pdf(path)
    recognised = recognise(pages)
    tagged = _with_formats(true_objects(read_tags(path)), recognised)
    known = truth(label_document(tagged, pages.outline, Origin(path.stem)))
    match = match_objects(tagged.objects, recognised.objects)
    layout = layout_matches(tagged.objects, recognised.objects, kind_of=paper_kind)
    return FileScore(
        path.stem.split("-")[0],
        sum(layout.values(), start=Matches()),
        layout.get(Kind.PARAGRAPH, Matches()),
        compare_trees(known, _prediction(tree_of(tagged))),
        compare_trees(known, _prediction(tree_of(recognised)), match),
    )


def _prediction(hierarchy: Hierarchy) -> Prediction:
    return Prediction(hierarchy.tree, frozenset(hierarchy.headings))


def _with_formats(objects: Sequence[PhysicalObject], recognised: Document) -> Document:
    """The document of the tags' objects, set as the recognised ones are."""
    match = match_objects(objects, recognised.objects)
    on_page: dict[int, list[PhysicalObject]] = {}
    for item in recognised.objects:
        on_page.setdefault(item.page, []).append(item)
    dressed = [
        _dressed(item, recognised.objects[match[i]] if i in match else _like(item, on_page))
        for i, item in enumerate(objects)
    ]
    return replace(recognised, objects=tuple(dressed))


def _dressed(item: PhysicalObject, like: PhysicalObject | None) -> PhysicalObject:
    """The object with the format of another; tables keep their cells."""
    return item if like is None else replace(like, kind=item.kind, text=item.text, parts=like.parts)


def _like(item: PhysicalObject, on_page: dict[int, list[PhysicalObject]]) -> PhysicalObject | None:
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
    """A row as the other questions have it: the ratio of sums by domain."""
    sums: dict[str, tuple[int, int, int]] = {}
    for score in scores:
        files, above, below = sums.get(score.domain, (0, 0, 0))
        right, total = counts(score)
        sums[score.domain] = (files + 1, above + right, below + total)
    domains = {
        domain: {"documents": files, "accuracy": round(above / below, 4) if below else None}
        for domain, (files, above, below) in sums.items()
    }
    return {"domains": domains, "inquiries": None, "seconds": 0.0}
