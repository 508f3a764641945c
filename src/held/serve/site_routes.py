"""Routes of the site: the page with its scripts and styles, and the server's health and metrics."""

from __future__ import annotations

import hmac
import os
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path

from anyio import to_thread
from fastapi import APIRouter, HTTPException
from fastapi.responses import FileResponse, PlainTextResponse, RedirectResponse, Response

import held.exports
from held import __version__
from held.serve.downloads import DOWNLOAD_FORMATS
from held.serve.middleware import COOKIE
from held.serve.responses import Json, job_json
from held.serve.state import AppState, StateDep
from held.serve.store import Status

router = APIRouter()

_MIN_FREE_BYTES = 16 << 20  # for the results of running jobs
_STATIC = Path(__file__).parent / "static"
_SHARED_STYLE = Path(held.exports.__file__).parent / "assets" / "base.css"
# The wheel has the sample beside this module; a checkout has it in its own folder.
_SAMPLES = (Path(__file__).parent / "sample.pdf", Path(__file__).parents[3] / "samples" / "report-en.pdf")
_MEDIA_TYPES = {
    ".js": "text/javascript",
    ".css": "text/css",
    ".html": "text/html",
    ".svg": "image/svg+xml",
}


@router.get("/health", tags=["status"])
async def health(state: StateDep, response: Response) -> Json:
    """Whether documents are being processed: 503 if no worker lives or the disk is full."""
    # In a thread that no other route can take: all others may be at work.
    status, problems = await to_thread.run_sync(_health, state, limiter=state.health_threads)
    if problems:
        response.status_code = 503
    return status


def _health(state: AppState) -> tuple[Json, list[str]]:
    """The server's health, and what is wrong with it."""
    workers = state.queue.working_threads
    free = state.store.free_bytes()
    problems = []
    if not workers:
        problems.append("no worker can run")
    if free < _MIN_FREE_BYTES:
        problems.append("the disk is full")
    try:
        queue = {"queued": state.store.count(Status.QUEUED), "running": state.store.count(Status.RUNNING)}
    except sqlite3.Error as error:
        queue = {}
        problems.append(f"the store fails: {error}")
    status = {
        "status": "; ".join(problems) or "ok",
        "version": __version__,
        "workers": {"alive": workers, "wanted": state.settings.limits.workers},
        "queue": queue,
        "disk": {"free_bytes": free},
    }
    return status, problems


@router.get("/v1/about", tags=["status"])
def about(state: StateDep) -> Json:
    """The capabilities of the server: download formats, models, limits."""
    limits = state.settings.limits
    return {
        "version": __version__,
        "formats": DOWNLOAD_FORMATS,
        "models": state.trained_models(),
        "sample": _sample_pdf() is not None,
        "limits": {"upload": limits.upload, "pages": limits.pages, "seconds": limits.seconds},
    }


@router.post("/v1/sample", status_code=202, tags=["jobs"])
def add_sample(state: StateDep) -> Json:
    """Queue the sample report, for a first look. The answer is the job: the same one every time."""
    sample = _sample_pdf()
    if sample is None:
        raise HTTPException(404, "this installation has no sample")
    return job_json(state.add_file(sample, name="sample-report.pdf"))


def _sample_pdf() -> Path | None:
    return next((path for path in _SAMPLES if path.is_file()), None)


@router.get("/metrics", response_class=PlainTextResponse, tags=["status"])
def metrics(state: StateDep) -> str:
    """Counts for Prometheus."""
    return "\n".join(_metrics(state)) + "\n"


def _metrics(state: AppState) -> Iterator[str]:
    totals = state.store.totals()
    yield "# TYPE held_jobs gauge"
    for status in Status:
        yield f'held_jobs{{status="{status}"}} {totals.jobs[status]}'
    yield "# TYPE held_pages_total counter"
    yield f"held_pages_total {totals.pages}"
    yield "# TYPE held_work_seconds_total counter"
    yield f"held_work_seconds_total {totals.seconds:.3f}"
    yield "# TYPE held_uptime_seconds gauge"
    yield f"held_uptime_seconds {time.time() - state.started:.0f}"
    yield "# TYPE process_resident_memory_bytes gauge"
    yield f"process_resident_memory_bytes {_resident_bytes()}"


def _resident_bytes() -> int:
    # Only Linux has /proc; elsewhere the metric is 0.
    try:
        with open("/proc/self/statm") as statm:
            _size, resident, *_ = statm.read().split()  # proc(5): in memory pages
    except OSError:
        return 0
    return int(resident) * os.sysconf("SC_PAGE_SIZE")


@router.get("/", include_in_schema=False)
def index_page() -> Response:
    """The page."""
    return _static_file("index.html")


@router.get("/login", include_in_schema=False)
def login(state: StateDep, token: str = "") -> Response:
    """Sets the cookie of the page if the token is right, and redirects to the page."""
    expected = state.settings.token
    if expected is None or not hmac.compare_digest(token.encode(), expected.encode()):
        raise HTTPException(401, "this is not the token")
    response = RedirectResponse("/", 303)
    response.set_cookie(COOKIE, expected, httponly=True, samesite="strict")
    return response


@router.get("/docs", include_in_schema=False)
def docs_page() -> Response:
    """The list of routes, for people."""
    return _static_file("docs.html")


@router.get("/static/{name}", include_in_schema=False)
def static_file(name: str) -> Response:
    """A file of the page."""
    return _static_file(name)


def _static_file(name: str) -> Response:
    # The name is looked up among the files, never joined to a path.
    files = {path.name: path for path in (*_STATIC.iterdir(), _SHARED_STYLE)}
    if name not in files:
        raise HTTPException(404, f"there is no {name!r}")
    path = files[name]
    headers = {"Cache-Control": "no-cache"}  # an update of held must show at once
    return FileResponse(path, media_type=_MEDIA_TYPES[path.suffix], headers=headers)
