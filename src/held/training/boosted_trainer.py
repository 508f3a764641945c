"""`held train --preset base`: boosted trees from labelled documents, anew or on top of a trained model.

Fine-tuning adds trees to those of the model that it starts from and keeps what that one knows of titles, so
that fifty documents of one's own are enough to gain.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from held.corpus.labelled import LabelledDocument
from held.corpus.store import data_hash, labelled_documents
from held.insertion import Strategy
from held.models.store import Model, ModelKind
from held.training.boosted import (
    BoostedHeadings,
    BoostedPutOrSkip,
    Say,
    known_titles,
    train_headings,
    train_put_or_skip,
    unseen_probabilities,
)
from held.training.boosted_data import Known, known_of
from held.training.settings import settings_for
from held.training.trainers import TrainingRequest, current_commit
from held.training.valid import heading_scores, put_or_skip_scores

_TOLD_EVERY = 100  # documents


def train(request: TrainingRequest) -> Model:
    """The model that the request asks for, with its scores on valid."""

    def say(message: str) -> None:
        request.say({"doing": message})

    documents = _prepared(labelled_documents(request.data, splits=["train"]), say)
    origin: dict[str, Any] = {
        "data_hash": data_hash(request.data),
        "commit": current_commit(),
        "say": say,
        "start": request.start,
    }
    given: dict[str, Any] = {"preset": request.preset, "config": request.config, "changes": request.changes}
    if request.kind is ModelKind.HEADINGS:
        settings = settings_for(BoostedHeadings, "headings", **given)  # type: ignore[type-var]
        model = train_headings(documents, settings, **origin)
        return replace(model, scores=heading_scores(model, _valid(request)))
    placing = settings_for(BoostedPutOrSkip, "put-or-skip", **given)  # type: ignore[type-var]
    found = _found(documents, placing, say) if placing.found else ()
    model = train_put_or_skip(documents, placing, found=found, **origin)
    scores = put_or_skip_scores(model, _valid(request), strategy=Strategy(normalise=True))
    return replace(model, scores=scores)


def _valid(request: TrainingRequest) -> list[LabelledDocument]:
    return list(labelled_documents(request.data, splits=["valid"]))


def _prepared(documents: Iterable[LabelledDocument], say: Say) -> list[Known]:
    """The documents as training needs them."""
    found: list[Known] = []
    for labelled in documents:
        found.append(known_of(labelled))
        if len(found) % _TOLD_EVERY == 0:
            say(f"{len(found):,} documents read")
    return found


def _found(documents: Sequence[Known], settings: BoostedPutOrSkip, say: Say) -> list[tuple[int, ...]]:
    """The headings that a heading step would find in documents that it does not know."""
    finding = BoostedHeadings(seed=settings.seed, threads=settings.threads)
    unseen = unseen_probabilities(documents, known_titles(documents)[1], finding, say=say)
    return [tuple((p >= finding.threshold).nonzero()[0].tolist()) for p in unseen]
