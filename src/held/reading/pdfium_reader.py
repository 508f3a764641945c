"""Reads an open PDF with PDFium: its pages, page labels and outline, as the plain tuples of `raw_page`.

`serve` runs in a reader process and answers the requests of `reader_process` until its parent is gone. The
module imports neither the document types nor slow modules of the standard library, so that the process starts
fast.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Container, Iterator
from contextlib import contextmanager
from ctypes import byref, c_char, c_int, c_ulong, c_void_p
from operator import itemgetter
from time import monotonic

from held.reading.form_fields import open_form, read_fields
from held.reading.letter_spacing import close_encoded_letter_spacing
from held.reading.native import load_reader
from held.reading.pdfium import (
    FORM,
    IMAGE,
    PATH,
    Floats4,
    Floats6,
    Handle,
    Matrix,
    Pointer,
    float_reader,
    library,
    pointer_to,
    unchecked,
    utf16_text,
)
from held.reading.raw_page import (
    CATALOGUE,
    CLOSED,
    LETTER,
    MAX_COORDINATE,
    OPENED,
    PAGE,
    REFUSED,
    UNITS_PER_POINT,
    UNLOADABLE,
    CannotLoadPage,
    CannotOpen,
    EncodedPage,
    PageBox,
    RawBox,
    RawEntry,
    RawMetadata,
    StyleTable,
    decode_text,
    encode_boxes,
    encode_runs,
    encode_text,
    encode_words,
    is_plausible,
)
from held.reading.text_runs import VALUE_BYTES, join_surrogates, make_style_index, read_runs

TYPE_CHECKING = False
if TYPE_CHECKING:  # importing `typing` takes time
    from held.system.worker_main import Connection

QUARTER_TURN = 90  # degrees
SECONDS_BETWEEN_FLUSHES = 0.2  # waking the parent for every page would cost more than it gains

MAX_OUTLINE_ENTRIES = 100_000
MAX_METADATA_LENGTH = 1000  # characters; longer entries hold abstracts, keywords or damage
GO_TO = 1  # PDFACTION_GOTO
# Views of destinations: ISO 32000-1, table 151. Which number is x, by view: XYZ, FitV, FitBV.
X_INDEX = {1: 0, 4: 0, 8: 0}
# Which one is y, the top: XYZ, FitH, FitR, FitBH.
Y_INDEX = {1: 1, 3: 0, 5: 3, 7: 0}

_native = load_reader(library)


# --- requests of the parent process ---


def serve(connection: Connection) -> None:
    """Open the files that the parent names, one after the other, and answer requests for their content."""
    gc.disable()  # all values are plain data without cycles
    while True:
        (has_password, careful), (path, password) = connection.receive()
        try:
            key = password if has_password else None
            with open_document(path, key) as document, open_form(document) as form:
                connection.send((OPENED, page_count(document), connection.sandbox_failure))
                _answer_requests(connection, document, form, careful)
            connection.send((CLOSED,))
        except CannotOpen as error:
            connection.send((REFUSED, error.code, connection.sandbox_failure))


def _answer_requests(connection: Connection, document: Handle, form: Handle | None, careful: bool) -> None:
    """Answer requests for pages (a list of indices) and for outline and metadata (a word) until None arrives.

    A careful reader sends each page at once, so that after a crash the parent knows on which page.
    """
    styles: StyleTable = {}
    styles_sent = 0
    while True:
        request, _ = connection.receive()
        if request is None:
            return
        if request == "catalogue":
            connection.send((CATALOGUE, read_outline(document), read_metadata(document)), flush=False)
            continue
        flushed_at = monotonic()
        for index in request:
            now = monotonic()
            flush = careful or now - flushed_at > SECONDS_BETWEEN_FLUSHES
            if flush:
                flushed_at = now
            try:
                page = read_raw_page(document, form, index, styles)
            except CannotLoadPage:
                connection.send((UNLOADABLE, None, ()), flush=flush)
                continue
            value, parts = page
            new_styles = list(styles)[styles_sent:] if len(styles) > styles_sent else ()
            styles_sent = len(styles)
            connection.send((PAGE, value, new_styles), *parts, flush=flush)


# --- documents and pages ---


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


def page_count(document: Handle) -> int:
    """The number of pages."""
    return max(0, int(library.FPDF_GetPageCount(document)))


@contextmanager
def open_page(document: Handle, index: int) -> Iterator[Handle]:
    """The loaded page, closed at the end; its box is of a possible size."""
    page = _load_page(document, index)
    if _valid_page_box(page) is None:
        # Before it reads text, PDFium marks every point of the page's width and height. On a page of a
        # billion points that takes seconds and a hundred megabytes. Set a box, in memory, and load it anew.
        library.FPDFPage_SetMediaBox(page, *LETTER)
        library.FPDFPage_SetCropBox(page, *LETTER)
        library.FPDF_ClosePage(page)
        page = _load_page(document, index)
    try:
        yield page
    finally:
        library.FPDF_ClosePage(page)


def _load_page(document: Handle, index: int) -> Handle:
    page: Handle | None = library.FPDF_LoadPage(document, index)
    if not page:
        raise CannotLoadPage
    return page


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


def read_raw_page(document: Handle, form: Handle | None, index: int, styles: StyleTable) -> EncodedPage:
    """The content of one page; new styles are added to `styles`."""
    with open_page(document, index) as page:
        box = page_box(page)
        with open_text(page) as text_page:
            content, words, strokes = _read_content(page, text_page, box, styles)
        fields = read_fields(page, form, box, styles)
        rotation = library.FPDFPage_GetRotation(page) % 4 * QUARTER_TURN
    left, bottom, right, top = box
    geometry = (
        round((right - left) * UNITS_PER_POINT),
        round((top - bottom) * UNITS_PER_POINT),
        round(left * UNITS_PER_POINT),
        round(top * UNITS_PER_POINT),
        rotation,
    )
    value = (geometry, _page_label(document, index), strokes)
    return value, (*content, *encode_runs(fields), words)


def _read_content(
    page: Handle, text_page: Handle, box: PageBox, styles: StyleTable
) -> tuple[tuple[bytes, bytes, bytes, bytes], bytes, int]:
    """Encoded: the runs and their texts, rules and images; the words; and the number of small strokes."""
    style_index = make_style_index(styles)
    if _native is not None:
        found = _native.read_page(page, text_page, box, style_index)
        if found is not None:
            numbers, texts, rules, images, words, strokes, spaced, has_surrogates = found
            if spaced:
                texts, words = close_encoded_letter_spacing(text_page, texts, words, spaced)
            if has_surrogates:
                texts = encode_text(join_surrogates(decode_text(texts)))
            return (numbers, texts, rules, images), words, strokes
    runs, boxes_of_words, text_objects = read_runs(text_page, box, style_index)
    rule_boxes, image_boxes, strokes = read_rules_and_images(page, box, text_objects)
    graphics = (encode_boxes(rule_boxes), encode_boxes(image_boxes))
    return (*encode_runs(runs), *graphics), encode_words(boxes_of_words), strokes


def page_box(page: Handle) -> PageBox:
    """The crop box within the media box: what a viewer shows, before it rotates the page."""
    return _valid_page_box(page) or LETTER


def _valid_page_box(page: Handle) -> PageBox | None:
    box = Floats4()
    if not library.FPDF_GetPageBoundingBox(page, byref(box)):
        return None
    left, top, right, bottom = box
    is_wide = -MAX_COORDINATE < left < right < MAX_COORDINATE
    is_high = -MAX_COORDINATE < bottom < top < MAX_COORDINATE
    return (left, bottom, right, top) if is_wide and is_high else None


def _page_label(document: Handle, index: int) -> str:
    """The label that viewers show for a page, empty if the file has none."""
    return utf16_text(lambda buffer, size: library.FPDF_GetPageLabel(document, index, buffer, size))


# --- the outline and metadata ---


def read_metadata(document: Handle) -> RawMetadata:
    """What the file declares: title, author, language and date of creation; "" for what is missing."""
    language = utf16_text(lambda buffer, size: library.FPDFCatalog_GetLanguage(document, buffer, size))
    title, author, date = (_entry_of_info(document, key) for key in (b"Title", b"Author", b"CreationDate"))
    return title, author, language, date


def _entry_of_info(document: Handle, key: bytes) -> str:
    text = utf16_text(lambda buffer, size: library.FPDF_GetMetaText(document, key, buffer, size))
    return " ".join(text.replace("\x00", " ").split())[:MAX_METADATA_LENGTH]


def read_outline(document: Handle) -> list[RawEntry]:
    """The bookmarks in reading order.

    Damaged outlines have entries that are their own descendants, thousands of levels, or no destinations: no
    entry is visited twice.
    """
    entries: list[RawEntry] = []
    visited: set[Handle] = set()
    waiting = [(library.FPDFBookmark_GetFirstChild(document, None), 1)]
    while waiting and len(entries) < MAX_OUTLINE_ENTRIES:
        bookmark, level = waiting.pop()
        if bookmark is None or bookmark in visited:
            continue
        visited.add(bookmark)
        entries.append((level, _title(bookmark), *_destination(document, bookmark)))
        waiting.append((library.FPDFBookmark_GetNextSibling(document, bookmark), level))
        waiting.append((library.FPDFBookmark_GetFirstChild(document, bookmark), level + 1))
    return entries


def _title(bookmark: Handle) -> str:
    title = utf16_text(lambda buffer, size: library.FPDFBookmark_GetTitle(bookmark, buffer, size))
    return title.replace("\x00", " ").strip()


def _destination(document: Handle, bookmark: Handle) -> tuple[int, float | None, float | None]:
    """The page, x and y that a bookmark leads to, in PDF space."""
    destination = library.FPDFBookmark_GetDest(document, bookmark)
    if not destination:
        action = library.FPDFBookmark_GetAction(bookmark)
        if action and library.FPDFAction_GetType(action) == GO_TO:
            destination = library.FPDFAction_GetDest(document, action)
    if not destination:
        return -1, None, None
    page = library.FPDFDest_GetDestPageIndex(document, destination)
    count, buffer = c_ulong(), Floats4()
    view = library.FPDFDest_GetView(destination, byref(count), byref(buffer))
    # A view such as Fit has no coordinates, and of those of other views a file may leave some out.
    numbers = dict(enumerate(buffer[: count.value]))
    x = numbers.get(X_INDEX.get(view, -1))
    y = numbers.get(Y_INDEX.get(view, -1))
    return page, x, y


# --- rules and images ---
#
# Rules are the lines and boxes drawn on a page; of images only the boxes are read.
#
# A table's grid is often drawn in hundreds of short pieces, as strokes or as thin filled rectangles. Thin
# pieces on one line are joined, so that one visible rule is one rule. Lengths are whole tenths of a point
# from the top left of the page.

GetObject = Callable[[Pointer, int], Handle]
Bounds = list[float]  # left, bottom, right, top in PDF space
Graphic = tuple[int, Bounds]  # PATH or IMAGE

MAX_LINE_THICKNESS = 3.0  # points, exclusive
MIN_LINE_LENGTH = 8.0  # points; also the shortest side of a box
MAX_BREAK = 30  # tenths of a point between pieces of one line
# Pieces are on one line if their middles lie in the same band; the sum of both edges is divided by this.
LINE_BAND = 16  # tenths of a point: bands are 0.8 points high
MAX_FORM_DEPTH = 12  # forms within forms; a form can contain itself
MAX_OBJECTS = 200_000  # of a page: a few forms that draw each other can unfold to billions
GRAPHICS = frozenset({PATH, IMAGE})

_page_object = unchecked("FPDFPage_GetObject", c_void_p)
_form_object = unchecked("FPDFFormObj_GetObject", c_void_p)
_type = unchecked("FPDFPageObj_GetType", c_int)
_bounds = unchecked("FPDFPageObj_GetBounds", c_int)


def read_rules_and_images(
    page: Handle, page_box: PageBox, text_objects: Container[Handle] = ()
) -> tuple[list[RawBox], list[RawBox], int]:
    """The rules (horizontal and vertical lines, boxes) and images of a page, and the number of other strokes.

    `text_objects` are skipped without asking PDFium: a page has more of them than of anything else.
    """
    horizontal: list[Bounds] = []
    vertical: list[Bounds] = []
    boxes: list[Bounds] = []
    images: list[Bounds] = []
    strokes = 0
    for kind, bounds in _read_graphics(page, text_objects):
        x0, y0, x1, y1 = bounds
        if not is_plausible(x0, y0, x1, y1):
            continue
        width, height = x1 - x0, y1 - y0
        if kind == IMAGE:
            images.append(bounds)
        elif height < MAX_LINE_THICKNESS and width > MIN_LINE_LENGTH:
            horizontal.append(bounds)
        elif width < MAX_LINE_THICKNESS and height > MIN_LINE_LENGTH:
            vertical.append(bounds)
        elif width > MIN_LINE_LENGTH and height > MIN_LINE_LENGTH:
            boxes.append(bounds)
        else:
            strokes += 1  # part of a drawing, or of a letter that is drawn
    lines = _join_pieces(_raw_boxes(horizontal, page_box))
    # Vertical lines are joined with x and y swapped.
    swapped = _swap_axes(_raw_boxes(vertical, page_box))
    lines += _swap_axes(_join_pieces(swapped))
    rules = dict.fromkeys(lines + _raw_boxes(boxes, page_box))  # without duplicates
    return list(rules), _raw_boxes(images, page_box), strokes


def _swap_axes(boxes: list[RawBox]) -> list[RawBox]:
    return [(y0, x0, y1, x1) for x0, y0, x1, y1 in boxes]


def _raw_boxes(boxes: list[Bounds], page_box: PageBox) -> list[RawBox]:
    """The boxes in tenths of a point from the top left of the page; in PDF space, y grows upwards."""
    page_left, _, _, page_top = page_box
    raw_boxes = []
    for x0, y0, x1, y1 in boxes:
        left = round((x0 - page_left) * UNITS_PER_POINT)
        top = round((page_top - y1) * UNITS_PER_POINT)
        right = round((x1 - page_left) * UNITS_PER_POINT)
        bottom = round((page_top - y0) * UNITS_PER_POINT)
        raw_boxes.append((left, top, right, bottom))
    return raw_boxes


def _join_pieces(lines: list[RawBox]) -> list[RawBox]:
    """Horizontal lines with the pieces of each joined, ordered by their first pieces."""
    by_band: dict[int, list[RawBox]] = {}
    for line in lines:
        _, top, _, bottom = line
        band = (top + bottom) // LINE_BAND
        by_band.setdefault(band, []).append(line)
    joined: list[RawBox] = []
    for pieces in by_band.values():
        pieces.sort(key=itemgetter(0))  # by the left edge
        x0, y0, x1, y1 = pieces[0]
        for left, high, right, low in pieces[1:]:
            if left <= x1 + MAX_BREAK:
                x1 = max(x1, right)
                y0, y1 = min(y0, high), max(y1, low)
            else:
                joined.append((x0, y0, x1, y1))
                x0, y0, x1, y1 = left, high, right, low
        joined.append((x0, y0, x1, y1))
    return joined


def _read_graphics(page: Handle, text_objects: Container[Handle]) -> list[Graphic]:
    """The paths and images of a page, including those in forms, with their bounds in page space."""
    found: list[Graphic] = []
    box = Floats4()
    left, bottom, right, top = (byref(box, index * VALUE_BYTES) for index in range(4))
    bounds = float_reader(box, 4)
    at = c_char.from_address

    def walk(holder: Pointer, count: int, get: GetObject, matrix: Matrix | None, depth: int) -> None:
        for index in range(count):
            item = get(holder, index)
            if item is None or item in text_objects:
                continue
            pointer = byref(at(item))  # `pointer_to`, without the cost of a call
            kind = _type(pointer)
            if kind in GRAPHICS:
                if len(found) < MAX_OBJECTS and _bounds(pointer, left, bottom, right, top):
                    own_bounds = bounds()
                    found.append((kind, own_bounds if matrix is None else _transform(own_bounds, matrix)))
            elif kind == FORM and depth < MAX_FORM_DEPTH and len(found) < MAX_OBJECTS:
                # The bounds of an object in a form are in the form's space: ISO 32000-1, 8.10.1.
                inner = _multiply(_read_matrix(item), matrix)
                inner_count = library.FPDFFormObj_CountObjects(item)
                walk(pointer, inner_count, _form_object, inner, depth + 1)

    walk(pointer_to(page), library.FPDFPage_CountObjects(page), _page_object, None, 0)
    return found


def _read_matrix(item: Handle) -> Matrix:
    matrix = Floats6()
    if not library.FPDFPageObj_GetMatrix(item, byref(matrix)):
        return (1, 0, 0, 1, 0, 0)  # leaves every point where it is
    a, b, c, d, e, f = matrix
    return (a, b, c, d, e, f)


def _multiply(inner: Matrix, outer: Matrix | None) -> Matrix:
    """The matrix that applies `inner` and then `outer`: their product (ISO 32000, 8.3.4)."""
    if outer is None:
        return inner
    a, b, c, d, e, f = inner
    p, q, r, s, t, u = outer
    return (
        a * p + b * r,
        a * q + b * s,
        c * p + d * r,
        c * q + d * s,
        e * p + f * r + t,
        e * q + f * s + u,
    )


def _transform(box: Bounds, matrix: Matrix) -> Bounds:
    """The bounds in page space of a box in form space."""
    left, bottom, right, top = box
    a, b, c, d, e, f = matrix
    # A matrix may rotate the box, so all four corners count.
    corners = ((left, bottom), (left, top), (right, bottom), (right, top))
    xs = [x * a + y * c + e for x, y in corners]
    ys = [x * b + y * d + f for x, y in corners]
    return [min(xs), min(ys), max(xs), max(ys)]
