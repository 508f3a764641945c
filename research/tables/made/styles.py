"""Tables of our own with known cells, each as a page of HTML in a style that filings and reports use.

The words are made up. A `$` or `%` that is set in a cell of its own, as filings do, belongs to its number:
the truth has both as one cell, as a reader would say it.
"""

from __future__ import annotations

from html import escape
from typing import NamedTuple

from research.tables.adjacency import Placed, compared

YEARS = ("2025", "2024", "2023")
LABELS = (
    "Mooring fees",
    "Pilotage",
    "Towage and salvage",
    "Cold storage",
    "Rent of sheds",
    "Sale of ice",
    "Crane hire",
    "Weighing and customs handling",
    "Other income",
    "Total income",
)
LONG_LABEL = (
    "Fees of vessels that stayed in the inner basin for more than thirty days, net of returned deposits"
)


class Cell(NamedTuple):
    """A cell of the truth: its text, and how many rows and columns it spans."""

    text: str
    columns: int = 1
    rows: int = 1
    sign: str = ""  # set in a cell of its own, before the number or, for %, behind it


class Made(NamedTuple):
    """A table with its style; the first `head` rows name the columns."""

    name: str
    rows: tuple[tuple[Cell, ...], ...]
    head: int
    css: str


def made_tables() -> list[Made]:
    """All tables, by name."""
    head = (Cell("Source"), *(Cell(year) for year in YEARS))
    spanning = ((Cell("Source", rows=2), Cell("Year ended 31 March", columns=3)), head[1:])
    plain = _body()
    bands = "tr:nth-child(even) { background: #dde6ee }"
    rules = "td, th { border: 1px solid #444 }"
    lines = "thead tr:last-child th { border-bottom: 1px solid #000 }"
    sections = (*plain[:4], (Cell("Of which on land", columns=4),), *plain[4:])
    wrapped = (*plain[:3], (Cell(LONG_LABEL), *_numbers(77)), *plain[3:])
    return [
        Made("bordered", (head, *plain), 1, rules),
        Made("bare", (head, *plain), 1, ""),
        Made("lines", (head, *plain), 1, lines),
        Made("shaded", (head, *plain), 1, bands),
        Made("spans-bordered", (*spanning, *plain), 2, rules),
        Made("spans-bare", (*spanning, *plain), 2, lines),
        Made("sections", (head, *sections), 1, bands),
        Made("dollars", (head, *_body("$")), 1, lines),
        Made("percents", (head, *_body("%")), 1, lines),
        Made("wrapped-bare", (head, *wrapped), 1, lines),
        Made("wrapped-bordered", (head, *wrapped), 1, rules),
        Made("two-pages-bordered", (head, *_long()), 1, rules),
        Made("two-pages-bare", (head, *_long()), 1, lines),
    ]


def _numbers(seed: int, sign: str = "") -> tuple[Cell, ...]:
    """Numbers that all differ, some of them negative, as a statement prints them."""
    amounts = [(seed * 7919 + column * 104729) % 90000 + 1000 for column in range(len(YEARS))]
    if sign == "%":
        return tuple(Cell(f"{amount / 1000:.1f}", sign=sign) for amount in amounts)
    return tuple(Cell(f"({amount:,})" if amount % 5 == 0 else f"{amount:,}", sign=sign) for amount in amounts)


def _body(sign: str = "") -> tuple[tuple[Cell, ...], ...]:
    return tuple((Cell(label), *_numbers(place, sign)) for place, label in enumerate(LABELS, start=1))


def _long() -> tuple[tuple[Cell, ...], ...]:
    """More rows than a page holds."""
    return tuple((Cell(f"Berth {place}"), *_numbers(place)) for place in range(1, 61))


def true_cells(made: Made) -> list[Placed]:
    """The cells of a table with their places, as they are compared."""
    taken: set[tuple[int, int]] = set()
    placed = []
    for row, cells in enumerate(made.rows):
        column = 0
        for cell in cells:
            while (row, column) in taken:
                column += 1
            bottom, right = row + cell.rows - 1, column + cell.columns - 1
            taken |= {(r, c) for r in range(row, bottom + 1) for c in range(column, right + 1)}
            text = cell.text + cell.sign if cell.sign == "%" else cell.sign + cell.text
            placed.append(Placed(row, column, bottom, right, compared(text)))
    return placed


def page(made: Made) -> str:
    """The table as a page to print, between two paragraphs."""
    signed = any(cell.sign for row in made.rows for cell in row)
    lines = [
        "".join(_html(cell, place < made.head, signed) for cell in row) for place, row in enumerate(made.rows)
    ]
    head = "".join(f"<tr>{line}</tr>" for line in lines[: made.head])
    body = "".join(f"<tr>{line}</tr>" for line in lines[made.head :])
    return PAGE.format(css=made.css, head=head, body=body)


def _html(cell: Cell, in_head: bool, signed: bool) -> str:
    tag = "th" if in_head else "td"
    is_amount = cell.text[0] in "(0123456789"
    kind = ' class="n"' if is_amount else ""
    # Where signs have cells of their own, every column but that of the labels is two columns wide.
    wide = cell.columns * 2 if signed and is_amount and not cell.sign else cell.columns
    spans = f' colspan="{wide}"' * (wide > 1) + f' rowspan="{cell.rows}"' * (cell.rows > 1)
    if not cell.sign:
        return f"<{tag}{spans}{kind}>{escape(cell.text)}</{tag}>"
    number, sign = f"<td{kind}>{escape(cell.text)}</td>", f"<td>{escape(cell.sign)}</td>"
    return number + sign if cell.sign == "%" else sign + number


PAGE = """<!doctype html><meta charset="utf-8"><style>
body {{ font: 10pt/1.4 "DejaVu Serif", serif; margin: 0 }}
table {{ border-collapse: collapse; margin: 1em 0 }}
td, th {{ padding: 2px 8px; text-align: left; vertical-align: bottom; max-width: 16em }}
th[colspan] {{ text-align: center }}
.n {{ text-align: right }}
{css}
</style>
<p>The harbour office keeps its books by the kind of service. What was earned in the last years, and how it
came about, is told below; amounts are in thousands unless something else is said with them.</p>
<table><thead>{head}</thead><tbody>{body}</tbody></table>
<p>Most of the change is owed to the new quay, which was opened to larger vessels in spring and has been in
use on all but nine days since then, although the dredging of its approach took longer than was planned.</p>
"""
