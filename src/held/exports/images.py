"""The figures of a document as PNG files, for formats that can show them.

PDFium renders them in a sandboxed child process (`image_worker`), within the limits of `held.system.limits`.
A figure that crashes it is left out, and a fresh process renders the rest.
"""

from __future__ import annotations

import os
from collections import Counter, deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from time import monotonic
from urllib.parse import quote

from held.document import Box, Document, Kind, PageRegion
from held.errors import DamagedPdfError
from held.system.atomic_write import make_folder, remove_stale_drafts, write_file
from held.system.limits import limits
from held.system.worker_main import InvalidMessage, Message
from held.system.worker_pool import Answer, call_in_sandbox
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
FIGURE_WORKER = "held.exports.image_worker:serve_figures"
PAGE_WORKER = "held.exports.image_worker:serve_pages"
CAPTION_GAP_PT = 2.5  # between a figure and its caption: more than the margin around rendered boxes
BYTES_PER_PIXEL = 3


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
