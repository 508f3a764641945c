"""One file on the whole way: from what is asked for to the bytes of the result and the time of each stage."""

from __future__ import annotations

import os
import traceback
from collections.abc import Callable
from dataclasses import dataclass, replace
from time import perf_counter
from typing import TYPE_CHECKING

from held.cli.batch.forms import rendered
from held.cli.batch.request import Options, Task
from held.cli.batch.summary import Counts
from held.cli.inputs import STDIN, pages_within, read
from held.document import Document, Note, OutlineEntry, Pages
from held.errors import HeldError
from held.files import stored_tree
from held.portions import portion
from held.processes.pool import Tell
from held.serial import hash_of

if TYPE_CHECKING:
    from held.pipeline import Hierarchy


@dataclass(frozen=True, slots=True)
class Done:
    """The result of a task; `seconds` has the time of each stage."""

    content: bytes
    source_hash: str
    counts: Counts
    notes: tuple[Note, ...]
    seconds: dict[str, float]


@dataclass(frozen=True, slots=True)
class Failed:
    """Why a task has no result. `trace` says where, if it was no fault of the file."""

    error: HeldError
    trace: str | None = None


Outcome = Done | Failed


def carry_out(task: Task, tell: Tell) -> Outcome:
    """What becomes of a task: every error is an outcome, too."""
    try:
        return _done(task, tell)
    except HeldError as error:
        return Failed(_named(error, task))
    except MemoryError:
        fault = HeldError("needs more memory than there is", file=task.name, advice="try fewer --jobs")
        return Failed(fault, traceback.format_exc())
    except Exception as error:
        advice = "a fault in held: please report it with what -v prints"
        return Failed(HeldError(repr(error), file=task.name, advice=advice), traceback.format_exc())


def _named(error: HeldError, task: Task) -> HeldError:
    """The error with the file named as people call it."""
    if error.file in (os.fspath(task.source), task.source.name):
        return type(error)(error.what, file=task.name, page=error.page, advice=error.advice)
    return error


def _done(task: Task, tell: Tell) -> Done:
    clock = _Clock(tell)
    source_hash = hash_of(task.source)
    clock.begin("reading")
    hierarchy = _portion(stored_tree(task.source) or _extracted(task, clock), task)
    clock.begin("writing")
    content, cautions = rendered(hierarchy, task)
    document = hierarchy.document
    counts = Counts(len(document.pages), len(document.objects), len(hierarchy.headings))
    return Done(content, source_hash, counts, (*document.notes, *cautions), clock.seconds())


def _extracted(task: Task, clock: _Clock) -> Hierarchy:
    """The hierarchy of all that the file holds."""
    value = read(task.source, password=task.password, jobs=task.jobs, progress=clock.tell)
    pages_within(value, task.options.pages, task.source)  # before long work in vain
    clock.begin("recognising")
    document = _recognised(value, clock.tell)
    if task.name == STDIN and document.source == task.source.name:
        document = replace(document, source="stdin")
    clock.begin("headings")
    outline = value.outline if isinstance(value, Pages) else ()
    return _hierarchy(document, outline, task.options, clock)


class _Clock:
    """How long each stage took, and where progress goes."""

    def __init__(self, tell: Tell) -> None:
        self._tell = tell
        self._starts: list[tuple[str, float]] = []

    def begin(self, stage: str) -> None:
        """Ends the stage before."""
        self._starts.append((stage, perf_counter()))

    def tell(self, done: int, total: int) -> None:
        """Tells how far the stage is."""
        self._tell(self._starts[-1][0], done, total)

    def tell_inserting(self, done: int, total: int) -> None:
        """Tells how many headings are inserted; the first call begins the stage."""
        if self._starts[-1][0] != "inserting":
            self.begin("inserting")
        self.tell(done, total)

    def seconds(self) -> dict[str, float]:
        """The time of each stage until now."""
        ends = [start for _, start in self._starts[1:]] + [perf_counter()]
        return {stage: end - start for (stage, start), end in zip(self._starts, ends, strict=True)}


def _recognised(value: Pages | Document, told: Callable[[int, int], None]) -> Document:
    if isinstance(value, Document):
        return value
    from held.pdf.recognise import recognise

    return recognise(value, progress=told)


def _hierarchy(
    document: Document, outline: tuple[OutlineEntry, ...], options: Options, clock: _Clock
) -> Hierarchy:
    """The tree that the options ask for."""
    from held.insertion import Order, Strategy

    strategy = Strategy(Order(options.order), options.beam, normalise=True)
    if options.outline == "trust":
        from held.trusted import trusted_tree_of

        return trusted_tree_of(
            document, outline, model=options.model, strategy=strategy, progress=clock.tell_inserting
        )
    from held.pipeline import tree_of

    return tree_of(document, model=options.model, strategy=strategy, progress=clock.tell_inserting)


def _portion(hierarchy: Hierarchy, task: Task) -> Hierarchy:
    """The part of the hierarchy that the options ask for."""
    options = task.options
    if options.min_confidence is not None:
        hierarchy = replace(hierarchy, min_confidence=options.min_confidence)
    pages = pages_within(hierarchy.document, options.pages, task.source) if options.pages else None
    return portion(hierarchy, pages=pages, max_depth=options.max_depth, drop_doubtful=options.drop_doubtful)
