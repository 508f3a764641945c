"""`held label`: labelled documents from one's own bookmarked or tagged PDFs."""

from __future__ import annotations

from pathlib import Path

import click

from held.errors import HeldError


@click.command("label", short_help="Labels from a PDF's bookmarks or tags.")
@click.argument("files", type=click.Path(path_type=Path), nargs=-1, required=True, metavar="FILE...")
@click.option("-o", "--output", type=click.Path(path_type=Path), metavar="DIR", required=True)
def command(files: tuple[Path, ...], output: Path) -> None:
    """Label each FILE by its own outline, or else its tags: DIR/<name>.held.json.xz.

    FILE is a PDF or a corpus document (.json.xz). Each file is told on stdout with how many of its
    headings were found; one whose labels cannot be trusted is written all the same, and told on stderr.
    """
    from held.corpus.build import label_file
    from held.corpus.sources import sources_of
    from held.corpus.store import write_labelled

    output.mkdir(parents=True, exist_ok=True)
    failed = False
    for source in sources_of(files):
        try:
            labelled = label_file(source)
            path = write_labelled(output, labelled)
        except HeldError as error:
            click.echo(f"held: {error}", err=True)
            failed = True
            continue
        report = labelled.report
        click.echo(f"{path}  {report.aligned} of {report.headings} headings, {report.unknown} unknown")
        if labelled.dropped is not None:
            click.echo(f"held: warning: {source.path}: not to be trusted: {labelled.dropped}", err=True)
    if failed:
        raise click.exceptions.Exit(1)
