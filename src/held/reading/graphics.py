"""The rules and images of a page: lines and boxes that are drawn on it, and the boxes of its bitmaps.

A table's grid is often drawn in hundreds of short pieces, as strokes or as thin filled rectangles. Thin
pieces on one line are joined, so that one visible rule is one rule. Lengths are whole tenths of a point from
the top left of the page.
"""

from __future__ import annotations

from collections.abc import Callable, Container
from ctypes import byref, c_char, c_int, c_void_p
from operator import itemgetter

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
)
from held.reading.raw_page import UNITS_PER_POINT, PageBox, RawBox, is_plausible
from held.reading.text_runs import VALUE_BYTES

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
