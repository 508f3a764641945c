"""Waiting in tests: no limit that a test is meant to keep, only an end to what a fault would hang."""

from __future__ import annotations

import time
from collections.abc import Callable

PATIENCE = 600.0  # seconds; more than anything takes on the busiest machine
SECONDS_BETWEEN_LOOKS = 0.02


def eventually(holds: Callable[[], bool]) -> bool:
    """Whether it holds at last."""
    end = time.monotonic() + PATIENCE
    while not holds() and time.monotonic() < end:
        time.sleep(SECONDS_BETWEEN_LOOKS)
    return holds()
