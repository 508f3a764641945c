"""`held label`: labelled documents from one's own bookmarked or tagged PDFs."""

from __future__ import annotations

from pathlib import Path

import click

from held.cli.messages import say
from held.cli.outputs import show_line
from held.cli.paths import Command, InputPath, OutputFolder
from held.errors import HeldError
from held.system.atomic_write import make_folder, remove_stale_drafts


@click.command("label", cls=Command, short_help="Labels from a PDF's bookmarks or tags.")
@click.argument("files", type=InputPath(), nargs=-1, required=True, metavar="FILE...")
@click.option("-o", "--output", type=OutputFolder(), metavar="DIR", required=True)
def command(files: tuple[Path, ...], output: Path) -> None:
    """Label each FILE by its own outline, or else its tags: DIR/<name>.held.json.xz.

    FILE is a PDF or a corpus document (.json.xz). Each file is told on stdout with how many of its
    headings were found; one whose labels cannot be trusted is written all the same, and told on stderr.
    """
    from held.corpus.build import label_file
    from held.corpus.sources import sources_of
    from held.corpus.store import write_labelled

    make_folder(output)
    remove_stale_drafts(output)
    failed = False
    for source in sources_of(files):
        try:
            labelled = label_file(source)
            path = write_labelled(output, labelled)
        except HeldError as error:
            say(str(error))
            failed = True
            continue
        report = labelled.report
        show_line(f"{path}  {report.aligned} of {report.headings} headings, {report.unknown} unknown")
        if labelled.dropped is not None:
            say(f"warning: {source.path}: not to be trusted: {labelled.dropped}")
    if failed:
        raise click.exceptions.Exit(1)
