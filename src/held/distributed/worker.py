"""What a worker of a cluster does: one part of the data set after another, each document in a limited child.

The worker itself parses nothing. Its child is kept from document to document, with the models that it has
loaded; what kills the child costs one document, what kills the worker costs the part that it was at.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from typing import Any

from held.batch.dataset import Gathered, document_rows
from held.batch.request import Options, Task
from held.batch.task import Failed, Outcome
from held.batch.worker import outcome_of as outcome_of_event
from held.batch.worker import program_for, task_from_json, task_to_json
from held.dataset.parts import DataSet
from held.dataset.places import at_hand, place_of
from held.errors import HeldError
from held.system.console import ignore_progress
from held.system.worker_pool import run_request
from held.system.worker_process import WorkerSpec

COUNTS = ("done", "partial", "failed", "pages")


@dataclass(frozen=True, slots=True)
class Order:
    """All that a worker has to know beside its sources; as plain data it can go to another machine.

    options       what is asked for of each document
    output, run   the data set, and the name of the run that writes it
    maker         the hash of the options, the model and the version
    seconds       that a document may take, None for no limit
    most_bytes    that a document may have to be fetched
    share         how many workers share the memory of a machine
    """

    options: Mapping[str, Any]
    output: str
    run: str
    maker: str
    seconds: float | None = None
    most_bytes: int | None = None
    share: int = 1

    def to_text(self) -> str:
        """The order as it travels with each part: a worker that is started anew has lost what it knew."""
        return json.dumps(asdict(self))


def do_part(order: str, sources: Sequence[str]) -> dict[str, int]:
    """Does a part, as a task of the cluster; how many documents and pages came out of it."""
    return _at(order).do_part(sources)


class AtWork:
    """A worker that follows an order."""

    def __init__(self, order: Order) -> None:
        self._order = order
        self._program: WorkerSpec = program_for(order.share)
        self._options: Options = task_from_json(dict(order.options)).options
        self._data_set = DataSet(place_of(order.output), order.run)

    def do_part(self, sources: Sequence[str]) -> dict[str, int]:
        """Does the documents of a part and writes it."""
        gathered = Gathered(self._data_set, documents=len(sources))
        counts = dict.fromkeys(COUNTS, 0)
        for source in sources:
            outcome = self._outcome(source)
            model = self._options.extraction.model
            rows = document_rows(source, outcome, model=model, maker=self._order.maker)
            gathered.add(rows)
            (own,) = rows["documents"]
            counts[own["status"]] += 1
            counts["pages"] += own.get("pages") or 0
        gathered.write()
        return counts

    def _outcome(self, source: str) -> Outcome:
        """What becomes of a document, whatever happens to it."""
        try:
            with at_hand(source, most_bytes=self._order.most_bytes) as file:
                task = Task(file, source, self._options, jobs=1)
                event = run_request(
                    self._program, task_to_json(task), ignore_progress, seconds=self._order.seconds, keep=True
                )
                return outcome_of_event(event, task)
        except HeldError as error:
            return Failed(error)


@cache
def _at(order: str) -> AtWork:
    """The work on an order, kept: whatever it has at hand serves the next part, too."""
    return AtWork(Order(**json.loads(order)))
