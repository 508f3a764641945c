"""The page itself, and its scripts and styles: files of the package, nothing made on the way."""

from __future__ import annotations

import hmac
from pathlib import Path

from fastapi import APIRouter, HTTPException
from fastapi.responses import FileResponse, RedirectResponse, Response

from held.serve.guard import COOKIE
from held.serve.routes.common import ServerOf

router = APIRouter(include_in_schema=False)

_STATIC = Path(__file__).parents[1] / "static"
_TYPES = {".js": "text/javascript", ".css": "text/css", ".html": "text/html", ".svg": "image/svg+xml"}


@router.get("/")
def page() -> Response:
    """The page."""
    return _file("index.html")


@router.get("/login")
def login(server: ServerOf, token: str = "") -> Response:
    """A cookie for the page, for who has the token, and on to the page."""
    wanted = server.settings.token
    if wanted is None or not hmac.compare_digest(token.encode(), wanted.encode()):
        raise HTTPException(401, "this is not the token")
    answer = RedirectResponse("/", 303)
    answer.set_cookie(COOKIE, wanted, httponly=True, samesite="strict")
    return answer


@router.get("/docs")
def docs() -> Response:
    """What can be asked, for people."""
    return _file("docs.html")


@router.get("/static/{name}")
def static(name: str) -> Response:
    """A file of the page."""
    return _file(name)


def _file(name: str) -> Response:
    known = {path.name: path for path in _STATIC.iterdir()}
    if name not in known:
        raise HTTPException(404, f"there is no {name!r}")
    path = known[name]
    return FileResponse(path, media_type=_TYPES[path.suffix], headers={"Cache-Control": "no-cache"})
