"""Both steps of preset `base`, trained on the same documents."""

from __future__ import annotations

from collections.abc import Sequence

from held.models.store import Model
from held.training.boosted import (
    BoostedHeadings,
    BoostedPutOrSkip,
    silent,
    train_headings,
    train_put_or_skip,
    unseen_headings,
)
from held.training.boosted_data import Known


def both_steps(
    documents: Sequence[Known],
    headings: BoostedHeadings,
    placing: BoostedPutOrSkip,
    start: tuple[Model, Model] | tuple[None, None] = (None, None),
) -> tuple[Model, Model]:
    """The models that find headings and put them in place, grown onto those of `start` where it has any.

    The second learns also from headings that models find which have not seen the document's group.
    """
    found = unseen_headings(documents, headings, say=silent)
    return (
        train_headings(documents, headings, start=start[0], say=silent),
        train_put_or_skip(documents, placing, found=found, start=start[1], say=silent),
    )
