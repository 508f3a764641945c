"""Both steps of preset `base`, trained on the same documents."""

from __future__ import annotations

from collections.abc import Sequence

from experiments.base.measure import found_headings

from held.models.store import Model
from held.training.boosted import (
    BoostedHeadings,
    BoostedPutOrSkip,
    known_titles,
    silent,
    train_headings,
    train_put_or_skip,
    unseen_probabilities,
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
    unseen = unseen_probabilities(documents, known_titles(documents)[1], headings, say=silent)
    found = found_headings(unseen, headings.threshold)
    return (
        train_headings(documents, headings, start=start[0], say=silent),
        train_put_or_skip(documents, placing, found=found, start=start[1], say=silent),
    )
