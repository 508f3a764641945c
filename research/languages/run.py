"""Scores the shipped model by language: headings, paths and parents of labelled documents.

python -m research.languages.run FOLDER --splits valid -o research/languages/result.json

FOLDER has labelled documents (`held corpus`). With `--sample N` at most N documents of each language are
scored, the same ones each time, so that two commits can be compared. Documents of `fetch` have their language
in their name and belong to no split: `--splits all --half first` scores one half of them, so that the other
one can be left alone until the end.
"""

from __future__ import annotations

import argparse
import random
import sys
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from research.commit import exact_commit
from research.result_file import write_result
from research.trees import measure
from research.trees.data import prepare

from held.corpus.store import LABELLED_SUFFIX, LabelledDocument, read_labelled
from held.hierarchy.pipeline import HeadingStep, TreeStep, heading_step, tree_step
from held.metrics import Matches, TreeCounts, heading_matches

MODEL = "base"
LANGUAGES = ("en", "zh", "fr", "de", "pt", "it", "es", "ja", "ru", "cs", "ko", "pl")
REST = "rest"
ALL = "all"
HALVES = ("first", "second")


class Figures(NamedTuple):
    """The counts of some documents: headings found, trees of the headings found, trees of the true ones."""

    documents: int = 0
    headings: Matches = Matches()
    both: TreeCounts = TreeCounts()
    given: TreeCounts = TreeCounts()

    def plus(self, other: Figures) -> Figures:
        """The counts of both together."""
        return Figures(
            self.documents + other.documents,
            self.headings + other.headings,
            self.both + other.both,
            self.given + other.given,
        )


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code of the command."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    parser.add_argument(
        "--splits", default="valid", help="separated by commas, or all; test only for final runs"
    )
    parser.add_argument("--half", choices=HALVES, help="score only one half of the documents")
    parser.add_argument("--others", action="store_true", help="leave English and Chinese out")
    parser.add_argument("--sample", type=int, metavar="N", help="documents of each language at most")
    parser.add_argument("-o", "--output", type=Path, metavar="FILE")
    options = parser.parse_args(arguments)
    documents = _documents(options.folder, options.splits.split(","), options)
    found = judge(documents, heading_step(MODEL), tree_step(MODEL))
    print(table(by_language(found)))
    if options.output:
        rows = {name: figures | {"lang": lang} for name, lang, figures in _rows(found)}
        totals = {lang: _round_figures(_figures(total)) for lang, total in by_language(found).items()}
        result = {"commit": exact_commit(), "splits": options.splits, "languages": totals, "documents": rows}
        write_result(options.output, result)
    return 0


def _documents(
    folder: Path, splits: Sequence[str], options: argparse.Namespace
) -> Iterable[LabelledDocument]:
    """The documents of some splits that are scored, at most so many of each language."""
    sample: int | None = options.sample
    paths = sorted(folder.glob(f"*{LABELLED_SUFFIX}"))
    random.Random(0).shuffle(paths)
    taken: dict[str, int] = {}
    for path in paths:
        if options.half is not None and half_of(path.name.removesuffix(LABELLED_SUFFIX)) != options.half:
            continue
        labelled = _with_language(read_labelled(path))
        is_in_split = labelled.split in splits or ALL in splits
        if not is_in_split or labelled.dropped is not None or labelled.silver:
            continue
        if options.others and labelled.lang in ("en", "zh"):
            continue
        if sample is not None and taken.get(labelled.lang, 0) >= sample:
            continue
        taken[labelled.lang] = taken.get(labelled.lang, 0) + 1
        yield labelled


def half_of(name: str) -> str:
    """The half that a document belongs to, by its name."""
    return HALVES[zlib.crc32(name.encode()) % len(HALVES)]


def _with_language(labelled: LabelledDocument) -> LabelledDocument:
    """The document with its language, if only its name tells it: fr__maint-guide-fr__maint-guide."""
    name, separator, _ = labelled.id.partition("__")
    return replace(labelled, lang=name) if separator and not labelled.lang else labelled


def judge(
    documents: Iterable[LabelledDocument], finder: HeadingStep, placer: TreeStep
) -> dict[str, tuple[str, Figures]]:
    """The language and the figures of each document."""
    found: dict[str, tuple[str, Figures]] = {}
    for labelled in documents:
        case = prepare(labelled)
        (headings,) = measure.found_headings([case], finder)
        given, both = (
            measure.counts(case, measure.insertions([case], [some], placer)[0])
            for some in (case.known.headings, headings)
        )
        figures = Figures(1, heading_matches(case.truth, headings), both, given)
        found[labelled.id] = (labelled.lang, figures)
        print(f"\r{len(found)} documents judged", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return found


def by_language(found: Mapping[str, tuple[str, Figures]]) -> dict[str, Figures]:
    """The figures of each language, of the rest, and of all but English and Chinese together."""
    others = "all others"
    totals = {name: Figures() for name in (*LANGUAGES, REST, others)}
    for lang, figures in found.values():
        name = lang if lang in LANGUAGES else REST
        totals[name] = totals[name].plus(figures)
        if lang not in ("en", "zh"):
            totals[others] = totals[others].plus(figures)
    return {name: total for name, total in totals.items() if total.documents}


def table(totals: Mapping[str, Figures]) -> str:
    """The figures as a Markdown table."""
    lines = [
        "| language | documents | headings F1 | recall | paths F1 | parents | paths given | parents given |",
        "| --- |" + " ---: |" * 7,
    ]
    for name, total in totals.items():
        figures = [f"{value:.3f}" for value in _figures(total).values()]
        lines.append(f"| {name} | {total.documents} | " + " | ".join(figures) + " |")
    return "\n".join(lines)


def _figures(total: Figures) -> dict[str, float]:
    return {
        "headings F1": total.headings.f1,
        "recall": total.headings.recall,
        "paths F1": path_f1(total.both),
        "parents": total.both.parents.value,
        "paths given": path_f1(total.given),
        "parents given": total.given.parents.value,
    }


def path_f1(counts: TreeCounts) -> float:
    """F1 of the headings' paths, all levels together."""
    return sum(counts.by_level.values(), Matches()).f1


def _rows(found: Mapping[str, tuple[str, Figures]]) -> Iterable[tuple[str, str, dict[str, float]]]:
    for name, (lang, figures) in sorted(found.items()):
        yield name, lang, _round_figures(_figures(figures))


def _round_figures(figures: Mapping[str, float]) -> dict[str, float]:
    return {name: round(value, 4) for name, value in figures.items()}


if __name__ == "__main__":
    sys.exit(main())
