"""`held serve`: documents in a browser, to see and correct their trees."""

from __future__ import annotations

import os
import secrets
import webbrowser
from pathlib import Path
from typing import TYPE_CHECKING

import click

from held.cli.messages import say
from held.cli.paths import Command, InputPath, OutputFolder, Seconds
from held.errors import InputError, UsageError

if TYPE_CHECKING:
    from held.serve.state import AppState

PORT = 8321
_MEGABYTE = 1 << 20


@click.command("serve", cls=Command, short_help="See, correct and teach in a browser.")
@click.argument("folder", type=InputPath(), required=False)
@click.option("--host", default="127.0.0.1", show_default=True, help="Where to listen.")
@click.option("--port", type=click.IntRange(0, 65535), default=PORT, show_default=True, help="0: any.")
@click.option("--open", "opened", is_flag=True, help="Open the page in the browser.")
@click.option("--work", type=OutputFolder(), metavar="DIR", help="Where the work is kept.")
@click.option("--token", envvar="HELD_TOKEN", help="What others must send to ask.  [env: HELD_TOKEN]")
@click.option("--model", default="base", show_default=True, metavar="base|DIR", help="Model of both steps.")
@click.option("--workers", type=click.IntRange(1), default=1, show_default=True, help="Documents at work.")
@click.option("--max-size", type=click.IntRange(1), default=200, show_default=True, help="MB of a PDF.")
@click.option("--max-pages", type=click.IntRange(1), default=5000, show_default=True, help="Of a PDF.")
@click.option("--timeout", type=Seconds(), default=900, show_default=True, help="Seconds a PDF.")
@click.option("--queue", type=click.IntRange(1), default=200, show_default=True, help="PDFs that may wait.")
def command(
    folder: Path | None,
    host: str,
    port: int,
    opened: bool,
    work: Path | None,
    token: str | None,
    model: str,
    workers: int,
    max_size: int,
    max_pages: int,
    timeout: float,
    queue: int,
) -> None:
    """Serve the page and its REST interface, with the PDFs of FOLDER if one is given.

    All work, corrections too, is kept in --work (by default in the folder of your user's data) and is there
    again when the server is started anew. docs/serve.md is the guide.
    """
    require_serve()
    from held.serve.app import run_server
    from held.serve.settings import Limits, Settings

    limits = Limits(
        upload=max_size * _MEGABYTE, pages=max_pages, seconds=timeout, queued=queue, workers=workers
    )
    settings = Settings(work or work_folder(), host, port, token, model, limits)
    if not settings.on_loopback and token is None:
        token = secrets.token_urlsafe(24)
        settings = Settings(settings.work, host, port, token, model, limits)
    files = pdfs_in(folder) if folder else []

    def ready(state: AppState, address: str) -> None:
        for file in files:
            state.add_file(file)
        say(f"the page is at {address}   (Ctrl+C ends the server; its work is in {settings.work})")
        if opened:
            webbrowser.open(address)

    run_server(settings, ready=ready)


def require_serve() -> None:
    """Raise a clear error where the libraries of the server are not installed."""
    try:
        import fastapi  # noqa: F401
        import PIL  # noqa: F401
        import python_multipart  # noqa: F401
        import uvicorn  # noqa: F401
    except ImportError as error:
        raise UsageError(f"this needs {error.name}", advice="pip install 'held[serve]'") from None


def work_folder() -> Path:
    """Where a user's work is kept if nothing else is said."""
    data = os.environ.get("XDG_DATA_HOME")
    return (Path(data) if data else Path.home() / ".local" / "share") / "held" / "serve"


def pdfs_in(folder: Path) -> list[Path]:
    """The PDFs of a folder, or the file itself."""
    if folder.is_file():
        return [folder]
    if not folder.is_dir():
        raise InputError("no such folder", file=folder)
    return sorted(path for path in folder.rglob("*") if path.suffix.lower() == ".pdf" and path.is_file())
