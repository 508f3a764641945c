"""Finds blocks of rows between horizontal rules of one length (booktabs), or on shaded bands.

Rules above and below rows with several cells form a frame. The header may stand above the frame; labels may
stand between it and the first numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from held.document import Box
from held.layout.strokes import Segment, Strokes, group_long_rules
from held.layout.tables.columns import aligned_share, find_columns
from held.layout.tables.non_tables import is_caption_or_item, is_chart, is_non_table, is_numbered_heading
from held.layout.tables.rows import (
    CellRow,
    Rows,
    first_value_start,
    has_same_edges,
    is_data,
    is_header,
    is_prose,
    row_height,
    row_lines,
    stands_over,
    without_lines,
)
from held.layout.tables.words import is_value
from held.layout.tolerances import (
    FRAME_MARGIN_PT,
    FRAME_OVERHANG_PT,
    MAX_FRAMED_LABEL_SHARE,
    MAX_FRAMED_ROW_GAP_ROWS,
    MAX_HEADER_OUTDENT_PT,
    MAX_LABELS_BELOW_NAMES_COUNT,
    MAX_LEAD_IN_GAP_ROWS,
    MAX_NAME_OUTDENT_PT,
    MAX_ROW_TOUCH_PT,
    MAX_RULE_DISTANCE_OF_LABELS_ROWS,
    MAX_RULE_DISTANCE_OF_WRAPPED_ROWS,
    MAX_RULE_DISTANCE_ROWS,
    MAX_RULE_DISTANCE_WITH_LABELS_ROWS,
    MIN_ALIGNED_SHARE,
    MIN_FRAMED_WORD_PARTS_COUNT,
    MIN_FRAMED_WORD_ROWS_SHARE,
    MIN_ROWS_PER_PROSE_ROW_COUNT,
    MIN_TITLE_SIZE_TIMES,
    SAME_LEFT_EDGE_PT,
    SAME_RIGHT_EDGE_PT,
)


class Frame(NamedTuple):
    """Rules of one length above and below rows with several cells; `parts` counts the stretches between."""

    x0: float
    x1: float
    top: float
    bottom: float
    parts: int

    @property
    def area(self) -> float:
        return (self.x1 - self.x0) * (self.bottom - self.top)


def find_framed_blocks(rows: Rows, strokes: Strokes, grids: Sequence[Box] = ()) -> list[Rows]:
    """The rows of each table in a grid's box or a frame, the largest frame first, none in two."""
    blocks = []
    for box in grids:
        block = _add_neighbours(_rows_within(rows, box.x0, box.x1, box.y0, box.y1), rows)
        several = sum(len(row.cells) > 1 for row in block)
        if several:
            blocks.append(block)
        if several > 1:
            rows = without_lines(rows, row_lines(block))
    for frame in _find_frames(strokes.across, rows):
        framed = _framed_block(frame, rows, strokes.loose)
        if framed:
            blocks.append(framed)
            rows = without_lines(rows, row_lines(framed))
    return blocks


# --- Frames: rules of one length, one above the other ---
#
#   ─────────────────────      top
#   Year    Sales   Costs      a part with several cells in a row
#   ─────────────────────
#   2023      120      90      another part
#   ─────────────────────      bottom


def _find_frames(rules: Sequence[Segment], rows: Rows) -> list[Frame]:
    frames = [frame for group in group_long_rules(rules) for frame in _frames_of_rules(group, rows)]
    # Short rules within a large frame stand under groups of columns.
    return sorted(frames, key=lambda frame: -frame.area)


def _frames_of_rules(rules: list[Segment], rows: Rows) -> list[Frame]:
    """The frames that rules of one length form, from top to bottom."""
    _, x0, x1 = rules[0]
    frames = []
    frame: Frame | None = None
    for upper, lower in pairwise(rules):
        between = _rows_within(rows, x0, x1, upper.at, lower.at)
        distance = lower.at - upper.at
        if _is_tabular(between, distance):
            frame = frame or Frame(x0, x1, upper.at, lower.at, 0)
            frame = frame._replace(bottom=lower.at, parts=frame.parts + 1)
        elif frame and not _is_subheading(between, distance):
            frames.append(frame)
            frame = None
    return [*frames, frame] if frame else frames


def _is_tabular(rows: Rows, distance: float) -> bool:
    """Whether most rows between two rules have several cells, and no single one looks like a heading."""
    singles = [row for row in rows if len(row.cells) == 1]
    if not rows or 2 * len(singles) > len(rows):
        return False
    text_height = sum(row.height for row in rows)
    max_distance = MAX_RULE_DISTANCE_WITH_LABELS_ROWS if singles else MAX_RULE_DISTANCE_ROWS
    if distance > max_distance * text_height or _has_single_below_gap(rows):
        return False
    left = min(row.cells[0].x0 for row in rows)
    first = rows[0].cells
    if len(first) == 1 and first[0].x0 < left + SAME_LEFT_EDGE_PT and is_header(rows[1]):
        return False  # a title and the header of another table
    size = max(row.size for row in rows if len(row.cells) > 1)
    if any(row.size > MIN_TITLE_SIZE_TIMES * size for row in singles):
        return False
    if distance < MAX_RULE_DISTANCE_OF_WRAPPED_ROWS * text_height and is_data(rows[-1]):
        return True
    width = max(row.cells[-1].x1 for row in rows) - left
    widths = [row.cells[0].x1 - row.cells[0].x0 for row in singles]
    return not singles or max(widths) <= MAX_FRAMED_LABEL_SHARE * width


def _has_single_below_gap(rows: Rows) -> bool:
    """Whether a row of one cell stands below a wide gap, as a heading does."""
    for above, row in pairwise(rows):
        max_gap = MAX_FRAMED_ROW_GAP_ROWS * row_height(above, row)
        if len(row.cells) == 1 and row.y0 - above.y1 > max_gap:
            return True
    return False


def _is_subheading(rows: Rows, distance: float) -> bool:
    """Whether only a label stands between two rules, close to both."""
    if any(len(row.cells) > 1 or is_numbered_heading(row.cells[0].text) for row in rows):
        return False
    if not rows:
        return True
    text_height = sum(row.height for row in rows)
    is_close = distance < MAX_RULE_DISTANCE_OF_LABELS_ROWS * text_height
    return is_close and len(rows) <= MAX_LABELS_BELOW_NAMES_COUNT


# --- The rows of a frame, and those around it that belong to the table ---


def _framed_block(frame: Frame, rows: Rows, loose: Sequence[Box]) -> Rows | None:
    """The rows of the table in a frame with those around it that belong to it; None if it is no table."""
    block = _rows_within(rows, frame.x0, frame.x1, frame.top, frame.bottom)
    block = _add_neighbours(block, rows)
    several = [row for row in block if len(row.cells) > 1]
    prose = sum(map(is_prose, block))
    if len(several) < 2 or 2 * len(several) < len(block):
        return None
    if MIN_ROWS_PER_PROSE_ROW_COUNT * prose > len(block):
        return None
    columns = find_columns(several)
    if len(columns) < 2 or is_non_table(block, several, columns) or is_chart(block, loose):
        return None
    below_header = [row for row in several if not is_header(row)] or several
    values = [cell for row in below_header for cell in row.cells[1:]]
    numbers = sum(is_value(cell.text) for cell in values)
    if 2 * numbers >= len(values):
        return block
    # A table of words needs more evidence: several parts, and aligned columns.
    if frame.parts < MIN_FRAMED_WORD_PARTS_COUNT or len(several) < MIN_FRAMED_WORD_ROWS_SHARE * len(block):
        return None
    return block if aligned_share(values, columns) >= MIN_ALIGNED_SHARE else None


def _rows_within(rows: Rows, x0: float, x1: float, top: float, bottom: float) -> Rows:
    """What of the rows stands in a frame."""
    left, right = x0 - FRAME_OVERHANG_PT, x1 + FRAME_OVERHANG_PT
    found = []
    for row in rows:
        if top - FRAME_MARGIN_PT < row.middle < bottom + FRAME_MARGIN_PT:
            cells = tuple([cell for cell in row.cells if left < cell.x0 and cell.x1 < right])
            if cells:
                found.append(row._replace(cells=cells))
    return found


def _add_neighbours(block: Rows, rows: Rows) -> Rows:
    """Adds the header right above a block, and rows around it that have the same edges."""
    if not block:
        return block
    below = [row for row in rows if row.y0 > block[-1].y1 - MAX_ROW_TOUCH_PT]
    for row in below:
        if not _follows(block[-1], row) or not has_same_edges(block[-1], row):
            break
        block = [*block, row]
    return _add_header(block, rows)


def _add_header(block: Rows, rows: Rows) -> Rows:
    """Adds rows above a block that have the same edges or name the value columns."""
    left = min(row.cells[0].x0 for row in block) - MAX_HEADER_OUTDENT_PT
    right = max(row.cells[-1].x1 for row in block)
    values_start = min((first_value_start(row) for row in block if len(row.cells) > 1), default=right)
    values_start -= MAX_NAME_OUTDENT_PT
    labels: Rows = []  # between the header and the first numbers
    above = [row for row in rows if row.y1 < block[0].y0 + MAX_ROW_TOUCH_PT]
    for row in reversed(above):
        is_led_in = bool(labels) and labels[0].cells[0].text.endswith((":", "："))
        if not _follows(row, (labels or block)[0], led_in=is_led_in) or is_caption_or_item(row):
            break
        if row.cells[0].x0 < left or row.cells[-1].x1 > right + FRAME_OVERHANG_PT:
            break
        if len(row.cells) == 1 and not _names_group(row, block[0], values_start):
            is_first_value = is_data(block[0]) and not is_header(block[0])
            if len(labels) == MAX_LABELS_BELOW_NAMES_COUNT or not is_first_value:
                break
            labels = [row, *labels]
            continue
        is_like_first = has_same_edges(block[0], row)
        if not is_like_first and (is_led_in or not labels):
            is_like_first = _has_same_values(block[0], row)
        if not is_like_first and not (is_header(row) and row.cells[-1].x0 > values_start):
            break
        block, labels = [row, *labels, *block], []
    return block


def _names_group(row: CellRow, below: CellRow, values_start: float) -> bool:
    """Whether a row of one cell names a group of the columns that the header below it names."""
    return row.cells[0].x0 > values_start and is_header(below) and stands_over(row, below)


def _has_same_values(row: CellRow, other: CellRow) -> bool:
    """Whether two rows have labels and as many numbers, up to the same right edge."""
    if len(row.cells) < 3 or len(row.cells) != len(other.cells):
        return False
    if abs(row.cells[-1].x1 - other.cells[-1].x1) >= SAME_RIGHT_EDGE_PT:
        return False
    return is_data(row) and is_data(other)


def _follows(row: CellRow, below: CellRow, *, led_in: bool = False) -> bool:
    """Whether a row comes close below another, neither of them running text."""
    max_gap = MAX_LEAD_IN_GAP_ROWS if led_in else MAX_FRAMED_ROW_GAP_ROWS
    if below.y0 - row.y1 >= max_gap * row_height(row, below):
        return False
    return not is_prose(row) and not is_prose(below)
