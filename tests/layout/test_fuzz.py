"""Damaged PDFs: whatever is done to the bytes, `Pages` or a `HeldError` comes out."""

from __future__ import annotations

import random

import pytest
from research.fuzz.mutants import by_byte

from held.document import Pages
from held.errors import HeldError
from held.reading.read_pdf import read_pdf
from tests.layout.make_pdfs import MEDIA, encrypted, font, pdf, stream, text

TRIES = 400  # for each kind of file

FORM = stream("0 0 50 1 re f", "/Type /XObject /Subtype /Form /BBox [0 0 99 99] /Matrix [1 0 0 1 9 9]")
RICH = pdf(
    text("A heading", size=16) + text("some text", y=220) + "20 200 100 1 re f /X Do",
    "2 Tr 1 0 0 rg " + text("bold and red") + "BT /F2 9 Tf 0 1 -1 0 50 50 Tm (turned) Tj ET",
    page=[f"{MEDIA} /Annots [501 0 R]", f"{MEDIA} /Rotate 90 /CropBox [10 10 190 290]"],
    fonts={"F1": font("Helvetica"), "F2": font("Times-BoldItalic")},
    resources="/XObject << /X 500 0 R >>",
    catalog="/Outlines 502 0 R /AcroForm << /Fields [501 0 R] >> /PageLabels << /Nums [0 << /S /r >>] >>",
    objects={
        500: FORM,
        501: "<< /Subtype /Widget /FT /Tx /T (t) /V (value) /Rect [9 9 99 99] /DA (/F1 9 Tf) >>",
        502: "<< /First 503 0 R >>",
        503: "<< /Title (One) /Dest [10 0 R /XYZ 0 280 0] /First 504 0 R >>",
        504: "<< /Title (Two) /Dest [20 0 R /FitH 280] >>",
    },
)
FILES = {"rich": RICH, "compressed": encrypted(RICH, user=""), "plain": pdf(text("Hello"), text("world"))}


def outcome(source: bytes) -> Pages | str:
    """The pages, or what our error says."""
    try:
        return read_pdf(source, jobs=1)
    except HeldError as error:
        return str(error)


@pytest.mark.parametrize("kind", FILES)
def test_a_damaged_file_gives_pages_or_an_error_of_ours(kind: str) -> None:
    chance = random.Random(kind)
    outcomes = [outcome(by_byte(FILES[kind], chance)) for _ in range(TRIES)]
    assert not any("\n" in found for found in outcomes if isinstance(found, str))
    assert any(isinstance(found, Pages) for found in outcomes)
