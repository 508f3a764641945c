"""The tags of a PDF, read by a process in the sandbox: qpdf and PDFium both open the file for them."""

from __future__ import annotations

import os
from typing import Any

from held.errors import HeldError
from held.reading.tags import TaggedBlock, Tags, read_tags_here
from held.system.limits import limits
from held.system.worker_main import Connection
from held.system.worker_pool import Answer, call_in_sandbox, serve_in_sandbox

SERVE = "held.reading.tagging:serve"


def read_tags(path: str | os.PathLike[str], *, password: str | None = None) -> Tags:
    """The tagged blocks of a PDF; none if it has no structure tree."""
    request = {"path": os.path.abspath(path), "password": password}
    action, seconds = "reading its tags", limits().file_seconds
    answer = call_in_sandbox(SERVE, request, seconds=seconds, action=action, file=path)
    try:
        blocks, counts = answer.value
        return Tags(tuple(_block(block) for block in blocks), *map(_whole, counts))
    except (ValueError, TypeError) as error:
        nonsense = "the answer of the process that reads tags makes no sense"
        raise HeldError(nonsense, file=path) from error


def serve(line: Connection) -> None:
    """Reads the tags that it is asked for."""
    serve_in_sandbox(line, _answer)


def _answer(request: Any) -> Answer:
    tags = read_tags_here(request["path"], password=request["password"])
    blocks = [(block.type, block.text, block.pages, block.sections) for block in tags.blocks]
    return Answer((blocks, (tags.characters, tags.usable_characters, tags.unmarked_characters)))


def _block(said: Any) -> TaggedBlock:
    """A block as it was told; `ValueError` or `TypeError` where it is none."""
    kind, text, pages, sections = said
    if not isinstance(kind, str) or not isinstance(text, str):
        raise TypeError("no texts")
    return TaggedBlock(kind, text, tuple(map(_whole, pages)), _whole(sections))


def _whole(said: Any) -> int:
    if type(said) is not int or said < 0:
        raise ValueError("no whole number")
    return said
