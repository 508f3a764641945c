"""How many documents, and how many groups of them, every cell of the tables rests on.

Documents of one group (a company, a series, a publisher's template) are never in two splits: groups are what
is independent. What a labelled file begins with says all of it, so that a corpus is counted in a second.
"""

from __future__ import annotations

import lzma
import re
from pathlib import Path
from typing import Any

from research.paper.plan import DOMAINS

from held.corpus.store import SUFFIX

_HEAD_BYTES = 2000
_FIELD = re.compile(rb'"(domain|split|group|dropped)": (?:"([^"]*)"|null)')
SPLITS = ("train", "valid", "test")


def cells_of(data: Path) -> dict[str, Any]:
    """For each domain and split the number of documents whose labels are trusted, and of their groups."""
    found: dict[tuple[str, str], list[str]] = {}
    for path in sorted(data.glob(f"*{SUFFIX}")):
        with lzma.open(path) as file:
            head = {name.decode(): value.decode() for name, value in _FIELD.findall(file.read(_HEAD_BYTES))}
        if not head["dropped"]:
            found.setdefault((head["domain"], head["split"]), []).append(head["group"])
    return {
        domain: {
            split: {"documents": len(groups), "groups": len(set(groups))}
            for split in SPLITS
            if (groups := found.get((domain, split)))
        }
        for domain in DOMAINS
    }
