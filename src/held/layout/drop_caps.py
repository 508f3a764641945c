"""Drop caps: the large first letter of a paragraph, which reaches over several of its lines.

    T he year under      the letter is a line of its own, and what stands beside it is indented
      review was …
    exceptional

Left alone, the letter looks like a title, the first word loses its letter, and the indented lines look like
a paragraph of their own.
"""

from __future__ import annotations

from collections.abc import Sequence

from held.layout.lines import Line
from held.layout.tolerances import (
    MAX_DROP_CAP_GAP_EM,
    MAX_DROP_CAP_LINE_SHIFT_EM,
    MIN_DROP_CAP_LINES_COUNT,
    MIN_DROP_CAP_SIZE_TIMES,
)

_QUOTES = "\"'“‘«„"


def join_drop_caps(lines: list[Line]) -> list[Line]:
    """The lines of a page, each drop cap joined to the first of the lines beside it.

    The lines beside a drop cap begin at its left edge afterwards, as those below it do.
    """
    caps = [i for i, line in enumerate(lines) if _is_large_letter(line.text)]
    if not caps:
        return lines
    joined = list(lines)
    dropped = set()
    for cap in caps:
        beside = _lines_beside(lines[cap], lines)
        if len(beside) < MIN_DROP_CAP_LINES_COUNT or not lines[beside[0]].text[:1].isalpha():
            continue
        dropped.add(cap)
        for i in beside:
            joined[i] = _begin_at(joined[i], lines[cap].x0)
        joined[beside[0]] = _put_before(joined[beside[0]], lines[cap].text)
    return [line for i, line in enumerate(joined) if i not in dropped]


def _is_large_letter(text: str) -> bool:
    """Whether a text is one capital letter, perhaps after a quotation mark."""
    letter = text.lstrip(_QUOTES)
    return len(letter) == 1 and letter.isupper()


def _lines_beside(cap: Line, lines: Sequence[Line]) -> list[int]:
    """The lines right of a letter, over its height, that are much smaller; the highest one first."""
    found = []
    for i, line in enumerate(lines):
        is_smaller = line.size * MIN_DROP_CAP_SIZE_TIMES <= cap.size
        # Glyphs of a large letter may reach below the baseline of its last line: middles are compared.
        if is_smaller and cap.y0 <= line.middle <= cap.y1 and _touches(cap, line):
            found.append(i)
    found.sort(key=lambda i: lines[i].y0)
    return found


def _touches(cap: Line, line: Line) -> bool:
    gap = line.x0 - cap.x1
    return -MAX_DROP_CAP_LINE_SHIFT_EM * line.size <= gap <= MAX_DROP_CAP_GAP_EM * line.size


def _begin_at(line: Line, x0: float) -> Line:
    first, *others = line.runs
    return line._replace(x0=x0, runs=(first._replace(x0=x0), *others))


def _put_before(line: Line, letter: str) -> Line:
    first, *others = line.runs
    return line._replace(
        text=f"{letter}{line.text}", runs=(first._replace(text=f"{letter}{first.text}"), *others)
    )
