"""Bodies that arrive slowly, or not at all."""

import asyncio
from pathlib import Path

import pytest
from starlette.exceptions import HTTPException

from held.serve import middleware
from held.serve.middleware import Message, Receive, Scope, SecurityMiddleware, Send
from held.serve.settings import Settings

SCOPE: Scope = {"type": "http", "path": "/", "headers": [(b"host", b"127.0.0.1")]}


async def ignore(message: Message) -> None:
    """A client that reads nothing."""


def ask(receive: Receive, tmp_path: Path) -> list[Message]:
    """The messages that an application gets which asks for three."""
    got: list[Message] = []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        got.extend([await receive() for _ in range(3)])

    guarded = SecurityMiddleware(app, Settings(tmp_path, token=None))
    asyncio.run(guarded(SCOPE, receive, ignore))
    return got


def test_a_body_that_stops_arriving_is_408(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(middleware, "_BODY_PAUSE_SECONDS", 0.01)

    async def never() -> Message:
        await asyncio.Event().wait()
        raise AssertionError

    with pytest.raises(HTTPException) as refused:
        ask(never, tmp_path)
    assert refused.value.status_code == 408


def test_after_the_body_a_client_may_listen_as_long_as_it_likes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(middleware, "_BODY_PAUSE_SECONDS", 0.01)
    count = 0

    async def slow_after_body() -> Message:
        nonlocal count
        count += 1
        if count == 1:
            return {"type": "http.request", "body": b"x", "more_body": False}
        await asyncio.sleep(0.05)  # longer than a body may pause
        return {"type": "http.disconnect"}

    types = [message["type"] for message in ask(slow_after_body, tmp_path)]
    assert types == ["http.request", "http.disconnect", "http.disconnect"]
