"""All parts of a server, put together: the store, the queue, the desks and the search."""

from __future__ import annotations

import threading
import time
from contextlib import suppress
from pathlib import Path

from held.errors import HeldError
from held.hierarchy.pipeline import TreeOptions, score_headings
from held.serial import hash_of
from held.serve.edit_sessions import Desks
from held.serve.jobs import Runner, extraction
from held.serve.searching import Searcher
from held.serve.settings import Settings
from held.serve.store import Job, Store
from held.serve.teaching import KIND, teaching


class Server:
    """A server's parts; `start` and `stop` are those of its life."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.started = time.time()
        self.store = Store(settings.work)
        self.desks = Desks(self.store, model=lambda id: self.model_of(self.store.job(id)))
        self.searcher = Searcher(self.desks)
        work = {
            "extract": extraction(self.store, settings.limits, model=self.model_of),
            KIND: teaching(self.store, model=settings.model),
        }
        self.runner = Runner(self.store, settings.limits, work)

    def start(self) -> None:
        """Takes up what was left."""
        self.runner.start()
        threading.Thread(target=self._load_model, name="held-model", daemon=True).start()

    def stop(self) -> None:
        """Ends the work, so that it can be taken up again."""
        self.runner.stop()
        self.store.close()

    def _load_model(self) -> None:
        """Have the model at hand before the first document is opened, which would wait for it."""
        with suppress(HeldError):  # whoever opens a document is told
            score_headings([], TreeOptions(model=self.settings.model))

    def model_of(self, job: Job) -> str:
        """The model that a job asks for: one that ships, or one that was taught here, never another path."""
        name = job.option("model")
        taught = self.store.folder / "models" / str(name)
        if name and taught.is_dir() and taught.parent == self.store.folder / "models":
            return str(taught)
        return self.settings.model

    def models(self) -> list[str]:
        """The names of the models that were taught here, the newest first."""
        return [job.id for job in self.store.jobs() if job.kind == KIND and job.has_result]

    def right_documents(self) -> int:
        """How many documents were called right."""
        return sum(job.checked for job in self.store.jobs())

    def take(self, pdf: Path) -> Job:
        """The job for a file of this machine: the one that there was, or a new one."""
        content_hash = hash_of(pdf)
        known = self.store.known(content_hash)
        if known is not None:
            return known
        with pdf.open("rb") as file:
            id = self.store.keep(file)
        job = self.store.add(pdf.name, {}, id=id)
        self.store.change(id, source_hash=content_hash)
        self.runner.call()
        return job
