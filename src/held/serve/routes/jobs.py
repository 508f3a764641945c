"""Jobs: a PDF comes in, its progress is told, its result goes out."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import quote

from fastapi import APIRouter, File, Form, HTTPException, Query, UploadFile
from fastapi.responses import Response, StreamingResponse

from held.serve.jobs import RETRY_AFTER_SECONDS
from held.serve.results import formats, result
from held.serve.routes.common import DocumentOf, JobOf, ServerOf
from held.serve.server import Server
from held.serve.store import FINISHED, Job, Status
from held.serve.teaching import KIND
from held.serve.views import job_view
from held.serve.work import page as page_png

router = APIRouter(prefix="/v1/jobs", tags=["jobs"])
teach_router = APIRouter(prefix="/v1", tags=["jobs"])

_BEGINNING = 1024  # bytes in which a PDF must say that it is one (ISO 32000-1, annex H, note 13)
_SECONDS_BETWEEN_EVENTS = 0.2
_POINTS_PER_INCH = 72
_MOST_PIXELS = 3_000  # of a page's longer side


@router.post("", status_code=202)
def post(
    server: ServerOf,
    file: Annotated[UploadFile, File(description="a PDF")],
    outline: Annotated[str, Form(pattern="^(ignore|trust)$")] = "ignore",
    model: Annotated[str | None, Form(description="a model that was taught here")] = None,
    password: Annotated[str | None, Form()] = None,
) -> dict[str, Any]:
    """Extract a PDF: the job waits, and its status can be asked for."""
    if server.store.count(Status.QUEUED) >= server.settings.limits.queued:
        headers = {"Retry-After": str(RETRY_AFTER_SECONDS)}
        raise HTTPException(429, "too many documents wait already", headers)
    if model is not None and model not in server.models():
        raise HTTPException(422, f"there is no model {model!r}")
    if (file.size or 0) > server.settings.limits.upload:
        raise HTTPException(413, f"more than {server.settings.limits.upload} bytes")
    if b"%PDF-" not in file.file.read(_BEGINNING):
        raise HTTPException(415, "the file is no PDF")
    file.file.seek(0)
    id = server.store.keep(file.file)
    job = server.store.add(
        file.filename or "", {"outline": outline, "model": model, "password": password}, id=id
    )
    server.runner.call()
    return job_view(job)


@teach_router.post("/teach", status_code=202)
def teach(server: ServerOf) -> dict[str, Any]:
    """Teach a model from the documents that were called right; its name is the id of the job."""
    count = server.right_documents()
    if not count:
        raise HTTPException(422, "no document was called right yet")
    job = server.store.add(f"model of {count} documents", {}, kind=KIND)
    server.runner.call()
    return job_view(job)


@router.get("")
def listed(server: ServerOf) -> list[dict[str, Any]]:
    """All jobs, the newest first."""
    return [_view(server, job) for job in server.store.jobs()]


@router.get("/{id}")
def one(server: ServerOf, job: JobOf) -> dict[str, Any]:
    """A job: its status, its progress, why it failed."""
    return _view(server, job)


@router.delete("/{id}", status_code=204)
def remove(server: ServerOf, job: JobOf) -> None:
    """Take a job out, with its file, its tree and its corrections."""
    if job.status == Status.RUNNING:
        raise HTTPException(409, "the job is running")
    server.desks.forget(job.id)
    server.store.remove(job.id)


@router.get("/{id}/events", response_class=StreamingResponse)
def events(server: ServerOf, job: JobOf) -> StreamingResponse:
    """The progress of a job as server-sent events, until it has ended."""
    return StreamingResponse(_events(server, job.id), media_type="text/event-stream")


async def _events(server: Server, id: str) -> AsyncIterator[str]:
    last = ""
    while True:
        try:
            job = server.store.job(id)
        except KeyError:
            return
        told = json.dumps(_view(server, job), ensure_ascii=False)
        if told != last:
            last = told
            yield f"event: {'end' if job.status in FINISHED else 'progress'}\ndata: {told}\n\n"
        if job.status in FINISHED:
            return
        await asyncio.sleep(_SECONDS_BETWEEN_EVENTS)


@router.get("/{id}/result")
def get_result(
    server: ServerOf,
    job: DocumentOf,
    format: Annotated[str, Query(description="one of " + ", ".join(formats()))] = "json",
) -> Response:
    """The tree as corrections leave it, in the form that is asked for."""
    shown = server.desks.shown(job.id)
    found = result(job, shown, format, server.store, server.settings.limits)
    disposition = f"attachment; filename*=UTF-8''{quote(found.name)}"
    # It is saved, never shown: text of strangers must not run as a page of ours.
    headers = {"Content-Disposition": disposition}
    return Response(found.content, media_type=found.media_type, headers=headers)


@router.get("/{id}/pages/{number}.png")
def picture(
    server: ServerOf, job: DocumentOf, number: int, width: Annotated[int, Query(ge=50, le=3000)] = 1000
) -> Response:
    """A page as an image of this width in pixels."""
    document = server.desks.document(job.id)
    place = number - document.first_page
    if not 0 <= place < len(document.pages):
        raise HTTPException(404, f"there is no page {number}")
    size = document.pages[place]
    scale = min(width / max(size.width, 1.0), _MOST_PIXELS / max(size.height, 1.0))
    kept = server.store.folder / "pages" / job.id / f"{number}-{width}.png"
    if not kept.is_file():
        content = _drawn(server, job, number, scale)
        kept.parent.mkdir(exist_ok=True)
        _write(kept, content)
    headers = {"Cache-Control": "private, max-age=86400"}
    return Response(kept.read_bytes(), media_type="image/png", headers=headers)


def _drawn(server: Server, job: Job, number: int, scale: float) -> bytes:
    password = job.option("password")
    source = server.store.file(job.id)
    return page_png(source, number, scale=scale, password=password, limits=server.settings.limits)


def _write(path: Path, content: bytes) -> None:
    from held.system.atomic_write import write_whole

    write_whole(path, content)


def _view(server: Server, job: Job) -> dict[str, Any]:
    return job_view(job, server.runner.reached(job.id))
