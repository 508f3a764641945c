"""`held train --preset boosted`: boosted trees from labelled documents, anew or on top of a trained model.

Fine-tuning adds trees to those of the model that it starts from and keeps what that one knows of titles, so
that fifty documents of one's own are enough to gain.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from held.corpus.labelled import LabelledDocument
from held.corpus.store import data_hash, labelled_documents
from held.hierarchy.insertion import Strategy
from held.models.store import Model, ModelKind
from held.training.augmentation import augmented as in_other_clothes
from held.training.boosted import (
    BoostedHeadings,
    BoostedPutOrSkip,
    Say,
    silent,
    train_headings,
    train_put_or_skip,
    unseen_headings,
)
from held.training.boosted_data import Known, known_of
from held.training.settings import settings_for
from held.training.trainers import TrainingRequest, current_commit
from held.training.validation import heading_scores, put_or_skip_scores

_TOLD_EVERY = 100  # documents


def train(request: TrainingRequest) -> Model:
    """The model that the request asks for, with its scores on valid."""

    def say(message: str) -> None:
        request.say({"doing": message})

    given: dict[str, Any] = {"preset": request.preset, "config": request.config, "changes": request.changes}
    settings: BoostedHeadings | BoostedPutOrSkip
    if request.kind is ModelKind.HEADINGS:
        settings = settings_for(BoostedHeadings, "headings", **given)
    else:
        settings = settings_for(BoostedPutOrSkip, "put-or-skip", **given)
    train_documents = labelled_documents(request.data, splits=["train"])
    documents = prepared(train_documents, augmented=settings.augmented, seed=settings.seed, say=say)
    origin: dict[str, Any] = {
        "data_hash": data_hash(request.data),
        "commit": current_commit(),
        "say": say,
        "start": request.start,
    }
    if isinstance(settings, BoostedHeadings):
        model = train_headings(documents, settings, **origin)
        return replace(model, scores=heading_scores(model, valid_documents(request)))
    found = found_unseen(documents, settings, say) if settings.found else ()
    model = train_put_or_skip(documents, settings, found=found, **origin)
    scores = put_or_skip_scores(model, valid_documents(request), strategy=Strategy(normalise=True))
    return replace(model, scores=scores)


def valid_documents(request: TrainingRequest) -> list[LabelledDocument]:
    """The documents that a model is judged by: those of split valid whose outlines can be believed."""
    found = labelled_documents(request.data, splits=["valid"])
    return [labelled for labelled in found if not labelled.silver]


def prepared(
    documents: Iterable[LabelledDocument], *, augmented: int, seed: int, say: Say = silent
) -> list[Known]:
    """The documents as training needs them, each followed by so many of it in other clothes."""
    found: list[Known] = []
    for read, labelled in enumerate(documents, start=1):
        others = [in_other_clothes(labelled, seed=f"{seed}/{copy}") for copy in range(augmented)]
        found.append(known_of(labelled))
        found += [known_of(other)._replace(clothed=True) for other in others]
        if read % _TOLD_EVERY == 0:
            say(f"{read:,} documents read")
    return found


def found_unseen(documents: Sequence[Known], settings: BoostedPutOrSkip, say: Say) -> list[tuple[int, ...]]:
    """The headings that a heading step would find in documents that it does not know."""
    finding = BoostedHeadings(seed=settings.seed, threads=settings.threads)
    return unseen_headings(documents, finding, say=say)
