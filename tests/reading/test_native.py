"""The native reader gives the same pages as the Python reader, bit for bit."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from held.document import Pages
from held.reading import pdfium_reader, raw_page, text_runs
from held.reading.native import FUNCTIONS, INTERFACE_VERSION, is_native
from held.reading.read_pdf import read_pdf
from tests.hostile.files import form
from tests.layout.make_pdfs import pdf, stream, text

SAMPLES = sorted(Path(__file__).parents[2].joinpath("samples").glob("*.pdf"))
SOURCE = Path(raw_page.__file__).with_name("_native.c").read_text("utf-8")
# Points that are inside, at the edge of and far outside a page of 200 by 300.
LENGTHS = st.sampled_from((-999_999.0, -0.04, 0.0, 0.05, 7.95, 8.05, 100.25, 199.5, 300.0, 2e6))

needs_native = pytest.mark.skipif(not is_native(), reason="the native reader is not built, or switched off")


def read_natively(content: bytes | Path) -> Pages:
    assert pdfium_reader._native is not None
    return read_pdf(content, jobs=0)


def read_in_python(content: bytes | Path) -> Pages:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pdfium_reader, "_native", None)
        return read_pdf(content, jobs=0)


def require_same_pages(content: bytes | Path) -> Pages:
    pages = read_natively(content)
    assert pages == read_in_python(content)
    return pages


@needs_native
@pytest.mark.parametrize("sample", SAMPLES, ids=lambda path: path.name)
def test_samples_have_the_same_pages(sample: Path) -> None:
    require_same_pages(sample)


@needs_native
def test_letter_spaced_titles_are_closed_alike() -> None:
    title = "BT /F1 10 Tf 6 Tc 20 250 Td (APPENDIX) Tj ET\n"
    pages = require_same_pages(pdf(title + text("1 2 3 4", y=200) * 4))
    assert pages.pages[0].runs[0].text == "APPENDIX"


@needs_native
def test_words_of_rows_of_numbers_have_the_same_boxes() -> None:
    rows = "".join(text(f"Income {n} 1,234 (5) 67 %", y=250 - 12 * n) for n in range(4))
    pages = require_same_pages(pdf(rows))
    assert len(pages.pages[0].runs[0].words) == 6


@needs_native
def test_characters_without_a_unicode_value_are_kept_alike() -> None:
    characters = "2 beginbfchar <41> <D83DDE00> <43> <0000> endbfchar"
    cmap = f"/CIDInit /ProcSet findresource begin begincmap {characters} endcmap"
    unmapped = (
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode 500 0 R "
        "/Encoding << /Differences [66 /unknown] >> >>"
    )
    for words in ("ABC", "Abacus aCid"):
        require_same_pages(pdf(text(words), fonts={"F1": unmapped}, objects={500: stream(cmap)}))


@needs_native
def test_graphics_in_forms_have_the_same_rules() -> None:
    inner = form("10 10 50 0.5 re f 10 10 0.5 50 re f 20 20 30 30 re S", None)
    outer = form("0 2 -2 0 150 0 cm /X Do", 501)
    content = pdf(
        "1 0 0 1 5 5 cm /X Do", resources="/XObject << /X 500 0 R >>", objects={500: outer, 501: inner}
    )
    assert len(require_same_pages(content).pages[0].rules) == 3


@needs_native
@given(
    st.lists(
        st.tuples(LENGTHS, LENGTHS, st.sampled_from((0.001, 4.0, 10.0)), st.text("aB 1%)-é", max_size=9))
    ),
    st.lists(st.tuples(LENGTHS, LENGTHS, LENGTHS, LENGTHS)),
)
def test_any_texts_and_rectangles_are_read_alike(
    texts: list[tuple[float, float, float, str]], rectangles: list[tuple[float, float, float, float]]
) -> None:
    shown = [text(re.sub(r"([()])", r"\\\1", words), x=x, y=y, size=size) for x, y, size, words in texts]
    drawn = [f"{x} {y} {width} {height} re f\n" for x, y, width, height in rectangles]
    require_same_pages(pdf("".join(shown + drawn)))


@pytest.mark.parametrize(
    "name",
    [
        "MAX_GAP",
        "MAX_SPACE",
        "MAX_STEP_BACK",
        "MIN_HEIGHT",
        "OVERHANG",
        "MIN_GAPPED_CHARACTER",
        "MIN_TABULAR_PIECES",
        "UNITS_PER_POINT",
        "MAX_COORDINATE",
        "MAX_LINE_THICKNESS",
        "MIN_LINE_LENGTH",
        "MAX_BREAK",
        "LINE_BAND",
        "MAX_FORM_DEPTH",
        "MAX_OBJECTS",
    ],
)
def test_both_readers_have_the_same_constants(name: str) -> None:
    value = getattr(text_runs, name, None) or getattr(pdfium_reader, name)
    (defined,) = re.findall(rf"^#define {name} (\S+)$", SOURCE, re.MULTILINE)
    assert float(defined) == value


def test_an_older_build_is_told_by_its_version() -> None:
    (version,) = re.findall(r"^#define INTERFACE_VERSION (\d+)$", SOURCE, re.MULTILINE)
    assert int(version) == INTERFACE_VERSION


def test_each_function_of_pdfium_has_an_address() -> None:
    declared = re.findall(r"^    \w+ \(\*\w+\)\(.+\);$", SOURCE, re.MULTILINE)
    assert len(declared) == len(FUNCTIONS)


@needs_native
def test_a_reader_without_functions_refuses_to_read() -> None:
    from held.reading import _native

    with pytest.raises(ValueError, match="one address for each function"):
        _native.bind((1, 2))
    with pytest.raises(ValueError, match="no page"):
        _native.read_page(0, 0, (0.0, 0.0, 1.0, 1.0), lambda *_: 0)
