"""The number of documents and of groups behind every cell of the tables.

Documents of one group (a company, a series, a publisher's template) are never in two splits, so that groups
are independent. The beginning of a labelled file has all that is counted, so this takes a second.
"""

from __future__ import annotations

import lzma
import re
from pathlib import Path
from typing import Any

from research.paper.plan import DOMAINS

from held.corpus.store import LABELLED_SUFFIX

_HEAD_BYTES = 2000
_FIELD = re.compile(rb'"(domain|split|group|dropped)": (?:"([^"]*)"|null)')
SPLITS = ("train", "valid", "test")


def cells_of(data: Path) -> dict[str, Any]:
    """The number of documents with trusted labels, and of their groups, by domain and split."""
    groups_of_cell: dict[tuple[str, str], list[str]] = {}  # a group for each document
    for path in sorted(data.glob(f"*{LABELLED_SUFFIX}")):
        with lzma.open(path) as file:
            beginning = file.read(_HEAD_BYTES)
        fields = {name.decode(): value.decode() for name, value in _FIELD.findall(beginning)}
        if not fields["dropped"]:
            groups_of_cell.setdefault((fields["domain"], fields["split"]), []).append(fields["group"])
    cells: dict[str, Any] = {}
    for domain in DOMAINS:
        cells[domain] = {}
        for split in SPLITS:
            groups = groups_of_cell.get((domain, split))
            if groups:
                cells[domain][split] = {"documents": len(groups), "groups": len(set(groups))}
    return cells
