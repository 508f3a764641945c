"""The command line: one module for each command, loaded when it is called.

Results go to stdout, talk to stderr. Whatever is the input's or the caller's fault is one line and an
exit code: 1 for an input that cannot be used, 2 for a call that is wrong.
"""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Sequence
from typing import NoReturn

import click

from held import __version__
from held.errors import HeldError, UsageError

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


@click.group(cls=_LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="held", message="%(prog)s %(version)s")
def held() -> None:
    """Read long PDFs and give back their logical hierarchy."""


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and end the process with its exit code."""
    try:
        code = held.main(arguments, prog_name="held", standalone_mode=False)
        sys.stdout.flush()  # a broken pipe must show here, not while the interpreter shuts down
    except click.ClickException as error:
        error.show()
        code = error.exit_code
    except click.Abort:
        click.echo("held: interrupted", err=True)
        code = _INTERRUPTED
    except HeldError as error:
        click.echo(f"held: {error}", err=True)
        code = 2 if isinstance(error, UsageError) else 1
    except BrokenPipeError:
        # Whoever read our output has enough, as `head` does; what is still buffered goes nowhere.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 1
    sys.exit(code if isinstance(code, int) else 0)
