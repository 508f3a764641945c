"""What lies under the objects: the PDF's page as PDFium draws it, or a sketch of what its reader saw.

The sketch is for pages that come without a PDF: runs as text fitted into their boxes, rules as lines,
images as crossed boxes.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING

from held.document import Box, PageContent, Run, Style
from held.exports.draw.fonts import text_font

if TYPE_CHECKING:
    from PIL.Image import Image
    from PIL.ImageDraw import ImageDraw

Corners = tuple[float, float, float, float]

_THIN_PT = 3.0  # a rule that is not wider is a line, else the frame of something
_PALEST = 0xB0  # of each colour: a paler text cannot be read on white
_MOST_PIXELS = 4000  # along a side: 48 MB of pixels, and no more, whatever a page claims to be
_SMALLEST_FONT = 4  # pixels: smaller letters are specks
_LARGEST_FONT = 200  # pixels; larger text is stretched, which costs less than drawing it
_LINE_SHARE = 0.85  # of the font size: a box as high as this has room above and below its glyphs
_SLANT_SHARE = 2.0  # font sizes: a box that is larger both ways has its text running across


def fitting_scale(width: float, height: float, scale: float) -> float:
    """The scale, or a smaller one where the page is so large that its picture would be."""
    return min(scale, _MOST_PIXELS / max(width, height, 1.0))


def blank(width: float, height: float, scale: float) -> Image:
    """An empty page."""
    from PIL import Image

    across = max(round(width * scale), 1)
    down = max(round(height * scale), 1)
    return Image.new("RGB", (across, down), "#ffffff")


def rendered(path: Path, page: int, scale: float, *, password: str | None = None) -> Image:
    """A page of a PDF as PDFium draws it; `page` counts from 1."""
    from PIL import Image

    from held.exports.images import page_pixels

    width, height, pixels = page_pixels(path, page, scale=scale, password=password)
    return Image.frombytes("RGB", (width, height), pixels)


def sketch(page: PageContent, styles: tuple[Style, ...], scale: float) -> Image:
    """A page drawn from its runs, rules and images."""
    from PIL import ImageDraw

    picture = blank(page.width, page.height, scale)
    pen = ImageDraw.Draw(picture)
    for box in page.images:
        _cross(pen, _pixels(box, scale))
    for box in page.rules:
        _rule(pen, box, scale)
    # What is not upright may be a watermark: the text goes over it.
    slanted_first = sorted((*page.runs, *page.fields), key=lambda run: styles[run.style].upright)
    for run in slanted_first:
        _write(picture, run, styles[run.style], scale)
    return picture


def _pixels(box: Box, scale: float) -> Corners:
    """The box in pixels, its corners in order: Pillow refuses a rectangle that is inside out."""
    x0, x1 = sorted((box.x0 * scale, box.x1 * scale))
    y0, y1 = sorted((box.y0 * scale, box.y1 * scale))
    return x0, y0, x1, y1


def _cross(pen: ImageDraw, corners: Corners) -> None:
    x0, y0, x1, y1 = corners
    pen.rectangle(corners, fill="#eef1ee", outline="#a0a8a0")
    pen.line((x0, y0, x1, y1), fill="#c8d0c8")
    pen.line((x0, y1, x1, y0), fill="#c8d0c8")


def _rule(pen: ImageDraw, box: Box, scale: float) -> None:
    is_line = min(abs(box.width), abs(box.height)) <= _THIN_PT
    if is_line:
        pen.rectangle(_pixels(box, scale), fill="#808080")
    else:
        pen.rectangle(_pixels(box, scale), outline="#c0c0c0")


def _write(picture: Image, run: Run, style: Style, scale: float) -> None:
    """Draw a run's text so that it fills its box: only the places must be right, not the typeface."""
    x0, y0, x1, y1 = _pixels(Box(*run[:4]), scale)
    width = max(round(x1 - x0), 1)
    height = max(round(y1 - y0), 1)
    runs_across = 0 < _SLANT_SHARE * style.size * scale < min(width, height)
    if runs_across and not style.upright:
        _write_slanted(picture, run, style, scale)
        return
    on_end = not style.upright and height > width
    along, across = (height, width) if on_end else (width, height)
    # The box of a run spans the line's height in most files, the glyphs' alone in others.
    spans_line = across >= _LINE_SHARE * style.size * scale
    mask = _mask(run.text, across, bold=style.bold, reference="dp" if spans_line else "")
    if mask is None:
        return
    mask = mask.resize((min(along, _MOST_PIXELS), min(across, _MOST_PIXELS)))
    if on_end:
        mask = mask.rotate(90, expand=True)
    picture.paste(_ink(style.colour), (round(x0), round(y0)), mask)


def _write_slanted(picture: Image, run: Run, style: Style, scale: float) -> None:
    """Draw text that runs across its box, a watermark or a slanted label: pale, rising, at its own size."""
    mask = _mask(run.text, round(style.size * scale), bold=style.bold, reference="")
    if mask is None:
        return
    rise = math.atan2(run.y1 - run.y0, run.x1 - run.x0)
    mask = mask.rotate(math.degrees(rise), expand=True)
    middle_x = (run.x0 + run.x1) / 2 * scale
    middle_y = (run.y0 + run.y1) / 2 * scale
    left = round(middle_x - mask.width / 2)
    top = round(middle_y - mask.height / 2)
    picture.paste(_ink("ffffff"), (left, top), mask)


def _mask(text: str, size: int, *, bold: bool, reference: str) -> Image | None:
    """The text in white on black, as high as itself and the reference; None if there is nothing to see."""
    from PIL import Image, ImageDraw

    text = "".join(character if character.isprintable() else " " for character in text)
    drawn_size = min(max(size, _SMALLEST_FONT), _LARGEST_FONT)
    font = text_font(text, drawn_size, bold=bold)
    _, top, _, bottom = map(round, font.getbbox(text + reference))
    length = round(font.getlength(text))
    is_drawable = bottom > top and 0 < length <= _MOST_PIXELS
    if not text.strip() or not is_drawable:
        return None
    mask = Image.new("L", (length, bottom - top), 0)
    ImageDraw.Draw(mask).text((0, -top), text, fill=255, font=font)
    return mask


def _ink(colour: str) -> tuple[int, int, int]:
    """The colour of text, darkened where it would vanish on the sketch's white paper."""
    red, green, blue = bytes.fromhex(colour)
    paleness = min(red, green, blue)
    if paleness > _PALEST:
        return _PALEST, _PALEST, _PALEST
    return red, green, blue
