"""What a command says on stderr while it works: progress and warnings."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import click

from held.document import Note
from held.system.console import printable

MOST_WARNINGS = 20
_BAR_WIDTH = 30


@contextmanager
def progress(
    label: str, *, verbose: bool = False, unit: str = "pages"
) -> Iterator[Callable[[int, int], None] | None]:
    """A callback `(done, total)`: a bar on a terminal, lines if verbose, None where nobody looks."""
    if sys.stderr.isatty():
        with status_line() as show:
            yield lambda done, total: show(bar(label, done, total, unit))
    elif verbose:
        yield lambda done, total: _say_tenth(label, done, total, unit)
    else:
        yield None


@contextmanager
def status_line() -> Iterator[Callable[[str], None]]:
    """A callback that shows a line in place of the one before, and nothing where stderr is no terminal."""
    if not sys.stderr.isatty():
        yield lambda line: None
        return
    try:
        yield lambda line: click.echo(
            f"\r{line[: shutil.get_terminal_size().columns - 1]}\033[K", nl=False, err=True
        )
    finally:  # an error must not be written behind the line
        click.echo("\r\033[K", nl=False, err=True)


def bar(label: str, done: int, total: int, unit: str) -> str:
    """A line that says how much is done."""
    filled = _BAR_WIDTH * done // max(total, 1)
    return f"{label} [{'#' * filled}{'-' * (_BAR_WIDTH - filled)}] {done}/{total} {unit}"


def _say_tenth(label: str, done: int, total: int, unit: str) -> None:
    if done == total or 10 * done // total != 10 * (done - 1) // total:
        click.echo(f"held: {label} {done}/{total} {unit}", err=True)


def say(message: str) -> None:
    """Says a line on stderr, in place of a status line."""
    clear = "\r\033[K" if sys.stderr.isatty() else ""
    click.echo(f"{clear}held: {printable(message)}", err=True)


def warn(notes: Sequence[Note], file: str | None = None) -> None:
    """Say what went wrong without stopping the work; of which file, where there are several."""
    prefix = "warning: " if file is None else f"warning: {file}: "
    for note in notes[:MOST_WARNINGS]:
        place = "" if note.page is None else f"page {note.page}: "
        say(f"{prefix}{place}{note.message}")
    if len(notes) > MOST_WARNINGS:
        say(f"{prefix}{len(notes) - MOST_WARNINGS} more like these; the JSON output has all as `notes`")
