"""The queue and those who work it off: threads that each wait for one child at a time.

What waits stands in the store, so it survives the server. A job whose child was killed is done once more,
then it has failed, with the reason.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping
from typing import NamedTuple

from held.serve.settings import Limits
from held.serve.store import MOST_ATTEMPTS, Job, Status, Store, notes_json
from held.serve.work import WorkError, extract
from held.system.atomic_write import write_whole
from held.system.processes.pool import Tell

_SECONDS_BETWEEN_LOOKS = 5.0  # at the queue, if nobody calls
RETRY_AFTER_SECONDS = 10


class Reached(NamedTuple):
    """How far a job is in its stage."""

    stage: str
    done: int
    total: int


Work = Callable[[Job, Tell], None]
"""Does a job of one kind and settles it; a `WorkError` is settled for it."""


class Runner:
    """The threads that work."""

    def __init__(self, store: Store, limits: Limits, kinds: Mapping[str, Work]) -> None:
        self._store, self._limits = store, limits
        self._kinds = kinds
        self._called = threading.Condition()
        self._stopping = False
        self._reached: dict[str, Reached] = {}
        self._threads: list[threading.Thread] = []

    def start(self) -> None:
        """Takes up what was left, and begins."""
        self._store.take_up_again(interrupted=True)
        for number in range(self._limits.workers):
            thread = threading.Thread(target=self._work, name=f"held-worker-{number}", daemon=True)
            self._threads.append(thread)
            thread.start()

    def stop(self) -> None:
        """Begins no other job; those at work will be begun anew, and their children end with this process."""
        with self._called:
            self._stopping = True
            self._called.notify_all()
        self._store.take_up_again(interrupted=False)

    def call(self) -> None:
        """Tells the threads that something waits."""
        with self._called:
            self._called.notify()

    def reached(self, id: str) -> Reached | None:
        """How far a job at work is."""
        return self._reached.get(id)

    def _work(self) -> None:
        while not self._stopping:
            job = self._store.claim()
            if job is None:
                with self._called:
                    self._called.wait(_SECONDS_BETWEEN_LOOKS)
                continue
            try:
                self._kinds[job.kind](job, self._teller(job.id))
            except WorkError as error:
                self._settle_failure(job, error)
            except Exception as error:  # one job must not end the others
                self._settle_failure(job, WorkError(f"a fault in held: {error!r}", code=500))
            finally:
                self._reached.pop(job.id, None)

    def _teller(self, id: str) -> Tell:
        def tell(stage: str, done: int, total: int) -> None:
            self._reached[id] = Reached(stage, done, total)

        return tell

    def _settle_failure(self, job: Job, error: WorkError) -> None:
        if self._stopping:
            return  # its child ended with the server: it waits already
        if error.killed and job.attempts < MOST_ATTEMPTS:
            self._store.settle(job.id, Status.QUEUED, reason=error.reason)
            return
        self._store.settle(job.id, Status.FAILED, reason=error.reason, code=error.code)


def extraction(store: Store, limits: Limits, *, model: Callable[[Job], str]) -> Work:
    """The work of extracting a document."""

    def work(job: Job, tell: Tell) -> None:
        found = extract(store.file(job.id), json.loads(job.options), limits, tell, model=model(job))
        write_whole(store.tree(job.id), found.content)
        store.settle(
            job.id,
            Status.PARTIAL if found.lost else Status.DONE,
            pages=found.pages,
            objects=found.objects,
            headings=found.headings,
            notes=notes_json(found.notes),
            source_hash=found.source_hash,
            reason=None,
        )

    return work
