"""DoclingDocument JSON as our document, and back."""

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from held.document import Box, Document, Kind
from held.errors import FormatError
from held.exports.outline import headings_of
from held.hierarchy import Hierarchy
from held.hierarchy.pipeline import build_tree
from held.integrations import fix_levels, from_docling, read_parser_json
from tests.integrations.foreign_values import as_docling

FILE = Path(__file__).with_name("harbour.docling.json")


@pytest.fixture
def harbour() -> Any:
    return json.loads(FILE.read_text(encoding="utf-8"))


def labels(value: Any) -> dict[str, tuple[str, int | None]]:
    return {item["text"]: (item["label"], item.get("level")) for item in value["texts"]}


def test_elements_become_objects_of_their_kind_in_reading_order(harbour: Any) -> None:
    kinds = [item.kind.value for item in from_docling(harbour).objects]
    assert kinds == [
        "heading",
        "contents_entry",
        "contents_entry",
        "heading",
        "paragraph",
        "heading",
        "list_item",
        "list_item",
        "caption",
        "table",
        "figure",
        "heading",
        "paragraph",
        "footnote",
    ]


def test_furniture_is_put_aside(harbour: Any) -> None:
    assert [item.kind for item in from_docling(harbour).furniture] == [Kind.HEADER, Kind.FOOTER]


def test_boxes_are_turned_to_count_from_the_top(harbour: Any) -> None:
    assert from_docling(harbour).objects[0].box == Box(150, 72, 462, 96)


def test_list_markers_and_cells_stay(harbour: Any) -> None:
    objects = from_docling(harbour).objects
    assert objects[6].text == "(a) Nets of hemp"
    assert objects[9].rows == (("Boat", "Year"), ("Anna", "1912"))


def test_text_inside_a_picture_is_the_pictures(harbour: Any) -> None:
    assert from_docling(harbour).objects[10].text == "north"


def test_sizes_are_judged_by_boxes(harbour: Any) -> None:
    objects = from_docling(harbour).objects
    title, chapter, body = objects[0], objects[3], objects[4]
    assert title.relative_size > chapter.relative_size > body.relative_size == 1.0
    assert body.lines == 3


def test_levels_are_corrected_in_the_same_json(harbour: Any) -> None:
    before = copy.deepcopy(harbour)
    fixed = labels(fix_levels(harbour))
    assert [fixed[t] for t in ("1 Boats", "1.1 Nets", "2 Ice")] == [
        ("section_header", 1),
        ("section_header", 2),
        ("section_header", 1),
    ]
    assert harbour == before


def test_nothing_but_levels_changes(harbour: Any) -> None:
    fixed = fix_levels(harbour)
    for item in (*fixed["texts"], *harbour["texts"]):
        item.pop("level", None)
    assert fixed == harbour


def test_headings_can_be_found_anew(harbour: Any) -> None:
    text = next(item for item in harbour["texts"] if item["text"] == "1.1 Nets")
    text["label"] = "text"
    del text["level"]
    assert labels(fix_levels(harbour))["1.1 Nets"] == ("text", None)
    assert labels(fix_levels(harbour, headings="found"))["1.1 Nets"] == ("section_header", 2)


def test_a_heading_that_was_read_as_a_list_item_keeps_its_number(harbour: Any) -> None:
    text = next(item for item in harbour["texts"] if item["text"] == "1.1 Nets")
    del text["level"]
    text |= {"label": "list_item", "text": "Nets", "marker": "1.1", "enumerated": True}
    fixed = fix_levels(harbour, headings="found")
    assert labels(fixed)["1.1 Nets"] == ("section_header", 2)


def test_a_file_and_docling_objects_are_read_alike(harbour: Any) -> None:
    class OfDocling:
        def export_to_dict(self) -> Any:
            return harbour

    assert from_docling(FILE).objects == from_docling(OfDocling()).objects == from_docling(harbour).objects
    assert from_docling(json.dumps(harbour)).source == "harbour.pdf"


@pytest.mark.parametrize(
    ("change", "wrong"),
    [
        ({"schema_name": "Other"}, "not a DoclingDocument"),
        ({"body": {"children": [{"$ref": "#/texts/99"}]}}, "points to #/texts/99, which is not there"),
        ({"body": {"children": [{"$ref": "#/nowhere/0"}]}}, "nowhere is missing"),
        ({"body": {"children": 3}}, "body.children must be an array"),
    ],
)
def test_what_is_wrong_is_said(harbour: Any, change: dict[str, Any], wrong: str) -> None:
    with pytest.raises(FormatError, match=wrong):
        from_docling(harbour | change)


def test_the_pdf_tells_how_text_is_set(theirs: Document, report_pdf: Path) -> None:
    styled = from_docling(as_docling(theirs), pdf=report_pdf)
    same = sum(a.style == b.style for a, b in zip(styled.objects, theirs.objects, strict=True))
    assert same / len(theirs.objects) > 0.95
    assert styled.body == theirs.body


@pytest.mark.parametrize("with_pdf", [True, False])
def test_the_sample_gets_the_levels_that_we_give_it(
    theirs: Document, ours: Hierarchy, report_pdf: Path, with_pdf: bool
) -> None:
    found = build_tree(from_docling(as_docling(theirs), pdf=report_pdf if with_pdf else None))
    expected = [(one.title, one.level) for one in headings_of(ours)]
    got = [(one.title, one.level) for one in headings_of(found)]
    assert sum(a == b for a, b in zip(got, expected, strict=True)) >= 0.9 * len(expected)


def test_other_json_is_not_taken_for_anothers() -> None:
    assert read_parser_json({"objects": []}) is None
    assert read_parser_json([1, 2]) is None
    assert read_parser_json([]) is None
