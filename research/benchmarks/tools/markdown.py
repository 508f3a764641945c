"""The headings of Markdown, as all tools write them: lines that begin with one to six `#`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

_HEADING = re.compile(r" {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*")
_FENCE = re.compile(r" {0,3}(```|~~~)")
_LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
_TAG = re.compile(r"</?[a-zA-Z][^<>]*>")
_EMPHASIS = re.compile(r"(?<!\\)(?:\*{1,3}|(?<!\w)_{1,3}|_{1,3}(?!\w)|`+|~~)")
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")


class Heading(NamedTuple):
    """A heading that a tool gives: level from 1, page from 1, None where the tool does not tell it."""

    level: int
    title: str
    page: int | None


def headings_of(pages: Iterable[tuple[int | None, str]]) -> list[Heading]:
    """The headings of stretches of Markdown with their pages; those without text are none."""
    return [heading for page, text in pages for heading in _headings(page, text)]


def _headings(page: int | None, text: str) -> Iterator[Heading]:
    fence = None
    for line in text.splitlines():
        mark = _FENCE.match(line)
        if mark and fence in (None, mark[1]):
            fence = mark[1] if fence is None else None
        elif fence is None and (found := _HEADING.fullmatch(line)):
            title = plain_title(found[2] or "")
            if title:
                yield Heading(len(found[1]), title, page)


def plain_title(title: str) -> str:
    """A title without the marks of Markdown and HTML in it."""
    bare = _TAG.sub(" ", _LINK.sub(r"\1", title))
    return " ".join(_ESCAPE.sub(r"\1", _EMPHASIS.sub("", bare)).split())
