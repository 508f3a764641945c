"""The rules and images of a page: lines and boxes drawn on it, and where its bitmaps lie.

A table's grid is often drawn in hundreds of short pieces, as strokes or as thin filled rectangles: thin
pieces on one line are joined, so that what a reader sees as one rule is one rule. Lengths are whole
tenths of a point from the page's top left, as in `held.reading.runs`.
"""

from __future__ import annotations

from collections.abc import Callable, Container
from ctypes import byref, c_char, c_int, c_void_p

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
from held.reading.raw import ABSURD, PER_POINT, PageBox, RawBox
from held.reading.runs import VALUE_BYTES

Get = Callable[[Pointer, int], Handle]
Bounds = list[float]  # left, bottom, right, top in PDF space
Drawn = tuple[int, Bounds]  # PATH or IMAGE

THICKEST_LINE = 3.0  # points, not included
SHORTEST_LINE = 8.0  # points; also the least side of a box
WIDEST_BREAK = 30  # tenths of a point between pieces of one line
SAME_LINE = 16  # tenths: pieces whose middles lie in the same band of half this height are on one line
DEEPEST_FORM = 12  # forms within forms; a form can contain itself
MOST_OBJECTS = 200_000  # of a page: a few forms that draw each other can unfold to billions
DRAWN = frozenset({PATH, IMAGE})

_page_object = unchecked("FPDFPage_GetObject", c_void_p)
_form_object = unchecked("FPDFFormObj_GetObject", c_void_p)
_type = unchecked("FPDFPageObj_GetType", c_int)
_bounds = unchecked("FPDFPageObj_GetBounds", c_int)


def read_rules_and_images(
    page: Handle, page_box: PageBox, text_objects: Container[Handle] = ()
) -> tuple[list[RawBox], list[RawBox], int]:
    """The rules (level lines, upright lines, boxes) and images of a page, and how many strokes are neither.

    `text_objects` are known to be neither: a page has more of them than of anything else.
    """
    level: list[Bounds] = []
    upright: list[Bounds] = []
    boxes: list[Bounds] = []
    images: list[Bounds] = []
    strokes = 0
    for kind, bounds in _drawn(page, text_objects):
        x0, y0, x1, y1 = bounds
        if not (-ABSURD < x0 <= x1 < ABSURD and -ABSURD < y0 <= y1 < ABSURD):
            continue
        width, height = x1 - x0, y1 - y0
        if kind == IMAGE:
            images.append(bounds)
        elif height < THICKEST_LINE and width > SHORTEST_LINE:
            level.append(bounds)
        elif width < THICKEST_LINE and height > SHORTEST_LINE:
            upright.append(bounds)
        elif width > SHORTEST_LINE and height > SHORTEST_LINE:
            boxes.append(bounds)
        else:
            strokes += 1  # of a drawing, or a letter that is drawn
    lines = _join_level(_in_tenths(level, page_box))
    # Upright lines are joined lying down.
    lines += _mirrored(_join_level(_mirrored(_in_tenths(upright, page_box))))
    rules = dict.fromkeys(lines + _in_tenths(boxes, page_box))  # each once
    return list(rules), _in_tenths(images, page_box), strokes


def _mirrored(boxes: list[RawBox]) -> list[RawBox]:
    """The boxes with x and y exchanged."""
    return [(y0, x0, y1, x1) for x0, y0, x1, y1 in boxes]


def _in_tenths(boxes: list[Bounds], page_box: PageBox) -> list[RawBox]:
    left, _, _, top = page_box
    return [
        (
            round((x0 - left) * PER_POINT),
            round((top - y1) * PER_POINT),
            round((x1 - left) * PER_POINT),
            round((top - y0) * PER_POINT),
        )
        for x0, y0, x1, y1 in boxes
    ]


def _join_level(lines: list[RawBox]) -> list[RawBox]:
    """Level lines with the pieces of each joined, in the order in which they were begun."""
    by_height: dict[int, list[RawBox]] = {}
    for line in lines:
        by_height.setdefault((line[1] + line[3]) // SAME_LINE, []).append(line)
    joined: list[RawBox] = []
    for pieces in by_height.values():
        pieces.sort(key=lambda line: line[0])
        x0, y0, x1, y1 = pieces[0]
        for left, high, right, low in pieces[1:]:
            if left <= x1 + WIDEST_BREAK:
                x1, y0, y1 = max(x1, right), min(y0, high), max(y1, low)
            else:
                joined.append((x0, y0, x1, y1))
                x0, y0, x1, y1 = left, high, right, low
        joined.append((x0, y0, x1, y1))
    return joined


def _drawn(page: Handle, text_objects: Container[Handle]) -> list[Drawn]:
    """The paths and images on a page, those in forms included, with their bounds in page space."""
    found: list[Drawn] = []
    box = Floats4()
    left, bottom, right, top = (byref(box, place * VALUE_BYTES) for place in range(4))
    bounds = float_reader(box, 4)
    at = c_char.from_address

    def walk(holder: Pointer, count: int, get: Get, matrix: Matrix | None, depth: int) -> None:
        for index in range(count):
            item = get(holder, index)
            if item is None or item in text_objects:
                continue
            pointer = byref(at(item))  # as `pointer_to`, without the price of calling it
            kind = _type(pointer)
            if kind in DRAWN:
                if len(found) < MOST_OBJECTS and _bounds(pointer, left, bottom, right, top):
                    found.append((kind, bounds() if matrix is None else _moved(bounds(), matrix)))
            elif kind == FORM and depth < DEEPEST_FORM and len(found) < MOST_OBJECTS:
                inner = _combined(_matrix_of(item), matrix)
                walk(pointer, library.FPDFFormObj_CountObjects(item), _form_object, inner, depth + 1)

    walk(pointer_to(page), library.FPDFPage_CountObjects(page), _page_object, None, 0)
    return found


def _matrix_of(item: Handle) -> Matrix:
    matrix = Floats6()
    if not library.FPDFPageObj_GetMatrix(item, byref(matrix)):
        return (1, 0, 0, 1, 0, 0)
    a, b, c, d, e, f = matrix
    return (a, b, c, d, e, f)


def _combined(inner: Matrix, outer: Matrix | None) -> Matrix:
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


def _moved(box: Bounds, matrix: Matrix) -> Bounds:
    """The bounds in page space of a box in form space."""
    left, bottom, right, top = box
    a, b, c, d, e, f = matrix
    xs = [x * a + y * c + e for x in (left, right) for y in (bottom, top)]
    ys = [x * b + y * d + f for x in (left, right) for y in (bottom, top)]
    return [min(xs), min(ys), max(xs), max(ys)]
