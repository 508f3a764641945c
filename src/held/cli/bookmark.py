"""`held bookmark`: an outline, corrected by hand or made elsewhere, as the bookmarks of a PDF."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from held.cli.inputs import STDIN, as_file
from held.cli.messages import progress, warn
from held.cli.options import force_option, jobs_option, password_option, verbose_option
from held.cli.outputs import write_result
from held.cli.paths import Command, InputPath, OutputPath
from held.document import Note, Pages
from held.errors import InputError

if TYPE_CHECKING:
    from held.exports.bookmarks import Bookmark
    from held.exports.outline import OutlineLine

_MOST_LINES = 8


@click.command("bookmark", cls=Command, short_help="Write an outline into a PDF as its bookmarks.")
@click.argument("file", type=InputPath())
@click.argument("outline", type=InputPath())
@click.option(
    "-o",
    "--output",
    type=OutputPath(".pdf", in_place="file"),
    metavar="OUT",
    required=True,
    help="The PDF to write.",
)
@force_option()
@click.option("--keep", is_flag=True, help="Keep the bookmarks that FILE has, folded below the new ones.")
@password_option()
@jobs_option()
@verbose_option()
def command(
    file: Path,
    outline: Path,
    output: Path,
    keep: bool,
    password: str | None,
    jobs: int | None,
    verbose: bool,
) -> None:
    """Write OUTLINE into the PDF FILE as its bookmarks; everything else in it stays as it is.

    OUTLINE has one entry a line, as `held extract --format outline` writes them: level, page and title with
    tabs between, levels and pages counted from 1. Blank lines and lines that begin with # are passed over;
    `-` reads FILE or OUTLINE from stdin. A bookmark leads to its title where that is found on the page, else
    to the page's top. A level that is jumped over is closed up. OUT may be FILE itself.
    """
    from held.exports.bookmarks import add_bookmarks
    from held.exports.outline import read_outline
    from held.layout.rotation import apply_rotation
    from held.reading.read_pdf import read_pdf

    if str(file) == str(outline) == STDIN:
        raise click.UsageError("standard input (-) can be the PDF or the outline, not both")
    lines = read_outline(_content(outline), outline)
    with as_file(file) as source:
        with progress("reading", verbose=verbose) as tell:
            pages = apply_rotation(read_pdf(source, password=password, jobs=jobs, progress=tell))
        _require_pages(lines, pages, outline)
        bookmarks = _placed(lines, pages)
        content, cautions = add_bookmarks(source, bookmarks, password=password, keep=keep)
        warn([*cautions, *_not_found(lines, bookmarks)])
    write_result(content, None if str(output) == STDIN else output)


def _content(outline: Path) -> bytes:
    try:
        return sys.stdin.buffer.read() if str(outline) == STDIN else outline.read_bytes()
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", file=outline) from error


def _require_pages(lines: Sequence[OutlineLine], pages: Pages, outline: Path) -> None:
    count = len(pages.pages)
    for line in lines:
        if line.page > count:
            advice = f"{pages.source} has pages 1-{count}; count them from 1, whatever is printed on them"
            raise InputError(f"line {line.number}: there is no page {line.page}", file=outline, advice=advice)


def _placed(lines: Sequence[OutlineLine], pages: Pages) -> list[Bookmark]:
    from held.exports.bookmarks import Bookmark, title_top

    return [
        Bookmark(line.level, line.page, line.title, title_top(pages, line.page, line.title), line.doubtful)
        for line in lines
    ]


def _not_found(lines: Sequence[OutlineLine], bookmarks: Sequence[Bookmark]) -> list[Note]:
    """A note on the titles that do not stand on their pages: most often the page is wrong."""
    numbers = [line.number for line, bookmark in zip(lines, bookmarks, strict=True) if bookmark.y is None]
    if not numbers:
        return []
    which = ", ".join(map(str, numbers[:_MOST_LINES])) + (", …" if len(numbers) > _MOST_LINES else "")
    message = f"titles not found on their pages: {len(numbers)} (line {which}); they lead to the page's top"
    return [Note(None, message)]
