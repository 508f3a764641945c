"""Words and vectors together, for those who have embeddings: none ships.

`embed` is a function of the user's, from texts to vectors. The likeness of a passage's vector to the
question's is added to its score, as one more match beside those of words.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from held.errors import UsageError
from held.retrieval.bm25 import SMALL, Floats
from held.retrieval.passages import Passage

WEIGHT = 3.0  # of the likeness, beside the sum of matches: meaning counts as much as a page's kind

Embed = Callable[[Sequence[str]], Any]
"""From texts to an array of their vectors: (texts, D)."""


def text_to_embed(passage: Passage) -> str:
    """What is embedded of a passage: the nearest heading above it, and its text."""
    return "\n".join([*passage.path[-1:], passage.text])


def vectors_of(texts: Sequence[str], embed: Embed) -> NDArray[np.float32]:
    """The vectors of texts, each of length 1; an error if the function does not give one for each."""
    if not texts:
        return np.zeros((0, 0), np.float32)
    found = np.asarray(embed(texts), np.float32)
    if found.ndim != 2 or len(found) != len(texts):
        shape = " x ".join(map(str, found.shape))
        raise UsageError(
            f"embed gave {shape} for {len(texts)} texts", advice="it must give one vector for each"
        )
    lengths = np.linalg.norm(found, axis=1, keepdims=True)
    return np.asarray(found / np.maximum(lengths, SMALL), np.float32)


def likeness(question: str, vectors: NDArray[np.float32], embed: Embed) -> Floats:
    """How alike each passage is to the question, over the best of the document; none is less than 0."""
    (asked,) = vectors_of([question], embed)
    alike = np.maximum(vectors @ asked, 0)
    return np.asarray(alike / max(float(alike.max(initial=0)), SMALL), np.float32)
