import pytest

from held.document import Box, Document, Kind, PageRegion, PhysicalObject
from held.exports.outline import to_outline, to_tree_text
from held.exports.tree_json import tree_to_json
from held.hierarchy import Hierarchy
from held.tree import Tree


def item(text: str, kind: Kind = Kind.PARAGRAPH, *, page: int = 1, **more: object) -> PhysicalObject:
    return PhysicalObject(kind, text, (PageRegion(page, Box(0, 0, 1, 1)),), **more)  # type: ignore[arg-type]


def hierarchy(objects: list[PhysicalObject], parents: list[int], headings: set[int]) -> Hierarchy:
    sure = dict.fromkeys(sorted(headings), 0.9)
    return Hierarchy(Document("a.pdf", (), tuple(objects)), Tree.from_parents(parents), sure, sure, 3, -0.1)


@pytest.fixture
def harbour() -> Hierarchy:
    objects = [
        item("1 Harbour"),
        item("1.1\tBoats", page=2),
        item("They lay * side by side.", page=2),
        item("• Nets", Kind.LIST_ITEM, page=2),
        item("a\tb", Kind.TABLE, page=3, rows=(("Boat", "Year"), ("Ann|a", "1912"))),
        item("", Kind.FIGURE, page=3),
    ]
    return hierarchy(objects, [-1, 0, 1, 1, 1, 1], {0, 1})


def test_an_outline_has_level_page_and_title_between_tabs(harbour: Hierarchy) -> None:
    assert to_outline(harbour) == "1\t1\t1 Harbour\n2\t2\t1.1 Boats\n"


def test_a_tree_to_read_is_indented_by_level(harbour: Hierarchy) -> None:
    assert to_tree_text(harbour) == "1 Harbour  (1)\n  1.1 Boats  (2)\n"


def test_the_json_has_the_parent_of_each_object(harbour: Hierarchy) -> None:
    value = tree_to_json(harbour)
    assert value["parents"] == [-1, 0, 1, 1, 1, 1]
    assert [heading["object"] for heading in value["headings"]] == [0, 1]
    assert value["document"]["objects"][2]["text"] == "They lay * side by side."
