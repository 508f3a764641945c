"""What the words at the end of a row tell: whether a sentence is over, or must go on."""

from __future__ import annotations

import re

from held.layout.rows import Row

FINAL = frozenset(".!?。！？:：;；")
CONNECTORS = re.compile(
    r"(?:[,/&(（、，\-–—]|\b(?:a|an|and|as|at|by|for|from|in|into|of|on|or|the|to|under|with|its|our|und|de|la))$",
    re.I,
)


def continues_sentence(row: Row) -> bool:
    """Whether a row cannot be the end of a heading."""
    return CONNECTORS.search(row.text) is not None
