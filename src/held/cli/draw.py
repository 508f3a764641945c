"""`held draw`: page images with the recognised objects drawn on them."""

from __future__ import annotations

import io
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from held.cli import file_or_stdin, print_line, print_message, print_warnings
from held.cli.objects import read_and_recognise
from held.cli.parameters import (
    PARTIAL,
    Command,
    InputPath,
    OutputFolder,
    pages_option,
    reading_options,
)
from held.document import Document, Pages
from held.errors import DamagedPdfError, InputError
from held.extraction import PageRange, resolve_pages
from held.file_task import RunOptions
from held.system.atomic_write import make_folder, remove_stale_drafts, write_file
from held.system.bounded_json import is_pdf

if TYPE_CHECKING:
    from PIL.Image import Image


@click.command(
    "draw",
    cls=Command,
    values={"run": RunOptions},
    short_help="Draw the recognised objects onto page images.",
)
@click.argument("file", type=InputPath())
@pages_option("Draw only these pages, counted from 1.")
@click.option("-o", "--output", type=OutputFolder(), metavar="DIR", required=True, help="Output folder.")
@click.option(
    "--scale",
    type=click.FloatRange(0.2, 6),
    default=1.5,
    show_default=True,
    metavar="X",
    help="Resolution in pixels per point.",
)
@click.option("--labels", is_flag=True, help="Draw the headings that bookmarks or tags give.")
@reading_options()
def command(
    file: Path,
    pages: PageRange | None,
    output: Path,
    scale: float,
    labels: bool,
    run: RunOptions,
) -> None:
    """Draw the objects recognised in FILE onto its pages: DIR/page-0003.png and so on.

    The colour shows an object's kind; the number is its position in the page's reading order. An arrow marks
    an object that continues from or to another column or page. Running headers, footers and other furniture
    are grey. The whole file is recognised even for a few pages, so the images show what `held objects`
    lists. A file that is not a PDF (see `held objects`) is drawn from its text, rules and image boxes.

    --labels draws the result of `held label` instead: headings coloured by level, with the headings above
    them. A question mark marks objects that may be headings.
    """
    from held.exports.draw import require_pillow

    require_pillow()
    with file_or_stdin(file) as copy:
        value, document = read_and_recognise(copy, run)
        print_warnings(document.notes)
        paint = _label_painter(document, value, copy) if labels else partial(_draw_objects, document)
        make_folder(output)
        remove_stale_drafts(output)
        source = copy if is_pdf(copy) else value if isinstance(value, Pages) else None
        numbers = resolve_pages(value, pages, str(copy))
        failed = False
        for number in numbers:
            try:
                background, fitted = background_of(document, source, number, scale, run.password)
            except DamagedPdfError as error:  # one page must not cost the others
                print_message(str(error))
                failed = True
                continue
            picture = paint(number, background, scale=fitted)
            print_line(_save(picture, output / f"page-{number:04}.png"))
    if document.lost or failed:
        raise click.exceptions.Exit(PARTIAL)


def _draw_objects(document: Document, page: int, background: Image, *, scale: float) -> Image:
    from held.exports.draw import draw_objects

    return draw_objects(document, page, background, scale=scale)


def _label_painter(document: Document, value: Pages | Document, file: Path) -> Callable[..., Image]:
    """Return the function that draws the headings of the file's outline onto a page."""
    from held.corpus.store import Origin, label_document
    from held.exports.draw import draw_labels

    if not isinstance(value, Pages) or not value.outline:
        raise InputError("has no outline to take labels from", file=file)
    return partial(draw_labels, label_document(document, value.outline, Origin(file.stem)))


def background_of(
    document: Document, source: Path | Pages | None, number: int, scale: float, password: str | None
) -> tuple[Image, float]:
    """Return the background of a page and its scale: the rendered PDF, a sketch, or a blank page."""
    from held.exports.draw_background import blank_page, limit_scale, render_page, sketch_page

    index = number - document.first_page
    size = document.pages[index]
    fitted = limit_scale(size.width, size.height, scale)
    if isinstance(source, Path):
        return render_page(source, number, fitted, password=password), fitted
    if source is not None:
        return sketch_page(source.pages[index], source.styles, fitted), fitted
    return blank_page(size.width, size.height, fitted), fitted


def _save(picture: Image, path: Path) -> Path:
    encoded = io.BytesIO()
    picture.save(encoded, "PNG")
    write_file(path, encoded.getvalue())
    return path
