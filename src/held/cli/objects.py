"""`held objects`: the physical objects of a document, as JSON or as lines to read."""

from __future__ import annotations

from pathlib import Path

import click

from held.cli.inputs import STDIN, PageRange, as_file, find_pages, page_range, select_document_pages
from held.cli.messages import progress, warn
from held.cli.options import force_option, form_option, jobs_option, password_option, verbose_option
from held.cli.outputs import write_result
from held.cli.paths import PARTIAL, Command, InputPath, OutputPath, form_named
from held.document import Document, Pages
from held.errors import FormatError
from held.input_files import read_file

_FORMS = {".json": "json", ".txt": "text"}


@click.command("objects", cls=Command, short_help="Paragraphs, tables, figures … in reading order.")
@click.argument("file", type=InputPath())
@click.option("--pages", callback=page_range, metavar="3-9", help="Only these pages, counted from 1.")
@form_option(_FORMS, usual="json")
@click.option("-o", "--output", type=OutputPath(*_FORMS), metavar="OUT", help="Write to this file.")
@force_option()
@password_option()
@jobs_option()
@verbose_option()
def command(
    file: Path,
    pages: PageRange | None,
    form: str | None,
    output: Path | None,
    password: str | None,
    jobs: int | None,
    verbose: bool,
) -> None:
    """The physical objects of FILE in reading order: paragraphs, tables, figures, with place and style.

    FILE is a PDF, a corpus document (.json.xz), pages or objects as JSON (see docs/formats.md), or - for
    standard input. With --format text each object is one line: page, kind, font size with b for bold, i for
    italic and u for underlined, text.
    """
    output = None if str(output) == STDIN else output
    chosen = form or form_named(output, _FORMS, "json")
    with as_file(file) as source:
        document = load_document(source, pages=pages, password=password, jobs=jobs, verbose=verbose)
    warn(document.notes)
    write_result(render(document, chosen), output)
    if document.lost:
        raise click.exceptions.Exit(PARTIAL)


def load_document(
    file: Path, *, pages: PageRange | None, password: str | None, jobs: int | None, verbose: bool
) -> Document:
    """Read and recognise a file, and cut it to the requested pages.

    The whole file is recognised even for a few pages: only the whole shows which lines are running headers
    and how large the body text is.
    """
    content, document = read_and_recognise(file, password=password, jobs=jobs, verbose=verbose)
    numbers = find_pages(content, pages, str(file))
    return document if pages is None else select_document_pages(document, numbers)


def read_and_recognise(
    file: Path, *, password: str | None, jobs: int | None, verbose: bool
) -> tuple[Pages | Document, Document]:
    """Return what the file contains, and the document recognised from it."""
    with progress("reading", verbose=verbose) as report:
        content = read_file(file, password=password, jobs=jobs, progress=report)
    if isinstance(content, Document):
        return content, content
    if not isinstance(content, Pages):
        advice = "held.load reads it, and `held extract` writes it in another format"
        raise FormatError("already contains a tree", file=file, advice=advice)
    from held.layout.recognise import recognise

    with progress("recognising", verbose=verbose) as report:
        return content, recognise(content, progress=report)


def render(document: Document, form: str) -> bytes:
    """The document in the form asked for."""
    if form == "json":
        from held.document_json import document_to_json
        from held.system.json_values import encode_json

        return encode_json(document_to_json(document))
    from held.cli.lines import object_lines

    # A damaged font can give half a character, which UTF-8 cannot hold.
    return "".join(f"{line}\n" for line in object_lines(document)).encode("utf-8", "backslashreplace")
