"""A PDF as `Pages`: runs, rules, images, fields, labels and outline, the way PDFium sees them.

Coordinates are those of the page as it is stored: a page that viewers turn (`rotation`) is turned by
`held.layout.rotation`. Pages are read in other processes, so that no file can take the caller down;
`jobs=0` reads in this process, for callers that are processes of their own.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from tempfile import TemporaryDirectory
from threading import Event, Thread

from held.document import Box, Note, OutlineEntry, PageContent, Pages, Run, Style
from held.errors import (
    DamagedPdfError,
    EncryptedPdfError,
    HeldError,
    InputError,
    NoPagesError,
    NotAPdfError,
    UsageError,
)
from held.reading.raw import (
    ERROR_PASSWORD,
    ERROR_SECURITY,
    LETTER,
    PER_POINT,
    CannotLoadPage,
    CannotOpen,
    Measures,
    RawEntry,
    RawPage,
    RawRun,
    RawStyle,
    StyleTable,
)
from held.reading.readable import DRAWN_TEXT, page_ranges, text_notes
from held.reading.workers import OpenFile, PageResult, Worker, read_pages, reason_of
from held.system.bounded_input import require_regular_file
from held.system.console import Progress
from held.system.limits import MAX_PAGES, Limits
from held.system.limits import limits as limits_in_force
from held.system.memory import pause_gc
from held.system.worker_process import WorkerLost

Source = str | os.PathLike[str] | bytes

PAGES_PER_JOB = 400  # fewer do not repay the CPU time of another process, which parses all fonts again
MOST_JOBS = 4  # each takes memory for the whole file
_OUTSIDE = "read in a process that is limited in memory and time alone, not shut in a sandbox: {}"
_HEADER_WITHIN = 1024  # bytes: viewers accept what stands before a PDF's header up to here

# Named tuples made from tuples: twice as fast as by calling the class, and there are very many.
_new_run = partial(tuple.__new__, Run)
_new_box = partial(tuple.__new__, Box)


@pause_gc()
def read_pdf(
    source: Source,
    *,
    password: str | None = None,
    pages: Sequence[int] | None = None,
    jobs: int | None = None,
    progress: Progress | None = None,
    limits: Limits | None = None,
) -> Pages:
    """The pages of a PDF, given as a path or as its bytes.

    `pages` picks consecutive pages, from 1. `jobs` says how many processes read: None chooses, 0 reads
    here. `progress` is called with the pages done and the pages in all. What is wrong with single pages
    is told in the notes; a file that cannot be read at all is an `InputError`. `limits` say how far
    reading in other processes may go; None takes those in force.
    """
    if jobs is not None and jobs < 0:
        raise UsageError(f"jobs cannot be {jobs}", advice="so many processes read; 0: this one does")
    limits = limits or limits_in_force()
    with _as_file(source) as path:
        name = "<bytes>" if isinstance(source, bytes) else os.fspath(source)
        _check_file(path, name)
        try:
            if jobs == 0:
                return _read_here(path, name, password, pages, progress)
            return _read_in_workers(path, name, password, pages, jobs, progress, limits)
        except CannotOpen as refusal:
            raise _refusal(refusal.code, path, name, password) from None
        except WorkerLost as loss:
            raise DamagedPdfError(f"opening it {reason_of(loss, limits)}", file=name) from None


@contextmanager
def _as_file(source: Source) -> Iterator[Path]:
    """The source as a file that other processes can open, whatever folder they were started in."""
    if not isinstance(source, bytes):
        yield Path(source).absolute()
        return
    with TemporaryDirectory(prefix="held-") as folder:
        path = Path(folder) / "source.pdf"
        path.write_bytes(source)
        yield path


def _check_file(path: Path, name: str) -> None:
    """Refuses what is not a readable file before PDFium sees it."""
    require_regular_file(path, name)
    try:
        with path.open("rb") as file:
            if not file.read(1):
                raise NotAPdfError("is empty", file=name)
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", file=name) from error


def has_header(path: Path) -> bool:
    """Whether a file says that it is a PDF."""
    with path.open("rb") as file:
        return b"%PDF" in file.read(_HEADER_WITHIN)


def _refusal(code: int, path: Path, name: str, password: str | None) -> HeldError:
    """The error for PDFium's reason to refuse a file."""
    if code == ERROR_PASSWORD and password:
        return EncryptedPdfError("the password is wrong", file=name)
    if code == ERROR_PASSWORD:
        return EncryptedPdfError("is encrypted", file=name, advice="give its password")
    if code == ERROR_SECURITY:
        return EncryptedPdfError("is encrypted in a way that PDFium does not know", file=name)
    if not has_header(path):
        return NotAPdfError("is not a PDF", file=name)
    return DamagedPdfError("is too damaged to read", file=name, advice="download or export it again")


def _read_here(
    path: Path,
    name: str,
    password: str | None,
    pages: Sequence[int] | None,
    progress: Progress | None,
) -> Pages:
    """The pages, read in this process, which else needs nothing of PDFium."""
    from held.reading.bookmarks import read_outline
    from held.reading.form_fields import form_of
    from held.reading.raw_pages import open_document, page_count, read_raw_page

    with (
        open_document(os.fsencode(path), password.encode() if password else None) as document,
        form_of(document) as form,
    ):
        indices = _indices(page_count(document), pages, name)

        def results() -> Iterator[PageResult]:
            table: StyleTable = {}
            styles: list[RawStyle] = []
            for index in indices:
                try:
                    page: RawPage | str = read_raw_page(document, form, index, table)
                except CannotLoadPage:
                    page = "cannot be loaded"
                styles += list(table)[len(styles) :]
                yield index, page, styles

        return _assemble(name, indices, results(), read_outline(document), [], progress)


def _read_in_workers(
    path: Path,
    name: str,
    password: str | None,
    pages: Sequence[int] | None,
    jobs: int | None,
    progress: Progress | None,
    limits: Limits,
) -> Pages:
    """The pages, read in other processes."""
    file = OpenFile.now(os.fspath(path), password, limits)
    worker = Worker(file)
    try:
        indices = _indices(worker.page_count, pages, name)
        file = OpenFile.now(file.path, password, limits, len(indices))
        worker.begin(file)
        notes = [Note(None, _OUTSIDE.format(worker.outside_because))] if worker.outside_because else []
        outline: list[RawEntry] = []
        try:
            outline = worker.outline()
        except WorkerLost as loss:
            notes.append(Note(None, f"the outline {reason_of(loss, limits)}; left out"))
            worker.kill()
            worker = Worker(file)
        if jobs is None:
            jobs = min(MOST_JOBS, os.cpu_count() or 1, -(-len(indices) // PAGES_PER_JOB))
        jobs = min(jobs, len(indices))  # a worker without a page would be started for nothing
        if jobs == 1:
            results = read_pages(file, worker, indices)
        else:
            results = _read_in_parallel(file, worker, indices, jobs)
    except BaseException:
        worker.kill()
        raise
    return _assemble(name, indices, results, outline, notes, progress)


def _read_in_parallel(
    file: OpenFile, first: Worker, indices: Sequence[int], jobs: int
) -> Iterator[PageResult]:
    """The pages in order, read by several workers, each driven by a thread of its own."""
    queue: SimpleQueue[PageResult | BaseException] = SimpleQueue()
    stop = Event()

    def drive(share: Sequence[int], worker: Worker | None) -> None:
        try:
            for result in read_pages(file, worker or Worker(file), share):
                queue.put(result)
                if stop.is_set():
                    return
        except BaseException as error:
            queue.put(error)

    threads = [
        Thread(target=drive, args=(indices[job::jobs], None if job else first), daemon=True)
        for job in range(jobs)
    ]
    for thread in threads:
        thread.start()
    try:
        yield from _in_order(queue, indices)
    finally:
        stop.set()
        for thread in threads:
            thread.join()


def _in_order(told: SimpleQueue[PageResult | BaseException], indices: Sequence[int]) -> Iterator[PageResult]:
    """The results of these pages in their order, whichever are told first; an error is raised when told."""
    early: dict[int, PageResult] = {}
    for index in indices:
        while index not in early:
            result = told.get()
            if isinstance(result, BaseException):
                raise result
            early[result[0]] = result
        yield early.pop(index)


def _indices(count: int, pages: Sequence[int] | None, name: str) -> range:
    """The pages to read, from 0."""
    if count == 0:
        raise NoPagesError("has no pages", file=name)
    if count > MAX_PAGES:
        raise DamagedPdfError(f"claims to have {count} pages", file=name)
    if pages is None:
        return range(count)
    if not pages or list(pages) != list(range(pages[0], pages[0] + len(pages))):
        raise UsageError("pages must be consecutive numbers, at least one", file=name)
    if pages[0] < 1 or pages[-1] > count:
        wrong = pages[0] if pages[0] < 1 else pages[-1]
        raise UsageError(f"there is no page {wrong}", file=name, advice=f"pages 1-{count} exist")
    return range(pages[0] - 1, pages[-1])


def _assemble(
    name: str,
    indices: range,
    results: Iterable[PageResult],
    outline: list[RawEntry],
    notes: list[Note],
    progress: Progress | None,
) -> Pages:
    """All results as one value, with the styles of all workers in one table."""
    styles = _StyleTable()
    content: dict[int, PageContent] = {}
    measures: dict[int, Measures] = {}
    lost: dict[str, list[int]] = {}  # the pages that could not be read, by the reason
    drawn: list[int] = []  # the pages whose letters are drawn, not written
    for index, page, own_styles in results:
        if isinstance(page, str):
            lost.setdefault(page, []).append(index + 1)
            _, _, width, height = LETTER
            content[index] = PageContent(width, height)
        else:
            measures[index], _, runs, _, images, fields, strokes = page
            if strokes >= DRAWN_TEXT and not (runs or images or fields):
                drawn.append(index + 1)
            content[index] = _page_content(page, styles.numbers(runs + fields, own_styles))
        if progress:
            progress(len(content), len(indices))
    pages = tuple(content[index] for index in indices)
    notes += [Note(None, f"{page_ranges(numbers)}: {reason}; left empty") for reason, numbers in lost.items()]
    return Pages(
        source=os.path.basename(name),
        styles=styles.all(),
        pages=pages,
        outline=tuple(_outline_entry(entry, measures) for entry in outline),
        notes=(*notes, *text_notes(pages, indices.start + 1, drawn)),
        first_page=indices.start + 1,
        lost=tuple(sorted(number for numbers in lost.values() for number in numbers)),
    )


class _StyleTable:
    """The styles of all workers in the order of their first use; each worker numbers its own from 0."""

    def __init__(self) -> None:
        self._table: dict[RawStyle, int] = {}
        # By worker, which is known by its list; the list is kept, so that no other gets its address.
        self._by_worker: dict[int, tuple[list[RawStyle], dict[int, int]]] = {}

    def numbers(self, runs: Sequence[RawRun], own_styles: list[RawStyle]) -> dict[int, int]:
        """The numbers that a worker's styles have here, at least of those that these runs use."""
        _, numbers = self._by_worker.setdefault(id(own_styles), (own_styles, {}))
        for style in dict.fromkeys([style for _, _, _, _, style, _ in runs]):
            if style not in numbers:
                numbers[style] = self._table.setdefault(own_styles[style], len(self._table))
        return numbers

    def all(self) -> tuple[Style, ...]:
        return tuple(Style(*style) for style in self._table)


def _page_content(raw: RawPage, styles: dict[int, int]) -> PageContent:
    """A worker's page in points, its styles numbered anew."""
    (width, height, _, _, rotation), label, runs, rules, images, fields, _ = raw
    return PageContent(
        width / PER_POINT,
        height / PER_POINT,
        _runs(runs, styles),
        _boxes(rules),
        _boxes(images),
        _runs(fields, styles),
        rotation,
        label or None,
    )


def _runs(runs: Iterable[RawRun], styles: dict[int, int]) -> tuple[Run, ...]:
    unit = PER_POINT
    return tuple(
        [
            _new_run((x0 / unit, y0 / unit, x1 / unit, y1 / unit, styles[style], text))
            for x0, y0, x1, y1, style, text in runs
        ]
    )


def _boxes(boxes: Iterable[tuple[int, int, int, int]]) -> tuple[Box, ...]:
    unit = PER_POINT
    return tuple([_new_box((x0 / unit, y0 / unit, x1 / unit, y1 / unit)) for x0, y0, x1, y1 in boxes])


def _outline_entry(entry: RawEntry, measures: dict[int, Measures]) -> OutlineEntry:
    """An entry with the distance from the top of its page as viewed, where that page was read."""
    level, title, page, x, y = entry
    below = _below_top(x, y, measures[page]) if page in measures else None
    return OutlineEntry(level, title, page + 1 if page >= 0 else None, below)


def _below_top(x: float | None, y: float | None, measures: Measures) -> float | None:
    """How far a point stands below the page's top once a viewer has turned it, None if that is not said."""
    width, height, left, top, rotation = measures
    along = x if rotation in (90, 270) else y
    if along is None:
        return None
    along *= PER_POINT
    with suppress(ValueError, OverflowError):  # NaN and infinity are legal in a damaged file
        match rotation:
            case 90:
                return round(along - left) / PER_POINT
            case 180:
                return round(along - (top - height)) / PER_POINT
            case 270:
                return round(left + width - along) / PER_POINT
            case _:
                return round(top - along) / PER_POINT
    return None
