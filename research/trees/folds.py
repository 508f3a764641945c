"""Cross-validation of both steps, grouped: every document is judged by models that know none of its group."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from research.trees.both import both_steps
from research.trees.data import Case
from research.trees.measure import found_headings, insertions

from held.hierarchy.insertion import Insertion
from held.hierarchy.pipeline import TreeStep, heading_step, tree_step
from held.training.boosted_data import assign_folds
from held.training.boosted_trainer import BoostedHeadings, BoostedPutOrSkip


class Judged(NamedTuple):
    """What models that have not seen a case make of it."""

    case: Case
    found: tuple[int, ...]
    placer: TreeStep


def judge_by_fold(
    cases: Sequence[Case],
    always: Sequence[Case],
    headings: BoostedHeadings,
    put_or_skip: BoostedPutOrSkip,
    *,
    folds: int,
) -> Iterator[Judged]:
    """The cases, each with models trained on the other folds and on those that are always learnt from."""
    fold = assign_folds([case.known for case in cases], folds, seed=1)
    for k in range(folds):
        others = [case.known for case, f in zip(cases, fold, strict=True) if f != k]
        seen = [*others, *(case.known for case in always)]
        finding, putting = both_steps(seen, headings, put_or_skip)
        unseen = [case for case, f in zip(cases, fold, strict=True) if f == k]
        found = found_headings(unseen, heading_step(finding))
        placer = tree_step(putting)
        for case, headings_found in zip(unseen, found, strict=True):
            yield Judged(case, headings_found, placer)


def trees_for(found: Sequence[Judged], headings: Sequence[Sequence[int]]) -> list[Insertion]:
    """The trees of the headings, each by the trees that go with its case."""
    return [
        insertions([each.case], [chosen], each.placer)[0]
        for each, chosen in zip(found, headings, strict=True)
    ]
