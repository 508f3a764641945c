"""Unstructured's elements as our document, and back."""

import copy
from pathlib import Path
from typing import Any

import pytest

from held.document import Box, Document, Kind
from held.errors import FormatError
from held.exports.outline import headings_of
from held.hierarchy import Hierarchy
from held.hierarchy.pipeline import build_tree
from held.integrations import fix_levels, from_unstructured
from held.integrations.unstructured import parse_table
from tests.integrations.foreign_values import as_unstructured

BODY = "The boats lie in the harbour from the first frost until the ice is gone. " * 3


def element(n: int, kind: str, text: str, **metadata: Any) -> dict[str, Any]:
    return {"type": kind, "element_id": f"e{n}", "text": text, "metadata": {"page_number": 1, **metadata}}


@pytest.fixture
def harbour() -> list[dict[str, Any]]:
    return [
        element(0, "Header", "Harbour report"),
        element(1, "Title", "1 Boats", category_depth=0),
        element(2, "NarrativeText", BODY, parent_id="e1"),
        element(3, "Title", "1.1 Nets", category_depth=0),
        element(4, "ListItem", "of hemp", parent_id="e3"),
        element(5, "ListItem", "thin ones", parent_id="e4", category_depth=1),
        element(6, "Table", "Boat Year", text_as_html="<table><tr><th>Boat</th><th>Year</th></tr></table>"),
        element(7, "PageBreak", ""),
        element(8, "Title", "2 Ice", category_depth=0),
        element(9, "NarrativeText", BODY),
    ]


def test_elements_become_objects_of_their_kind(harbour: Any) -> None:
    document = from_unstructured(harbour)
    kinds = [item.kind.value for item in document.objects]
    assert kinds == [
        "heading",
        "paragraph",
        "heading",
        "list_item",
        "list_item",
        "table",
        "heading",
        "paragraph",
    ]
    assert [item.kind for item in document.furniture] == [Kind.HEADER]
    assert document.objects[5].rows == (("Boat", "Year"),)


def test_titles_get_their_depth_and_everyone_their_heading(harbour: Any) -> None:
    before = copy.deepcopy(harbour)
    fixed = fix_levels(harbour)
    depths = {one["text"]: one["metadata"]["category_depth"] for one in fixed if one["type"] == "Title"}
    assert depths == {"1 Boats": 0, "1.1 Nets": 1, "2 Ice": 0}
    parents = [one["metadata"].get("parent_id") for one in fixed]
    assert parents == [None, None, "e1", "e1", "e3", "e4", "e3", None, None, "e8"]
    assert harbour == before


def test_titles_that_are_none_can_be_found_out(harbour: Any) -> None:
    harbour[2]["type"] = "Title"
    assert fix_levels(harbour)[2]["type"] == "Title"
    assert fix_levels(harbour, headings="found")[2]["type"] == "NarrativeText"


def test_pixels_become_points() -> None:
    corners = [[200, 100], [200, 150], [700, 150], [700, 100]]
    place = {"points": corners, "system": "PixelSpace", "layout_width": 1190, "layout_height": 1684}
    document = from_unstructured([element(0, "Title", "Boats", coordinates=place)])
    assert document.objects[0].box == Box(100, 50, 350, 75)
    assert document.pages[0][:2] == (595, 842)


def test_point_space_counts_from_the_bottom() -> None:
    corners = [[72, 700], [72, 680], [172, 680], [172, 700]]
    place = {"points": corners, "system": "PointSpace", "layout_width": 612, "layout_height": 792}
    document = from_unstructured([element(0, "Title", "Boats", coordinates=place)])
    assert document.objects[0].box == Box(72, 92, 172, 112)


@pytest.mark.parametrize("places", [True, False])
def test_the_pdf_tells_how_text_is_set(theirs: Document, report_pdf: Path, places: bool) -> None:
    styled = from_unstructured(as_unstructured(theirs, places=places), pdf=report_pdf)
    same = sum(a.style == b.style for a, b in zip(styled.objects, theirs.objects, strict=True))
    assert same / len(theirs.objects) > 0.95


def test_the_sample_gets_the_levels_that_we_give_it(
    theirs: Document, ours: Hierarchy, report_pdf: Path
) -> None:
    found = build_tree(from_unstructured(as_unstructured(theirs), pdf=report_pdf))
    pairs = list(zip(headings_of(found), headings_of(ours), strict=True))
    assert sum(a.level == b.level for a, b in pairs) >= 0.9 * len(pairs)


def test_rows_of_a_table_are_filled_up() -> None:
    assert parse_table("<table><tr><td>a<td>b</tr><tr><td> c  d </td></tr></table>") == (
        ("a", "b"),
        ("c d", ""),
    )


@pytest.mark.parametrize("value", [[], [{"type": "Title"}], {"schema_name": "Other"}])
def test_what_is_no_list_of_elements_is_refused(value: Any) -> None:
    with pytest.raises(FormatError, match="not a list of unstructured's elements"):
        from_unstructured(value)
    with pytest.raises(FormatError, match="neither a DoclingDocument nor"):
        fix_levels(value)


def test_elements_of_unstructured_itself_are_read(harbour: Any) -> None:
    class Element:
        def __init__(self, value: Any) -> None:
            self.value = value

        def to_dict(self) -> Any:
            return self.value

    assert from_unstructured([Element(one) for one in harbour]) == from_unstructured(harbour)


def test_a_wrong_place_is_said(harbour: Any) -> None:
    harbour[1]["metadata"]["page_number"] = "one"
    with pytest.raises(FormatError, match=r"elements\[1\].metadata.page_number must be a whole number"):
        from_unstructured(harbour)
