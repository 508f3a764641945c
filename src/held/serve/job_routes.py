"""Routes of jobs: upload a PDF, follow its progress, download the result."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Annotated
from urllib.parse import quote

from fastapi import APIRouter, File, Form, HTTPException, Query, UploadFile
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import Response, StreamingResponse

from held.serve.bounded_work import busy
from held.serve.downloads import DOWNLOAD_FORMATS
from held.serve.responses import Json, job_json
from held.serve.state import AppState, DocumentDep, JobDep, StateDep
from held.serve.store import FINISHED, TRAIN, DocumentGoneError, Job, QueueFullError, Status
from held.serve.worker_client import render_page

router = APIRouter(prefix="/v1", tags=["jobs"])

_HEADER_BYTES = 1024  # the header of a PDF is within these (ISO 32000-1, annex H, note 13)
_EVENT_INTERVAL_SECONDS = 0.2
_MAX_PAGE_PIXELS = 3_000  # height of a page image


@router.post("/jobs", status_code=202)
def add_job(
    state: StateDep,
    file: Annotated[UploadFile, File(description="a PDF")],
    outline: Annotated[str, Form(pattern="^(ignore|trust)$")] = "ignore",
    model: Annotated[str | None, Form(description="a model that was trained here")] = None,
    password: Annotated[str | None, Form()] = None,
    ocr: Annotated[str, Form(pattern="^(auto|always|never)$")] = "auto",
    ocr_languages: Annotated[str, Form(pattern=r"^[\w+]*$", max_length=100)] = "",
) -> Json:
    """Queue a PDF for extraction. The answer is the job."""
    limits = state.settings.limits
    queue_full = busy(429, "too many documents wait already")
    if state.store.count(Status.QUEUED) >= limits.queued:  # before the upload is stored
        raise queue_full
    # Names alone: a path in a request would let clients load any file of the machine as a model.
    if model is not None and model not in state.trained_models():
        raise HTTPException(422, f"there is no model {model!r}")
    if (file.size or 0) > limits.upload:
        raise HTTPException(413, f"more than {limits.upload} bytes")
    if b"%PDF-" not in file.file.read(_HEADER_BYTES):
        raise HTTPException(415, "the file is not a PDF")
    file.file.seek(0)  # back to the start: the check above has read the header
    id = state.store.save_pdf(file.file)
    options = {
        "outline": outline,
        "model": model,
        "password": password,
        "ocr": ocr,
        "ocr_languages": ocr_languages,
    }
    try:
        job = state.store.add(file.filename or "", options, id=id, max_queued=limits.queued)
    except BaseException as error:
        state.store.remove_files(id)  # no job, no file
        if isinstance(error, QueueFullError):
            raise queue_full from None
        raise
    state.queue.notify()
    return job_json(job)


@router.post("/teach", status_code=202)
def train(state: StateDep) -> Json:
    """Train a model on the documents that were marked as right; its name is the id of the job."""
    count = state.checked_documents()
    if not count:
        raise HTTPException(422, "no document was marked as right yet")
    job = state.store.add(f"model of {count} documents", {}, kind=TRAIN)
    state.queue.notify()
    return job_json(job)


@router.get("/jobs")
def list_jobs(state: StateDep) -> list[Json]:
    """All jobs, newest first."""
    return [_job_json(state, job) for job in state.store.jobs()]


@router.get("/jobs/{id}")
def get_job(state: StateDep, job: JobDep) -> Json:
    """A job: its status, its progress, and the reason if it failed."""
    return _job_json(state, job)


@router.delete("/jobs/{id}", status_code=204)
def delete_job(state: StateDep, job: JobDep) -> None:
    """Delete a job, with its file, its tree and its corrections."""
    # A running job cannot be stopped: its worker would write a tree of a job that is gone.
    if not state.store.remove(job.id):
        raise HTTPException(409, "the job is running")
    state.sessions.close(job.id)


@router.get("/jobs/{id}/events", response_class=StreamingResponse)
def stream_events(state: StateDep, job: JobDep) -> StreamingResponse:
    """The progress of a job as server-sent events, until the job has ended."""
    return StreamingResponse(_events(state, job.id), media_type="text/event-stream")


async def _events(state: AppState, id: str) -> AsyncIterator[str]:
    last = ""
    while True:
        try:
            # In a thread: the store may be busy, and the event loop must not wait for it.
            job = await run_in_threadpool(state.store.job, id)
        except DocumentGoneError:
            return
        has_ended = job.status in FINISHED
        event = "end" if has_ended else "progress"
        data = json.dumps(_job_json(state, job), ensure_ascii=False)
        if data != last:
            last = data
            yield f"event: {event}\ndata: {data}\n\n"
        if has_ended:
            return
        await asyncio.sleep(_EVENT_INTERVAL_SECONDS)


@router.get("/jobs/{id}/result")
def download_result(
    state: StateDep,
    job: DocumentDep,
    format: Annotated[str, Query(description="one of " + ", ".join(DOWNLOAD_FORMATS))] = "json",
) -> Response:
    """The tree after its corrections, in an export format."""
    download = state.downloads.download(job, format)
    # An attachment is saved and never shown: an untrusted text must not run as a page of this server.
    name = quote(download.name)  # RFC 6266: names that are not ASCII
    headers = {"Content-Disposition": f"attachment; filename*=UTF-8''{name}"}
    return Response(download.content, media_type=download.media_type, headers=headers)


@router.get("/jobs/{id}/pages/{number}.png")
def get_page_image(
    state: StateDep, job: DocumentDep, number: int, width: Annotated[int, Query(ge=50, le=3000)] = 1000
) -> Response:
    """A page as an image of this width in pixels."""
    path = state.store.page_path(job.id, number, width)
    image = state.images.read(path)
    if image is None:
        image = _render(state, job, number, width)
        state.images.write(path, image)
    headers = {"Cache-Control": "private, max-age=86400"}
    return Response(image, media_type="image/png", headers=headers)


def _render(state: AppState, job: Job, number: int, width: int) -> bytes:
    document = state.sessions.recognised_document(job.id)
    index = number - document.first_page
    if not 0 <= index < len(document.pages):
        raise HTTPException(404, f"there is no page {number}")
    size = document.pages[index]
    # A damaged PDF may have a page without width, or one far higher than wide.
    width_scale = width / max(size.width, 1.0)
    max_scale = _MAX_PAGE_PIXELS / max(size.height, 1.0)
    scale = min(width_scale, max_scale)
    with state.slots.slot():
        return render_page(
            state.store.pdf_path(job.id),
            number,
            scale=scale,
            password=job.option("password"),
            limits=state.settings.limits,
        )


def _job_json(state: AppState, job: Job) -> Json:
    return job_json(job, state.queue.progress(job.id))
