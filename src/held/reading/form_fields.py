"""The text of form fields and free-text annotations.

A viewer shows it like other text, but it is not part of the page's content. It comes as separate runs: one
per line, distributed evenly over the field's box.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from ctypes import byref, create_string_buffer

from held.reading.pdfium import Floats4, Handle, library, utf16_text
from held.reading.raw_page import (
    MAX_COORDINATE,
    UNITS_PER_POINT,
    PageBox,
    RawRun,
    RawStyle,
    StyleTable,
    is_plausible,
)
from held.system import lazy_pattern

# From fpdf_annot.h and fpdf_formfill.h.
FREE_TEXT = 3
WIDGET = 20
COMBO_BOX, LIST_BOX, TEXT_FIELD = 4, 5, 6
INVISIBLE = 1 | 2 | 32  # annotation flags (ISO 32000-1, table 165): invisible, hidden, no view
FORM_INFO_BYTES = 1024  # FPDF_FORMFILLINFO: a version and callbacks, all of which stay null
FORM_INFO_VERSION = (2).to_bytes(4, "little")

DEFAULT_SIZE = 10.0  # points
NUMBER = r"(?:\d+\.?\d*|\.\d+)"
# Operators of default appearance strings (ISO 32000-1, 12.7.3.3): font and size, and the fill colour.
FONT_AND_SIZE = lazy_pattern(rf"/(\S+)\s+({NUMBER})\s+Tf")
COLOUR = lazy_pattern(rf"((?:{NUMBER}\s+){{1,4}})(?:g|rg|k)\b")
RGB_NUMBERS, CMYK_NUMBERS = 3, 4


@contextmanager
def open_form(document: Handle) -> Iterator[Handle | None]:
    """The document's form, closed at the end; None if it has none."""
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
    """The runs of a page's fields and free-text annotations; new styles are added to `styles`."""
    runs: list[RawRun] = []
    for index in range(library.FPDFPage_GetAnnotCount(page)):
        annotation = library.FPDFPage_GetAnnot(page, index)
        if not annotation:
            continue
        text = _text(annotation, form)
        if text.strip():
            runs += _line_runs(text, annotation, page_box, styles)
        library.FPDFPage_CloseAnnot(annotation)
    return runs


def _text(annotation: Handle, form: Handle | None) -> str:
    """The text that an annotation shows, or an empty string."""
    subtype = library.FPDFAnnot_GetSubtype(annotation)
    if library.FPDFAnnot_GetFlags(annotation) & INVISIBLE:
        return ""
    if subtype == FREE_TEXT:
        return _string_value(annotation, b"Contents")
    if subtype != WIDGET or not form:
        return ""
    if library.FPDFAnnot_GetFormFieldType(form, annotation) not in (COMBO_BOX, LIST_BOX, TEXT_FIELD):
        return ""
    read_value = library.FPDFAnnot_GetFormFieldValue
    return utf16_text(lambda buffer, size: read_value(form, annotation, buffer, size))


def _string_value(annotation: Handle, key: bytes) -> str:
    read_value = library.FPDFAnnot_GetStringValue
    return utf16_text(lambda buffer, size: read_value(annotation, key, buffer, size))


def _line_runs(text: str, annotation: Handle, page_box: PageBox, styles: StyleTable) -> Iterator[RawRun]:
    box = Floats4()
    library.FPDFAnnot_GetRect(annotation, byref(box))
    x0, y1, x1, y0 = box  # FS_RECTF: left, top, right, bottom
    if not is_plausible(x0, y0, x1, y1):
        return
    lines = text.splitlines()
    line_height = (y1 - y0) / len(lines)
    style = _style(_string_value(annotation, b"DA"), line_height)
    style_index = styles.setdefault(style, len(styles))
    page_left, _, _, page_top = page_box
    left = round((x0 - page_left) * UNITS_PER_POINT)
    right = round((x1 - page_left) * UNITS_PER_POINT)
    for number, line in enumerate(lines):
        if line.strip():
            top = page_top - y1 + number * line_height
            high = round(top * UNITS_PER_POINT)
            low = round((top + line_height) * UNITS_PER_POINT)
            yield left, high, right, low, style_index, line


def _style(appearance: str, line_height: float) -> RawStyle:
    """The style that a default appearance string such as `/Helv 12 Tf 0 g` sets; size 0 means automatic."""
    font = FONT_AND_SIZE.search(appearance)
    size = float(font[2]) if font else 0.0
    if not 0 < size < MAX_COORDINATE:
        size = min(DEFAULT_SIZE, line_height)
    colour = COLOUR.search(appearance)
    rgb = _hex_colour(colour[1] if colour else "0")  # grey 0 is black
    name = font[1] if font else ""
    bold = italic = False
    render_mode = 0
    upright = True
    return name, round(size, 1), rgb, bold, italic, render_mode, upright


def _hex_colour(numbers: str) -> str:
    """Grey, RGB or CMYK as rrggbb."""
    components = [min(1.0, float(number)) for number in numbers.split()]
    if len(components) == CMYK_NUMBERS:
        *inks, black = components
        components = [(1 - ink) * (1 - black) for ink in inks]
    elif len(components) != RGB_NUMBERS:
        grey = components[0]
        components = [grey] * RGB_NUMBERS
    return bytes(round(255 * component) for component in components).hex()
