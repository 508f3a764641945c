"""`held serve`: a web page and REST interface to view and correct trees."""

from __future__ import annotations

import os
import re
import webbrowser
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from held.cli import print_message
from held.cli.parameters import Command, InputPath, OutputFolder, Seconds, model_option
from held.errors import InputError, UsageError
from held.serve.settings import DEFAULT_PORT, LOOPBACK, MEGABYTE, ServerLimits, Settings, new_token
from held.system.optional_packages import missing_package

if TYPE_CHECKING:
    from held.serve.state import AppState

_LIMITS = ServerLimits()


@click.command(
    "serve",
    cls=Command,
    values={"limits": ServerLimits},
    short_help="View and correct trees in the browser; REST interface.",
)
@click.argument("folder", type=InputPath(), required=False)
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=DEFAULT_PORT,
    metavar="N",
    show_default=True,
    help="Port; 0: any free port.",
)
@click.option("--open", "opened", is_flag=True, help="Open the page in the browser.")
@click.option(
    "--work", type=OutputFolder(), metavar="DIR", help="Folder that keeps documents and corrections."
)
@click.option(
    "--token",
    envvar="HELD_TOKEN",
    help="Token that clients must send.  [env: HELD_TOKEN; default: a new one, part of the printed address]",
)
@click.option("--no-token", is_flag=True, help="Let every user of this machine in; only on loopback.")
@model_option()
@click.option(
    "--workers",
    type=click.IntRange(1),
    default=_LIMITS.workers,
    metavar="N",
    show_default=True,
    help="Documents processed at a time.",
)
@click.option(
    "--max-size",
    "upload",
    type=click.IntRange(1),
    default=_LIMITS.upload // MEGABYTE,
    metavar="MB",
    show_default=True,
    help="Maximum size of a PDF.",
)
@click.option(
    "--max-pages",
    "pages",
    type=click.IntRange(1),
    default=_LIMITS.pages,
    metavar="N",
    show_default=True,
    help="Maximum pages of a PDF.",
)
@click.option(
    "--timeout",
    "seconds",
    type=Seconds(),
    default=int(_LIMITS.seconds),
    show_default=True,
    help="Maximum seconds per PDF.",
)
@click.option(
    "--queue",
    "queued",
    type=click.IntRange(1),
    default=_LIMITS.queued,
    metavar="N",
    show_default=True,
    help="Maximum number of waiting PDFs.",
)
def command(
    folder: Path | None,
    host: str,
    port: int,
    opened: bool,
    work: Path | None,
    token: str | None,
    no_token: bool,
    model: str,
    limits: ServerLimits,
) -> None:
    """Start a web server with a page and a REST interface to extract, view and correct trees.

    The PDFs below FOLDER are added. Documents and corrections are saved in the folder --work, by default in
    your user data folder, so that they are there after a restart. See docs/serve.md.
    """
    require_serve()
    from held.serve.app import run_server

    if token is not None:
        token = token.strip()  # a file or variable often ends with a line feed
        check_token(token)
    if no_token and token is not None:
        raise UsageError("--token and --no-token exclude each other")
    # Only the token protects what others could reach over the network.
    if no_token and host not in LOOPBACK:
        advice = "listen on 127.0.0.1, or leave --no-token out"
        raise UsageError("a server that others can reach needs a token", advice=advice)
    limits = replace(limits, upload=limits.upload * MEGABYTE)
    chosen_token = None if no_token else token or new_token()
    settings = Settings(work or work_folder(), host, port, chosen_token, model, limits)
    files = pdfs_in(folder) if folder else []

    def ready(state: AppState, address: str) -> None:
        for file in files:
            state.add_file(file)
        print_message(f"the page is at {address}   (Ctrl+C stops the server; its data is in {settings.work})")
        if opened:
            webbrowser.open(address)

    run_server(settings, ready=ready)


def check_token(token: str) -> None:
    """Raise an error if clients could not send a token in a header, or need not know it."""
    if not token:
        advice = "set the variable that should hold it, or leave --token out to have one made"
        raise UsageError("the token is empty", advice=advice)
    if not re.fullmatch(r"[\w.~+/=-]+", token, re.ASCII):  # RFC 6750, section 2.1
        raise UsageError("the token has other characters than letters, digits and -._~+/=")


def require_serve() -> None:
    """Raise an error that says what to install, if a library of the server is missing."""
    try:
        import fastapi  # noqa: F401
        import PIL  # noqa: F401
        import python_multipart  # noqa: F401
        import uvicorn  # noqa: F401
    except ImportError as error:
        raise missing_package(f"this command needs the package {error.name}", "serve") from None


def work_folder() -> Path:
    """Return the default folder for documents and corrections."""
    data = os.environ.get("XDG_DATA_HOME")
    return (Path(data) if data else Path.home() / ".local" / "share") / "held" / "serve"


def pdfs_in(folder: Path) -> list[Path]:
    """Return the PDFs below a folder, or the file itself."""
    if folder.is_file():
        return [folder]
    if not folder.is_dir():
        raise InputError("no such folder", file=folder)
    return sorted(path for path in folder.rglob("*") if path.suffix.lower() == ".pdf" and path.is_file())
