"""Recognised text as an invisible layer of a PDF, so that a scan can be searched and copied from.

Words are placed where they are on the image, in a font whose glyphs paint nothing. The font is embedded, with
a map to Unicode, as PDF/A requires. An earlier text layer of the page is removed, because its words would be
found twice.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from math import hypot
from pathlib import Path
from typing import NamedTuple

import pikepdf

from held.document import Box, PageSize
from held.reading.ocr.page_text import RecognisedPage
from held.reading.ocr.styles import style_lines

FONT_NAME = "HeldGlyphless"
RESOURCE_NAME = "/HeldText"
ADVANCE = 500  # width of each character, in thousandths of the font size
ASCENT, DESCENT = 900, -220  # as other text fonts have them
UNITS_PER_EM = 1000
INVISIBLE = 3  # text render mode: ISO 32000-1, table 106
SYMBOLIC_FIXED_PITCH = 0b101  # font descriptor flags: ISO 32000-1, table 123
ROTATIONS = 360
FULL_WIDTH = 100  # per cent
SHOW_TEXT = frozenset({"Tj", "TJ", "'", '"'})
DECIMALS = 2
# `python -m research.glyphless_font` writes both files. They are read here and not where they are used: the
# sandbox of the process that writes PDFs opens no files.
_ASSETS = Path(__file__).with_name("assets")
_FONT_PROGRAM = (_ASSETS / "glyphless.ttf").read_bytes()
_UNICODE_MAP = (_ASSETS / "utf16.cmap").read_bytes()


class LayerWord(NamedTuple):
    """A word that starts at a point of its baseline and has a width, in points of the page as viewed."""

    x: float
    y: float
    width: float
    size: float
    text: str


class PageLayer(NamedTuple):
    """The words of a page. `slope` is that of their lines: positive if they fall towards the right.

    `turn` is in degrees clockwise: the words lie on the page that is turned so far from how it was scanned.
    """

    slope: float
    words: Sequence[LayerWord]
    turn: int = 0


def page_layers(pages: Mapping[int, RecognisedPage]) -> dict[int, PageLayer]:
    """The layers of recognised pages, by page number."""
    numbers = sorted(pages)
    layers = {}
    for number, lines in zip(numbers, style_lines([pages[number] for number in numbers]), strict=True):
        page = pages[number]
        words = []
        for line in lines:
            for word in line.words:
                x, y = page.to_stored(word.x0, line.baseline)
                words.append(LayerWord(x, y, word.x1 - word.x0, line.size, word.text))
        layers[number] = PageLayer(page.skew, words, page.turn)
    return layers


def top_after_turn(box: Box, size: PageSize, turn: int) -> float:
    """How far below the top of its page a box lies after the page is turned."""
    match turn:
        case 90:
            return box.x0
        case 180:
            return size.height - box.y1
        case 270:
            return size.width - box.x1
        case _:
            return box.y0


def add_layers(
    file: pikepdf.Pdf, layers: Mapping[int, PageLayer], boxes: Mapping[int, tuple[Box, int]]
) -> None:
    """Write layers into pages; `boxes` has the visible box and the rotation of each page."""
    if not layers:
        return
    font = file.make_indirect(_glyphless_font(file))
    for number, layer in layers.items():
        page = file.pages[number - 1]
        _remove_hidden_text(file, page)
        box, rotation = boxes[number]
        content = _layer_content(layer, box, rotation)
        # What the page draws may leave any state behind, so it is put into brackets.
        page.contents_add(b"q\n", prepend=True)
        page.contents_add(b"\nQ\n" + content)
        page.add_resource(font, pikepdf.Name.Font, pikepdf.Name(RESOURCE_NAME))


# --- the content stream ---


def _layer_content(layer: PageLayer, box: Box, rotation: int) -> bytes:
    # The unit vector along the lines, and the one at right angles to it.
    length = hypot(1.0, layer.slope)
    cosine, sine = 1.0 / length, layer.slope / length
    along = _turn(cosine, sine, rotation)
    up = _turn(sine, -cosine, rotation)
    directions = " ".join(f"{number:.5f}" for number in (*along, *up))
    lines = [f"q BT {INVISIBLE} Tr"]
    for word in layer.words:
        x, y = _to_page_space(word.x, word.y, box, rotation)
        matrix = f"{directions} {x:.{DECIMALS}f} {y:.{DECIMALS}f}"
        codes = word.text.encode("utf-16-be", "replace")
        natural_width = len(codes) / 2 * ADVANCE / UNITS_PER_EM * word.size
        stretch = FULL_WIDTH * word.width / natural_width if natural_width else FULL_WIDTH
        lines.append(f"{RESOURCE_NAME} {word.size:g} Tf {stretch:.{DECIMALS}f} Tz")
        lines.append(f"{matrix} Tm <{codes.hex()}> Tj")
    lines.append("ET Q\n")
    return "\n".join(lines).encode("ascii")


def _to_page_space(x: float, y: float, box: Box, rotation: int) -> tuple[float, float]:
    """A point of the page as viewed, from its top left, in PDF space: ISO 32000-1, table 30 and 8.3.2.3."""
    match rotation % ROTATIONS:
        case 90:
            return box.x0 + y, box.y0 + x
        case 180:
            return box.x1 - x, box.y0 + y
        case 270:
            return box.x1 - y, box.y1 - x
        case _:
            return box.x0 + x, box.y1 - y


def _turn(x: float, y: float, rotation: int) -> tuple[float, float]:
    """A direction on the page as viewed, with y downwards, in PDF space."""
    match rotation % ROTATIONS:
        case 90:
            return y, x
        case 180:
            return -x, y
        case 270:
            return -y, -x
        case _:
            return x, -y


def _remove_hidden_text(file: pikepdf.Pdf, page: pikepdf.Page) -> None:
    """Remove the text of a page that is drawn in the invisible mode."""
    kept = []
    modes = [0]
    is_changed = False
    for instruction in pikepdf.parse_content_stream(page):
        operator = str(instruction.operator)
        if operator == "q":
            modes.append(modes[-1])
        elif operator == "Q" and len(modes) > 1:
            modes.pop()
        elif operator == "Tr" and len(instruction.operands) == 1:
            modes[-1] = int(instruction.operands[0])
        if operator in SHOW_TEXT and modes[-1] == INVISIBLE:
            is_changed = True
        else:
            kept.append(instruction)
    if is_changed:
        page.Contents = file.make_stream(pikepdf.unparse_content_stream(kept))


# --- the font ---


def _glyphless_font(file: pikepdf.Pdf) -> pikepdf.Dictionary:
    """A font whose character codes are UTF-16 and whose glyphs paint nothing: ISO 32000-1, 9.7."""
    program = file.make_stream(_FONT_PROGRAM)
    descriptor = pikepdf.Dictionary(
        Type=pikepdf.Name.FontDescriptor,
        FontName=pikepdf.Name("/" + FONT_NAME),
        Flags=SYMBOLIC_FIXED_PITCH,
        FontBBox=[0, DESCENT, ADVANCE, ASCENT],
        ItalicAngle=0,
        Ascent=ASCENT,
        Descent=DESCENT,
        CapHeight=ASCENT,
        StemV=80,
        FontFile2=program,
    )
    # Every code shows the second glyph: PDF/A forbids text in the first one, which means "missing".
    glyph_of_code = file.make_stream(zlib.compress(b"\x00\x01" * (1 << 16)), Filter=pikepdf.Name.FlateDecode)
    descendant = pikepdf.Dictionary(
        Type=pikepdf.Name.Font,
        Subtype=pikepdf.Name.CIDFontType2,
        BaseFont=pikepdf.Name("/" + FONT_NAME),
        CIDSystemInfo=pikepdf.Dictionary(
            Registry=pikepdf.String("Adobe"), Ordering=pikepdf.String("Identity"), Supplement=0
        ),
        FontDescriptor=file.make_indirect(descriptor),
        DW=ADVANCE,
        CIDToGIDMap=glyph_of_code,
    )
    return pikepdf.Dictionary(
        Type=pikepdf.Name.Font,
        Subtype=pikepdf.Name.Type0,
        BaseFont=pikepdf.Name("/" + FONT_NAME),
        Encoding=pikepdf.Name("/Identity-H"),
        DescendantFonts=[file.make_indirect(descendant)],
        ToUnicode=file.make_stream(_UNICODE_MAP),
    )
