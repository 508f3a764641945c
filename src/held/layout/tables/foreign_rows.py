"""Rows between two tables that belong to neither: notes of the first, heading and text before the next.

Rules drawn over a page, and shades, may hold two tables with what stands between them. A sentence that runs
under the value columns, or a heading that is called a note or an item, parts them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from held.layout.tables.alignment import Cell, CellRow, first_value_at, is_header, row_height
from held.layout.tables.cells import text_length
from held.layout.tables.lookalikes import is_numbered
from held.layout.tables.values import NOTE_MARK
from held.layout.tolerances import (
    MAX_LABEL_UNDER_VALUES_SHARE,
    MIN_NEXT_TITLE_GAP_ROWS,
    MIN_REPEATED_NAMES_COUNT,
    MIN_SENTENCE_CHARS,
)

NAMED = re.compile(r"(?:note|item|section|article)\s+\d+[A-Z]?\s*[.:—–-]\s*\S", re.I)
ENDS_SENTENCE = (".", ":", "。", "：")


def parted_at_text(block: list[CellRow]) -> list[list[CellRow]]:
    """The block in the parts between rows of text, each with several cells a row; mostly the block alone."""
    foreign = _foreign(block)
    for title in _titles_of_next(block):
        foreign[title] = True
    if not any(foreign):
        return [block]
    parts: list[list[CellRow]] = [[]]
    for row, is_foreign in zip(block, foreign, strict=True):
        if is_foreign:
            parts.append([])
        else:
            parts[-1].append(row)
    trimmed = [_trimmed(part) for part in parts]
    return [part for part in trimmed if sum(map(_has_several, part)) > 1]


def _foreign(block: list[CellRow]) -> list[bool]:
    """For each row whether it is a sentence or a heading."""
    several = list(filter(_has_several, block))
    values_from = min((first_value_at(row) for row in several), default=0.0)
    right = max(row.cells[-1].x1 for row in block)
    end_of_labels = values_from + MAX_LABEL_UNDER_VALUES_SHARE * (right - values_from)
    return [not _has_several(row) and _is_text(row.cells[-1], end_of_labels) for row in block]


def _titles_of_next(block: list[CellRow]) -> Iterator[int]:
    """The places of lone rows, below more white than usual, over a header that stands at the top, too."""
    names = _names(block[0])
    if len(names) < MIN_REPEATED_NAMES_COUNT:
        return
    for place in range(2, len(block)):
        if _names(block[place]) != names:
            continue
        first = place
        while first > 1 and len(block[first - 1].cells) == 1:
            first -= 1
        title, above = block[first], block[first - 1]
        if first < place and title.y0 - above.y1 > MIN_NEXT_TITLE_GAP_ROWS * row_height(above, title):
            yield from range(first, place)


def _names(row: CellRow) -> list[str]:
    """The names of columns beside the name of the labels' column, if a row has no others."""
    return [cell.text for cell in row.cells[1:]] if is_header(row) else []


def _has_several(row: CellRow) -> bool:
    """Whether a row has several cells: the mark of a note before its text is none."""
    return len(row.cells) > 2 or (len(row.cells) == 2 and not NOTE_MARK.fullmatch(row.cells[0].text))


def _is_text(cell: Cell, end_of_labels: float) -> bool:
    if NAMED.match(cell.text):
        return True
    return cell.x1 > end_of_labels and _is_sentence(cell.text)


def _is_sentence(text: str) -> bool:
    return text.endswith(ENDS_SENTENCE) and text_length(text) > MIN_SENTENCE_CHARS


def _trimmed(part: list[CellRow]) -> list[CellRow]:
    """The part from its first row of several cells, labels above it included, to its last."""
    several = [place for place, row in enumerate(part) if _has_several(row)]
    if not several:
        return []
    first = several[0]
    for place in range(several[0] - 1, -1, -1):
        text = part[place].cells[0].text
        if is_numbered(text) or _is_sentence(text):
            break
        first = place
    return part[first : several[-1] + 1]
