"""Makes the font of invisible text layers, and its map from codes to Unicode: see `held.exports.text_layer`.

    python -m research.glyphless_font      # writes both into src/held/exports/assets

The font has two glyphs that paint nothing, and the tables that a PDF needs (ISO 32000-1, 9.9). A test checks
that the files are what this module writes.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from held.exports import text_layer
from held.exports.text_layer import ADVANCE, ASCENT, DESCENT, UNITS_PER_EM

ASSETS = Path(text_layer.__file__).with_name("assets")
MAX_RANGES = 100  # in one block of a character map: Adobe's technical note 5411
_STROKE = ((0, DESCENT), (ADVANCE, ASCENT - DESCENT))  # the first point, and the step to the second


def unicode_map() -> bytes:
    """The map from codes to Unicode, which are the same; each range has one high byte, as is required."""
    ranges = []
    for high in range(0x100):
        # PDF/A-2, 6.2.11.7.2: no code means U+0000, U+FEFF or U+FFFE.
        first = 0x01 if high == 0 else 0x00
        last = {0xFE: 0xFE, 0xFF: 0xFD}.get(high, 0xFF)
        ranges.append(f"<{high:02x}{first:02x}> <{high:02x}{last:02x}> <{high:02x}{first:02x}>")
    lines = [
        "/CIDInit /ProcSet findresource begin 12 dict begin begincmap",
        "/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def",
        "/CMapName /Adobe-Identity-UCS def /CMapType 2 def",
        "1 begincodespacerange <0000> <ffff> endcodespacerange",
    ]
    for block in _blocks(ranges, MAX_RANGES):
        lines += [f"{len(block)} beginbfrange", *block, "endbfrange"]
    lines.append("endcmap CMapName currentdict /CMap defineresource pop end end")
    return "\n".join(lines).encode("ascii")


def _blocks(items: Sequence[str], size: int) -> Iterable[Sequence[str]]:
    return (items[start : start + size] for start in range(0, len(items), size))


def glyphless_truetype() -> bytes:
    """A TrueType font of two glyphs that paint nothing, with tables that a PDF needs (ISO 32000-1, 9.9)."""
    glyphs = 2
    created = b"\x00" * 16  # two dates
    head = struct.pack(">IIIIHH", 0x00010000, 0x00010000, 0, 0x5F0F3CF5, 0, UNITS_PER_EM) + created
    head += struct.pack(">hhhhHHhhh", 0, DESCENT, ADVANCE, ASCENT, 0, 8, 2, 0, 0)
    hhea = struct.pack(
        ">IhhhHhhhhhh8xhH", 0x00010000, ASCENT, DESCENT, 0, ADVANCE, 0, 0, 0, 1, 0, 0, 0, glyphs
    )
    maxp = struct.pack(">IHHH22x", 0x00010000, glyphs, len(_STROKE), 1)
    glyph = _line_glyph()
    tables = {
        b"glyf": glyph,
        b"head": head,
        b"hhea": hhea,
        b"hmtx": struct.pack(">Hh", ADVANCE, 0) * glyphs,
        b"loca": struct.pack(">HHH", 0, 0, len(glyph) // 2),  # the first glyph, "missing", is empty
        b"maxp": maxp,
    }
    return _join_tables(tables)


def _line_glyph() -> bytes:
    """A glyph of one line without area: it paints nothing, but has the box of a letter.

    PDFium leaves out sideways text whose glyphs have no box.
    """
    header = struct.pack(">hhhhh", 1, 0, DESCENT, ADVANCE, ASCENT)
    on_curve = b"\x01" * len(_STROKE)
    last_point, instructions = len(_STROKE) - 1, 0
    outline = struct.pack(">HH", last_point, instructions) + on_curve
    xs = struct.pack(">hh", *(x for x, _ in _STROKE))
    ys = struct.pack(">hh", *(y for _, y in _STROKE))
    return header + outline + xs + ys


def _join_tables(tables: Mapping[bytes, bytes]) -> bytes:
    """The file of some TrueType tables: a directory, then the tables, each at a multiple of four bytes."""
    count = len(tables)
    power = 1 << (count.bit_length() - 1)
    header = struct.pack(
        ">IHHHH", 0x00010000, count, 16 * power, power.bit_length() - 1, 16 * (count - power)
    )
    offset = len(header) + 16 * count
    directory, body = b"", b""
    for name, content in sorted(tables.items()):
        padded = content + b"\x00" * (-len(content) % 4)
        words = struct.unpack(f">{len(padded) // 4}I", padded)
        directory += name + struct.pack(">III", sum(words) & 0xFFFFFFFF, offset + len(body), len(content))
        body += padded
    return header + directory + body


def main() -> None:
    """Write the font and its map."""
    (ASSETS / "glyphless.ttf").write_bytes(glyphless_truetype())
    (ASSETS / "utf16.cmap").write_bytes(unicode_map())


if __name__ == "__main__":
    main()
