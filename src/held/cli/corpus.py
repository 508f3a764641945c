"""`held corpus`: labelled documents from many bookmarked ones, and what they are like."""

from __future__ import annotations

from pathlib import Path

import click

from held.cli.messages import progress, say
from held.cli.options import verbose_option
from held.cli.outputs import show_path, write_result
from held.cli.paths import Command, InputPath, OutputFolder, OutputPath


@click.group("corpus", short_help="Labelled documents from bookmarked ones.")
def command() -> None:
    """Make labelled documents for training and measuring, and describe them."""


@command.command("build", cls=Command)
@click.argument("source", type=InputPath())
@click.option("-o", "--output", type=OutputFolder(), metavar="DIR", required=True)
@click.option("--jobs", type=click.IntRange(1), default=2, show_default=True, help="Processes at work.")
@verbose_option()
def build_command(source: Path, output: Path, jobs: int, verbose: bool) -> None:
    """Label all documents in SOURCE: a folder of PDFs or a corpus.

    Writes DIR/<id>.held.json.xz for each, and DIR/summary.json. A build that was stopped goes on where it
    was; documents that have changed, or were built by another version, are built anew. docs/research/
    labels.md says how labels are made and which documents are left out.
    """
    from held.corpus.build import SUMMARY, build
    from held.corpus.sources import sources_in
    from held.corpus.summary import summarise, summary_lines
    from held.system.json_values import write_json

    sources = sources_in(source)
    with progress("labelling", verbose=verbose, unit="documents") as tell:
        rows = build(sources, output, jobs=jobs, progress=tell)
    for row in rows:
        if row["outcome"] == "unusable":
            say(row["message"])
    summary = summarise(rows)
    write_json(output / SUMMARY, summary)
    for line in summary_lines(summary):
        click.echo(line)


@command.command("stats", cls=Command)
@click.argument("folder", type=InputPath())
@click.option("-o", "--output", type=OutputPath(".html", ".json"), metavar="REPORT", required=True)
def stats_command(folder: Path, output: Path) -> None:
    """Describe the labelled documents in FOLDER: objects per document, headings by level, item numbers.

    Writes REPORT.html, one page with plots, and REPORT.json with the numbers; an ending .html or .json of
    REPORT is left away first. Documents that were left out of the corpus do not count.
    """
    from held.corpus.statistics_page import statistics_page
    from held.corpus.store import labelled_documents
    from held.corpus.summary import statistics_of
    from held.errors import InputError
    from held.system.json_values import encode_json

    statistics = statistics_of(labelled_documents(folder))
    if not statistics["corpora"]["all"]["documents"]:
        raise InputError("has no labelled documents", file=folder, advice="`held corpus build` makes them")
    base = output.with_suffix("") if output.suffix in (".html", ".json") else output
    page, numbers = (base.with_name(f"{base.name}.{form}") for form in ("html", "json"))
    write_result(statistics_page(statistics).encode(), page)
    write_result(encode_json(statistics), numbers)
    show_path(page)
    show_path(numbers)
