"""What a command says on stderr while it works: progress and warnings."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import click

from held.document import Note

MOST_WARNINGS = 20
_BAR_WIDTH = 30


@contextmanager
def progress(
    label: str, *, verbose: bool = False, unit: str = "pages"
) -> Iterator[Callable[[int, int], None] | None]:
    """A callback `(done, total)`: a bar on a terminal, lines if verbose, None where nobody looks."""
    if sys.stderr.isatty():
        try:
            yield lambda done, total: _draw_bar(label, done, total, unit)
        finally:  # an error must not be written behind the bar
            click.echo("\r\033[K", nl=False, err=True)
    elif verbose:
        yield lambda done, total: _say_tenth(label, done, total, unit)
    else:
        yield None


def _draw_bar(label: str, done: int, total: int, unit: str) -> None:
    filled = _BAR_WIDTH * done // max(total, 1)
    bar = "#" * filled + "-" * (_BAR_WIDTH - filled)
    click.echo(f"\r{label} [{bar}] {done}/{total} {unit}", nl=False, err=True)


def _say_tenth(label: str, done: int, total: int, unit: str) -> None:
    if done == total or 10 * done // total != 10 * (done - 1) // total:
        click.echo(f"held: {label} {done}/{total} {unit}", err=True)


def warn(notes: Sequence[Note]) -> None:
    """Say what went wrong without stopping the work."""
    for note in notes[:MOST_WARNINGS]:
        place = "" if note.page is None else f"page {note.page}: "
        click.echo(f"held: warning: {place}{note.message}", err=True)
    if len(notes) > MOST_WARNINGS:
        more = len(notes) - MOST_WARNINGS
        click.echo(f"held: warning: {more} more like these; the JSON output has all as `notes`", err=True)
