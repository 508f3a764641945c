"""The hierarchy as JSON: the document's objects, the parent of each, and the probability of each heading.

Reading it back gives the same value. Titles, levels, paths and doubts are written for other readers of the
file; reading back computes them from the objects and their parents.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

from held.document_json import document_from_json, document_to_json, optional_number
from held.errors import UsageError, VersionError
from held.exports.outline import headings_of
from held.hierarchy import Hierarchy
from held.hierarchy.insertion import Alternative
from held.system.bounded_json import JsonValue
from held.tree import ROOT, Tree

TREE_FORMAT = "held.tree"
TREE_VERSION = 2  # raised if a field changes its meaning


def tree_to_json(hierarchy: Hierarchy) -> dict[str, Any]:
    """The JSON value; a parent of -1 is the root, `headings` are in reading order."""
    parents, paths = hierarchy.tree.parents(), hierarchy.tree.paths()
    indices = range(len(hierarchy.document.objects))
    # A path ends with the object itself, which a reader of the file knows.
    paths_above = [list(paths[index][:-1]) for index in indices]
    return {
        "format": TREE_FORMAT,
        "version": TREE_VERSION,
        "status": hierarchy.document.status,
        "calibrated": hierarchy.calibrated,
        "min_confidence": hierarchy.min_confidence,
        "inquiries": hierarchy.inquiries,
        "log_probability": hierarchy.log_probability,
        "headings": list(_headings(hierarchy)),
        "parents": [parents[index] for index in indices],
        "paths": paths_above,
        "document": document_to_json(hierarchy.document),
    }


def _headings(hierarchy: Hierarchy) -> Iterator[dict[str, Any]]:
    doubtful = hierarchy.doubtful
    for index, level, page, title in headings_of(hierarchy):
        alternatives = hierarchy.alternatives.get(index, ())
        yield {
            "object": index,
            "level": level,
            "page": page,
            "label": hierarchy.page_name(page),
            "title": title,
            "probability": hierarchy.headings[index],
            "confidence": hierarchy.confidence[index],
            "certainty": hierarchy.certainty(index),
            "doubtful": index in doubtful,
            "alternatives": [alternative._asdict() for alternative in alternatives],
        }


def tree_from_json(value: Any, *, file: str | os.PathLike[str] | None = None) -> Hierarchy:
    """The hierarchy that a JSON object describes; errors name `file`."""
    root = _check_version(value, file)
    document = document_from_json(root["document"].fields(), file=file)
    probabilities: dict[int, float] = {}
    confidence: dict[int, float] = {}
    alternatives: dict[int, tuple[Alternative, ...]] = {}
    names_outside: dict[int, str] = {}
    for heading in root["headings"].items():
        index = heading["object"].integer()
        if index >= len(document.objects):
            heading["object"].fail(f"an object below {len(document.objects)}")
        probabilities[index] = _probability(heading["probability"])
        confidence[index] = _probability(heading["confidence"])
        if heading["alternatives"].value:
            others = heading["alternatives"].items()
            alternatives[index] = tuple(_alternative(other) for other in others)
        # The document has the labels of its own pages only.
        if document.objects[index].page < document.first_page:
            names_outside[heading["page"].integer()] = heading["label"].text()
    return Hierarchy(
        document=document,
        tree=_tree(root["parents"], len(document.objects)),
        headings=probabilities,
        confidence=confidence,
        inquiries=root["inquiries"].integer(),
        log_probability=root["log_probability"].number(),
        alternatives=alternatives,
        calibrated=root["calibrated"].flag(),
        min_confidence=optional_number(root.get("min_confidence", None)),
        names_outside=names_outside,
    )


def _check_version(value: Any, file: str | os.PathLike[str] | None) -> JsonValue:
    root = JsonValue(value, file=file)
    if root["format"].value != TREE_FORMAT:
        root["format"].fail(f'"{TREE_FORMAT}"')
    version = root["version"].value
    if version != TREE_VERSION:
        raise VersionError(
            f"{TREE_FORMAT} version {version!r} is not known, only {TREE_VERSION}",
            file=file,
            advice="extract the document again with this version",
        )
    return root


def _tree(parents: JsonValue, count: int) -> Tree:
    values = parents.items()
    if len(values) != count:
        parents.fail(f"a parent for each of {count} objects")
    try:
        return Tree.from_parents([_parent(value) for value in values])
    except UsageError as error:
        return parents.fail(f"a tree in reading order: {error}")


def _parent(value: JsonValue) -> int:
    return ROOT if value.value == ROOT else value.integer()


def _alternative(value: JsonValue) -> Alternative:
    return Alternative(_parent(value["parent"]), _probability(value["probability"]))


def _probability(value: JsonValue) -> float:
    if not 0 <= value.number() <= 1:
        value.fail("a probability from 0 to 1")
    return value.number()
