"""Runs on a Ray cluster, for millions of documents: only paths are sent, never the bytes of a document.

The driver groups the missing documents into parts of a data set; each part is one Ray task. The worker
reads each document in a limited child process, as everywhere, and writes the part itself. Ray repeats a
task whose worker or node has died. A part is named after its documents, so writing it twice does no harm.
If the driver is killed, the next run with `resume` does what is missing. The driver submits only as many
tasks as can run, so it stays small.
"""

from __future__ import annotations

import json
import os
import socket
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

from held.batch.runner import count_cores, run_task, task_from_json, task_to_json
from held.batch.sinks import DataSetSink, MalformedRowsError
from held.dataset.parts import DataSet, find_pdfs, local_copy, open_storage
from held.dataset.rows import hash_text, require_pyarrow
from held.errors import HeldError, InputError, UsageError
from held.exports.formats import ExportOptions
from held.extraction import ExtractOptions
from held.file_task import ROWS, FileTask, TaskOptions, TaskResult, hash_options
from held.system.console import ignore_progress
from held.system.optional_packages import missing_package

_MAX_DOCUMENTS_PER_PART = 100  # a lost worker repeats no more than these
_MIN_PARTS_PER_WORKER = 8  # smaller parts at the end, so that no worker waits long for the last one
_QUEUED_TASKS_PER_CPU = 1  # queued tasks make an autoscaling cluster grow
_MAX_RETRIES = 20  # of a part: machines kill workers often, documents seldom, as a child reads them
_TASK_NAME = "held.part"  # Ray names the worker process after it
_CONNECT_SECONDS = 10  # after which an address counts as wrong
_OBJECT_STORE_BYTES = 128 << 20  # only paths and counts pass through it
_MAX_FETCHED_BYTES = 1 << 30  # of one document
_COUNTS = ("done", "partial", "failed", "pages")


@dataclass(frozen=True, slots=True)
class Totals:
    """How many documents have which outcome, and how many pages they have."""

    documents: int = 0
    skipped: int = 0
    done: int = 0
    partial: int = 0
    failed: int = 0
    pages: int = 0

    def add(self, counts: Mapping[str, int]) -> Totals:
        """Return the totals with the counts of one more part."""
        added = {name: getattr(self, name) + int(counts[name]) for name in _COUNTS}
        return Totals(self.documents, self.skipped, **added)


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
    progress: Callable[[Totals], None] | None = None,
) -> Totals:
    """Extract PDFs into the data set at a path or URL; sources are files, folders, or URLs of either.

    address  of the Ray cluster, default RAY_ADDRESS; without one, this call starts a cluster on this machine
    workers  number of documents at a time; default: one per CPU
    resume   keep documents that the data set has from the same options, whatever their files contain now
    """
    require_pyarrow()
    task_options = TaskOptions(ROWS.name, options or ExtractOptions(), ExportOptions(max_tokens=max_tokens))
    options_hash = hash_options(task_options)
    found = [pdf for source in sources for pdf in find_pdfs(source)]
    if not found:
        raise InputError("contains no PDF", file=sources[0] if sources else None)
    data_set = DataSet.start_run(open_storage(output))
    missing = _find_missing(found, data_set, options_hash, resume=resume)
    totals = Totals(documents=len(found), skipped=len(found) - len(missing))
    if not missing:
        return totals
    with _connect(address, workers) as cluster:
        parallel = workers or cluster.count_cpus()
        order = WorkOrder(
            task_to_json(FileTask(Path("-"), "-", task_options)),
            output,
            data_set.run,
            options_hash,
            timeout,
            _MAX_FETCHED_BYTES,
            min(parallel, count_cores()),  # workers on other machines do not share this one's memory
        )
        for counts in cluster.run_parts(_split_into_parts(missing, parallel), order):
            totals = totals.add(counts)
            if progress is not None:
                progress(totals)
    return totals


def _find_missing(found: Sequence[str], data_set: DataSet, options_hash: str, *, resume: bool) -> list[str]:
    """Return the sources to do, without duplicates, and remove what the data set has of them."""
    stored = data_set.documents()
    missing = {}
    for source in found:
        document = stored.get(hash_text(source))
        if document is None or not (resume and document.is_done(options_hash)):
            missing[hash_text(source)] = source
    data_set.remove({id: document for id, document in stored.items() if id in missing})
    return list(missing.values())


def _split_into_parts(sources: Sequence[str], workers: int) -> Iterator[list[str]]:
    even_size = len(sources) // (workers * _MIN_PARTS_PER_WORKER)
    size = max(1, min(_MAX_DOCUMENTS_PER_PART, even_size))
    return (list(sources[start : start + size]) for start in range(0, len(sources), size))


@dataclass(frozen=True, slots=True)
class _Cluster:
    """A connected cluster; `workers` limits how many parts run at a time."""

    ray: Any
    workers: int | None

    def count_cpus(self) -> int:
        """Return the CPUs of the cluster now; nodes come and go."""
        return max(1, int(self.ray.cluster_resources().get("CPU", 1)))

    def run_parts(self, parts: Iterator[list[str]], order: WorkOrder) -> Iterator[dict[str, int]]:
        """Yield the counts of each part as it is done."""
        do = self.ray.remote(num_cpus=1, max_retries=_MAX_RETRIES)(do_part).options(name=_TASK_NAME)
        order_text = order.to_text()
        running: list[Any] = []
        while True:
            limit = self.workers or (1 + _QUEUED_TASKS_PER_CPU) * self.count_cpus()
            free = max(0, limit - len(running))
            running += [do.remote(order_text, part) for part in islice(parts, free)]
            if not running:
                return
            ended, running = self.ray.wait(running, num_returns=1)
            yield self._fetch_counts(ended[0])

    def _fetch_counts(self, ended: Any) -> dict[str, int]:
        try:
            counts: dict[str, int] = self.ray.get(ended)
        except self.ray.exceptions.RayError as error:
            # The last line of Ray's message is the error that was raised.
            cause = str(error).strip().rpartition("\n")[2]
            advice = "the same command with --resume continues where this one stopped"
            raise HeldError(f"the cluster gave up: {cause}", advice=advice) from error
        return counts


@contextmanager
def _connect(address: str | None, workers: int | None) -> Iterator[_Cluster]:
    """Connect to the cluster at an address, or start one on this machine."""
    ray = _import_ray()
    chosen = address or os.environ.get("RAY_ADDRESS")
    is_ours = not ray.is_initialized()
    if is_ours and chosen:
        _connect_to(ray, chosen)
    elif is_ours:
        # Ray gives workers a low priority, for the sake of people at a cluster's nodes. Here the workers
        # are this very command, and would starve next to anything busy.
        os.environ.setdefault("RAY_worker_niceness", "0")
        ray.init(
            address="local",  # a cluster of its own, even if another one runs on this machine
            num_cpus=workers or count_cores(),
            object_store_memory=_OBJECT_STORE_BYTES,
            include_dashboard=False,
            log_to_driver=False,
            logging_level="error",
        )
    try:
        yield _Cluster(ray, workers)
    finally:
        if is_ours:
            ray.shutdown()


def _connect_to(ray: Any, address: str) -> None:
    host, _, port = address.rpartition("://")[2].rpartition(":")
    try:
        if port.isdecimal():  # Ray itself would retry for minutes
            socket.create_connection((host, int(port)), _CONNECT_SECONDS).close()
        ray.init(address=address, log_to_driver=False, logging_level="error")
    except (OSError, ValueError, OverflowError, RuntimeError) as error:
        reason = str(error).partition("\n")[0]
        advice = "`ray start --head` starts a cluster and prints its address"
        raise UsageError(f"there is no Ray cluster at {address}: {reason}", advice=advice) from error


def _import_ray() -> Any:
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # Ray sends usage statistics by default
    try:
        import ray
        import ray.exceptions
    except ImportError as error:
        raise missing_package("a run on a cluster needs Ray", "ray") from error
    return ray


@dataclass(frozen=True, slots=True)
class WorkOrder:
    """What a Ray worker needs besides its sources, as plain data.

    task          a task as JSON, from which the options are taken
    output, run   the data set, and the name of the run that writes it
    options_hash  hash of the options, the model and the version
    timeout       seconds per document; None for no limit
    max_bytes     maximum size of a fetched document
    workers       number of workers that share a machine's memory
    """

    task: Mapping[str, Any]
    output: str
    run: str
    options_hash: str
    timeout: float | None = None
    max_bytes: int | None = None
    workers: int = 1

    def to_text(self) -> str:
        """Convert to text, which travels with each part: a restarted worker remembers nothing."""
        return json.dumps(asdict(self))


def do_part(order: str, sources: Sequence[str]) -> dict[str, int]:
    """Do the documents of a part, as a Ray task, and return how many documents and pages it has."""
    return _worker_for(order).do_part(sources)


@cache
def _worker_for(order: str) -> PartWorker:
    """Return the worker for an order; it is kept for the next part."""
    return PartWorker(WorkOrder(**json.loads(order)))


class PartWorker:
    """Does parts of a data set.

    It parses nothing itself. Its child process, with the loaded models, is kept from document to document.
    What kills the child costs one document; what kills this worker costs one part.
    """

    def __init__(self, order: WorkOrder) -> None:
        self._order = order
        self._options = task_from_json(dict(order.task)).options
        self._data_set = DataSet(open_storage(order.output), order.run)

    def do_part(self, sources: Sequence[str]) -> dict[str, int]:
        """Do the documents of a part and write it."""
        sink = DataSetSink(
            self._data_set,
            self._options,
            options_hash=self._order.options_hash,
            documents_per_part=len(sources),
        )
        counts = Counter(dict.fromkeys(_COUNTS, 0))
        for source in sources:
            task = FileTask(Path(source), source, self._options, jobs=1)
            try:
                result = self._run(source)
            except HeldError as error:
                sink.store_failure(task, error)
                counts["failed"] += 1
                continue
            try:
                sink.store(task, result)
            except MalformedRowsError:  # the sink has stored the document as failed
                counts["failed"] += 1
                continue
            counts[result.status] += 1
            counts["pages"] += result.counts.pages
        sink.flush()
        return dict(counts)

    def _run(self, source: str) -> TaskResult:
        order = self._order
        with local_copy(source, max_bytes=order.max_bytes) as file:
            task = FileTask(file, source, self._options, jobs=1)
            return run_task(task, ignore_progress, timeout=order.timeout, workers=order.workers, keep=True)
