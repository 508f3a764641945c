"""Writes docs/cli.md from the help of every command: `python docs/cli_page.py`. A test keeps it current."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click

from held.cli import held

_COLUMNS = 100
_HEAD = """# The command line

Results go to stdout, progress and warnings to stderr. An error is one line that starts with `held:` and the
exit code is 1; where the call itself is wrong, the code is 2 and the usage may stand above the error; 3 means
that all is written, but pages could not be read. `--debug` shows where an error came from.

Output files are written whole or not at all, and their folder is made. A link is written through, and a file
that is replaced keeps its mode. No output may be an input, under whatever name, except that `held bookmark`
may write into its PDF. An existing file is replaced if its name ends like one of the command's results (or,
for a model, if it is one), else only with `--force`. Control characters of a document or a file's name never
reach a terminal.
[start.md](start.md) shows the most common commands.

This page is made from the commands' own help by `python docs/cli_page.py`.
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
