"""Connections that send half a request header, or nothing at all."""

import socket
import threading
from collections.abc import Iterator
from typing import Any

import pytest
import uvicorn

from held.serve import app
from tests.waiting import PATIENCE, eventually


async def answer(scope: Any, receive: Any, send: Any) -> None:
    """An application that answers every request with an empty page."""
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"0")]})
    await send({"type": "http.response.body", "body": b""})


@pytest.fixture
def address(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[str, int]]:
    """The address of a server that waits a moment for headers."""
    monkeypatch.setattr(app, "HEADER_SECONDS", 0.2)
    protocol = app.HeaderTimeoutProtocol
    server = uvicorn.Server(uvicorn.Config(answer, http=protocol, lifespan="off", log_level="error"))
    listener = socket.create_server(("127.0.0.1", 0))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    assert eventually(lambda: server.started)
    yield listener.getsockname()
    server.should_exit = True
    thread.join(PATIENCE)


@pytest.mark.parametrize("sent", [b"", b"GET / HTTP/1.1\r\nHost: a\r\n"])
def test_a_header_that_does_not_arrive_ends_the_connection(address: tuple[str, int], sent: bytes) -> None:
    with socket.create_connection(address, timeout=PATIENCE) as client:
        client.sendall(sent)
        assert client.recv(100) == b""  # closed by the server


def test_a_whole_header_is_answered_however_it_is_cut(address: tuple[str, int]) -> None:
    with socket.create_connection(address, timeout=PATIENCE) as client:
        for piece in (b"GET / HTTP/1.1\r\nHo", b"st: a\r\n\r\n"):
            client.sendall(piece)
        assert client.recv(100).startswith(b"HTTP/1.1 200")


def test_the_next_request_of_a_connection_has_to_arrive_too(address: tuple[str, int]) -> None:
    with socket.create_connection(address, timeout=PATIENCE) as client:
        client.sendall(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        assert client.recv(1000).startswith(b"HTTP/1.1 200")
        client.sendall(b"GET / HTTP/1.1\r\n")
        assert client.recv(1000) == b""
