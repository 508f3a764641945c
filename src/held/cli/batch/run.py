"""Several workers kept busy: what happens to each task, as it happens."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Thread
from typing import NamedTuple

from held.cli.batch.memory import memory_share
from held.cli.batch.request import Task
from held.cli.batch.task import Failed, Outcome
from held.cli.batch.worker import Worker


class Reached(NamedTuple):
    """How far a task is in its stage."""

    stage: str
    done: int
    total: int


Event = tuple[int, Reached | Outcome]


def events(tasks: Sequence[Task], *, jobs: int, timeout: float | None = None) -> Iterator[Event]:
    """The index of a task and its progress or outcome, for all tasks, in the order in which they come."""
    waiting: SimpleQueue[int] = SimpleQueue()
    for index in range(len(tasks)):
        waiting.put(index)
    told: SimpleQueue[Event | BaseException] = SimpleQueue()
    workers: list[Worker] = []
    memory = memory_share(jobs)

    def drive() -> None:
        worker = None
        try:
            while True:
                index = waiting.get_nowait()
                if worker is None:
                    worker = Worker(memory)
                    workers.append(worker)
                outcome = worker.run(tasks[index], _teller(index, told), timeout=timeout)
                unknown_state = isinstance(outcome, Failed) and outcome.trace is not None
                if unknown_state or not worker.alive:
                    worker.end()
                    workers.remove(worker)
                    worker = None
                told.put((index, outcome))
        except Empty:
            pass
        except BaseException as error:
            told.put(error)

    for _ in range(min(jobs, len(tasks))):
        Thread(target=drive, daemon=True).start()
    try:
        yield from _until_all_are_done(told, len(tasks))
    finally:
        with suppress(Empty):
            while True:
                waiting.get_nowait()
        for worker in tuple(workers):
            worker.kill()


def _teller(index: int, told: SimpleQueue[Event | BaseException]) -> Callable[[str, int, int], None]:
    return lambda stage, done, total: told.put((index, Reached(stage, done, total)))


def _until_all_are_done(told: SimpleQueue[Event | BaseException], count: int) -> Iterator[Event]:
    while count:
        event = told.get()
        if isinstance(event, BaseException):
            raise event
        count -= not isinstance(event[1], Reached)
        yield event
