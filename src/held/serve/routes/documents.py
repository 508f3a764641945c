"""Documents: their headings, what stands on their pages, and corrections of their trees."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Body, HTTPException, Query, Request

from held.corpus.store import labelled_path, write_labelled
from held.document import OutlineEntry
from held.exports.outline_file import read_outline_file
from held.hierarchy.bookmark_tree import tree_from_bookmarks
from held.hierarchy.corrections import Correction
from held.serve.edit_sessions import Shown, offer
from held.serve.results import labelled
from held.serve.routes.common import DocumentOf, ServerOf
from held.serve.server import Server
from held.serve.store import Job
from held.serve.views import document_view, log_view, moved, page_view
from held.system.json_values import JsonValue

router = APIRouter(prefix="/v1/documents/{id}", tags=["documents"])
search_router = APIRouter(prefix="/v1", tags=["documents"])

Version = Annotated[int, Query(ge=0, description="the version that the change was made for")]


@router.get("")
def one(server: ServerOf, job: DocumentOf) -> dict[str, Any]:
    """A document: its pages and its headings, as corrections leave them."""
    return document_view(job, server.desks.shown(job.id))


@router.get("/pages/{number}")
def page(server: ServerOf, job: DocumentOf, number: int) -> dict[str, Any]:
    """The objects that stand on a page, with their boxes in points from its top left."""
    return page_view(server.desks.shown(job.id), number)


@router.get("/objects/{number}")
def text(server: ServerOf, job: DocumentOf, number: int) -> dict[str, Any]:
    """An object with its whole text."""
    laid = server.desks.shown(job.id).laid
    if number not in laid.edited.index_of:
        raise HTTPException(404, f"there is no object {number}")
    item = laid.item(number)
    return {"object": number, "kind": item.kind.value, "page": item.page, "text": item.text}


@router.get("/corrections")
def corrections(server: ServerOf, job: DocumentOf) -> dict[str, Any]:
    """The corrections of a document, in the order in which they were made."""
    return log_view(server.desks.shown(job.id).log)


@router.post("/corrections")
def correct(
    server: ServerOf, job: DocumentOf, version: Version, body: Annotated[dict[str, Any], Body()]
) -> dict[str, Any]:
    """Correct a heading; the rest of the document is inserted again around what was corrected.

    The body is the operation: {"op": "promote", "object": 41}. `op` is promote, demote, move (`under`: an
    object, or null for the top), delete, mark, confirm, join, split (`at`: a character), rename (`text`);
    with "alike": true it is done to all objects of that look. The answer is the document, with the headings
    that `moved` along, and how many others of this look the same correction could be done to (`offer`).
    """
    correction = Correction.from_json(JsonValue(body))
    before = server.desks.shown(job.id)
    after = server.desks.correct(job.id, correction, version=version)
    told = _told(server, job, before, after, but=correction.obj)
    return {**told, "offer": offer(correction, before)}


@router.post("/undo")
def undo(server: ServerOf, job: DocumentOf, version: Version) -> dict[str, Any]:
    """Take the last correction back."""
    before = server.desks.shown(job.id)
    return _told(server, job, before, server.desks.undo(job.id, version=version))


@router.post("/redo")
def redo(server: ServerOf, job: DocumentOf, version: Version) -> dict[str, Any]:
    """Make the correction again that was undone last."""
    before = server.desks.shown(job.id)
    return _told(server, job, before, server.desks.redo(job.id, version=version))


@router.put("/outline")
async def outline(server: ServerOf, job: DocumentOf, version: Version, request: Request) -> dict[str, Any]:
    """Replace all headings by an outline: lines of level, page and title with tabs between.

    It is one correction, and can be undone. Entries that name no text of the document are left out.
    """
    lines = read_outline_file(await request.body(), "outline")
    entries = [OutlineEntry(line.level, line.title, line.page, None) for line in lines]
    before = server.desks.shown(job.id)
    found = tree_from_bookmarks(server.desks.document(job.id), entries)
    if found is None:
        raise HTTPException(422, "no entry of the outline names a text of the document")
    after = server.desks.replace_outline(job.id, found, version=version)
    return {**_told(server, job, before, after), "entries": len(entries), "found": len(found.headings)}


@router.put("/checked")
def checked(server: ServerOf, job: DocumentOf, value: bool = True) -> dict[str, Any]:
    """Say that the tree is right now: the document is kept as a labelled one, to teach from."""
    shown = server.desks.shown(job.id)
    if value:
        write_labelled(server.store.folder / "labelled", labelled(job, shown))
    else:
        labelled_path(server.store.folder / "labelled", job.id).unlink(missing_ok=True)
    return document_view(server.store.change(job.id, checked=int(value)), shown)


@search_router.get("/search")
def search(
    server: ServerOf,
    q: Annotated[str, Query(min_length=1, max_length=2000)],
    document: str | None = None,
    k: Annotated[int, Query(ge=1, le=50)] = 10,
) -> list[dict[str, Any]]:
    """The passages that answer a question best, of one document or of all."""
    jobs = [job for job in server.store.jobs() if job.has_result and job.kind == "extract"]
    asked = [job for job in jobs if document is None or job.id == document]
    if document is not None and not asked:
        raise HTTPException(404, f"there is no document {document!r}")
    return server.searcher.hits(q, asked, k)


def _told(server: Server, job: Job, before: Shown, after: Shown, *, but: int | None = None) -> dict[str, Any]:
    if job.checked:  # what has changed since must be looked at again
        labelled_path(server.store.folder / "labelled", job.id).unlink(missing_ok=True)
        job = server.store.change(job.id, checked=0)
    return {**document_view(job, after), "moved": moved(before, after, but=but)}
