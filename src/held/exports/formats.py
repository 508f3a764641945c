"""The export formats, one entry each in `FORMATS`: name, file suffix, media type, description, writer.

The library, the command line and the server read this table. To add a format, say TEI:

- write `exports/tei.py` with a function `to_tei(hierarchy) -> str`; start from `outline.py`, which is short,
  or from `docx.py`, which writes the whole text;
- add a writer (such as `_outline`) and an entry (in `_ALL`) here, and a test in tests/exports;
- add `format_tei` and `format_tei_why` to both languages of `serve/static/words.js`, for the page's menu;
- describe it in docs/formats.md, and run `make docs`, which writes the help page.

The text of a PDF is untrusted: it goes through `escape_xml` or `escape_html` before it becomes markup. Trees
can be deep: walk them with a loop, as `Tree.pre_order` does, not by recursion.
Writers import their module when they are called, so that importing the table stays cheap.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from held.document import Note
from held.errors import UsageError
from held.reading.text_checks import OcrOptions
from held.system.bounded_json import is_pdf
from held.system.console import to_utf8

if TYPE_CHECKING:
    from held.exports.text_layer import PageLayer
    from held.hierarchy import Hierarchy


@dataclass(frozen=True, slots=True)
class ExportOptions:
    """Options of an export, and the files that a writer may need beside the hierarchy.

    images          folder to write the figures to; the export then shows them
    tables          folder to write the tables to as CSV, whatever the format
    no_title        write no title above the headings, which keep their levels in the tree
    page_markers    write a comment where each page begins
    keep_bookmarks  keep the PDF's own bookmarks as well
    strip_active    remove scripts, actions, media and attachments from the PDF
    max_tokens      maximum length of a chunk
    target          path of the export, which links are relative to; None for standard output
    source          the file that the hierarchy was extracted from; by default the source of the task
    password        password of that file
    ocr             how its scanned pages were recognised
    """

    images: Path | None = None
    tables: Path | None = None
    no_title: bool = False
    page_markers: bool = False
    keep_bookmarks: bool = False
    strip_active: bool = False
    max_tokens: int | None = None
    target: Path | None = None
    source: Path | None = None
    password: str | None = None
    ocr: OcrOptions = field(default_factory=OcrOptions)


class ExportResult(NamedTuple):
    """The bytes of an export, and warnings about them."""

    content: bytes
    notes: tuple[Note, ...] = ()


@dataclass(frozen=True, slots=True)
class ExportFormat:
    """An export format. `options` names the fields of `ExportOptions` that it supports."""

    name: str
    suffix: str
    media_type: str
    description: str
    write: Callable[[Hierarchy, ExportOptions], ExportResult]
    options: frozenset[str] = frozenset()
    needs_pdf: bool = False
    is_text: bool = True


def _text(content: str) -> ExportResult:
    return ExportResult(to_utf8(content))


def _json(hierarchy: Hierarchy, _: ExportOptions) -> ExportResult:
    from held.exports.tree_json import tree_to_json
    from held.system.bounded_json import encode_json

    return ExportResult(encode_json(tree_to_json(hierarchy)))


def _markdown(hierarchy: Hierarchy, options: ExportOptions) -> ExportResult:
    from held.exports.markdown import to_markdown

    links: Mapping[int, str] = {}
    if options.images is not None:
        from held.exports.images import relative_links

        names = _write_figures(hierarchy, options, options.images)
        links = relative_links(names, options.images, options.target)
    markdown = to_markdown(hierarchy, links, page_markers=options.page_markers, no_title=options.no_title)
    return _text(markdown)


def _html(hierarchy: Hierarchy, options: ExportOptions) -> ExportResult:
    from held.exports.html import to_html

    if options.images is None:
        return _text(to_html(hierarchy, no_title=options.no_title))
    names = _write_figures(hierarchy, options, options.images)
    data_uris = {}
    for index, name in names.items():
        png = (options.images / name).read_bytes()
        data_uris[index] = f"data:image/png;base64,{b64encode(png).decode()}"
    return _text(to_html(hierarchy, images=data_uris, no_title=options.no_title))


def _write_figures(hierarchy: Hierarchy, options: ExportOptions, folder: Path) -> Mapping[int, str]:
    """Write the figures as PNG files; return their file names by object index."""
    from held.exports.images import write_images

    pdf = _source_pdf(options, "to take images from")
    return write_images(pdf, hierarchy.document, folder, password=options.password)


def _outline(hierarchy: Hierarchy, _: ExportOptions) -> ExportResult:
    from held.exports.outline import to_outline

    return _text(to_outline(hierarchy))


def _tree(hierarchy: Hierarchy, _: ExportOptions) -> ExportResult:
    from held.exports.outline import to_tree_text

    return _text(to_tree_text(hierarchy))


def _pdf(hierarchy: Hierarchy, options: ExportOptions) -> ExportResult:
    from held.exports.bookmarks import add_bookmarks, bookmarks_of

    pdf = _source_pdf(options, "to write bookmarks into")
    layers = _text_layers(hierarchy, pdf, options)
    bookmarks = bookmarks_of(hierarchy, {number: layer.turn for number, layer in layers.items()})
    content, notes = add_bookmarks(
        pdf,
        bookmarks,
        password=options.password,
        keep=options.keep_bookmarks,
        strip_active=options.strip_active,
        layers=layers,
    )
    return ExportResult(content, notes)


def _text_layers(hierarchy: Hierarchy, pdf: Path, options: ExportOptions) -> dict[int, PageLayer]:
    """The text of recognised pages, which the cache has from when they were recognised."""
    numbers = hierarchy.document.recognised
    if not numbers:
        return {}
    from held.exports.text_layer import page_layers
    from held.reading.ocr.recognise_pages import ScanSource, recognised_pages
    from held.system.limits import limits

    source = ScanSource(pdf, options.password, options.ocr, limits())
    return page_layers(recognised_pages(numbers, source))


def _chunks(hierarchy: Hierarchy, options: ExportOptions) -> ExportResult:
    from held.exports.chunking import to_json_lines

    return _text(to_json_lines(hierarchy, max_tokens=options.max_tokens))


def _docx(hierarchy: Hierarchy, options: ExportOptions) -> ExportResult:
    from held.exports.docx import to_docx

    return ExportResult(to_docx(hierarchy, no_title=options.no_title))


def _epub(hierarchy: Hierarchy, options: ExportOptions) -> ExportResult:
    from held.exports.epub import to_epub

    return ExportResult(to_epub(hierarchy, no_title=options.no_title))


def _source_pdf(options: ExportOptions, purpose: str) -> Path:
    if options.source is None or not is_pdf(options.source):
        advice = "give the PDF that it was made from"
        raise UsageError(f"is no PDF {purpose}", file=options.source, advice=advice)
    return options.source


_ALL = (
    ExportFormat(
        "json",
        ".json",
        "application/json",
        "everything: objects, paths, pages, boxes, confidence (docs/formats.md)",
        _json,
    ),
    ExportFormat(
        "markdown",
        ".md",
        "text/markdown; charset=utf-8",
        "the whole text, headings at their level",
        _markdown,
        frozenset({"images", "page_markers", "no_title"}),
    ),
    ExportFormat(
        "html",
        ".html",
        "text/html; charset=utf-8",
        "one page to read in a browser: the tree beside the text",
        _html,
        frozenset({"images", "no_title"}),
    ),
    ExportFormat(
        "outline",
        ".tsv",
        "text/tab-separated-values; charset=utf-8",
        "one heading per line: level, page and title, separated by tabs",
        _outline,
    ),
    ExportFormat(
        "tree",
        ".txt",
        "text/plain; charset=utf-8",
        "the headings, indented by level, to read on a terminal",
        _tree,
    ),
    ExportFormat(
        "pdf",
        ".pdf",
        "application/pdf",
        "the same PDF with the tree as its bookmarks, scanned pages with their recognised text",
        _pdf,
        frozenset({"keep_bookmarks", "strip_active"}),
        needs_pdf=True,
        is_text=False,
    ),
    ExportFormat(
        "chunks",
        ".jsonl",
        "application/x-ndjson",
        "passages for retrieval, each within one section, one JSON object per line",
        _chunks,
        frozenset({"max_tokens"}),
    ),
    ExportFormat(
        "docx",
        ".docx",
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        "for word processors, with heading styles",
        _docx,
        frozenset({"no_title"}),
        is_text=False,
    ),
    ExportFormat(
        "epub",
        ".epub",
        "application/epub+zip",
        "for e-book readers, with the tree as table of contents",
        _epub,
        frozenset({"no_title"}),
        is_text=False,
    ),
)
FORMATS = {entry.name: entry for entry in _ALL}
SUFFIXES = tuple(entry.suffix for entry in _ALL)

# `held.dataset` writes many documents into shared tables, so it is no entry above.
DATASET_FORMAT = "parquet"


def format_of_path(path: Path) -> ExportFormat | None:
    """The format that a file's suffix names, None if there is none; a final `.xz` is ignored."""
    suffix = Path(path.name.lower().removesuffix(".xz")).suffix
    for entry in _ALL:
        if entry.suffix == suffix:
            return entry
    return None


def formats_with_option(option: str) -> tuple[str, ...]:
    """The names of the formats that support an option, a field of `ExportOptions`."""
    if option == "tables":  # written beside the export of a single file, whatever its format
        return tuple(FORMATS)
    names = [entry.name for entry in _ALL if option in entry.options]
    return (*names, DATASET_FORMAT) if option == "max_tokens" else tuple(names)
