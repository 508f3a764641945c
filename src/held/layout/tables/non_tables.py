"""Recognises what stands in rows and columns and is no table.

Printed contents, headings and list items whose numbers are set apart, listings, equations, and the numbers
along the axes of a chart.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from held.document import Box
from held.layout.lines import Line
from held.layout.tables.cells import Lines, text_length
from held.layout.tables.columns import Columns, find_columns, nearest_column
from held.layout.tables.rows import CellRow, Rows, first_value_start, is_header
from held.layout.tables.words import NOTE_MARK, is_value, may_name_columns
from held.layout.tolerances import (
    BLOCK_MARGIN_PT,
    MAX_ALIKE_BARS_COUNT,
    MAX_AXIS_STEP_SPREAD_SHARE,
    MAX_CHANCE_LINES_COUNT,
    MAX_COLUMN_INDENT_PT,
    MAX_LABEL_UNDER_VALUES_SHARE,
    MAX_PAGE_NUMBER_CHARS,
    MAX_PARAGRAPH_GAP_PT,
    MAX_STROKES_IN_TABLE_COUNT,
    MAX_TEXT_EDGE_SHIFT_PT,
    MAX_TWIN_WIDTH_SHIFT_SHARE,
    MIN_CELLS_PER_SIGN_COUNT,
    MIN_CONTENTS_ROWS_COUNT,
    MIN_CONTENTS_ROWS_SHARE,
    MIN_COUNTING_STEPS_SHARE,
    MIN_FILLING_LINE_CHARS,
    MIN_INDEX_ENTRIES_COUNT,
    MIN_INDEX_ENTRIES_SHARE,
    MIN_PAGES_PER_FALL_COUNT,
    MIN_PROSE_LINE_CHARS,
    MIN_PROSE_LINE_PT,
    MIN_RAGGED_LINE_SHARE,
    MIN_RENAMED_COLUMNS_SHARE,
    MIN_REPEATED_NAMES_COUNT,
    MIN_SENTENCE_CHARS,
    MIN_TEXT_COLUMN_SHARE,
    SAME_TEXT_EDGE_PT,
    TEXT_COLUMN_OVERHANG_PT,
)
from held.system import lazy_pattern

LEADERS = ("....", ". . .", "……", "····")
ENUMERATOR = lazy_pattern(
    r"[^\w\s]|[(（\[]?(?:[A-Za-z]|[ivxIVX]+|[\dA-Z]+(?:[.\-]\d+)*|[一二三四五六七八九十]+)[.)）\]:、]*"
    r"|(?:Section|Chapter|Article|Appendix|Note|Item|Step|Level)\s+[\dA-Z.]+[:.]?|第.{1,4}[章节条]",
)
NUMBERED_HEADING = lazy_pattern(
    r"(?:[(（]\s*[\d一二三四五六七八九十A-Za-z]{1,3}\s*[)）]|\d+(?:\.\d+)+\.?\s|\d{1,2}[.、]|[一二三四五六七八九十]+、)"
    r".*[^:：]"
)
CAPTION_OR_ITEM = lazy_pattern(
    r"(?:table|tab\.|figure|fig\.|chart|exhibit)\s*[A-Z]?\d|[图表]\s*\d|[•◦▪●■□‣➢✓]", re.IGNORECASE
)
EQUATION_NUMBER = lazy_pattern(r"[(（][A-Z]?\d*(?:[.\-]\d+)*[a-z]?[)）]")
INDEX_ENTRY = lazy_pattern(
    r"(?:(?:\. ?){4}|…{2}|·{4})\s*(?:\d{1,4}|[ivxlc]+)(?:[,–-]\s?(?:\d{1,4}|[ivxlc]+))*$"
)
MATH_SIGN = lazy_pattern(
    r"^[=+∈→⇒≤≥≈∼:;,.]+$|[=∈→]$|^= |[∑∏∫√∂∇∀∃⟨⟩∥∈\uf8e0-\uf8ff\x00-\x1f]| = [A-Za-z(\[{]"
)
NAMED_ITEM = lazy_pattern(r"(?:note|item|section|article)\s+\d+[A-Z]?\s*[.:—–-]\s*\S", re.I)
SENTENCE_ENDS = (".", ":", "。", "：")


def is_non_table(block: Rows, data: Rows, columns: Columns) -> bool:
    """Whether rows in columns are contents, a list, a listing or mathematics."""
    return _is_contents(data) or _is_list(data, columns) or _is_equations(data) or _is_mathematics(block)


def is_numbered_heading(text: str) -> bool:
    """Whether a label begins like a numbered heading and doesn't end like the label of a group of rows."""
    return NUMBERED_HEADING.fullmatch(text) is not None


def is_caption_or_item(row: CellRow) -> bool:
    """Whether a row is a caption or a list item, which no table contains."""
    return CAPTION_OR_ITEM.match(row.cells[0].text) is not None


# --- Contents, lists and formulas ---


def _is_contents(data: Rows) -> bool:
    """Whether the rows are entries of printed contents: a title and a page that hardly ever falls."""
    pages = []
    for row in data:
        last = row.cells[-1].text
        is_entry = len(row.cells) == 2 or _is_enumerator(row.cells[0].text)
        if is_entry and last.isdecimal() and len(last) <= MAX_PAGE_NUMBER_CHARS:
            pages.append(int(last))
    if len(pages) <= max(MIN_CONTENTS_ROWS_COUNT, MIN_CONTENTS_ROWS_SHARE * len(data)):
        return False
    falls = sum(a > b for a, b in pairwise(pages))
    return MIN_PAGES_PER_FALL_COUNT * falls < len(pages) and pages[0] < pages[-1]


def _is_enumerator(text: str) -> bool:
    return ENUMERATOR.fullmatch(text) is not None


def _is_list(data: Rows, columns: Columns) -> bool:
    """Whether the rows are list items, headings with their numbers set apart, or a listing's lines."""
    values = [[cell.text for cell in row.cells if is_value(cell.text)] for row in data]
    has_one_value = all(len(texts) == 1 for texts in values)
    if has_one_value and _counts_up([texts[0] for texts in values]):
        return True
    if len(columns) != 2:
        return False
    for row in data:
        if len(row.cells) != 2 or not _is_enumerator(row.cells[0].text) or is_value(row.cells[1].text):
            return False
    return True


def _counts_up(texts: list[str]) -> bool:
    """Whether the texts are numbers, nearly each one more than the one before."""
    texts = [text.rstrip(":.") for text in texts]
    if len(texts) < 2 or not all(text.isdecimal() for text in texts):
        return False
    steps = [int(b) - int(a) for a, b in pairwise(texts)]
    return min(steps) > 0 and steps.count(1) >= MIN_COUNTING_STEPS_SHARE * len(steps)


def _is_equations(data: Rows) -> bool:
    """Whether the only numbers are those of equations at the margin."""
    for row in data:
        if not EQUATION_NUMBER.fullmatch(row.cells[-1].text):
            return False
        if any(is_value(cell.text) for cell in row.cells[1:-1]):
            return False
    return True


def _is_mathematics(block: Rows) -> bool:
    """Whether many cells are only signs between the terms of a formula."""
    cells = [cell.text for row in block for cell in row.cells]
    signs = sum(MATH_SIGN.search(text) is not None for text in cells)
    return MIN_CELLS_PER_SIGN_COUNT * signs > len(cells)


def find_index_entries(lines: Lines, free: Sequence[int]) -> set[int]:
    """The entries of an index: lines that lead with dots from a subject to its pages ("costs . . . 12, 14").

    A table with leaders has several numbers in a row, or amounts.
    """
    with_leaders = [i for i in free if any(leaders in lines[i].text for leaders in LEADERS)]
    entries = {i for i in with_leaders if INDEX_ENTRY.search(lines[i].text)}
    if len(entries) < max(MIN_INDEX_ENTRIES_COUNT, MIN_INDEX_ENTRIES_SHARE * len(with_leaders)):
        return set()
    heights = sorted(lines[i].middle for i in free if i not in entries and is_value(lines[i].text))
    beside_values = sum(
        bisect_left(heights, lines[i].y0) < bisect_right(heights, lines[i].y1) for i in entries
    )
    return entries if beside_values < (1 - MIN_INDEX_ENTRIES_SHARE) * len(entries) else set()


# --- Charts ---


def is_chart(block: Rows, loose: Sequence[Box]) -> bool:
    """Whether strokes stand among a block's cells as in a chart: upright lines, and boxes without text."""
    if not loose:
        return False
    top, bottom = block[0].y0 - BLOCK_MARGIN_PT, block[-1].y1 + BLOCK_MARGIN_PT
    left = min(row.cells[0].x0 for row in block) - BLOCK_MARGIN_PT
    right = max(row.cells[-1].x1 for row in block) + BLOCK_MARGIN_PT
    shades = _repeated_edges(loose)
    strokes = 0
    for box in loose:
        x0, y0, x1, y1 = box
        is_inside = y0 < bottom and y1 > top and x0 > left and x1 < right
        if is_inside and _edges(box) not in shades:
            strokes += not _holds_cell(box, block)
            if strokes > MAX_STROKES_IN_TABLE_COUNT:
                return True
    return strokes > 1 and _is_axis(block)


def _repeated_edges(loose: Sequence[Box]) -> frozenset[tuple[int, int]]:
    """The left and right edges that several boxes share: shades of cells, unlike the bars of a chart."""
    counted = Counter(map(_edges, loose))
    return frozenset(edges for edges, count in counted.items() if count > MAX_ALIKE_BARS_COUNT)


def _edges(box: Box) -> tuple[int, int]:
    return round(box.x0), round(box.x1)


def _holds_cell(box: Box, block: Rows) -> bool:
    for row in block:
        if box.y0 < row.middle < box.y1 and any(box.x0 < cell.middle < box.x1 for cell in row.cells):
            return True
    return False


def _is_axis(block: Rows) -> bool:
    """Whether the first numbers of the rows grow or fall in equal steps, like those along an axis."""
    values = []
    for row in block:
        first = next((cell.text for cell in row.cells if is_value(cell.text)), "")
        if first:
            try:
                values.append(float(first.replace(",", "").rstrip("%")))
            except ValueError:
                return False
    steps = [b - a for a, b in pairwise(values)]
    if len(steps) < 2 or steps[0] == 0:
        return False
    return max(steps) - min(steps) < MAX_AXIS_STEP_SPREAD_SHARE * abs(steps[0])


# --- running text beside tables ---
#
# Keeps running text apart from tables, so that its lines don't become table rows.
#
# `split_beside_prose` drops the lines that fill a column of running text and groups what stands beside
# them.

Indices = Sequence[int]  # of lines


class TextColumn(NamedTuple):
    """A column of running text: its edges, and top and bottom of the lines that fill it."""

    x0: float
    x1: float
    filled: list[tuple[float, float]]

    @property
    def width(self) -> float:
        return self.x1 - self.x0

    def is_filled_by(self, line: Line) -> bool:
        """Whether a line reaches from edge to edge, apart from a first line's indent and a ragged end."""
        ragged_end = self.x0 + MIN_RAGGED_LINE_SHARE * self.width
        if not ragged_end < line.x1 < self.x1 + MAX_TEXT_EDGE_SHIFT_PT:
            return False
        starts_inside = -MAX_TEXT_EDGE_SHIFT_PT < line.x0 - self.x0 < MAX_COLUMN_INDENT_PT
        return starts_inside and text_length(line.text) > MIN_FILLING_LINE_CHARS

    def holds(self, line: Line) -> bool:
        """Whether a line stands between the edges."""
        is_right_of_start = line.x0 > self.x0 - TEXT_COLUMN_OVERHANG_PT
        return is_right_of_start and line.x1 < self.x1 + TEXT_COLUMN_OVERHANG_PT

    def zones(self) -> list[tuple[float, float]]:
        """Where text runs, with only the white of paragraphs and headings between its lines."""
        zones: list[tuple[float, float]] = []
        for top, bottom in sorted(self.filled):
            if zones and top - zones[-1][1] < MAX_PARAGRAPH_GAP_PT:
                zones[-1] = (zones[-1][0], bottom)
            else:
                zones.append((top, bottom))
        return zones


def split_beside_prose(lines: Lines, free: Indices, grids: Sequence[Box]) -> list[list[int]]:
    """The lines that may belong to tables, in groups: where text runs in a column, each column has its own.

    Lines of running text are in no group. Lines in `grids` always may belong to tables.
    """
    in_grids = {i for i in free if any(lines[i].has_centre_in(grid) for grid in grids)}
    columns = _find_text_columns(lines, free, in_grids)
    if not columns:
        return [list(free)]
    rest = []
    for i in free:
        filled = None
        if i not in in_grids:
            filled = next((column for column in columns if column.is_filled_by(lines[i])), None)
        if filled:
            filled.filled.append((lines[i].y0, lines[i].y1))
        else:
            rest.append(i)
    zones = [zone for column in columns for zone in column.zones()]
    groups: dict[int, list[int]] = {}
    for i in rest:
        group = -1
        middle = lines[i].middle
        if any(top < middle < bottom for top, bottom in zones):
            group = next((k for k, column in enumerate(columns) if column.holds(lines[i])), -1)
        groups.setdefault(group, []).append(i)
    return list(groups.values())


def _find_text_columns(lines: Lines, free: Indices, in_grids: set[int]) -> list[TextColumn]:
    """The columns of running text: many long lines share both their edges."""
    by_left: dict[int, list[int]] = {}
    for i in free:
        if i not in in_grids and _may_be_prose(lines[i]):
            by_left.setdefault(round(lines[i].x0 / SAME_TEXT_EDGE_PT), []).append(i)
    candidates = [members for members in by_left.values() if len(members) > MAX_CHANCE_LINES_COUNT]
    if not candidates:
        return []
    labels = _lines_beside_values(lines, free)
    columns: list[TextColumn] = []
    justified: list[TextColumn] = []
    for members in candidates:
        x0, x1 = lines[members[0]].x0, max(lines[i].x1 for i in members)
        column = TextColumn(x0, x1, [])
        # A table repeats its labels, so only different texts without a value beside them count.
        filling = [i for i in members if i not in labels and column.is_filled_by(lines[i])]
        texts = {lines[i].text for i in filling}
        if len(texts) > MAX_CHANCE_LINES_COUNT and 2 * len(filling) > len(members):
            columns.append(column)
            full = sum(lines[i].x1 > x1 - MAX_TEXT_EDGE_SHIFT_PT for i in filling)
            if full > MAX_CHANCE_LINES_COUNT:
                justified.append(column)
    left, right = min(lines[i].x0 for i in free), max(lines[i].x1 for i in free)
    min_width = MIN_TEXT_COLUMN_SHARE * (right - left)
    wide = [column for column in columns if column.width > min_width or _has_twin(column, columns)]
    return [column for column in columns if column in wide or column in justified]


def _has_twin(column: TextColumn, columns: Sequence[TextColumn]) -> bool:
    """Whether a column of the same width stands beside: a lone narrow one may be the remarks of a table."""
    for other in columns:
        is_beside = other.x0 > column.x1 or other.x1 < column.x0
        if is_beside and abs(other.width - column.width) < MAX_TWIN_WIDTH_SHIFT_SHARE * column.width:
            return True
    return False


def _may_be_prose(line: Line) -> bool:
    if line.x1 - line.x0 <= MIN_PROSE_LINE_PT or text_length(line.text) <= MIN_PROSE_LINE_CHARS:
        return False
    return not any(leaders in line.text for leaders in LEADERS)


def _lines_beside_values(lines: Lines, free: Indices) -> set[int]:
    """The lines with a value at their height: labels of a table may share both their edges, too."""
    heights = sorted(lines[i].middle for i in free if is_value(lines[i].text))
    return {i for i in free if bisect_left(heights, lines[i].y0) < bisect_right(heights, lines[i].y1)}


# --- Blocks that are several tables ---
#
# Rules and shades drawn over a page may hold two tables with text between them: notes of the first, heading
# and text before the next. A sentence that runs under the value columns, or a heading, separates them.


def split_at_text(block: Rows, headers: Sequence[Box] = ()) -> list[Rows]:
    """The parts of a block between rows of text or above new names; mostly the block alone.

    Each part has several cells in several rows. `headers` are the boxes of drawn headers.
    """
    is_text = _find_text_rows(block)
    starts = set(_second_headers(block, headers))
    if not any(is_text) and not starts:
        return [block]
    parts: list[Rows] = [[]]
    for index, row in enumerate(block):
        if is_text[index] or index in starts:
            parts.append([])
        if not is_text[index]:
            parts[-1].append(row)
    trimmed = [_trim(part) for part in parts]
    return [part for part in trimmed if sum(map(_has_several_cells, part)) > 1]


def _second_headers(block: Rows, headers: Sequence[Box]) -> Iterator[int]:
    """The indices of rows below values that name the columns again: another table begins there."""
    first_names = [cell.text for cell in block[0].cells[1:]] if is_header(block[0]) else []
    drawn = [box for box in headers if _is_drawn_header(box, block)]
    columns: Columns = []
    has_values = False
    for index, row in enumerate(block):
        if not is_header(row):
            has_values = True
            continue
        names = [cell.text for cell in row.cells[1:]]
        if not has_values or not names:
            continue
        columns = columns or find_columns(block)
        is_repeated = len(names) >= MIN_REPEATED_NAMES_COUNT and names == first_names
        is_drawn = any(box.y0 < row.middle < box.y1 for box in drawn)
        if is_repeated or is_drawn or _renames_columns(row, columns):
            start = index
            while is_header(block[start - 1]) and _is_over_values(block[start - 1], columns):
                start -= 1
            yield start
            has_values = False


def _is_drawn_header(box: Box, block: Rows) -> bool:
    """Whether a box over most of a block's width holds nothing but names."""
    inside = [row for row in block if box.y0 < row.middle < box.y1]
    width = max(row.cells[-1].x1 for row in block) - min(row.cells[0].x0 for row in block)
    return 2 * box.width > width and all(map(is_header, inside))


def _renames_columns(row: CellRow, columns: Columns) -> bool:
    """Whether years or units stand over most value columns, and nothing over the labels."""
    first, last = row.cells[0], row.cells[-1]
    named = 1 + nearest_column(last.x0, last.x1, columns) - nearest_column(first.x0, first.x1, columns)
    is_full = named >= MIN_RENAMED_COLUMNS_SHARE * (len(columns) - 1)
    return is_full and _is_over_values(row, columns) and may_name_columns([cell.text for cell in row.cells])


def _is_over_values(row: CellRow, columns: Columns) -> bool:
    first = row.cells[0]
    return nearest_column(first.x0, first.x1, columns) > 0


def _find_text_rows(block: Rows) -> list[bool]:
    """For each row whether it is a sentence or a heading."""
    values_left = min((first_value_start(row) for row in block if _has_several_cells(row)), default=0.0)
    right = max(row.cells[-1].x1 for row in block)
    labels_right = values_left + MAX_LABEL_UNDER_VALUES_SHARE * (right - values_left)
    is_text = []
    for row in block:
        cell = row.cells[-1]
        is_sentence = cell.x1 > labels_right and _is_sentence(cell.text)
        is_heading = NAMED_ITEM.match(cell.text) is not None
        is_text.append((is_sentence or is_heading) and not _has_several_cells(row))
    return is_text


def _has_several_cells(row: CellRow) -> bool:
    # The mark of a note before its text is no cell.
    return len(row.cells) > 2 or (len(row.cells) == 2 and not NOTE_MARK.fullmatch(row.cells[0].text))


def _is_sentence(text: str) -> bool:
    return text.endswith(SENTENCE_ENDS) and text_length(text) > MIN_SENTENCE_CHARS


def _trim(part: Rows) -> Rows:
    """The part from its first row of several cells, with labels above it, to its last."""
    several = [index for index, row in enumerate(part) if _has_several_cells(row)]
    if not several:
        return []
    first = several[0]
    for index in range(several[0] - 1, -1, -1):
        text = part[index].cells[0].text
        if is_numbered_heading(text) or _is_sentence(text):
            break
        first = index
    return part[first : several[-1] + 1]
