"""The queue without a network: what is killed is done once more, what takes too long has failed."""

from __future__ import annotations

import errno
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from held.document import Note
from held.errors import InputError, UsageError
from held.serve import job_queue
from held.serve.job_queue import JobQueue
from held.serve.settings import ServerLimits
from held.serve.store import FINISHED, Job, JobStore, QueueFullError, Status, display_name, notes_to_json
from held.serve.worker_client import WorkerError, extract_tree
from held.system.console import StageProgress
from tests.waiting import PATIENCE


class Watched(JobStore):
    """A store that says when a job has ended."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.settled = threading.Event()

    def settle(self, id: str, status: Status, **values: Any) -> Job:
        job = super().settle(id, status, **values)
        if status in FINISHED:
            self.settled.set()
        return job


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Watched]:
    with closing(Watched(tmp_path)) as opened:
        yield opened


def ran(store: Watched, outcome: Callable[[Job], None]) -> Job:
    """A job of which the work has this outcome, once it has ended."""
    job = store.add("a.pdf", {})
    queue = JobQueue(store, ServerLimits(), {"extract": lambda job, tell: outcome(job)})
    queue.start()
    assert store.settled.wait(PATIENCE)
    queue.stop()
    return store.job(job.id)


def test_a_killed_job_is_done_once_more(store: Watched) -> None:
    def outcome(job: Job) -> None:
        if job.attempts == 1:
            raise WorkerError("was killed", code=500, killed=True)
        store.settle(job.id, Status.DONE)

    assert ran(store, outcome).attempts == 2


def test_a_job_that_is_killed_twice_has_failed_with_its_reason(store: Watched) -> None:
    def outcome(job: Job) -> None:
        raise WorkerError("was killed", code=500, killed=True)

    job = ran(store, outcome)
    assert (job.status, job.reason, job.attempts) == (Status.FAILED, "was killed", 2)


def test_a_reason_with_half_a_character_ends_its_job_too(store: Watched) -> None:
    def outcome(job: Job) -> None:
        raise WorkerError("cannot read \ud800", code=422)

    assert ran(store, outcome).reason == "cannot read \ufffd"


def test_notes_with_half_a_character_are_stored(store: Watched) -> None:
    def outcome(job: Job) -> None:
        store.settle(job.id, Status.DONE, notes=notes_to_json((Note(1, "\ud800"),)))

    assert ran(store, outcome).status == Status.DONE


def test_a_fault_of_ours_fails_one_job_and_ends_nothing(store: Watched) -> None:
    def outcome(job: Job) -> None:
        raise ZeroDivisionError

    assert "a fault in held" in (ran(store, outcome).reason or "")


def test_a_store_that_fails_for_a_while_loses_no_outcome(store: Watched) -> None:
    failures = iter([sqlite3.OperationalError("disk I/O error"), OSError(errno.ENOSPC, "no space")])
    settle = store.settle

    def settle_at_last(id: str, status: Status, **values: Any) -> Job:
        for failure in failures:
            raise failure
        return settle(id, status, **values)

    store.settle = settle_at_last  # type: ignore[method-assign]

    def outcome(job: Job) -> None:
        raise WorkerError("is no PDF", code=415)

    job = ran(store, outcome)
    assert (job.status, job.reason) == (Status.FAILED, "is no PDF")


def test_a_full_disk_is_the_reason_of_a_job_that_cannot_write(store: Watched) -> None:
    def outcome(job: Job) -> None:
        raise OSError(errno.ENOSPC, "no space")

    job = ran(store, outcome)
    assert (job.code, job.reason) == (507, "the disk is full")


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_thread_that_ended_is_replaced(store: Watched, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(job_queue, "_POLL_SECONDS", 0.01)
    claim = store.claim
    deaths = iter([SystemExit()])  # ends a thread silently

    def claim_after_death() -> Job | None:
        for death in deaths:
            raise death
        return claim()

    monkeypatch.setattr(store, "claim", claim_after_death)

    def outcome(job: Job) -> None:
        store.settle(job.id, Status.DONE)

    assert ran(store, outcome).status == Status.DONE


def test_a_server_that_starts_with_a_full_disk_works_once_there_is_space(
    store: Watched, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(job_queue, "_POLL_SECONDS", 0.01)
    failures = iter([sqlite3.OperationalError("database or disk is full")])
    requeue = store.requeue_running

    def requeue_at_last(*, after_crash: bool) -> None:
        for failure in failures:
            raise failure
        requeue(after_crash=after_crash)

    monkeypatch.setattr(store, "requeue_running", requeue_at_last)

    def outcome(job: Job) -> None:
        store.settle(job.id, Status.DONE)

    assert ran(store, outcome).status == Status.DONE


def test_a_damaged_database_is_an_error_that_names_it(tmp_path: Path) -> None:
    (tmp_path / "held.sqlite").write_bytes(b"no database" * 100)
    with pytest.raises(InputError, match=r"held\.sqlite: cannot be opened: file is not a database"):
        JobStore(tmp_path)


def test_a_running_job_is_not_removed(store: Watched) -> None:
    job = store.add("a.pdf", {})
    store.claim()
    assert not store.remove(job.id)
    store.settle(job.id, Status.DONE)
    assert store.remove(job.id)


def test_a_job_that_is_deleted_as_soon_as_it_is_done_was_done(
    store: Watched, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = store.add("a.pdf", {})
    read_job = store.job

    other = threading.Thread(target=store.remove, args=[job.id])

    def read_while_another_deletes(id: str) -> Job:
        other.start()
        other.join(0.1)  # it must wait until the job is read
        return read_job(id)

    monkeypatch.setattr(store, "job", read_while_another_deletes)
    assert store.settle(job.id, Status.DONE).status == Status.DONE
    other.join()


def test_no_more_jobs_wait_than_may_wait(store: Watched) -> None:
    store.add("a.pdf", {}, max_queued=1)
    with pytest.raises(QueueFullError):
        store.add("b.pdf", {}, max_queued=1)


def test_a_job_that_was_at_work_in_a_crash_waits_again_but_not_for_ever(store: Watched) -> None:
    job = store.add("a.pdf", {})
    store.claim()
    store.requeue_running(after_crash=True)
    assert store.job(job.id).status == Status.QUEUED
    store.claim()
    store.requeue_running(after_crash=True)
    assert store.job(job.id).status == Status.FAILED


def test_a_clean_end_is_no_attempt(store: Watched) -> None:
    job = store.add("a.pdf", {})
    for _ in range(3):
        store.claim()
        store.requeue_running(after_crash=False)
    assert (store.job(job.id).status, store.job(job.id).attempts) == (Status.QUEUED, 0)


def test_jobs_are_claimed_in_the_order_they_came(store: Watched) -> None:
    ids = [store.add(f"{n}.pdf", {}).id for n in range(5)]
    claimed = [job.id for job in iter(store.claim, None) if job is not None]
    assert claimed == ids


def test_totals_count_the_jobs_of_every_status_and_the_pages_of_results(store: Watched) -> None:
    done, partial, failed = (store.add(f"{number}.pdf", {}).id for number in range(3))
    store.add("waiting.pdf", {})
    store.settle(done, Status.DONE, pages=3, started=100.0)
    store.settle(partial, Status.PARTIAL, pages=4, started=100.0)
    store.settle(failed, Status.FAILED, pages=9)
    totals = store.totals()
    counts = {status.value: count for status, count in totals.jobs.items() if count}
    assert counts == {"queued": 1, "done": 1, "partial": 1, "failed": 1}
    assert totals.pages == 7
    assert totals.seconds > 0


def test_a_child_that_takes_too_long_is_504(report: Path) -> None:
    limits = ServerLimits(seconds=0.01)
    with pytest.raises(WorkerError) as caught:
        extract_tree(report, {}, limits, _nobody, model="base")
    assert caught.value.code == 504


def test_a_child_that_needs_too_much_memory_is_told_so(report: Path) -> None:
    with pytest.raises(WorkerError) as caught:
        extract_tree(report, {}, ServerLimits(memory=40 << 20), _nobody, model="base")
    assert caught.value.code in (413, 500)


def _nobody(stage: str, done: int, total: int) -> None:
    return None


_: StageProgress = _nobody


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("../../etc/passwd", "passwd"),
        ("C:\\Users\\a\\b.pdf", "b.pdf"),
        ("a\x00\n\u202eb.pdf", "ab.pdf"),
        ("", "document.pdf"),
        ("x" * 500, "x" * 200),
    ],
)
def test_a_name_is_shown_without_folders_and_without_tricks(given: str, shown: str) -> None:
    assert display_name(given) == shown


def test_a_second_server_in_a_work_folder_is_refused_with_what_to_do(store: Watched, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="--work") as refusal:
        JobStore(tmp_path)
    assert str(tmp_path) in str(refusal.value)


def test_a_work_folder_is_free_again_when_its_server_has_ended(tmp_path: Path) -> None:
    JobStore(tmp_path).close()
    JobStore(tmp_path).close()
