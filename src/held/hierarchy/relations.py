"""How the headings of a document stand to each other: what attention between them is biased by.

Nearly every relation is an equality or a comparison of columns that the outline has already, and the rest
comes from its style table. They are made for a window of headings at a time, so that a document ten times
as long costs ten times as much, and not a hundred times.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from held.headings.columns import Columns
from held.headings.texts import Floats
from held.hierarchy.heading_features import (
    BEFORE_IDS,
    HELD,
    IDS,
    OWN,
    OWN_IDS,
    PREFIXES,
    VALUES,
    HeadingFeatures,
)

Flags = NDArray[np.bool_]

RELATIONS = Columns(
    (
        "same_look",
        "same_form",
        "same_class",
        "same_aligned",
        "follows",
        "followed_by",
        "under",
        "over",
        "right_under",
        "before",
        "next_to",
        "near",
        "larger",
        "smaller",
        "same_size",
        "same_capitals",
        "deeper_in_contents",
        "higher_in_contents",
        "same_in_contents",
        "held_by_contents",
        "between",
        "between_back",
    )
)
"""Of one heading to another: `larger` is that the other is; `between` are shares, all else is yes or no."""
_NEAR = 8  # headings
_SIZE_STEP = 0.01  # of the body's size: less is a rounding of the file


def relations(outline: HeadingFeatures, start: int, end: int) -> Floats:
    """Each heading of the rows from `start` to `end` against each: (W, W, RELATIONS)."""
    ids = outline.ids[start:end]
    count = end - start
    found = np.empty((len(RELATIONS), count, count), np.float32)
    related = dict(zip(RELATIONS, found, strict=True))
    _fill_numbers(related, ids)
    _fill_places(related, count)
    _fill_styles(related, ids, VALUES.named(outline.values[start:end]), outline)
    _fill_contents(related, VALUES.named(outline.values[start:end]), OWN.named(outline.own[start:end]))
    return np.ascontiguousarray(np.moveaxis(found, 0, 2))


def _fill_numbers(related: dict[str, Floats], ids: NDArray[np.int64]) -> None:
    """How the numbers of two headings stand to each other."""
    named = IDS.named(np.ascontiguousarray(ids))
    follows = _any_same(ids[:, BEFORE_IDS], ids[:, OWN_IDS])
    under = np.zeros_like(follows)
    for prefix in ids[:, PREFIXES].T:
        under |= prefix[:, None] == named["value"][None, :]
    related["same_form"][:] = _same(named["form"]) & (named["form"] > 0)[:, None]
    related["follows"][:] = follows
    related["followed_by"][:] = follows.T
    related["under"][:] = under
    related["over"][:] = under.T
    held = np.zeros_like(follows)
    for above in ids[:, HELD].T:
        held |= above[:, None] == named["entry"][None, :]
    related["held_by_contents"][:] = held
    related["right_under"][:] = named["immediate"][:, None] == named["value"][None, :]


def _fill_places(related: dict[str, Floats], count: int) -> None:
    """How far apart two headings are."""
    rows = np.arange(count)
    apart = rows[:, None] - rows[None, :]
    related["before"][:] = apart > 0
    related["next_to"][:] = np.abs(apart) == 1
    related["near"][:] = np.abs(apart) <= _NEAR


def _fill_styles(
    related: dict[str, Floats], ids: NDArray[np.int64], values: NDArray[np.void], outline: HeadingFeatures
) -> None:
    """How two headings are set, and what the style table says of their classes."""
    named = IDS.named(np.ascontiguousarray(ids))
    size = values["size"]
    growth = size[None, :] - size[:, None]
    related["same_look"][:] = _same(named["look"])
    related["same_class"][:] = _same(named["klass"])
    related["same_aligned"][:] = _same(named["aligned"])
    related["larger"][:] = growth > _SIZE_STEP
    related["smaller"][:] = growth < -_SIZE_STEP
    related["same_size"][:] = np.abs(growth) <= _SIZE_STEP
    related["same_capitals"][:] = _same(values["caps"])
    last_class = len(outline.between) - 1  # rarer classes share the last place of the style table
    klass = np.minimum(named["klass"], last_class)
    between = outline.between[klass[:, None], klass[None, :]]
    related["between"][:] = between
    related["between_back"][:] = between.T


def _fill_contents(related: dict[str, Floats], values: NDArray[np.void], own: NDArray[np.void]) -> None:
    """How the printed contents nest two headings, where they list both."""
    listed = own["in_contents"] > 0
    both_listed = listed[:, None] & listed[None, :]
    level = values["contents_level"]
    deeper = level[:, None] - level[None, :]
    related["deeper_in_contents"][:] = both_listed & (deeper > 0)
    related["higher_in_contents"][:] = both_listed & (deeper < 0)
    related["same_in_contents"][:] = both_listed & (deeper == 0)


def _any_same(ids: NDArray[np.int64], others: NDArray[np.int64]) -> Flags:
    """Whether any id of each row is that of each other row in the same place."""
    found = np.zeros((len(ids), len(others)), bool)
    for mine, its in zip(ids.T, others.T, strict=True):
        found |= mine[:, None] == its[None, :]
    return found


def _same(column: NDArray[np.generic]) -> Flags:
    return np.asarray(column[:, None] == column[None, :], bool)
