"""Text that lies on top of a page: what form fields hold and free-text annotations say.

A viewer shows it like any other text, but it is no part of the page's content, so it comes as runs of
its own: one per line, spread evenly over the field's box.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from ctypes import byref, create_string_buffer

from held.reading.pdfium import Floats4, Handle, library, utf16_text
from held.reading.raw import ABSURD, PER_POINT, PageBox, RawRun, StyleTable

FREE_TEXT = 3
WIDGET = 20
COMBO_BOX, LIST_BOX, TEXT_FIELD = 4, 5, 6
INVISIBLE = 1 | 2 | 32  # annotation flags: invisible, hidden, no view
FORM_INFO_BYTES = 1024  # PDFium's struct of callbacks, none of which are needed: a version and zeros
FORM_INFO_VERSION = (2).to_bytes(4, "little")
USUAL_SIZE = 10.0
GREY, RGB, CMYK = 1, 3, 4  # how many numbers a colour has
BRIGHTEST = 255

NUMBER = r"(?:\d+\.?\d*|\.\d+)"
FONT_AND_SIZE = re.compile(rf"/(\S+)\s+({NUMBER})\s+Tf")
COLOUR = re.compile(rf"((?:{NUMBER}\s+){{1,4}})(?:g|rg|k)\b")


@contextmanager
def form_of(document: Handle) -> Iterator[Handle | None]:
    """The document's form, None where it has none."""
    if not library.FPDF_GetFormType(document):
        yield None
        return
    info = create_string_buffer(FORM_INFO_VERSION, FORM_INFO_BYTES)
    form = library.FPDFDOC_InitFormFillEnvironment(document, info)
    try:
        yield form
    finally:
        if form:
            library.FPDFDOC_ExitFormFillEnvironment(form)


def read_fields(page: Handle, form: Handle | None, page_box: PageBox, styles: StyleTable) -> list[RawRun]:
    """The runs of a page's fields and free-text annotations; `styles` grows by what is new."""
    runs: list[RawRun] = []
    for index in range(library.FPDFPage_GetAnnotCount(page)):
        annotation = library.FPDFPage_GetAnnot(page, index)
        if not annotation:
            continue
        text = _text(annotation, form)
        if text.strip():
            runs += _spread(text, annotation, page_box, styles)
        library.FPDFPage_CloseAnnot(annotation)
    return runs


def _text(annotation: Handle, form: Handle | None) -> str:
    """What an annotation shows as text, empty for all that show none."""
    kind = library.FPDFAnnot_GetSubtype(annotation)
    if kind not in (FREE_TEXT, WIDGET) or library.FPDFAnnot_GetFlags(annotation) & INVISIBLE:
        return ""
    if kind == FREE_TEXT:
        return _string(annotation, b"Contents")
    if form and library.FPDFAnnot_GetFormFieldType(form, annotation) in (COMBO_BOX, LIST_BOX, TEXT_FIELD):
        return utf16_text(
            lambda buffer, size: library.FPDFAnnot_GetFormFieldValue(form, annotation, buffer, size)
        )
    return ""


def _string(annotation: Handle, key: bytes) -> str:
    return utf16_text(lambda buffer, size: library.FPDFAnnot_GetStringValue(annotation, key, buffer, size))


def _spread(text: str, annotation: Handle, page_box: PageBox, styles: StyleTable) -> Iterator[RawRun]:
    """One run per line of a field's text."""
    box = Floats4()
    library.FPDFAnnot_GetRect(annotation, byref(box))
    x0, y1, x1, y0 = box
    if not (-ABSURD < x0 <= x1 < ABSURD and -ABSURD < y0 <= y1 < ABSURD):
        return
    lines = text.splitlines()
    step = (y1 - y0) / len(lines)
    style = _style(_string(annotation, b"DA"), step)
    index = styles.setdefault(style, len(styles))
    left, _, _, top = page_box
    for number, line in enumerate(lines):
        if line.strip():
            high = top - y1 + number * step
            yield (
                round((x0 - left) * PER_POINT),
                round(high * PER_POINT),
                round((x1 - left) * PER_POINT),
                round((high + step) * PER_POINT),
                index,
                line,
            )


def _style(appearance: str, line_height: float) -> tuple[str, float, str, bool, bool, int, bool]:
    """The style that an appearance string such as `/Helv 12 Tf 0 g` asks for; size 0 means one that fits."""
    font = FONT_AND_SIZE.search(appearance)
    size = float(font[2]) if font else 0.0
    if not 0 < size < ABSURD:
        size = min(USUAL_SIZE, line_height)
    stated = COLOUR.search(appearance)
    colour = _hex(stated[1] if stated else "0")
    name = font[1] if font else ""
    bold = italic = False
    render_mode = 0
    upright = True
    return name, round(size, 1), colour, bold, italic, render_mode, upright


def _hex(numbers: str) -> str:
    """Grey, RGB or CMYK as rrggbb."""
    parts = [min(1.0, float(number)) for number in numbers.split()]
    if len(parts) == CMYK:
        *colours, black = parts
        parts = [(1 - colour) * (1 - black) for colour in colours]
    elif len(parts) != RGB:
        parts = parts[:GREY] * RGB or [0.0] * RGB
    return "".join(f"{round(BRIGHTEST * part):02x}" for part in parts)
