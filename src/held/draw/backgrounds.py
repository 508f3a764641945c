"""What lies under the objects: the PDF's page as PDFium draws it, or a sketch of what its reader saw.

The sketch is for pages that come without a PDF: runs as text fitted into their boxes, rules as lines,
images as crossed boxes.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING

from held.document import Box, PageContent, Run, Style
from held.draw.fonts import text_font

if TYPE_CHECKING:
    from PIL.Image import Image
    from PIL.ImageDraw import ImageDraw

_THIN_PT = 3.0
_PALEST = 0xB0
_MOST_PIXELS = 4000
_SMALLEST_FONT = 4
_LARGEST_FONT = 200
_LINE_SHARE = 0.85
_SLANT_SHARE = 2.0


def fitting_scale(width: float, height: float, scale: float) -> float:
    """The scale, or a smaller one where the page is so large that its picture would be."""
    return min(scale, _MOST_PIXELS / max(width, height, 1.0))


def blank(width: float, height: float, scale: float) -> Image:
    """An empty page."""
    from PIL import Image

    return Image.new("RGB", (max(round(width * scale), 1), max(round(height * scale), 1)), "#ffffff")


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
    for run in sorted((*page.runs, *page.fields), key=lambda run: styles[run.style].upright):
        _write(picture, run, styles[run.style], scale)
    return picture


def _pixels(box: Box, scale: float) -> tuple[float, float, float, float]:
    x0, x1 = sorted((box.x0 * scale, box.x1 * scale))
    y0, y1 = sorted((box.y0 * scale, box.y1 * scale))
    return x0, y0, x1, y1


def _cross(pen: ImageDraw, corners: tuple[float, float, float, float]) -> None:
    x0, y0, x1, y1 = corners
    pen.rectangle(corners, fill="#eef1ee", outline="#a0a8a0")
    pen.line((x0, y0, x1, y1), fill="#c8d0c8")
    pen.line((x0, y1, x1, y0), fill="#c8d0c8")


def _rule(pen: ImageDraw, box: Box, scale: float) -> None:
    if min(abs(box.width), abs(box.height)) <= _THIN_PT:
        pen.rectangle(_pixels(box, scale), fill="#808080")
    else:
        pen.rectangle(_pixels(box, scale), outline="#c0c0c0")


def _write(picture: Image, run: Run, style: Style, scale: float) -> None:
    """Draw a run's text so that it fills its box: only the places must be right, not the typeface."""
    x0, y0, x1, y1 = _pixels(Box(*run[:4]), scale)
    width, height = max(round(x1 - x0), 1), max(round(y1 - y0), 1)
    if not style.upright and 0 < _SLANT_SHARE * style.size * scale < min(width, height):
        _write_slanted(picture, run, style, scale)
        return
    on_end = not style.upright and height > width
    along, across = (height, width) if on_end else (width, height)
    # The box of a run spans the line's height in most files, the glyphs' alone in others.
    spans_line = across >= _LINE_SHARE * style.size * scale
    mask = _mask(run.text, across, bold=style.bold, reference="dp" if spans_line else "")
    if mask is not None:
        mask = mask.resize((min(along, _MOST_PIXELS), min(across, _MOST_PIXELS)))
        picture.paste(
            _ink(style.colour), (round(x0), round(y0)), mask.rotate(90, expand=True) if on_end else mask
        )


def _write_slanted(picture: Image, run: Run, style: Style, scale: float) -> None:
    """Draw text that runs across its box, a watermark or a slanted label: pale, rising, at its own size."""
    mask = _mask(run.text, round(style.size * scale), bold=style.bold, reference="")
    if mask is None:
        return
    mask = mask.rotate(math.degrees(math.atan2(run.y1 - run.y0, run.x1 - run.x0)), expand=True)
    x, y = (run.x0 + run.x1) / 2 * scale, (run.y0 + run.y1) / 2 * scale
    picture.paste(_ink("ffffff"), (round(x - mask.width / 2), round(y - mask.height / 2)), mask)


def _mask(text: str, size: int, *, bold: bool, reference: str) -> Image | None:
    """The text in white on black, as high as itself and the reference; None if there is nothing to see."""
    from PIL import Image, ImageDraw

    text = "".join(character if character.isprintable() else " " for character in text)
    font = text_font(text, min(max(size, _SMALLEST_FONT), _LARGEST_FONT), bold=bold)
    _, top, _, bottom = map(round, font.getbbox(text + reference))
    length = round(font.getlength(text))
    if not text.strip() or bottom <= top or not 0 < length <= _MOST_PIXELS:
        return None
    mask = Image.new("L", (length, bottom - top), 0)
    ImageDraw.Draw(mask).text((0, -top), text, fill=255, font=font)
    return mask


def _ink(colour: str) -> tuple[int, int, int]:
    """The colour of text, darkened where it would vanish on the sketch's white paper."""
    red, green, blue = bytes.fromhex(colour)
    paleness = min(red, green, blue)
    return (_PALEST, _PALEST, _PALEST) if paleness > _PALEST else (red, green, blue)
