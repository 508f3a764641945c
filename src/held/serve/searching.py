"""Questions to the documents of a server: those of one, or of all that have a tree."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from held.retrieval.index import OneFile
from held.retrieval.packing import Entry, entry_of
from held.retrieval.search import hits_in
from held.serve.edit_sessions import Desks
from held.serve.store import Job

_AT_HAND = 16  # documents whose passages are kept


class Searcher:
    """Passages that answer, with the document that they stand in. Any thread may use it."""

    def __init__(self, desks: Desks) -> None:
        self._desks = desks
        self._entries: OrderedDict[tuple[str, int], Entry] = OrderedDict()
        self._lock = threading.Lock()

    def hits(self, query: str, jobs: Sequence[Job], k: int) -> list[dict[str, Any]]:
        """The k passages that answer best, best first."""
        found = [
            {**asdict(hit), "source": job.name, "document": job.id}
            for job in jobs
            for hit in hits_in(OneFile(job.name, self._entry(job)), query, k=k)
        ]
        return sorted(found, key=lambda hit: -float(hit["score"]))[:k]

    def _entry(self, job: Job) -> Entry:
        shown = self._desks.shown(job.id)
        key = job.id, shown.log.version
        with self._lock:
            if key not in self._entries:
                self._entries[key] = entry_of(shown.laid.hierarchy)
            self._entries.move_to_end(key)
            while len(self._entries) > _AT_HAND:
                self._entries.popitem(last=False)
            return self._entries[key]
