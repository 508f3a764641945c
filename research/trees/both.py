"""Both steps of preset `base`, trained on the same documents."""

from __future__ import annotations

from collections.abc import Sequence

from held.models.store import Model
from held.training.boosted_data import TrainingDocument
from held.training.boosted_growth import discard_log
from held.training.boosted_trainer import (
    BoostedHeadings,
    BoostedPutOrSkip,
    out_of_fold_headings,
    train_headings,
    train_put_or_skip,
)


def both_steps(
    documents: Sequence[TrainingDocument],
    headings: BoostedHeadings,
    placing: BoostedPutOrSkip,
    start: tuple[Model, Model] | tuple[None, None] = (None, None),
) -> tuple[Model, Model]:
    """The models that find headings and put them in place, grown onto those of `start` where it has any.

    The second learns also from headings that models find which have not seen the document's group.
    """
    found = out_of_fold_headings(documents, headings, log=discard_log)
    return (
        train_headings(documents, headings, start=start[0], log=discard_log),
        train_put_or_skip(documents, placing, found=found, start=start[1], log=discard_log),
    )
