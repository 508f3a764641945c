"""Who may ask, and how much at once: looked at before anything else, for every request.

A browser sends what any page asks it to, so on loopback, too, a request must name this server as its host
and, where it comes from a page, come from our own. CORS stays closed: no other origin is ever allowed.
"""

from __future__ import annotations

import hmac
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import urlsplit

from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse

from held.serve.settings import LOOPBACK, Settings

COOKIE = "held_token"
_SECURITY: Mapping[str, str] = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
        "form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
}
OPEN_PATHS = frozenset({"/health", "/login"})
_ROOM_FOR_FIELDS = 1 << 20  # beside the file of an upload

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]


class Guard:
    """An ASGI application around another one."""

    def __init__(self, app: App, settings: Settings) -> None:
        self._app, self._settings = app, settings
        self._most = settings.limits.upload + _ROOM_FOR_FIELDS

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        refusal = self._refusal(scope, headers)
        if refusal is not None:
            await refusal(scope, receive, send)
            return
        await self._app(scope, self._limited(receive), _secured(send))

    def _refusal(self, scope: Scope, headers: dict[str, str]) -> JSONResponse | None:
        host = headers.get("host", "")
        if self._settings.on_loopback and (urlsplit(f"//{host}").hostname or "") not in LOOPBACK:
            return refused(403, f"this server is not called {host!r}")
        origin = headers.get("origin")
        if origin is not None and urlsplit(origin).netloc != host:
            return refused(403, "pages of other origins may not ask this server")
        if int_or(headers.get("content-length"), 0) > self._most:
            return refused(413, f"more than {self._settings.limits.upload} bytes")
        if scope["path"] not in OPEN_PATHS and not self._knows(headers):
            return refused(401, "give the token: Authorization: Bearer …", {"WWW-Authenticate": "Bearer"})
        return None

    def _knows(self, headers: dict[str, str]) -> bool:
        """Whether a request has the token, in its header or as the page's cookie."""
        token = self._settings.token
        if token is None:
            return True
        kind, _, given = headers.get("authorization", "").partition(" ")
        if kind.lower() != "bearer":
            given = _cookie(headers.get("cookie", ""))
        return hmac.compare_digest(given.encode(), token.encode())

    def _limited(self, receive: Receive) -> Receive:
        """What is received, up to the limit: a body need not say how long it is."""
        received = 0

        async def receive_within() -> Message:
            nonlocal received
            message = await receive()
            received += len(message.get("body", b""))
            if received > self._most:
                raise HTTPException(413, f"more than {self._settings.limits.upload} bytes")
            return message

        return receive_within


def _secured(send: Send) -> Send:
    """Sends with the headers that keep a page from running what is not its own."""
    added = [(name.encode(), value.encode()) for name, value in _SECURITY.items()]

    async def send_secured(message: Message) -> None:
        if message["type"] == "http.response.start":
            message["headers"] = [*message.get("headers", ()), *added]
        await send(message)

    return send_secured


def refused(code: int, why: str, headers: dict[str, str] | None = None) -> JSONResponse:
    """The answer to a request that is refused."""
    return JSONResponse({"detail": why}, code, headers)


def int_or(text: str | None, other: int) -> int:
    """The whole number that a text is, or another one."""
    return int(text) if text is not None and text.isdecimal() else other


def _cookie(header: str) -> str:
    try:
        found = SimpleCookie(header).get(COOKIE)
    except CookieError:
        return ""
    return found.value if found else ""
