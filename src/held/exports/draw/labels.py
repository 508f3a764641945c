"""Pictures of pages with their true headings, so that a person can check labels at a glance.

A heading's colour tells its level, its tag the path of headings above it; an object that may be a heading
is marked with a question mark, and a heading that is no object is written where it should stand.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from held.corpus.labelled import LabelledDocument
from held.exports.draw.fonts import label_font, text_font
from held.metrics import Label
from held.tree import ROOT

if TYPE_CHECKING:
    from PIL.Image import Image
    from PIL.ImageDraw import ImageDraw
    from PIL.ImageFont import FreeTypeFont

LEVEL_COLOURS = ("c2185b", "1f6fd0", "2e7d32", "e65100", "7b1fa2", "00897b", "6d4c41")
UNKNOWN_COLOUR = "b58900"
MISSING_COLOUR = "d00000"
# All in pixels.
_FRAME = 2  # around a heading, so that its letters stay to be read
_TAG_SIZE = 12  # of its letters
_TAG_HEIGHT = 16
_TAG_MARGIN = 3  # left and right of its text
_TAG_DISTANCE = 4  # of a path from its heading
_CORNER_PT = 20.0  # where a missing heading is written that no object of its page follows
_MOST_CHARACTERS = 24  # of each title in a path


def level_colour(level: int) -> str:
    """The colour of headings of a level, as rrggbb."""
    return LEVEL_COLOURS[(level - 1) % len(LEVEL_COLOURS)]


def draw_labels(labelled: LabelledDocument, page: int, background: Image, *, scale: float) -> Image:
    """The picture of a page with its headings by level; `scale` is pixels per point."""
    from PIL import Image, ImageDraw

    layer = Image.new("RGBA", background.size, (0, 0, 0, 0))
    pen = ImageDraw.Draw(layer)
    levels = labelled.levels()
    for i, item in enumerate(labelled.document.objects):
        if labelled.labels[i] is Label.BODY or item.page != page:
            continue
        is_heading = labelled.labels[i] is Label.HEADING
        colour = level_colour(levels[i]) if is_heading else UNKNOWN_COLOUR
        x0, y0, x1, y1 = (value * scale for value in item.box)
        frame = (x0 - _FRAME, y0 - _FRAME, x1 + _FRAME, y1 + _FRAME)
        pen.rectangle(frame, fill=f"#{colour}22", outline=f"#{colour}", width=_FRAME)
        mark = str(levels[i]) if is_heading else "?"
        _write(pen, x0 - _FRAME, y0, mark, colour, before=True)
        if is_heading:
            path = path_text(labelled, labelled.parents[i])
            _write_path(pen, (x1 + _TAG_DISTANCE, y0), y1 + _TAG_DISTANCE, path, colour)
    _write_missing(pen, labelled, levels, page, scale)
    return Image.alpha_composite(background.convert("RGBA"), layer).convert("RGB")


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
        titles.append(_cut(title))
    return " › ".join(reversed(titles))


def _cut(title: str) -> str:
    title = " ".join(title.split())
    return title if len(title) <= _MOST_CHARACTERS else title[: _MOST_CHARACTERS - 1] + "…"


def _write_missing(
    pen: ImageDraw, labelled: LabelledDocument, levels: tuple[int, ...], page: int, scale: float
) -> None:
    """Write the headings that are no object above the object that they stand before."""
    objects = labelled.document.objects
    for k, lost in enumerate(labelled.missing):
        if lost.page != page:
            continue
        x = y = _CORNER_PT
        if lost.before < len(objects) and objects[lost.before].page == page:
            x, y, *_ = objects[lost.before].box
        level = levels[len(objects) + k]
        said = f"missing {level}: {lost.title}"
        _write(pen, x * scale, y * scale - _TAG_HEIGHT, said, MISSING_COLOUR)


def _write_path(pen: ImageDraw, beside: tuple[float, float], below: float, text: str, colour: str) -> None:
    """Write a path beside its heading, or below it where there is no room."""
    x, y = beside
    picture_width, _ = pen.im.size
    fits = x + _width(text) <= picture_width
    _write(pen, x, y if fits else below, text, colour)


def _width(text: str) -> float:
    return _font(text).getlength(text) + 2 * _TAG_MARGIN


def _font(text: str) -> FreeTypeFont:
    return label_font(_TAG_SIZE) if text.isascii() else text_font(text, _TAG_SIZE)


def _write(pen: ImageDraw, x: float, y: float, text: str, colour: str, *, before: bool = False) -> None:
    """Write a tag that begins, or with `before` ends, at a place, and stays on the picture."""
    if not text:
        return
    width = _width(text)
    picture_width, _ = pen.im.size
    left = x - width if before else x
    left = max(0.0, min(left, picture_width - width))
    top = max(y, 0.0)
    pen.rectangle((left, top, left + width, top + _TAG_HEIGHT), fill=f"#{colour}e0")
    pen.text((left + _TAG_MARGIN, top), text, fill="#ffffff", font=_font(text))
