"""The table as a value, and the text of its cells.

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
from held.layout.characters import DIGIT_WIDTH_EM, is_cjk
from held.layout.lines import Line
from held.layout.tolerances import CELL_PADDING_PT, CELL_TEXT_LINE_PT
from held.system.startup import lazy_pattern

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
