"""How many corrections does a perfect outline take, with and without inserting the rest again?

    python -m research.corrections.run --pdfs $HELD_CORPUS/pdfs -o research/corrections/result.json

A simulated person (`person.py`) corrects each tree. The true outline is the PDF's own, as `held label` reads
it. An outline is perfect when every listed heading that was recognised as an object has its listed path;
unlisted headings do not count. The result has only counts, no text of the documents.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from research.arguments import make_parser
from research.commit import exact_commit
from research.corrections.person import (
    Effort,
    Parents,
    correction_for,
    highest_wrong,
    true_parents,
    wrong_headings,
)
from research.corrections.strategies import KeepRest, Outline, ReinsertRest, Strategy

from held.corpus.build import label_file
from held.corpus.sources import sources_of
from held.corpus.store import LabelledDocument, labelled_path, read_labelled, write_labelled
from held.document import Document
from held.system.atomic_write import write_file
from held.system.bounded_json import encode_json

DOCUMENTS = (
    "zh_fin-1437082d",
    "en_fin-d9bd704d",
    "en_fin-f9ba1710",
    "manuals-07112b76",
    "made-16a4c672",
    "made-9087a51a",
)
"""Of split train or valid, with errors to correct: in three of them most paths are wrong at first."""
_MAX_CORRECTIONS = 300  # then the person gives up


@dataclass(frozen=True, slots=True)
class Person:
    """How the person works: a strategy, whether styles are corrected at once, and whether by review order."""

    strategy: Callable[[Document], Strategy]
    looks: bool = False
    by_doubt: bool = False


PERSONS = {
    "left as it is": Person(KeepRest),
    "left as it is, looks at once": Person(KeepRest, looks=True),
    "inserted again": Person(ReinsertRest),
    "inserted again, looks at once": Person(ReinsertRest, looks=True),
    "inserted again, looks at once, N first": Person(ReinsertRest, looks=True, by_doubt=True),
}


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure the effort for each document, print it, and write it to a file."""
    parser = make_parser(__doc__)
    parser.add_argument("documents", nargs="*", default=DOCUMENTS, metavar="ID")
    parser.add_argument("--pdfs", type=Path, required=True)
    parser.add_argument("--labelled", type=Path, help="keeps labelled documents between runs")
    parser.add_argument("-o", "--output", type=Path)
    options = parser.parse_args(arguments)
    rows = [row for name in options.documents for row in measure_document(_load_labelled(name, options))]
    for row in rows:
        print(line(row), flush=True)
    if options.output:
        write_file(options.output, encode_json({"commit": exact_commit(), "rows": rows}))


def _load_labelled(name: str, options: argparse.Namespace) -> LabelledDocument:
    kept = labelled_path(options.labelled, name) if options.labelled else None
    if kept is not None and kept.is_file():
        return read_labelled(kept)
    (source,) = sources_of([options.pdfs / f"{name}.pdf"])
    labelled = label_file(source)
    if options.labelled:
        options.labelled.mkdir(parents=True, exist_ok=True)
        write_labelled(options.labelled, labelled)
    return labelled


def measure_document(labelled: LabelledDocument) -> Iterator[dict[str, Any]]:
    """A row for each person."""
    true = true_parents(labelled)
    for name, person in PERSONS.items():
        start = time.perf_counter()
        strategy = person.strategy(labelled.document)
        outline = strategy.start()
        wrong = len(wrong_headings(outline.parents, true))
        effort = correct_all(strategy, outline, true, person)
        yield {
            "document": labelled.id,
            "way": name,
            "pages": len(labelled.document.pages),
            "listed": len(true),
            "not recognised": len(labelled.missing),
            "wrong": wrong,
            **asdict(effort),
            "perfect": not effort.left or effort.left[-1] == 0,
            "seconds": round(time.perf_counter() - start, 2),
        }


def correct_all(strategy: Strategy, outline: Outline, true: Parents, person: Person) -> Effort:
    """Correct all wrong headings, and return the effort."""
    effort = Effort()
    looked_at: set[int] = set()
    wrong = wrong_headings(outline.parents, true)
    while wrong and effort.corrections < _MAX_CORRECTIONS:
        chosen, pressed = _next_wrong(outline, wrong, looked_at) if person.by_doubt else (wrong[0], 0)
        effort = replace(effort, keys=effort.keys + pressed)
        correction = correction_for(highest_wrong(chosen, true, wrong), outline.parents, true)
        offers = [correction, *([replace(correction, same_style=True)] if person.looks else [])]
        outcomes = [(offer, strategy.after(outline, offer)) for offer in offers]
        best, outline = min(outcomes, key=lambda outcome: len(wrong_headings(outcome[1].parents, true)))
        wrong = wrong_headings(outline.parents, true)
        effort = effort.after(best, len(wrong))
    return effort


def _next_wrong(outline: Outline, wrong: Sequence[int], looked_at: set[int]) -> tuple[int, int]:
    """The next wrong heading in review order, and how often `N` was pressed; without one, the first."""
    pressed = 0
    for heading in outline.doubted:
        if heading in looked_at:
            continue
        pressed += 1
        looked_at.add(heading)
        if heading in wrong:
            return heading, pressed
    return wrong[0], pressed


def line(row: dict[str, Any]) -> str:
    """A row as text."""
    counts = f"{row['document']:18} {row['listed']:4} listed, {row['wrong']:3} wrong"
    effort = f"{row['corrections']:3} corrections ({row['of_a_look']} of a style), {row['keys']} keys"
    result = "" if row["perfect"] else ", NOT PERFECT"
    return f"{counts}  {row['way']:40} {effort}{result}, {row['seconds']} s"


if __name__ == "__main__":
    main()
