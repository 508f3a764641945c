"""A child that ends at the very moment its parent is gone, whatever it is doing.

The child has the reading end of a pipe that nobody ever writes to, and asks Linux for a signal when something
happens there. All that can happen is that the parent's end is closed: with the parent itself, however that
ended. The signal ends a process that is deep in a call of PDFium, too, where Python cannot look around.
PR_SET_PDEATHSIG would do without a pipe, but it is for the thread that started the child: ours come and go,
while children are kept.

Imports are few: a child must start fast.
"""

from __future__ import annotations

import os
import sys

NONE = -1  # in place of a pipe, where the system has no such signal
SIGKILL = 9  # `signal` takes time to import


def pipe() -> tuple[int, int]:
    """The end for a child and the end that its parent keeps open, both `NONE` on systems other than Linux."""
    return os.pipe() if sys.platform == "linux" else (NONE, NONE)


def close(end: int) -> None:
    """Closes one of the ends."""
    if end != NONE:
        os.close(end)


def hold(end: int, *, group: bool) -> None:
    """Has this process, or all of its group, end when the other end is closed."""
    if end == NONE:
        return
    import fcntl

    owner = -os.getpgrp() if group else os.getpid()
    fcntl.fcntl(end, fcntl.F_SETOWN, owner)
    fcntl.fcntl(end, fcntl.F_SETSIG, SIGKILL)
    fcntl.fcntl(end, fcntl.F_SETFL, fcntl.fcntl(end, fcntl.F_GETFL) | os.O_ASYNC)
