"""Standard input as a file, and results to standard output or a file."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TextIO

import click

from held.cli.parameters import STDIN
from held.errors import InputError
from held.system.atomic_write import make_folder, remove_stale_drafts, write_error, write_file
from held.system.console import printable

_MAX_STDIN_BYTES = 4 << 30  # an endless stream must not fill the disk
_COPY_BYTES = 1 << 20  # copied at a time


def reserve_standard_streams() -> None:
    """Open the null device for each standard stream that is closed, so that no other file gets its number.

    Standard output is opened for reading: a result that goes there fails with an error instead of vanishing.
    """
    for number, flags in enumerate((os.O_RDONLY, os.O_RDONLY, os.O_WRONLY)):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, flags)  # gets the lowest free number, which is this one
    # Python sets the stream of a closed file to None.
    if sys.stdin is None:
        sys.stdin = os.fdopen(0, closefd=False)
    if sys.stdout is None:
        sys.stdout = os.fdopen(1, "w", closefd=False)
    if sys.stderr is None:
        sys.stderr = os.fdopen(2, "w", closefd=False)


@contextmanager
def file_or_stdin(file: Path) -> Iterator[Path]:
    """Provide the file itself, or for - a temporary copy of standard input."""
    if str(file) != STDIN:
        yield file
        return
    if sys.stdin.isatty():
        raise click.UsageError("- reads standard input, which is the terminal; use: held … - < report.pdf")
    with TemporaryDirectory(prefix="held-") as folder:
        copy = Path(folder, "stdin")
        _copy_stdin(copy)
        yield copy


def _copy_stdin(copy: Path) -> None:
    left = _MAX_STDIN_BYTES
    with copy.open("wb") as target:
        while piece := sys.stdin.buffer.read(_COPY_BYTES):
            left -= len(piece)
            if left < 0:
                raise InputError(f"has more than {_MAX_STDIN_BYTES >> 30} GB", file="standard input")
            target.write(piece)


def path_or_stdout(output: str | Path | None) -> Path | None:
    """Return the path of an output; None for standard output, which - also means."""
    return None if output is None or str(output) == STDIN else Path(output)


def is_folder_path(output: str | None) -> bool:
    """Whether an output is a folder: it is one, or is written with a slash at the end."""
    target = path_or_stdout(output)
    return target is not None and (target.is_dir() or str(output).endswith(os.sep))


def write_result(content: bytes, output: Path | None, *, is_safe: bool = False) -> None:
    """Write a command's result to a file, whole or not at all, or to standard output.

    A device or a pipe such as /dev/null is written to, not replaced. Missing folders are created. Control
    characters do not reach a terminal, unless the content `is_safe` already and has colours of ours.
    """
    if output is None:
        if sys.stdout.isatty() and not is_safe:
            content = printable(content.decode("utf-8", "backslashreplace")).encode()
        with _errors_name_stdout():
            sys.stdout.buffer.write(content)
        flush_stdout()
    elif output.exists() and not output.is_file():
        try:
            output.write_bytes(content)
        except OSError as error:
            raise write_error(output, error) from error
    else:
        make_folder(output.parent)
        remove_stale_drafts(output.parent)
        write_file(output, content)


def flush_stdout() -> None:
    """Flush standard output, so that a write error shows now."""
    with _errors_name_stdout():
        sys.stdout.flush()


@contextmanager
def _errors_name_stdout() -> Iterator[None]:
    try:
        yield
    except BrokenPipeError:  # the reader has enough, as `head` does
        raise
    except OSError as error:
        raise write_error("standard output", error) from error


def print_line(line: str | Path) -> None:
    """Print a line that may contain file names, which need not be UTF-8."""
    line = str(line)
    if sys.stdout.isatty():
        line = printable(line)
    click.echo(line.encode("utf-8", "surrogateescape"))


def use_colour(stream: TextIO) -> bool:
    """Whether to use colours on a stream: on a terminal, unless NO_COLOR or FORCE_COLOR is set."""
    if os.environ.get("NO_COLOR"):
        return False
    return bool(os.environ.get("FORCE_COLOR")) or stream.isatty()
