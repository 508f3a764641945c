"""`/health` says what is true: workers, disk and store."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from held.serve.app import create_app
from held.serve.job_queue import JobQueue
from held.serve.settings import Settings
from held.serve.state import AppState


@pytest.fixture
def state(tmp_path: Path) -> AppState:
    return AppState(Settings(tmp_path, token=None))


@pytest.fixture
def client(state: AppState) -> Iterator[TestClient]:
    with TestClient(create_app(state), base_url="http://127.0.0.1") as opened:
        yield opened


def health(client: TestClient) -> tuple[int, str]:
    answer = client.get("/health")
    body: dict[str, Any] = answer.json()
    return answer.status_code, body["status"]


def test_a_server_at_rest_is_well(client: TestClient) -> None:
    assert health(client) == (200, "ok")


def test_without_a_living_worker_it_is_503(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(JobQueue, "working_threads", 0)
    assert health(client) == (503, "no worker can run")


def test_with_a_full_disk_it_is_503_until_there_is_space(
    client: TestClient, state: AppState, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as full:
        full.setattr(state.store, "free_bytes", lambda: 0)
        assert health(client) == (503, "the disk is full")
    assert health(client) == (200, "ok")


def test_with_a_store_that_fails_it_is_503(
    client: TestClient, state: AppState, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: object) -> int:
        raise sqlite3.OperationalError("disk I/O error")

    monkeypatch.setattr(state.store, "count", fail)
    assert health(client) == (503, "the store fails: disk I/O error")
