"""Scores the shipped model on PDFs whose bookmarks are taken as the truth, document by document.

python -m research.unseen.run FOLDER -o research/unseen/result.json --page docs/research/unseen.md
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
REMARKS = Path(__file__).parent / "remarks.md"

_FIGURES = ("headings F1", "paths given", "parents given", "paths", "parents")
_SUMMED = {
    "paths": "of the paths are right in the median document",
    "mean paths": "in the mean of the documents",
    "paths given": "in the median document, given the true headings",
    "mean paths given": "in the mean, given the true headings",
    "parents": "of the parents are right in the median document",
    "mean parents": "in the mean",
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code of the command."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    parser.add_argument("-o", "--output", type=Path, metavar="FILE")
    parser.add_argument("--page", type=Path, metavar="FILE", help="the page of the documentation")
    options = parser.parse_args(arguments)
    finder, placer = heading_step(MODEL), tree_step(MODEL)
    found: dict[str, Any] = {}
    for source in sources_in(options.folder):
        try:
            found[source.path.stem] = score_document(label_file(source), finder, placer)
        except HeldError as error:
            print(f"left out: {error}", file=sys.stderr)
        print(f"\r{len(found)} documents judged", end="", file=sys.stderr)
    result = {"commit": exact_commit(), "summary": summary(found), "documents": found}
    print(json.dumps(result["summary"], indent=1))
    if options.output:
        options.output.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    if options.page:
        options.page.write_text(page(result, REMARKS.read_text(encoding="utf-8")), encoding="utf-8")
    return 0


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


def page(result: Mapping[str, Any], remarks: str) -> str:
    """The page of the documentation: what was found, what it says, and each document."""
    found = result["summary"]
    lines = [
        "# Documents of makers that nobody chose",
        "",
        "Written by `python -m research.unseen.run` (research/unseen/README.md says how to repeat it).",
        "",
        f"{found['documents']} PDFs, {found['pages']} pages, drawn by lot from Debian packages of which the "
        "corpus has nothing. Their bookmarks are taken for the truth.",
        "",
        f"- {found['nearly right']} have {NEARLY:.0%} of their paths right or more; "
        f"{found['nearly right given']} if the true headings are given.",
        *(f"- {found[name]:.3f} {said}." for name, said in _SUMMED.items()),
        "",
        remarks.strip(),
        "",
        "| document | pages | headings | " + " | ".join(_FIGURES) + " |",
        "| --- |" + " ---: |" * (2 + len(_FIGURES)),
    ]
    worst_first = sorted(result["documents"].items(), key=lambda item: (item[1]["paths"], item[0]))
    lines += [_row(name, figures) for name, figures in worst_first]
    return "\n".join(lines) + "\n"


def _row(name: str, figures: Mapping[str, float]) -> str:
    cells = [f"{figures[figure]:.3f}" for figure in _FIGURES]
    return f"| {name} | {figures['pages']} | {figures['headings']} | " + " | ".join(cells) + " |"


if __name__ == "__main__":
    sys.exit(main())
