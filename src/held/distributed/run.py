"""A run on a cluster: what is missing in a data set is grouped into parts, and each part is a task of Ray.

Ray does a task again whose worker or node has died; a part has a name that is made of its documents, so done
twice it is there once. A run whose driver was killed is begun again: what is in the data set stays, all else
is done. Only as many tasks are handed out as can be worked on, so that a driver of a million documents stays
small.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from held.batch.request import Options, Task
from held.batch.results import hash_of_options
from held.batch.task import ROWS
from held.batch.work import cores
from held.batch.worker import task_to_json
from held.dataset.parquet import require_pyarrow
from held.dataset.parts import DataSet
from held.dataset.places import pdfs_below, place_of
from held.dataset.rows import document_id
from held.distributed.worker import COUNTS, Order, do_part
from held.errors import HeldError, InputError, UsageError
from held.exports.formats import ExportOptions
from held.extraction import ExtractOptions

_MOST_DOCUMENTS_OF_A_PART = 100
_PARTS_PER_WORKER = 8  # at least, so that none waits long for the last one
_WAITING_FOR_EACH_CPU = 1  # a task that waits tells a cluster that can grow to do so
_TRIES = 20  # of a part: it is machines that end a worker, and seldom what it reads, for a child does that
_TASK = "held.part"  # what Ray calls a worker that does one
_SECONDS_TO_CONNECT = 10
_OBJECT_STORE = 128 << 20  # bytes: only paths and counts go through it
_MOST_FETCHED = 1 << 30  # bytes of a document that comes from a store


@dataclass(frozen=True, slots=True)
class Totals:
    """What became of all documents."""

    documents: int = 0
    skipped: int = 0
    done: int = 0
    partial: int = 0
    failed: int = 0
    pages: int = 0

    def plus(self, row: dict[str, int]) -> Totals:
        """The totals with those of one more part."""
        return Totals(
            self.documents, self.skipped, *(getattr(self, name) + int(row[name]) for name in COUNTS)
        )


Told = Callable[[Totals], None]


def extract(
    sources: Sequence[str],
    output: str,
    options: ExtractOptions | None = None,
    *,
    max_tokens: int | None = None,
    address: str | None = None,
    workers: int | None = None,
    timeout: float | None = None,
    resume: bool = False,
    tell: Told | None = None,
) -> Totals:
    """Extract PDFs, folders of them, or URLs of either, into the data set at a path or a URL.

    `address` is that of a Ray cluster, or RAY_ADDRESS has it; without one a cluster of this machine is
    started and ended. `workers` is how many documents are worked on at a time: else one on each CPU. With
    `resume`, documents that the data set has from the same options are left alone, whatever their files hold.
    """
    require_pyarrow()
    wanted = Options(ROWS.name, options or ExtractOptions(), ExportOptions(max_tokens=max_tokens))
    maker = hash_of_options(wanted)
    found = [pdf for source in sources for pdf in pdfs_below(source)]
    if not found:
        raise InputError("has no PDF", file=sources[0] if sources else None)
    data_set = DataSet.begun(place_of(output))
    missing = _missing(found, data_set, maker, resume=resume)
    totals = Totals(documents=len(found), skipped=len(found) - len(missing))
    if not missing:
        return totals
    with _cluster(address, workers) as cluster:
        plain = task_to_json(Task(Path("-"), "-", wanted))
        share = min(workers or cluster.cpus(), cores())
        order = Order(plain, output, data_set.run, maker, timeout, _MOST_FETCHED, share)
        for row in cluster.done(_parts(missing, workers or cluster.cpus()), order):
            totals = totals.plus(row)
            if tell is not None:
                tell(totals)
    return totals


def _missing(found: Sequence[str], data_set: DataSet, maker: str, *, resume: bool) -> list[str]:
    """The sources that are to be done; what the data set had of these is forgotten."""
    known = data_set.documents()
    by_id = {document_id(source): source for source in found}  # named twice, a document is one
    done = {id for id, own in known.items() if resume and own.is_done_with(maker)}
    wanted = {id: source for id, source in by_id.items() if id not in done}
    data_set.forget({id: own for id, own in known.items() if id in wanted})
    return list(wanted.values())


def _parts(sources: Sequence[str], workers: int) -> Iterator[list[str]]:
    """The sources of each part."""
    size = max(1, min(_MOST_DOCUMENTS_OF_A_PART, len(sources) // (workers * _PARTS_PER_WORKER)))
    return (list(sources[start : start + size]) for start in range(0, len(sources), size))


@dataclass(frozen=True, slots=True)
class _Cluster:
    """A cluster that this process is connected to; `workers` is how many parts it may do at a time."""

    ray: Any
    workers: int | None

    def cpus(self) -> int:
        """How many it has now; nodes come and go."""
        return max(1, int(self.ray.cluster_resources().get("CPU", 1)))

    def done(self, parts: Iterator[list[str]], order: Order) -> Iterator[dict[str, int]]:
        """The counts of each part, in the order in which they are done."""
        do = self.ray.remote(num_cpus=1, max_retries=_TRIES)(do_part).options(name=_TASK)
        told = order.to_text()
        running: list[Any] = []
        while True:
            free = self._most_at_a_time() - len(running)
            running += [do.remote(told, part) for part in islice(parts, max(0, free))]
            if not running:
                return
            ended, running = self.ray.wait(running, num_returns=1)
            yield self._counts(ended[0])

    def _most_at_a_time(self) -> int:
        return self.workers or (1 + _WAITING_FOR_EACH_CPU) * self.cpus()

    def _counts(self, ended: Any) -> dict[str, int]:
        try:
            counts: dict[str, int] = self.ray.get(ended)
        except self.ray.exceptions.RayError as error:
            advice = "the same command with --resume goes on where this one stopped"
            raise HeldError(f"the cluster gave up: {_cause(error)}", advice=advice) from error
        return counts


def _cause(error: Exception) -> str:
    """What Ray says in the last line, which is what was raised."""
    return str(error).strip().rpartition("\n")[2]


@contextmanager
def _cluster(address: str | None, workers: int | None) -> Iterator[_Cluster]:
    """A connection to a cluster, that of an address or one of this machine."""
    ray = _ray()
    where = address or os.environ.get("RAY_ADDRESS")
    mine = not ray.is_initialized()
    if mine and where:
        _connect(ray, where)
    elif mine:
        # Ray starts workers with the lowest priority but a few, for those who sit at a node of a cluster.
        # Here they are this very command: without it they would starve beside anything that is busy.
        os.environ.setdefault("RAY_worker_niceness", "0")
        ray.init(
            address="local",  # a cluster of its own, even where another one runs on this machine
            num_cpus=workers or cores(),
            object_store_memory=_OBJECT_STORE,
            include_dashboard=False,
            log_to_driver=False,
            logging_level="error",
        )
    try:
        yield _Cluster(ray, workers)
    finally:
        if mine:
            ray.shutdown()


def _connect(ray: Any, address: str) -> None:
    """Connects to the cluster at an address, or says in a line that there is none."""
    advice = "`ray start --head` on a machine makes a cluster, and tells its address"
    host, _, port = address.rpartition("://")[2].rpartition(":")
    try:
        if port.isdecimal():  # Ray itself would try for minutes
            socket.create_connection((host, int(port)), _SECONDS_TO_CONNECT).close()
        ray.init(address=address, log_to_driver=False, logging_level="error")
    except (OSError, ValueError, OverflowError, RuntimeError) as error:
        reason = str(error).partition("\n")[0]
        raise UsageError(f"there is no Ray cluster at {address}: {reason}", advice=advice) from error


def _ray() -> Any:
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # nothing goes out that nobody asked for
    try:
        import ray
        import ray.exceptions
    except ImportError as error:
        raise UsageError("a run on a cluster needs Ray", advice="pip install 'held[ray]'") from error
    return ray
