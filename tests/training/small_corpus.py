"""Small labelled documents whose headings are numbered and bold: what a network learns in seconds."""

import json
import random
from pathlib import Path
from typing import Any

import numpy as np

from held.corpus.store import LabelledDocument, write_labelled
from held.document import Box, Document, Kind, PageRegion, PageSize, PhysicalObject, Style
from held.metrics import Label
from held.models.store import AnyKind, BaselineKind, Model, ModelKind
from held.paper.training.embeddings import Embeddings, known_characters
from held.paper.training.examples import gather, training_arrays
from held.paper.training.network_trainer import NetworkTask
from held.training.settings import (
    HeadingSettings,
    PutOrSkipSettings,
    TocSettings,
    settings_for,
)
from held.training.trainers import TrainingRequest
from held.tree import ROOT

BODY = Style("Times", 10.0)
STYLES = {1: Style("Times-Bold", 16.0, bold=True), 2: Style("Times-Bold", 12.0, bold=True)}
PLACE = (PageRegion(1, Box(0, 0, 1, 1)),)
TEST_SETTINGS = (
    "text_size=8",
    "batch_size=16",
    "epochs=2",
    "evaluate_every=20",
    "checkpoint_every=3",
    "log_every=1",
    "embedding_size=4",
    "characters=50",
    "text_length=12",
)
PUT_OR_SKIP = (*TEST_SETTINGS, "sequence_size=12", "format_size=4", "hidden_size=8", "chunk=4")
HEADINGS = (
    *TEST_SETTINGS,
    "batch_size=4",
    "kernels=[3, 1]",
    "channels=[8, 8]",
    "heads=2",
    "window=16",
    "margin=2",
)
TOC = tuple(change for change in HEADINGS if not change.startswith("heads"))
_SMALL: dict[AnyKind, tuple[type[HeadingSettings | PutOrSkipSettings | TocSettings], tuple[str, ...]]] = {
    ModelKind.HEADINGS: (HeadingSettings, HEADINGS),
    ModelKind.PUT_OR_SKIP: (PutOrSkipSettings, PUT_OR_SKIP),
    BaselineKind.TOC: (TocSettings, TOC),
}


def small_document(seed: int, *, split: str = "train") -> LabelledDocument:
    rng = random.Random(seed)
    objects: list[PhysicalObject] = []
    parents: list[int] = []

    def add(text: str, style: Style, parent: int) -> int:
        objects.append(PhysicalObject(Kind.PARAGRAPH, text, PLACE, style))
        parents.append(parent)
        return len(objects) - 1

    for chapter in range(1, 4):
        top = add(f"{chapter} Chapter", STYLES[1], ROOT)
        for section in range(1, rng.randrange(2, 5)):
            below = add(f"{chapter}.{section} Section", STYLES[2], top)
            for _ in range(rng.randrange(3)):
                add("Some text of the body.", BODY, below)
    labels = tuple(Label.BODY if item.style == BODY else Label.HEADING for item in objects)
    document = Document(f"d{seed}", (PageSize(600, 800),), tuple(objects), body=BODY)
    entries = (-1,) * len(objects)
    return LabelledDocument(
        f"d{seed}", document, labels, tuple(parents), entries, split=split, domain="manuals"
    )


def write_small_corpus(folder: Path, *, train: int = 6, valid: int = 2) -> Path:
    folder.mkdir(exist_ok=True)
    for seed in range(train + valid):
        write_labelled(folder, small_document(seed, split="train" if seed < train else "valid"))
    return folder


def small_request(kind: ModelKind, data: Path, run: Path, embeddings: Path, *changes: str) -> TrainingRequest:
    small = HEADINGS if kind is ModelKind.HEADINGS else PUT_OR_SKIP
    return TrainingRequest(kind, "paper", data, run, changes=(*small, *changes), embeddings=embeddings)


def log_of(run: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (run / "metrics.jsonl").read_text("utf-8").splitlines()]


def untrained(kind: AnyKind, *changes: str) -> Model:
    """A small model with the weights that training would begin with."""
    form, small = _SMALL[kind]
    settings = settings_for(form, kind.value, preset="paper", changes=(*small, *changes))
    gathered = gather([small_document(seed) for seed in range(4)], cut=64)
    code_points = known_characters(gathered.distinct, most=50, rare=1)
    vectors = np.random.default_rng(0).normal(size=(len(code_points) + 2, 4)).astype(np.float32)
    arrays = training_arrays(gathered, code_points, cut=settings.text_length)
    task = NetworkTask(kind, "paper", settings, arrays, "", Embeddings(code_points, vectors), ())
    return task.model(task.network())
