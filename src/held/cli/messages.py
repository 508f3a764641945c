"""Messages on stderr: progress, warnings and errors."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import click

from held.document import Note
from held.system.console import Progress, printable

MAX_WARNINGS = 20
_BAR_WIDTH = 30  # characters
_CLEAR_LINE = "\r\033[K"  # back to the start, and erase up to the end


@contextmanager
def progress(label: str, *, verbose: bool = False, unit: str = "pages") -> Iterator[Progress | None]:
    """Provide a progress callback: a bar on a terminal, lines if verbose, otherwise None."""
    if sys.stderr.isatty():
        with status_line() as show:
            yield lambda done, total: show(format_bar(label, done, total, unit))
    elif verbose:
        yield lambda done, total: _print_tenth(label, done, total, unit)
    else:
        yield None


@contextmanager
def status_line() -> Iterator[Callable[[str], None]]:
    """Provide a callback that replaces the status line; it does nothing if stderr is not a terminal."""
    if not sys.stderr.isatty():
        yield lambda line: None
        return

    def show(line: str) -> None:
        width = shutil.get_terminal_size().columns - 1  # a full line would wrap
        click.echo(f"\r{line[:width]}\033[K", nl=False, err=True)

    try:
        yield show
    finally:  # also before an error message
        click.echo(_CLEAR_LINE, nl=False, err=True)


def format_bar(label: str, done: int, total: int, unit: str) -> str:
    """Format a progress bar: `reading [###---] 1/2 pages`."""
    filled = _BAR_WIDTH * done // max(total, 1)
    bar = ("#" * filled).ljust(_BAR_WIDTH, "-")
    return f"{label} [{bar}] {done}/{total} {unit}"


def _print_tenth(label: str, done: int, total: int, unit: str) -> None:
    # Ten lines in a log, however long the document is.
    is_new_tenth = 10 * done // total != 10 * (done - 1) // total
    if done == total or is_new_tenth:
        click.echo(f"held: {label} {done}/{total} {unit}", err=True)


def print_message(message: str) -> None:
    """Print a line on stderr, in place of the status line."""
    clear = _CLEAR_LINE if sys.stderr.isatty() else ""
    click.echo(f"{clear}held: {printable(message)}", err=True)


def print_warnings(notes: Sequence[Note], file: str | None = None) -> None:
    """Print a document's notes as warnings; `file` names it if there are several."""
    prefix = "warning: " if file is None else f"warning: {file}: "
    for note in notes[:MAX_WARNINGS]:
        page = "" if note.page is None else f"page {note.page}: "
        print_message(f"{prefix}{page}{note.message}")
    if len(notes) > MAX_WARNINGS:
        more = len(notes) - MAX_WARNINGS
        print_message(f"{prefix}{more} more; the JSON output has all of them as `notes`")
