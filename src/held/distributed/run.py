"""A run on a cluster: what is missing in a data set is grouped into parts, and Ray Data hands these out.

Ray starts a worker anew that has died, and gives its part to it, or to another one; a part has a name that is
made of its documents, so done twice it is there once. A run whose driver was killed is begun again: what is
in the data set stays, all else is done.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
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
from held.distributed.worker import COUNTS, ORDER, SOURCES, Order, Worker
from held.errors import HeldError, InputError, UsageError
from held.extraction import Extraction
from held.forms import Writing

_MOST_DOCUMENTS_OF_A_PART = 100
_PARTS_PER_WORKER = 8  # at least, so that none waits long for the last one
_MOST_PARTS_AT_A_TIME = 2_000  # Ray keeps an object for each: a million documents must not fill the driver
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
    options: Extraction | None = None,
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
    wanted = Options(ROWS.name, options or Extraction(), Writing(max_tokens=max_tokens))
    maker = hash_of_options(wanted)
    found = [pdf for source in sources for pdf in pdfs_below(source)]
    if not found:
        raise InputError("has no PDF", file=sources[0] if sources else None)
    data_set = DataSet.begun(place_of(output))
    missing = _missing(found, data_set, maker, resume=resume)
    totals = Totals(documents=len(found), skipped=len(found) - len(missing))
    if not missing:
        return totals
    with _cluster(address, workers) as count:
        plain = task_to_json(Task(Path("-"), "-", wanted))
        order = Order(plain, output, data_set.run, maker, timeout, _MOST_FETCHED, min(count, cores()))
        for row in _done(missing, order, count):
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


def _done(sources: Sequence[str], order: Order, workers: int) -> Iterator[dict[str, int]]:
    """The counts of each part, in the order in which they are done."""
    size = max(1, min(_MOST_DOCUMENTS_OF_A_PART, len(sources) // (workers * _PARTS_PER_WORKER)))
    parts = [list(sources[start : start + size]) for start in range(0, len(sources), size)]
    for start in range(0, len(parts), _MOST_PARTS_AT_A_TIME):
        yield from _handed_out(parts[start : start + _MOST_PARTS_AT_A_TIME], order, workers)


def _handed_out(parts: Sequence[Sequence[str]], order: Order, workers: int) -> Iterator[dict[str, int]]:
    import ray.data
    import ray.exceptions

    told = order.to_text()
    rows = [{ORDER: told, SOURCES: list(part)} for part in parts]
    # A block for each part: Ray gives out, and does again, whole blocks.
    given = ray.data.from_items(rows, override_num_blocks=len(rows))
    done = given.map_batches(
        Worker,
        batch_size=1,
        num_cpus=1,
        compute=ray.data.ActorPoolStrategy(size=min(workers, len(rows))),
    )
    try:
        yield from done.iter_rows()
    except ray.exceptions.RayError as error:
        advice = "the same command with --resume goes on where this one stopped"
        raise HeldError(f"the cluster gave up: {_cause(error)}", advice=advice) from error


def _cause(error: Exception) -> str:
    """What Ray says in the last line, which is what was raised."""
    return str(error).strip().rpartition("\n")[2]


@contextmanager
def _cluster(address: str | None, workers: int | None) -> Iterator[int]:
    """A connection to a cluster; how many workers it is to have."""
    ray = _ray()
    where = address or os.environ.get("RAY_ADDRESS")
    mine = not ray.is_initialized()
    if mine and where:
        ray.init(address=where, log_to_driver=False, logging_level="error")
    elif mine:
        ray.init(
            num_cpus=workers or cores(),
            object_store_memory=_OBJECT_STORE,
            include_dashboard=False,
            log_to_driver=False,
            logging_level="error",
        )
    _quiet()
    try:
        yield workers or max(1, int(ray.cluster_resources().get("CPU", 1)))
    finally:
        if mine:
            ray.shutdown()


def _ray() -> Any:
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # nothing goes out that nobody asked for
    try:
        import ray
        import ray.data
    except ImportError as error:
        raise UsageError("a run on a cluster needs Ray", advice="pip install 'held[ray]'") from error
    return ray


def _quiet() -> None:
    """Ray Data draws bars and logs its plan; who calls is told by `tell` alone."""
    import logging

    import ray.data

    context = ray.data.DataContext.get_current()
    context.enable_progress_bars = False
    context.print_on_execution_start = False
    logging.getLogger("ray.data").setLevel(logging.ERROR)
