"""How much work something is, counted and not timed: the same on every machine, however busy it is."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any


def operations(action: Callable[[], object]) -> int:
    """The instructions of Python that an action takes, its children in other processes left aside."""
    counted = 0

    def trace(frame: FrameType, event: str, _: object) -> Any:
        nonlocal counted
        frame.f_trace_lines, frame.f_trace_opcodes = False, True
        counted += event == "opcode"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        action()
    finally:
        sys.settrace(before)
    return counted
