"""Models of both steps by grouped folds, and each document's candidates by models that don't know its group.

The training is reduced: one set of trees, smaller than those that ship. Every file is kept, so that an
interrupted run goes on.
"""

from __future__ import annotations

import pickle
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from research.opinion.candidates import DocumentTrees, document_trees
from research.trees import measure
from research.trees.data import Case

from held.hierarchy.boosted_step import BoostedTreeStep
from held.hierarchy.pipeline import HeadingStep, heading_step, tree_step
from held.models.store import ModelKind, load_model, save_model
from held.training.boosted_data import assign_folds
from held.training.boosted_trainer import (
    BoostedHeadings,
    BoostedPutOrSkip,
    train_headings,
    train_put_or_skip,
)

FOLDS = 3
MIN_HEADINGS = 3  # of a document; a smaller tree has nothing to choose
FOUND, GIVEN = "found", "given"
"""Candidates of the headings that a model finds, which are judged, and of the true ones, to learn from."""

_SEED = 1  # of the folds
_HEADINGS = BoostedHeadings(
    trees=100, learning_rate=0.2, threshold=0.35, silver=0.0, complete=10.0, keep_long=0.08
)
_PUT_OR_SKIP = BoostedPutOrSkip(
    trees=260, learning_rate=0.1, drawn=0.6, silver=0.0, complete=10.0, found=False
)


def write_candidates(cases: Sequence[Case], work: Path) -> None:
    """Trains the models of each fold, and writes the candidates of its documents, one file each."""
    cases = [case for case in cases if not case.silver]
    fold = assign_folds([case.known for case in cases], FOLDS, seed=_SEED)
    for number in range(FOLDS):
        seen = [case for case, own in zip(cases, fold, strict=True) if own != number]
        finder, placer = _models(seen, work / "models" / str(number))
        unseen = [case for case, own in zip(cases, fold, strict=True) if own == number]
        for done, case in enumerate(unseen):
            for kind in (FOUND, GIVEN):
                _write_trees(case, finder, placer, kind, work / kind / f"{case.known.id}.pickle")
            if done % 20 == 0:
                say(f"fold {number}: {done} of {len(unseen)} documents")


def _models(seen: Sequence[Case], folder: Path) -> tuple[HeadingStep, BoostedTreeStep]:
    """Both steps, trained on these cases unless they were before."""
    documents = [case.known for case in seen if case.known.headings]
    finding, putting = folder / "headings.held", folder / "put-or-skip.held"
    folder.mkdir(parents=True, exist_ok=True)
    if not finding.exists():
        save_model(finding, train_headings(documents, _HEADINGS, log=say))
    if not putting.exists():
        save_model(putting, train_put_or_skip(documents, _PUT_OR_SKIP, log=say))
    placer = tree_step(load_model(putting, ModelKind.PUT_OR_SKIP))
    if not isinstance(placer, BoostedTreeStep):
        raise SystemExit(f"{putting} is no model of boosted trees")
    return heading_step(load_model(finding, ModelKind.HEADINGS)), placer


def _write_trees(case: Case, finder: HeadingStep, placer: BoostedTreeStep, kind: str, path: Path) -> None:
    if path.exists():
        return
    headings = case.known.headings if kind == GIVEN else measure.found_headings([case], finder)[0]
    if len(headings) < MIN_HEADINGS:
        return
    trees = document_trees(case, headings, placer, count_paths=kind == FOUND)
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_suffix(".part")
    unfinished.write_bytes(pickle.dumps(trees, pickle.HIGHEST_PROTOCOL))
    unfinished.replace(path)


def read_trees(folder: Path) -> Iterator[DocumentTrees]:
    """The candidates in a folder, in the order of the documents' ids."""
    for path in sorted(folder.glob("*.pickle")):
        trees: DocumentTrees = pickle.loads(path.read_bytes())
        yield trees


def say(message: str) -> None:
    """Prints a message with the time."""
    print(f"{time.strftime('%H:%M:%S')} {message}", file=sys.stderr, flush=True)
