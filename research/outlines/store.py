"""Complete outlines that were written by reading documents of the corpus, stored without any of their text.

`outlines.jsonl` has a row for each document: its id, the SHA-1 of its source file, and for each heading the
level, the page (from 0) and the box of its title in tenths of a point; a seventh number is the length of a
title that begins a paragraph. The titles are read again from the stored pages. The reader marks headings in a
file ID.txt:

    33 1              object 33 is a heading of level 1
    41+42 2           one heading of level 2, which the layout has split into two objects
    77 3 GENERIC USE  a run-in heading: object 77 begins with this title
    @14 2 Key facts   a heading on page 14 that is no object of its own, as printed
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from held.corpus.store import LabelledDocument
from held.document import Box, bounding_box

OUTLINES = Path(__file__).parent / "outlines.jsonl"
TENTHS = 10  # units of stored coordinates per point
_LONGEST_RUN = 500  # characters; a stretch longer than the title by so much does not begin with it
_MARK = re.compile(r"(?P<objects>\d+(?:\+\d+)*|@\d+)\s+(?P<level>\d+)(?:\s+(?P<title>.+))?")

Row = dict[str, Any]


class Heading(NamedTuple):
    """A heading of a complete outline; `page` counts from 0, the box is in tenths of a point."""

    level: int
    page: int
    x0: int
    y0: int
    x1: int
    y1: int
    length: int | None = None  # characters of a title that begins a paragraph, without spaces


def read_outlines(path: Path = OUTLINES) -> list[Row]:
    """The stored outlines, a row for each document."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def write_outlines(rows: Iterable[Row], path: Path = OUTLINES) -> None:
    """Write the rows in the order of their ids."""
    ordered = sorted(rows, key=lambda row: row["id"])
    lines = (json.dumps(row, separators=(",", ":")) for row in ordered)
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


# --- From marks to outlines ---


def headings_of_marks(text: str, labelled: LabelledDocument, stored: Row) -> list[Heading]:
    """The headings that a file of marks names; raises ValueError for a mark that fits nothing."""
    headings = []
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip() or line.startswith("#"):
            continue
        match = _MARK.fullmatch(line.strip())
        if match is None:
            raise ValueError(f"{labelled.id}, line {number}: not a mark: {line!r}")
        try:
            headings.append(_heading(match, labelled, stored))
        except (ValueError, IndexError) as error:
            raise ValueError(f"{labelled.id}, line {number}: {error}: {line!r}") from error
    return headings


def _heading(match: re.Match[str], labelled: LabelledDocument, stored: Row) -> Heading:
    level, title = int(match["level"]), match["title"]
    if match["objects"].startswith("@"):
        page = int(match["objects"][1:]) - 1
        if not title:
            raise ValueError("a heading without an object needs its title")
        x0, y0, x1, y1 = _box_of_text(stored["pages"][page]["runs"], title)
        return Heading(level, page, x0, y0, x1, y1)
    objects = [labelled.document.objects[int(index)] for index in match["objects"].split("+")]
    page = objects[0].page
    box = bounding_box([item.box for item in objects if item.page == page])
    x0, y0, x1, y1 = (round(side * TENTHS) for side in box)
    key = _key(title or "")
    if not _key(objects[0].text).startswith(key):
        raise ValueError("the object does not begin with this title")
    return Heading(level, page - 1, x0, y0, x1, y1, length=len(key) or None)


def _box_of_text(runs: Sequence[Sequence[Any]], title: str) -> list[int]:
    """The box of the shortest stretch of runs that contains a title."""
    key = _key(title)
    best: Sequence[Sequence[Any]] | None = None
    for start in range(len(runs)):
        text = ""
        for end in range(start, len(runs)):
            text += _key(runs[end][5])
            if key in text:
                stretch = runs[start : end + 1]
                if best is None or len(stretch) < len(best):
                    best = stretch
                break
            if len(text) > len(key) + _LONGEST_RUN:
                break
    if best is None:
        raise ValueError("this title is not printed on the page")
    box = bounding_box([Box(*run[:4]) for run in best])
    return [round(side) for side in box]


def _key(text: str) -> str:
    return "".join(text.split())


# --- From outlines to entries of corpus documents ---


def outline_entries(headings: Iterable[Heading], stored: Row) -> Iterator[list[Any]]:
    """The outline of a corpus document: level, title, page, y of each heading."""
    for heading in headings:
        runs = [run for run in stored["pages"][heading.page]["runs"] if _is_inside(run, heading)]
        title = " ".join(" ".join(run[5].split()) for run in runs)
        if heading.length is not None:
            title = _prefix(title, heading.length)
        yield [heading.level, title, heading.page, heading.y0]


def _is_inside(run: Sequence[Any], heading: Heading) -> bool:
    x0, y0, x1, y1, *_ = run
    x_centre, y_centre = (x0 + x1) / 2, (y0 + y1) / 2
    is_inside: bool = heading.x0 <= x_centre <= heading.x1 and heading.y0 <= y_centre <= heading.y1
    return is_inside


def _prefix(text: str, length: int) -> str:
    """The beginning of a text with so many characters other than spaces."""
    seen = 0
    for position, character in enumerate(text):
        seen += not character.isspace()
        if seen == length:
            return text[: position + 1]
    return text
