"""The web application, and the server that runs it. `/docs` and `/openapi.json` describe its routes."""

from __future__ import annotations

import gc
import socket
import sqlite3
from asyncio import TimerHandle, Transport
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any
from urllib.parse import quote

import h11
import uvicorn
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from uvicorn.protocols.http.h11_impl import H11Protocol

from held import __version__
from held.errors import ConflictError, HeldError, UsageError
from held.serve import document_routes, job_routes, site_routes
from held.serve.job_queue import is_disk_full
from held.serve.middleware import App, SecurityMiddleware
from held.serve.settings import Settings
from held.serve.state import AppState
from held.serve.store import DocumentGoneError
from held.serve.worker_client import WorkerError

_SHUTDOWN_SECONDS = 2  # for clients that still listen to events
_COLLECTOR_THRESHOLDS = (700, 10, 10)  # Python's own
HEADER_SECONDS = 20.0  # from the first byte, or the opening of the connection, to the end of the header
_BACKLOG = 128  # connections that the system keeps until they are accepted


def create_app(state: AppState) -> App:
    """The application; its job queue runs between startup and shutdown."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        state.start()
        yield
        state.stop()

    app = FastAPI(title="held", version=__version__, lifespan=lifespan, docs_url=None, redoc_url=None)
    app.state.held = state
    app.include_router(job_routes.router)
    app.include_router(document_routes.router)
    app.include_router(site_routes.router)
    app.add_exception_handler(HeldError, _held_error)
    app.add_exception_handler(WorkerError, _worker_error)
    app.add_exception_handler(DocumentGoneError, _gone_error)
    app.add_exception_handler(RequestValidationError, _validation_error)
    app.add_exception_handler(sqlite3.Error, _storage_error)
    app.add_exception_handler(OSError, _storage_error)
    # Around the whole application: with `add_middleware`, answers to our own faults would have no headers.
    return SecurityMiddleware(app, state.settings)


def _held_error(request: Request, error: Exception) -> JSONResponse:
    """409 if somebody else changed the document first, 507 if the disk is full, otherwise 422."""
    assert isinstance(error, HeldError)
    if is_disk_full(error):
        return _storage_error(request, error)
    code = 409 if isinstance(error, ConflictError) else 422
    # Advice of other errors is about the command line.
    has_advice = isinstance(error, UsageError) and error.advice
    detail = str(error) if has_advice else error.what
    return JSONResponse({"detail": detail}, code)


def _validation_error(request: Request, error: Exception) -> JSONResponse:
    """422 with what is wrong, and without the input: it may be large, or contain what JSON can't express."""
    assert isinstance(error, RequestValidationError)
    problems = []
    for problem in error.errors():
        place = " ".join(str(step) for step in problem["loc"])
        problems.append(f"{place}: {problem['msg']}")
    return JSONResponse({"detail": "; ".join(problems)}, 422)


def _storage_error(request: Request, error: Exception) -> JSONResponse:
    """507 if the disk is full, 503 for any other failure of the store: both may pass."""
    if is_disk_full(error):
        return JSONResponse({"detail": "the disk of the server is full"}, 507)
    return JSONResponse({"detail": f"the store of the server fails: {error}"}, 503)


def _worker_error(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, WorkerError)
    return JSONResponse({"detail": error.reason}, error.code)


def _gone_error(request: Request, error: Exception) -> JSONResponse:
    return JSONResponse({"detail": "the document was deleted meanwhile"}, 404)


def run_server(settings: Settings, *, ready: Callable[[AppState, str], None]) -> None:
    """Serves until it is interrupted; calls `ready` with the address as soon as the port is open."""
    # Commands are short-lived and hardly collect garbage. A server has to.
    gc.set_threshold(*_COLLECTOR_THRESHOLDS)
    # The work folder comes first: if another server uses it, another port would not help.
    state = AppState(settings)
    listener = _listen(settings)
    config = uvicorn.Config(
        create_app(state),
        http=HeaderTimeoutProtocol,
        log_level="warning",
        timeout_graceful_shutdown=_SHUTDOWN_SECONDS,
    )
    port = listener.getsockname()[1]
    ready(state, page_address(settings, port))
    with suppress(KeyboardInterrupt):  # uvicorn shuts down cleanly, then raises it again
        uvicorn.Server(config).run(sockets=[listener])


def page_address(settings: Settings, port: int) -> str:
    """The address of the page, with the token if there is one."""
    host = f"[{settings.host}]" if ":" in settings.host else settings.host
    login = f"login?token={quote(settings.token)}" if settings.token else ""
    return f"http://{host}:{port}/{login}"


def _listen(settings: Settings) -> socket.socket:
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    # A restarted server gets its port back at once.
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((settings.host, settings.port))
    except OSError as error:
        problem = f"cannot listen on {settings.host}:{settings.port}: {error.strerror}"
        raise UsageError(problem, advice="give another --port") from error
    listener.listen(_BACKLOG)
    return listener


class HeaderTimeoutProtocol(H11Protocol):
    """An HTTP connection that must send its request header in time.

    uvicorn itself waits for ever. A client could open many connections, send half a header on each, and keep
    the memory behind them. `SecurityMiddleware` handles slow bodies.
    """

    _timer: TimerHandle | None = None

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]
        """Starts the clock: a client that connects has something to ask."""
        super().connection_made(transport)
        self._start_timer()

    def data_received(self, data: bytes) -> None:
        """Stops the clock once a header is complete."""
        super().data_received(data)
        waits_for_header = self.conn.their_state is h11.IDLE
        if not waits_for_header:
            self._stop_timer()
        elif self._timer is None:  # the next request of a connection that is kept
            self._start_timer()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stops the clock."""
        self._stop_timer()
        super().connection_lost(exc)

    def _start_timer(self) -> None:
        self._timer = self.loop.call_later(HEADER_SECONDS, self._close)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _close(self) -> None:
        self._timer = None
        transport: Any = self.transport
        transport.close()
