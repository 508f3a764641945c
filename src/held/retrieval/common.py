"""How much a word tells: little, if it stands on many pages of documents of all sorts (`terms/common.txt`).

A document's own statistics cannot say so: "get" may be rare in a filing, and asks for nothing even there.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files


def telling_weight(word: str) -> float:
    """From near 0 for a word that is everywhere to 1 for most words."""
    return _weights().get(word, 1.0)


@cache
def _weights() -> Mapping[str, float]:
    text = files("held.retrieval.terms").joinpath("common.txt").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    classes = [line.partition(":") for line in lines]
    return {word: float(weight) for weight, _, words in classes for word in words.split()}
