"""Children for tests: the functions that they serve with are written into a module of their own."""

from collections.abc import Callable
from pathlib import Path

import pytest

from held.system.processes import cpu_timeout as patience
from held.system.processes import parent

Served = Callable[[str], str]


@pytest.fixture
def served(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Served:
    """A function from the body of `serve(line)` to what a `Program` calls it."""
    places = tmp_path / "places"
    places.mkdir()
    monkeypatch.syspath_prepend(places)

    def named(body: str) -> str:
        lines = "".join(f"    {line}\n" for line in body.splitlines())
        (places / "served.py").write_text(f"import os, sys, time\ndef serve(line):\n{lines}")
        return "served:serve"

    return named


@pytest.fixture(autouse=True)
def _however_busy_the_machine_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lets work, and not the clock, end what is limited by work."""
    for module in (patience, parent):
        monkeypatch.setattr(module, "PATIENCE", 1000.0)
