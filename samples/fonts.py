"""The typefaces of the samples: how wide a character is, which code it has, how the face gets into the PDF.

A face is embedded as word processors do it for East Asian text: one composite font with two-byte codes and a
Unicode map, subset to the characters used. reportlab splits a face into fonts of 256 characters and takes no
CFF outlines, which would give text unlike that of real reports; so fontTools and pikepdf do it here.
"""

from __future__ import annotations

import hashlib
import io
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pikepdf
from fontTools import subset
from fontTools.ttLib import TTFont
from pikepdf import Array, Dictionary, Name, Stream

FONT_ROOT = Path("/usr/share/fonts")

# From the Debian packages named in `make.py`. The number picks a face out of a collection.
FONT_FILES: dict[str, tuple[str, int]] = {
    "LiberationSerif": ("truetype/liberation/LiberationSerif-Regular.ttf", -1),
    "LiberationSerif-Bold": ("truetype/liberation/LiberationSerif-Bold.ttf", -1),
    "LiberationSerif-Italic": ("truetype/liberation/LiberationSerif-Italic.ttf", -1),
    "LiberationSerif-BoldItalic": ("truetype/liberation/LiberationSerif-BoldItalic.ttf", -1),
    "Lato-Regular": ("truetype/lato/Lato-Regular.ttf", -1),
    "Lato-Bold": ("truetype/lato/Lato-Bold.ttf", -1),
    "NotoSerifCJKsc-Regular": ("opentype/noto/NotoSerifCJK-Regular.ttc", 2),
    "NotoSansCJKsc-Regular": ("opentype/noto/NotoSansCJK-Regular.ttc", 2),
    "NotoSansCJKsc-Bold": ("opentype/noto/NotoSansCJK-Bold.ttc", 2),
}

_ASCII = frozenset(map(chr, range(32, 127)))
_ITALIC, _NONSYMBOLIC, _SERIF = 64, 32, 2


@dataclass(frozen=True)
class Face:
    """A typeface: codes and widths (thousandths of the size) by character, and the way to embed it."""

    name: str
    codes: dict[str, int]
    widths: dict[str, float]
    embed: Callable[[pikepdf.Pdf, Iterable[str]], pikepdf.Object]
    used: set[str] = field(default_factory=set)

    def width(self, text: str, size: float) -> float:
        """The width of `text` in points."""
        widths = self.widths
        return sum(widths[character] for character in text) * size / 1000

    def encode(self, text: str) -> str:
        """The hexadecimal codes of `text`; its characters will be in the embedded subset."""
        self.used.update(text)
        return "".join(f"{self.codes[character]:04x}" for character in text)


def font_path(name: str) -> Path:
    """Where the file of a face lies on a Debian system."""
    return FONT_ROOT / FONT_FILES[name][0]


def missing_fonts() -> list[str]:
    """The font files that are not installed."""
    return sorted({str(font_path(name)) for name in FONT_FILES if not font_path(name).exists()})


def font_digests() -> dict[str, str]:
    """SHA-256 by file name: the PDFs can only come out the same from the same fonts."""
    paths = sorted({font_path(name) for name in FONT_FILES})
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in paths}


def face_from_file(name: str) -> Face:
    """The face read from an installed font file."""
    font = _open(name)
    scale = 1000 / font["head"].unitsPerEm
    characters = {chr(point): glyph for point, glyph in font.getBestCmap().items()}
    metrics = font["hmtx"].metrics
    code_of = _cid if "CFF " in font else font.getGlyphID
    codes = {character: code_of(glyph) for character, glyph in characters.items()}
    widths = {character: metrics[glyph][0] * scale for character, glyph in characters.items()}

    def embed(pdf: pikepdf.Pdf, used: Iterable[str]) -> pikepdf.Object:
        return _embed(pdf, name, "".join(sorted(used)), codes, widths)

    # ASCII is always embedded, so that `faces_from_pdf` can set other English text.
    return Face(name, codes, widths, embed, set(_ASCII))


def faces_from_pdf(path: Path) -> dict[str, Face]:
    """The faces embedded in one of the sample PDFs, so that no font need be installed."""
    faces: dict[str, Face] = {}
    with pikepdf.open(path) as source:
        for page in source.pages:
            for font in page.Resources.Font.values():
                name = str(font.BaseFont).split("+")[-1]
                if name not in faces:
                    faces[name] = _face_from_font(name, font, path)
    return faces


def _face_from_font(name: str, font: pikepdf.Object, path: Path) -> Face:
    to_unicode = font.ToUnicode.read_bytes().decode("ascii")
    pairs = re.findall(r"(?m)^<([0-9a-f]{4})> <([0-9a-f]+)>$", to_unicode)
    codes = {bytes.fromhex(text).decode("utf-16-be"): int(code, 16) for code, text in pairs}
    array = font.DescendantFonts[0].W
    by_code = {int(array[i]): float(array[i + 1][0]) for i in range(0, len(array), 2)}
    widths = {character: by_code[code] for character, code in codes.items()}

    def embed(pdf: pikepdf.Pdf, used: Iterable[str]) -> pikepdf.Object:
        with pikepdf.open(path) as source:
            fonts = (f for page in source.pages for f in page.Resources.Font.values())
            return pdf.copy_foreign(next(f for f in fonts if str(f.BaseFont).endswith("+" + name)))

    return Face(name, codes, widths, embed)


def _open(name: str) -> Any:
    return TTFont(font_path(name), fontNumber=FONT_FILES[name][1], lazy=True, recalcTimestamp=False)


def _cid(glyph: str) -> int:
    return int(glyph.removeprefix("cid"))


def _embed(
    pdf: pikepdf.Pdf, name: str, used: str, codes: dict[str, int], widths: dict[str, float]
) -> pikepdf.Object:
    font = _subset(name, used)
    tag = hashlib.sha256((name + used).encode()).hexdigest()
    letters = "".join(chr(ord("A") + int(digit, 16)) for digit in tag[:6])
    base = Name(f"/{letters}+{name}")
    descendant = Dictionary(
        Type=Name.Font,
        Subtype=Name.CIDFontType0 if "CFF " in font else Name.CIDFontType2,
        BaseFont=base,
        CIDSystemInfo=Dictionary(Registry=b"Adobe", Ordering=b"Identity", Supplement=0),
        FontDescriptor=pdf.make_indirect(_descriptor(pdf, font, base)),
        DW=1000,
        W=Array([item for c in used for item in (codes[c], Array([round(widths[c], 1)]))]),
    )
    if "CFF " not in font:
        descendant.CIDToGIDMap = Name.Identity
    return pdf.make_indirect(
        Dictionary(
            Type=Name.Font,
            Subtype=Name.Type0,
            BaseFont=base,
            Encoding=Name("/Identity-H"),
            DescendantFonts=Array([pdf.make_indirect(descendant)]),
            ToUnicode=Stream(pdf, _unicode_map(used, codes)),
        )
    )


def _subset(name: str, used: str) -> Any:
    """The font with the glyphs of `used` alone; glyphs keep their numbers, so that codes stay valid."""
    options = subset.Options(
        retain_gids=True,
        layout_features=[],
        hinting=False,
        notdef_outline=True,
        drop_tables=["GSUB", "GPOS", "GDEF", "BASE", "VORG", "vhea", "vmtx", "kern", "DSIG", "FFTM"],
    )
    font = _open(name)
    if "CFF " in font:
        options.retain_gids = False
    subsetter = subset.Subsetter(options)
    subsetter.populate(text=used)
    subsetter.subset(font)
    return font


def _descriptor(pdf: pikepdf.Pdf, font: Any, base: Name) -> Dictionary:
    scale = 1000 / font["head"].unitsPerEm
    head, metrics = font["head"], font["hhea"]
    italic_angle = font["post"].italicAngle
    serif = "Serif" in str(base)
    file = io.BytesIO()
    font.save(file, reorderTables=True)
    descriptor = Dictionary(
        Type=Name.FontDescriptor,
        FontName=base,
        Flags=_NONSYMBOLIC | (_SERIF if serif else 0) | (_ITALIC if italic_angle else 0),
        FontBBox=Array([round(v * scale) for v in (head.xMin, head.yMin, head.xMax, head.yMax)]),
        ItalicAngle=round(italic_angle),
        Ascent=round(metrics.ascent * scale),
        Descent=round(metrics.descent * scale),
        CapHeight=700,
        StemV=140 if "Bold" in str(base) else 80,
    )
    if "CFF " in font:
        data = TTFont(io.BytesIO(file.getvalue())).getTableData("CFF ")
        descriptor.FontFile3 = Stream(pdf, data, Subtype=Name.CIDFontType0C)
    else:
        descriptor.FontFile2 = Stream(pdf, file.getvalue(), Length1=len(file.getvalue()))
    return descriptor


def _unicode_map(used: str, codes: dict[str, int]) -> bytes:
    pairs = [f"<{codes[c]:04x}> <{c.encode('utf-16-be').hex()}>" for c in used]
    chunks = [pairs[i : i + 100] for i in range(0, len(pairs), 100)]
    body = "\n".join(f"{len(chunk)} beginbfchar\n" + "\n".join(chunk) + "\nendbfchar" for chunk in chunks)
    return (
        "/CIDInit /ProcSet findresource begin 12 dict begin begincmap\n"
        "/CMapName /Adobe-Identity-UCS def /CMapType 2 def\n"
        "1 begincodespacerange <0000> <ffff> endcodespacerange\n"
        f"{body}\nendcmap CMapName currentdict /CMap defineresource pop end end\n"
    ).encode("ascii")
