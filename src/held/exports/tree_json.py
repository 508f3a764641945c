"""The hierarchy as JSON: the document's objects, and for each its parent; for each heading how sure it is."""

from __future__ import annotations

from typing import Any

from held.exports.outline import headings_of
from held.pipeline import Hierarchy
from held.serial import document_to_json

TREE_FORMAT = "held.tree"
TREE_VERSION = 1


def tree_to_json(hierarchy: Hierarchy) -> dict[str, Any]:
    """The JSON form; `parents` has -1 for what hangs under the root, `headings` are in reading order."""
    parents = hierarchy.tree.parents()
    return {
        "format": TREE_FORMAT,
        "version": TREE_VERSION,
        "headings": [
            {
                "object": heading.place,
                "level": heading.level,
                "page": heading.page,
                "title": heading.title,
                "probability": round(hierarchy.headings[heading.place], 4),
                "confidence": round(hierarchy.confidence[heading.place], 4),
            }
            for heading in headings_of(hierarchy)
        ],
        "parents": [parents[index] for index in range(len(hierarchy.document.objects))],
        "document": document_to_json(hierarchy.document),
    }
