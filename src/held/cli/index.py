"""`held index`: a search index of many documents that can be updated."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING

import click

from held.cli import print_message
from held.cli.parameters import (
    STDIN,
    Command,
    InputPath,
    OutputPath,
    jobs_option,
    model_option,
    ocr_options,
    password_option,
    quiet_option,
    timeout_option,
    verbose_option,
)
from held.extraction import ExtractOptions
from held.file_task import RunOptions

if TYPE_CHECKING:
    from held.retrieval.engine import IndexWriter


_VALUES = {"run": RunOptions, "extract": ExtractOptions}


@click.command("index", cls=Command, values=_VALUES, short_help="Make many documents searchable.")
@click.argument("files", type=InputPath(), nargs=-1, metavar="[FILE...]")
@click.option(
    "-o",
    "--output",
    type=OutputPath(dir_okay=False, path_type=str),  # opening it refuses what is not an index
    metavar="INDEX",
    required=True,
    help="Index to create or update: a file, or lance:PATH for a Lance data set.",
)
@click.option("--prune", is_flag=True, help="Remove documents whose file no longer exists.")
@model_option()
@ocr_options()
@password_option("Password of encrypted PDFs.")
@jobs_option("Number of files processed at a time.")
@timeout_option()
@quiet_option()
@verbose_option("Print the outcome of each file.")
def command(
    files: tuple[Path, ...],
    output: str,
    prune: bool,
    run: RunOptions,
    extract: ExtractOptions,
) -> None:
    """Add each FILE to INDEX, so that `held search` finds its passages with the headings above them.

    FILE is a PDF, a folder of PDFs, or the JSON of `held extract` or `held objects`. Files that have not
    changed are skipped, changed files are indexed again. Without FILE, this is done for the files of INDEX.
    A document whose file no longer exists stays until --prune. To continue an interrupted run, give the
    same command again.

    Exit codes: 0 all files done; 1 some files failed; 2 wrong usage; 3 done, but some pages could not be
    read.
    """
    from held.batch import runner
    from held.batch.sinks import IndexSink
    from held.cli.batch import batch_progress, exit_code, print_summary
    from held.retrieval.engine import is_lance
    from held.retrieval.index import write_index

    if not files and not is_lance(output) and not Path(output).exists():
        raise click.UsageError("there is nothing to index; give a FILE")
    if Path(STDIN) in files:
        raise click.UsageError("standard input cannot be indexed: an index records where its documents are")
    # Each document is stored in a transaction of its own, so an interrupted run keeps what it has done.
    try:
        with write_index(output) as writer:
            start = monotonic()
            sources = _find_sources(files, writer, Path(output))
            sink = IndexSink(writer, extract)
            with batch_progress(len(sources), run, "indexing") as progress:
                reports = runner.run(sink.tasks(sources, run), sink, run, progress)
            print_summary(reports, monotonic() - start, quiet=run.quiet)
            _handle_missing_files(writer, prune=prune, quiet=run.quiet)
    except KeyboardInterrupt:
        print_message("finished documents stay in the index; the same command continues with the others")
        raise
    raise click.exceptions.Exit(exit_code(reports))


def _find_sources(files: Sequence[Path], writer: IndexWriter, output: Path) -> list[Path]:
    """Return the files to index: those given, or else those that the index has."""
    if not files:
        from held.retrieval.engine import source_file

        return [Path(source_file(source.path)) for source in writer.sources() if not source.missing]
    from held.batch.sinks import plan_files

    # The targets of the plan are not used; it finds the files and removes duplicates.
    return [file.source for file in plan_files(files, output, "")]


def _handle_missing_files(writer: IndexWriter, *, prune: bool, quiet: bool) -> None:
    """Remove the documents whose file no longer exists, or mention them."""
    from held.batch.report import count_noun

    missing = [source for source in writer.sources() if source.missing]
    if prune:
        for source in missing:
            writer.remove(source.path)
    if missing and not quiet:
        action = "removed" if prune else "kept; --prune removes it"
        print_message(f"{count_noun(len(missing), 'document')} without its file: {action}")
