"""Checks every request before any route sees it: host, origin, token and upload size.

A browser sends what any web page tells it to. So on loopback, too, a request must name this server as its
host, and a request from a page must come from our own. CORS stays closed: no other origin is allowed.
"""

from __future__ import annotations

import asyncio
import hmac
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import urlsplit

from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse

from held.serve.settings import LOOPBACK, Settings

COOKIE = "held_token"
_SECURITY_HEADERS: Mapping[str, str] = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
        "form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
}
PUBLIC_PATHS = frozenset({"/health", "/login"})
_UPLOAD_PATH = "/v1/jobs"
_OUTLINE_PATH = "/outline"  # the end of it
_FORM_FIELD_BYTES = 1 << 20  # allowed in an upload beside the file
_OUTLINE_BYTES = 4 << 20
# Any other body is a correction. It is parsed in the event loop, which serves all clients.
_JSON_BYTES = 64 << 10
_BODY_PAUSE_SECONDS = 30.0  # between two pieces of a body

# The types of ASGI: https://asgi.readthedocs.io/en/latest/specs/main.html
Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]


class SecurityMiddleware:
    """ASGI middleware that refuses requests, limits bodies and adds security headers."""

    def __init__(self, app: App, settings: Settings) -> None:
        self._app, self._settings = app, settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = {}
        for name, value in scope["headers"]:
            headers[name.decode("latin-1")] = value.decode("latin-1")
        secured_send = _add_security_headers(send)
        refusal = self._refusal(scope["path"], headers)
        if refusal is not None:
            await refusal(scope, receive, secured_send)
            return
        await self._app(scope, self._limit_body(receive, scope["path"]), secured_send)

    def _refusal(self, path: str, headers: Mapping[str, str]) -> JSONResponse | None:
        # DNS rebinding: a page of evil.example may resolve its own name to 127.0.0.1.
        host = headers.get("host", "")
        origin = headers.get("origin")
        try:
            hostname = urlsplit(f"//{host}").hostname or ""
            origin_host = None if origin is None else urlsplit(origin).netloc
        except ValueError:  # such as half an IPv6 address
            return _refuse(400, "the header Host or Origin is malformed")
        if self._settings.on_loopback and hostname not in LOOPBACK:
            return _refuse(403, f"this server is not called {host!r}")
        if origin_host is not None and origin_host != host:
            return _refuse(403, "pages of other origins may not use this server")
        length = headers.get("content-length", "")
        max_bytes = self._max_body_bytes(path)
        if length.isdecimal() and int(length) > max_bytes:
            return _refuse(413, _too_large(max_bytes))
        if path not in PUBLIC_PATHS and not self._has_token(headers):
            return _refuse(401, "give the token: Authorization: Bearer …", {"WWW-Authenticate": "Bearer"})
        return None

    def _has_token(self, headers: Mapping[str, str]) -> bool:
        """Whether a request has the token, in its header or in the page's cookie."""
        token = self._settings.token
        if token is None:
            return True
        authorization = headers.get("authorization", "")
        scheme, _, given = authorization.partition(" ")
        if scheme.lower() != "bearer":
            given = _cookie_token(headers.get("cookie", ""))
        # Takes equally long for any wrong token, so that its characters can't be guessed one by one.
        return hmac.compare_digest(given.encode(), token.encode())

    def _max_body_bytes(self, path: str) -> int:
        if path == _UPLOAD_PATH:
            return self._settings.limits.upload + _FORM_FIELD_BYTES
        return _OUTLINE_BYTES if path.endswith(_OUTLINE_PATH) else _JSON_BYTES

    def _limit_body(self, receive: Receive, path: str) -> Receive:
        """Counts the bytes as they arrive, and the seconds between them: a body need not announce its length.

        Once the body is there, waiting has no limit: a stream of events waits for the client to leave.
        """
        received = 0
        is_complete = False
        max_bytes = self._max_body_bytes(path)

        async def receive_within_limit() -> Message:
            nonlocal received, is_complete
            if is_complete:
                return await receive()
            try:
                message = await asyncio.wait_for(receive(), _BODY_PAUSE_SECONDS)
            except TimeoutError:
                raise HTTPException(408, "the request did not arrive in time") from None
            is_complete = not message.get("more_body", False)
            received += len(message.get("body", b""))
            if received > max_bytes:
                raise HTTPException(413, _too_large(max_bytes))
            return message

        return receive_within_limit


def _too_large(max_bytes: int) -> str:
    return f"more than {max_bytes} bytes"


def _add_security_headers(send: Send) -> Send:
    # ASGI takes headers as pairs of bytes.
    added = [(name.encode(), value.encode()) for name, value in _SECURITY_HEADERS.items()]

    async def send_with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            message["headers"] = [*message.get("headers", ()), *added]
        await send(message)

    return send_with_headers


def _refuse(code: int, reason: str, headers: dict[str, str] | None = None) -> JSONResponse:
    return JSONResponse({"detail": reason}, code, headers)


def _cookie_token(header: str) -> str:
    try:
        cookie = SimpleCookie(header).get(COOKIE)
    except CookieError:
        return ""
    return cookie.value if cookie else ""
