"""`held train put-or-skip --preset attention`: boosted trees, networks beside them, and how both mix.

The heading step of this preset is that of `boosted`. The documents of split `valid` decide how much the
networks count; without any, both judges count alike.
"""

from __future__ import annotations

from dataclasses import replace

from held.corpus.store import data_hash, labelled_documents
from held.errors import UsageError
from held.hierarchy.insertion import Strategy
from held.models.store import Model, ModelKind
from held.training.attentive import AttentivePutOrSkip, train_attentive
from held.training.boosted import train_put_or_skip
from held.training.boosted_data import known_of
from held.training.boosted_trainer import found_unseen, prepared, valid_documents
from held.training.settings import settings_for
from held.training.trainers import TrainingRequest, current_commit
from held.training.validation import put_or_skip_scores


def train(request: TrainingRequest) -> Model:
    """The model that the request asks for, with its scores on valid."""

    def say(message: str) -> None:
        request.say({"doing": message})

    if request.kind is not ModelKind.PUT_OR_SKIP:
        raise UsageError("preset attention has no model for headings", advice="use that of preset boosted")
    if request.start is not None:
        raise UsageError("preset attention starts from no model", advice="fine-tune preset boosted")
    settings = settings_for(
        AttentivePutOrSkip,
        "put-or-skip",
        preset=request.preset,
        config=request.config,
        changes=request.changes,
    )
    train_documents = labelled_documents(request.data, splits=["train"])
    documents = prepared(train_documents, augmented=settings.augmented, seed=settings.seed, say=say)
    found = found_unseen(documents, settings, say) if settings.found else ()
    boosted = train_put_or_skip(
        documents,
        settings,
        found=found,
        data_hash=data_hash(request.data),
        commit=current_commit(),
        say=say,
    )
    valid = valid_documents(request)
    held_out = [known_of(labelled) for labelled in valid]
    model = train_attentive(
        documents, boosted, settings, found=found, held_out=held_out, checkpoints=request.checkpoints, say=say
    )
    return replace(model, scores=put_or_skip_scores(model, valid, strategy=Strategy(normalise=True)))
