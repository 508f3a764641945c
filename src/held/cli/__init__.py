"""The command line: one module per command, imported when the command is called.

Results go to stdout, messages to stderr. An error is one line with its cause and a remedy. Exit codes: 1
failed, 2 wrong usage, 3 done in part. The functions that read standard input and write results, messages and
progress are here, for all commands.
"""

from __future__ import annotations

import atexit
import gc
import importlib
import os
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn, TextIO

import click

from held import __version__
from held.cli.parameters import FAILED, STDIN, WRONG_CALL
from held.document import Note
from held.errors import INTERNAL_ERROR, HeldError, InputError, UsageError
from held.system.console import Progress, printable

# The help lists the commands below these titles.
COMMAND_GROUPS = {
    "Convert documents": ("extract", "tables", "bookmark"),
    "Search": ("search", "index"),
    "Correct in a browser, or serve": ("edit", "serve", "mcp"),
    "Check the result": ("objects", "draw", "compare", "schema"),
    "Train your own model": ("label", "corpus", "train", "evaluate"),
}
COMMANDS = tuple(name for names in COMMAND_GROUPS.values() for name in names)
_INTERRUPTED = 130  # the exit code of shells after Ctrl-C: 128 + SIGINT


class _LazyGroup(click.Group):
    """A group that imports the module of a command when the command is needed."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command = importlib.import_module(f"held.cli.{cmd_name}").command
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands below the titles of their groups."""
        width = max(map(len, COMMANDS))
        for title, names in COMMAND_GROUPS.items():
            with formatter.section(title):
                rows = []
                for name in names:
                    command = self.get_command(ctx, name)
                    if command is not None:
                        rows.append((name.ljust(width), command.get_short_help_str(80)))
                formatter.write_dl(rows)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command; for an unknown one, suggest a similar one."""
        name = args[0]
        if name not in COMMANDS and not name.startswith("-"):
            raise click.UsageError(_no_such_command(name), ctx)
        return super().resolve_command(ctx, args)


def _no_such_command(name: str) -> str:
    import difflib  # only needed after a typing error

    near = difflib.get_close_matches(name, COMMANDS, n=1)
    if near:
        return f"no such command: {name} (did you mean {near[0]}?)"
    if os.path.exists(name):
        return f"no such command: {name} (to extract the file: held extract {name})"
    return f"no such command: {name}"


def _print_version(context: click.Context, _: click.Parameter, is_asked: bool) -> None:
    if not is_asked:
        return
    from held.reading.native import is_native

    reader = "native reader" if is_native() else "Python reader"
    click.echo(f"held {__version__} ({reader})")
    context.exit()


@click.group(cls=_LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--version",
    is_flag=True,
    expose_value=False,
    is_eager=True,
    callback=_print_version,
    help="Show the version, and which reader is in use, and exit.",
)
def held() -> None:
    """Find the heading tree of long PDFs, and use it: convert, search, correct.

    \b
    held extract report.pdf                  print the tree of headings
    held extract report.pdf -o report.md     write the whole text as Markdown
    held search report.pdf "Who owns it?"    print the passages that answer

    `held COMMAND --help` explains a command.
    """


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and exit with its code."""
    reserve_standard_streams()
    atexit.register(gc.freeze)  # skips the last collection when the interpreter exits
    try:
        code = held.main(arguments, prog_name="held", standalone_mode=False)
        flush_stdout()  # a write error must show here, not while the interpreter shuts down
    except BaseException as error:
        code = _report_error(error, sys.argv[1:] if arguments is None else arguments)
        _discard_stdout()
    sys.exit(code if isinstance(code, int) else 0)


def run() -> NoReturn:
    """Run the command line as a program of its own.

    At the end the interpreter is not taken apart, which takes as long as the layout of several pages; mypy
    ends in the same way. What is registered for the exit runs, and with other threads the end is the usual.
    """
    try:
        main()
    except SystemExit as end:
        if threading.active_count() > 1:
            raise
        atexit._run_exitfuncs()
        sys.stderr.flush()
        os._exit(end.code if isinstance(end.code, int) else FAILED)


def _report_error(error: BaseException, arguments: Sequence[str]) -> int:
    """Print what ended a command, and return its exit code."""
    match error:
        case SystemExit():
            raise error
        case click.exceptions.Exit():
            return error.exit_code
        case click.ClickException():
            _print_usage_error(error, arguments)
            return error.exit_code
        case click.Abort() | KeyboardInterrupt():
            print_message("interrupted")
            return _INTERRUPTED
        case UsageError():
            print_message(str(error))
            return WRONG_CALL
        case HeldError():
            print_message(str(error))
        case BrokenPipeError():  # the reader has enough, as `head` does
            pass
        case OSError():
            print_message(_format_os_error(error))
        case MemoryError():
            print_message("needs more memory than there is (try fewer --jobs)")
        case _:
            print_message(f"{type(error).__name__}: {error} ({INTERNAL_ERROR})")
    return FAILED


def _print_usage_error(error: click.ClickException, arguments: Sequence[str]) -> None:
    message = error.format_message()
    if isinstance(error, click.UsageError) and error.ctx is not None:
        usage = error.ctx.get_usage()
        if message.startswith(usage):  # a group without a command: the message is the help
            click.echo(message, err=True)
            return
        click.echo(usage, err=True)
    if isinstance(error, click.NoSuchOption):
        message += _files_like_options(arguments)
    print_message(message.replace("\n\t", " "))  # click puts choices on separate lines


def _files_like_options(arguments: Sequence[str]) -> str:
    """Say how to give a file whose name begins with a dash; empty if no file has such a name."""
    for name in arguments:
        if name.startswith("-") and os.path.isfile(name):
            return f" To give the file, write .{os.sep}{name}"
    return ""


def _format_os_error(error: OSError) -> str:
    """Return the system's reason, with the file."""
    reason = error.strerror or str(error) or type(error).__name__
    return reason if error.filename is None else f"{error.filename}: {reason}"


def _discard_stdout() -> None:
    """Redirect unwritable output to nowhere: it would fail again while the interpreter shuts down."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


# --- Standard streams: input as a file, results to standard output or a file ---

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
    from tempfile import TemporaryDirectory  # slow to import

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
    if left == _MAX_STDIN_BYTES:
        raise InputError("is empty", file="standard input")


def path_or_stdout(output: str | Path | None) -> Path | None:
    """Return the path of an output; None for standard output, which - also means."""
    if output is None or str(output) == STDIN:
        return None
    return Path(output)


def is_folder_path(output: str | None) -> bool:
    """Whether an output is a folder: it is one, or is written with a slash at the end."""
    target = path_or_stdout(output)
    if target is None:
        return False
    return target.is_dir() or str(output).endswith(os.sep)


def write_result(content: bytes, output: Path | None, *, is_safe: bool = False) -> None:
    """Write a command's result to a file, whole or not at all, or to standard output.

    A device or a pipe such as /dev/null is written to, not replaced. Missing folders are created. Control
    characters do not reach a terminal, unless the content `is_safe`: checked, and coloured by us.
    """
    if output is None:
        if sys.stdout.isatty() and not is_safe:
            content = printable(content.decode("utf-8", "backslashreplace")).encode()
        with _errors_name_stdout():
            sys.stdout.buffer.write(content)
        flush_stdout()
        return
    from held.system.atomic_write import make_folder, remove_stale_drafts, write_error, write_file

    if output.exists() and not output.is_file():
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
        from held.system.atomic_write import write_error

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


# --- progress, warnings and errors on stderr ---

MAX_WARNINGS = 20  # on stderr, for one file
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
    from shutil import get_terminal_size  # slow to import

    def show(line: str) -> None:
        width = get_terminal_size().columns - 1  # a full line would wrap
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
    tenths, tenths_before = 10 * done // total, 10 * (done - 1) // total
    if done == total or tenths != tenths_before:
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
