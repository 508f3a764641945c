"""What stands in rows and columns and yet is no table.

Printed contents, headings and list items with their numbers set apart, listings, equations, and the
numbers along the axes of a chart.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from held.document import Box
from held.layout.lines import Line
from held.layout.tables.alignment import CellRow
from held.layout.tables.cells import Table
from held.layout.tables.values import is_value
from held.layout.tolerances import (
    BLOCK_MARGIN_PT,
    MAX_ALIKE_BARS_COUNT,
    MAX_AXIS_STEP_SPREAD_SHARE,
    MAX_FIGURE_CAPTION_GAP_PT,
    MAX_PAGE_NUMBER_CHARS,
    MAX_STROKE_WIDTH_PT,
    MAX_STROKES_IN_TABLE_COUNT,
    MIN_CELLS_PER_SIGN_COUNT,
    MIN_CONTENTS_ROWS_COUNT,
    MIN_CONTENTS_ROWS_SHARE,
    MIN_COUNTING_STEPS_SHARE,
    MIN_PAGES_PER_FALL_COUNT,
)

ENUMERATOR = re.compile(
    r"[•◦▪●■□–—*·‣➢✓-]|[(（\[]?(?:[A-Za-z]|[ivxIVX]+|[\dA-Z]+(?:[.\-]\d+)*|[一二三四五六七八九十]+)[.)）\]:、]*"
    r"|(?:Section|Chapter|Article|Appendix|Note|Item|Step|Level)\s+[\dA-Z.]+[:.]?|第.{1,4}[章节条]",
)
NUMBERED = re.compile(
    r"(?:[(（]\s*[\d一二三四五六七八九十A-Za-z]{1,3}\s*[)）]|\d+(?:\.\d+)+\.?\s|\d{1,2}[.、]|[一二三四五六七八九十]+、)"
    r".*[^:：]"
)
CAPTION_OR_ITEM = re.compile(
    r"(?:table|tab\.|figure|fig\.|chart|exhibit)\s*[A-Z]?\d|[图表]\s*\d|[•◦▪●■□‣➢✓]", re.IGNORECASE
)

OF_FIGURE = re.compile(r"(?:fig(?:ure|\.)?|图)\s*[\dA-Z]", re.IGNORECASE)
EQUATION_NUMBER = re.compile(r"[(（][A-Z]?\d*(?:[.\-]\d+)*[a-z]?[)）]")
SIGN = re.compile(r"^[=+∈→⇒≤≥≈∼:;,.]+$|[=∈→]$|^= |[∑∏∫√∂∇∀∃⟨⟩∥∈\uf8e0-\uf8ff\x00-\x1f]| = [A-Za-z(\[{]")


def is_no_table(block: list[CellRow], data: list[CellRow], columns: list[tuple[float, float]]) -> bool:
    """Whether rows in columns are contents, a list, a listing or mathematics."""
    return (
        _is_contents(data) or _is_enumeration(data, columns) or _is_equations(data) or _is_mathematics(block)
    )


def is_numbered(text: str) -> bool:
    """Whether a label begins like a numbered heading and does not end like the head of a list of rows."""
    return NUMBERED.fullmatch(text) is not None


def is_apart(row: CellRow) -> bool:
    """Whether a row is a caption or a list item, which no table holds however close it stands."""
    return CAPTION_OR_ITEM.match(row.cells[0].text) is not None


def _is_contents(data: list[CellRow]) -> bool:
    """Whether the rows are entries of a printed table of contents: a title and a page that never falls."""
    pages = [
        int(row.cells[-1].text)
        for row in data
        if row.cells[-1].text.isdecimal()
        and len(row.cells[-1].text) <= MAX_PAGE_NUMBER_CHARS
        and (len(row.cells) == 2 or _enumerates(row.cells[0].text))
    ]
    if len(pages) <= max(MIN_CONTENTS_ROWS_COUNT, MIN_CONTENTS_ROWS_SHARE * len(data)):
        return False
    falls = sum(a > b for a, b in pairwise(pages))
    return MIN_PAGES_PER_FALL_COUNT * falls < len(pages) and pages[0] < pages[-1]


def _enumerates(text: str) -> bool:
    return bool(ENUMERATOR.fullmatch(text))


def _is_enumeration(data: list[CellRow], columns: list[tuple[float, float]]) -> bool:
    """Whether the rows are list items, headings with their numbers set apart, or the lines of a listing."""
    values = [[cell.text for cell in row.cells if is_value(cell.text)] for row in data]
    if all(len(texts) == 1 for texts in values) and _counts_up([texts[0] for texts in values]):
        return True
    return len(columns) == 2 and all(
        len(row.cells) == 2 and _enumerates(row.cells[0].text) and not is_value(row.cells[1].text)
        for row in data
    )


def _counts_up(texts: list[str]) -> bool:
    """Whether the texts are numbers, nearly each one more than the one before."""
    texts = [text.rstrip(":.") for text in texts]
    numbers = [int(text) for text in texts if text.isdecimal()]
    steps = [b - a for a, b in pairwise(numbers)]
    return (
        len(numbers) == len(texts) > 1
        and min(steps) > 0
        and steps.count(1) >= MIN_COUNTING_STEPS_SHARE * len(steps)
    )


def _is_equations(data: list[CellRow]) -> bool:
    """Whether the only numbers are those of equations at the margin."""
    return all(
        EQUATION_NUMBER.fullmatch(row.cells[-1].text)
        and not any(is_value(cell.text) for cell in row.cells[1:-1])
        for row in data
    )


def _is_mathematics(block: list[CellRow]) -> bool:
    """Whether many cells are but signs that stand between the terms of a formula."""
    cells = [cell.text for row in block for cell in row.cells]
    return MIN_CELLS_PER_SIGN_COUNT * sum(SIGN.search(text) is not None for text in cells) > len(cells)


def is_drawn_over(block: list[CellRow], loose: Sequence[Box]) -> bool:
    """Whether strokes stand among the block's cells as in a chart: upright lines and boxes without text."""
    if not loose:
        return False
    top, bottom = block[0].y0 - BLOCK_MARGIN_PT, block[-1].y1 + BLOCK_MARGIN_PT
    left = min(row.cells[0].x0 for row in block) - BLOCK_MARGIN_PT
    right = max(row.cells[-1].x1 for row in block) + BLOCK_MARGIN_PT
    strokes = 0
    shades = _repeated_edges(loose)
    for x0, y0, x1, y1 in loose:
        if (
            (round(x0), round(x1)) not in shades
            and y0 < bottom
            and y1 > top
            and x0 > left
            and x1 < right
            and y1 - y0 > MAX_STROKE_WIDTH_PT
        ):
            strokes += not any(
                y0 < (row.y0 + row.y1) / 2 < y1
                and any(x0 < (cell.x0 + cell.x1) / 2 < x1 for cell in row.cells)
                for row in block
            )
            if strokes > MAX_STROKES_IN_TABLE_COUNT:
                return True
    return strokes > 1 and _is_axis(block)


def is_row_of_boxes(table: Table, lines: Sequence[Line]) -> bool:
    """Whether a drawn row, mostly empty, may be boxes of a diagram: the caption of a figure stands below."""
    if not table.ruled or len(table.rows) > 1 or 2 * sum(map(bool, table.rows[0])) > len(table.rows[0]):
        return False
    box = table.box
    below = (line for line in lines if 0 < line.y0 - box.y1 < MAX_FIGURE_CAPTION_GAP_PT)
    return any(line.x0 < box.x1 and line.x1 > box.x0 and OF_FIGURE.match(line.text) for line in below)


def _repeated_edges(loose: Sequence[Box]) -> frozenset[tuple[int, int]]:
    """The left and right edges that several boxes share: shades of cells, unlike the bars of a chart."""
    counted = Counter((round(box.x0), round(box.x1)) for box in loose)
    return frozenset(edges for edges, count in counted.items() if count > MAX_ALIKE_BARS_COUNT)


def _is_axis(block: list[CellRow]) -> bool:
    """Whether the first numbers of the rows go up or down in equal steps, like those along an axis."""
    firsts = [next((cell.text for cell in row.cells if is_value(cell.text)), "") for row in block]
    try:
        values = [float(text.replace(",", "").rstrip("%")) for text in firsts if text]
    except ValueError:
        return False
    steps = [b - a for a, b in pairwise(values)]
    return (
        len(steps) > 1
        and steps[0] != 0
        and max(steps) - min(steps) < MAX_AXIS_STEP_SPREAD_SHARE * abs(steps[0])
    )
