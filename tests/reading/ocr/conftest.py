"""A fake engine in place of the installed ones, and a cache of its own for each test."""

from __future__ import annotations

from pathlib import Path

import pytest

from held.reading.ocr import engines
from held.reading.ocr.cache import VARIABLE
from tests.reading.ocr.scans import FAKE


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, str(tmp_path / "cache"))


@pytest.fixture
def fake_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the fake engine is installed."""
    monkeypatch.setattr(engines, "ENGINES", {"fake": FAKE})
    _patch_users(monkeypatch)


@pytest.fixture
def no_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    """No engine is installed."""
    entries = {}
    for name, entry in engines.ENGINES.items():
        entries[name] = engines.EngineEntry(name, entry.factory, lambda: False, entry.install)
    monkeypatch.setattr(engines, "ENGINES", entries)
    _patch_users(monkeypatch)


def _patch_users(monkeypatch: pytest.MonkeyPatch) -> None:
    from held.reading.ocr import engines, pool, recognise_pages

    for module in (engines, pool, recognise_pages):
        monkeypatch.setattr(module, "ENGINES", engines.ENGINES)
