"""The figures of a document as PNG files, for formats that can show them.

They are drawn by PDFium, in a process of its own (`held.exports.painter`), within the limits of
`held.system.limits`: a figure that crashes it is left out, and the rest goes on in a fresh one.
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
from held.system.limits import Limits, limits
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

MOST_LOST = 20  # then the rest is given up, as each costs a process
OPENED, PICTURE, NOTHING = "opened", "picture", "nothing"  # what the painter says
PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"
PAINTER = "held.exports.painter:serve"
PAGES = "held.exports.painter:serve_pages"
CAPTION_GAP = 2.5  # points between a picture and its caption: more than the margin that is drawn around it
RGB_BYTES = 3  # of a pixel


def write_images(
    pdf: Path, document: Document, folder: Path, *, password: str | None = None
) -> Mapping[int, str]:
    """Writes the figures of a document into a folder; the name of the file of each, by the figure's index.

    The names, fig-p012-1.png, count the figures of a page from 1. A figure that has none in the answer has
    nothing to see: it is blank, a speck, or cannot be drawn.
    """
    make_folder(folder)
    remove_stale_drafts(folder)
    names = _names(document)
    captions = _captions(document)
    parts = [_without_captions(document.objects[index].parts, captions) for index in names]
    pictures = _drawn(pdf, parts, password)
    written: dict[int, str] = {}
    for (index, name), picture in zip(names.items(), pictures, strict=True):
        if picture is not None:
            write_file(folder / name, picture)
            written[index] = name
    return written


def page_pixels(pdf: Path, page: int, *, scale: float, password: str | None = None) -> tuple[int, int, bytes]:
    """A whole page, counted from 1, as PDFium draws it: width, height, and RGB row by row."""
    request = {"path": os.path.abspath(pdf), "name": os.fspath(pdf), "page": page}
    request |= {"scale": scale, "password": password}
    action, seconds = f"drawing page {page}", limits().page_seconds
    answer = call_in_sandbox(PAGES, request, seconds=seconds, action=action, file=pdf)
    match answer:
        case Answer([int(width), int(height)], (pixels,)) if len(pixels) == RGB_BYTES * width * height:
            return width, height, pixels
    raise DamagedPdfError("the answer of the process that draws makes no sense", file=pdf, page=page)


def relative_links(images: Mapping[int, str], folder: Path, output: Path | None) -> dict[int, str]:
    """The images as a document links to them that is written to `output`, or here if to none."""
    way = os.path.relpath(folder, output.parent if output else None)
    return {index: quote(Path(way, name).as_posix()) for index, name in images.items()}


def _names(document: Document) -> dict[int, str]:
    """The name for each figure's file, by the figure's index."""
    on_page: Counter[int] = Counter()
    names: dict[int, str] = {}
    for index, item in enumerate(document.objects):
        if item.kind is Kind.FIGURE:
            on_page[item.page] += 1
            names[index] = f"fig-p{item.page:03}-{on_page[item.page]}.png"
    return names


def _captions(document: Document) -> list[PageRegion]:
    """Where captions stand."""
    captions = [item for item in document.objects if item.kind is Kind.CAPTION]
    return [part for item in captions for part in item.parts]


def _without_captions(parts: Sequence[PageRegion], captions: Sequence[PageRegion]) -> list[PageRegion]:
    """The parts of a figure, each cut back where a caption reaches into it or comes close to it.

    The bitmap of a figure is often higher than what it shows, and its caption stands on the rest.
    """
    cut = []
    for page, box in parts:
        for other, caption in captions:
            if other == page and caption.x0 < box.x1 and box.x0 < caption.x1:
                box = _cut_back(box, caption)
        cut.append(PageRegion(page, box))
    return cut


def _cut_back(box: Box, caption: Box) -> Box:
    """A figure's box without the caption at its foot or at its head; what is in its middle is left there."""
    middle = (box.y0 + box.y1) / 2
    if middle < caption.y0 < box.y1 + CAPTION_GAP:
        return box._replace(y1=caption.y0 - CAPTION_GAP)
    if box.y0 - CAPTION_GAP < caption.y1 < middle:
        return box._replace(y0=caption.y1 + CAPTION_GAP)
    return box


def _drawn(
    pdf: Path, figures: Sequence[Sequence[PageRegion]], password: str | None
) -> Iterator[bytes | None]:
    """Each figure as a PNG, or None."""
    left = deque(figures)
    lost = 0
    in_force = limits()
    time = in_force.seconds_for(len(figures))
    end = monotonic() + WALL_TIME_FACTOR * time
    while left and lost < MOST_LOST and time > 0 and monotonic() < end:
        child = acquire_worker(painter(in_force))
        before = child.cpu_seconds
        try:
            for picture in _drawn_in_one_process(child, pdf, tuple(left), password):
                left.popleft()
                yield picture
        except BaseException:
            child.close()
            raise
        time -= child.cpu_seconds - before
        if not left:
            release_worker(child)
        else:
            child.close()
            left.popleft()
            lost += 1
            yield None
    yield from (None for _ in left)


def painter(in_force: Limits) -> WorkerSpec:
    """What draws, within the limits."""
    silence = in_force.page_seconds
    return WorkerSpec(PAINTER, memory=in_force.memory, timeout=silence, cpu_time=True, sandboxed=True)


def _drawn_in_one_process(
    child: WorkerProcess, pdf: Path, figures: Sequence[Sequence[PageRegion]], password: str | None
) -> Iterator[bytes | None]:
    """The pictures until the process is done, dies, or is ended because one takes too long."""
    places = [[(part.page, tuple(part.box)) for part in parts] for parts in figures]
    try:
        child.send((os.fspath(pdf), password, places))
        child.receive(_opened)
    except WorkerLost:
        raise DamagedPdfError("cannot be opened to draw its figures", file=pdf) from None
    with suppress(WorkerLost):
        for _ in figures:
            yield child.receive(_picture)


def _opened(message: Message) -> None:
    if message != (OPENED, ()):
        raise InvalidMessage("not open")


def _picture(message: Message) -> bytes | None:
    """The PNG in a message, None where there is nothing to see."""
    if message == (NOTHING, ()):
        return None
    kind, (picture,) = message
    if kind != PICTURE or not picture.startswith(PNG_SIGNATURE):
        raise InvalidMessage("no picture")
    return picture
