"""One file, in this process where that is safe, else in one of its own."""

from __future__ import annotations

from held.batch.request import Manner, Task
from held.batch.task import ALL_FORMS, Outcome, carry_out
from held.extraction import StageProgress as Tell
from held.system.memory import limit_memory, memory_share
from held.system.worker_pool import ProgressEvent, throttle_progress


def outcome_of_one(task: Task, manner: Manner, tell: Tell) -> Outcome:
    """What becomes of the task.

    A process of its own takes as long to start as some ten pages take, so there is one only where it is
    needed: to be ended after a time, and for forms that open the PDF again, as qpdf, which is no Python,
    does to write bookmarks. PDFium, which bad files crash, works in processes of its own anyway.
    """
    if manner.timeout is None and not ALL_FORMS[task.options.form].needs_pdf:
        with limit_memory(memory_share(1)):
            return carry_out(task, throttle_progress(tell))
    from held.batch.worker import events  # what talks to processes is not needed for most files

    for _, event in events([task], jobs=1, timeout=manner.timeout):
        if not isinstance(event, ProgressEvent):
            return event
        tell(*event)
    raise AssertionError("a task ends with an outcome")
