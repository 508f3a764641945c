"""Years over the columns that they name, where the first of them was read into the column of labels.

Between two rules a head can be one line of text, "(In millions)   2025   2024", whose first year then stands
with the labels and leaves its own column without a name: its numbers would be taken for those of the next
year. Where there are as many years as columns of numbers, and in the same order, each belongs to one.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import groupby

from held.document import TableCell

_ENDS_IN_YEAR = re.compile(r"(?:.*\s)?(?:19|20)\d\d")
_LABEL = re.compile(r"[(（][^()（）]*[)）]\s*")  # what the numbers count: it stays over the labels
_FIGURE = re.compile(r"[\d\s.,%％()（）+\-−–—/$¥￥€£]+")
_FEWEST_YEARS = 2
_FEWEST_FIGURES = 2


def years_over_columns(cells: Sequence[TableCell]) -> tuple[TableCell, ...]:
    """The cells, row by row, with the years of a head over the columns of numbers."""
    columns = _columns_of_figures(cells)
    kept: list[TableCell] = []
    reached = 0  # the first row that no cell from above stands in
    in_order = sorted(cells, key=lambda cell: (cell.row, cell.column))
    for row, found in groupby(in_order, key=lambda cell: cell.row):
        here = list(found)
        free = reached <= row
        kept += _moved(here, columns) if free and _begins_with_a_year(here, columns) else here
        reached = max([reached, *(row + cell.row_span for cell in here)])
    return tuple(kept)


def _columns_of_figures(cells: Sequence[TableCell]) -> list[int]:
    """The columns whose values are numbers, from left to right."""
    filled: Counter[int] = Counter()
    figures: Counter[int] = Counter()
    for cell in cells:
        if not cell.header:
            filled[cell.column] += 1
            figures[cell.column] += _FIGURE.fullmatch(cell.text) is not None
    return sorted(
        column for column, count in figures.items() if count >= _FEWEST_FIGURES and 2 * count > filled[column]
    )


def _begins_with_a_year(row: Sequence[TableCell], columns: Sequence[int]) -> bool:
    """Whether a row of the head is a year for each column of numbers, the first of them over the labels."""
    return (
        len(row) == len(columns) >= _FEWEST_YEARS
        and row[0].column == 0 < columns[0]
        and all(cell.header and cell.row_span == cell.column_span == 1 for cell in row)
        and all(_ENDS_IN_YEAR.fullmatch(cell.text) for cell in row)
    )


def _moved(row: Sequence[TableCell], columns: Sequence[int]) -> list[TableCell]:
    """The row with each year over its column, and what is said of all numbers over the labels."""
    label = _LABEL.match(row[0].text)
    start = label.end() if label else 0
    years = [row[0]._replace(text=row[0].text[start:]), *row[1:]]
    over_labels = [row[0]._replace(text=row[0].text[:start].strip())] if start else []
    return over_labels + [cell._replace(column=column) for cell, column in zip(years, columns, strict=True)]
