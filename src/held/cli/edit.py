"""`held edit`: correct the tree of one PDF in the browser, with the page of `held serve`."""

from __future__ import annotations

import webbrowser
from pathlib import Path
from typing import TYPE_CHECKING

import click

from held.cli import print_message
from held.cli.parameters import Command, InputPath, OutputFolder
from held.cli.serve import require_serve, work_folder
from held.errors import InputError, NotAPdfError

if TYPE_CHECKING:
    from held.serve.state import AppState


@click.command("edit", cls=Command, short_help="Correct the tree of one PDF in a browser.")
@click.argument("file", type=InputPath())
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=0,
    metavar="N",
    help="Port to listen on.  [default: any free port]",
)
@click.option(
    "--work", type=OutputFolder(), metavar="DIR", help="Folder that keeps documents and corrections."
)
@click.option("--no-open", is_flag=True, help="Print the address but do not open the browser.")
def command(file: Path, port: int, work: Path | None, no_open: bool) -> None:
    """Open FILE, a PDF, in the browser to correct its tree. Every correction is saved at once."""
    require_serve()
    from held.serve.app import run_server
    from held.serve.settings import Settings
    from held.system.bounded_json import has_pdf_header

    if not file.is_file():
        raise InputError("no such file", file=file)
    if not has_pdf_header(file):
        raise NotAPdfError("is not a PDF", file=file)

    def ready(state: AppState, address: str) -> None:
        job = state.add_file(file)
        page = f"{address}#{job.id}"
        print_message(f"the page is at {page}   (Ctrl+C stops it; corrections are saved)")
        if not no_open:
            webbrowser.open(page)

    run_server(Settings(work or work_folder(), port=port), ready=ready)
