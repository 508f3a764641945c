"""Routes of documents: their headings, the objects on their pages, corrections, and search."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Body, HTTPException, Query, Request
from fastapi.concurrency import run_in_threadpool

from held.corpus.store import labelled_content
from held.document import OutlineEntry
from held.exports.outline import read_outline
from held.hierarchy.bookmark_tree import tree_from_bookmarks
from held.hierarchy.corrections import Correction
from held.serve.downloads import labelled_document
from held.serve.edit_sessions import CorrectedDocument, same_style_changes
from held.serve.responses import Json, alike_json, document_json, log_json, moved_headings, page_json
from held.serve.state import AppState, DocumentDep, StateDep
from held.serve.store import EXTRACT, Job
from held.system.bounded_json import JsonValue
from held.system.console import printable

router = APIRouter(prefix="/v1", tags=["documents"])

_MAX_OUTLINE_ENTRIES = 20_000  # the largest documents have some thousand headings

Version = Annotated[int, Query(ge=0, description="the version that the change was made for")]


@router.get("/documents/{id}")
def get_document(state: StateDep, job: DocumentDep) -> Json:
    """A document after its corrections: its pages and its headings."""
    return document_json(job, state.sessions.document(job.id))


@router.get("/documents/{id}/pages/{number}")
def get_page(state: StateDep, job: DocumentDep, number: int) -> Json:
    """The objects on a page, with their boxes in points from its top left."""
    return page_json(state.sessions.document(job.id), number)


@router.get("/documents/{id}/objects/{number}")
def get_object(state: StateDep, job: DocumentDep, number: int) -> Json:
    """An object with its whole text."""
    tree = state.sessions.document(job.id).tree
    if number not in tree.edited.index_of:
        raise HTTPException(404, f"there is no object {number}")
    item = tree.item(number)
    return {"object": number, "kind": item.kind.value, "page": item.page, "text": printable(item.text)}


@router.get("/documents/{id}/corrections")
def list_corrections(state: StateDep, job: DocumentDep) -> Json:
    """The corrections of a document, oldest first."""
    return log_json(state.sessions.document(job.id).log)


@router.post("/documents/{id}/corrections")
def correct(state: StateDep, job: DocumentDep, version: Version, body: Annotated[Json, Body()]) -> Json:
    """Correct a heading; the headings that nobody has corrected are inserted again around it.

    The body is the operation: {"op": "promote", "object": 41}. `op` is promote, demote, move (`under`: an
    object, or null for the top), delete, mark, confirm, join, split (`at`: a character), rename (`text`);
    with "alike": true it is done to all objects of that style. The answer is the document, with the headings
    that `moved` along, and how many others of this style the same correction could be done to (`offer`), with
    what each of these would become (`alike`).
    """
    correction = Correction.from_json(JsonValue(body))
    before = state.sessions.document(job.id)
    after = state.sessions.correct(job.id, correction, version=version)
    changed = _changed_json(state, job, before, after, besides=correction.obj)
    others = same_style_changes(correction, before)
    return {**changed, "offer": len(others), "alike": alike_json(others, before.tree)}


@router.post("/documents/{id}/undo")
def undo(state: StateDep, job: DocumentDep, version: Version) -> Json:
    """Undo the last correction."""
    before = state.sessions.document(job.id)
    after = state.sessions.undo(job.id, version=version)
    return _changed_json(state, job, before, after)


@router.post("/documents/{id}/redo")
def redo(state: StateDep, job: DocumentDep, version: Version) -> Json:
    """Redo the last undone correction."""
    before = state.sessions.document(job.id)
    after = state.sessions.redo(job.id, version=version)
    return _changed_json(state, job, before, after)


@router.put("/documents/{id}/outline")
async def replace_outline(state: StateDep, job: DocumentDep, version: Version, request: Request) -> Json:
    """Replace all headings by an outline: lines of level, page and title, separated by tabs.

    This is one correction, and can be undone. Entries that match no text of the document are left out.
    """
    content = await request.body()
    # In a thread: matching titles takes long, and the event loop serves all other clients.
    return await run_in_threadpool(_replace_outline, state, job, version, content)


def _replace_outline(state: AppState, job: Job, version: int, content: bytes) -> Json:
    # Matching takes time with the number of entries, and the body was bounded in bytes only.
    lines = read_outline(content, "outline")
    if len(lines) > _MAX_OUTLINE_ENTRIES:
        raise HTTPException(413, f"an outline may have {_MAX_OUTLINE_ENTRIES} entries")
    entries = [OutlineEntry(line.level, line.title, line.page, None) for line in lines]
    before = state.sessions.document(job.id)
    recognised = state.sessions.recognised_document(job.id)
    with state.slots.slot():
        outline = tree_from_bookmarks(recognised, entries)
    if outline is None:
        raise HTTPException(422, "no entry of the outline names a text of the document")
    after = state.sessions.replace_outline(job.id, outline, version=version)
    changed = _changed_json(state, job, before, after)
    return {**changed, "entries": len(entries), "found": len(outline.headings)}


@router.put("/documents/{id}/checked")
def set_checked(state: StateDep, job: DocumentDep, version: Version, value: bool = True) -> Json:
    """Mark the tree of this version as right: the document is kept as a labelled one, to train on."""
    document = state.sessions.document(job.id, version=version)
    content = labelled_content(labelled_document(job, document.tree.hierarchy)) if value else None
    updated = state.store.set_checked(job.id, content, version=version)
    return document_json(updated, document)


@router.get("/search")
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
    with state.slots.slot():
        return state.search.hits(q, jobs, k)


def _changed_json(
    state: AppState,
    job: Job,
    before: CorrectedDocument,
    after: CorrectedDocument,
    *,
    besides: int | None = None,
) -> Json:
    job = state.store.remove_stale_label(job.id)  # somebody must check the changed tree again
    moved = moved_headings(before, after, besides=besides)
    return {**document_json(job, after), "moved": moved}
