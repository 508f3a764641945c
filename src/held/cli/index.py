"""`held index`: many documents made searchable, in one file that grows and stays up to date."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any

import click

from held.cli.messages import say
from held.cli.options import jobs_option, model_option, password_option, verbose_option
from held.cli.paths import STDIN, Command, InputPath, OutputPath, Seconds

if TYPE_CHECKING:
    from held.retrieval.engine import IndexWriter


@click.command("index", cls=Command, short_help="Make documents searchable.")
@click.argument("files", type=InputPath(), nargs=-1, metavar="[FILE...]")
@click.option(
    "-o",
    "--output",
    type=OutputPath(dir_okay=False, path_type=str),  # what is no index is refused where it is opened
    metavar="INDEX",
    required=True,
    help="The index: made where there is none, else brought up to date; lance:PATH for a Lance data set.",
)
@click.option("--prune", is_flag=True, help="Take out documents whose file is gone.")
@model_option()
@password_option("The password of encrypted PDFs.")
@jobs_option("Files at a time.")
@click.option("--timeout", type=Seconds(), metavar="SECONDS", help="Give up a file after this.")
@click.option("-q", "--quiet", is_flag=True, help="Say nothing but errors.")
@verbose_option("Tell what becomes of each file.")
def command(files: tuple[Path, ...], output: str, prune: bool, model: str, **options: Any) -> None:
    """Make each FILE searchable with `held search`: its passages, each with the headings above it.

    FILE is a PDF, a folder of PDFs, or the JSON of `held extract` or `held objects`. What is in INDEX and has
    not changed is skipped, what has changed is done anew; without FILE all documents of INDEX are looked at.
    A document whose file is gone stays until --prune. A run that was stopped goes on with the same command.

    Exit code 0: all done; 1: some failed; 2: the call is wrong; 3: done, but pages could not be read.
    """
    from held.batch.indexing import index_several
    from held.batch.request import Manner
    from held.cli.board import board, exit_code, tell_all
    from held.retrieval.engine import is_lance
    from held.retrieval.index import write_index

    if not files and not is_lance(output) and not Path(output).exists():
        raise click.UsageError("there is nothing to index: give a FILE")
    if Path(STDIN) in files:
        raise click.UsageError("an index keeps where its documents are, and standard input is nowhere")
    manner = Manner(**options)
    try:
        with write_index(output) as writer:
            start = monotonic()
            sources = _sources(files, writer, Path(output))
            with board(len(sources), manner, "indexing") as watch:
                accounts = index_several(writer, sources, manner, watch, model=model)
            tell_all(accounts, monotonic() - start, quiet=manner.quiet)
            _settle_missing(writer, prune=prune, quiet=manner.quiet)
    except KeyboardInterrupt:
        say("what is in the index stays; the same command goes on where this one stopped")
        raise
    if code := exit_code(accounts):
        raise click.exceptions.Exit(code)


def _sources(files: Sequence[Path], writer: IndexWriter, output: Path) -> list[Path]:
    """The files to look at; without any given those that the index has."""
    if not files:
        from held.retrieval.engine import source_file

        return [Path(source_file(source.path)) for source in writer.sources() if not source.missing]
    from held.batch.plan import plan

    return [item.source for item in plan(files, output, "")]


def _settle_missing(writer: IndexWriter, *, prune: bool, quiet: bool) -> None:
    """Takes out the documents whose file is gone, or tells of them."""
    from held.batch.summary import counted

    gone = [source for source in writer.sources() if source.missing]
    for source in gone if prune else ():
        writer.remove(source.path)
    if gone and not quiet:
        fate = "taken out" if prune else "kept; --prune takes it out"
        say(f"{counted(len(gone), 'document')} without its file: {fate}")
