"""What an inquiry reads: a sequence of codes, first those of a position, last that of the object to insert.

The same sequences are made for training and at inference.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from held.tree import Position

ROOT_CODE = 0
EMPTY_CODE = 1
"""Stands where a position has no siblings."""
FIRST_OBJECT = 2
"""Object k of all has the code FIRST_OBJECT + k; those below name what is no object."""

Codes = Mapping[int, int]
"""The code of each object of a document, and of its root."""


def position_sequence(
    position: Position, codes: Codes, *, max_siblings: int, parent: bool, siblings: bool
) -> tuple[int, ...]:
    """The codes of what the network reads before the object: the parent, then siblings or an empty slot."""
    before = (codes[position.parent],) if parent else ()
    if not siblings:
        return before
    own = [codes[sibling] for sibling in position.siblings(max_siblings)]
    return (*before, *(own or [EMPTY_CODE]))


def longest_sequence(settings: Mapping[str, Any]) -> int:
    """How many codes a network reads before the object at most."""
    parent = 1 if settings["parent"] else 0
    if not settings["siblings"]:
        return parent
    empty_slot = 1  # stands even where no sibling may be read
    siblings: int = max(empty_slot, settings["max_siblings"])
    return parent + siblings
