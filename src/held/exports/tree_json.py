"""The hierarchy as JSON: the document's objects, what each hangs under, and how sure each heading is.

Reading back gives the same value. Titles, levels, paths and doubts are written for whoever reads the file
without us; reading back takes them from the objects and their parents.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

from held.document_json import document_from_json, document_to_json, optional_number
from held.errors import UsageError, VersionError
from held.exports.outline import headings_of
from held.hierarchy.hierarchy import Hierarchy
from held.hierarchy.insertion import Alternative
from held.system.json_values import JsonValue
from held.tree import ROOT, Tree

TREE_FORMAT = "held.tree"
TREE_VERSION = 2


def tree_to_json(hierarchy: Hierarchy) -> dict[str, Any]:
    """The JSON form; `parents` has -1 for what hangs under the root, `headings` are in reading order."""
    parents, paths = hierarchy.tree.parents(), hierarchy.tree.paths()
    objects = range(len(hierarchy.document.objects))
    return {
        "format": TREE_FORMAT,
        "version": TREE_VERSION,
        "status": hierarchy.document.status,
        "calibrated": hierarchy.calibrated,
        "min_confidence": hierarchy.min_confidence,
        "inquiries": hierarchy.inquiries,
        "log_probability": hierarchy.log_probability,
        "headings": list(_headings(hierarchy)),
        "parents": [parents[index] for index in objects],
        "paths": [list(paths[index][:-1]) for index in objects],
        "document": document_to_json(hierarchy.document),
    }


def _headings(hierarchy: Hierarchy) -> Iterator[dict[str, Any]]:
    doubtful = hierarchy.doubtful
    for place, level, page, title in headings_of(hierarchy):
        yield {
            "object": place,
            "level": level,
            "page": page,
            "label": hierarchy.page_name(page),
            "title": title,
            "probability": hierarchy.headings[place],
            "confidence": hierarchy.confidence[place],
            "certainty": hierarchy.certainty(place),
            "doubtful": place in doubtful,
            "alternatives": [other._asdict() for other in hierarchy.alternatives.get(place, ())],
        }


def tree_from_json(value: Any, *, file: str | os.PathLike[str] | None = None) -> Hierarchy:
    """The hierarchy that a JSON object describes; `file` is for messages."""
    root = _checked(value, file)
    document = document_from_json(root["document"].fields(), file=file)
    headings = {heading["object"].integer(): heading for heading in root["headings"].items()}
    for heading in headings.values():
        if heading["object"].value >= len(document.objects):
            heading["object"].fail(f"an object below {len(document.objects)}")
    return Hierarchy(
        document=document,
        tree=_tree(root["parents"], len(document.objects)),
        headings={place: _probability(heading["probability"]) for place, heading in headings.items()},
        confidence={place: _probability(heading["confidence"]) for place, heading in headings.items()},
        inquiries=root["inquiries"].integer(),
        log_probability=root["log_probability"].number(),
        alternatives={
            place: tuple(_alternative(other) for other in heading["alternatives"].items())
            for place, heading in headings.items()
            if heading["alternatives"].value
        },
        calibrated=root["calibrated"].flag(),
        min_confidence=optional_number(root.get("min_confidence", None)),
        names_outside={
            heading["page"].integer(): heading["label"].text()
            for place, heading in headings.items()
            if document.objects[place].page < document.first_page
        },
    )


def _checked(value: Any, file: str | os.PathLike[str] | None) -> JsonValue:
    """The value, after a look at its format and version."""
    root = JsonValue(value, file=None if file is None else os.fspath(file))
    if root["format"].value != TREE_FORMAT:
        root["format"].fail(f'"{TREE_FORMAT}"')
    if root["version"].value != TREE_VERSION:
        raise VersionError(
            f"{TREE_FORMAT} version {root['version'].value!r} is not known, only {TREE_VERSION}",
            file=file,
            advice="extract the document anew with this version",
        )
    return root


def _tree(parents: JsonValue, objects: int) -> Tree:
    found = parents.items()
    if len(found) != objects:
        parents.fail(f"a parent for each of {objects} objects")
    try:
        return Tree.from_parents([_parent(parent) for parent in found])
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
