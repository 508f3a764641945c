"""Regular expressions that are compiled when they are first used.

Compiling takes up to a millisecond for an expression with ranges of Chinese characters, and a command needs
few of all expressions. Use `lazy_pattern` for what many documents never ask for.
"""

from __future__ import annotations

import re
from typing import Any, cast

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
    return cast("re.Pattern[str]", _LazyPattern(expression, flags))
