"""Several children kept busy: what happens to each request, as it happens.

A child that is served by `answering` tells how far it is, then answers. One that is lost takes only its own
request with it, and one that says it cannot be trusted any more is replaced.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Thread
from time import monotonic
from typing import Any, NamedTuple, TypeVar

from held.errors import UsageError
from held.system.processes.child import Line
from held.system.processes.messages import Garbled, Message
from held.system.processes.parent import Child, Lost, Program, TookTooLong, borrowed, give_back

SECONDS_BETWEEN_PROGRESS = 0.1

Asked = TypeVar("Asked")
Tell = Callable[[str, int, int], None]  # stage, done, total


def nobody(stage: str, done: int, total: int) -> None:
    """Hears progress that nobody waits for."""


class Reached(NamedTuple):
    """How far a request is in its stage."""

    stage: str
    done: int
    total: int


class Answer(NamedTuple):
    """What came of a request. A child that is not `sound` is in a state that nobody knows."""

    value: Any
    parts: tuple[bytes, ...] = ()
    sound: bool = True


Event = tuple[int, Reached | Answer | Lost]
_Told = SimpleQueue[Event | BaseException]


def events(
    program: Program,
    requests: Sequence[Asked],
    *,
    jobs: int,
    seconds: float | None = None,
    said_as: Callable[[Asked], Any] | None = None,
) -> Iterator[Event]:
    """The index of a request and its progress, answer or loss, for all requests, in the order they come.

    `said_as` makes plain data of a request when its turn comes: of ten thousand it would take much memory.
    """
    if jobs < 1:
        raise UsageError(f"jobs cannot be {jobs}", advice="1 or more processes do the work")
    crew = _Crew(program, requests, seconds, said_as)
    crew.start(min(jobs, len(requests)))
    try:
        yield from _until_all_are_done(crew.told, len(requests))
    finally:
        crew.stop()


class _Crew:
    """Threads that drive a child each, and tell what comes of the requests that they take."""

    def __init__(
        self,
        program: Program,
        requests: Sequence[Any],
        seconds: float | None,
        said_as: Callable[[Any], Any] | None,
    ) -> None:
        self._program, self._requests, self._seconds, self._said_as = program, requests, seconds, said_as
        self._waiting: SimpleQueue[int] = SimpleQueue()
        for index in range(len(requests)):
            self._waiting.put(index)
        self._children: list[Child] = []
        self.told: _Told = SimpleQueue()

    def start(self, drivers: int) -> None:
        """Starts so many threads."""
        for _ in range(drivers):
            Thread(target=self._drive, daemon=True).start()

    def stop(self) -> None:
        """Has nobody take a further request, and ends what is at work."""
        with suppress(Empty):
            while True:
                self._waiting.get_nowait()
        for child in tuple(self._children):
            child.kill()

    def _drive(self) -> None:
        """Has a child of its own answer what waits."""
        child = None
        try:
            for index, request in self._turns():
                if child is None:
                    child = Child(self._program)
                    self._children.append(child)
                end = _asked(child, request, _teller(index, self.told), self._seconds)
                if isinstance(end, Lost) or not end.sound:
                    child.end()
                    self._children.remove(child)
                    child = None
                self.told.put((index, end))
        except BaseException as error:
            self.told.put(error)
        finally:
            # Who reads from a child closes its pipes: others may only kill it.
            if child is not None:
                child.end()

    def _turns(self) -> Iterator[tuple[int, Any]]:
        """The requests that nobody has taken yet, as plain data."""
        with suppress(Empty):
            while True:
                index = self._waiting.get_nowait()
                request = self._requests[index]
                yield index, request if self._said_as is None else self._said_as(request)


def ask(
    program: Program, request: Any, tell: Tell, *, seconds: float | None = None, keep: bool = False
) -> Answer | Lost:
    """What comes of one request to a child of its own, which may be kept for the next one."""
    child = borrowed(program) if keep else Child(program)
    answer = _asked(child, request, tell, seconds)
    if keep and isinstance(answer, Answer) and answer.sound:
        give_back(child)
    else:
        child.end()
    return answer


def _asked(child: Child, request: Any, tell: Tell, seconds: float | None) -> Answer | Lost:
    """What comes of a request within so many seconds; the child may be dead afterwards."""
    end = None if seconds is None else monotonic() + seconds
    try:
        child.send(request)
        while True:
            left = None if end is None else max(0.0, end - monotonic())
            said = child.receive(_event, left)
            if isinstance(said, Answer):
                return said
            tell(*said)
    except TookTooLong as loss:
        return loss if seconds is None else TookTooLong(seconds, in_vain=loss.in_vain)
    except Lost as loss:
        return loss


def _event(message: Message) -> Reached | Answer:
    """What a child says of a request; `Garbled` if it is nothing of the kind."""
    match message:
        case ["reached", str(stage), int(done), int(total)], ():
            return Reached(stage, done, total)
        case ["answer", value, bool(sound)], parts:
            return Answer(value, parts, sound)
    raise Garbled("neither progress nor an answer")


def _teller(index: int, told: _Told) -> Tell:
    return lambda stage, done, total: told.put((index, Reached(stage, done, total)))


def _until_all_are_done(told: _Told, count: int) -> Iterator[Event]:
    while count:
        event = told.get()
        if isinstance(event, BaseException):
            raise event
        count -= not isinstance(event[1], Reached)
        yield event


def answering(line: Line, answer: Callable[[Any, Tell], Answer]) -> None:
    """Answers request after request: what the function that a child runs calls."""

    def tell(stage: str, done: int, total: int) -> None:
        line.send(("reached", stage, done, total))

    while True:
        request, _ = line.receive()
        value, parts, sound = answer(request, paced(tell))
        line.send(("answer", value, sound), *parts)


def paced(tell: Tell) -> Tell:
    """Tells progress on, but not more often than anyone can see it."""
    told_at, told_stage = 0.0, ""

    def tell_at_times(stage: str, done: int, total: int) -> None:
        nonlocal told_at, told_stage
        now = monotonic()
        if stage != told_stage or done == total or now - told_at > SECONDS_BETWEEN_PROGRESS:
            told_at, told_stage = now, stage
            tell(stage, done, total)

    return tell_at_times
