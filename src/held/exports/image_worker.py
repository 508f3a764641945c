"""Renders figures and pages in a child process: a page that PDFium can read may still crash it.

`serve_figures` receives a file and its figures, each as boxes on pages. It reports when the file is open,
then sends a PNG for each figure, or that there is nothing to see, and takes the next file. `serve_pages`
renders one page per request. PNGs are encoded here with zlib, as Pillow is no dependency.
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
Corners = tuple[float, float, float, float]
Region = tuple[int, Corners]  # page from 1, box in points from its top left

PIXELS_PER_POINT = 150 / 72
MAX_SIDE_PIXELS = 3000
MIN_SIDE_PT = 3.0  # a smaller figure is a speck
MARGIN_PT = 2.0  # added around boxes, which leave out the thickness of lines
RGB, GREY = 2, 0  # colour types of PNG, section 11.2.1
FILTER_NONE, FILTER_UP = 0, 2  # filter types of PNG, section 9.2


def serve_figures(line: Connection) -> None:
    """Render the figures of file after file."""
    while True:
        (path, password, figures), _ = line.receive()
        with pypdfium2.PdfDocument(path, password=password) as pdf:
            pdf.init_forms()
            line.send(OPENED)
            for regions in figures:
                picture = render_figure(pdf, regions)
                if picture is None:
                    line.send(NOTHING)
                else:
                    line.send(PICTURE, picture)


def serve_pages(line: Connection) -> None:
    """Render the requested pages: width, height and RGB."""
    serve_in_sandbox(line, _render_page)


def _render_page(request: Any) -> Answer:
    path, number = request["path"], request["page"]
    try:
        with pypdfium2.PdfDocument(path, password=request["password"]) as pdf:
            pdf.init_forms()
            pixels: Pixels = pdf[number - 1].render(scale=request["scale"], rev_byteorder=True).to_numpy()
    except (pypdfium2.PdfiumError, IndexError) as error:
        raise DamagedPdfError(f"cannot be drawn: {error}", file=request["name"], page=number) from error
    height, width, _ = pixels.shape
    return Answer((width, height), (pixels.tobytes(),))


def render_figure(pdf: pypdfium2.PdfDocument, regions: Sequence[Region]) -> bytes | None:
    """A figure as a PNG, its regions below each other; None if there is nothing to see."""
    parts = []
    for number, box in regions:
        pixels = _render_box(pdf, number, box)
        if pixels is not None:
            parts.append(pixels)
    if not parts:
        return None
    width = max(part.shape[1] for part in parts)
    padded = []
    for part in parts:
        padding = ((0, 0), (0, width - part.shape[1]), (0, 0))  # white, to the right of each row
        padded.append(numpy.pad(part, padding, constant_values=255))
    return encode_png(numpy.concatenate(padded))


def _render_box(pdf: pypdfium2.PdfDocument, number: int, box: Corners) -> Pixels | None:
    """The box as RGB pixels; None if it is a speck, off the page, or all of one colour."""
    try:
        page = pdf[number - 1]
    except (pypdfium2.PdfiumError, IndexError):
        return None
    left, top, right, bottom = box
    width, height = page.get_size()
    x0, y0 = max(0.0, left - MARGIN_PT), max(0.0, top - MARGIN_PT)
    x1, y1 = min(width, right + MARGIN_PT), min(height, bottom + MARGIN_PT)
    sides = (x1 - x0, y1 - y0)
    if min(right - left, bottom - top, *sides) < MIN_SIDE_PT:
        return None
    scale = min(PIXELS_PER_POINT, MAX_SIDE_PIXELS / max(sides))
    crop = (x0, height - y1, width - x1, y0)  # left, bottom, right, top
    pixels: Pixels = page.render(scale=scale, crop=crop, rev_byteorder=True).to_numpy()
    is_blank = (pixels == pixels[0, 0]).all()
    return None if is_blank else pixels


def encode_png(pixels: Pixels) -> bytes:
    """RGB pixels as a PNG, which is grey if all of them are."""
    is_grey = (pixels == pixels[:, :, :1]).all()
    if is_grey:
        pixels = pixels[:, :, :1]
    height, width, _ = pixels.shape
    header = struct.pack(">IIBBBBB", width, height, 8, GREY if is_grey else RGB, 0, 0, 0)
    rows = _compress(pixels.reshape(height, -1))
    png = PNG_SIGNATURE
    for kind, data in ((b"IHDR", header), (b"IDAT", rows), (b"IEND", b"")):
        length = struct.pack(">I", len(data))
        checksum = struct.pack(">I", zlib.crc32(kind + data))
        png += length + kind + data + checksum
    return png


def _compress(rows: Pixels) -> bytes:
    """The rows compressed, as they are or as differences to the row above, whichever is shorter."""
    differences = rows.copy()
    differences[1:] -= rows[:-1]
    plain = zlib.compress(numpy.insert(rows, 0, FILTER_NONE, axis=1).tobytes())
    filtered = zlib.compress(numpy.insert(differences, 0, FILTER_UP, axis=1).tobytes())
    return min(plain, filtered, key=len)
