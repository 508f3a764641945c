"""What lies under the objects: the PDF's page as PDFium draws it, or a sketch of what its reader saw.

The sketch is for pages that come without a PDF: runs as text fitted into their boxes, rules as lines,
images as crossed boxes.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from held.document import Box, PageContent, Run, Style
from held.draw.fonts import text_font
from held.errors import DamagedPdfError

if TYPE_CHECKING:
    from PIL.Image import Image
    from PIL.ImageDraw import ImageDraw

_THIN_PT = 3.0
_PALEST = 0xB0
_MOST_PIXELS = 4000
_SMALLEST_FONT = 4


def fitting_scale(width: float, height: float, scale: float) -> float:
    """The scale, or a smaller one where the page is so large that its picture would be."""
    return min(scale, _MOST_PIXELS / max(width, height, 1.0))


def blank(width: float, height: float, scale: float) -> Image:
    """An empty page."""
    from PIL import Image

    return Image.new("RGB", (max(round(width * scale), 1), max(round(height * scale), 1)), "#ffffff")


def rendered(path: Path, page: int, scale: float, *, password: str | None = None) -> Image:
    """A page of a PDF as PDFium draws it; `page` counts from 1."""
    import pypdfium2

    try:
        with pypdfium2.PdfDocument(path, password=password) as pdf:
            pdf.init_forms()
            picture: Image = pdf[page - 1].render(scale=scale).to_pil()
            return picture.convert("RGB")
    except pypdfium2.PdfiumError as error:
        raise DamagedPdfError(f"cannot be drawn: {error}", file=path, page=page) from error


def sketch(page: PageContent, styles: tuple[Style, ...], scale: float) -> Image:
    """A page drawn from its runs, rules and images."""
    from PIL import ImageDraw

    picture = blank(page.width, page.height, scale)
    pen = ImageDraw.Draw(picture)
    for box in page.images:
        _cross(pen, _pixels(box, scale))
    for box in page.rules:
        _rule(pen, box, scale)
    for run in (*page.runs, *page.fields):
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
    """Draw a run's text so that it fills its box: only the widths must be right, not the typeface."""
    from PIL import Image, ImageDraw

    x0, y0, x1, y1 = _pixels(Box(*run[:4]), scale)
    width, height = max(round(x1 - x0), 1), max(round(y1 - y0), 1)
    across, along = (height, width) if style.upright or width > height else (width, height)
    font = text_font(run.text, max(across, _SMALLEST_FONT), bold=style.bold)
    text = " ".join(run.text.split()) or " "
    left, top, right, bottom = map(round, font.getbbox(text))
    if right <= left or bottom <= top or max(right - left, across) > _MOST_PIXELS:
        return
    mask = Image.new("L", (right - left, bottom - top), 0)
    ImageDraw.Draw(mask).text((-left, -top), text, fill=255, font=font)
    mask = mask.resize((along, across))
    if across != height:
        mask = mask.rotate(90, expand=True)
    picture.paste(_ink(style.colour), (round(x0), round(y0)), mask)


def _ink(colour: str) -> tuple[int, int, int]:
    """The colour of text, darkened where it would vanish on the sketch's white paper."""
    red, green, blue = bytes.fromhex(colour)
    paleness = min(red, green, blue)
    return (_PALEST, _PALEST, _PALEST) if paleness > _PALEST else (red, green, blue)
