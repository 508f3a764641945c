"""How long a child may take, in seconds that it computes: those that pass depend on who else computes.

On a busy machine a second of work takes several of the clock, and no good page may be lost to that. A child
that waits instead of working, for a disk or for ever, is given up all the same, when PATIENCE times as many
seconds have passed. Where the system does not tell how long another process has worked, the clock counts.
"""

from __future__ import annotations

import sys
from time import clock_gettime, monotonic

PATIENCE = 10.0  # seconds of the clock for each second of work: a machine may be that busy
TELLS_WORK = sys.platform.startswith("linux")
# What clock_getcpuclockid(3) gives: the process, and in three bits that all of its threads count.
_CLOCK_BITS, _ALL_THREADS = 3, 2


def seconds_worked(process: int) -> float:
    """What a clock shows that runs while a process works, or at all times where there is none."""
    return clock_gettime(~process << _CLOCK_BITS | _ALL_THREADS) if TELLS_WORK else monotonic()


class Allowance:
    """So many seconds from now on: of a process's work, or, where none is named, of the clock."""

    def __init__(self, seconds: float, process: int | None = None) -> None:
        self._seconds, self._process = seconds, process
        self._end = monotonic() + seconds * (1.0 if process is None else PATIENCE)
        self._worked_before = 0.0 if process is None else _worked_so_far(process)

    def left(self) -> float:
        """How long to wait before looking again; nothing where the allowance is used up."""
        left = self._end - monotonic()
        if self._process is not None:
            left = min(left, self._work_left(self._process))
        return max(0.0, left)

    def waited_in_vain(self) -> bool:
        """Whether the clock used it up, and not the work that it is for."""
        return self._process is not None and self._work_left(self._process) > 0

    def _work_left(self, process: int) -> float:
        return self._seconds - (_worked_so_far(process) - self._worked_before)


def _worked_so_far(process: int) -> float:
    """The same as `seconds_worked`, and nothing for a process that is gone: its pipe tells that."""
    try:
        return seconds_worked(process)
    except OSError:
        return 0.0
