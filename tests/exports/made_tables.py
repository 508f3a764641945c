"""Tables and documents made up for tests."""

from collections.abc import Sequence

from held.document import Box, Document, Kind, PageRegion, PhysicalObject, TableCell, TableStructure
from held.exports.tables import Table, tables_of
from held.hierarchy import Hierarchy
from held.tree import Tree

BOX = Box(10, 20, 110, 40)
CATCH_ROWS = (
    ("", "Nine months ended", ""),
    ("Boat", "2025", "2024"),
    ("Anna", "1,234", "(7)"),
    ("Berta", "—", "12.5%"),
)
CATCH_CELLS = (
    TableCell(0, 1, "Nine months ended", column_span=2, header=True, page=3, box=BOX),
    TableCell(1, 0, "Boat", header=True, page=3, box=BOX),
    TableCell(1, 1, "2025", header=True, page=3, box=BOX),
    TableCell(1, 2, "2024", header=True, page=3, box=BOX),
    TableCell(2, 0, "Anna", page=3, box=BOX),
    TableCell(2, 1, "1,234", page=3, box=BOX),
    TableCell(2, 2, "(7)", page=3, box=BOX),
    TableCell(3, 0, "Berta", page=3, box=BOX),
    TableCell(3, 1, "—", page=3, box=BOX),
    TableCell(3, 2, "12.5%", page=3, box=BOX),
)
CATCH = TableStructure(CATCH_CELLS, caption="Table 1: The catch", unit="in tons", notes=("Salted.",))


def thing(kind: Kind, text: str, page: int = 3) -> PhysicalObject:
    return PhysicalObject(kind, text, (PageRegion(page, BOX),))


def table_object(
    rows: Sequence[Sequence[str]], structure: TableStructure | None = None, page: int = 3
) -> PhysicalObject:
    texts = tuple(tuple(row) for row in rows)
    return PhysicalObject(Kind.TABLE, "", (PageRegion(page, BOX),), rows=texts, table=structure)


def below_heading(*objects: PhysicalObject) -> Hierarchy:
    """A document of one section, Harbour."""
    everything = (thing(Kind.PARAGRAPH, "Harbour"), *objects)
    tree = Tree.from_parents([-1, *[0] * len(objects)])
    return Hierarchy(Document("a.pdf", (), everything), tree, {0: 1.0}, {0: 1.0}, 0, 0.0)


def only_table(rows: Sequence[Sequence[str]], structure: TableStructure | None = None) -> Table:
    (found,) = tables_of(below_heading(table_object(rows, structure)))
    return found


def catch() -> Table:
    return only_table(CATCH_ROWS, CATCH)
