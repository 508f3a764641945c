"""How well a ranking does: average precision, recall and hits among the first k.

A ranking is given as what it puts first to last: True where relevant. All passages are in it, so what is
relevant and comes last still counts.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike


def relevance_by_rank(scores: ArrayLike, relevant: ArrayLike) -> list[bool]:
    """Whether each is relevant, the highest score first; equal scores keep their order."""
    order = np.argsort(-np.asarray(scores, np.float64), kind="stable")
    return [bool(found) for found in np.asarray(relevant, bool)[order]]


def average_precision(ranking: Sequence[bool]) -> float:
    """The mean, over the relevant ones, of the precision down to each; nan where none is relevant."""
    places = np.flatnonzero(ranking)
    return float(np.mean(np.arange(1, len(places) + 1) / (places + 1))) if len(places) else math.nan


def recall_at(ranking: Sequence[bool], k: int) -> float:
    """The share of the relevant ones among the first k; nan where none is relevant."""
    relevant = sum(ranking)
    return sum(ranking[:k]) / relevant if relevant else math.nan


def hit_at(ranking: Sequence[bool], k: int) -> float:
    """1 if a relevant one is among the first k, else 0; nan where none is relevant."""
    return float(any(ranking[:k])) if any(ranking) else math.nan
