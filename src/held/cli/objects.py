"""`held objects`: the physical objects of a document, as JSON or as lines to read."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from pathlib import Path

import click

from held.cli import file_or_stdin, path_or_stdout, print_warnings, progress, write_result
from held.cli.parameters import (
    PARTIAL,
    Command,
    InputPath,
    OutputPath,
    force_option,
    format_for_path,
    format_option,
    language_option,
    ocr_options,
    pages_option,
    reading_options,
)
from held.document import Document, Kind, Pages, PhysicalObject, Style
from held.errors import FormatError
from held.extraction import DEFAULTS, ExtractOptions, read_file, resolve_pages, set_language
from held.file_task import RunOptions
from held.hierarchy import select_document_pages
from held.system.console import printable_line, to_utf8

_FORMATS = {".json": "json", ".txt": "text"}
_VALUES = {"run": RunOptions, "extract": ExtractOptions}
_TEXT_COLUMNS = 100  # of the terminal, for the text of an object
_ROW_INDENT = " " * 28  # aligns the rows of a table with the text of other objects


@click.command(
    "objects",
    cls=Command,
    values=_VALUES,
    short_help="List paragraphs, tables and figures in reading order.",
)
@click.argument("file", type=InputPath())
@pages_option("Keep only these pages, counted from 1.")
@format_option(_FORMATS, default="json")
@click.option("-o", "--output", type=OutputPath(*_FORMATS), metavar="OUT", help="Output file.")
@force_option()
@ocr_options()
@language_option()
@reading_options()
def command(
    file: Path,
    format_name: str | None,
    output: Path | None,
    extract: ExtractOptions,
    run: RunOptions,
) -> None:
    """List the physical objects of FILE in reading order: paragraphs, tables and figures with page and style.

    FILE is a PDF, a corpus document (.json.xz), pages or objects as JSON (see docs/formats.md), or - for
    standard input. --format text prints one line per object: page, kind, font size, text. After the font
    size, b means bold, i italic and u underlined.
    """
    target = path_or_stdout(output)
    format_name = format_name or format_for_path(target, _FORMATS, "json")
    with file_or_stdin(file) as source:
        document = load_document(source, extract, run)
    print_warnings(document.notes)
    write_result(render(document, format_name), target)
    if document.lost:
        raise click.exceptions.Exit(PARTIAL)


def load_document(file: Path, options: ExtractOptions, run: RunOptions) -> Document:
    """Read and recognise a file, and cut it to the requested pages.

    The whole file is recognised even for a few pages: only the whole shows which lines are running headers
    and how large the body text is.
    """
    content, document = read_and_recognise(file, run, options)
    numbers = resolve_pages(content, options.pages, str(file))
    if options.pages is not None:
        document = select_document_pages(document, numbers)
    return document if options.language is None else set_language(document, options.language)


def read_and_recognise(
    file: Path, run: RunOptions, options: ExtractOptions = DEFAULTS
) -> tuple[Pages | Document, Document]:
    """Return what the file contains, and the document recognised from it."""
    with progress("reading", verbose=run.verbose) as report:
        content = read_file(
            file,
            password=run.password,
            jobs=run.jobs,
            progress=report,
            ocr=options.ocr_options,
            ocr_progress=report,
        )
    if isinstance(content, Document):
        return content, content
    if not isinstance(content, Pages):
        advice = "held.load reads it, and `held extract` converts it to another format"
        raise FormatError("already contains a tree", file=file, advice=advice)
    from held.layout.recognise import recognise
    from held.layout.rotated_text import restore_turned_pages

    with progress("recognising", verbose=run.verbose) as report:
        document = recognise(content, progress=report)
        return content, restore_turned_pages(document, content)


def render(document: Document, format_name: str) -> bytes:
    """Return the document as JSON or text."""
    if format_name == "json":
        from held.document_json import document_to_json
        from held.system.bounded_json import encode_json

        return encode_json(document_to_json(document))
    lines = "".join(f"{line}\n" for line in _object_lines(document))
    return to_utf8(lines)


def _object_lines(document: Document) -> Iterator[str]:
    """Yield a line for each object, and one for each row of a table."""
    for item in document.objects:
        head = f"{item.page:>4}  {item.kind.value:<14}  {_format_style(item.style):<6}  "
        if item.kind is Kind.TABLE and item.rows:
            yield f"{head}{len(item.rows)} rows"
            for row in item.rows:
                yield _ROW_INDENT + truncate(" | ".join(row))
        else:
            yield (head + truncate(item.text) + _format_last_page(item)).rstrip()


def _format_style(style: Style) -> str:
    marks = "b" * style.bold + "i" * style.italic + "u" * style.underlined
    return f"{style.size:g}{marks}" if style.size else marks


def _format_last_page(item: PhysicalObject) -> str:
    last = item.parts[-1].page
    return f"  (to page {last})" if last != item.page else ""


def truncate(text: str, columns: int = _TEXT_COLUMNS) -> str:
    """Return the text on one line, cut to a number of terminal columns; a Chinese character takes two."""
    text = printable_line(" ".join(text.split()))
    width = 0
    for index, character in enumerate(text):
        width += 2 if unicodedata.east_asian_width(character) in "WF" else 1
        if width > columns:
            return text[: max(index - 1, 0)] + "…"
    return text
