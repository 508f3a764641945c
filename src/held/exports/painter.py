"""What draws figures, in a process of its own: a page that PDFium can read may still crash it when drawn.

It takes a file and figures, each as boxes on pages. It says when the file is open, then answers each
figure with a PNG, or says that there is nothing to see; then it takes the next file. Whole pages are asked
for one by one. PNGs are written here, from zlib alone: Pillow is no dependency.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Sequence
from typing import Any

import numpy
import pypdfium2
from numpy.typing import NDArray

from held.errors import DamagedPdfError
from held.exports.images import NOTHING, OPENED, PICTURE, PNG_SIGNATURE
from held.system.worker_main import Connection
from held.system.worker_pool import Answer, serve_in_sandbox

Pixels = NDArray[numpy.uint8]

PIXELS_PER_POINT = 150 / 72
MOST_PIXELS = 3000  # of a side
LEAST_PT = 3.0  # of a side: less is a speck
MARGIN_PT = 2.0  # boxes end where the ink is said to, and lines are thick
RGB, GREY = 2, 0
PLAIN, UP = 0, 2

Place = tuple[int, tuple[float, float, float, float]]  # page from 1, box in points from its top left


def serve(line: Connection) -> None:
    """Answers file after file, each with its password and figures, in turn."""
    while True:
        (path, password, figures), _ = line.receive()
        with pypdfium2.PdfDocument(path, password=password) as pdf:
            pdf.init_forms()
            line.send(OPENED)
            for places in figures:
                picture = draw(pdf, places)
                line.send(*((NOTHING,) if picture is None else (PICTURE, picture)))


def serve_pages(line: Connection) -> None:
    """Draws the pages that it is asked for: width, height and RGB."""
    serve_in_sandbox(line, _page)


def _page(request: Any) -> Answer:
    path, number = request["path"], request["page"]
    try:
        with pypdfium2.PdfDocument(path, password=request["password"]) as pdf:
            pdf.init_forms()
            pixels: Pixels = pdf[number - 1].render(scale=request["scale"], rev_byteorder=True).to_numpy()
    except (pypdfium2.PdfiumError, IndexError) as error:
        raise DamagedPdfError(f"cannot be drawn: {error}", file=request["name"], page=number) from error
    height, width, _ = pixels.shape
    return Answer((width, height), (pixels.tobytes(),))


def draw(pdf: pypdfium2.PdfDocument, places: Sequence[Place]) -> bytes | None:
    """A figure as a PNG, its parts below each other; None where there is nothing to see."""
    parts = [part for part in (_pixels(pdf, *place) for place in places) if part is not None]
    if not parts:
        return None
    width = max(part.shape[1] for part in parts)
    return png(
        numpy.concatenate(
            [
                numpy.pad(part, ((0, 0), (0, width - part.shape[1]), (0, 0)), constant_values=255)
                for part in parts
            ]
        )
    )


def _pixels(pdf: pypdfium2.PdfDocument, number: int, box: tuple[float, float, float, float]) -> Pixels | None:
    """The box as RGB pixels; None where it is a speck, off the page, or all of one colour."""
    try:
        page = pdf[number - 1]
    except (pypdfium2.PdfiumError, IndexError):
        return None
    width, height = page.get_size()
    x0, y0 = max(0.0, box[0] - MARGIN_PT), max(0.0, box[1] - MARGIN_PT)
    x1, y1 = min(width, box[2] + MARGIN_PT), min(height, box[3] + MARGIN_PT)
    sides = (x1 - x0, y1 - y0)
    if min(box[2] - box[0], box[3] - box[1], *sides) < LEAST_PT:
        return None
    scale = min(PIXELS_PER_POINT, MOST_PIXELS / max(sides))
    crop = (x0, height - y1, width - x1, y0)  # left, bottom, right, top
    pixels: Pixels = page.render(scale=scale, crop=crop, rev_byteorder=True).to_numpy()
    return None if (pixels == pixels[0, 0]).all() else pixels


def png(pixels: Pixels) -> bytes:
    """The PNG of an image of RGB pixels; grey where all of them are."""
    if (pixels == pixels[:, :, :1]).all():
        pixels = pixels[:, :, :1]
    height, width, channels = pixels.shape
    header = struct.pack(">IIBBBBB", width, height, 8, RGB if channels == 3 else GREY, 0, 0, 0)
    chunks = [(b"IHDR", header), (b"IDAT", _packed(pixels.reshape(height, -1))), (b"IEND", b"")]
    return PNG_SIGNATURE + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        for kind, data in chunks
    )


def _packed(rows: Pixels) -> bytes:
    """The rows compressed, as they are or each as its difference to the one above: photographs want that."""
    differences = rows.copy()
    differences[1:] -= rows[:-1]
    ways = ((PLAIN, rows), (UP, differences))
    packed = (zlib.compress(numpy.insert(values, 0, way, axis=1).tobytes()) for way, values in ways)
    return min(packed, key=len)
