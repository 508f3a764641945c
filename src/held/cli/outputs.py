"""Where results go: to stdout, or whole into a file."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from held.system.atomic_write import make_folder, remove_stale_drafts, write_error, write_file
from held.system.console import printable


def write_result(content: bytes, output: Path | None, *, coloured: bool = False) -> None:
    """Writes a command's result to the file asked for, whole or not at all, or to stdout.

    A device or a pipe, such as /dev/null, is written to and not replaced. A folder that is not there is made.
    What is `coloured` was made harmless before, and keeps our own colours.
    """
    if output is None:
        shown = content if coloured or not sys.stdout.isatty() else _harmless(content)
        _write_to_stdout(shown)
    elif output.exists() and not output.is_file():
        try:
            output.write_bytes(content)
        except OSError as error:
            raise write_error(output, error) from error
    else:
        make_folder(output.parent)
        remove_stale_drafts(output.parent)
        write_file(output, content)


def _harmless(content: bytes) -> bytes:
    return printable(content.decode("utf-8", "backslashreplace")).encode()


def _write_to_stdout(content: bytes) -> None:
    with _refusals_named():
        sys.stdout.buffer.write(content)
    flush_output()


def flush_output() -> None:
    """Writes out what is buffered for stdout."""
    with _refusals_named():
        sys.stdout.flush()


@contextmanager
def _refusals_named() -> Iterator[None]:
    """Says that standard output cannot be written, but where whoever reads it has enough."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise write_error("standard output", error) from error


def show_path(path: Path) -> None:
    """Tells on stdout where a result is: its very name for scripts, a harmless one on a terminal."""
    show_line(str(path))


def show_line(line: str) -> None:
    """Writes a line to stdout, of which file names that are not UTF-8 are part."""
    if sys.stdout.isatty():
        line = printable(line)
    click.echo(line.encode("utf-8", "surrogateescape"))
