"""Starting a server and ending it cleanly."""

from __future__ import annotations

import socket
from collections.abc import Callable
from contextlib import suppress

import uvicorn

from held.errors import UsageError
from held.serve.app import create_app
from held.serve.server import Server
from held.serve.settings import Settings

_SECONDS_TO_END = 2  # for those who still listen to events
_WAITING = 128  # connections that the system keeps until they are answered


def run(settings: Settings, *, ready: Callable[[Server, str], None]) -> None:
    """Serves until it is interrupted; `ready` is told the address as soon as it can be asked."""
    server = Server(settings)  # before its port is asked for: another port would not help in a folder in use
    listening = _listening(settings)
    app = create_app(settings, server=server)
    config = uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=_SECONDS_TO_END)
    ready(server, address_of(settings, listening.getsockname()[1]))
    with suppress(KeyboardInterrupt):  # uvicorn ends cleanly, then raises it again
        uvicorn.Server(config).run(sockets=[listening])


def address_of(settings: Settings, port: int) -> str:
    """Where the page is."""
    host = f"[{settings.host}]" if ":" in settings.host else settings.host
    return f"http://{host}:{port}/" + (f"login?token={settings.token}" if settings.token else "")


def _listening(settings: Settings) -> socket.socket:
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((settings.host, settings.port))
    except OSError as error:
        where = f"{settings.host}:{settings.port}"
        raise UsageError(
            f"cannot listen on {where}: {error.strerror}", advice="give another --port"
        ) from error
    listening.listen(_WAITING)
    return listening
