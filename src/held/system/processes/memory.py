"""How much memory the work may take: who runs out of it is told so, not killed."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress

LEAST_MEMORY = 1 << 30


def memory_share(jobs: int) -> int | None:
    """How many bytes each of so many processes may take, None where that cannot be known."""
    try:
        memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):
        return None
    with suppress(OSError, ValueError), open("/sys/fs/cgroup/memory.max") as limit:
        memory = min(memory, int(limit.read()))
    with suppress(OSError, StopIteration), open("/proc/meminfo") as lines:
        available = next(line for line in lines if line.startswith("MemAvailable:"))
        memory = min(memory, int(available.split()[1]) << 10)
    return max(memory // jobs, LEAST_MEMORY)


@contextmanager
def memory_limited(memory: int | None) -> Iterator[None]:
    """Lets this process fail with a `MemoryError` beyond so many bytes, where the system can do that."""
    try:
        import resource

        before = resource.getrlimit(resource.RLIMIT_DATA)
        if memory is not None:
            resource.setrlimit(resource.RLIMIT_DATA, (memory, before[1]))
    except (ImportError, ValueError, OSError):
        yield
        return
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, before)
