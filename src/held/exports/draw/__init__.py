"""Pictures of pages with the recognised objects drawn on them, to see what was recognised.

Kind by colour, reading order by number, furniture in grey. Needs Pillow, the extra `draw`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

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
# All in pixels.
_AIR = 2  # between a text and its frame, which must not touch the letters
_FRAME = 2
_LABEL_SIZE = 13  # of its letters
_LABEL_HEIGHT = 16
_LABEL_MARGIN = 3  # left and right of its text
_LEGEND_HEIGHT = 26
_LEGEND_MARGIN = 8
_SWATCH = 14  # the side of the square that shows a colour
_SWATCH_DISTANCE = 5  # to the name of the kind
_NAME_DISTANCE = 16  # to the next square


class _Shown(NamedTuple):
    """A part of an object on the picture; furniture has no label."""

    label: str
    kind: Kind
    corners: Corners


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
    shown = [_Shown(label, item.kind, _corners(box, scale)) for label, item, box in _placed(document, page)]
    # The largest first, so that small ones stay visible.
    for each in sorted(shown, key=lambda each: -_area(each.corners)):
        colour = colour_of(each.kind)
        pen.rectangle(each.corners, fill=f"#{colour}22", outline=f"#{colour}", width=_FRAME)
    _draw_labels(pen, [each for each in shown if each.label])
    picture = Image.alpha_composite(background.convert("RGBA"), layer).convert("RGB")
    kinds = {each.kind for each in shown}
    return _with_legend(picture, sorted(kinds, key=list(Kind).index))


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
    """The frame around a box in pixels, its corners in order: Pillow refuses one that is inside out."""
    x0, x1 = sorted((box.x0 * scale, box.x1 * scale))
    y0, y1 = sorted((box.y0 * scale, box.y1 * scale))
    return x0 - _AIR, y0 - _AIR, x1 + _AIR, y1 + _AIR


def _area(corners: Corners) -> float:
    x0, y0, x1, y1 = corners
    return (x1 - x0) * (y1 - y0)


def _draw_labels(pen: ImageDraw, labelled: Sequence[_Shown]) -> None:
    """Draw each label left of its object where there is room, and none over another."""
    from held.exports.draw.fonts import label_font

    font = label_font(_LABEL_SIZE)
    taken: list[Corners] = []
    for each in labelled:
        left, top, *_ = each.corners
        width = font.getlength(each.label) + 2 * _LABEL_MARGIN
        x, y = left - width, max(top, 0)
        while x > 0 and _overlaps((x, y, x + width, y + _LABEL_HEIGHT), taken):
            x -= width
        if x < 0:  # no room is left at the side: the label goes over its object
            x = left
        spot = (x, y, x + width, y + _LABEL_HEIGHT)
        taken.append(spot)
        pen.rectangle(spot, fill=f"#{colour_of(each.kind)}")
        pen.text((x + _LABEL_MARGIN, y), each.label, fill="#ffffff", font=font)


def _overlaps(spot: Corners, taken: Sequence[Corners]) -> bool:
    x0, y0, x1, y1 = spot
    return any(x0 < right and left < x1 and y0 < bottom and top < y1 for left, top, right, bottom in taken)


def _with_legend(picture: Image, kinds: Sequence[Kind]) -> Image:
    from PIL import Image, ImageDraw

    from held.exports.draw.fonts import label_font

    whole = Image.new("RGB", (picture.width, picture.height + _LEGEND_HEIGHT), "#f5f5f5")
    whole.paste(picture, (0, 0))
    pen = ImageDraw.Draw(whole)
    font = label_font(_LABEL_SIZE)
    x = float(_LEGEND_MARGIN)
    y = picture.height + (_LEGEND_HEIGHT - _SWATCH) // 2
    for kind in kinds:
        name = kind.value.replace("_", " ")
        if kind in FURNITURE:
            name += " (furniture)"
        pen.rectangle((x, y, x + _SWATCH, y + _SWATCH), fill=f"#{colour_of(kind)}")
        x += _SWATCH + _SWATCH_DISTANCE
        pen.text((x, y - 1), name, fill="#202020", font=font)
        x += font.getlength(name) + _NAME_DISTANCE
    return whole
