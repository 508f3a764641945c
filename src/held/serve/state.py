"""The state that the routes of a server share: the store, the job queue, the edit sessions and the search.

The dependencies at the end (FastAPI) pass the state, and the job or document of the path, to a route.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

from anyio import CapacityLimiter
from fastapi import Depends, HTTPException, Request

from held.errors import HeldError
from held.hierarchy.pipeline import TreeOptions, score_headings
from held.retrieval.document_index import IndexEntry, build_entry
from held.retrieval.engine import SingleDocument
from held.retrieval.search import search_documents
from held.serve.bounded_work import BoundedCache, ImageFolder, WorkSlots
from held.serve.downloads import Downloads
from held.serve.edit_sessions import EditSessions
from held.serve.job_queue import JobQueue, job_handlers
from held.serve.settings import MEGABYTE, Settings
from held.serve.store import TRAIN, DocumentGoneError, Job, JobStore, Status
from held.system.bounded_json import file_sha256
from held.system.console import printable_values

_MAX_SEARCH_ENTRIES = 16  # documents whose passages stay in memory
_RUNNING_TASKS = 2  # pages, exports and searches at a time; the first two may take a process each
_WAITING_TASKS = 24  # fewer than the threads that answer requests, so that others are answered meanwhile
_HEALTH_THREADS = 4
_MAX_IMAGE_BYTES = 512 * MEGABYTE


class AppState:
    """The parts of a running server."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.started = time.time()
        self.store = JobStore(settings.work)
        self.sessions = EditSessions(self.store, model=lambda id: self.model_of(self.store.job(id)))
        self.search = DocumentSearch(self.sessions)
        self.health_threads = CapacityLimiter(_HEALTH_THREADS)
        self.slots = WorkSlots(running=_RUNNING_TASKS, waiting=_WAITING_TASKS)
        self.images = ImageFolder(self.store.pages_folder, _MAX_IMAGE_BYTES)
        self.downloads = Downloads(self.store, self.sessions, settings.limits, self.slots)
        handlers = job_handlers(
            self.store, settings.limits, job_model=self.model_of, base_model=settings.model
        )
        self.queue = JobQueue(self.store, settings.limits, handlers)

    def start(self) -> None:
        """Starts the job queue, and loads the model in the background."""
        self.queue.start()
        loader = threading.Thread(target=self._load_model, name="held-model", daemon=True)
        loader.start()

    def stop(self) -> None:
        """Stops the job queue; unfinished jobs run when the server starts again."""
        self.queue.stop()
        self.store.close()

    def _load_model(self) -> None:
        # The first document that is opened would wait for it. Errors are reported there.
        with suppress(HeldError):
            score_headings([], TreeOptions(model=self.settings.model))

    def model_of(self, job: Job) -> str:
        """The model of a job: one trained here, otherwise the server's. Other paths are never used."""
        name = job.option("model")
        if not name:
            return self.settings.model
        folder = self.store.models_folder / str(name)
        # The name came with a request: "../x" must not lead out of the folder.
        is_inside = folder.parent == self.store.models_folder
        return str(folder) if is_inside and folder.is_dir() else self.settings.model

    def trained_models(self) -> list[str]:
        """The names of the models that were trained here, newest first."""
        return [job.id for job in self.store.jobs() if job.kind == TRAIN and job.has_result]

    def checked_documents(self) -> int:
        """How many documents were marked as right."""
        return sum(job.checked for job in self.store.jobs())

    def add_file(self, pdf: Path, *, name: str = "") -> Job:
        """The job for a file of this machine: the existing one, or a new one."""
        content_hash = file_sha256(pdf)
        existing = self.store.find(content_hash)
        if existing is not None:
            return existing
        # A copy: the corrections refer to this content, whatever becomes of the user's file.
        with pdf.open("rb") as file:
            id = self.store.save_pdf(file)
        job = self.store.add(name or pdf.name, {}, id=id)
        self.store.update(id, source_hash=content_hash)
        self.queue.notify()
        return job


class DocumentSearch:
    """Searches documents as corrections leave them. Safe for any thread."""

    def __init__(self, sessions: EditSessions) -> None:
        self._sessions = sessions
        self._entries: BoundedCache[IndexEntry] = BoundedCache(_MAX_SEARCH_ENTRIES, size_of=lambda _: 1)

    def hits(self, query: str, jobs: Sequence[Job], k: int) -> list[dict[str, Any]]:
        """The k best passages of these documents, as JSON objects, best first."""
        found = []
        for job in jobs:
            try:
                entry = self._entry(job)
            except DocumentGoneError:
                continue
            engine = SingleDocument(job.name, entry)
            names = {"source": job.name, "document": job.id}
            hits = search_documents(engine, query, k=k)
            found += [asdict(hit) | names for hit in hits]
        found.sort(key=lambda hit: -float(hit["score"]))  # probabilities, so documents can be compared
        return [printable_values(hit) for hit in found[:k]]

    def _entry(self, job: Job) -> IndexEntry:
        document = self._sessions.document(job.id)
        key = job.id, document.log.version  # each correction makes another entry
        entry = self._entries.get(key)
        if entry is None:
            # Not under a lock: one long document must not block the search of others.
            entry = build_entry(document.tree.hierarchy)
            self._entries.put(key, entry)
        return entry


# FastAPI runs a dependency that is not `async` in a thread, which these two need not wait for.
async def _state(request: Request) -> AppState:
    state = request.app.state.held
    assert isinstance(state, AppState)
    return state


StateDep = Annotated[AppState, Depends(_state)]


def _job(id: str, state: StateDep) -> Job:
    try:
        return state.store.job(id)
    except DocumentGoneError:
        raise HTTPException(404, f"there is no job {id!r}") from None


JobDep = Annotated[Job, Depends(_job)]


async def _finished_job(job: JobDep) -> Job:
    """The job that a path names, if it has a result."""
    if job.status == Status.FAILED:
        raise HTTPException(job.code or 422, job.reason)
    if not job.has_result:
        raise HTTPException(409, f"the job is {job.status}")
    return job


DocumentDep = Annotated[Job, Depends(_finished_job)]
