"""The stages of a training of both steps, each kept in a folder, so that a run goes on where it was ended.

The heading step; the headings that heading steps find which have not seen a document's group; the boosted
tree step, which learns from those too; and the networks beside it. Documents in other clothes are learnt
from where the settings of a step say so.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from research.commit import short_commit
from research.trees.data import Case, clothed

from held.models.store import Model, ModelKind, load_model, save_model
from held.training.boosted_data import TrainingDocument
from held.training.boosted_trainer import (
    BoostedHeadings,
    BoostedPutOrSkip,
    out_of_fold_headings,
    train_headings,
    train_put_or_skip,
)

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
    """What to train from which cases, and the folder that keeps it; those kept out tell how judges mix.

    Networks, which take longest, may learn from fewer cases than the trees.
    """

    learnt: Sequence[Case]
    kept: Sequence[Case]
    finding: BoostedHeadings
    putting: BoostedPutOrSkip
    network: Mapping[str, Any] | None
    folder: Path
    place: Place
    learnt_by_networks: Sequence[Case] | None = None  # all that the trees learn from

    def documents(self, copies: int, cases: Sequence[Case] | None = None) -> list[TrainingDocument]:
        """The documents to learn from, then each of them in so many other clothes."""
        learnt = self.learnt if cases is None else cases
        every = [case.known for case in learnt]
        for copy in range(copies):
            every += [clothed(case, self.place.data, self.place.cache, copy=copy) for case in learnt]
        return [known for known in every if known.headings]


def say(message: str) -> None:
    """Tells the time and what is being done."""
    print(f"{time.strftime('%H:%M:%S')} {message}", file=sys.stderr, flush=True)


def train_heading_step(task: Task) -> None:
    """Leaves `headings.held` in the folder."""
    path = task.folder / "headings.held"
    if path.exists():
        return
    documents = task.documents(task.finding.augmented)
    model = train_headings(documents, task.finding, data_hash=task.place.hash, commit=short_commit(), log=say)
    save_model(path, model)
    say("heading step trained")


def train_tree_step(task: Task) -> None:
    """Leaves `put-or-skip.held` in the folder."""
    path = task.folder / "put-or-skip.held"
    if path.exists():
        return
    boosted = _boosted(task)
    save_model(path, boosted if task.network is None else _attentive(task, boosted))


def find_unseen(task: Task) -> None:
    """Leaves the headings that heading steps find which have not seen a document's group."""
    _found(task)


def train_boosted(task: Task) -> None:
    """Leaves the boosted part of the tree step in a folder of its own."""
    _boosted(task)


def train_networks(task: Task) -> None:
    """Leaves the networks' checkpoints; the trees that ship stand in for those still being grown.

    Networks learn nothing from the trees beside them, so both can be trained at the same time.
    """
    _attentive(task, load_model("base", ModelKind.PUT_OR_SKIP))


def _found(task: Task) -> Found:
    """The headings that heading steps find which have not seen a document's group."""
    path = task.folder / "found.json"
    if path.exists():
        stored: Found = json.loads(path.read_text(encoding="utf-8"))
        return stored
    documents = task.documents(task.finding.augmented)
    chosen = out_of_fold_headings(documents, task.finding, log=say)
    found = {_name(known): list(own) for known, own in zip(documents, chosen, strict=True)}
    task.folder.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(found), encoding="utf-8")
    return found


def _boosted(task: Task) -> Model:
    """The boosted tree step; a folder of its own keeps it until the networks are there too."""
    path = task.folder / "boosted" / "put-or-skip.held"
    if path.exists():
        return load_model(path, ModelKind.PUT_OR_SKIP)
    found = _found(task)
    documents = task.documents(task.putting.augmented)
    shown = [found.get(_name(known), []) for known in documents]
    model = train_put_or_skip(
        documents, task.putting, found=shown, data_hash=task.place.hash, commit=short_commit(), log=say
    )
    save_model(path, model)
    return model


def _attentive(task: Task, boosted: Model) -> Model:
    """The tree step with networks beside the boosted trees."""
    from held.training.attention_trainer import AttentionPutOrSkip, train_attention

    names = {field.name for field in fields(AttentionPutOrSkip)}
    own = {name: value for name, value in boosted.settings.items() if name in names}
    settings = AttentionPutOrSkip(**{**own, **(task.network or {})})
    documents = task.documents(settings.augmented, task.learnt_by_networks)
    found = _found(task)
    shown = [found.get(_name(known), []) for known in documents]
    held_out = [case.known for case in task.kept if case.known.headings and not case.silver]
    networks = task.folder / "networks"
    model = train_attention(
        documents, boosted, settings, found=shown, held_out=held_out, checkpoints=networks, log=say
    )
    return replace(model, data_hash=boosted.data_hash, commit=boosted.commit)


def _name(known: TrainingDocument) -> str:
    return f"{known.id} in other clothes" if known.restyled else known.id
