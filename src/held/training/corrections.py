"""Fine-tunes both steps on documents that a person has corrected.

Every fifth document is held out, and the report compares the model before and after on these: it tells you
whether the next document will need fewer corrections.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from lightgbm.basic import LightGBMError

from held.corpus.store import LabelledDocument, data_hash, labelled_documents, truth
from held.errors import InputError
from held.hierarchy.pipeline import TreeOptions, build_trees
from held.metrics import Prediction, TreeCounts, compare_trees
from held.models.store import MODEL_SUFFIX, ModelKind, load_model, save_model
from held.system.bounded_json import write_json
from held.training.boosted_growth import TreeSettings
from held.training.boosted_trainer import (
    BoostedHeadings,
    BoostedPutOrSkip,
    prepare_documents,
    train_headings,
    train_put_or_skip,
)
from held.training.trainers import current_commit

REPORT = "report.json"
_HELD_OUT_EVERY = 5  # documents; with fewer, none is held out
_NEW_TREES = 60  # per step; a few documents must not outvote the thousands that the model comes from

Log = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Scores:
    """F1 of the headings, and the share of headings with the right path."""

    headings: float
    paths: float


@dataclass(frozen=True, slots=True)
class Report:
    """How many documents were trained on and held out, and the scores on the latter, if any."""

    learnt: int
    held_out: int
    before: Scores | None
    after: Scores | None

    def summary(self) -> str:
        """The report in one line."""
        if self.before is None or self.after is None:
            return f"learnt from {self.learnt}; too few documents to hold any out"
        headings = f"headings {self.before.headings:.3f} → {self.after.headings:.3f}"
        paths = f"paths {self.before.paths:.3f} → {self.after.paths:.3f}"
        return f"learnt from {self.learnt}, {self.held_out} held out: {headings}, {paths}"

    def to_json(self) -> dict[str, Any]:
        """The report as a JSON object."""
        found = {"before": self.before, "after": self.after}
        values = {name: None if value is None else asdict(value) for name, value in found.items()}
        return {"learnt": self.learnt, "held_out": self.held_out, **values}


def teach(folder: Path, output: Path, *, start: str = "base", log: Log = print) -> Report:
    """Writes a fine-tuned model into the output folder, for `--model`, and returns the report on it."""
    documents = list(labelled_documents(folder))
    if not documents:
        advice = "`held serve` writes those that were called right into its folder `labelled`"
        raise InputError("has no labelled documents", file=folder, advice=advice)
    learnt, held_out = split_documents(documents)
    log(f"learning from {len(learnt)} documents, {len(held_out)} held out")
    output.mkdir(parents=True, exist_ok=True)
    try:
        fine_tune(learnt, output, start, hash_of_data=data_hash(folder), log=log)
    except LightGBMError as error:
        advice = "correct some more, or longer ones"
        raise InputError("has too little to learn from", file=folder, advice=advice) from error
    before = measure(held_out, start) if held_out else None
    after = measure(held_out, os.fspath(output)) if held_out else None
    report = Report(len(learnt), len(held_out), before, after)
    write_json(output / REPORT, report.to_json())
    return report


def split_documents(
    documents: Sequence[LabelledDocument],
) -> tuple[list[LabelledDocument], list[LabelledDocument]]:
    """The documents to train on, and every fifth, which is held out."""
    held_out = list(documents[_HELD_OUT_EVERY - 1 :: _HELD_OUT_EVERY])
    held_out_ids = {labelled.id for labelled in held_out}
    learnt = [labelled for labelled in documents if labelled.id not in held_out_ids]
    return learnt, held_out


def fine_tune(
    learnt: Sequence[LabelledDocument], output: Path, start: str, *, hash_of_data: str = "", log: Log
) -> None:
    """Adds trees to both steps of the start model, and writes them as files of one folder."""
    heading_settings = BoostedHeadings(trees=_NEW_TREES)
    tree_settings = BoostedPutOrSkip(trees=_NEW_TREES)
    documents = prepare_documents(learnt, TreeSettings())
    common: dict[str, Any] = {"data_hash": hash_of_data, "commit": current_commit(), "log": log}
    log("finding headings")
    old = load_model(start, ModelKind.HEADINGS)
    new = train_headings(documents, heading_settings, start=old, **common)
    save_model(output / f"{ModelKind.HEADINGS}{MODEL_SUFFIX}", new)
    log("putting them in place")
    old = load_model(start, ModelKind.PUT_OR_SKIP)
    new = train_put_or_skip(documents, tree_settings, start=old, **common)
    save_model(output / f"{ModelKind.PUT_OR_SKIP}{MODEL_SUFFIX}", new)


def measure(documents: Sequence[LabelledDocument], model: str) -> Scores:
    """The scores of a model on documents, with both steps in sequence."""
    found = build_trees([labelled.document for labelled in documents], TreeOptions(model=model))
    counts = TreeCounts()
    for labelled, result in zip(documents, found, strict=True):
        prediction = Prediction(result.tree, frozenset(result.headings))
        counts += compare_trees(truth(labelled), prediction)
    return Scores(round(counts.headings.f1, 4), round(counts.heading_paths.value, 4))
