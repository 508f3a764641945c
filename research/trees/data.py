"""Labelled documents prepared for preset `base`, kept in a folder so that each is prepared only once."""

from __future__ import annotations

import hashlib
import pickle
import sys
from collections.abc import Collection
from pathlib import Path
from typing import NamedTuple

from held.corpus.store import LABELLED_SUFFIX, LabelledDocument, read_labelled, truth
from held.document import Document
from held.errors import UsageError
from held.headings.object_features import FEATURES_VERSION, DocumentFeatures, ObjectFeatures
from held.metrics import Truth
from held.training.boosted_data import TrainingDocument, training_document
from held.training.scanned_copies import scan


class Columns(DocumentFeatures):
    """A document of which the columns were kept and nothing else: enough for models that look at no more."""

    def __init__(self, table: ObjectFeatures) -> None:
        vars(self)["objects"] = table  # where the cached property would keep it

    @property
    def document(self) -> Document:
        """None was kept."""
        raise UsageError("of a case the columns were kept, not the document that this model reads")

    def __len__(self) -> int:
        return len(self.objects)


class Case(NamedTuple):
    """A document as the experiments need it."""

    known: TrainingDocument
    truth: Truth
    split: str
    dropped: bool
    silver: bool = False  # learnt from, never scored: part of its tree is a guess
    lang: str = ""

    @property
    def domain(self) -> str:
        return self.known.domain

    @property
    def by_hand(self) -> bool:
        """Whether a person wrote its outline, with every heading."""
        return self.known.by_hand

    @property
    def seen(self) -> DocumentFeatures:
        """The document as the steps of a model take it."""
        return Columns(self.known.table)


def load(
    folder: Path,
    cache: Path,
    *,
    splits: Collection[str],
    domains: Collection[str] | None = None,
    dropped: bool = False,
) -> list[Case]:
    """The cases of these splits, in the order of their ids; dropped documents only on request."""
    if "test" in splits and tuple(splits) != ("test",):
        raise SystemExit("test is measured alone")
    cache.mkdir(parents=True, exist_ok=True)
    cases = []
    paths = sorted(folder.glob(f"*{LABELLED_SUFFIX}"))
    for place, path in enumerate(paths):
        if domains is not None and path.name.split("-")[0] not in domains:
            continue
        case = _case(path, cache, splits)
        if case is not None and case.split in splits and (dropped or not case.dropped):
            cases.append(case)
        if place % 50 == 0:
            print(f"\r{place} of {len(paths)} documents", end="", file=sys.stderr, flush=True)
    print(f"\r{len(cases)} documents read", file=sys.stderr)
    return cases


def _case(path: Path, cache: Path, splits: Collection[str]) -> Case | None:
    """The case in a file, from the cache where the file is the one that was prepared."""
    stored = _cache_path(path, cache)
    if stored.exists():
        found: Case = pickle.loads(stored.read_bytes())
        return found._replace(known=found.known._replace(silver=found.silver))
    labelled = read_labelled(path)
    if labelled.split not in splits:
        return None
    case = prepare(labelled)
    stored.write_bytes(pickle.dumps(case, pickle.HIGHEST_PROTOCOL))
    return case


def _cache_path(path: Path, cache: Path, what: str = "") -> Path:
    """Where the cache keeps what was prepared of a file, under what the file holds."""
    name = hashlib.sha256(path.read_bytes()).hexdigest()[:24]
    return cache / f"{path.name.removesuffix(LABELLED_SUFFIX)}-{FEATURES_VERSION}-{name}{what}.pickle"


def scanned_copy(case: Case, folder: Path, cache: Path) -> TrainingDocument:
    """The document of a case as a scan, from the cache where it was made before."""
    path = folder / f"{case.known.id}{LABELLED_SUFFIX}"
    stored = _cache_path(path, cache, "-scan")
    if stored.exists():
        found: TrainingDocument = pickle.loads(stored.read_bytes())
        return found._replace(silver=case.silver)
    copy = scan(read_labelled(path), seed=0)
    known = training_document(copy)._replace(is_copy=True, id=f"{case.known.id}-scan")
    stored.write_bytes(pickle.dumps(known, pickle.HIGHEST_PROTOCOL))
    return known


def prepare(labelled: LabelledDocument) -> Case:
    """The case of a labelled document."""
    return Case(
        training_document(labelled),
        truth(labelled),
        labelled.split,
        labelled.dropped is not None,
        labelled.silver,
        labelled.lang,
    )
