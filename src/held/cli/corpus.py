"""`held corpus`: build labelled documents from bookmarked ones, and describe them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from held.cli import print_line, print_message, progress, write_result
from held.cli.parameters import Command, InputPath, OutputFolder, OutputPath, verbose_option

if TYPE_CHECKING:
    from held.corpus.sources import SourceFile


# Two of the subcommands label documents.
_output_folder = click.option(
    "-o", "--output", type=OutputFolder(), metavar="DIR", required=True, help="Output folder."
)
_jobs = click.option(
    "--jobs", type=click.IntRange(1), default=2, metavar="N", show_default=True, help="Number of processes."
)


@click.group("corpus", short_help="Build a corpus of labelled documents.")
def command() -> None:
    """Build labelled documents for training and evaluation, and describe them."""


@command.command("build", cls=Command, short_help="Label all documents of a folder.")
@click.argument("source", type=InputPath())
@_output_folder
@_jobs
@verbose_option()
def build_command(source: Path, output: Path, jobs: int, verbose: bool) -> None:
    """Label all documents in SOURCE, a folder of PDFs or a corpus.

    Writes DIR/<id>.held.json.xz for each document, and DIR/summary.json. An interrupted build continues
    with the same command. Documents that have changed, or were built by another version, are built again.
    docs/research/labels.md describes how labels are made and which documents are left out.
    """
    from held.corpus.sources import sources_in

    _build(sources_in(source), output, jobs=jobs, verbose=verbose)


@command.command("manifest", cls=Command, short_help="List the documents of a corpus, without text.")
@click.argument("corpus", type=InputPath())
@click.option(
    "-o", "--output", type=OutputPath(".jsonl"), metavar="OUT.jsonl", required=True, help="Output file."
)
def manifest_command(corpus: Path, output: Path) -> None:
    """Write the manifest of CORPUS, a folder with an index.jsonl.

    A manifest has one JSON object for each document: its source, path, sha1, domain, language, split and
    group, but no text.
    """
    from held.corpus.sources import manifest_rows, write_manifest

    write_manifest(output, manifest_rows(corpus))
    print_line(output)


@command.command("from-manifest", cls=Command, short_help="Label the PDFs that a manifest names.")
@click.argument("manifest", type=InputPath())
@click.option(
    "--files", required=True, type=InputPath(), metavar="DIR", help="Folder of the PDFs you collected."
)
@_output_folder
@_jobs
@verbose_option()
def from_manifest_command(manifest: Path, files: Path, output: Path, jobs: int, verbose: bool) -> None:
    """Label the PDFs in DIR that MANIFEST names, with its domains, splits and groups.

    Files are recognised by their sha1, not by their names. Labels come from the bookmarks or tags of the
    PDF; documents whose outline was written by hand are left out. Writes the same files as `held corpus
    build`.
    """
    from held.corpus.sources import read_manifest, sources_from_manifest

    rows = read_manifest(manifest)
    sources = sources_from_manifest(rows, files)
    print_message(f"{len(sources)} of {len(rows)} documents of the manifest are here")
    _build(sources, output, jobs=jobs, verbose=verbose)


def _build(sources: list[SourceFile], output: Path, *, jobs: int, verbose: bool) -> None:
    """Label documents, and write and print the summary."""
    from held.corpus.build import SUMMARY, build
    from held.corpus.summary import summarise, summary_lines
    from held.system.bounded_json import write_json

    with progress("labelling", verbose=verbose, unit="documents") as report:
        rows = build(sources, output, jobs=jobs, progress=report)
    for row in rows:
        if row["outcome"] == "unusable":
            print_message(row["message"])
    summary = summarise(rows)
    write_json(output / SUMMARY, summary)
    for line in summary_lines(summary):
        click.echo(line)


@command.command("stats", cls=Command, short_help="Count objects, headings and numbers.")
@click.argument("folder", type=InputPath())
@click.option(
    "-o", "--output", type=OutputPath(".json"), metavar="OUT.json", required=True, help="Output file."
)
def stats_command(folder: Path, output: Path) -> None:
    """Describe the labelled documents in FOLDER: objects per document, headings by level, item numbers.

    Prints a table and writes all numbers as JSON. Documents that were left out of the corpus do not count.
    """
    from held.corpus.store import labelled_documents
    from held.corpus.summary import statistics_lines, statistics_of
    from held.errors import InputError
    from held.system.bounded_json import encode_json

    if output.suffix != ".json":
        raise click.UsageError(f"-o {output}: the numbers are written as JSON; use -o FILE.json")
    statistics = statistics_of(labelled_documents(folder))
    if not statistics["corpora"]["all"]["documents"]:
        raise InputError(
            "contains no labelled documents", file=folder, advice="`held corpus build` makes them"
        )
    for line in statistics_lines(statistics):
        click.echo(line)
    write_result(encode_json(statistics), output)
    print_line(output)
