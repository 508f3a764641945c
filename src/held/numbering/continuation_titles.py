"""Titles that a page repeats: "Segment information (continued)" goes on with a section and begins none."""

from __future__ import annotations

import re
from collections.abc import Sequence

from held.document import PhysicalObject
from held.numbering import parse

LONGEST = 200  # characters of a title
_CONTINUED = re.compile(
    r"[\s:：,—–-]*(?:[(（\[]\s*(?:continued|cont(?:inue)?[’'.]?d?\.?|续)\s*[)）\]]|(?:^|[\s—–-])continued)[:：]?$",
    re.IGNORECASE,
)
_LAST = frozenset(")）]dD:：")
_NO_LETTERS = re.compile(r"[\W_]+")


def says_continued(text: str) -> bool:
    """Whether a text ends in "(continued)", or is nothing else."""
    return _title_before(text) is not None


def _title_before(text: str) -> str | None:
    """What stands before "(continued)" at a text's end; None where no such word ends it."""
    # Most texts end otherwise: the last character tells, and costs next to nothing.
    if text[-1:] not in _LAST or len(text) > LONGEST:
        return None
    found = _CONTINUED.search(text)
    return text[: found.start()] if found else None


def continued_titles(objects: Sequence[PhysicalObject]) -> frozenset[int]:
    """The objects that say "(continued)" after a title that stands before them, perhaps with a number."""
    if not any(says_continued(item.text) for item in objects):
        return frozenset()
    before: set[str] = set()
    found = set()
    for index, item in enumerate(objects):
        if len(item.text) > LONGEST:
            continue
        title = _title_before(item.text)
        if title is not None and _letters(title) in before:
            found.add(index)
        number = parse(item.text)
        before.add(_letters(item.text))
        if number:
            before.add(_letters(item.text[number.title_start :]))
    return frozenset(found)


def _letters(text: str) -> str:
    return _NO_LETTERS.sub("", text).casefold()
