"""The service: what can be asked over HTTP, and which parts answer. `/docs` has it as OpenAPI."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse

from held import __version__
from held.errors import ConflictError, HeldError, UsageError
from held.serve.guard import Guard
from held.serve.routes import documents, jobs, pages, status
from held.serve.server import Server
from held.serve.settings import Settings
from held.serve.work import WorkError


def create_app(settings: Settings, *, server: Server | None = None) -> FastAPI:
    """The application of a server."""
    own = server or Server(settings)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        own.start()
        yield
        own.stop()

    app = FastAPI(title="held", version=__version__, lifespan=lifespan, docs_url=None, redoc_url=None)
    app.state.server = own
    for router in (
        jobs.router,
        jobs.teach_router,
        documents.router,
        documents.search_router,
        status.router,
        pages.router,
    ):
        app.include_router(router)
    app.add_exception_handler(HeldError, _held_error)
    app.add_exception_handler(WorkError, _work_error)

    app.add_middleware(Guard, settings=settings)
    return app


def _held_error(request: Request, error: Exception) -> JSONResponse:
    """What is wrong with a call: 409 if somebody else was faster, else 422."""
    assert isinstance(error, HeldError)
    code = 409 if isinstance(error, ConflictError) else 422
    detail = error.what if not isinstance(error, UsageError) or not error.advice else str(error)
    return JSONResponse({"detail": detail}, code)


def _work_error(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, WorkError)
    return JSONResponse({"detail": error.reason}, error.code)
