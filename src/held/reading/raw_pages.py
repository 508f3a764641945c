"""An open PDF and its pages as plain tuples and lists.

This is all that a worker process needs: nothing here knows the value types, so that a worker starts
fast and what it sends back is small. Pages count from 0 here, lengths are whole tenths of a point.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from ctypes import byref

from held.reading.form_fields import read_fields
from held.reading.pdfium import Floats4, Handle, library, utf16_text
from held.reading.raw import (
    ABSURD,
    LETTER,
    PER_POINT,
    CannotLoadPage,
    CannotOpen,
    PageBox,
    RawPage,
    StyleTable,
)
from held.reading.runs import read_runs
from held.reading.vector_paths import read_rules_and_images

QUARTER_TURN = 90  # degrees


@contextmanager
def open_document(path: bytes, password: bytes | None) -> Iterator[Handle]:
    """The open document, closed at the end."""
    document = library.FPDF_LoadDocument(path, password)
    if not document:
        raise CannotOpen(library.FPDF_GetLastError())
    try:
        yield document
    finally:
        library.FPDF_CloseDocument(document)


@contextmanager
def open_page(document: Handle, index: int) -> Iterator[Handle]:
    """The loaded page, closed at the end; its box is one that a page can have."""
    page = _loaded(document, index)
    if _stated_box(page) is None:
        # Before it reads a text, PDFium marks every point of the page's width and height: on a page of a
        # billion points that takes seconds and a hundred megabytes.
        _give_box(page, LETTER)
        library.FPDF_ClosePage(page)
        page = _loaded(document, index)
    try:
        yield page
    finally:
        library.FPDF_ClosePage(page)


def _loaded(document: Handle, index: int) -> Handle:
    page: Handle | None = library.FPDF_LoadPage(document, index)
    if not page:
        raise CannotLoadPage
    return page


def _give_box(page: Handle, box: PageBox) -> None:
    """Has the open document, not the file, give a page this box, which holds when it is loaded anew."""
    library.FPDFPage_SetMediaBox(page, *box)
    library.FPDFPage_SetCropBox(page, *box)


@contextmanager
def open_text(page: Handle) -> Iterator[Handle]:
    """The page's text, closed at the end."""
    text_page = library.FPDFText_LoadPage(page)
    if not text_page:
        raise CannotLoadPage
    try:
        yield text_page
    finally:
        library.FPDFText_ClosePage(text_page)


def page_count(document: Handle) -> int:
    return max(0, int(library.FPDF_GetPageCount(document)))


def page_label(document: Handle, index: int) -> str:
    """The label that viewers show for a page, empty where the file has none."""
    return utf16_text(lambda buffer, size: library.FPDF_GetPageLabel(document, index, buffer, size))


def page_box(page: Handle) -> PageBox:
    """The crop box within the media box, inherited or not: what a viewer shows, before it turns the page."""
    return _stated_box(page) or LETTER


def _stated_box(page: Handle) -> PageBox | None:
    """The box that the file gives a page, None where it is damaged."""
    box = Floats4()
    if not library.FPDF_GetPageBoundingBox(page, byref(box)):
        return None
    left, top, right, bottom = box
    if not (-ABSURD < left < right < ABSURD and -ABSURD < bottom < top < ABSURD):
        return None
    return left, bottom, right, top


def read_raw_page(document: Handle, form: Handle | None, index: int, styles: StyleTable) -> RawPage:
    """All that stands on one page; `styles` grows by what is new."""
    with open_page(document, index) as page:
        box = page_box(page)
        with open_text(page) as text_page:
            runs, text_objects = read_runs(text_page, box, styles)
        rules, images, strokes = read_rules_and_images(page, box, text_objects)
        fields = read_fields(page, form, box, styles)
        rotation = library.FPDFPage_GetRotation(page) % 4 * QUARTER_TURN
    left, bottom, right, top = box
    measures = (
        round((right - left) * PER_POINT),
        round((top - bottom) * PER_POINT),
        round(left * PER_POINT),
        round(top * PER_POINT),
        rotation,
    )
    return measures, page_label(document, index), runs, rules, images, fields, strokes
