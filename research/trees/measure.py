"""What preset `base` is worth: each step alone, and both together, by domain."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from research.trees.data import Case

from held.headings import Floats
from held.hierarchy import pipeline as steps
from held.hierarchy.insertion import Insertion, Strategy
from held.hierarchy.pipeline import HeadingStep, TreeStep
from held.metrics import (
    Matches,
    Prediction,
    Share,
    TreeCounts,
    compare_trees,
    heading_matches,
    heading_similarity,
    mean,
)
from held.tree import attach_body

DOMAINS = ("zh_fin", "en_fin", "books", "reports", "science", "manuals", "word", "made")


def heading_table(
    cases: Sequence[Case], found: Sequence[Sequence[int]], *, masked: bool = True
) -> dict[str, Matches]:
    """Precision, recall and F1 of the headings that were found, by domain; unmasked, unknowns are body."""
    matches = (
        heading_matches(case.truth if masked else case.truth.unmasked(), headings)
        for case, headings in zip(cases, found, strict=True)
    )
    return _sums(cases, matches, Matches())


def true_headings(cases: Sequence[Case]) -> list[tuple[int, ...]]:
    """The true headings of each case that are objects."""
    return [case.known.headings for case in cases]


def probabilities(cases: Sequence[Case], step: HeadingStep) -> list[Floats]:
    """For each case the probability that each of its objects is a heading."""
    return steps.score_objects(step, [case.seen for case in cases])


def found_headings(cases: Sequence[Case], step: HeadingStep) -> list[tuple[int, ...]]:
    """The headings of each case that the heading step finds."""
    return steps.find_headings(step, [case.seen for case in cases])


def insertions(
    cases: Sequence[Case],
    headings: Sequence[Sequence[int]],
    placer: TreeStep,
    strategy: Strategy = Strategy(normalise=True),  # noqa: B008
) -> list[Insertion]:
    """The trees of the headings."""
    return steps.insert_objects(placer, [case.seen for case in cases], headings, strategy)


def counts(case: Case, insertion: Insertion, *, masked: bool = True) -> TreeCounts:
    """How right a case's tree is, with all other objects hung below the headings."""
    whole = attach_body(insertion.tree, len(case.known.labels))
    truth = case.truth if masked else case.truth.unmasked()
    return compare_trees(truth, Prediction(whole, frozenset(insertion.tree.objects())))


def tree_table(
    cases: Sequence[Case], found: Sequence[Insertion], *, masked: bool = True
) -> dict[str, TreeCounts]:
    """The counts of the trees, by domain."""
    return _sums(
        cases, (counts(*pair, masked=masked) for pair in zip(cases, found, strict=True)), TreeCounts()
    )


def similarities(
    cases: Sequence[Case], found: Sequence[Insertion], *, masked: bool = True
) -> dict[str, float]:
    """TEDS by domain: the mean similarity of the trees of headings to the true ones."""
    values: dict[str, list[float]] = {}
    for case, insertion in zip(cases, found, strict=True):
        truth = case.truth if masked else case.truth.unmasked()
        shown = Prediction(insertion.tree, frozenset(insertion.tree.objects()))
        values.setdefault(case.domain, []).append(heading_similarity(truth, shown))
    return {domain: mean(alike) for domain, alike in values.items()}


def reachable(cases: Sequence[Case], found: Sequence[Insertion]) -> dict[str, Share]:
    """Path accuracy over the headings that are objects and so are all their ancestors, by domain."""
    return _sums(cases, map(_reachable, cases, found), Share())


def _reachable(case: Case, insertion: Insertion) -> Share:
    true = case.known.tree.without(set(np.flatnonzero(case.known.labels != 1).tolist())).paths()
    unknown = set(np.flatnonzero(case.known.labels == -1).tolist())
    shown = insertion.tree.without(unknown).paths()
    known = {heading: path for heading, path in true.items() if case.known.astray.isdisjoint(path)}
    return Share(sum(shown.get(heading) == path for heading, path in known.items()), len(known))


def _sums(cases: Sequence[Case], values: Iterable[Any], start: Any) -> dict[str, Any]:
    totals: dict[str, Any] = dict.fromkeys(DOMAINS, start)
    for case, value in zip(cases, values, strict=True):
        totals[case.domain] = totals[case.domain] + value
    return {domain: total for domain, total in totals.items() if total != start}


def brief_table(
    cases: Sequence[Case], found: Sequence[Insertion], row_of: Callable[[Case], str | None]
) -> dict[str, Any]:
    """Headings, paths and parents of both steps for each row; a case without a row is left out."""
    totals: dict[str, TreeCounts] = {}
    documents: dict[str, int] = {}
    for case, insertion in zip(cases, found, strict=True):
        row = row_of(case)
        if row is not None:
            totals[row] = totals.get(row, TreeCounts()) + counts(case, insertion)
            documents[row] = documents.get(row, 0) + 1
    return {
        row: {
            "documents": documents[row],
            "precision": round(total.headings.precision, 4),
            "recall": round(total.headings.recall, 4),
            "F1": round(total.headings.f1, 4),
            "paths": round(total.paths.value, 4),
            "parents": round(total.parents.value, 4),
        }
        for row, total in sorted(totals.items())
    }


KINDS_BY_HAND = {
    "zh_fin": "prospectuses",
    "en_fin": "annual reports",
    "reports": "designed reports",
    "books": "law books",
}


def kind_by_hand(case: Case) -> str | None:
    """What kind of document a case is whose outline was made by hand; None for all others."""
    return KINDS_BY_HAND.get(case.domain, case.domain) if case.by_hand else None


def domain_without_hand(case: Case) -> str | None:
    """The domain of a case whose outline was not made by hand."""
    return None if case.by_hand else case.domain


def show(
    title: str, table: Mapping[str, Any], columns: Mapping[str, Callable[[Any], float]]
) -> dict[str, Any]:
    """The figures of a table by domain, after printing it."""
    print(f"\n{title}")
    print(f"{'':10}" + "".join(f"{name:>12}" for name in columns))
    figures = {}
    for domain, value in table.items():
        figures[domain] = {name: round(column(value), 4) for name, column in columns.items()}
        print(f"{domain:10}" + "".join(f"{figure:12.4f}" for figure in figures[domain].values()), flush=True)
    return figures


HEADING_COLUMNS: dict[str, Callable[[Matches], float]] = {
    "precision": lambda m: m.precision,
    "recall": lambda m: m.recall,
    "F1": lambda m: m.f1,
    "headings": lambda m: float(m.true),
}
SHARE_COLUMNS: dict[str, Callable[[Share], float]] = {
    "paths": lambda s: s.value,
    "headings": lambda s: float(s.total),
}
TREE_COLUMNS: dict[str, Callable[[TreeCounts], float]] = {
    "paths": lambda c: c.paths.value,
    "of headings": lambda c: c.heading_paths.value,
    "parents": lambda c: c.parents.value,
    "level only": lambda c: c.levels_only.value,
    "F1 level 1": lambda c: _level_f1(c, 1),
    "F1 level 2": lambda c: _level_f1(c, 2),
    "F1 level 3": lambda c: _level_f1(c, 3),
    "F1 level 4": lambda c: _level_f1(c, 4),
    "F1 level 5": lambda c: _level_f1(c, 5),
    "left out": lambda c: c.left_out.value,
    "all right": lambda c: c.documents.value,
}


def all_tables(
    cases: Sequence[Case],
    found: Sequence[Sequence[int]],
    given: Sequence[Insertion],
    both: Sequence[Insertion],
) -> dict[str, Any]:
    """Every table of some cases: headings found, trees of the true headings, trees of those found."""
    tables: dict[str, Any] = {"documents": len(cases)}
    for name, row_of in (
        ("by hand", kind_by_hand),
        ("not by hand", domain_without_hand),
        ("by language", lambda case: case.lang),
    ):
        tables[name] = brief_table(cases, both, row_of)
        print(f"\n{name}")
        for row, figures in tables[name].items():
            print(f"{row:18}" + "".join(f" {key} {value:<8}" for key, value in figures.items()), flush=True)
    for masked, suffix in ((True, ""), (False, ", unmasked")):
        rows = heading_table(cases, found, masked=masked)
        tables[f"heading step{suffix}"] = show(f"heading step{suffix}", rows, HEADING_COLUMNS)
        for name, trees in (("tree step", given), ("both steps", both)):
            counted = tree_table(cases, trees, masked=masked)
            tables[name + suffix] = show(name + suffix, counted, TREE_COLUMNS)
            alike = similarities(cases, trees, masked=masked)
            tables[f"{name}{suffix}, TEDS"] = show(f"{name}{suffix}, TEDS", alike, {"TEDS": float})
    reach = reachable(cases, given)
    tables["tree step, objects"] = show("tree step, headings that are objects", reach, SHARE_COLUMNS)
    return tables


def _level_f1(found: TreeCounts, level: int) -> float:
    return found.by_level.get(level, Matches()).f1
