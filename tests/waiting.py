"""Waiting in tests: no limit that a test is meant to keep, only an end to what a fault would hang.

`eventually` counts how often it looks, not the time that passes: a machine that is busy, or asleep, lets a
test look less often, so that a slow run is waited for and only one that hangs is given up.
"""

from __future__ import annotations

import time
from collections.abc import Callable

PATIENCE = 3600.0  # seconds, for calls that take a limit of the clock alone: nothing is ever so slow
SECONDS_BETWEEN_LOOKS = 0.02
LOOKS = 30_000  # ten minutes where looking itself takes no time


def eventually(holds: Callable[[], bool]) -> bool:
    """Whether it holds at last."""
    for _ in range(LOOKS):
        if holds():
            return True
        time.sleep(SECONDS_BETWEEN_LOOKS)
    return False
