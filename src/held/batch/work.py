"""Files done by several processes, and an account of each: what a folder and an index have in common."""

from __future__ import annotations

import os
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Protocol

from held.batch.request import Manner, Task
from held.batch.summary import Account
from held.batch.task import Failed, Outcome
from held.batch.worker import events
from held.errors import INTERNAL_ERROR, HeldError
from held.system.worker_pool import ProgressEvent


class Watch(Protocol):
    """Who is told what happens, as it happens; `index` is the place of a file among all."""

    def progress(self, index: int, reached: ProgressEvent) -> None:
        """How far a file is."""

    def settle(self, account: Account, index: int, trace: str | None = None) -> None:
        """What became of a file; `trace` says where, if it was no fault of the file."""


Settle = Callable[[int, Outcome], Account]  # what becomes of a file, by its place and the outcome of its task


def accounts_of(
    tasks: Sequence[Task], skipped: Mapping[int, Account], settle: Settle, manner: Manner, watch: Watch
) -> list[Account]:
    """What became of each task, in order; those that an earlier run has done are not done again.

    Whatever goes wrong with one of them, or with settling it, is the end of that one alone.
    """
    accounts = dict(skipped)
    for index, account in skipped.items():
        watch.settle(account, index)
    waiting = [index for index in range(len(tasks)) if index not in accounts]
    for index, event in _events(tasks, waiting, manner):
        if isinstance(event, ProgressEvent):
            watch.progress(index, event)
            continue
        accounts[index], trace = _settled(tasks[index], index, event, settle)
        watch.settle(accounts[index], index, trace)
    return [accounts[index] for index in range(len(tasks))]


def _events(
    tasks: Sequence[Task], waiting: Sequence[int], manner: Manner
) -> Iterator[tuple[int, ProgressEvent | Outcome]]:
    """The place of a task and its progress or outcome; every task has an outcome, come what may."""
    jobs = min(manner.jobs or cores(), len(waiting) or 1)
    open_still = dict.fromkeys(waiting)
    try:
        for place, event in events([tasks[index] for index in waiting], jobs=jobs, timeout=manner.timeout):
            if not isinstance(event, ProgressEvent):
                del open_still[waiting[place]]
            yield waiting[place], event
    except Exception as error:  # no process can be started any more, so nothing can be done for the rest
        reason = HeldError(f"was not tried: {error!r}", advice="run the same again with --resume")
        trace = traceback.format_exc()
        yield from ((index, Failed(reason, trace)) for index in open_still)


def _settled(task: Task, index: int, outcome: Outcome, settle: Settle) -> tuple[Account, str | None]:
    """The account of a task, and where it failed if that was no fault of the file."""
    trace = outcome.trace if isinstance(outcome, Failed) else None
    try:
        return settle(index, outcome), trace
    except HeldError as error:
        reason = str(error)
    except Exception as error:
        reason = f"{error!r} ({INTERNAL_ERROR})"
        trace = traceback.format_exc()
    target = task.target or task.source
    return Account(task.name, str(target), "failed", reason), trace


def cores() -> int:
    """How many processes this one may keep busy."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def settled(account: Account, outcome: Outcome) -> Account:
    """The account of a file whose result is where it belongs, or that has none."""
    if isinstance(outcome, Failed):
        return replace(account, outcome="failed", reason=outcome.reason)
    seconds = round(sum(outcome.seconds.values()), 2)
    return replace(
        account,
        outcome=outcome.status,
        counts=outcome.counts,
        seconds=seconds,
        notes=outcome.notes,
        lost=outcome.lost,
    )
