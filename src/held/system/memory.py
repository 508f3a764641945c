"""Memory of this process: how much it may use, how much it has used, and when garbage is collected."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress

TYPE_CHECKING = False
if TYPE_CHECKING:
    from resource import struct_rusage

MIN_SHARE_BYTES = 1 << 30
MAXRSS_UNIT = 1 if sys.platform == "darwin" else 1 << 10  # bytes; see getrusage(2)


def memory_share(jobs: int) -> int | None:
    """The bytes that each of so many processes may use, None if the system's memory is unknown."""
    try:
        memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):
        return None
    # A container may have less than the machine. Without a limit the file says "max", a ValueError here.
    with suppress(OSError, ValueError), open("/sys/fs/cgroup/memory.max") as limit:
        memory = min(memory, int(limit.read()))
    with suppress(OSError, StopIteration), open("/proc/meminfo") as lines:
        available = next(line for line in lines if line.startswith("MemAvailable:"))
        kilobytes = int(available.split()[1])
        memory = min(memory, kilobytes << 10)
    return max(memory // jobs, MIN_SHARE_BYTES)


@contextmanager
def limit_memory(limit: int | None) -> Iterator[None]:
    """Raise `MemoryError` in this process beyond so many bytes, where the system supports that."""
    try:
        import resource

        before = resource.getrlimit(resource.RLIMIT_DATA)
        if limit is not None:
            resource.setrlimit(resource.RLIMIT_DATA, (limit, before[1]))
    except (ImportError, ValueError, OSError):
        yield
        return
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, before)


def peak_memory(usage: struct_rusage | None = None) -> int:
    """The peak memory, in bytes, of this process or of one with this usage; 0 if unknown."""
    if usage is None:
        try:
            import resource
        except ImportError:
            return 0
        usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_maxrss * MAXRSS_UNIT


@contextmanager
def pause_gc() -> Iterator[None]:
    """Disable the cyclic garbage collector while many small values without cycles are created.

    Otherwise it traverses all runs and lines of a document again and again.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            # The next allocation would traverse all new values at once. Freezing and unfreezing moves them to
            # the oldest generation instead, which is traversed seldom; not where a caller has frozen its own.
            if not gc.get_freeze_count():
                gc.freeze()
                gc.unfreeze()
            gc.enable()
