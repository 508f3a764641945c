"""Pictures of pages with the recognised objects drawn on them, to see what was recognised.

Kind by colour, reading order by number, furniture in grey. Needs Pillow, the extra `draw`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from held.document import FURNITURE, Box, Document, Kind, PhysicalObject
from held.errors import UsageError

if TYPE_CHECKING:
    from PIL.Image import Image
    from PIL.ImageDraw import ImageDraw

COLOURS = {
    Kind.PARAGRAPH: "1f6fd0",
    Kind.HEADING: "d50000",
    Kind.LIST_ITEM: "00897b",
    Kind.CONTENTS_ENTRY: "8d6e00",
    Kind.CAPTION: "7b1fa2",
    Kind.FOOTNOTE: "6d4c41",
    Kind.FORMULA: "ec407a",
    Kind.TABLE: "e65100",
    Kind.FIGURE: "2e7d32",
    Kind.CODE: "00695c",
}
Corners = tuple[float, float, float, float]
_FURNITURE_COLOUR = "757575"
_LABEL_SIZE = 13
_LABEL_HEIGHT = 16
_LEGEND_HEIGHT = 26


def require_pillow() -> None:
    """Raise a clear error where Pillow is not installed."""
    try:
        import PIL  # noqa: F401
    except ImportError:
        raise UsageError("drawing needs Pillow", advice="pip install 'held[draw]'") from None


def draw_objects(document: Document, page: int, background: Image, *, scale: float) -> Image:
    """The picture of a page with its objects and a legend; `scale` is pixels per point."""
    from PIL import Image, ImageDraw

    layer = Image.new("RGBA", background.size, (0, 0, 0, 0))
    pen = ImageDraw.Draw(layer)
    placed = [(label, item.kind, _corners(box, scale)) for label, item, box in _placed(document, page)]
    for _, kind, corners in sorted(placed, key=lambda shown: -_area(shown[2])):  # small ones stay visible
        pen.rectangle(corners, fill=f"#{colour_of(kind)}22", outline=f"#{colour_of(kind)}", width=2)
    _draw_labels(pen, [(label, colour_of(kind), corners) for label, kind, corners in placed if label])
    picture = Image.alpha_composite(background.convert("RGBA"), layer).convert("RGB")
    return _with_legend(picture, sorted({kind for _, kind, _ in placed}, key=list(Kind).index))


def colour_of(kind: Kind) -> str:
    """The colour of a kind as rrggbb."""
    return COLOURS.get(kind, _FURNITURE_COLOUR)


def _placed(document: Document, page: int) -> Iterator[tuple[str, PhysicalObject, Box]]:
    """What stands on a page: furniture without a label, objects with their number in reading order.

    The number counts from the first object that stands on the page. An arrow marks a part that goes on
    from, or to, another column or page.
    """
    for item in document.furniture:
        for part in item.parts:
            if part.page == page:
                yield "", item, part.box
    here = [item for item in document.objects if any(part.page == page for part in item.parts)]
    for number, item in enumerate(here, start=1):
        for place, part in enumerate(item.parts):
            if part.page == page:
                before = "→" if place else ""
                after = "→" if place + 1 < len(item.parts) else ""
                yield f"{before}{number}{after}", item, part.box


def _corners(box: Box, scale: float) -> Corners:
    # Two pixels of air, and never turned inside out: text must stay readable within its frame.
    x0, x1 = sorted((box.x0 * scale, box.x1 * scale))
    y0, y1 = sorted((box.y0 * scale, box.y1 * scale))
    return x0 - 2, y0 - 2, x1 + 2, y1 + 2


def _area(corners: Corners) -> float:
    return (corners[2] - corners[0]) * (corners[3] - corners[1])


def _draw_labels(pen: ImageDraw, labels: Sequence[tuple[str, str, Corners]]) -> None:
    """Draw each label left of its object where there is room, and none over another."""
    from held.draw.fonts import label_font

    font = label_font(_LABEL_SIZE)
    taken: list[Corners] = []
    for label, colour, corners in labels:
        width = font.getlength(label) + 6
        x, y = corners[0] - width, max(corners[1], 0)
        while x > 0 and _overlaps((x, y, x + width, y + _LABEL_HEIGHT), taken):
            x -= width
        x = x if x >= 0 else corners[0]
        taken.append((x, y, x + width, y + _LABEL_HEIGHT))
        pen.rectangle(taken[-1], fill=f"#{colour}")
        pen.text((x + 3, y), label, fill="#ffffff", font=font)


def _overlaps(spot: Corners, taken: Sequence[Corners]) -> bool:
    x0, y0, x1, y1 = spot
    return any(x0 < other[2] and other[0] < x1 and y0 < other[3] and other[1] < y1 for other in taken)


def _with_legend(picture: Image, kinds: Sequence[Kind]) -> Image:
    from PIL import Image, ImageDraw

    from held.draw.fonts import label_font

    whole = Image.new("RGB", (picture.width, picture.height + _LEGEND_HEIGHT), "#f5f5f5")
    whole.paste(picture, (0, 0))
    pen = ImageDraw.Draw(whole)
    font = label_font(_LABEL_SIZE)
    x, y = 8.0, picture.height + 6
    for kind in kinds:
        name = kind.value.replace("_", " ") + (" (furniture)" if kind in FURNITURE else "")
        pen.rectangle((x, y, x + 14, y + 14), fill=f"#{colour_of(kind)}")
        pen.text((x + 19, y - 1), name, fill="#202020", font=font)
        x += 19 + font.getlength(name) + 16
    return whole
