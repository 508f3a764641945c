"""The clock of the profile charges each function with its own time only."""

from __future__ import annotations

import pytest

from research.benchmarks import stages


def test_a_function_is_not_charged_with_those_inside_it(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0

    def spend(seconds: float) -> None:
        nonlocal now
        now += seconds

    monkeypatch.setattr("time.process_time", lambda: now)
    clock = stages.Clock()
    inner = clock.watch("inner", lambda: spend(2.0))

    def call_inner_twice() -> None:
        inner()
        spend(1.0)
        inner()

    clock.watch("outer", call_inner_twice)()
    assert clock.spent == {"inner": 4.0, "outer": 1.0}
