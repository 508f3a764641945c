"""From a source to its hierarchy: read, recognise, build the tree.

The library, the command line, batch runs, the server and Ray workers all call `extract` with the same frozen
`ExtractOptions`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

from held.document import Document, Pages
from held.errors import FormatError, UsageError
from held.hierarchy import Hierarchy, subset
from held.hierarchy.insertion import NO_OVERRIDES
from held.system.bounded_json import is_pdf, read_json_value
from held.system.console import Progress, StageProgress

if TYPE_CHECKING:
    from held.hierarchy.insertion import Strategy
    from held.hierarchy.overrides import Override
    from held.reading.text_checks import OcrOptions

Source = Path | bytes | Document | Pages

OUTLINES = ("ignore", "trust")
READ_IN_PROCESS = 0  # `jobs`: this process reads the PDF itself


@dataclass(frozen=True, slots=True)
class PageRange:
    """Pages from `first` to `last`, counted from 1, both included; None means up to the last page."""

    first: int
    last: int | None


@dataclass(frozen=True, slots=True)
class ExtractOptions:
    """Everything that a hierarchy depends on besides the source.

    model           name of a shipped model, or the folder of another one
    pages           keep only these pages, and the headings above them
    order, beam     traversal order of the insertion positions, and beam width
    outline         "trust" takes the headings from the PDF's own bookmarks
    headings        "found" by the model, "given" by the document, or "auto": given if there are any
    fixed           known positions of objects, see `held.hierarchy.overrides`
    max_depth       turn deeper headings into text of their section
    min_confidence  headings below this certainty are doubtful
    drop_doubtful   turn doubtful headings into text of the section before them
    ocr             "auto" reads scanned pages if an engine is installed, "always" all pages, "never" none
    ocr_engine      "tesseract", "rapidocr", or "auto": the one that suits the language
    ocr_languages   as Tesseract names them ("deu", "deu+eng"); empty: detected in a sample of the text
    language        the document's language; None: detected in its text
    """

    model: str = "base"
    pages: PageRange | None = None
    order: str = "ta"
    beam: int = 1
    outline: str = "ignore"
    headings: str = "auto"
    fixed: tuple[tuple[int, Override], ...] = ()
    max_depth: int | None = None
    min_confidence: float | None = None
    drop_doubtful: bool = False
    ocr: str = "auto"
    ocr_engine: str = "auto"
    ocr_languages: str = ""
    language: str | None = None

    @property
    def ocr_options(self) -> OcrOptions:
        """The options of text recognition."""
        from held.reading.text_checks import OcrOptions

        return OcrOptions(self.ocr, self.ocr_engine, self.ocr_languages)


DEFAULTS = ExtractOptions()
_LANGUAGE_CODE = re.compile(r"[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*")  # BCP 47, without its rarer parts
# These options change how a tree is built; the others only select from a tree.
_BUILD_OPTIONS = ("model", "order", "beam", "outline", "headings", "fixed")


class StageTimer:
    """Measures how long each stage takes, and reports its progress."""

    def __init__(self, progress: StageProgress | None = None) -> None:
        self._progress = progress
        self._starts: list[tuple[str, float]] = []

    def start(self, stage: str) -> None:
        """Start a stage, which ends the one before."""
        self._starts.append((stage, perf_counter()))

    def report(self, done: int, total: int) -> None:
        """Report the progress of the current stage."""
        if self._progress is not None:
            stage, _ = self._starts[-1]
            self._progress(stage, done, total)

    def report_insertion(self, done: int, total: int) -> None:
        """Report how many headings are inserted; the first report starts the stage."""
        self._report_in("inserting", done, total)

    def report_ocr(self, done: int, total: int) -> None:
        """Report how many scanned pages are read; the first report starts the stage."""
        self._report_in("recognising text", done, total)

    def _report_in(self, stage: str, done: int, total: int) -> None:
        current, _ = self._starts[-1]
        if stage != current:
            self.start(stage)
        self.report(done, total)

    def seconds(self) -> dict[str, float]:
        """Return the seconds that each stage took so far."""
        ends = [start for _, start in self._starts[1:]]
        ends.append(perf_counter())
        return {stage: end - start for (stage, start), end in zip(self._starts, ends, strict=True)}


def reading_progress(progress: Progress | None) -> StageProgress | None:
    """Report the pages that are read; the stages after that have no pages to count."""
    if progress is None:
        return None
    return lambda stage, done, total: progress(done, total) if stage == "reading" else None


def extract(
    source: Source,
    options: ExtractOptions = DEFAULTS,
    *,
    password: str | None = None,
    jobs: int | None = None,
    timer: StageTimer | None = None,
) -> Hierarchy:
    """Return the hierarchy of a source.

    A file that already contains a tree keeps it; only the options that select from a tree apply then.
    """
    if jobs != READ_IN_PROCESS and isinstance(source, Path) and source.suffix.lower() == ".pdf":
        # The reading process starts on another core while this one imports numpy and the models.
        from held.reading.reader_process import start_reader
        from held.system.limits import limits

        start_reader(limits())
    if options.ocr_options != DEFAULTS.ocr_options:
        from held.reading.ocr.engines import check_options as check_ocr_options

        check_ocr_options(options.ocr_options)
    strategy = _check_options(options)  # before a long file is read in vain
    timer = timer or StageTimer()
    timer.start("reading")
    content: Pages | Document | Hierarchy
    if isinstance(source, Path | bytes):
        content = read_file(
            source,
            password=password,
            jobs=jobs,
            progress=timer.report,
            ocr=options.ocr_options,
            ocr_progress=timer.report_ocr,
        )
    else:
        content = source
    if isinstance(content, Hierarchy):
        _refuse_build_options(options, _source_name(source, content.document))
        hierarchy = content
    else:
        # A wrong page number must not cost the minutes that the next stages take.
        resolve_pages(content, options.pages, _source_name(source, content))
        hierarchy = _build_hierarchy(content, options, strategy, timer)
        if isinstance(content, Pages):
            from held.layout.rotated_text import restore_turned_pages

            hierarchy = replace(hierarchy, document=restore_turned_pages(hierarchy.document, content))
    return _select(hierarchy, options, source)


def _check_options(options: ExtractOptions) -> Strategy:
    """Refuse impossible options, and return the search strategy that the others ask for."""
    from held.hierarchy.insertion import Order, Strategy
    from held.hierarchy.pipeline import HeadingSource

    _check_choice("outline", options.outline, OUTLINES)
    _check_choice("order", options.order, tuple(Order))
    _check_choice("headings", options.headings, tuple(HeadingSource))
    if options.max_depth is not None and options.max_depth < 1:
        raise UsageError(f"max_depth cannot be {options.max_depth}", advice="levels count from 1")
    if options.min_confidence is not None and not 0 <= options.min_confidence <= 1:
        raise UsageError(f"min_confidence cannot be {options.min_confidence}", advice="it is from 0 to 1")
    if options.fixed and options.outline == "trust":
        raise UsageError('`fixed` cannot be combined with outline="trust"', advice="give one of the two")
    if options.language is not None:
        check_language(options.language)
    return Strategy(Order(options.order), options.beam)


def check_language(code: str) -> None:
    """Raise an error if a text is not a language code."""
    if not _LANGUAGE_CODE.fullmatch(code):
        raise UsageError(f"{code!r} is not a language code", advice="give one such as en, de or zh-Hant")


def set_language(document: Document, language: str) -> Document:
    """Return the document with this language instead of the detected one."""
    return replace(document, metadata=document.metadata._replace(language=language))


def _check_choice(name: str, value: str, choices: tuple[str, ...]) -> None:
    if value not in choices:
        raise UsageError(f"{name} cannot be {value!r}", advice=f"it is one of {', '.join(choices)}")


def _refuse_build_options(options: ExtractOptions, name: str) -> None:
    """Refuse options that would change how a tree is built, for a file that already contains one."""
    idle = [option for option in _BUILD_OPTIONS if getattr(options, option) != getattr(DEFAULTS, option)]
    if idle:
        what = f"already contains a tree, which {' and '.join(idle)} would not change"
        raise UsageError(what, file=name, advice="give the PDF, or the `document` in the file")


def _build_hierarchy(
    content: Pages | Document, options: ExtractOptions, strategy: Strategy, timer: StageTimer
) -> Hierarchy:
    from held.hierarchy.pipeline import HeadingSource, TreeOptions, build_tree

    timer.start("recognising")
    if isinstance(content, Document):
        document = content
    else:
        from held.layout.recognise import recognise

        document = recognise(content, progress=timer.report)
    timer.start("headings")
    tree_options = TreeOptions(options.model, strategy, HeadingSource(options.headings))
    if options.outline == "trust":
        from held.hierarchy.bookmark_tree import tree_from_bookmarks_or_model

        bookmarks = content.outline if isinstance(content, Pages) else ()
        return tree_from_bookmarks_or_model(
            document, bookmarks, tree_options, progress=timer.report_insertion
        )
    overrides = NO_OVERRIDES
    if options.fixed:
        from held.hierarchy.overrides import parse_overrides

        overrides = parse_overrides(dict(options.fixed), object_count=len(document.objects))
    return build_tree(document, tree_options, overrides=overrides, progress=timer.report_insertion)


def _select(hierarchy: Hierarchy, options: ExtractOptions, source: Source) -> Hierarchy:
    """Return the part of the hierarchy that the options ask for."""
    if options.min_confidence is not None:
        hierarchy = replace(hierarchy, min_confidence=options.min_confidence)
    if options.language is not None:
        hierarchy = replace(hierarchy, document=set_language(hierarchy.document, options.language))
    pages = None
    if options.pages is not None:
        pages = resolve_pages(hierarchy.document, options.pages, _source_name(source, hierarchy.document))
    return subset(hierarchy, pages=pages, max_depth=options.max_depth, drop_doubtful=options.drop_doubtful)


def _source_name(source: Source, content: Pages | Document) -> str:
    return str(source) if isinstance(source, Path) else content.source


def parse_page_range(text: str) -> PageRange:
    """Parse a page range: `3-9`, `5` or `12-`."""
    match = re.fullmatch(r"\s*(\d+)\s*(-\s*(\d*))?\s*", text)
    if not match:
        raise UsageError(f"{text!r} is not a page range such as 3-9, 5 or 12-")
    first = int(match[1])
    is_open = match[2] and not match[3]
    last = None if is_open else int(match[3] or first)
    if first < 1 or (last is not None and last < first):
        raise UsageError(f"{text!r} is not a page range: pages count from 1 upwards")
    return PageRange(first, last)


def resolve_pages(content: Pages | Document, pages: PageRange | None, name: str) -> range:
    """Return the numbers of the pages in a range, which must all exist; None means all pages."""
    last_page = content.first_page + len(content.pages) - 1
    if pages is None:
        return range(content.first_page, last_page + 1)
    last = last_page if pages.last is None else pages.last
    for number in (pages.first, last):
        if not content.first_page <= number <= last_page:
            advice = f"pages {content.first_page}-{last_page} exist"
            raise UsageError(f"there is no page {number}", file=name, advice=advice)
    return range(pages.first, last + 1)


# --- input files ---
#
# `held` accepts PDFs, corpus documents, the JSON formats of docs/formats.md, and the JSON of docling and
# unstructured. The content decides, not the file's name.


def read_file(
    source: Path | bytes,
    *,
    password: str | None = None,
    jobs: int | None = None,
    progress: Progress | None = None,
    ocr: OcrOptions | None = None,
    ocr_progress: Progress | None = None,
) -> Pages | Document | Hierarchy:
    """Return what a file contains: pages as a viewer shows them, recognised objects, or a whole tree.

    Bytes are those of a PDF. `ocr` says how its scanned pages are read; by default they are read if an
    engine is installed.
    """
    # The readers are imported here because the command line imports this module to print its help.
    from held.layout.rotated_text import apply_rotation

    if isinstance(source, bytes) or is_pdf(source):
        from held.reading.read_pdf import read_pdf
        from held.reading.text_checks import OcrOptions, require_text

        ocr = ocr or OcrOptions()
        pages = read_pdf(
            source, password=password, jobs=jobs, progress=progress, ocr=ocr, ocr_progress=ocr_progress
        )
        return apply_rotation(require_text(pages))
    content = _read_json(source)
    return apply_rotation(content) if isinstance(content, Pages) else content


def _read_json(path: Path) -> Pages | Document | Hierarchy:
    from held import document_json
    from held.exports import tree_json
    from held.integrations import read_parser_json

    value = read_json_value(path)
    # The formats of held name themselves; those of the corpus and of other parsers are known by their fields.
    match value:
        case {"format": tree_json.TREE_FORMAT}:
            return tree_json.tree_from_json(value, file=path)
        case {"format": document_json.PAGES_FORMAT}:
            return document_json.pages_from_json(value, file=path)
        case {"format": document_json.DOCUMENT_FORMAT} | {"objects": _}:
            return document_json.document_from_json(value, file=path)
        case {"id": _, "styles": _, "pages": _}:
            from held.corpus.sources import read_corpus_document

            return read_corpus_document(path)
    foreign = read_parser_json(value, path)
    if foreign is None:
        advice = "docs/formats.md describes the formats"
        raise FormatError("is neither a PDF nor JSON with pages or objects", file=path, advice=advice)
    return foreign
