"""The routes: jobs, documents with their corrections, and the pages, pictures and status of the server.

Routes parse the request and call the state; a HeldError becomes a 4xx answer in `held.serve.app`.
"""

from __future__ import annotations

import asyncio
import hmac
import json
import os
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Annotated
from urllib.parse import quote

from fastapi import APIRouter, Body, File, Form, HTTPException, Query, Request, UploadFile
from fastapi.responses import FileResponse, PlainTextResponse, RedirectResponse, Response, StreamingResponse

from held import __version__
from held.corpus.store import labelled_path, write_labelled
from held.document import OutlineEntry
from held.exports.outline import read_outline
from held.hierarchy.bookmark_tree import tree_from_bookmarks
from held.hierarchy.corrections import Correction
from held.serve.downloads import DOWNLOAD_FORMATS, labelled_document, make_download
from held.serve.edit_sessions import CorrectedDocument, count_same_style
from held.serve.job_queue import RETRY_AFTER_SECONDS
from held.serve.middleware import COOKIE
from held.serve.responses import Json, document_json, job_json, log_json, moved_headings, page_json
from held.serve.state import AppState, DocumentDep, JobDep, StateDep
from held.serve.store import EXTRACT, FINISHED, TRAIN, Job, Status
from held.serve.worker_client import render_page
from held.system.atomic_write import write_file
from held.system.json_values import JsonValue

site_router = APIRouter()

_STATIC = Path(__file__).parent / "static"
_MEDIA_TYPES = {
    ".js": "text/javascript",
    ".css": "text/css",
    ".html": "text/html",
    ".svg": "image/svg+xml",
}


@site_router.get("/health", tags=["status"])
def health() -> dict[str, str]:
    """Whether the server answers."""
    return {"status": "ok", "version": __version__}


@site_router.get("/v1/about", tags=["status"])
def about(state: StateDep) -> Json:
    """What the server can do: download formats, models, limits."""
    limits = state.settings.limits
    return {
        "version": __version__,
        "formats": DOWNLOAD_FORMATS,
        "models": state.trained_models(),
        "limits": {"upload": limits.upload, "pages": limits.pages, "seconds": limits.seconds},
    }


@site_router.get("/metrics", response_class=PlainTextResponse, tags=["status"])
def metrics(state: StateDep) -> str:
    """Counts for Prometheus."""
    return "\n".join(_metrics(state)) + "\n"


def _metrics(state: AppState) -> Iterator[str]:
    yield "# TYPE held_jobs gauge"
    for status in Status:
        yield f'held_jobs{{status="{status}"}} {state.store.count(status)}'
    finished = [job for job in state.store.jobs() if job.has_result]
    yield "# TYPE held_pages_total counter"
    yield f"held_pages_total {sum(job.pages for job in finished)}"
    yield "# TYPE held_work_seconds_total counter"
    seconds = sum((job.finished or 0) - (job.started or 0) for job in finished)
    yield f"held_work_seconds_total {seconds:.3f}"
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


@site_router.get("/", include_in_schema=False)
def index_page() -> Response:
    """The page."""
    return _static_file("index.html")


@site_router.get("/login", include_in_schema=False)
def login(state: StateDep, token: str = "") -> Response:
    """Sets the cookie of the page for whoever has the token, and goes on to the page."""
    expected = state.settings.token
    if expected is None or not hmac.compare_digest(token.encode(), expected.encode()):
        raise HTTPException(401, "this is not the token")
    response = RedirectResponse("/", 303)
    response.set_cookie(COOKIE, expected, httponly=True, samesite="strict")
    return response


@site_router.get("/docs", include_in_schema=False)
def docs_page() -> Response:
    """The list of routes, for people."""
    return _static_file("docs.html")


@site_router.get("/static/{name}", include_in_schema=False)
def static_file(name: str) -> Response:
    """A file of the page."""
    return _static_file(name)


def _static_file(name: str) -> Response:
    # The name is looked up among the files, never joined to a path.
    files = {path.name: path for path in _STATIC.iterdir()}
    if name not in files:
        raise HTTPException(404, f"there is no {name!r}")
    path = files[name]
    headers = {"Cache-Control": "no-cache"}  # an update of held must show at once
    return FileResponse(path, media_type=_MEDIA_TYPES[path.suffix], headers=headers)


document_router = APIRouter(prefix="/v1", tags=["documents"])

Version = Annotated[int, Query(ge=0, description="the version that the change was made for")]


@document_router.get("/documents/{id}")
def get_document(state: StateDep, job: DocumentDep) -> Json:
    """A document after its corrections: its pages and its headings."""
    return document_json(job, state.sessions.document(job.id))


@document_router.get("/documents/{id}/pages/{number}")
def get_page(state: StateDep, job: DocumentDep, number: int) -> Json:
    """The objects on a page, with their boxes in points from its top left."""
    return page_json(state.sessions.document(job.id), number)


@document_router.get("/documents/{id}/objects/{number}")
def get_object(state: StateDep, job: DocumentDep, number: int) -> Json:
    """An object with its whole text."""
    tree = state.sessions.document(job.id).tree
    if number not in tree.edited.index_of:
        raise HTTPException(404, f"there is no object {number}")
    item = tree.item(number)
    return {"object": number, "kind": item.kind.value, "page": item.page, "text": item.text}


@document_router.get("/documents/{id}/corrections")
def list_corrections(state: StateDep, job: DocumentDep) -> Json:
    """The corrections of a document, oldest first."""
    return log_json(state.sessions.document(job.id).log)


@document_router.post("/documents/{id}/corrections")
def correct(state: StateDep, job: DocumentDep, version: Version, body: Annotated[Json, Body()]) -> Json:
    """Correct a heading; the headings that nobody has corrected are inserted again around it.

    The body is the operation: {"op": "promote", "object": 41}. `op` is promote, demote, move (`under`: an
    object, or null for the top), delete, mark, confirm, join, split (`at`: a character), rename (`text`);
    with "alike": true it is done to all objects of that style. The answer is the document, with the headings
    that `moved` along, and how many others of this style the same correction could be done to (`offer`).
    """
    correction = Correction.from_json(JsonValue(body))
    before = state.sessions.document(job.id)
    after = state.sessions.correct(job.id, correction, version=version)
    changed = _changed_json(state, job, before, after, besides=correction.obj)
    return {**changed, "offer": count_same_style(correction, before)}


@document_router.post("/documents/{id}/undo")
def undo(state: StateDep, job: DocumentDep, version: Version) -> Json:
    """Undo the last correction."""
    before = state.sessions.document(job.id)
    after = state.sessions.undo(job.id, version=version)
    return _changed_json(state, job, before, after)


@document_router.post("/documents/{id}/redo")
def redo(state: StateDep, job: DocumentDep, version: Version) -> Json:
    """Redo the last undone correction."""
    before = state.sessions.document(job.id)
    after = state.sessions.redo(job.id, version=version)
    return _changed_json(state, job, before, after)


@document_router.put("/documents/{id}/outline")
async def replace_outline(state: StateDep, job: DocumentDep, version: Version, request: Request) -> Json:
    """Replace all headings by an outline: lines of level, page and title, separated by tabs.

    This is one correction, and can be undone. Entries that match no text of the document are left out.
    """
    lines = read_outline(await request.body(), "outline")
    entries = [OutlineEntry(line.level, line.title, line.page, None) for line in lines]
    before = state.sessions.document(job.id)
    recognised = state.sessions.recognised_document(job.id)
    outline = tree_from_bookmarks(recognised, entries)
    if outline is None:
        raise HTTPException(422, "no entry of the outline names a text of the document")
    after = state.sessions.replace_outline(job.id, outline, version=version)
    changed = _changed_json(state, job, before, after)
    return {**changed, "entries": len(entries), "found": len(outline.headings)}


@document_router.put("/documents/{id}/checked")
def set_checked(state: StateDep, job: DocumentDep, value: bool = True) -> Json:
    """Mark the tree as right: the document is kept as a labelled one, to train on."""
    document = state.sessions.document(job.id)
    if value:
        labelled = labelled_document(job, document.tree.hierarchy)
        write_labelled(state.store.labelled_folder, labelled)
    else:
        _delete_labelled(state, job)
    updated = state.store.update(job.id, checked=int(value))
    return document_json(updated, document)


@document_router.get("/search")
def search(
    state: StateDep,
    q: Annotated[str, Query(min_length=1, max_length=2000)],
    document: str | None = None,
    k: Annotated[int, Query(ge=1, le=50)] = 10,
) -> list[Json]:
    """The passages that answer a question best, from one document or from all."""
    jobs = []
    for job in state.store.jobs():
        is_wanted = document in (None, job.id)
        if is_wanted and job.has_result and job.kind == EXTRACT:
            jobs.append(job)
    if document is not None and not jobs:
        raise HTTPException(404, f"there is no document {document!r}")
    return state.search.hits(q, jobs, k)


def _changed_json(
    state: AppState,
    job: Job,
    before: CorrectedDocument,
    after: CorrectedDocument,
    *,
    besides: int | None = None,
) -> Json:
    if job.checked:  # somebody must check the changed tree again
        _delete_labelled(state, job)
        job = state.store.update(job.id, checked=0)
    moved = moved_headings(before, after, besides=besides)
    return {**document_json(job, after), "moved": moved}


def _delete_labelled(state: AppState, job: Job) -> None:
    path = labelled_path(state.store.labelled_folder, job.id)
    path.unlink(missing_ok=True)


job_router = APIRouter(prefix="/v1", tags=["jobs"])

_HEADER_BYTES = 1024  # the header of a PDF is within these (ISO 32000-1, annex H, note 13)
_EVENT_INTERVAL_SECONDS = 0.2
_MAX_PAGE_PIXELS = 3_000  # height of a page image


@job_router.post("/jobs", status_code=202)
def add_job(
    state: StateDep,
    file: Annotated[UploadFile, File(description="a PDF")],
    outline: Annotated[str, Form(pattern="^(ignore|trust)$")] = "ignore",
    model: Annotated[str | None, Form(description="a model that was trained here")] = None,
    password: Annotated[str | None, Form()] = None,
) -> Json:
    """Queue a PDF for extraction. The answer is the job."""
    limits = state.settings.limits
    if state.store.count(Status.QUEUED) >= limits.queued:
        headers = {"Retry-After": str(RETRY_AFTER_SECONDS)}
        raise HTTPException(429, "too many documents wait already", headers)
    if model is not None and model not in state.trained_models():
        raise HTTPException(422, f"there is no model {model!r}")
    if (file.size or 0) > limits.upload:
        raise HTTPException(413, f"more than {limits.upload} bytes")
    if b"%PDF-" not in file.file.read(_HEADER_BYTES):
        raise HTTPException(415, "the file is not a PDF")
    file.file.seek(0)  # back to the start: the check above has read the header
    id = state.store.save_pdf(file.file)
    options = {"outline": outline, "model": model, "password": password}
    job = state.store.add(file.filename or "", options, id=id)
    state.queue.notify()
    return job_json(job)


@job_router.post("/teach", status_code=202)
def train(state: StateDep) -> Json:
    """Train a model on the documents that were marked as right; its name is the id of the job."""
    count = state.checked_documents()
    if not count:
        raise HTTPException(422, "no document was marked as right yet")
    job = state.store.add(f"model of {count} documents", {}, kind=TRAIN)
    state.queue.notify()
    return job_json(job)


@job_router.get("/jobs")
def list_jobs(state: StateDep) -> list[Json]:
    """All jobs, newest first."""
    return [_job_json(state, job) for job in state.store.jobs()]


@job_router.get("/jobs/{id}")
def get_job(state: StateDep, job: JobDep) -> Json:
    """A job: its status, its progress, and the reason if it failed."""
    return _job_json(state, job)


@job_router.delete("/jobs/{id}", status_code=204)
def delete_job(state: StateDep, job: JobDep) -> None:
    """Delete a job, with its file, its tree and its corrections."""
    if job.status == Status.RUNNING:
        raise HTTPException(409, "the job is running")
    state.sessions.close(job.id)
    state.store.remove(job.id)


@job_router.get("/jobs/{id}/events", response_class=StreamingResponse)
def stream_events(state: StateDep, job: JobDep) -> StreamingResponse:
    """The progress of a job as server-sent events, until the job has ended."""
    return StreamingResponse(_events(state, job.id), media_type="text/event-stream")


async def _events(state: AppState, id: str) -> AsyncIterator[str]:
    last = ""
    while True:
        try:
            job = state.store.job(id)
        except KeyError:  # deleted meanwhile
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


@job_router.get("/jobs/{id}/result")
def download_result(
    state: StateDep,
    job: DocumentDep,
    format: Annotated[str, Query(description="one of " + ", ".join(DOWNLOAD_FORMATS))] = "json",
) -> Response:
    """The tree after its corrections, in an export format."""
    hierarchy = state.sessions.document(job.id).tree.hierarchy
    download = make_download(job, hierarchy, format, state.store, state.settings.limits)
    # An attachment is saved and never shown: text of strangers must not run as a page of ours.
    name = quote(download.name)  # RFC 6266: names that are not ASCII
    headers = {"Content-Disposition": f"attachment; filename*=UTF-8''{name}"}
    return Response(download.content, media_type=download.media_type, headers=headers)


@job_router.get("/jobs/{id}/pages/{number}.png")
def get_page_image(
    state: StateDep, job: DocumentDep, number: int, width: Annotated[int, Query(ge=50, le=3000)] = 1000
) -> Response:
    """A page as an image of this width in pixels."""
    document = state.sessions.recognised_document(job.id)
    index = number - document.first_page
    if not 0 <= index < len(document.pages):
        raise HTTPException(404, f"there is no page {number}")
    size = document.pages[index]
    # A damaged PDF may have a page without width, or one far higher than wide.
    width_scale = width / max(size.width, 1.0)
    max_scale = _MAX_PAGE_PIXELS / max(size.height, 1.0)
    scale = min(width_scale, max_scale)
    cached = state.store.page_path(job.id, number, width)
    if not cached.is_file():
        image = render_page(
            state.store.pdf_path(job.id),
            number,
            scale=scale,
            password=job.option("password"),
            limits=state.settings.limits,
        )
        cached.parent.mkdir(exist_ok=True)
        write_file(cached, image)
    headers = {"Cache-Control": "private, max-age=86400"}
    return Response(cached.read_bytes(), media_type="image/png", headers=headers)


def _job_json(state: AppState, job: Job) -> Json:
    return job_json(job, state.queue.progress(job.id))
