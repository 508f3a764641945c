"""A file that one process holds at a time. The lock ends with its process, however that ends.

Children do not hold it: they are started as programs of their own, which inherit no open file.
"""

from __future__ import annotations


def holds(file: int, *, wait: bool = False, unsure: bool = True) -> bool:
    """Whether this process holds the file now; `unsure` is the answer of a file system without locks."""
    try:
        import fcntl
    except ImportError:  # a system without locks, which forbids to remove open files
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    except BlockingIOError:
        return False
    except OSError:
        return unsure
    return True
