"""Reads a PDF as `Pages`: text runs, rules, images, form fields, page labels and outline.

Coordinates are those of the stored page; `held.layout.rotated_text` rotates pages as viewers do. Pages are
read in other processes, so that no file can crash the caller. `jobs=0` reads in this process, for callers
that run in a process of their own.
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import partial
from itertools import chain, repeat
from pathlib import Path
from typing import TYPE_CHECKING

from held.document import Box, Metadata, Note, OutlineEntry, PageContent, Pages, Run, Style, new_box
from held.errors import (
    DamagedPdfError,
    EncryptedPdfError,
    HeldError,
    NoPagesError,
    NotAPdfError,
    UsageError,
)
from held.reading.raw_page import (
    ERROR_PASSWORD,
    ERROR_SECURITY,
    LETTER,
    UNITS_PER_POINT,
    UNMAPPED,
    CannotLoadPage,
    CannotOpen,
    PageGeometry,
    RawBox,
    RawEntry,
    RawMetadata,
    RawPage,
    RawStyle,
    RawWords,
    RunColumns,
    StyleTable,
    decode_page,
)
from held.reading.reader_process import (
    OpenFile,
    PageResult,
    Reader,
    describe_loss,
    read_pages,
    read_pages_in_parallel,
)
from held.reading.text_checks import MIN_LETTER_STROKES, format_pages, run_text, text_notes
from held.system.bounded_json import has_pdf_header, require_regular_file
from held.system.console import Progress
from held.system.limits import MAX_PAGES, Limits, pause_gc
from held.system.limits import limits as limits_in_force
from held.system.worker_process import WorkerLost

if TYPE_CHECKING:
    from held.reading.text_checks import OcrOptions

Source = str | os.PathLike[str] | bytes

PAGES_PER_JOB = 400  # fewer do not repay the CPU time of another process, which parses all fonts again
MAX_JOBS = 4  # each takes memory for the whole file
NO_SANDBOX = "read in a process that is limited in memory and time alone, not shut in a sandbox: {}"

# Dates: ISO 32000-1, 7.9.4; month and day may be left out there, but then they say little.
PDF_DATE = re.compile(r"(?:D:)?((?:19|20)\d\d)(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])")
LANGUAGE_CODE = re.compile(r"[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*")  # BCP 47, without private codes
NO_METADATA: RawMetadata = ("", "", "", "")

# Creating named tuples from tuples takes half the time of calling the class, and there are very many.
_new_run = partial(tuple.__new__, Run)


@pause_gc()
def read_pdf(
    source: Source,
    *,
    password: str | None = None,
    pages: Sequence[int] | None = None,
    jobs: int | None = None,
    progress: Progress | None = None,
    limits: Limits | None = None,
    ocr: OcrOptions | None = None,
    ocr_progress: Progress | None = None,
) -> Pages:
    """The pages of a PDF, given as a path or as its bytes.

    pages     consecutive page numbers from 1; None for all pages
    jobs      how many processes read; None chooses, 0 reads in this process
    progress  called with the number of pages done and in all
    limits    for reading in other processes; None for those in force
    ocr       how scanned pages are read; None leaves them without text
    ocr_progress  called with the number of scanned pages done and in all

    Problems with single pages become notes; a file that cannot be read at all raises an `InputError`.
    """
    if jobs is not None and jobs < 0:
        raise UsageError(f"jobs cannot be {jobs}", advice="so many processes read; 0: this one does")
    limits = limits or limits_in_force()
    with _as_file(source) as path:
        name = "<bytes>" if isinstance(source, bytes) else os.fspath(source)
        status = require_regular_file(path, name)
        if status.st_size == 0:
            raise NotAPdfError("is empty", file=name)
        try:
            if jobs == 0:
                found, drawn = _read_here(path, name, password, pages, progress)
            else:
                found, drawn = _read_in_processes(path, name, password, pages, jobs, progress, limits)
        except CannotOpen as error:
            raise _open_error(error.code, path, name, password) from None
        except WorkerLost as loss:
            raise DamagedPdfError(f"opening it {describe_loss(loss, limits)}", file=name) from None
        if _has_unmapped_glyphs(found):
            # Only here: few files need their fonts read.
            from held.reading.glyph_names import name_glyphs

            found = name_glyphs(found, path, password)
        if ocr is not None:
            found = _recognise_scans(found, path, password, drawn, ocr, limits, jobs, ocr_progress)
        warnings = text_notes(found, drawn)
        return replace(found, notes=(*found.notes, *warnings))


def _has_unmapped_glyphs(pages: Pages) -> bool:
    for page in pages.pages:
        text = "".join(map(run_text, page.runs))
        # Private characters can't be printed; a page rarely has any, and this is faster than a search.
        if not text.isprintable() and UNMAPPED.search(text):
            return True
    return False


def _recognise_scans(
    pages: Pages,
    path: Path,
    password: str | None,
    drawn: Sequence[int],
    ocr: OcrOptions,
    limits: Limits,
    jobs: int | None,
    progress: Progress | None,
) -> Pages:
    from held.reading.text_checks import choose_pages

    drawn_indices = [number - pages.first_page for number in drawn]
    chosen = choose_pages(pages.pages, pages.styles, drawn_indices)
    if ocr.mode != "always" and not (chosen.without_text() or chosen.layered):
        return pages
    # Only here: files with text need neither numpy nor an engine.
    from held.reading.ocr.recognise_pages import ScanSource, add_recognised_text

    scan = ScanSource(path, password, ocr, limits, jobs)
    return add_recognised_text(pages, scan, chosen, progress=progress)


@contextmanager
def _as_file(source: Source) -> Iterator[Path]:
    """The source as a file with an absolute path, which processes in any folder can open."""
    if not isinstance(source, bytes):
        yield Path(source).absolute()
        return
    from tempfile import TemporaryDirectory  # slow to import

    with TemporaryDirectory(prefix="held-") as folder:
        path = Path(folder) / "source.pdf"
        path.write_bytes(source)
        yield path


def _open_error(code: int, path: Path, name: str, password: str | None) -> HeldError:
    """The error for PDFium's error code."""
    if code == ERROR_PASSWORD and password:
        return EncryptedPdfError("the password is wrong", file=name)
    if code == ERROR_PASSWORD:
        return EncryptedPdfError("is encrypted", file=name, advice="give its password")
    if code == ERROR_SECURITY:
        return EncryptedPdfError("is encrypted in a way that PDFium does not know", file=name)
    if not has_pdf_header(path, name):  # also reports a file without permission to read it
        return NotAPdfError("is not a PDF", file=name)
    return DamagedPdfError("is too damaged to read", file=name, advice="download or export it again")


def _read_here(
    path: Path,
    name: str,
    password: str | None,
    pages: Sequence[int] | None,
    progress: Progress | None,
) -> tuple[Pages, list[int]]:
    # Only here: loading PDFium into this process is not needed otherwise.
    from held.reading.form_fields import open_form
    from held.reading.pdfium_reader import (
        open_document,
        page_count,
        read_metadata,
        read_outline,
        read_raw_page,
    )

    with (
        open_document(os.fsencode(path), password.encode() if password else None) as document,
        open_form(document) as form,
    ):
        indices = _page_indices(page_count(document), pages, name)

        def results() -> Iterator[PageResult]:
            table: StyleTable = {}
            styles: list[RawStyle] = []
            for index in indices:
                page: RawPage | str
                try:
                    value, parts = read_raw_page(document, form, index, table)
                    page = decode_page(value, parts, len(table))
                except CannotLoadPage:
                    page = "cannot be loaded"
                styles += list(table)[len(styles) :]
                yield index, page, styles

        return _assemble(
            name, indices, results(), read_outline(document), read_metadata(document), [], progress
        )


def _read_in_processes(
    path: Path,
    name: str,
    password: str | None,
    pages: Sequence[int] | None,
    jobs: int | None,
    progress: Progress | None,
    limits: Limits,
) -> tuple[Pages, list[int]]:
    file = OpenFile.start(os.fspath(path), password, limits)
    reader = Reader(file)
    try:
        indices = _page_indices(reader.page_count, pages, name)
        # The time limit depends on the number of pages, which is known only now.
        file = OpenFile.start(file.path, password, limits, len(indices))
        reader.charge_to(file)
        notes: list[Note] = []
        if reader.sandbox_failure:
            notes.append(Note(None, NO_SANDBOX.format(reader.sandbox_failure)))
        outline: list[RawEntry] = []
        metadata = NO_METADATA
        try:
            outline, metadata = reader.read_catalogue()
        except WorkerLost as loss:
            notes.append(Note(None, f"the outline {describe_loss(loss, limits)}; left out"))
            reader.kill()
            reader = Reader(file)
        if jobs is None:
            useful = math.ceil(len(indices) / PAGES_PER_JOB)
            jobs = min(MAX_JOBS, os.cpu_count() or 1, useful)
        jobs = min(jobs, len(indices))  # a reader without pages would be started for nothing
        if jobs == 1:
            results = read_pages(file, reader, indices)
        else:
            results = read_pages_in_parallel(file, reader, indices, jobs)
    except BaseException:
        reader.kill()
        raise
    return _assemble(name, indices, results, outline, metadata, notes, progress)


def _page_indices(count: int, pages: Sequence[int] | None, name: str) -> range:
    """The indices, from 0, of the pages to read."""
    if count == 0:
        raise NoPagesError("has no pages", file=name)
    if count > MAX_PAGES:
        raise DamagedPdfError(f"claims to have {count} pages", file=name)
    if pages is None:
        return range(count)
    consecutive = range(pages[0], pages[0] + len(pages)) if pages else ()
    if not pages or list(pages) != list(consecutive):
        raise UsageError("pages must be consecutive numbers, at least one", file=name)
    first, last = pages[0], pages[-1]
    if first < 1 or last > count:
        wrong = first if first < 1 else last
        raise UsageError(f"there is no page {wrong}", file=name, advice=f"pages 1-{count} exist")
    return range(first - 1, last)


# --- from raw pages to `Pages` ---


def _assemble(
    name: str,
    indices: range,
    results: Iterable[PageResult],
    outline: list[RawEntry],
    metadata: RawMetadata,
    notes: list[Note],
    progress: Progress | None,
) -> tuple[Pages, list[int]]:
    """All results as one value, with the styles of all readers in one table.

    Also the numbers of pages that contain nothing but drawings, which may be letters.
    """
    styles = _MergedStyles()
    content: dict[int, PageContent] = {}
    geometry: dict[int, PageGeometry] = {}
    lost: dict[str, list[int]] = {}  # numbers of pages that could not be read, by reason
    drawn: list[int] = []  # numbers of pages whose letters may be drawn as paths
    for index, page, reader_styles in results:
        if isinstance(page, str):
            lost.setdefault(page, []).append(index + 1)
            _, _, width, height = LETTER  # the size of an empty page in its stead
            content[index] = PageContent(width, height)
        else:
            geometry[index], _, runs, _, images, fields, strokes, _ = page
            run_styles = runs[4] + fields[4]
            if strokes >= MIN_LETTER_STROKES and not (run_styles or images):
                drawn.append(index + 1)
            content[index] = _page_content(page, styles.merge(run_styles, reader_styles))
        if progress:
            progress(len(content), len(indices))
    pages = tuple(content[index] for index in indices)
    lost_pages: list[int] = []
    for reason, numbers in lost.items():
        notes.append(Note(None, f"{format_pages(numbers)}: {reason}; left empty"))
        lost_pages += numbers
    found = Pages(
        source=os.path.basename(name),
        styles=styles.all(),
        pages=pages,
        outline=tuple(_outline_entry(entry, geometry) for entry in outline),
        notes=tuple(notes),
        first_page=indices.start + 1,
        lost=tuple(sorted(lost_pages)),
        metadata=_metadata(metadata),
    )
    return found, drawn


def _metadata(raw: RawMetadata) -> Metadata:
    title, author, language, date = raw
    day = PDF_DATE.match(date)
    return Metadata(
        title=title,
        authors=tuple(name.strip() for name in author.split(";") if name.strip()),
        language=language if LANGUAGE_CODE.fullmatch(language) else "",
        date="-".join(day.groups()) if day else "",
    )


class _MergedStyles:
    """The styles of all readers in the order of their first use; each reader numbers its own from 0."""

    def __init__(self) -> None:
        self._table: StyleTable = {}
        # By the identity of a reader's list. The list is kept too, so that no other gets its address.
        self._by_reader: dict[int, tuple[list[RawStyle], dict[int, int]]] = {}

    def merge(self, used: Iterable[int], reader_styles: list[RawStyle]) -> dict[int, int]:
        """The merged indices of a reader's styles, at least of those that are used."""
        _, merged = self._by_reader.setdefault(id(reader_styles), (reader_styles, {}))
        # `dict.fromkeys` keeps the order of first use, which a set does not.
        for style in dict.fromkeys(used):
            if style not in merged:
                merged[style] = self._table.setdefault(reader_styles[style], len(self._table))
        return merged

    def all(self) -> tuple[Style, ...]:
        return tuple(Style(*style) for style in self._table)


def _page_content(raw: RawPage, styles: dict[int, int]) -> PageContent:
    """A raw page in points, with merged style indices."""
    (width, height, _, _, rotation), label, runs, rules, images, fields, _, words = raw
    return PageContent(
        width / UNITS_PER_POINT,
        height / UNITS_PER_POINT,
        _runs(runs, styles, words),
        _boxes(rules),
        _boxes(images),
        _runs(fields, styles),
        rotation,
        label or None,
    )


def _runs(columns: RunColumns, styles: dict[int, int], words: RawWords | None = None) -> tuple[Run, ...]:
    *edges, style_column, texts = columns
    x0, y0, x1, y1 = [[length / UNITS_PER_POINT for length in edge] for edge in edges]
    merged = map(styles.__getitem__, style_column)
    fields: Iterable[tuple[object, ...]] = zip(x0, y0, x1, y1, merged, texts, repeat(()))
    if not words:
        return tuple(map(_new_run, fields))
    found = list(map(_new_run, fields))
    # All words at once: a page has words in dozens of runs, with a few in each.
    in_points = _boxes(chain.from_iterable(words.values()))
    start = 0
    for index, boxes in words.items():
        end = start + len(boxes)
        found[index] = _new_run((*found[index][:-1], in_points[start:end]))
        start = end
    return tuple(found)


def _boxes(boxes: Iterable[RawBox]) -> tuple[Box, ...]:
    unit = UNITS_PER_POINT
    return tuple([new_box((x0 / unit, y0 / unit, x1 / unit, y1 / unit)) for x0, y0, x1, y1 in boxes])


def _outline_entry(entry: RawEntry, geometry: dict[int, PageGeometry]) -> OutlineEntry:
    level, title, page, x, y = entry
    distance = _distance_from_top(x, y, geometry[page]) if page in geometry else None
    return OutlineEntry(level, title, page + 1 if page >= 0 else None, distance)


def _distance_from_top(x: float | None, y: float | None, geometry: PageGeometry) -> float | None:
    """How far a point in PDF space is below the top of the rotated page, None if that is not known."""
    width, height, left, top, rotation = geometry
    coordinate = x if rotation in (90, 270) else y
    if coordinate is None:
        return None
    along = coordinate * UNITS_PER_POINT
    with suppress(ValueError, OverflowError):  # a damaged file may contain NaN or infinity
        match rotation:
            case 90:
                return round(along - left) / UNITS_PER_POINT
            case 180:
                return round(along - (top - height)) / UNITS_PER_POINT
            case 270:
                return round(left + width - along) / UNITS_PER_POINT
            case _:
                return round(top - along) / UNITS_PER_POINT
    return None
