"""`held objects`: the physical objects of a document, as JSON or as lines to read."""

from __future__ import annotations

from pathlib import Path

import click

from held.cli.inputs import PageRange, cut, page_range, pages_within, read
from held.cli.outputs import write_result
from held.cli.talk import progress, warn
from held.document import Document, Pages


@click.command("objects", short_help="Paragraphs, tables, figures … in reading order.")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--pages", callback=page_range, metavar="3-9", help="Only these pages, counted from 1.")
@click.option("--format", "form", type=click.Choice(["json", "text"]), default="json", show_default=True)
@click.option("-o", "--output", type=click.Path(path_type=Path), metavar="OUT", help="Write to this file.")
@click.option("--password", help="The password of an encrypted PDF.")
@click.option("--jobs", type=click.IntRange(1), metavar="N", help="Processes that read pages.")
@click.option("-v", "--verbose", is_flag=True, help="Tell the progress even if stderr is no terminal.")
def command(
    file: Path,
    pages: PageRange | None,
    form: str,
    output: Path | None,
    password: str | None,
    jobs: int | None,
    verbose: bool,
) -> None:
    """The physical objects of FILE in reading order: paragraphs, tables, figures, with place and style.

    FILE is a PDF, a corpus document (.json.xz), or pages or objects as JSON (see docs/formats.md). With
    --format text each object is one line: page, kind, font size with b for bold and i for italic, text.
    """
    document = load_document(file, pages=pages, password=password, jobs=jobs, verbose=verbose)
    warn(document.notes)
    write_result(render(document, form), output)


def load_document(
    file: Path, *, pages: PageRange | None, password: str | None, jobs: int | None, verbose: bool
) -> Document:
    """The document in a file, recognised where that is still to be done, and cut to the pages asked for.

    The whole file is recognised even for few pages: what is furniture, and what size the body has, only the
    whole tells.
    """
    with progress("reading", verbose=verbose) as tell:
        value = read(file, password=password, jobs=jobs, progress=tell)
    numbers = pages_within(value, pages, file)
    document = recognised(value, verbose=verbose)
    return document if pages is None else cut(document, numbers)


def recognised(value: Pages | Document, *, verbose: bool) -> Document:
    """The document itself, or the one recognised on pages."""
    if isinstance(value, Document):
        return value
    from held.pdf.recognise import recognise

    with progress("recognising", verbose=verbose) as tell:
        return recognise(value, progress=tell)


def render(document: Document, form: str) -> bytes:
    """The document in the form asked for."""
    if form == "json":
        from held.serial import document_to_json, dumps

        return dumps(document_to_json(document))
    from held.cli.lines import object_lines

    # A damaged font can give half a character, which UTF-8 cannot hold.
    return "".join(f"{line}\n" for line in object_lines(document)).encode("utf-8", "backslashreplace")
