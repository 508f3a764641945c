"""Small documents of our own: objects one below the other, and outlines that point at them."""

from held.document import Box, Document, Kind, OutlineEntry, PageRegion, PageSize, PhysicalObject, Style

BODY = Style("Serif", 10.0)
BOLD = Style("Serif", 12.0, bold=True)


def item(
    text: str,
    page: int = 1,
    y: float = 100.0,
    style: Style = BODY,
    kind: Kind = Kind.PARAGRAPH,
    lines: int = 1,
) -> PhysicalObject:
    """An object of one column."""
    box = Box(72.0, y, 500.0, y + 12.0 * lines)
    return PhysicalObject(
        kind, text, (PageRegion(page, box),), style, lines=lines, relative_size=style.size / 10.0
    )


def head(text: str, page: int = 1, y: float = 100.0) -> PhysicalObject:
    """An object set like a heading."""
    return item(text, page, y, BOLD)


def document(*objects: PhysicalObject | str) -> Document:
    """Objects on pages of their own making; a text alone is put on page 1, below what stands before it."""
    placed = [
        obj if isinstance(obj, PhysicalObject) else item(obj, y=100.0 + 20.0 * place)
        for place, obj in enumerate(objects)
    ]
    last = max((obj.page for obj in placed), default=1)
    return Document("made up", (PageSize(595.0, 842.0),) * last, tuple(placed), body=BODY)


def entry(title: str, level: int = 1, page: int | None = 1, y: float | None = None) -> OutlineEntry:
    """A bookmark."""
    return OutlineEntry(level, title, page, y)
