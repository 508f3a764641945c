"""The table as a value, the text of its cells, and one table of the parts on several pages.

Lines of a cell are joined by a space, as words need it. A number that a narrow cell breaks over lines is
joined without one: "171,687,0" and "44" are "171,687,044". Two numbers may also stand upon each other, so
lines are only joined if what precedes the break is no number by itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import accumulate, pairwise
from typing import NamedTuple

from held.document import Box, TableCell
from held.layout.characters import DIGIT_WIDTH_EM, is_cjk, text_width
from held.layout.lines import Line
from held.layout.tables.words import is_value
from held.layout.tolerances import (
    CELL_PADDING_PT,
    CELL_TEXT_LINE_PT,
    MAX_TABLE_EM_PT,
    MIN_ROWS_AROUND_CUT_COUNT,
    MIN_SHARED_EDGES_SHARE,
    SAME_COLUMN_END_PT,
    SAME_DRAWN_EDGE_PT,
    SAME_LABEL_INDENT_PT,
)
from held.system import lazy_pattern

Lines = Sequence[Line]
CellLine = tuple[Line, str]  # a line, and what of its text stands in the cell

URL_SIGNS = frozenset("/-_?=&%#")  # between the words of a URL; a full stop may end a sentence
THOUSANDS = lazy_pattern(r"\d{3}(?!\d)")
MINUS = frozenset("-−")
NUMBER_STARTS = frozenset("0123456789-−(（")
NUMBER_ENDS = frozenset("0123456789%％)）")

MONEY = r"[-−(（]?\d{1,3}(?:,\d{3})+\.\d\d[)）]?"
MILLIONS = r"[-−(（]?\d{1,3}(?:,\d{3}){2,}[)）]?"  # one comma without a point could be a decimal mark
# A number, and how a line ends that breaks it: within a group of thousands, or within the fraction.
# "1,234.5 6" could be a number and the mark of a note, but no column is narrow enough to break it.
BROKEN_NUMBERS = (
    (lazy_pattern(f"{MONEY}|{MILLIONS}"), lazy_pattern(r".*,\d{0,2}")),
    (lazy_pattern(MONEY), lazy_pattern(r".{7,}\.\d?")),
)
AMOUNT = lazy_pattern(r"[-−(（]?\d{1,3}(?:,\d{3})*(?:\.\d\d)?[%％]?[)）]?")


class Table(NamedTuple):
    """A table on one page.

    All rows have the same number of texts, "" where no cell begins. `lines` are the indices of the lines that
    the table contains, `columns` the x coordinates of the column edges. The cells get their page later.
    """

    box: Box
    rows: tuple[tuple[str, ...], ...]
    lines: tuple[int, ...]
    columns: tuple[float, ...]
    ruled: bool
    cells: tuple[TableCell, ...] = ()


@contextmanager
def skip_table_on_error() -> Iterator[None]:
    """Logs an error in the recognition of a table; its lines then stay ordinary text.

    Pages come in shapes that nobody foresees, and one odd table must not cost the whole document.
    """
    try:
        yield
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
        import logging  # takes a millisecond, and is hardly ever needed

        logging.getLogger(__name__).warning("Skipped a table", exc_info=True)


def make_table(
    cells: Sequence[TableCell],
    shape: tuple[int, int],
    box: Box,
    lines: tuple[int, ...],
    columns: tuple[float, ...],
    *,
    ruled: bool = False,
) -> Table:
    """The table of these cells; `shape` is its number of rows and columns."""
    height, width = shape
    texts = [[""] * width for _ in range(height)]
    for cell in cells:
        texts[cell.row][cell.column] = cell.text
    rows = tuple(map(tuple, texts))
    filled = [cell for cell in cells if cell.text]
    filled.sort(key=lambda cell: (cell.row, cell.column))
    return Table(box, rows, lines, columns, ruled, tuple(filled))


def set_page(table: Table, page: int) -> Table:
    """The table with the page number in its cells."""
    # `_replace` takes several times as long, and a report has tens of thousands of cells.
    cells = [
        TableCell(row, column, text, row_span, column_span, header, page, box)
        for row, column, text, row_span, column_span, header, _, box in table.cells
    ]
    return table._replace(cells=tuple(cells))


def cell_text(pieces: list[CellLine], width: float) -> str:
    """The text of a cell's lines from top to bottom; `width` is that of the cell."""
    if len(pieces) == 1:
        return pieces[0][1].strip()
    number = join_broken_number(pieces, width)
    return number or join_texts([text for _, text in _sort_downwards(pieces)])


def join_broken_number(pieces: list[CellLine], width: float) -> str | None:
    """The number that the lines of a narrow cell form, None if they are anything else."""
    pieces = _sort_downwards(pieces)
    texts = [text.strip() for _, text in pieces]
    if texts[0][:1] not in NUMBER_STARTS or texts[-1][-1:] not in NUMBER_ENDS:
        return None
    if not _are_stacked(pieces):
        return None
    return join_number(texts, filled=_are_full(pieces, width))


def _sort_downwards(pieces: list[CellLine]) -> list[CellLine]:
    def height_and_left(piece: CellLine) -> tuple[int, float]:
        line, _ = piece
        return round(line.middle / CELL_TEXT_LINE_PT), line.x0

    return sorted(pieces, key=height_and_left)


def _are_stacked(pieces: Sequence[CellLine]) -> bool:
    return all(lower.y0 > upper.middle for (upper, _), (lower, _) in pairwise(pieces))


def _are_full(pieces: Sequence[CellLine], width: float) -> bool:
    """Whether no line but the last has space for another digit, or a minus sign for the number after it."""
    for (line, text), (after, _) in pairwise(pieces):
        needed = after.x1 - after.x0 if text in MINUS else DIGIT_WIDTH_EM * line.size
        is_whole_line = text == line.text.strip()
        if not is_whole_line or line.x1 - line.x0 + needed < width - CELL_PADDING_PT:
            return False
    return True


def join_number(lines: Sequence[str], *, filled: bool) -> str | None:
    """The number that the lines of a cell form together, None if they could be anything else.

    `filled`: no line but the last has space for more.
    """
    joined = "".join(lines)
    starts = _texts_before_breaks(lines)
    if filled and AMOUNT.fullmatch(joined):
        return None if any(map(AMOUNT.fullmatch, starts)) else joined
    for number, ending in BROKEN_NUMBERS:
        if number.fullmatch(joined) and all(map(ending.fullmatch, starts)):
            return joined
    return None


def _texts_before_breaks(lines: Sequence[str]) -> list[str]:
    """What precedes each break that could separate two numbers; no number begins with a comma or point."""
    starts = list(accumulate(lines))
    return [start for start, after in zip(starts, lines[1:], strict=False) if after[:1] not in (",", ".")]


def join_texts(parts: Sequence[str]) -> str:
    """The parts of a cell's text joined, with spaces if the script has them."""
    text = ""
    for part in parts:
        part = part.strip()
        space = "" if not text or _is_glued(text, part) else " "
        text += space + part
    return text


def _is_glued(before: str, after: str) -> bool:
    if after and is_cjk(before[-1]) and is_cjk(after[0]):
        return True
    return _splits_number(before, after) or _splits_url(before, after)


def _splits_number(before: str, after: str) -> bool:
    """Whether a narrow cell breaks a number here: "1,234," + "567", "12" + ".5"."""
    last, first = before[-1:], after[:1]
    if not before[-2:-1].isdigit() and not last.isdigit():
        return False
    if last == ",":  # a day and its year are no number
        return THOUSANDS.match(after) is not None
    return (last in ".-" and first.isdigit()) or (last.isdigit() and first in ".,")


def _splits_url(before: str, after: str) -> bool:
    word = before.rpartition(" ")[2]
    if "://" not in word:
        return False
    next_word = after.partition(" ")[0]
    return word[-1] in URL_SIGNS or not URL_SIGNS.isdisjoint(next_word[:-1])


def text_length(text: str) -> int:
    """The length of a text in Latin characters: a Chinese one, three bytes in UTF-8, counts for two."""
    if text.isascii():
        return len(text)
    return (len(text) + len(text.encode("utf-8", "replace"))) // 2


def usual_size(lines: Lines) -> float:
    """The font size of most of a page's characters."""
    weights: dict[float, int] = {}
    for line in lines:
        weights[line.size] = weights.get(line.size, 0) + len(line.text)
    return max(weights, key=weights.__getitem__) if weights else 0.0


# --- Parts of one table that a page break, or a gap, separates ---
#
# A page break may also cut a row. The first row of the next page is the rest of the last row only if every
# text in it continues a full line of that row, and a column is empty in it that no other row leaves empty.

SENTENCE_ENDS = "。.；;！!？?：:"  # of a sentence, or of the words before a list
# What begins an item or a sentence of its own.
ITEM_START = lazy_pattern(
    r"[-–—•·●▪■□*☑√]|[(（]?(?:\d{1,2}|[一二三四五六七八九十]+|[a-zA-Z])[)）.、．]|[①-⑳]|[A-Z]"
)


def is_continuation(upper: Table, lower: Table) -> bool:
    """Whether two tables, the last on one page and the first on the next, are one: their columns agree."""
    if upper.ruled != lower.ruled:
        return False
    # Merged cells can hide a few columns on one of the pages.
    few, many = sorted((upper.columns, lower.columns), key=len)
    if upper.ruled:
        return _have_same_edges(few, many)
    if len(few) != len(many) or abs(few[0] - many[0]) > SAME_LABEL_INDENT_PT:
        return False
    # The ends of columns of words depend on the words. A repeated header is as good.
    ends = zip(few[1:], many[1:], strict=True)
    return _repeats_names(upper, lower) or all(abs(a - b) < SAME_COLUMN_END_PT for a, b in ends)


def _have_same_edges(few: tuple[float, ...], many: tuple[float, ...]) -> bool:
    if len(few) <= MIN_SHARED_EDGES_SHARE * len(many):
        return False
    if abs(few[0] - many[0]) >= SAME_DRAWN_EDGE_PT or abs(few[-1] - many[-1]) >= SAME_DRAWN_EDGE_PT:
        return False
    return all(min(abs(edge - other) for other in many) < SAME_DRAWN_EDGE_PT for edge in few)


def _repeats_names(upper: Table, lower: Table) -> bool:
    """Whether both begin with the same row, and one of the first two rows has several names."""
    has_names = any(sum(map(bool, row)) > 1 for row in upper.rows[:2])
    return has_names and upper.rows[:1] == lower.rows[:1]


def join_tables(upper: Table, lower: Table) -> Table:
    """One table of both: the box and lines of the upper part, a repeated header only once."""
    columns = max(upper.columns, lower.columns, key=len)
    above, below = _spread_over(upper, columns), _spread_over(lower, columns)
    first = _count_repeated_rows(above, below)  # row of the lower part that is a row of its own
    if first < len(below.rows) and _are_on_two_pages(above, below):
        completed = _complete_last_row(above, below, first)
        if completed:
            above, first = completed, first + 1
    moved = [
        cell._replace(row=cell.row + len(above.rows) - first, header=False)
        for cell in below.cells
        if cell.row >= first
    ]
    return upper._replace(
        rows=above.rows + below.rows[first:],
        columns=columns,
        cells=(*above.cells, *moved),
    )


def _count_repeated_rows(upper: Table, lower: Table) -> int:
    count = 0
    for above, below in zip(upper.rows, lower.rows, strict=False):
        if above != below:
            break
        count += 1
    return count


def _are_on_two_pages(upper: Table, lower: Table) -> bool:
    # Within one page no row is cut.
    return bool(upper.cells and lower.cells) and upper.cells[-1].page != lower.cells[0].page


def _spread_over(table: Table, columns: tuple[float, ...]) -> Table:
    """The table over more columns, each cell in the one whose left edge is nearest to its own."""
    if len(table.columns) == len(columns):
        return table
    width = len(columns) - 1
    targets = []
    for edge in table.columns[:-1]:
        distances = [abs(column - edge) for column in columns[:-1]]
        targets.append(distances.index(min(distances)))
    rows = []
    for row in table.rows:
        texts = [""] * width
        for column, text in zip(targets, row, strict=True):
            texts[column] = text
        rows.append(tuple(texts))
    targets.append(width)
    cells = []
    for cell in table.cells:
        first = targets[cell.column]
        end = targets[min(cell.column + cell.column_span, len(targets) - 1)]
        cells.append(cell._replace(column=first, column_span=max(1, end - first)))
    return table._replace(rows=tuple(rows), cells=tuple(cells))


def _complete_last_row(upper: Table, lower: Table, index: int) -> Table | None:
    """The upper table with its last row completed by a row of the lower one; None if that isn't its rest."""
    last = _row_cells(upper, len(upper.rows) - 1)
    rest = _row_cells(lower, index)
    if not upper.ruled or not rest or not _leaves_full_column_empty(upper, lower, index):
        return None
    texts = {}
    for column, after in rest.items():
        before = last.get(column)
        text = _whole_text(before, after, upper.columns) if before else None
        if text is None:
            return None
        texts[column] = text
    return _replace_last_row(upper, texts)


def _row_cells(table: Table, row: int) -> dict[int, TableCell]:
    return {cell.column: cell for cell in table.cells if cell.row == row}


def _leaves_full_column_empty(upper: Table, lower: Table, index: int) -> bool:
    """Whether the row is empty in a column that all other rows below the header fill."""
    header = {cell.row for cell in upper.cells if cell.header}
    others = [row for r, row in enumerate(upper.rows) if r not in header]
    others += lower.rows[index + 1 :]
    if len(others) < MIN_ROWS_AROUND_CUT_COUNT:
        return False
    rest = _row_cells(lower, index)
    for column in range(len(upper.columns) - 1):
        if column not in rest and all(row[column] for row in others):
            return True
    return False


def _whole_text(before: TableCell, after: TableCell, columns: tuple[float, ...]) -> str | None:
    """The text of a cell and its rest; None if the one doesn't continue the other."""
    if before.row_span != 1 or after.row_span != 1 or before.column_span != after.column_span:
        return None
    width = columns[before.column + before.column_span] - columns[before.column]
    if not _is_full(before, after.text, width):
        return None
    if is_value(before.text) or is_value(after.text):
        return join_number([before.text, after.text], filled=True)
    if before.text[-1] in SENTENCE_ENDS or ITEM_START.match(after.text):
        return None
    return join_texts([before.text, after.text])


def _is_full(before: TableCell, after: str, width: float) -> bool:
    """Whether the line before has no space for what follows: a Chinese character, or a word."""
    next_piece = after[0] if is_cjk(after[0]) else after.split()[0]
    return before.box.width + MAX_TABLE_EM_PT * text_width(next_piece) > width - CELL_PADDING_PT


def _replace_last_row(table: Table, texts: dict[int, str]) -> Table:
    last = len(table.rows) - 1
    cells = []
    for cell in table.cells:
        if cell.row == last and cell.column in texts:
            cell = cell._replace(text=texts[cell.column])
        cells.append(cell)
    row = tuple(texts.get(column, text) for column, text in enumerate(table.rows[last]))
    return table._replace(rows=(*table.rows[:last], row), cells=tuple(cells))
