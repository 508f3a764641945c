"""Scanned pages become runs of text, with the engine in a process of its own."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import numpy
import pytest
from reportlab.pdfbase.pdfmetrics import stringWidth

from held.document import Pages
from held.errors import NoTextError, UsageError
from held.extraction import ExtractOptions, extract
from held.layout.recognise import recognise
from held.reading.ocr import engines, pool
from held.reading.ocr.cache import VARIABLE
from held.reading.ocr.engines import EngineWord
from held.reading.ocr.images import Pixels, straighten
from held.reading.ocr.recognise_pages import join_words
from held.reading.ocr.styles import style_lines
from held.reading.ocr.worker import fit_rows, fit_runs, measure_layer
from held.reading.read_pdf import read_pdf
from held.reading.text_checks import OcrOptions, require_text
from held.system.limits import Limits
from tests.reading.ocr.scans import PAGE, PAGE_OF_TEXT, entry, page_image, scan, text_page

AUTO, ALWAYS, NEVER = OcrOptions("auto"), OcrOptions("always"), OcrOptions("never")


def texts(pages: Pages, number: int) -> list[str]:
    runs = pages.pages[number - pages.first_page].runs
    return [run.text.replace("\u00a0", " ") for run in runs]


def photograph() -> Pixels:
    """A page that is dark throughout."""
    image = page_image()
    image[:] = 60
    image[100:400, 100:600] = 20
    return image


@pytest.mark.usefixtures("fake_engine")
def test_a_scanned_page_gets_the_text_that_the_engine_reads() -> None:
    pages = read_pdf(scan(page_image(), text_page()), ocr=AUTO)
    assert texts(pages, 1) == [text for text, _, _ in PAGE_OF_TEXT]
    assert pages.recognised == (1,)
    assert not pages.unread


@pytest.mark.usefixtures("fake_engine")
def test_sizes_and_weights_of_a_scan_are_those_of_the_printed_page() -> None:
    pages = read_pdf(scan(page_image()), ocr=AUTO)
    styles = [pages.styles[run.style] for run in pages.pages[0].runs]
    assert styles[0].size == pytest.approx(18, rel=0.06)
    assert styles[1].size == pytest.approx(10, rel=0.06)
    assert len({style.size for style in styles[1:]}) == 1
    assert [style.bold for style in styles] == [bold for _, _, bold in PAGE_OF_TEXT]


@pytest.mark.usefixtures("fake_engine")
def test_lines_lie_where_they_are_on_the_page() -> None:
    recognised = read_pdf(scan(page_image()), ocr=AUTO).pages[0].runs
    printed = read_pdf(text_page()).pages[0].runs
    for run, original in zip(recognised, printed, strict=True):
        assert run[:4] == pytest.approx(original[:4], abs=2.5)


@pytest.mark.usefixtures("fake_engine")
def test_pages_with_text_are_not_recognised() -> None:
    assert read_pdf(text_page(), ocr=AUTO).recognised == ()


@pytest.mark.usefixtures("fake_engine")
def test_always_recognises_pages_with_text_too() -> None:
    assert read_pdf(scan(text_page(), page_image()), ocr=ALWAYS).recognised == (1, 2)


@pytest.mark.usefixtures("fake_engine")
def test_never_lists_the_scans_as_unread() -> None:
    pages = read_pdf(scan(text_page(), page_image()), ocr=NEVER)
    assert pages.unread == (2,)
    assert "page 2: text that was not read" in pages.notes[-1].message
    assert recognise(pages).status == "partial"


@pytest.mark.usefixtures("no_engine")
def test_without_an_engine_the_note_names_both_install_commands() -> None:
    (note,) = read_pdf(scan(text_page(), page_image()), ocr=AUTO).notes
    assert "apt install tesseract-ocr" in note.message
    assert "[ocr]'" in note.message


@pytest.mark.usefixtures("no_engine")
def test_without_an_engine_a_scan_is_refused_with_the_install_commands() -> None:
    with pytest.raises(NoTextError, match=r"it is a scan.*apt install tesseract-ocr"):
        require_text(read_pdf(scan(page_image()), ocr=AUTO))


@pytest.mark.usefixtures("no_engine")
def test_a_page_with_a_photograph_is_not_called_unread() -> None:
    assert read_pdf(scan(text_page(), photograph()), ocr=AUTO).unread == ()


@pytest.mark.usefixtures("no_engine")
def test_always_without_an_engine_is_an_error() -> None:
    with pytest.raises(UsageError, match="no OCR engine is installed"):
        read_pdf(text_page(), ocr=ALWAYS)


def install(monkeypatch: pytest.MonkeyPatch, engine: engines.EngineEntry) -> None:
    """Make this the only engine."""
    from held.reading.ocr import recognise_pages

    for module in (engines, pool, recognise_pages):
        monkeypatch.setattr(module, "ENGINES", {"fake": engine})


@pytest.mark.parametrize(
    ("engine", "reason"),
    [
        ("BrokenEngine", "the engine is broken"),
        ("DoubtfulEngine", "text that could not be read; --ocr-languages"),
        ("BlindEngine", "text that could not be read; --ocr-languages"),
        ("CrashingEngine", "crashes the process that recognises text"),
    ],
)
def test_a_page_that_the_engine_fails_on_is_unread(
    engine: str, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(monkeypatch, entry(engine))
    pages = read_pdf(scan(text_page(), page_image()), ocr=AUTO)
    assert pages.unread == (2,)
    assert reason in pages.notes[-1].message


def test_a_page_on_which_the_engine_hangs_is_unread(monkeypatch: pytest.MonkeyPatch) -> None:
    install(monkeypatch, entry("HangingEngine"))
    limits = Limits(ocr_seconds=0.5)
    pages = read_pdf(scan(text_page(), page_image()), ocr=AUTO, limits=limits)
    assert pages.unread == (2,)
    assert "takes longer than 0.5 s to recognise" in pages.notes[-1].message


def test_garbage_among_readable_lines_does_not_make_a_page_unread(monkeypatch: pytest.MonkeyPatch) -> None:
    install(monkeypatch, entry("LeaderEngine"))
    assert read_pdf(scan(text_page(), page_image()), ocr=AUTO).unread == ()


def test_a_photograph_in_which_the_engine_finds_nothing_is_not_unread(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    install(monkeypatch, entry("BlindEngine"))
    assert read_pdf(scan(text_page(), photograph()), ocr=AUTO).unread == ()


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux has the sandbox")
def test_programs_of_an_engine_cannot_write_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(monkeypatch, entry("TouchingEngine", is_program=True))
    monkeypatch.chdir(tmp_path)
    pages = read_pdf(scan(text_page(), page_image()), ocr=OcrOptions("auto", "auto", "touched"))
    assert "touch ended with 1" in pages.notes[-1].message
    assert not list(tmp_path.rglob("touched"))


@pytest.mark.usefixtures("fake_engine")
def test_a_second_run_takes_pages_from_the_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    file = scan(page_image())
    first = read_pdf(file, ocr=AUTO)
    monkeypatch.setattr(pool, "SERVE", "no.such.module:serve")
    assert read_pdf(file, ocr=AUTO).pages == first.pages


@pytest.mark.usefixtures("fake_engine")
def test_a_torn_file_in_the_cache_is_read_again() -> None:
    file = scan(page_image())
    first = read_pdf(file, ocr=AUTO)
    (stored,) = Path(os.environ[VARIABLE]).rglob("000001.json")
    stored.write_bytes(stored.read_bytes()[:100])
    assert read_pdf(file, ocr=AUTO).pages == first.pages


@pytest.mark.usefixtures("fake_engine")
def test_progress_counts_the_scanned_pages() -> None:
    reports: list[tuple[int, int]] = []
    file = scan(page_image(), text_page(), page_image())
    read_pdf(file, ocr=AUTO, ocr_progress=lambda done, total: reports.append((done, total)))
    assert reports == [(1, 2), (2, 2)]


@pytest.mark.usefixtures("fake_engine")
def test_a_range_of_pages_keeps_its_numbers() -> None:
    file = scan(text_page(), page_image(), page_image())
    pages = read_pdf(file, pages=[2, 3], ocr=AUTO)
    assert pages.recognised == (2, 3)
    assert texts(pages, 3)[0] == "Boats and harbours"


@pytest.mark.usefixtures("fake_engine")
def test_extract_reads_scans_by_default() -> None:
    document = extract(scan(page_image(), page_image()), ExtractOptions()).document
    assert document.recognised == (1, 2)
    assert any("harbours" in item.text for item in document.objects)


def test_an_unknown_mode_is_an_error() -> None:
    with pytest.raises(UsageError, match="ocr cannot be 'sometimes'"):
        extract(text_page(), ExtractOptions(ocr="sometimes"))


def test_languages_that_are_no_names_are_an_error() -> None:
    with pytest.raises(UsageError, match="ocr_languages cannot be"):
        extract(text_page(), ExtractOptions(ocr_languages="--psm 0"))


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (["white", "sails"], "white sails"),
        (["帆", "是", "白色的"], "帆是白色的"),
        (["帆は", "白い。"], "帆は白い。"),
        (["돛은", "하얗다"], "돛은 하얗다"),
        (["第三章", "Sails"], "第三章 Sails"),
    ],
)
def test_words_of_a_line_are_joined_as_their_script_asks(words: list[str], text: str) -> None:
    assert join_words(words) == text


@pytest.mark.parametrize("slope", [-0.02, 0.0, 0.015])
def test_words_of_a_text_layer_that_lies_askew_keep_their_size(slope: float) -> None:
    image = straighten(page_image(), -slope)
    layer = []
    baseline = 40.0
    for text, size, bold in PAGE_OF_TEXT:
        x1 = 40 + stringWidth(text, "Times-Bold" if bold else "Times-Roman", size)
        heights = [baseline + slope * (x - PAGE[0] / 2) for x in (40.0, x1)]
        top, bottom = min(heights) - 0.9 * size, max(heights) + 0.22 * size
        layer.append([(40.0, top, x1, bottom, text, 40.0, x1)])
        baseline += 2 * size
    page = measure_layer(image, 300, layer)
    (lines,) = style_lines([page])
    assert [line.size for line in lines] == pytest.approx([size for _, size, _ in PAGE_OF_TEXT], rel=0.08)
    assert [line.bold[0] for line in lines] == [bold for *_, bold in PAGE_OF_TEXT]


@pytest.mark.parametrize("share", [0.8, 1.1])
def test_a_text_layer_whose_lines_are_narrower_or_wider_is_fitted_to_the_ink(share: float) -> None:
    image = page_image()
    layer = []
    ends = []
    baseline = 40.0
    for text, size, bold in PAGE_OF_TEXT:
        width = stringWidth(text, "Times-Bold" if bold else "Times-Roman", size)
        x1 = 40 + share * width
        layer.append([(40.0, baseline - 0.9 * size, x1, baseline + 0.22 * size, text, 40.0, x1)])
        ends.append(40 + width)
        baseline += 2 * size
    page = measure_layer(image, 300, layer)
    assert [line[-1].x1 for line in page.lines] == pytest.approx(ends, abs=3.0)


def test_a_run_of_a_text_layer_is_not_stretched_over_the_next_column() -> None:
    ink = numpy.zeros((20, 200), bool)
    ink[5:15, 10:95] = True
    ink[5:15, 100:190] = True
    left = [EngineWord(10.0, 2.0, 60.0, 18.0, "sails", 1.0)]
    right = [EngineWord(100.0, 2.0, 190.0, 18.0, "boats", 1.0)]
    fitted = fit_runs([left, right], ink)
    assert [(run[0].x0, run[0].x1) for run in fitted] == [(10, 95), (100, 190)]


def test_a_box_that_cuts_characters_gets_the_rows_of_their_ink() -> None:
    ink = numpy.zeros((40, 100), bool)
    ink[10:30, 10:90] = True
    ink[33:40, 10:90] = True  # the next line
    (line,) = fit_rows([[EngineWord(10.0, 13.0, 90.0, 28.0, "船只", 1.0)]], ink)
    assert (line[0].y0, line[0].y1) == (10, 30)
