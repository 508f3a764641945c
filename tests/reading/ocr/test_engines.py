"""Tesseract and RapidOCR on a page of our own; without an engine these tests skip."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from shutil import which

import pytest

from held.extraction import ExtractOptions, extract
from held.reading.ocr.engines import EngineError, EngineWord, split_words
from held.reading.ocr.orientation import turn_image
from held.reading.ocr.tesseract import parse_table
from held.reading.read_pdf import read_pdf
from held.reading.text_checks import OcrOptions
from tests.reading.ocr.scans import PAGE, PAGE_OF_TEXT, page_image, scan
from tests.waiting import eventually

needs_tesseract = pytest.mark.skipif(which("tesseract") is None, reason="tesseract is not installed")
needs_rapidocr = pytest.mark.skipif(find_spec("rapidocr") is None, reason="rapidocr is not installed")


SLOW_TESSERACT = """#!/bin/sh
[ "$1" = --list-langs ] && echo langs && echo eng && exit
while :; do :; done
"""


def read_words(engine: str) -> list[str]:
    pages = read_pdf(scan(page_image()), ocr=OcrOptions("auto", engine))
    return " ".join(run.text for run in pages.pages[0].runs).split()


@needs_tesseract
def test_tesseract_reads_a_scan() -> None:
    assert read_words("tesseract") == " ".join(text for text, _, _ in PAGE_OF_TEXT).split()


@needs_rapidocr
def test_rapidocr_reads_a_scan() -> None:
    expected = " ".join(text for text, _, _ in PAGE_OF_TEXT).split()
    found = read_words("rapidocr")
    assert len(set(expected) & set(found)) >= 0.8 * len(set(expected))


@needs_tesseract
@pytest.mark.parametrize("turn", [90, 180, 270])
def test_tesseract_reads_a_scan_that_is_turned(turn: int) -> None:
    turned = turn_image(page_image(), turn)
    pages = read_pdf(scan(turned), ocr=OcrOptions("auto", "tesseract", "eng"))
    words = " ".join(run.text for run in pages.pages[0].runs).split()
    assert words == " ".join(text for text, _, _ in PAGE_OF_TEXT).split()
    assert pages.pages[0].turn == 360 - turn
    assert "page 1: scanned sideways or upside down" in pages.notes[-1].message


@needs_rapidocr
@pytest.mark.parametrize("turn", [90, 180, 270])
def test_rapidocr_reads_a_scan_that_is_turned(turn: int) -> None:
    pages = read_pdf(scan(turn_image(page_image(), turn)), ocr=OcrOptions("auto", "rapidocr"))
    assert pages.pages[0].turn == 360 - turn
    assert "harbour" in " ".join(run.text for run in pages.pages[0].runs)


@needs_tesseract
def test_boxes_of_a_turned_scan_are_those_of_the_page_as_viewed() -> None:
    options = ExtractOptions(ocr_engine="tesseract", ocr_languages="eng")
    upright = extract(scan(page_image(), page_image()), options).document
    turned = extract(scan(page_image(), turn_image(page_image(), 180)), options).document
    width, height = PAGE
    assert turned.pages == upright.pages
    for item, other in zip(turned.objects, upright.objects, strict=True):
        x0, y0, x1, y1 = other.box
        is_turned = other.page == 2
        expected = (width - x1, height - y1, width - x0, height - y0) if is_turned else other.box
        assert item.box == pytest.approx(expected, abs=1.5)


@needs_tesseract
def test_a_heading_of_a_scan_is_found() -> None:
    hierarchy = extract(scan(page_image(), page_image()), ExtractOptions(ocr_engine="tesseract"))
    titles = [hierarchy.document.objects[index].text for index in sorted(hierarchy.headings)]
    assert titles[0] == "Boats and harbours"


@needs_tesseract
def test_a_language_that_is_not_installed_is_told() -> None:
    pages = read_pdf(scan(page_image()), ocr=OcrOptions("auto", "tesseract", "xyz"))
    assert pages.unread == (1,)
    assert "Tesseract fails" in pages.notes[-1].message


def test_a_page_that_takes_tesseract_too_long_is_unread_and_tesseract_is_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "tesseract"
    program.write_text(SLOW_TESSERACT)
    program.chmod(0o700)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    monkeypatch.setenv("HELD_LIMITS", "ocr_seconds=1")
    pages = read_pdf(scan(page_image()), ocr=OcrOptions("always", "tesseract", "eng"))
    assert "takes longer than 1 s to recognise, the limit for a page" in pages.notes[0].message
    assert eventually(lambda: not [line for line in command_lines() if str(program) in line])


def command_lines() -> Iterator[str]:
    """How the running processes were started."""
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):
            yield path.read_text(errors="replace")


def test_the_table_of_tesseract_becomes_lines_of_words() -> None:
    table = (
        "level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext\n"
        "4\t1\t1\t1\t1\t0\t10\t20\t90\t12\t-1\t\n"
        "5\t1\t1\t1\t1\t1\t10\t20\t30\t12\t96.5\tBoats\n"
        "5\t1\t1\t1\t1\t2\t50\t20\t50\t12\t80\tand\n"
        "5\t1\t1\t1\t2\t1\t10\t40\t50\t12\t95\t \n"
        "5\t1\t1\t1\t3\t1\t10\t60\t50\t12\t90\tharbours\n"
    )
    first, second = parse_table(table)
    assert first == [EngineWord(10, 20, 40, 32, "Boats", 0.965), EngineWord(50, 20, 100, 32, "and", 0.8)]
    assert [word.text for word in second] == ["harbours"]


def test_a_line_is_split_into_words_by_their_lengths() -> None:
    words = split_words(0, 0, 100, 10, "ab 第三章", 0.9)  # nine columns, of which the space is one
    assert [(word.text, round(word.x0), round(word.x1)) for word in words] == [
        ("ab", 0, 22),
        ("第三章", 33, 100),
    ]


def test_an_engine_error_has_a_message() -> None:
    assert str(EngineError("fails")) == "fails"
