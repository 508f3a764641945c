"""The command line: one module per command, imported when the command is called.

Results go to stdout, messages to stderr. An error is one line with its cause and a remedy. Exit codes: 1
failed, 2 wrong usage, 3 done in part.
"""

from __future__ import annotations

import atexit
import gc
import importlib
import os
import sys
from collections.abc import Sequence
from typing import NoReturn

import click

from held import __version__
from held.cli.parameters import FAILED, WRONG_CALL
from held.cli.streams import flush_stdout, print_message, reserve_standard_streams
from held.errors import INTERNAL_ERROR, HeldError, UsageError

# The help lists the commands below these titles.
COMMAND_GROUPS = {
    "Convert documents": ("extract", "tables", "bookmark"),
    "Search": ("search", "index"),
    "Correct in a browser, or serve": ("edit", "serve", "mcp"),
    "Check the result": ("objects", "draw", "compare", "schema"),
    "Train your own model": ("label", "corpus", "train", "evaluate"),
}
COMMANDS = tuple(name for names in COMMAND_GROUPS.values() for name in names)
_INTERRUPTED = 130
_COLLECTOR_THRESHOLD = 50_000  # new objects; with Python's 700 it would run a hundred times at start-up


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
                commands = [self.get_command(ctx, name) for name in names]
                formatter.write_dl([(f"{c.name:<{width}}", c.get_short_help_str(80)) for c in commands if c])

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
    _tune_garbage_collector()
    try:
        code = held.main(arguments, prog_name="held", standalone_mode=False)
        flush_stdout()  # a write error must show here, not while the interpreter shuts down
    except BaseException as error:
        code = _report_error(error, sys.argv[1:] if arguments is None else arguments)
        _discard_stdout()
    sys.exit(code if isinstance(code, int) else 0)


def _tune_garbage_collector() -> None:
    """Raise the garbage collector's threshold: commands are short-lived and keep most of their objects."""
    gc.set_threshold(_COLLECTOR_THRESHOLD)
    atexit.register(gc.freeze)  # skips the last collection when the interpreter exits


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
    files = [name for name in arguments if name.startswith("-") and os.path.isfile(name)]
    return f" To give the file, write .{os.sep}{files[0]}" if files else ""


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
