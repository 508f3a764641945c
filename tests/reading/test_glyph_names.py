"""Ligatures in fonts without a Unicode map are read by the names of their glyphs."""

from pathlib import Path

import pikepdf
import pytest
from pikepdf import Array, Dictionary, Name, Stream

from held.document import PageContent, Pages, Run, Style
from held.reading import glyph_names
from held.reading.glyph_names import glyph_letters, read_encodings_here
from held.reading.read_pdf import read_pdf

GLYPHS = Array([2, Name("/f_i"), 161, Name("/f_f"), Name("/ff"), Name("/f_f_i.alt"), Name("/g12")])


def font(pdf: pikepdf.Pdf, prefix: str = "ABCDEF", glyphs: Array = GLYPHS) -> pikepdf.Object:
    """A font without a Unicode map whose glyphs have names."""
    name = Name(f"/{prefix}+Harbour")
    descriptor = Dictionary(
        Type=Name.FontDescriptor,
        FontName=name,
        Flags=32,
        FontBBox=Array([0, 0, 500, 700]),
        ItalicAngle=0,
        Ascent=700,
        Descent=0,
        CapHeight=700,
        StemV=80,
    )
    encoding = Dictionary(Type=Name.Encoding, BaseEncoding=Name.WinAnsiEncoding, Differences=glyphs)
    return pdf.make_indirect(
        Dictionary(
            Type=Name.Font,
            Subtype=Name.Type1,
            BaseFont=name,
            Encoding=encoding,
            FirstChar=0,
            LastChar=255,
            Widths=Array([500] * 256),
            FontDescriptor=pdf.make_indirect(descriptor),
        )
    )


def save(path: Path, text: bytes) -> Path:
    """A PDF of one line in such a font."""
    pdf = pikepdf.new()
    page = pdf.add_blank_page(page_size=(400, 200))
    page.Resources = Dictionary(Font=Dictionary(F1=font(pdf)))
    page.Contents = Stream(pdf, b"BT /F1 12 Tf 20 100 Td (" + text + b") Tj ET")
    pdf.save(path)
    return path


@pytest.mark.parametrize("jobs", [0, 1])
def test_ligatures_are_spelled_by_the_names_of_their_glyphs(tmp_path: Path, jobs: int) -> None:
    path = save(tmp_path / "a.pdf", b"O\xa1ers re\x02ned in the o\xa3ce")
    (run,) = read_pdf(path, jobs=jobs).pages[0].runs
    assert run.text == "Offers refined in the office"


def test_a_glyph_whose_name_says_nothing_keeps_its_code(tmp_path: Path) -> None:
    (run,) = read_pdf(save(tmp_path / "a.pdf", b"A \xa4 sign"), jobs=0).pages[0].runs
    assert run.text == "A ¤ sign"


def test_a_code_that_two_subsets_of_a_font_use_differently_stays(tmp_path: Path) -> None:
    pdf = pikepdf.new()
    page = pdf.add_blank_page(page_size=(400, 200))
    other = font(pdf, "GHIJKL", Array([161, Name("/f_l")]))
    page.Resources = Dictionary(Font=Dictionary(F1=font(pdf), F2=other))
    pdf.save(tmp_path / "a.pdf")
    codes = read_encodings_here(str(tmp_path / "a.pdf"))["Harbour"]
    assert (codes[161], codes[2]) == ("¡", "fi")


@pytest.mark.parametrize(
    ("name", "letters"),
    [
        ("f_f", "ff"),
        ("f_f_i.alt", "ffi"),
        ("T_h", "Th"),
        ("uni00660069", "fi"),
        ("u1D400", "\U0001d400"),
        ("g12", ""),
        ("f_g12", ""),
        ("uD800", ""),
        ("_", ""),
    ],
)
def test_names_are_read_as_the_glyph_list_specifies(name: str, letters: str) -> None:
    assert glyph_letters(name) == letters


def test_codes_of_mathematical_signs_need_no_fonts(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("read the fonts")

    monkeypatch.setattr(glyph_names, "read_encodings", refuse)
    run = Run(10, 10, 20, 20, 0, "\U000f0014Z")  # a ceiling and an integral in TeX's encoding OMX
    pages = Pages("a.pdf", (Style(font="CMEX10"),), (PageContent(400, 200, (run,)),))
    (named,) = glyph_names.name_glyphs(pages, "a.pdf").pages[0].runs
    assert named.text == "\x14Z"
