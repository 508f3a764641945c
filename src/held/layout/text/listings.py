"""Code listings: lines in a font of fixed width that stand under each other.

They are found before tables and columns, since aligned words of code look like cells. Line ends and indents
are kept: with a fixed width, a line's place tells how many characters stand before it. A document whose
running text is of fixed width has no listings that could be told from it.
"""

from __future__ import annotations

import re
from collections.abc import Container, Sequence
from itertools import pairwise
from statistics import median
from textwrap import indent
from typing import NamedTuple

from held.document import Box, Run, bounding_box
from held.layout.characters import is_cjk
from held.layout.lines import Line
from held.layout.rows import TextStyle
from held.layout.tables.cells import usual_size
from held.layout.tolerances import (
    DEFAULT_CODE_CHARACTER_EM,
    MAX_CODE_EXPLANATION_GAP_EM,
    MAX_CODE_OUTDENT_EM,
    MAX_CODE_REACH_EM,
    MAX_CODE_ROW_GAP_EM,
    MAX_CODE_ROW_TOP_SHIFT_EM,
    MAX_CODE_ROWS_BESIDE_TEXT_SHARE,
    MAX_CODE_SHIFT_CHARS,
    MAX_CODE_SIZE_TIMES,
    MAX_MONOSPACE_SHARE,
    MIN_BLANK_CODE_ROW_TIMES,
    MIN_CODE_ROWS,
)

SHORT = 20  # characters: short texts with a text beside them are the first column of a table
LEAST_MEASURED = 4  # characters of a run that tells how wide one is
CODE = re.compile(
    r"[{};]|\w\(.*\)|[=<>]=|:=|->|=>|::|\\\w|^\s*[$#>%]\s|^\s*(?:import|def|class|return|sudo|git)\b"
)
LEADERS = (". . . .", ".....")
ADDRESS_NOTE = re.compile(r"\d{1,3}\s*(?:https?|ftp)://\S+$")  # a footnote with an address in a fixed width


class Listing(NamedTuple):
    """A listing: the indices of its lines, its box and its text."""

    lines: tuple[int, ...]
    box: Box
    text: str


def listed_styles(pages: Sequence[Sequence[Line]], looks: Sequence[TextStyle]) -> frozenset[int]:
    """The styles of fixed width that a document sets its code in; none where its running text is."""
    styles = frozenset(style for style, look in enumerate(looks) if look.mono)
    total = in_fixed = 0
    for lines in pages if styles else ():
        for line in lines:
            total += len(line.text)
            in_fixed += len(line.text) if line.style in styles else 0
    return styles if 0 < in_fixed < MAX_MONOSPACE_SHARE * total else frozenset()


def find_listings(lines: Sequence[Line], styles: Container[int], taken: Container[int]) -> list[Listing]:
    """The listings that a page has in these styles; lines in `taken` are known to be something else."""
    fixed = [i for i, line in enumerate(lines) if i not in taken and _is_fixed(line, styles)]
    if not fixed:
        return []
    largest = MAX_CODE_SIZE_TIMES * usual_size(lines)
    fixed = [i for i in fixed if lines[i].size <= largest and not _is_in_index(lines[i].text)]
    fixed.sort(key=lambda i: (lines[i].y0, lines[i].x0))
    among_fixed = set(fixed)
    others = [line for i, line in enumerate(lines) if i not in among_fixed]
    found = []
    for group in _groups(fixed, lines):
        rows = _rows(group, lines)
        if _is_listing(rows, lines, others):
            box = bounding_box([lines[i] for i in group])
            found.append(Listing(tuple(group), box, _text(rows, lines)))
    return found


def _is_fixed(line: Line, styles: Container[int]) -> bool:
    """Whether all words of a line are set in a fixed width.

    Numbers of lines may be set otherwise, and so may Chinese comments, for which such a font has no letters.
    """
    if len(line.runs) == 1:
        return line.style in styles
    if not any(run.style in styles for run in line.runs):
        return False
    worded = [run for run in line.runs if any(map(str.isalpha, run.text))] or list(line.runs)
    if worded[0].style not in styles:
        return False
    return all(run.style in styles or is_cjk(run.text[0]) for run in worded)


def _is_in_index(text: str) -> bool:
    """Whether a line is an entry of an index, a name of the program with leaders before its pages."""
    return any(leaders in text for leaders in LEADERS)


class _Edges(NamedTuple):
    """How far a listing reaches to the left and to the right, and where its last line ends."""

    left: float
    right: float
    bottom: float


def _groups(fixed: Sequence[int], lines: Sequence[Line]) -> list[list[int]]:
    """The lines that stand under each other."""
    groups: list[list[int]] = []
    edges: list[_Edges] = []
    for i in fixed:
        line = lines[i]
        last_first = range(len(groups) - 1, -1, -1)
        place = next((k for k in last_first if _goes_on(edges[k], line)), None)
        if place is None:
            groups.append([i])
            edges.append(_Edges(line.x0, line.x1, line.y1))
        else:
            groups[place].append(i)
            left, right = min(edges[place].left, line.x0), max(edges[place].right, line.x1)
            edges[place] = _Edges(left, right, line.y1)
    return groups


def _goes_on(edges: _Edges, line: Line) -> bool:
    """Whether a line stands on the last row of a listing or under it."""
    left, right, bottom = edges
    if line.y0 - bottom > MAX_CODE_ROW_GAP_EM * line.size:
        return False
    return (
        left - MAX_CODE_OUTDENT_EM * line.size < line.x0 < right + MAX_CODE_REACH_EM * line.size
        and line.x1 > left
    )


def _rows(group: Sequence[int], lines: Sequence[Line]) -> list[list[int]]:
    """The lines of a listing by baseline, from left to right."""
    rows: list[list[int]] = []
    for i in group:
        if rows and lines[i].y0 - lines[rows[-1][0]].y0 < MAX_CODE_ROW_TOP_SHIFT_EM * lines[i].size:
            rows[-1].append(i)
        else:
            rows.append([i])
    return [sorted(row, key=lambda i: lines[i].x0) for row in rows]


def _is_listing(rows: Sequence[Sequence[int]], lines: Sequence[Line], others: Sequence[Line]) -> bool:
    """Whether lines of fixed width are code rather than terms beside their explanations, the other lines."""
    texts = [" ".join(lines[i].text for i in row) for row in rows]
    coded = sum(CODE.search(text) is not None for text in texts)
    if len(rows) < MIN_CODE_ROWS and not coded:
        return False
    if all(ADDRESS_NOTE.match(text) for text in texts):
        return False
    beside = sum(_has_text_beside(lines[row[0]], lines[row[-1]], others) for row in rows)
    if beside <= MAX_CODE_ROWS_BESIDE_TEXT_SHARE * len(rows):
        return True
    return median(map(len, texts)) > SHORT and coded > 0


def _has_text_beside(first: Line, last: Line, others: Sequence[Line]) -> bool:
    """Whether one of the other lines stands beside a row that reaches from its first line to its last."""
    middle = (first.y0 + first.y1) / 2
    for other in others:
        if not other.y0 < middle < other.y1:
            continue
        gap = max(other.x0 - last.x1, first.x0 - other.x1)
        if gap < MAX_CODE_EXPLANATION_GAP_EM * first.size and any(map(str.isalpha, other.text)):
            return True
    return False


def _text(rows: Sequence[Sequence[int]], lines: Sequence[Line]) -> str:
    """The rows as text, each piece of them in the column where it stands; blank rows where one is left."""
    pieces = [run for row in rows for i in row for run in lines[i].runs]
    whole = [run for run in pieces if len(run.text) >= LEAST_MEASURED and not run.text[0].isspace()]
    widths = [(run.x1 - run.x0) / len(run.text) for run in whole]
    width = (median(widths) if widths else 0.0) or DEFAULT_CODE_CHARACTER_EM * lines[rows[0][0]].size
    left = min(_start(run, width) for run in pieces)
    pitch = _pitch(rows, lines)
    written: list[str] = []
    above: float | None = None
    for row in rows:
        top = lines[row[0]].y0
        if above is not None and top - above > MIN_BLANK_CODE_ROW_TIMES * pitch:
            written.append("")
        above = top
        text = ""
        for run in (run for i in row for run in lines[i].runs):
            column = round((_start(run, width) - left) / width)
            text = text.ljust(column) + run.text.strip()
        written.append(text)
    return "\n".join(written)


def join_listings(upper: str, upper_box: Box, lower: str, lower_box: Box) -> str:
    """The text of a listing and of its rest on the next page, which may begin further in or out."""
    # The longest line tells best how wide a character is.
    lines = [
        (len(line), box)
        for text, box in ((upper, upper_box), (lower, lower_box))
        for line in text.split("\n")
    ]
    longest, box = max(lines, key=lambda line: line[0])
    width = box.width / max(longest, 1)
    shift = round((lower_box.x0 - upper_box.x0) / width) if width else 0
    if abs(shift) > MAX_CODE_SHIFT_CHARS:
        shift = 0  # set elsewhere on its page
    above = indent(upper, " " * max(-shift, 0))
    below = indent(lower, " " * max(shift, 0))
    return f"{above}\n{below}"


def _start(run: Run, width: float) -> float:
    """Where the words of a run begin: blanks before them are drawn together into one, so its end tells."""
    if not run.text[0].isspace():
        return run.x0
    return max(run.x0, run.x1 - width * len(run.text.lstrip()))


def _pitch(rows: Sequence[Sequence[int]], lines: Sequence[Line]) -> float:
    """The usual distance between the rows of a listing, 0 for one row."""
    tops = [lines[row[0]].y0 for row in rows]
    steps = [lower - upper for upper, lower in pairwise(tops)]
    return median(steps) if steps else 0.0
