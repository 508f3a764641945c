"""The figures of a document as PNG files, for formats that can show them.

PDFium renders them in a sandboxed child process, within the limits of `held.system.limits`. A figure that
crashes it is left out, and a fresh process renders the rest.
"""

from __future__ import annotations

import os
import struct
import zlib
from collections import Counter, deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import Any
from urllib.parse import quote

import numpy
import pypdfium2
from numpy.typing import NDArray

from held.document import Box, Document, Kind, PageRegion
from held.errors import DamagedPdfError
from held.system.atomic_write import make_folder, remove_stale_drafts, write_file
from held.system.limits import limits
from held.system.worker_main import Connection, InvalidMessage, Message
from held.system.worker_pool import Answer, call_in_sandbox, serve_in_sandbox
from held.system.worker_process import (
    WALL_TIME_FACTOR,
    WorkerLost,
    WorkerProcess,
    WorkerSpec,
    acquire_worker,
    release_worker,
)

FigureRegions = Sequence[PageRegion]

MAX_CRASHES = 20  # then the rest is given up, as each crash costs a process
OPENED, PICTURE, NOTHING = "opened", "picture", "nothing"  # messages of the worker
PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"
FIGURE_WORKER = "held.exports.images:serve_figures"
PAGE_WORKER = "held.exports.images:serve_pages"
CAPTION_GAP_PT = 2.5  # between a figure and its caption: more than the margin around rendered boxes
BYTES_PER_PIXEL = 3  # red, green and blue


def write_images(
    pdf: Path, document: Document, folder: Path, *, password: str | None = None
) -> Mapping[int, str]:
    """Write the figures of a document into a folder; return their file names by object index.

    The names, fig-p012-1.png, count the figures of a page from 1. A figure without a name is blank, a speck,
    or cannot be rendered.
    """
    make_folder(folder)
    remove_stale_drafts(folder)
    names = _file_names(document)
    caption_regions: list[PageRegion] = []
    for item in document.objects:
        if item.kind is Kind.CAPTION:
            caption_regions += item.parts
    figures = [_cut_captions(document.objects[index].parts, caption_regions) for index in names]
    pictures = _render_figures(pdf, figures, password)
    written: dict[int, str] = {}
    for (index, name), picture in zip(names.items(), pictures, strict=True):
        if picture is not None:
            write_file(folder / name, picture)
            written[index] = name
    return written


def render_regions(
    pdf: Path, regions: Sequence[FigureRegions], *, password: str | None = None
) -> list[bytes | None]:
    """A PNG of each group of regions, as `write_images` renders figures; None for what cannot be rendered."""
    # The worker runs in another folder, where a relative path leads nowhere.
    return list(_render_figures(Path(os.path.abspath(pdf)), regions, password))


def page_pixels(pdf: Path, page: int, *, scale: float, password: str | None = None) -> tuple[int, int, bytes]:
    """A whole page, counted from 1, as PDFium renders it: width, height, and RGB row by row."""
    request = {
        "path": os.path.abspath(pdf),
        "name": os.fspath(pdf),
        "page": page,
        "scale": scale,
        "password": password,
    }
    seconds = limits().page_seconds
    answer = call_in_sandbox(PAGE_WORKER, request, seconds=seconds, action=f"drawing page {page}", file=pdf)
    # The process has opened an untrusted file, so its answer is checked.
    match answer:
        case Answer([int(width), int(height)], (pixels,)) if len(pixels) == BYTES_PER_PIXEL * width * height:
            return width, height, pixels
    raise DamagedPdfError("the answer of the process that draws makes no sense", file=pdf, page=page)


def relative_links(images: Mapping[int, str], folder: Path, output: Path | None) -> dict[int, str]:
    """The links to the images from a document at `output`, or in the current folder if that is None."""
    # Markdown allows no spaces in a link, and Windows separates folders with backslashes.
    path = os.path.relpath(folder, output.parent if output else None)
    return {index: quote(Path(path, name).as_posix()) for index, name in images.items()}


def _file_names(document: Document) -> dict[int, str]:
    """A file name for each figure, by the figure's index."""
    count_on_page: Counter[int] = Counter()
    names: dict[int, str] = {}
    for index, item in enumerate(document.objects):
        if item.kind is Kind.FIGURE:
            count_on_page[item.page] += 1
            names[index] = f"fig-p{item.page:03}-{count_on_page[item.page]}.png"
    return names


def _cut_captions(figure: FigureRegions, captions: Sequence[PageRegion]) -> FigureRegions:
    """The regions of a figure, cut where a caption reaches into them or comes close.

    The bitmap of a figure often has an empty margin, and the caption is printed over it.
    """
    regions = []
    for page, box in figure:
        for caption_page, caption in captions:
            overlaps_across = caption.x0 < box.x1 and box.x0 < caption.x1
            if caption_page == page and overlaps_across:
                box = _cut_caption(box, caption)
        regions.append(PageRegion(page, box))
    return regions


def _cut_caption(box: Box, caption: Box) -> Box:
    """A figure's box without the caption at its bottom or top; a caption in its middle stays."""
    middle = (box.y0 + box.y1) / 2
    if middle < caption.y0 < box.y1 + CAPTION_GAP_PT:
        return box._replace(y1=caption.y0 - CAPTION_GAP_PT)
    if box.y0 - CAPTION_GAP_PT < caption.y1 < middle:
        return box._replace(y0=caption.y1 + CAPTION_GAP_PT)
    return box


def _render_figures(
    pdf: Path, figures: Sequence[FigureRegions], password: str | None
) -> Iterator[bytes | None]:
    """Each figure as a PNG, or None. A worker that is lost takes one figure with it."""
    remaining = deque(figures)
    crashes = 0
    in_force = limits()
    worker_spec = WorkerSpec(
        FIGURE_WORKER,
        memory=in_force.memory,
        timeout=in_force.page_seconds,
        cpu_time=True,
        sandboxed=True,
    )
    cpu_seconds = in_force.seconds_for(len(figures))
    end = monotonic() + WALL_TIME_FACTOR * cpu_seconds
    while remaining and crashes < MAX_CRASHES and cpu_seconds > 0 and monotonic() < end:
        worker = acquire_worker(worker_spec)
        before = worker.cpu_seconds
        try:
            for picture in _render_in_worker(worker, pdf, tuple(remaining), password):
                remaining.popleft()
                yield picture
        except BaseException:
            worker.close()
            raise
        cpu_seconds -= worker.cpu_seconds - before
        if not remaining:
            release_worker(worker)
        else:
            worker.close()
            remaining.popleft()  # the figure that the worker was lost on
            crashes += 1
            yield None
    yield from (None for _ in remaining)


def _render_in_worker(
    worker: WorkerProcess, pdf: Path, figures: Sequence[FigureRegions], password: str | None
) -> Iterator[bytes | None]:
    """The pictures until the worker is done, dies, or is killed because one takes too long."""
    regions = [[(part.page, tuple(part.box)) for part in figure] for figure in figures]
    try:
        # A worker that served another call may have another current folder.
        worker.send((os.path.abspath(pdf), password, regions))
        worker.receive(_check_opened)
    except WorkerLost:
        raise DamagedPdfError("cannot be opened to draw its figures", file=pdf) from None
    with suppress(WorkerLost):
        for _ in figures:
            yield worker.receive(_check_picture)


def _check_opened(message: Message) -> None:
    if message != (OPENED, ()):
        raise InvalidMessage("not open")


def _check_picture(message: Message) -> bytes | None:
    """The PNG in a message, None if there is nothing to see."""
    if message == (NOTHING, ()):
        return None
    kind, (picture,) = message
    if kind != PICTURE or not picture.startswith(PNG_SIGNATURE):
        raise InvalidMessage("no picture")
    return picture


# --- the worker process ---
#
# Renders figures and pages in a child process: a page that PDFium can read may still crash it.
#
# `serve_figures` receives a file and its figures, each as boxes on pages. It reports when the file is open,
# then sends a PNG for each figure, or that there is nothing to see, and takes the next file. `serve_pages`
# renders one page per request. PNGs are encoded here with zlib, as Pillow is no dependency.

Pixels = NDArray[numpy.uint8]
Corners = tuple[float, float, float, float]
Region = tuple[int, Corners]  # page from 1, box in points from its top left

PIXELS_PER_POINT = 150 / 72  # 150 dots per inch: sharp on a screen
MAX_SIDE_PIXELS = 3000  # 27 MB of pixels at most, whatever size a figure claims
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
