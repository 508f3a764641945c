"""workers for tests: the functions that they serve with are written into a module of their own."""

from collections.abc import Callable
from pathlib import Path

import pytest

from held.system import worker_process

Served = Callable[[str], str]


@pytest.fixture
def served(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Served:
    """A function from the body of `serve(connection)` to its name for a `WorkerSpec`."""
    places = tmp_path / "places"
    places.mkdir()
    monkeypatch.syspath_prepend(places)

    def named(body: str) -> str:
        lines = "".join(f"    {line}\n" for line in body.splitlines())
        (places / "served.py").write_text(f"import os, sys, time\ndef serve(connection):\n{lines}")
        return "served:serve"

    return named


@pytest.fixture(autouse=True)
def _however_busy_the_machine_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lets work, and not the clock, end what is limited by work."""
    monkeypatch.setattr(worker_process, "WALL_TIME_FACTOR", 1000.0)
