"""`held bookmark`: write an outline, corrected by hand or made elsewhere, into a PDF as its bookmarks."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from held.cli import file_or_stdin, path_or_stdout, print_warnings, progress, write_result
from held.cli.parameters import (
    STDIN,
    Command,
    InputPath,
    OutputPath,
    force_option,
    reading_options,
)
from held.document import Note, Pages
from held.errors import InputError
from held.file_task import RunOptions

if TYPE_CHECKING:
    from held.exports.bookmarks import Bookmark
    from held.exports.outline import OutlineLine

_MAX_LISTED_LINES = 8  # wrong lines of an outline that a message names


@click.command(
    "bookmark",
    cls=Command,
    values={"run": RunOptions},
    short_help="Write an outline into a PDF as its bookmarks.",
)
@click.argument("file", type=InputPath())
@click.argument("outline", type=InputPath())
@click.option(
    "-o",
    "--output",
    type=OutputPath(".pdf", in_place="file"),
    metavar="OUT",
    required=True,
    help="Output PDF; may be FILE.",
)
@force_option()
@click.option("--keep", is_flag=True, help="Keep the bookmarks of FILE, collapsed, after the new ones.")
@click.option(
    "--strip-active", is_flag=True, help="Remove scripts, actions, media and attachments from the PDF."
)
@reading_options()
def command(
    file: Path,
    outline: Path,
    output: Path,
    keep: bool,
    strip_active: bool,
    run: RunOptions,
) -> None:
    """Write OUTLINE into the PDF FILE as its bookmarks. Nothing else in the PDF changes by default.

    OUTLINE has one entry per line, as `held extract --format outline` writes it: level, page and title,
    separated by tabs; levels and pages count from 1. Blank lines and lines that start with # are ignored.
    FILE or OUTLINE may be - for standard input. A bookmark points to its title if the page contains it,
    otherwise to the top of the page. Where a level is skipped, deeper ones move up: 1 3 becomes 1 2.
    """
    from held.exports.bookmarks import add_bookmarks
    from held.exports.outline import read_outline
    from held.layout.rotated_text import apply_rotation
    from held.reading.read_pdf import read_pdf

    if str(file) == str(outline) == STDIN:
        raise click.UsageError("standard input (-) can be FILE or OUTLINE, not both")
    lines = read_outline(_read_outline(outline), outline)
    with file_or_stdin(file) as source:
        with progress("reading", verbose=run.verbose) as report:
            pages = apply_rotation(read_pdf(source, password=run.password, jobs=run.jobs, progress=report))
        _require_pages(lines, pages, outline)
        bookmarks = _make_bookmarks(lines, pages)
        content, cautions = add_bookmarks(
            source, bookmarks, password=run.password, keep=keep, strip_active=strip_active
        )
        print_warnings([*cautions, *_missing_titles(lines, bookmarks)])
    write_result(content, path_or_stdout(output))


def _read_outline(outline: Path) -> bytes:
    try:
        return sys.stdin.buffer.read() if str(outline) == STDIN else outline.read_bytes()
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", file=outline) from error


def _require_pages(lines: Sequence[OutlineLine], pages: Pages, outline: Path) -> None:
    count = len(pages.pages)
    for line in lines:
        if line.page > count:
            advice = f"{pages.source} has pages 1-{count}, whatever numbers are printed on them"
            raise InputError(f"line {line.number}: there is no page {line.page}", file=outline, advice=advice)


def _make_bookmarks(lines: Sequence[OutlineLine], pages: Pages) -> list[Bookmark]:
    from held.exports.bookmarks import Bookmark, title_top

    return [
        Bookmark(line.level, line.page, line.title, title_top(pages, line.page, line.title), line.doubtful)
        for line in lines
    ]


def _missing_titles(lines: Sequence[OutlineLine], bookmarks: Sequence[Bookmark]) -> list[Note]:
    """Return a note on titles that are not on their pages; mostly the page number is wrong."""
    numbers = [line.number for line, bookmark in zip(lines, bookmarks, strict=True) if bookmark.y is None]
    if not numbers:
        return []
    listed = ", ".join(map(str, numbers[:_MAX_LISTED_LINES]))
    if len(numbers) > _MAX_LISTED_LINES:
        listed += ", …"
    count = f"titles not found on their pages: {len(numbers)} (line {listed})"
    return [Note(None, f"{count}; they point to the top of the page")]
