"""Builds the cells of a borderless table from its rows and columns.

Each piece of a row goes to the column that it shares most with. Above the first amounts a piece may name
several columns. A line that only continues the label above it joins its row.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import combinations, pairwise
from typing import NamedTuple

from held.document import Box, TableCell, bounding_box
from held.layout.characters import is_cjk, text_width
from held.layout.lines import Line
from held.layout.strokes import Segment
from held.layout.tables.cells import Lines, Table, join_texts, make_table
from held.layout.tables.columns import Columns, nearest_column, words_of
from held.layout.tables.rows import Cell, CellRow, is_header, leftmost_but_strays
from held.layout.tables.words import Word, is_amount, is_value
from held.layout.tolerances import (
    MAX_FLUSH_SHIFT_PT,
    MAX_LABEL_INDENT_PT,
    MAX_LABEL_OUTDENT_PT,
    MAX_NAME_BEYOND_RULE_PT,
    MAX_NAME_LINE_GAP_LINES,
    MAX_NAME_OFF_CENTRE_PT,
    MAX_NAME_WORDS_COUNT,
    MAX_RULE_BELOW_NAME_PT,
    MAX_RULE_INTO_NAME_PT,
    MAX_VALUE_BEFORE_COLUMN_PT,
    MAX_VALUE_END_SHIFT_PT,
    MAX_WRAPPED_LABEL_GAP_PT,
    MIN_BROKEN_LABEL_COLUMN_PT,
    MIN_FULL_LABEL_SHARE,
    MIN_HANGING_INDENT_PT,
    MIN_HIDDEN_GAPS_WIDTH_TIMES,
    MIN_LABEL_COLUMN_PT,
    MIN_NAME_GAP_EM,
    MIN_NAME_OVERLAP_PT,
    MIN_NAMED_COLUMN_SHARE,
    MIN_NAMES_WIDTH_TIMES,
    MIN_SPANNING_NAME_PT,
    MIN_TEXT_BEFORE_COLUMN_PT,
    RULE_BETWEEN_ROWS_PT,
    STRAY_VALUE_ROWS,
)
from held.system import median

LABEL_ENDS = (":", "：", ".", "。", ";")
OPEN_LABEL = re.compile(
    r".*(?:[,–—-]|\b(?:and|of|or|the|for|to|in|on|from|with|at|by|less|net|per|under))", re.I
)


def build_table(block: Sequence[CellRow], columns: Columns, lines: Lines, rules: Rules = ()) -> Table:
    """The table that rows of pieces form in the given columns; `rules` are the page's horizontal rules."""
    header_height = _count_header_rows(block)
    in_columns = [_split_at_gaps(row, columns, lines) for row in block]
    header = in_columns[:header_height]
    body = [_split_trailing_values(row, columns) for row in in_columns[header_height:]]
    rows = place_header_rows(header, columns, rules)
    placed_body = [_place_body_row(row, columns) for row in body]
    rows += _merge_wrapped_labels(placed_body, rows[-1:], rules)
    indices = dict.fromkeys(i for row in block for cell in row.cells for i in cell.lines)
    box = bounding_box([lines[i] for i in indices])
    # Values are set flush right: their ends show on the next page whether the columns are the same.
    inner_edges = [end for _, end in columns[1:]]
    edges = (box.x0, *inner_edges, box.x1)
    cells = []
    for r, row in enumerate(rows):
        for placed in row.cells:
            cell = TableCell(r, placed.column, placed.text, 1, placed.span, row.header, 0, placed.box)
            cells.append(cell)
    shape = (len(rows), len(columns))
    return make_table(cells, shape, box, tuple(indices), edges)


def _count_header_rows(block: Sequence[CellRow]) -> int:
    """The number of rows above the first amount, without labels right above it; 0 if there is no amount.

    Where few rows below have an amount, only the first is a header.
    """
    first = next((r for r, row in enumerate(block) if not is_header(row)), 0)
    several = [row for row in block[first:] if len(row.cells) > 1]
    if 2 * sum(not is_header(row) for row in several) < len(several):
        first = min(first, 1)
    while first and len(block[first - 1].cells) == 1 and _is_label(block[first - 1].cells[0], block):
        first -= 1
    return first


def _is_label(cell: Cell, block: Sequence[CellRow]) -> bool:
    left = min(row.cells[0].x0 for row in block)
    value_starts = [row.cells[1].x0 for row in block if len(row.cells) > 1]
    if not value_starts:
        return False
    values_left = leftmost_but_strays(value_starts, STRAY_VALUE_ROWS)
    max_end = max(values_left, left + MIN_LABEL_COLUMN_PT)
    return cell.x0 < left + MAX_LABEL_INDENT_PT and cell.x1 < max_end


def _split_at_gaps(row: CellRow, columns: Columns, lines: Lines) -> CellRow:
    """The row with cells split at gaps wider than a space between words of different columns."""
    cells: list[Cell] = []
    for cell in row.cells:
        line = lines[cell.lines[0]]
        is_measured = any(run.words for run in line.runs) and len(cell.lines) == 1
        cells += _split_at_gap(cell, columns, line) if is_measured else [cell]
    return row if len(cells) == len(row.cells) else row._replace(cells=tuple(cells))


def _split_at_gap(cell: Cell, columns: Columns, line: Line) -> list[Cell]:
    words = words_of(cell, line)
    if " ".join(word.text for word in words) != cell.text:
        return [cell]  # some were joined to a number
    pieces: list[Cell] = []
    for word in words:
        last = pieces[-1] if pieces else None
        if last and not (word.gap > MIN_NAME_GAP_EM * line.size and _is_in_next_column(last, word, columns)):
            pieces[-1] = last._replace(x1=word.x1, text=f"{last.text} {word.text}")
        else:
            pieces.append(Cell(word.x0, word.x1, word.text, cell.lines))
    return pieces


def _is_in_next_column(cell: Cell, word: Word, columns: Columns) -> bool:
    return nearest_column(cell.x0, cell.x1, columns) < nearest_column(word.x0, word.x1, columns)


def _split_trailing_values(row: CellRow, columns: Columns) -> CellRow:
    """The row with such cells split as end in a number that stands in a number column."""
    cells: list[Cell] = []
    for cell in row.cells:
        cells += _split_trailing_value(cell, columns)
    return row if len(cells) == len(row.cells) else row._replace(cells=tuple(cells))


def _split_trailing_value(cell: Cell, columns: Columns) -> list[Cell]:
    text, _, last = cell.text.rpartition(" ")
    if not text or not is_value(last) or is_value(text) or len(columns) == 1:
        return [cell]
    character_width = (cell.x1 - cell.x0) / len(cell.text)
    start = cell.x1 - character_width * len(last)
    column = nearest_column(start, cell.x1, columns)
    left, right = columns[column]
    fits = start > left - MAX_VALUE_BEFORE_COLUMN_PT and abs(cell.x1 - right) < MAX_VALUE_END_SHIFT_PT
    if column == 0 or not fits or cell.x0 >= left - MIN_TEXT_BEFORE_COLUMN_PT:
        return [cell]
    label = Cell(cell.x0, start - character_width, text, cell.lines)
    return [label, Cell(start, cell.x1, last, cell.lines)]


def _place_body_row(row: CellRow, columns: Columns) -> PlacedRow:
    by_column: dict[int, list[Cell]] = {}
    is_full = len(row.cells) == len(columns)
    for index, cell in enumerate(row.cells):
        # A row with as many cells as columns has one in each, whatever their positions.
        column = index if is_full else nearest_column(cell.x0, cell.x1, columns)
        by_column.setdefault(column, []).append(cell)
    placed = []
    for column, cells in sorted(by_column.items()):
        text = join_texts([cell.text for cell in cells])
        box = Box(cells[0].x0, row.y0, cells[-1].x1, row.y1)
        placed.append(PlacedCell(column, 1, text, box))
    return PlacedRow(row_box(row), tuple(placed), header=False)


def _merge_wrapped_labels(
    rows: list[PlacedRow], last_header: list[PlacedRow], rules: Rules
) -> list[PlacedRow]:
    """Merges rows whose labels are lines of one label."""
    gaps = [lower.box.y0 - upper.box.y1 for upper, lower in pairwise([*last_header, *rows])]
    usual_gap = median(gaps) if gaps else 0.0
    labels = [row.cells[0] for row in rows if row.cells[0].column == 0]
    left = min((label.box.x0 for label in labels), default=0.0)
    right = max((label.box.x1 for label in labels), default=0.0)
    merged: list[PlacedRow] = []
    for row in rows:
        if merged and not is_ruled_off(merged[-1], row, rules):
            above = merged[-1]
            is_close = row.box.y0 - above.box.y1 < usual_gap + MAX_WRAPPED_LABEL_GAP_PT
            if is_close and _continues_label(above, row, left, right):
                merged[-1] = merge_rows(above, row)
                continue
        merged.append(row)
    return merged


def _continues_label(above: PlacedRow, row: PlacedRow, left: float, right: float) -> bool:
    """Whether a row continues the label above it, one of the two having nothing but the label."""
    upper, lower = above.cells[0], row.cells[0]
    if upper.column or lower.column or (len(above.cells) > 1 and len(row.cells) > 1):
        return False
    if upper.text.endswith(LABEL_ENDS):
        return False
    starts_lower = lower.text[0].islower()
    if len(above.cells) > 1:  # the values stand on the first line
        return starts_lower and lower.box.x0 > upper.box.x0 - MAX_LABEL_OUTDENT_PT
    if starts_lower or OPEN_LABEL.fullmatch(upper.text):
        return True
    width = right - left
    is_full = upper.box.x1 - left > MIN_FULL_LABEL_SHARE * width and width > MIN_BROKEN_LABEL_COLUMN_PT
    is_hanging = lower.box.x0 > upper.box.x0 + MIN_HANGING_INDENT_PT
    is_rest = is_hanging or lower.text[0] in ")（(,"
    return is_full and is_rest and not is_cjk(lower.text[0])


# --- names of columns ---
#
# Places the column names of a borderless table: which columns each name spans.
#
# A producer may set the names of all columns as one piece of text. The words go to the columns that have
# space for them. A name spans the columns over which the rule below it runs, or over whose middle it
# stands.

Rules = Sequence[Segment]  # the horizontal rules of a page
Span = tuple[int, int]  # first and last column


class PlacedCell(NamedTuple):
    """A text with its first column; `span` counts columns."""

    column: int
    span: int
    text: str
    box: Box


class PlacedRow(NamedTuple):
    """The placed cells of a row from left to right."""

    box: Box
    cells: tuple[PlacedCell, ...]
    header: bool


def place_header_rows(header: Sequence[CellRow], columns: Columns, rules: Rules) -> list[PlacedRow]:
    """The header rows with their names placed; stacked lines of the same names become one row."""
    placed: list[PlacedRow] = []
    name_columns = columns  # as wide as the names below say: names may be set aside of flush-right values
    for row in reversed(header):
        header_row = _place_header_row(row, columns, name_columns, rules)
        names = {cell.column: (cell.box.x0, cell.box.x1) for cell in header_row.cells if cell.span == 1}
        if names.keys() >= set(range(1, len(columns))):
            name_columns = [names.get(column, extent) for column, extent in enumerate(columns)]
        placed.append(header_row)
    merged: list[PlacedRow] = []
    for placed_row in reversed(placed):
        if merged and _continues_names(merged[-1], placed_row, rules):
            merged[-1] = merge_rows(merged[-1], placed_row)
        else:
            merged.append(placed_row)
    return merged


def _place_header_row(row: CellRow, columns: Columns, name_columns: Columns, rules: Rules) -> PlacedRow:
    names: list[Cell] = []
    for cell in row.cells:
        names += _split_by_columns(cell, columns, row.size) or [cell]
    spans = _find_spans(names, row, columns, name_columns, rules)
    placed: list[PlacedCell] = []
    for name, (first, last) in zip(names, spans, strict=True):
        box = Box(name.x0, row.y0, name.x1, row.y1)
        before = placed[-1] if placed else None
        if before and before.column + before.span > first:
            end = max(before.column + before.span, last + 1)
            text = join_texts([before.text, name.text])
            both = bounding_box([before.box, box])
            placed[-1] = PlacedCell(before.column, end - before.column, text, both)
        else:
            placed.append(PlacedCell(first, last - first + 1, name.text, box))
    return PlacedRow(row_box(row), tuple(placed), header=True)


def row_box(row: CellRow) -> Box:
    """The box around the cells of a row."""
    return Box(row.cells[0].x0, row.y0, row.cells[-1].x1, row.y1)


def _split_by_columns(cell: Cell, columns: Columns, size: float) -> list[Cell]:
    """The names in a piece that is wider than its words: the gaps in it are those between the columns.

    Of all ways to distribute the words over the columns, the one that leaves the most white in the tightest
    of them wins, then in the next; [] if the words don't fit, or are too few or too many.
    """
    over = [c for c in columns if min(c[1], cell.x1) - max(c[0], cell.x0) > MIN_NAME_OVERLAP_PT]
    words = cell.text.split()
    if not 1 < len(over) <= len(words) <= MAX_NAME_WORDS_COUNT:
        return []
    if cell.x1 - cell.x0 < size * _min_width_em(cell, over):
        return []
    candidates = []
    for cuts in combinations(range(1, len(words)), len(over) - 1):
        names = [" ".join(words[start:end]) for start, end in pairwise([0, *cuts, len(words)])]
        candidates.append((_white_per_column(names, over, cell, size), names))
    white, best = max(candidates, key=lambda candidate: candidate[0])
    if white[0] <= 0:
        return []
    starts = [cell.x0, *(x0 for x0, _ in over[1:])]
    split = []
    for x, name in zip(starts, best, strict=True):
        split.append(Cell(x, x + size * text_width(name), name, cell.lines))
    return split


def _min_width_em(cell: Cell, columns: Columns) -> float:
    """The least width of a piece that holds a name for each column; a narrower one is centred over all."""
    width = text_width(cell.text)
    left, right = columns[0][0], columns[-1][1]
    if abs(cell.x0 - left) < MAX_FLUSH_SHIFT_PT or abs(cell.x1 - right) < MAX_FLUSH_SHIFT_PT:
        return width + MIN_NAME_GAP_EM * (len(columns) - 1)
    off_centre = abs(cell.x0 + cell.x1 - left - right) / 2
    is_centred = left < cell.x0 and cell.x1 < right and off_centre < MAX_FLUSH_SHIFT_PT
    # As many words as columns are a name each.
    is_one_name = is_centred and len(cell.text.split()) > len(columns)
    times = MIN_NAMES_WIDTH_TIMES if is_one_name else MIN_HIDDEN_GAPS_WIDTH_TIMES
    return times * width + 1


def _white_per_column(names: list[str], columns: Columns, cell: Cell, size: float) -> list[float]:
    """The white that names leave in their columns if set flush with them, in points, the tightest first."""
    is_left = abs(cell.x0 - columns[0][0]) < MAX_FLUSH_SHIFT_PT
    is_right = abs(cell.x1 - columns[-1][1]) < MAX_FLUSH_SHIFT_PT
    edge_lists = []
    if is_left or not is_right:
        edge_lists.append([cell.x0, *(x0 for x0, _ in columns[1:]), cell.x1 + size])
    if is_right or not is_left:
        edge_lists.append([cell.x0 - size, *(x1 for _, x1 in columns[:-1]), cell.x1])
    widths = [size * text_width(name) for name in names]
    whites = []
    for edges in edge_lists:
        extents = zip(pairwise(edges), widths, strict=True)
        whites.append(sorted(end - start - width for (start, end), width in extents))
    return max(whites)


def _find_spans(
    names: Sequence[Cell], row: CellRow, columns: Columns, name_columns: Columns, rules: Rules
) -> list[Span]:
    """The first and last column that each name spans.

              2023             "2023" stands over the middle of columns 1 and 2: (1, 2)
    Note   Cost   Value        one name for each column: (0, 0), (1, 1), (2, 2)
    """
    if len(names) == len(columns) and nearest_column(names[0].x0, names[0].x1, columns) == 0:
        return [(column, column) for column in range(len(columns))]
    spans = [_span_of_rule(name, row, columns, rules) or _span_below(name, columns) for name in names]
    # A name may span further columns up to those of the names beside it.
    lows = [1, *(last + 1 for _, last in spans[:-1])]
    highs = [*(first - 1 for first, _ in spans[1:]), len(columns) - 1]
    widened = []
    for name, span, limits in zip(names, spans, zip(lows, highs, strict=True), strict=True):
        by_values = _widen_while_centred(name, span, limits, columns)
        by_names = _widen_while_centred(name, span, limits, name_columns)
        is_wider = by_names[1] - by_names[0] > by_values[1] - by_values[0]
        widened.append(by_names if is_wider else by_values)
    # Names of groups share no column. If these do, each is a line of the name of its own column.
    share_columns = any(right[0] <= left[1] for left, right in pairwise(widened))
    return spans if share_columns else widened


def _span_of_rule(name: Cell, row: CellRow, columns: Columns, rules: Rules) -> Span | None:
    """The columns over which the rule right below a name runs, if it runs below that name alone."""
    for rule in rules:
        if not -MAX_RULE_INTO_NAME_PT < rule.at - row.y1 < MAX_RULE_BELOW_NAME_PT:
            continue
        low, high = rule.start - MAX_NAME_BEYOND_RULE_PT, rule.end + MAX_NAME_BEYOND_RULE_PT
        if name.x0 <= low or name.x1 >= high:
            continue
        names_above = sum(cell.x0 < rule.end and cell.x1 > rule.start for cell in row.cells)
        covered = [c for c, (x0, x1) in enumerate(columns) if rule.start < (x0 + x1) / 2 < rule.end]
        if names_above != 1 or not covered:
            continue
        is_below_header = covered[0] == 0 and name.x0 > columns[0][0] + MAX_RULE_BELOW_NAME_PT
        if not is_below_header:
            return covered[0], covered[-1]
    return None


def _span_below(name: Cell, columns: Columns) -> Span:
    """The value columns that a name covers, or the nearest one."""
    nearest = nearest_column(name.x0, name.x1, columns)
    if nearest == 0:
        return 0, 0
    covered = []
    for c, (x0, x1) in enumerate(columns[1:], 1):
        if min(name.x1, x1) - max(name.x0, x0) > MIN_NAMED_COLUMN_SHARE * (x1 - x0):
            covered.append(c)
    return (covered[0], covered[-1]) if covered else (nearest, nearest)


def _widen_while_centred(name: Cell, span: Span, limits: Span, columns: Columns) -> Span:
    """The widest span within the limits over whose middle the name stands, else the given one."""
    first, last = span
    if first == 0 or name.x1 - name.x0 < MIN_SPANNING_NAME_PT:
        return span
    best = span
    for low in range(min(first, limits[0]), first + 1):
        for high in range(last, max(last, limits[1]) + 1):
            off_centre = abs((columns[low][0] + columns[high][1]) / 2 - name.middle)
            if high - low > best[1] - best[0] and off_centre < MAX_NAME_OFF_CENTRE_PT:
                best = low, high
    return best


def _continues_names(above: PlacedRow, row: PlacedRow, rules: Rules) -> bool:
    """Whether the names of a row are the next lines of those above: close below, and none spans others."""
    line_height = min(cell.box.height for cell in row.cells)
    if row.box.y0 - above.box.y1 > MAX_NAME_LINE_GAP_LINES * line_height:
        return False
    if is_ruled_off(above, row, rules):
        return False
    spans = {cell.column: cell.span for cell in above.cells}
    if row.cells[-1].column == 0 < above.cells[-1].column:
        return False  # a label below the names
    if any(cell.span != spans.get(cell.column, 1) for cell in row.cells):
        return False
    if max(spans.values()) > 1 and spans.keys() != {cell.column for cell in row.cells}:
        return False  # names under a group, not the second line of the group's name
    return not any(is_amount(cell.text) for cell in above.cells)


def is_ruled_off(upper: PlacedRow, lower: PlacedRow, rules: Rules) -> bool:
    """Whether a rule runs between two rows."""
    top, bottom = upper.box.y1 - RULE_BETWEEN_ROWS_PT, lower.box.y0 + RULE_BETWEEN_ROWS_PT
    between = [rule for rule in rules if top < rule.at < bottom]
    return any(rule.start < lower.box.x1 and rule.end > lower.box.x0 for rule in between)


def merge_rows(upper: PlacedRow, lower: PlacedRow) -> PlacedRow:
    """One row of two: texts in the same column are joined."""
    cells = {cell.column: cell for cell in upper.cells}
    for cell in lower.cells:
        above = cells.get(cell.column)
        if above:
            text = join_texts([above.text, cell.text])
            box = bounding_box([above.box, cell.box])
            cell = PlacedCell(cell.column, max(above.span, cell.span), text, box)
        cells[cell.column] = cell
    ordered = tuple(cell for _, cell in sorted(cells.items()))
    return PlacedRow(bounding_box([upper.box, lower.box]), ordered, upper.header)
