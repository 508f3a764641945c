"""The file and the pages that a command is given."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from held.cli.paths import STDIN
from held.errors import InputError, UsageError
from held.extraction import PageRange, find_pages, parse_page_range
from held.hierarchy.hierarchy import select_document_pages
from held.system.bounded_input import is_pdf

_MOST_FROM_STDIN = 4 << 30  # bytes: an endless stream must not fill the disk
_PIECE = 1 << 20

__all__ = ["STDIN", "PageRange", "as_file", "find_pages", "is_pdf", "page_range", "select_document_pages"]


def page_range(ctx: click.Context, param: click.Parameter, value: str | None) -> PageRange | None:
    """The range that `3-9`, `5` or `12-` on the command line means: the callback of `--pages`."""
    try:
        return None if value is None else parse_page_range(value)
    except UsageError as error:
        raise click.BadParameter(error.what, ctx, param) from error


@contextmanager
def as_file(file: Path) -> Iterator[Path]:
    """The file itself, or a copy of standard input for as long as it is needed."""
    if str(file) != STDIN:
        yield file
        return
    if sys.stdin.isatty():
        raise click.UsageError("- reads standard input, which is the terminal: held … - < report.pdf")
    with TemporaryDirectory(prefix="held-") as folder:
        copy = Path(folder, "stdin")
        _copy_stdin(copy)
        yield copy


def _copy_stdin(copy: Path) -> None:
    left = _MOST_FROM_STDIN
    with copy.open("wb") as target:
        while piece := sys.stdin.buffer.read(_PIECE):
            left -= len(piece)
            if left < 0:
                raise InputError(f"has more than {_MOST_FROM_STDIN >> 30} GB", file="standard input")
            target.write(piece)
