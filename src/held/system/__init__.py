"""Operating system services: safe file access, resource limits, and worker processes.

`worker_process` starts a process and talks to it, `worker_main` runs inside that process, `worker_pool`
distributes requests over several of them, and `sandbox` restricts what they may do.

`compiled_module` loads the modules that are written in C, where they were built.

Two functions stand in for parts of the standard library that take long at start-up. `lazy_pattern` compiles
a regular expression when it is first used: that takes up to a millisecond for one with ranges of Chinese
characters, and a command needs few of all expressions. `median` spares the import of `statistics`, which
takes as long as the layout of a page.
"""

from __future__ import annotations

import os
import re
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:  # importing `typing` takes time, and every worker process imports this module
    from collections.abc import Iterable
    from typing import Any

NATIVE_VARIABLE = "HELD_NATIVE"  # "off" leaves compiled modules unused
_METHODS = ("match", "fullmatch", "search", "findall", "finditer", "sub", "split", "pattern")


class _LazyPattern:
    """Has the methods of its compiled pattern from the first use of one of them on."""

    def __init__(self, expression: str, flags: int) -> None:
        self._source = expression, flags

    def __getattr__(self, name: str) -> Any:
        # Called only for attributes that are not set, so once.
        if name not in _METHODS:
            raise AttributeError(name)
        compiled = re.compile(*self._source)
        for method in _METHODS:
            setattr(self, method, getattr(compiled, method))
        return getattr(compiled, name)


def lazy_pattern(expression: str, flags: int = 0) -> re.Pattern[str]:
    """The pattern of a regular expression, compiled when it is first used."""
    return _LazyPattern(expression, flags)  # type: ignore[return-value]


def compiled_module(name: str, interface: int) -> Any:
    """A compiled module of `held`; None if it was not built, is switched off, or is older than the source.

    Each has a twin in Python that gives the same results. `interface` is the version that the caller knows;
    an older file may have been left beside the source.
    """
    if os.environ.get(NATIVE_VARIABLE) == "off":
        return None
    try:
        __import__(name)
    except ImportError:
        return None
    module = sys.modules[name]
    return module if interface == module.INTERFACE_VERSION else None


def median(numbers: Iterable[float]) -> float:
    """The median of at least one number, as `statistics.median` computes it."""
    ordered = sorted(numbers)
    middle = len(ordered) // 2
    return ordered[middle] if len(ordered) % 2 else (ordered[middle - 1] + ordered[middle]) / 2
