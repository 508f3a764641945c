"""The one way in which the server has a PDF worked on: a request to a child, within limits."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from held.document import Note
from held.errors import HeldError
from held.serve.settings import Limits
from held.system.json_values import JsonValue
from held.system.limits import limits as reading_limits
from held.system.processes.cpu_timeout import PATIENCE
from held.system.processes.memory import memory_share
from held.system.processes.parent import Died, Lost, Program, TookTooLong
from held.system.processes.pool import Answer, Tell, ask, nobody

_SERVE = "held.serve.child:serve"
_CODES = {"NotAPdfError": 415, "_TooManyPages": 413, "MemoryError": 413, "fault": 500}
_UNPROCESSABLE = 422


class WorkError(Exception):
    """Why there is no result, the code of HTTP for it, and whether to try again may help."""

    def __init__(self, reason: str, *, code: int, killed: bool = False) -> None:
        super().__init__(reason)
        self.reason, self.code, self.killed = reason, code, killed


@dataclass(frozen=True, slots=True)
class Extracted:
    """A tree as JSON, and what there is to say about it."""

    content: bytes
    pages: int
    objects: int
    headings: int
    notes: tuple[Note, ...]
    lost: tuple[int, ...]
    source_hash: str


def extract(source: Path, options: Mapping[str, Any], limits: Limits, tell: Tell, *, model: str) -> Extracted:
    """The tree of a PDF. `tell` hears the stages: reading, recognising, headings, inserting."""
    request = {
        "do": "extract",
        "source": os.fspath(source),
        "password": options.get("password"),
        "outline": options.get("outline") or "ignore",
        "model": model,
        "pages": limits.pages,
    }
    answer = _asked(request, limits, tell, limits.seconds)
    said = JsonValue(answer.value)
    (content,) = answer.parts
    pages, objects, headings = (said[name].whole() for name in ("pages", "objects", "headings"))
    notes = tuple(_note(note) for note in said["notes"].items())
    lost = tuple(page.whole(least=1) for page in said["lost"].items())
    return Extracted(content, pages, objects, headings, notes, lost, said["source_hash"].text())


def page(source: Path, number: int, *, scale: float, password: str | None, limits: Limits) -> bytes:
    """A page of a PDF as PNG."""
    request = {
        "do": "page",
        "source": os.fspath(source),
        "page": number,
        "scale": scale,
        "password": password,
    }
    # The process that draws is ended by its own limit, in seconds of work; this one only waits for it.
    seconds = reading_limits().page_seconds * (1 + PATIENCE)
    (picture,) = _asked(request, limits, nobody, seconds).parts
    return picture


def form(name: str, source: Path, tree: Path, *, password: str | None, limits: Limits) -> bytes:
    """A tree in a form that needs its PDF."""
    paths = {"source": os.fspath(source), "tree": os.fspath(tree)}
    request = {"do": "form", "form": name, "password": password, **paths}
    (content,) = _asked(request, limits, nobody, limits.seconds).parts
    return content


def _asked(request: Mapping[str, Any], limits: Limits, tell: Tell, seconds: float) -> Answer:
    answer = ask(_program(limits), request, tell, seconds=seconds, keep=request["do"] == "page")
    if isinstance(answer, Lost):
        late = isinstance(answer, TookTooLong)
        raise WorkError(str(answer), code=504 if late else 500, killed=isinstance(answer, Died))
    try:
        said = JsonValue(answer.value)
        if "error" in said:
            raise _error(said)
        if len(answer.parts) != 1:
            raise WorkError("the child gave no result", code=500)
    except HeldError as error:
        raise WorkError(f"the child's answer makes no sense: {error}", code=500) from error
    return answer


@cache
def _program(limits: Limits) -> Program:
    """What a child runs; its share of memory is that of the start, so that one that waits can be found."""
    return Program(_SERVE, memory=limits.memory or memory_share(limits.workers + 1), group=True)


def _error(said: JsonValue) -> WorkError:
    page = said.get("page", None).value
    where = f"page {page}: " if isinstance(page, int) else ""
    code = _CODES.get(said["error"].text(), _UNPROCESSABLE)
    return WorkError(where + said["what"].text(), code=code)


def _note(said: JsonValue) -> Note:
    page = said["page"]
    return Note(None if page.value is None else page.whole(), said["message"].text())
