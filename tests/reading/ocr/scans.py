"""Scans made on the spot, and an engine that reads them without any recognition."""

from __future__ import annotations

import os
import subprocess
import zlib
from collections.abc import Sequence
from io import BytesIO

import numpy
import pikepdf
import pypdfium2
from reportlab.pdfgen.canvas import Canvas

from held.reading.ocr.engines import EngineEntry, EngineError, EngineWord
from held.reading.ocr.images import Pixels, find_ink

PAGE = (400.0, 300.0)  # points
SCALE = 300 / 72
FAKE = EngineEntry("fake", "tests.reading.ocr.scans:FakeEngine", lambda: True, lambda: "pip install fake")


def entry(name: str, *, is_program: bool = False) -> EngineEntry:
    """The entry of an engine of this module."""
    return EngineEntry("fake", f"tests.reading.ocr.scans:{name}", lambda: True, str, is_program)


Line = tuple[str, float, bool]  # text, size in points, bold
PAGE_OF_TEXT: Sequence[Line] = (
    ("Boats and harbours", 18, True),
    *(("The boats of the harbour are counted every year by those who sail.", 10, False),) * 6,
)


def text_page(lines: Sequence[Line] = PAGE_OF_TEXT) -> bytes:
    """A PDF with one page of text lines."""
    content = BytesIO()
    canvas = Canvas(content, pagesize=PAGE)
    y = PAGE[1] - 40
    for text, size, bold in lines:
        canvas.setFont("Times-Bold" if bold else "Times-Roman", size)
        canvas.drawString(40, y, text)
        y -= 2 * size
    canvas.save()
    return content.getvalue()


def page_image(lines: Sequence[Line] = PAGE_OF_TEXT) -> Pixels:
    """The page as a scanner sees it."""
    with pypdfium2.PdfDocument(text_page(lines)) as pdf:
        image: Pixels = pdf[0].render(scale=SCALE, grayscale=True).to_numpy().copy()
    return image.reshape(image.shape[:2])


def scan(*pages: Pixels | bytes) -> bytes:
    """A PDF whose pages are images, or pages of another PDF."""
    result = pikepdf.new()
    for page in pages:
        if isinstance(page, bytes):
            with pikepdf.open(BytesIO(page)) as other:
                result.pages.extend(other.pages)
            continue
        width, height = page.shape[1] / SCALE, page.shape[0] / SCALE
        result.add_blank_page(page_size=(width, height))
        image = pikepdf.Stream(result, zlib.compress(page.tobytes()))
        image.Type, image.Subtype = pikepdf.Name.XObject, pikepdf.Name.Image
        image.Height, image.Width = page.shape
        image.ColorSpace, image.BitsPerComponent = pikepdf.Name.DeviceGray, 8
        image.Filter = pikepdf.Name.FlateDecode
        last = result.pages[-1]
        last.Resources = pikepdf.Dictionary(XObject=pikepdf.Dictionary(Im=result.make_indirect(image)))
        last.Contents = pikepdf.Stream(result, b"q %g 0 0 %g 0 0 cm /Im Do Q" % (width, height))
    content = BytesIO()
    result.save(content)
    return content.getvalue()


class FakeEngine:
    """Finds the lines of an image by their ink, and reads them as the lines of `PAGE_OF_TEXT`."""

    def recognise(
        self, image: Pixels, languages: Sequence[str], *, dots_per_inch: float
    ) -> list[list[EngineWord]]:
        ink = find_ink(image)
        rows = numpy.concatenate(([0], ink.any(axis=1).astype(numpy.int8), [0]))
        lines = []
        for number, (top, bottom) in enumerate(numpy.flatnonzero(numpy.diff(rows)).reshape(-1, 2)):
            columns = numpy.flatnonzero(ink[top:bottom].any(axis=0))
            text, _, _ = PAGE_OF_TEXT[min(number, len(PAGE_OF_TEXT) - 1)]
            box = (float(columns[0]), float(top), float(columns[-1] + 1), float(bottom))
            lines.append([EngineWord(*box, text.replace(" ", "\u00a0"), 0.9)])
        return lines


class HangingEngine:
    """Computes for ever."""

    def recognise(
        self, image: Pixels, languages: Sequence[str], *, dots_per_inch: float
    ) -> list[list[EngineWord]]:
        while True:
            pass


class CrashingEngine:
    """Ends its process."""

    def recognise(
        self, image: Pixels, languages: Sequence[str], *, dots_per_inch: float
    ) -> list[list[EngineWord]]:
        os._exit(1)


class TouchingEngine:
    """Has a program create the file that the languages name, and tells what the program said."""

    def recognise(
        self, image: Pixels, languages: Sequence[str], *, dots_per_inch: float
    ) -> list[list[EngineWord]]:
        touched = subprocess.run(["touch", *languages], capture_output=True, check=False)
        raise EngineError(f"touch ended with {touched.returncode}")


class DoubtfulEngine(FakeEngine):
    """Reads what the fake engine reads, with hardly any confidence."""

    def recognise(
        self, image: Pixels, languages: Sequence[str], *, dots_per_inch: float
    ) -> list[list[EngineWord]]:
        found = super().recognise(image, languages, dots_per_inch=dots_per_inch)
        return [[word._replace(confidence=0.2) for word in line] for line in found]


class LeaderEngine(FakeEngine):
    """Reads the title, and adds much garbage without confidence to some lines, as dot leaders cause it."""

    def recognise(
        self, image: Pixels, languages: Sequence[str], *, dots_per_inch: float
    ) -> list[list[EngineWord]]:
        found = super().recognise(image, languages, dots_per_inch=dots_per_inch)
        garbage = [[*line, line[0]._replace(text="sscecess" * 20, confidence=0.0)] for line in found[3:]]
        return [*found[:3], *garbage]


class BlindEngine:
    """Finds no text."""

    def recognise(
        self, image: Pixels, languages: Sequence[str], *, dots_per_inch: float
    ) -> list[list[EngineWord]]:
        return []


class BrokenEngine:
    """Reads nothing."""

    def recognise(
        self, image: Pixels, languages: Sequence[str], *, dots_per_inch: float
    ) -> list[list[EngineWord]]:
        raise EngineError("the engine is broken")
