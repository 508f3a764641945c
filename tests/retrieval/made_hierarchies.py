"""Small hierarchies for the tests of retrieval."""

from collections.abc import Mapping

from held.document import Box, Document, Kind, PageRegion, PageSize, PhysicalObject
from held.hierarchy import Hierarchy
from held.tree import Tree


def thing(text: str, kind: Kind = Kind.PARAGRAPH, page: int = 1) -> PhysicalObject:
    return PhysicalObject(kind, text, (PageRegion(page, Box(0, 0, 100, 10)),))


def hierarchy(tree: str, *objects: PhysicalObject, headings: Mapping[int, float] | None = None) -> Hierarchy:
    """The hierarchy with this tree; objects with children are its headings."""
    parsed = Tree.parse(tree)
    if headings is None:
        headings = {obj: 1.0 for obj, below in parsed.children().items() if below and obj >= 0}
    last = max(part.page for item in objects for part in item.parts)
    document = Document("made", (PageSize(600, 800),) * last, objects)
    return Hierarchy(document, parsed, headings, headings, 0, 0.0)
