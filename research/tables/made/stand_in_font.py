"""A font for Chinese text where none is installed: each character is a square with its own code.

The shape of a character says nothing to a layout analysis; its code and its width do.
"""

from __future__ import annotations

import io
from base64 import b64encode

from fontTools.fontBuilder import FontBuilder
from fontTools.pens.ttGlyphPen import TTGlyphPen

UNITS_PER_EM = 1000
ASCENT, DESCENT = 880, -120
HALF_WIDTH = 500  # of Latin characters and digits


def font_face(family: str, text: str, *, weight: str = "normal") -> str:
    """The CSS rule that defines a font with the characters of a text, in one weight."""
    style = "Bold" if weight == "bold" else "Regular"
    data = b64encode(_font(family, style, sorted(set(text) - set("\n")))).decode()
    source = f"url(data:font/ttf;base64,{data})"
    return f"@font-face {{ font-family: '{family}'; font-weight: {weight}; src: {source} }}"


def _font(family: str, style: str, characters: list[str]) -> bytes:
    builder = FontBuilder(UNITS_PER_EM, isTTF=True)
    names = {ord(character): f"u{ord(character):04X}" for character in characters}
    widths = {code: UNITS_PER_EM if code > 0x2000 else HALF_WIDTH for code in names}
    builder.setupGlyphOrder([".notdef", *names.values()])
    builder.setupCharacterMap(names)
    glyphs = {".notdef": _square(HALF_WIDTH)}
    glyphs |= {name: _square(widths[code], hollow=chr(code).isspace()) for code, name in names.items()}
    builder.setupGlyf(glyphs)
    metrics = {".notdef": (HALF_WIDTH, 0)} | {name: (widths[code], 0) for code, name in names.items()}
    builder.setupHorizontalMetrics(metrics)
    builder.setupHorizontalHeader(ascent=ASCENT, descent=DESCENT)
    builder.setupNameTable({"familyName": family, "styleName": style, "psName": f"{family}-{style}"})
    builder.setupOS2(sTypoAscender=ASCENT, usWinAscent=ASCENT, usWinDescent=-DESCENT)
    builder.setupPost()
    file = io.BytesIO()
    builder.save(file)
    return file.getvalue()


def _square(width: int, *, hollow: bool = False) -> object:
    pen = TTGlyphPen(None)
    if not hollow:
        margin, top = width // 10, ASCENT - 100
        pen.moveTo((margin, 0))
        pen.lineTo((margin, top))
        pen.lineTo((width - margin, top))
        pen.lineTo((width - margin, 0))
        pen.closePath()
    return pen.glyph()
