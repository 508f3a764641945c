"""Pictures of pages with their true headings, so that a person can check labels at a glance.

A heading's colour tells its level, its tag the path of headings above it; an object that may be a heading
is marked with a question mark, and a heading that is no object is written where it should stand.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from held.corpus.labelled import LabelledDocument
from held.draw.fonts import label_font, text_font
from held.metrics import Label
from held.tree import ROOT

if TYPE_CHECKING:
    from PIL.Image import Image
    from PIL.ImageDraw import ImageDraw
    from PIL.ImageFont import FreeTypeFont

LEVEL_COLOURS = ("c2185b", "1f6fd0", "2e7d32", "e65100", "7b1fa2", "00897b", "6d4c41")
UNKNOWN_COLOUR = "b58900"
MISSING_COLOUR = "d00000"
_TAG_SIZE = 12
_TAG_HEIGHT = 16
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
        known = labelled.labels[i] is Label.HEADING
        colour = level_colour(levels[i]) if known else UNKNOWN_COLOUR
        x0, y0, x1, y1 = (value * scale for value in item.box)
        pen.rectangle((x0 - 2, y0 - 2, x1 + 2, y1 + 2), fill=f"#{colour}22", outline=f"#{colour}", width=2)
        _write(pen, x0 - 2, y0, str(levels[i]) if known else "?", colour, before=True)
        if known:
            _write_path(pen, (x1 + 4, y0), y1 + 4, path_text(labelled, labelled.parents[i]), colour)
    _write_missing(pen, labelled, levels, page, scale)
    return Image.alpha_composite(background.convert("RGBA"), layer).convert("RGB")


def path_text(labelled: LabelledDocument, node: int) -> str:
    """The titles of a node and of the headings above it, from the top."""
    count = len(labelled.labels)
    titles: list[str] = []
    while node != ROOT:
        lost = labelled.missing[node - count] if node >= count else None
        titles.append(_cut(lost.title if lost else labelled.document.objects[node].text))
        node = lost.parent if lost else labelled.parents[node]
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
        here = lost.before < len(objects) and objects[lost.before].page == page
        x, y = (objects[lost.before].box.x0, objects[lost.before].box.y0) if here else (20.0, 20.0)
        level = levels[len(objects) + k]
        _write(pen, x * scale, y * scale - _TAG_HEIGHT, f"missing {level}: {lost.title}", MISSING_COLOUR)


def _write_path(pen: ImageDraw, beside: tuple[float, float], below: float, text: str, colour: str) -> None:
    """Write a path beside its heading, or below it where there is no room."""
    fits = beside[0] + _width(text) <= pen.im.size[0]
    _write(pen, beside[0], beside[1] if fits else below, text, colour)


def _width(text: str) -> float:
    return _font(text).getlength(text) + 6


def _font(text: str) -> FreeTypeFont:
    return label_font(_TAG_SIZE) if text.isascii() else text_font(text, _TAG_SIZE)


def _write(pen: ImageDraw, x: float, y: float, text: str, colour: str, *, before: bool = False) -> None:
    """Write a tag that begins, or with `before` ends, at a place, and stays on the picture."""
    if not text:
        return
    width = _width(text)
    x = max(0.0, min(x - width if before else x, pen.im.size[0] - width))
    y = max(y, 0.0)
    pen.rectangle((x, y, x + width, y + _TAG_HEIGHT), fill=f"#{colour}e0")
    pen.text((x + 3, y), text, fill="#ffffff", font=_font(text))
