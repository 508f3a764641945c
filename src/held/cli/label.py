"""`held label`: labelled documents from bookmarked or tagged PDFs."""

from __future__ import annotations

from pathlib import Path

import click

from held.cli import print_line, print_message
from held.cli.parameters import Command, InputPath, OutputFolder
from held.errors import HeldError
from held.system.atomic_write import make_folder, remove_stale_drafts


@click.command("label", cls=Command, short_help="Label PDFs by their bookmarks or tags.")
@click.argument("files", type=InputPath(), nargs=-1, required=True, metavar="FILE...")
@click.option("-o", "--output", type=OutputFolder(), metavar="DIR", required=True, help="Output folder.")
def command(files: tuple[Path, ...], output: Path) -> None:
    """Label the headings of each FILE by its bookmarks, or else its tags: DIR/<name>.held.json.xz.

    FILE is a PDF or a corpus document (.json.xz). For each file, a line on stdout says how many headings were
    found. Untrustworthy labels are written as well, with a warning on stderr.
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
            print_message(str(error))
            failed = True
            continue
        report = labelled.report
        print_line(f"{path}  {report.aligned} of {report.headings} headings, {report.unknown} unknown")
        if labelled.dropped is not None:
            print_message(f"warning: {source.path}: labels are not trustworthy: {labelled.dropped}")
    if failed:
        raise click.exceptions.Exit(1)
