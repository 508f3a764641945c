"""The font of invisible text layers."""

from __future__ import annotations

from research.glyphless_font import ASSETS, glyphless_truetype, unicode_map


def test_the_files_of_the_package_are_current() -> None:
    assert (ASSETS / "glyphless.ttf").read_bytes() == glyphless_truetype()
    assert (ASSETS / "utf16.cmap").read_bytes() == unicode_map()


def test_the_font_has_the_tables_that_a_pdf_needs() -> None:
    program = glyphless_truetype()
    count = int.from_bytes(program[4:6], "big")
    names = [program[12 + 16 * index : 16 + 16 * index] for index in range(count)]
    assert names == [b"glyf", b"head", b"hhea", b"hmtx", b"loca", b"maxp"]
    head = program.index(b"\x5f\x0f\x3c\xf5")  # the magic number of the table `head`
    assert head > 12 + 16 * count
