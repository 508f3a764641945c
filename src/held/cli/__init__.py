"""The command line: one module for each command, loaded when it is called.

Results go to stdout, talk to stderr. Whatever goes wrong is one line, with its cause and what to do about it,
and an exit code: 1 for what could not be done, 2 for a call that is wrong, 3 for what was done in part.
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
from held.cli.messages import say
from held.cli.outputs import flush_output
from held.cli.paths import FAILED, WRONG_CALL
from held.errors import INTERNAL_ERROR, HeldError, UsageError

COMMANDS = (
    "extract",
    "bookmark",
    "tables",
    "objects",
    "draw",
    "compare",
    "label",
    "corpus",
    "train",
    "index",
    "search",
    "serve",
    "edit",
    "mcp",
    "schema",
)
_INTERRUPTED = 130
_NEW_OBJECTS = 50_000  # until the collector works; by Python's own 700 it would a hundred times at start-up


class _LazyGroup(click.Group):
    """A group that imports the module of a command when it is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command = importlib.import_module(f"held.cli.{cmd_name}").command
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that is meant; one that is not there is refused, with the nearest that is."""
        name = args[0]
        if name not in COMMANDS and not name.startswith("-"):
            raise click.UsageError(_no_such_command(name), ctx)
        return super().resolve_command(ctx, args)


def _no_such_command(name: str) -> str:
    import difflib  # for a slip of the fingers alone

    near = difflib.get_close_matches(name, COMMANDS, n=1)
    if near:
        return f"no such command: {name} (did you mean {near[0]}?)"
    if os.path.exists(name):
        return f"no such command: {name} (it is a file: held extract {name})"
    return f"no such command: {name}"


@click.group(cls=_LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="held", message="%(prog)s %(version)s")
def held() -> None:
    """Read long PDFs and give back their logical hierarchy."""


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and end the process with its exit code."""
    _spare_the_collector()
    try:
        code = held.main(arguments, prog_name="held", standalone_mode=False)
        flush_output()  # what cannot be written must show here, not while the interpreter shuts down
    except BaseException as error:
        code = _told(error, sys.argv[1:] if arguments is None else arguments)
        _settle_output()
    sys.exit(code if isinstance(code, int) else 0)


def _spare_the_collector() -> None:
    """Has the collector of cycles work seldom: nearly all that a command makes, modules above all, stays."""
    gc.set_threshold(_NEW_OBJECTS)
    atexit.register(gc.freeze)  # else the interpreter would look through everything once more at its end


def _told(error: BaseException, arguments: Sequence[str]) -> int:
    """Tells what ended a command, and gives the exit code for it."""
    match error:
        case SystemExit():
            raise error
        case click.exceptions.Exit():
            return error.exit_code
        case click.ClickException():
            _show(error, arguments)
            return error.exit_code
        case click.Abort() | KeyboardInterrupt():
            say("interrupted")
            return _INTERRUPTED
        case UsageError():
            say(str(error))
            return WRONG_CALL
        case HeldError():
            say(str(error))
        case BrokenPipeError():  # whoever read our output has enough, as `head` does
            pass
        case OSError():
            say(_refusal_of_the_system(error))
        case MemoryError():
            say("needs more memory than there is (try fewer --jobs)")
        case _:
            say(f"{type(error).__name__}: {error} ({INTERNAL_ERROR})")
    return FAILED


def _show(error: click.ClickException, arguments: Sequence[str]) -> None:
    """Tells what is wrong with a call, with its usage."""
    message = error.format_message()
    if isinstance(error, click.UsageError) and error.ctx is not None:
        usage = error.ctx.get_usage()
        if message.startswith(usage):  # nothing is wrong but that nothing was asked: the message is the help
            click.echo(message, err=True)
            return
        click.echo(usage, err=True)
    if isinstance(error, click.NoSuchOption):
        message += _files_like_options(arguments)
    say(message.replace("\n\t", " "))  # click lists choices on lines of their own


def _files_like_options(arguments: Sequence[str]) -> str:
    """What to call a file whose name begins with a dash; empty where none is meant."""
    files = [name for name in arguments if name.startswith("-") and os.path.isfile(name)]
    return f" The file is called .{os.sep}{files[0]}" if files else ""


def _refusal_of_the_system(error: OSError) -> str:
    """What the system does not allow, and with which file."""
    reason = error.strerror or str(error) or type(error).__name__
    return reason if error.filename is None else f"{error.filename}: {reason}"


def _settle_output() -> None:
    """Sends what cannot be written nowhere: it would fail again while the interpreter shuts down."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
