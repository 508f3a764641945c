"""A table as Markdown: a pipe table, whatever it spans.

Markdown has neither spans nor deep heads. What people search and language models read are rows, one at a
time: so every column gets its full name ("Year ended December 31, 2025"), a name that spans columns is said
in each, and a label that spans rows in each of them. A cell that spans columns of the body is a row's title
or a remark, and is said once.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from held.exports.markdown_text import cell, one_line
from held.layout.tables.logical_grid import Grid, is_figure


def markdown_table(grid: Grid) -> str:
    """The table without rows and columns that have no text; empty where none has."""
    body = grid.rows_alone()[grid.head :]
    kept = [
        column
        for column, name in enumerate(grid.names())
        if one_line(name) or any(one_line(row[column]) for row in body)
    ]
    names = [grid.names()[column] for column in kept]
    rows = [[row[column] for column in kept] for row in body if any(map(one_line, row))]
    if not kept:
        return ""
    rules = [_rule([row[column] for row in rows]) for column in range(len(kept))]
    return "\n".join([_row(map(cell, names)), _row(rules), *(_row(map(cell, row)) for row in rows)])


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _rule(column: Sequence[str]) -> str:
    """What stands under a column's head: numbers are set flush right."""
    filled = [text for text in column if text.strip()]
    return "---:" if filled and 2 * sum(map(is_figure, filled)) > len(filled) else "---"
