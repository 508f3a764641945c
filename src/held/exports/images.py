"""The figures of a document as PNG files, for formats that can show them.

They are drawn by PDFium, in a process of its own (`held.exports.painter`), within the limits of
`held.limits`: a figure that crashes it is left out, and the rest goes on in a fresh one.
"""

from __future__ import annotations

import os
from collections import Counter, deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from time import monotonic
from urllib.parse import quote

from held.document import Document, Kind, Part
from held.errors import DamagedPdfError
from held.limits import Limits, limits
from held.processes.messages import Garbled, Message
from held.processes.parent import Child, Lost, Program, borrowed, give_back
from held.processes.patience import PATIENCE
from held.processes.pool import Answer
from held.processes.shut_in import ask_shut_in
from held.writing import clear_drafts, make_folder, write_whole

MOST_LOST = 20  # then the rest is given up, as each costs a process
OPENED, PICTURE, NOTHING = "opened", "picture", "nothing"  # what the painter says
PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"
PAINTER = "held.exports.painter:serve"
PAGES = "held.exports.painter:serve_pages"
RGB_BYTES = 3  # of a pixel


def write_images(
    pdf: Path, document: Document, folder: Path, *, password: str | None = None
) -> Mapping[int, str]:
    """Writes the figures of a document into a folder; the name of the file of each, by the figure's index.

    The names, fig-p012-1.png, count the figures of a page from 1. A figure that has none in the answer has
    nothing to see: it is blank, a speck, or cannot be drawn.
    """
    make_folder(folder)
    clear_drafts(folder)
    names = _names(document)
    pictures = _drawn(pdf, [document.objects[index].parts for index in names], password)
    written: dict[int, str] = {}
    for (index, name), picture in zip(names.items(), pictures, strict=True):
        if picture is not None:
            write_whole(folder / name, picture)
            written[index] = name
    return written


def page_pixels(pdf: Path, page: int, *, scale: float, password: str | None = None) -> tuple[int, int, bytes]:
    """A whole page, counted from 1, as PDFium draws it: width, height, and RGB row by row."""
    request = {"path": os.path.abspath(pdf), "name": os.fspath(pdf), "page": page}
    request |= {"scale": scale, "password": password}
    doing, seconds = f"drawing page {page}", limits().page_seconds
    answer = ask_shut_in(PAGES, request, seconds=seconds, doing=doing, file=pdf)
    match answer:
        case Answer([int(width), int(height)], (pixels,)) if len(pixels) == RGB_BYTES * width * height:
            return width, height, pixels
    raise DamagedPdfError("the answer of the process that draws makes no sense", file=pdf, page=page)


def links(images: Mapping[int, str], folder: Path, output: Path | None) -> dict[int, str]:
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


def _drawn(pdf: Path, figures: Sequence[Sequence[Part]], password: str | None) -> Iterator[bytes | None]:
    """Each figure as a PNG, or None."""
    left = deque(figures)
    lost = 0
    in_force = limits()
    time = in_force.seconds_of(len(figures))
    end = monotonic() + PATIENCE * time
    while left and lost < MOST_LOST and time > 0 and monotonic() < end:
        child = borrowed(painter(in_force))
        before = child.seconds_worked
        try:
            for picture in _drawn_in_one_process(child, pdf, tuple(left), password):
                left.popleft()
                yield picture
        except BaseException:
            child.end()
            raise
        time -= child.seconds_worked - before
        if not left:
            give_back(child)
        else:
            child.end()
            left.popleft()
            lost += 1
            yield None
    yield from (None for _ in left)


def painter(in_force: Limits) -> Program:
    """What draws, within the limits."""
    silence = in_force.page_seconds
    return Program(PAINTER, memory=in_force.memory, silence=silence, by_work=True, shut_in=True)


def _drawn_in_one_process(
    child: Child, pdf: Path, figures: Sequence[Sequence[Part]], password: str | None
) -> Iterator[bytes | None]:
    """The pictures until the process is done, dies, or is ended because one takes too long."""
    places = [[(part.page, tuple(part.box)) for part in parts] for parts in figures]
    try:
        child.send((os.fspath(pdf), password, places))
        child.receive(_opened)
    except Lost:
        raise DamagedPdfError("cannot be opened to draw its figures", file=pdf) from None
    with suppress(Lost):
        for _ in figures:
            yield child.receive(_picture)


def _opened(message: Message) -> None:
    if message != (OPENED, ()):
        raise Garbled("not open")


def _picture(message: Message) -> bytes | None:
    """The PNG in a message, None where there is nothing to see."""
    if message == (NOTHING, ()):
        return None
    kind, (picture,) = message
    if kind != PICTURE or not picture.startswith(PNG_SIGNATURE):
        raise Garbled("no picture")
    return picture
