"""The stages of a training of both steps, each kept in a folder, so that a run goes on where it was ended.

First the probabilities of the heading step's first stage, by models that have not seen a document's group.
Then the heading step, whose second stage learns from them, and the tree step, which learns from the headings
that they find. Augmented copies are learnt from where the settings of a step say so.
"""

from __future__ import annotations

import pickle
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from research.commit import short_commit
from research.trees.data import Case, scanned_copy

from held.headings import Floats
from held.headings.classifier import headings_at
from held.models.store import save_model
from held.training.boosted_data import TrainingDocument
from held.training.boosted_growth import TreeSettings
from held.training.boosted_trainer import (
    BoostedHeadings,
    BoostedPutOrSkip,
    first_stage_probabilities,
    is_scanned,
    out_of_fold_trees,
    train_headings,
    train_put_or_skip,
)
from held.training.check_trainer import BuiltTree

Found = dict[str, list[int]]
"""The headings that were found in each document."""


@dataclass(frozen=True)
class Place:
    """Where documents and results lie."""

    data: Path
    cache: Path
    work: Path
    hash: str


@dataclass(frozen=True)
class Task:
    """What to train from which cases, and the folder that keeps it."""

    learnt: Sequence[Case]
    finding: BoostedHeadings
    putting: BoostedPutOrSkip
    folder: Path
    place: Place

    def documents(self, settings: TreeSettings) -> list[TrainingDocument]:
        """The documents to learn from, then the copies of them that the settings want."""
        place = self.place
        every = [case.known for case in self.learnt]
        scans = [case for case in self.learnt if is_scanned(case.known.id, settings.scanned)]
        every += [scanned_copy(case, place.data, place.cache) for case in scans]
        return [known for known in every if known.headings]


def say(message: str) -> None:
    """Tells the time and what is being done."""
    print(f"{time.strftime('%H:%M:%S')} {message}", file=sys.stderr, flush=True)


def train_heading_step(task: Task) -> None:
    """Leaves `headings.held` in the folder."""
    path = task.folder / "headings.held"
    if path.exists():
        return
    documents = task.documents(task.finding)
    first = _first_stage(task, documents) if task.finding.second else None
    model = train_headings(
        documents, task.finding, first=first, data_hash=task.place.hash, commit=short_commit(), log=say
    )
    save_model(path, model)
    say("heading step trained")


def train_first_stage(task: Task) -> None:
    """Leaves the first stage's probabilities. With them, both steps can be trained at the same time."""
    _first_stage(task, task.documents(task.finding))


def train_tree_step(task: Task) -> None:
    """Leaves `put-or-skip.held` in the folder."""
    path = task.folder / "put-or-skip.held"
    if path.exists():
        return
    found = _find_headings(task)
    documents = task.documents(task.putting)
    shown = [found.get(known.id, []) for known in documents]
    model = train_put_or_skip(
        documents,
        task.putting,
        found=shown,
        built=_build_trees(task, documents, shown) if task.putting.check else None,
        data_hash=task.place.hash,
        commit=short_commit(),
        log=say,
    )
    save_model(path, model)
    say("tree step trained")


def build_fold_trees(task: Task) -> None:
    """Leaves the trees that the check learns from."""
    found = _find_headings(task)
    documents = task.documents(task.putting)
    _build_trees(task, documents, [found.get(known.id, []) for known in documents])


def _build_trees(
    task: Task, documents: Sequence[TrainingDocument], found: Sequence[Sequence[int]]
) -> list[BuiltTree | None]:
    """The trees of the headings found, by tree steps that have not seen a document's group."""
    path = task.folder / "built.pickle"
    if path.exists():
        stored: list[BuiltTree | None] = pickle.loads(path.read_bytes())
        return stored
    built = out_of_fold_trees(documents, task.putting, found, log=say)
    path.write_bytes(pickle.dumps(built, pickle.HIGHEST_PROTOCOL))
    return built


def _first_stage(task: Task, documents: Sequence[TrainingDocument]) -> list[Floats]:
    """The first stage's probabilities by models that have not seen a document's group."""
    path = task.folder / "first.pickle"
    if path.exists():
        stored: list[Floats] = pickle.loads(path.read_bytes())
        return stored
    first = first_stage_probabilities(documents, task.finding, log=say)
    task.folder.mkdir(parents=True, exist_ok=True)
    path.write_bytes(pickle.dumps(first, pickle.HIGHEST_PROTOCOL))
    return first


def _find_headings(task: Task) -> Found:
    """The headings that first stages find which have not seen a document's group."""
    documents = task.documents(task.finding)
    first = _first_stage(task, documents)
    threshold = task.finding.threshold
    return {
        known.id: list(headings_at(threshold, probabilities))
        for known, probabilities in zip(documents, first, strict=True)
    }
