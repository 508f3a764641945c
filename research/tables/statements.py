"""Whether the statements that a filing prints came out as tables: whole, every column apart."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from research.tables.printed import DASH, NUMBER, YEAR, Statement, value_of

from held.document import Document, Kind, PhysicalObject

VALUE = re.compile(rf"(?:{NUMBER.pattern}|{DASH.pattern})\s*%?\s*\)?")
THREE_NUMBERS = re.compile(
    r"(?:(?<!\S)[($€£(\s]*-?\d[\d,.]*[)%]*\s+(?:[)%$]\s*)*){2}[($€£(\s]*\d[\d,.]*[)%]*(?!\S)"
)


@dataclass(frozen=True, slots=True)
class Finding:
    """What became of one statement."""

    kind: str
    whole: bool  # its closing rows are rows of one table, each number in a cell of its own
    aligned: bool  # … and in the same columns
    named: bool  # … and a year stands over each of these columns


def judge(statement: Statement, document: Document) -> Finding:
    """The finding for the table that does best."""
    tables = [table for table in _tables(document) if _stands_on(table, statement.pages)]
    findings = [_judge(statement, table) for table in tables]
    nothing = Finding(statement.kind, False, False, False)
    return max(findings, key=lambda finding: (finding.whole, finding.aligned, finding.named), default=nothing)


def statement_table(statement: Statement, document: Document) -> PhysicalObject | None:
    """The table that holds a statement with a year over each column, if one does."""
    tables = (table for table in _tables(document) if _stands_on(table, statement.pages))
    return next((table for table in tables if _judge(statement, table).named), None)


def crowded_rows(document: Document) -> tuple[int, int]:
    """How many rows of tables have a cell with three numbers or more, and how many rows there are."""
    rows = [row for table in _tables(document) for row in table.rows]
    return sum(any(THREE_NUMBERS.search(text) for text in row) for row in rows), len(rows)


def _tables(document: Document) -> list[PhysicalObject]:
    return [item for item in document.objects if item.kind is Kind.TABLE]


def _stands_on(table: PhysicalObject, pages: Sequence[int]) -> bool:
    return any(part.page in pages for part in table.parts)


def _judge(statement: Statement, table: PhysicalObject) -> Finding:
    places = []  # for each closing row its place and the columns of its numbers
    used: set[int] = set()
    for numbers in statement.closing:
        found = next(
            (r for r, row in enumerate(table.rows) if r not in used and _numbers(row) == numbers), None
        )
        if found is None:
            return Finding(statement.kind, False, False, False)
        used.add(found)
        places.append((found, _columns(table.rows[found])))
    columns = places[0][1]
    aligned = all(other == columns for _, other in places)
    named = aligned and all(_has_year(table, column, places[0][0]) for column in columns)
    return Finding(statement.kind, True, aligned, named)


def _columns(row: Sequence[str]) -> tuple[int, ...]:
    """The columns of a row that hold one number or a dash each; the first is for labels."""
    return tuple(c for c, text in enumerate(row) if c and VALUE.fullmatch(text.strip()))


def _numbers(row: Sequence[str]) -> tuple[float | None, ...]:
    return tuple(value_of(row[c]) for c in _columns(row))


def _has_year(table: PhysicalObject, column: int, before: int) -> bool:
    """Whether a cell over the column, above the row, names a year."""
    if any(YEAR.search(row[column]) for row in table.rows[:before]):
        return True
    cells = table.table.cells if table.table else ()
    return any(
        cell.column <= column < cell.column + cell.column_span and YEAR.search(cell.text)
        for cell in cells
        if cell.row < before
    )
