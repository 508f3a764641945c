"""How many corrections does a perfect outline take, with and without inserting the rest again?

    python -m research.corrections.run --pdfs $HELD_CORPUS/pdfs -o research/corrections/result.json

The true outline of each PDF is its own, as `held label` reads it, and the guide of a person made of a few
lines (`person.py`). An outline is perfect when every listed heading that was recognised as an object has its
listed path; unlisted headings do not count. The result has counts alone, no word of the documents.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from research.commit import exact_commit
from research.corrections.person import (
    Effort,
    Parents,
    correction_of,
    highest_wrong,
    true_parents,
    wrong_headings,
)
from research.corrections.ways import InsertedAgain, LeftAsItIs, Outline, Way

from held.corpus.build import label_file
from held.corpus.sources import sources_of
from held.corpus.store import LabelledDocument, labelled_path, read_labelled, write_labelled
from held.document import Document
from held.system.atomic_write import write_file
from held.system.json_values import encode_json

DOCUMENTS = (
    "zh_fin-1437082d",
    "en_fin-d9bd704d",
    "en_fin-f9ba1710",
    "manuals-07112b76",
    "made-16a4c672",
    "made-9087a51a",
)
"""Of split train or valid, with errors to correct: three of them start with most of their paths wrong."""
_PATIENCE = 300  # corrections after which the person gives up


@dataclass(frozen=True, slots=True)
class Person:
    """How the person works: whether looks are corrected at once, and whether `N` leads the way."""

    way: Callable[[Document], Way]
    looks: bool = False
    by_doubt: bool = False


PERSONS = {
    "left as it is": Person(LeftAsItIs),
    "left as it is, looks at once": Person(LeftAsItIs, looks=True),
    "inserted again": Person(InsertedAgain),
    "inserted again, looks at once": Person(InsertedAgain, looks=True),
    "inserted again, looks at once, N first": Person(InsertedAgain, looks=True, by_doubt=True),
}


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, and write what came out."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("documents", nargs="*", default=DOCUMENTS, metavar="ID")
    parser.add_argument("--pdfs", type=Path, required=True)
    parser.add_argument("--labelled", type=Path, help="keeps labelled documents between runs")
    parser.add_argument("-o", "--output", type=Path)
    options = parser.parse_args(arguments)
    rows = [row for name in options.documents for row in measured(_labelled(name, options))]
    for row in rows:
        print(line(row), flush=True)
    if options.output:
        write_file(options.output, encode_json({"commit": exact_commit(), "rows": rows}))


def _labelled(name: str, options: argparse.Namespace) -> LabelledDocument:
    kept = labelled_path(options.labelled, name) if options.labelled else None
    if kept is not None and kept.is_file():
        return read_labelled(kept)
    (source,) = sources_of([options.pdfs / f"{name}.pdf"])
    labelled = label_file(source)
    if options.labelled:
        options.labelled.mkdir(parents=True, exist_ok=True)
        write_labelled(options.labelled, labelled)
    return labelled


def measured(labelled: LabelledDocument) -> Iterator[dict[str, Any]]:
    """A row for each person."""
    true = true_parents(labelled)
    for name, person in PERSONS.items():
        start = time.perf_counter()
        way = person.way(labelled.document)
        shown = way.start()
        wrong = len(wrong_headings(shown.parents, true))
        effort = perfected(way, shown, true, person)
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


def perfected(way: Way, shown: Outline, true: Parents, person: Person) -> Effort:
    """What it takes to correct all that is wrong."""
    effort = Effort()
    looked_at: set[int] = set()
    wrong = wrong_headings(shown.parents, true)
    while wrong and effort.corrections < _PATIENCE:
        chosen, pressed = _chosen(shown, wrong, looked_at) if person.by_doubt else (wrong[0], 0)
        effort = replace(effort, keys=effort.keys + pressed)
        correction = correction_of(highest_wrong(chosen, true, wrong), shown.parents, true)
        offers = [correction, *([replace(correction, same_style=True)] if person.looks else [])]
        outcomes = [(offer, way.after(shown, offer)) for offer in offers]
        best, shown = min(outcomes, key=lambda outcome: len(wrong_headings(outcome[1].parents, true)))
        wrong = wrong_headings(shown.parents, true)
        effort = effort.after(best, len(wrong))
    return effort


def _chosen(shown: Outline, wrong: Sequence[int], looked_at: set[int]) -> tuple[int, int]:
    """The next wrong heading that `N` leads to, and how often it was pressed; else the first one."""
    pressed = 0
    for heading in shown.doubted:
        if heading in looked_at:
            continue
        pressed += 1
        looked_at.add(heading)
        if heading in wrong:
            return heading, pressed
    return wrong[0], pressed


def line(row: dict[str, Any]) -> str:
    """A row for people."""
    found = f"{row['document']:18} {row['listed']:4} listed, {row['wrong']:3} wrong"
    effort = f"{row['corrections']:3} corrections ({row['of_a_look']} of a look), {row['keys']} keys"
    return f"{found}  {row['way']:40} {effort}{'' if row['perfect'] else ', NOT PERFECT'}, {row['seconds']} s"


if __name__ == "__main__":
    main()
