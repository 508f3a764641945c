"""The hierarchy as JSON and back, and how doubt is shown."""

import json
from dataclasses import replace
from importlib import resources
from typing import Any

import jsonschema
import pytest
from referencing import Registry, Resource

from held.document import Box, Document, Kind, PageRegion, PageSize, PhysicalObject
from held.errors import FormatError, VersionError
from held.exports.outline import to_outline, to_tree_text
from held.exports.tree_json import tree_from_json, tree_to_json
from held.hierarchy import Hierarchy
from held.hierarchy.insertion import Alternative
from held.system.bounded_json import encode_json
from held.tree import ROOT, Tree


def item(text: str, page: int) -> PhysicalObject:
    return PhysicalObject(Kind.PARAGRAPH, text, (PageRegion(page, Box(0, 0, 1, 1)),))


@pytest.fixture
def harbour() -> Hierarchy:
    objects = (item("Harbour", 1), item("Boats", 2), item("They lay side by side.", 2), item("Nets", 3))
    return Hierarchy(
        Document("a.pdf", (PageSize(9, 9, "i"), PageSize(9, 9), PageSize(9, 9, "1")), objects),
        Tree.from_parents([ROOT, 0, 1, 0]),
        {0: 0.99, 1: 0.9, 3: 0.8},
        {0: 1.0, 1: 0.8, 3: 0.5},
        6,
        -0.9163,
        {3: (Alternative(1, 0.3), Alternative(ROOT, 0.2))},
        calibrated=True,
    )


def schema(name: str) -> Any:
    return json.loads((resources.files("held") / "schemas" / f"{name}.schema.json").read_text("utf-8"))


def written(hierarchy: Hierarchy) -> Any:
    return json.loads(encode_json(tree_to_json(hierarchy)))


@pytest.mark.parametrize("least", [None, 0.7])
def test_reading_back_gives_the_same_hierarchy(harbour: Hierarchy, least: float | None) -> None:
    asked = replace(harbour, min_confidence=least)
    assert tree_from_json(written(asked)) == asked


def test_what_is_written_keeps_to_the_schema(harbour: Hierarchy) -> None:
    registry = Registry().with_resource("held.document-2", Resource.from_contents(schema("document-2")))
    jsonschema.Draft202012Validator(schema("tree-2"), registry=registry).validate(written(harbour))


def test_the_older_version_is_refused_with_advice(harbour: Hierarchy) -> None:
    with pytest.raises(VersionError, match=r"old.json: held.tree version 1 is not known, only 2 \(extract"):
        tree_from_json({**written(harbour), "version": 1}, file="old.json")


@pytest.mark.parametrize(
    ("field", "value", "wrong"),
    [
        ("format", "held.document", '"held.tree"'),
        ("parents", [-1, 0], "a parent for each of 4 objects"),
        ("parents", [-1, -1, 0, 0], "a tree in reading order"),
        ("parents", [-1, -2, 0, 0], r"parents\[1\] must be a whole number"),
        ("headings", [{"object": 4}], r"headings\[0\].object must be an object below 4"),
        ("headings", [{"object": 0, "probability": 1.2}], "a probability from 0 to 1"),
        ("calibrated", "yes", "true or false"),
    ],
)
def test_a_wrong_field_is_refused_with_its_place(
    harbour: Hierarchy, field: str, value: object, wrong: str
) -> None:
    with pytest.raises(FormatError, match=wrong):
        tree_from_json({**written(harbour), field: value})


def test_the_json_says_which_alternatives_were_close(harbour: Hierarchy) -> None:
    nets = written(harbour)["headings"][2]
    assert nets["alternatives"] == [{"parent": 1, "probability": 0.3}, {"parent": -1, "probability": 0.2}]
    assert (nets["probability"], nets["confidence"], nets["certainty"]) == (0.8, 0.5, 0.4)


def test_the_json_has_the_headings_above_each_object(harbour: Hierarchy) -> None:
    assert written(harbour)["paths"] == [[], [0], [0, 1], [0]]


def test_a_heading_that_is_rather_wrong_than_right_is_doubtful(harbour: Hierarchy) -> None:
    assert harbour.doubtful == {3}
    assert replace(harbour, min_confidence=0.8).doubtful == {1, 3}


def test_a_tree_to_read_marks_doubt_and_names_pages_by_their_labels(harbour: Hierarchy) -> None:
    assert to_tree_text(harbour) == "Harbour  (i)\n  Boats  (2)\n  Nets  (1) ?\n"


def test_an_outline_marks_doubt_only_where_a_least_confidence_is_asked_for(harbour: Hierarchy) -> None:
    assert to_outline(harbour) == "1\t1\tHarbour\n2\t2\tBoats\n2\t3\tNets\n"
    asked = replace(harbour, min_confidence=0.5)
    assert to_outline(asked) == "1\t1\tHarbour\n2\t2\tBoats\n2\t3\tNets\t?\n"
