"""A table as CSV that a spreadsheet may open: no cell of a stranger's document is run there.

Spreadsheets take a cell that begins with = + - @ (in some places their wide forms, too), a tab or a line
break for a formula, and formulas can start programs (OWASP, "CSV Injection"). Such a cell gets an apostrophe
in front, which spreadsheets take for "this is text"; a number, however it is printed, and a lone dash are
left as they are. Whoever reads the file by program can ask for the cells as they are.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence

from held.exports.tables.amounts import Value, is_number

FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
GUARD = "'"
DASHES = re.compile(r"\s*[-－]+\s*", re.ASCII)  # control characters beyond ASCII's white space are text


def csv_text(rows: Iterable[Sequence[Value]], *, guarded: bool = True) -> str:
    """The rows as CSV, a line each; quotes stand where they must."""
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    for row in rows:
        cells = [_with_plain_breaks(cell) for cell in row]
        writer.writerow([guard(cell) if guarded else cell for cell in cells])
    return file.getvalue()


def _with_plain_breaks(cell: Value) -> Value:
    # The writer quotes the line ends that it writes itself; another would end the row.
    return cell.replace("\r\n", "\n").replace("\r", "\n") if isinstance(cell, str) else cell


def guard(cell: Value) -> Value:
    """The cell as no spreadsheet runs it."""
    if not isinstance(cell, str) or not cell.startswith(FORMULA_STARTS):
        return cell
    return cell if is_number(cell) or DASHES.fullmatch(cell) else GUARD + cell
