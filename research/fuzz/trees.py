"""A broken tree for every seed: the JSON of a sample with odd texts, for the writers of all formats.

A broken PDF rarely has a table or a long heading left. The samples have both, so that odd texts reach every
branch of the writers of docx, xlsx and epub.
"""

from __future__ import annotations

import json
import random
from functools import lru_cache
from typing import Any

from research.fuzz.mutants import SAMPLES, holders, json_mutant

# What formats must escape, cannot hold, or take for something else: markup, controls, formulas, numbers.
ODD_TEXTS = (
    "",
    "\0",
    "\ud800",
    "\ufffe",
    "]]>",
    "<&>\"'",
    "a\r\nb\x0b",
    "\u202e\u2066",
    "=1+1",
    "[a]:*?/\\",
    "x" * 40_000,
    "9" * 400,
    "1e999",
    "nan",
    "(1,234)",
    "١٢٣",
    "−12 %",
    "../../x",
)
MOST_TEXTS = 6  # changed in one tree


def tree_mutant(seed: int) -> bytes:
    """The tree of a seed: odd texts, and in half of the files values that do not belong where they are."""
    chance = random.Random(seed)
    name = chance.choice(sorted(sample_trees()))
    value = json.loads(sample_trees()[name])
    places = _text_places(value)
    for holder, key in chance.sample(places, chance.randint(1, MOST_TEXTS)):
        holder[key] = chance.choice(ODD_TEXTS)
    if chance.random() < 0.5:
        value = json_mutant(seed, value)
    return json.dumps(value).encode()


@lru_cache(maxsize=1)
def sample_trees() -> dict[str, str]:
    """The trees of the samples as JSON, by name."""
    import held

    paths = sorted(SAMPLES.glob("*.pdf"))
    return {path.stem: held.extract(path, jobs=1).to_json() for path in paths}


def _text_places(value: Any) -> list[tuple[Any, Any]]:
    """Where the texts of a JSON value are: what holds each, and its key or index there."""
    places: list[tuple[Any, Any]] = []
    for holder in holders(value):
        members = holder.items() if isinstance(holder, dict) else enumerate(holder)
        places += [(holder, key) for key, member in members if isinstance(member, str)]
    return places
