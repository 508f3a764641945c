"""Writes docs/cli.md from the help of every command: `python docs/cli_page.py`. A test keeps it current."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click

from held.cli import held

_COLUMNS = 100
_HEAD = """# The command line

[start.md](start.md) shows the most common commands. This page has the help of all commands;
`python -m docs.cli_page` writes it.

Results go to stdout, progress and warnings to stderr. An error is one line that starts with `held:`. The exit
code is 1 after an error, 2 if the command was called wrongly, and 3 if everything was written but some pages
could not be read. `--debug` shows the traceback of an error.

An output file is written completely or not at all, and missing folders are created. Symbolic links are
followed, and a replaced file keeps its mode. An output may not be an input; only `held bookmark` may write
into its PDF. An existing file is replaced if it looks like a result of the command, by its extension or, for
a model, by its content; otherwise only with `--force`. Control characters in documents and file names never
reach a terminal.
"""


def cli_page() -> str:
    """The whole page."""
    context = held.make_context("held", [], resilient_parsing=True, terminal_width=_COLUMNS)
    return "\n".join([_HEAD, *_sections(held, context)])


def _sections(command: click.Command, context: click.Context) -> Iterator[str]:
    """The section of a command, and those of the commands below it."""
    yield _section(command, context)
    if not isinstance(command, click.Group):
        return
    for name in command.list_commands(context):
        inner = command.get_command(context, name)
        assert inner is not None
        yield from _sections(inner, inner.make_context(name, [], context, resilient_parsing=True))


def _section(command: click.Command, context: click.Context) -> str:
    return f"## {context.command_path}\n\n```\n{command.get_help(context).rstrip()}\n```\n"


if __name__ == "__main__":
    Path(__file__).with_name("cli.md").write_text(cli_page(), encoding="utf-8")
