"""Requests that would stop a server for everybody else: large, malformed, or too many at once."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from anyio.to_thread import current_default_thread_limiter
from fastapi.testclient import TestClient

from held.serve.app import create_app
from held.serve.bounded_work import WorkSlots
from held.serve.settings import Settings
from held.serve.state import AppState
from held.serve.store import JobStore
from tests.serve.test_deleted_documents import add_document

JSON = {"Content-Type": "application/json"}


@pytest.fixture
def state(tmp_path: Path) -> AppState:
    return AppState(Settings(tmp_path, token=None))


@pytest.fixture
def client(state: AppState) -> Iterator[TestClient]:
    app = create_app(state)
    with TestClient(app, base_url="http://127.0.0.1", raise_server_exceptions=False) as opened:
        yield opened


@pytest.fixture
def corrections(state: AppState) -> str:
    """The path that corrections of a document are sent to."""
    return f"/v1/documents/{add_document(state.store).id}/corrections?version=0"


def test_a_correction_of_a_megabyte_is_413(client: TestClient, corrections: str) -> None:
    content = b"[" + b"[]," * 300_000 + b"[]]"
    assert client.post(corrections, content=content, headers=JSON).status_code == 413


def test_so_is_one_that_does_not_say_how_long_it_is(client: TestClient, corrections: str) -> None:
    pieces = (b"[]," * 10_000 for _ in range(30))
    assert client.post(corrections, content=pieces, headers=JSON).status_code == 413


@pytest.mark.parametrize("content", ['["\\ud800"]', "[NaN]", "[" * 300 + "]" * 300])
def test_a_body_that_is_no_correction_is_422_and_not_sent_back(
    client: TestClient, corrections: str, content: str
) -> None:
    answer = client.post(corrections, content=content, headers=JSON)
    assert (answer.status_code, answer.json()["detail"]) == (422, "body: Input should be a valid dictionary")


def test_health_is_told_while_all_other_threads_are_at_work(client: TestClient) -> None:
    async def take_all_threads() -> None:
        limiter = current_default_thread_limiter()
        while limiter.available_tokens:
            limiter.acquire_on_behalf_of_nowait(object())

    assert client.portal is not None
    client.portal.call(take_all_threads)
    assert client.get("/health").status_code == 200


def test_searches_beyond_what_may_wait_are_503(client: TestClient, state: AppState) -> None:
    state.slots = WorkSlots(running=0, waiting=0)
    assert client.get("/v1/search?q=harbour").status_code == 503


def test_a_damaged_database_is_503(
    client: TestClient, state: AppState, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: JobStore) -> None:
        raise sqlite3.DatabaseError("database disk image is malformed")

    monkeypatch.setattr(JobStore, "jobs", fail)
    assert client.get("/v1/jobs").status_code == 503


def test_an_answer_to_a_fault_of_ours_has_the_security_headers(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: JobStore) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(JobStore, "jobs", fail)
    answer = client.get("/v1/jobs")
    assert (answer.status_code, answer.headers["X-Content-Type-Options"]) == (500, "nosniff")
