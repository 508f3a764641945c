"""Pictures of pages with recognised objects, or with labelled headings, to check both at a glance.

`draw_objects` shows kinds by colour, the reading order by number, and furniture in grey. `draw_labels` shows
the level of a heading by colour and the path above it as a tag; an object that may be a heading has a
question mark, and a heading that is no object is written where it belongs. Needs Pillow, the extra `draw`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from held.document import FURNITURE, Box, Document, Kind, PhysicalObject
from held.exports.draw_background import Corners, label_font, text_font, to_pixels
from held.exports.object_text import shorten
from held.metrics import Label
from held.system.optional_packages import missing_package
from held.tree import ROOT

if TYPE_CHECKING:
    from PIL.Image import Image
    from PIL.ImageDraw import ImageDraw
    from PIL.ImageFont import FreeTypeFont

    from held.corpus.store import LabelledDocument

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
    Kind.SUBTITLE: "5c6bc0",
}
_FURNITURE_COLOUR = "757575"
# All in pixels, but for _CORNER_PT.
_FRAME_GAP = 2  # between a text and its frame, which must not touch the letters
_FRAME = 2  # width of a line
_LABEL_SIZE = 13  # of its letters
_LABEL_HEIGHT = 16  # of its box
_LABEL_MARGIN = 3  # left and right of its text
_LEGEND_HEIGHT = 26  # of the strip below the page
_LEGEND_MARGIN = 8  # left of the first square
_SWATCH = 14  # the side of the square that shows a colour
_SWATCH_DISTANCE = 5  # to the name of the kind
_NAME_DISTANCE = 16  # to the next square
LEVEL_COLOURS = ("c2185b", "1f6fd0", "2e7d32", "e65100", "7b1fa2", "00897b", "6d4c41")
UNKNOWN_COLOUR = "b58900"
MISSING_COLOUR = "d00000"
_TAG_SIZE = 12  # of its letters
_TAG_HEIGHT = 16  # of its box
_TAG_MARGIN = 3  # left and right of its text
_TAG_DISTANCE = 4  # of a path from its heading
_CORNER_PT = 20.0  # where a missing heading is written if no object follows it on its page
_MAX_TITLE_LENGTH = 24  # of each title in a path


class _Frame(NamedTuple):
    """A region of an object on the picture; furniture has no label."""

    label: str
    kind: Kind
    corners: Corners


def require_pillow() -> None:
    """Raise a clear error if Pillow is not installed."""
    try:
        import PIL  # noqa: F401
    except ImportError:
        raise missing_package("drawing needs Pillow", "draw") from None


def draw_objects(document: Document, page: int, background: Image, *, scale: float) -> Image:
    """The picture of a page with its objects and a legend; `scale` is pixels per point."""
    from PIL import ImageDraw

    layer = _transparent_layer(background)
    pen = ImageDraw.Draw(layer)
    frames = []
    for label, item, box in _regions_on_page(document, page):
        corners = _frame_corners(box, scale)
        frames.append(_Frame(label, item.kind, corners))
    # The largest first, so that small ones stay visible.
    for frame in sorted(frames, key=_area, reverse=True):
        _draw_frame(pen, frame.corners, colour_of(frame.kind))
    _draw_numbers(pen, [frame for frame in frames if frame.label])
    shown = {frame.kind for frame in frames}
    kinds = [kind for kind in Kind if kind in shown]
    return _add_legend(_combine(background, layer), kinds)


def _transparent_layer(background: Image) -> Image:
    from PIL import Image

    return Image.new("RGBA", background.size, (0, 0, 0, 0))


def _combine(background: Image, layer: Image) -> Image:
    from PIL import Image

    combined = Image.alpha_composite(background.convert("RGBA"), layer)
    return combined.convert("RGB")


def _draw_frame(pen: ImageDraw, corners: Corners, colour: str) -> None:
    # Alpha 0x22 tints the text and keeps it legible.
    pen.rectangle(corners, fill=f"#{colour}22", outline=f"#{colour}", width=_FRAME)


def colour_of(kind: Kind) -> str:
    """The colour of a kind as rrggbb."""
    return COLOURS.get(kind, _FURNITURE_COLOUR)


def _regions_on_page(document: Document, page: int) -> Iterator[tuple[str, PhysicalObject, Box]]:
    """The regions on a page: furniture without a label, objects with their number in reading order.

    The numbers count from the first object on the page. An arrow marks an object that continues from, or in,
    another column or page.
    """
    for item in document.furniture:
        for part in item.parts:
            if part.page == page:
                yield "", item, part.box
    number = 0
    for item in document.objects:
        if not any(part.page == page for part in item.parts):
            continue
        number += 1
        last = len(item.parts) - 1
        for position, part in enumerate(item.parts):
            if part.page == page:
                before = "→" if position > 0 else ""
                after = "→" if position < last else ""
                yield f"{before}{number}{after}", item, part.box


def _frame_corners(box: Box, scale: float) -> Corners:
    x0, y0, x1, y1 = to_pixels(box, scale)
    return x0 - _FRAME_GAP, y0 - _FRAME_GAP, x1 + _FRAME_GAP, y1 + _FRAME_GAP


def _area(frame: _Frame) -> float:
    x0, y0, x1, y1 = frame.corners
    return (x1 - x0) * (y1 - y0)


def _draw_numbers(pen: ImageDraw, frames: Sequence[_Frame]) -> None:
    """Draw each label to the left of its object if there is space, and none over another."""
    font = label_font(_LABEL_SIZE)
    taken: list[Corners] = []
    for frame in frames:
        left, top, *_ = frame.corners
        width = font.getlength(frame.label) + 2 * _LABEL_MARGIN
        x, y = left - width, max(top, 0)
        bottom = y + _LABEL_HEIGHT
        while x > 0 and _is_taken((x, y, x + width, bottom), taken):
            x -= width
        if x < 0:  # no space is left at the side: the label goes over its object
            x = left
        label_box = (x, y, x + width, bottom)
        taken.append(label_box)
        pen.rectangle(label_box, fill=f"#{colour_of(frame.kind)}")
        pen.text((x + _LABEL_MARGIN, y), frame.label, fill="#ffffff", font=font)


def _is_taken(box: Corners, taken: Sequence[Corners]) -> bool:
    x0, y0, x1, y1 = box
    for left, top, right, bottom in taken:
        overlaps_across = x0 < right and left < x1
        overlaps_down = y0 < bottom and top < y1
        if overlaps_across and overlaps_down:
            return True
    return False


def _add_legend(picture: Image, kinds: Sequence[Kind]) -> Image:
    from PIL import Image, ImageDraw

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
        swatch = (x, y, x + _SWATCH, y + _SWATCH)
        pen.rectangle(swatch, fill=f"#{colour_of(kind)}")
        x += _SWATCH + _SWATCH_DISTANCE
        pen.text((x, y - 1), name, fill="#202020", font=font)
        x += font.getlength(name) + _NAME_DISTANCE
    return whole


def level_colour(level: int) -> str:
    """The colour of headings of a level, as rrggbb."""
    return LEVEL_COLOURS[(level - 1) % len(LEVEL_COLOURS)]


def draw_labels(labelled: LabelledDocument, page: int, background: Image, *, scale: float) -> Image:
    """The picture of a page with its headings by level; `scale` is pixels per point."""
    from PIL import ImageDraw

    layer = _transparent_layer(background)
    pen = ImageDraw.Draw(layer)
    levels = labelled.levels()
    for index, item in enumerate(labelled.document.objects):
        label = labelled.labels[index]
        if label is Label.BODY or item.page != page:
            continue
        is_heading = label is Label.HEADING
        mark = str(levels[index]) if is_heading else "?"
        colour = level_colour(levels[index]) if is_heading else UNKNOWN_COLOUR
        _draw_frame(pen, _frame_corners(item.box, scale), colour)
        x0, y0, x1, y1 = to_pixels(item.box, scale)
        _draw_tag(pen, x0 - _FRAME_GAP, y0, mark, colour, before=True)
        if is_heading:
            path = path_text(labelled, labelled.parents[index])
            _draw_path(pen, (x1 + _TAG_DISTANCE, y0), y1 + _TAG_DISTANCE, path, colour)
    _draw_missing(pen, labelled, levels, page, scale)
    return _combine(background, layer)


def path_text(labelled: LabelledDocument, node: int) -> str:
    """The titles of a node and of the headings above it, from the top."""
    count = len(labelled.labels)  # nodes from here on are the missing headings
    titles: list[str] = []
    while node != ROOT:
        if node >= count:
            lost = labelled.missing[node - count]
            title, node = lost.title, lost.parent
        else:
            title, node = labelled.document.objects[node].text, labelled.parents[node]
        line = " ".join(title.split())
        titles.append(shorten(line, _MAX_TITLE_LENGTH))
    return " › ".join(reversed(titles))


def _draw_missing(
    pen: ImageDraw, labelled: LabelledDocument, levels: tuple[int, ...], page: int, scale: float
) -> None:
    """Write the headings that are no object, each above the object that follows it."""
    objects = labelled.document.objects
    for node, lost in enumerate(labelled.missing, start=len(objects)):
        if lost.page != page:
            continue
        x = y = _CORNER_PT
        if lost.before < len(objects) and objects[lost.before].page == page:
            x, y, *_ = objects[lost.before].box
        level = levels[node]
        text = f"missing {level}: {lost.title}"
        _draw_tag(pen, x * scale, y * scale - _TAG_HEIGHT, text, MISSING_COLOUR)


def _draw_path(pen: ImageDraw, beside: tuple[float, float], below: float, text: str, colour: str) -> None:
    """Write a path beside its heading, or below it if there is no space."""
    x, y = beside
    picture_width, _ = pen.im.size
    fits = x + _tag_width(text) <= picture_width
    _draw_tag(pen, x, y if fits else below, text, colour)


def _tag_width(text: str) -> float:
    return _tag_font(text).getlength(text) + 2 * _TAG_MARGIN


def _tag_font(text: str) -> FreeTypeFont:
    return label_font(_TAG_SIZE) if text.isascii() else text_font(text, _TAG_SIZE)


def _draw_tag(pen: ImageDraw, x: float, y: float, text: str, colour: str, *, before: bool = False) -> None:
    """Write a tag that begins, or with `before` ends, at a point, and stays on the picture."""
    if not text:
        return
    width = _tag_width(text)
    picture_width, _ = pen.im.size
    left = x - width if before else x
    left = max(0.0, min(left, picture_width - width))
    top = max(y, 0.0)
    tag_box = (left, top, left + width, top + _TAG_HEIGHT)
    pen.rectangle(tag_box, fill=f"#{colour}e0")  # nearly opaque: the tag may lie over text
    pen.text((left + _TAG_MARGIN, top), text, fill="#ffffff", font=_tag_font(text))
