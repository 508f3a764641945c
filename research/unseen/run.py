"""Scores the shipped model on PDFs whose bookmarks are taken as the truth, document by document.

python -m research.unseen.run FOLDER -o research/unseen/third-lot.json
python -m research.unseen.run --page docs/research/unseen.md      # from the stored results of all lots
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from research.commit import exact_commit
from research.result_file import result_text, write_result
from research.trees import measure
from research.trees.data import Case

from held.corpus.build import label_file
from held.corpus.sources import sources_in
from held.corpus.store import LabelledDocument, truth
from held.errors import HeldError
from held.hierarchy.pipeline import HeadingStep, TreeStep, heading_step, tree_step
from held.metrics import heading_matches
from held.training.boosted_data import training_document

MODEL = "base"
NEARLY = 0.95
"""Of the paths, from which on a tree is nearly right."""

_FIGURES = ("headings F1", "paths given", "parents given", "paths", "parents")
HERE = Path(__file__).parent
LOTS = {name: HERE / f"{name}.json" for name in ("first-lot", "second-lot", "third-lot", "fourth-lot")}
_INTRODUCTION = """\
How good are trees of documents that nobody chose? These PDFs were drawn by lot from Debian packages of which
the corpus has nothing (`research/unseen/README.md` says how to fetch them). Their bookmarks are taken for the
truth. A *path* is the chain of headings above an object, a *parent* the heading right above a heading. Every
document counts once, however long. Each lot was scored when it was drawn, with the weights of that day.
"""
_SUMMED = ("mean headings F1", "mean paths", "mean parents", "mean paths given")


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code of the command."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path, nargs="?", metavar="FOLDER")
    parser.add_argument("-o", "--output", type=Path, metavar="FILE")
    parser.add_argument("--page", type=Path, metavar="FILE", help="write the page of all stored lots")
    options = parser.parse_args(arguments)
    if options.folder:
        score_folder(options.folder, options.output)
    if options.page:
        lots = {name: json.loads(path.read_text(encoding="utf-8")) for name, path in LOTS.items()}
        remarks = (HERE / "remarks.md").read_text(encoding="utf-8")
        options.page.write_text(page(lots, remarks), encoding="utf-8")
    return 0


def score_folder(folder: Path, output: Path | None) -> None:
    """Score the PDFs of a folder, print the means, and write all scores."""
    finder, placer = heading_step(MODEL), tree_step(MODEL)
    found: dict[str, Any] = {}
    for source in sources_in(folder):
        try:
            found[source.path.stem] = score_document(label_file(source), finder, placer)
        except HeldError as error:
            print(f"left out: {error}", file=sys.stderr)
        print(f"\r{len(found)} documents judged", end="", file=sys.stderr)
    result = {"commit": exact_commit(), "summary": summary(found), "documents": found}
    print(result_text(result["summary"]))
    if output:
        write_result(output, result)


def score_document(labelled: LabelledDocument, finder: HeadingStep, placer: TreeStep) -> dict[str, float]:
    """The scores of both steps, and of the tree step with the true headings, for a document."""
    case = Case(training_document(labelled), truth(labelled), "test", dropped=False)
    (found,) = measure.found_headings([case], finder)
    given, both = (
        measure.counts(case, measure.insertions([case], [headings], placer)[0])
        for headings in (case.known.headings, found)
    )
    figures = (
        heading_matches(case.truth, found).f1,
        given.paths.value,
        given.parents.value,
        both.paths.value,
        both.parents.value,
    )
    rounded = {name: round(value, 4) for name, value in zip(_FIGURES, figures, strict=True)}
    return {"pages": len(labelled.document.pages), "headings": len(case.known.headings)} | rounded


def summary(found: Mapping[str, Mapping[str, float]]) -> dict[str, float]:
    """The figures over all documents; each counts once, however long."""
    documents = list(found.values())
    columns = {name: [document[name] for document in documents] for name in _FIGURES}
    counts = {
        "documents": len(documents),
        "pages": sum(document["pages"] for document in documents),
        "nearly right": sum(value >= NEARLY for value in columns["paths"]),
        "nearly right given": sum(value >= NEARLY for value in columns["paths given"]),
    }
    medians = {name: round(statistics.median(values), 4) for name, values in columns.items()}
    means = {f"mean {name}": round(statistics.mean(values), 4) for name, values in columns.items()}
    return counts | medians | means


def page(lots: Mapping[str, Mapping[str, Any]], remarks: str) -> str:
    """The page of the documentation: the figures of all lots, remarks, and the newest lot's documents."""
    *_, newest = lots
    lines = [
        "# Documents drawn by lot",
        "",
        _INTRODUCTION,
        f"| lot | documents | pages | with {NEARLY:.0%} of paths right | heading F1 | paths | parents "
        "| paths, true headings given |",
        "| --- |" + " ---: |" * 7,
        *(_lot_row(name, lot["summary"]) for name, lot in lots.items()),
        "",
        remarks.strip(),
        "",
        f"## Documents of the {newest.replace('-', ' ')}",
        "",
        "| document | pages | headings | " + " | ".join(_FIGURES) + " |",
        "| --- |" + " ---: |" * (2 + len(_FIGURES)),
    ]
    worst_first = sorted(lots[newest]["documents"].items(), key=lambda item: (item[1]["paths"], item[0]))
    lines += [_row(name, figures) for name, figures in worst_first]
    return "\n".join(lines) + "\n"


def _lot_row(name: str, found: Mapping[str, float]) -> str:
    counts = (found["documents"], found["pages"], found["nearly right"])
    means = [f"{found[figure]:.3f}" for figure in _SUMMED]
    return f"| {name.replace('-', ' ')} | {' | '.join(map(str, counts))} | {' | '.join(means)} |"


def _row(name: str, figures: Mapping[str, float]) -> str:
    cells = [f"{figures[figure]:.3f}" for figure in _FIGURES]
    return f"| {name} | {figures['pages']} | {figures['headings']} | " + " | ".join(cells) + " |"


if __name__ == "__main__":
    sys.exit(main())
