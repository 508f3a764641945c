"""The backgrounds that objects are drawn on, and fonts: a page as PDFium renders it, or a sketch.

The sketch is for pages that come without a PDF: runs as text fitted into their boxes, rules as lines,
images as crossed boxes. Fonts are the system's, one for each script, or else Pillow's own.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from held.document import Box, PageContent, Run, Style

if TYPE_CHECKING:
    from PIL.Image import Image
    from PIL.ImageDraw import ImageDraw
    from PIL.ImageFont import FreeTypeFont

Corners = tuple[float, float, float, float]

_MAX_LINE_WIDTH_PT = 3.0  # a wider rule is the frame of something
_PALEST_INK = 0xB0  # of each colour: paler text cannot be read on white
_MAX_SIDE_PIXELS = 4000  # 48 MB of pixels, and no more, whatever size a page claims
_MIN_FONT_PIXELS = 4  # smaller letters are specks
_MAX_FONT_PIXELS = 200  # larger text is stretched, which costs less than drawing it
_LINE_HEIGHT_EM = 0.85  # a box at least as high has space above and below its glyphs
_SLANTED_BOX_EM = 2.0  # a box that is larger both ways has its text running across
_FONT_FOLDERS = {
    "linux": ("/usr/share/fonts", "/usr/local/share/fonts", "~/.fonts", "~/.local/share/fonts"),
    "darwin": ("/System/Library/Fonts", "/Library/Fonts", "~/Library/Fonts"),
    "win32": ("C:/Windows/Fonts",),
}
_PLAIN_FONTS = ("DejaVuSans.ttf", "LiberationSans-Regular.ttf", "Arial.ttf", "arial.ttf", "Helvetica.ttc")
_BOLD_FONTS = ("DejaVuSans-Bold.ttf", "LiberationSans-Bold.ttf", "Arial Bold.ttf", "arialbd.ttf")
_CHINESE_FONTS = (
    "NotoSansCJK-Regular.ttc",
    "NotoSansCJKsc-Regular.otf",
    "SourceHanSansSC-Regular.otf",
    "wqy-zenhei.ttc",
    "wqy-microhei.ttc",
    "DroidSansFallbackFull.ttf",
    "uming.ttc",
    "PingFang.ttc",
    "STHeiti Light.ttc",
    "msyh.ttc",
    "simsun.ttc",
)
_FIRST_CHINESE = "⺀"  # from this character on, a Latin font has no glyphs


def limit_scale(width: float, height: float, scale: float) -> float:
    """The scale, or a smaller one if the picture of so large a page would exceed the limit."""
    return min(scale, _MAX_SIDE_PIXELS / max(width, height, 1.0))


def blank_page(width: float, height: float, scale: float) -> Image:
    """An empty page."""
    from PIL import Image

    across = max(round(width * scale), 1)
    down = max(round(height * scale), 1)
    return Image.new("RGB", (across, down), "#ffffff")


def render_page(path: Path, page: int, scale: float, *, password: str | None = None) -> Image:
    """A page of a PDF as PDFium renders it; `page` counts from 1."""
    from PIL import Image

    from held.exports.images import page_pixels

    width, height, pixels = page_pixels(path, page, scale=scale, password=password)
    return Image.frombytes("RGB", (width, height), pixels)


def sketch_page(page: PageContent, styles: tuple[Style, ...], scale: float) -> Image:
    """A page drawn from its runs, rules and images."""
    from PIL import ImageDraw

    picture = blank_page(page.width, page.height, scale)
    pen = ImageDraw.Draw(picture)
    for box in page.images:
        _draw_image_box(pen, to_pixels(box, scale))
    for box in page.rules:
        _draw_rule(pen, box, scale)
    # Slanted text may be a watermark: upright text is drawn over it.
    runs = [*page.runs, *page.fields]
    runs.sort(key=lambda run: styles[run.style].upright)
    for run in runs:
        _draw_run(picture, run, styles[run.style], scale)
    return picture


def to_pixels(box: Box, scale: float) -> Corners:
    """The box in pixels, its corners sorted: Pillow refuses a rectangle that is inside out."""
    x0, x1 = sorted((box.x0 * scale, box.x1 * scale))
    y0, y1 = sorted((box.y0 * scale, box.y1 * scale))
    return x0, y0, x1, y1


def _draw_image_box(pen: ImageDraw, corners: Corners) -> None:
    x0, y0, x1, y1 = corners
    pen.rectangle(corners, fill="#eef1ee", outline="#a0a8a0")
    pen.line((x0, y0, x1, y1), fill="#c8d0c8")
    pen.line((x0, y1, x1, y0), fill="#c8d0c8")


def _draw_rule(pen: ImageDraw, box: Box, scale: float) -> None:
    corners = to_pixels(box, scale)
    thickness = min(abs(box.width), abs(box.height))
    if thickness <= _MAX_LINE_WIDTH_PT:
        pen.rectangle(corners, fill="#808080")
    else:
        pen.rectangle(corners, outline="#c0c0c0")


def _draw_run(picture: Image, run: Run, style: Style, scale: float) -> None:
    """Draw a run's text so that it fills its box: the positions must be right, not the typeface."""
    box = Box(run.x0, run.y0, run.x1, run.y1)
    x0, y0, x1, y1 = to_pixels(box, scale)
    width = max(round(x1 - x0), 1)
    height = max(round(y1 - y0), 1)
    em = style.size * scale
    runs_across = 0 < _SLANTED_BOX_EM * em < min(width, height)
    if runs_across and not style.upright:
        _draw_slanted_run(picture, run, style, scale)
        return
    on_end = not style.upright and height > width
    along, across = (height, width) if on_end else (width, height)
    # In most files the box of a run is as high as the line, in others only as high as its glyphs.
    spans_line = across >= _LINE_HEIGHT_EM * em
    reference = "dp" if spans_line else ""  # letters that reach the top and the bottom of a line
    mask = _text_mask(run.text, across, bold=style.bold, reference=reference)
    if mask is None:
        return
    length, thickness = min(along, _MAX_SIDE_PIXELS), min(across, _MAX_SIDE_PIXELS)
    mask = mask.resize((length, thickness))
    if on_end:
        mask = mask.rotate(90, expand=True)
    picture.paste(_ink(style.colour), (round(x0), round(y0)), mask)


def _draw_slanted_run(picture: Image, run: Run, style: Style, scale: float) -> None:
    """Draw text that runs across its box, a watermark or a slanted label: pale, rising, at its own size."""
    mask = _text_mask(run.text, round(style.size * scale), bold=style.bold, reference="")
    if mask is None:
        return
    rise = math.atan2(run.y1 - run.y0, run.x1 - run.x0)
    mask = mask.rotate(math.degrees(rise), expand=True)
    middle_x = (run.x0 + run.x1) / 2 * scale
    middle_y = (run.y0 + run.y1) / 2 * scale
    left = round(middle_x - mask.width / 2)
    top = round(middle_y - mask.height / 2)
    picture.paste(_ink("ffffff"), (left, top), mask)  # in the palest ink


def _text_mask(text: str, size: int, *, bold: bool, reference: str) -> Image | None:
    """The text in white on black, as high as text and reference together; None if it is invisible."""
    from PIL import Image, ImageDraw

    text = "".join(character if character.isprintable() else " " for character in text)
    drawn_size = min(max(size, _MIN_FONT_PIXELS), _MAX_FONT_PIXELS)
    font = text_font(text, drawn_size, bold=bold)
    _, top, _, bottom = map(round, font.getbbox(text + reference))
    length = round(font.getlength(text))
    is_drawable = bottom > top and 0 < length <= _MAX_SIDE_PIXELS
    if not text.strip() or not is_drawable:
        return None
    mask = Image.new("L", (length, bottom - top), 0)
    pen = ImageDraw.Draw(mask)
    pen.text((0, -top), text, fill=255, font=font)
    return mask


def _ink(colour: str) -> tuple[int, int, int]:
    """The colour of text, darkened if it would vanish on white."""
    red, green, blue = bytes.fromhex(colour)
    paleness = min(red, green, blue)
    if paleness > _PALEST_INK:
        return _PALEST_INK, _PALEST_INK, _PALEST_INK
    return red, green, blue


def text_font(text: str, size: int, *, bold: bool = False) -> FreeTypeFont:
    """A font that can draw the text, if the system has one."""
    if any(character >= _FIRST_CHINESE for character in text):
        return _load_font(_CHINESE_FONTS + _PLAIN_FONTS, size)
    return _load_font(_BOLD_FONTS + _PLAIN_FONTS if bold else _PLAIN_FONTS, size)


def label_font(size: int) -> FreeTypeFont:
    """A font for labels."""
    return _load_font(_BOLD_FONTS + _PLAIN_FONTS, size)


@cache
def _load_font(names: tuple[str, ...], size: int) -> FreeTypeFont:
    from PIL import ImageFont

    path = _find_font(names)
    if path is not None:
        return ImageFont.truetype(path, size)
    font = ImageFont.load_default(size)
    assert isinstance(font, ImageFont.FreeTypeFont)
    return font


def _find_font(names: Sequence[str]) -> Path | None:
    installed = _installed_fonts()
    for name in names:
        if name in installed:
            return installed[name]
    return None


@cache
def _installed_fonts() -> dict[str, Path]:
    fonts = {}
    for name in _FONT_FOLDERS.get(sys.platform, ()):
        folder = Path(name).expanduser()
        for path in folder.rglob("*.[to]t[fc]"):  # TrueType, OpenType and collections
            fonts[path.name] = path
    return fonts
