"""The contents of our own tables: made-up words, and numbers drawn by a seed, of which totals are sums.

A builder takes a source of random numbers and the words of a subject and returns rows of cells. A `$` or `%`
that is set in a cell of its own, as filings do, belongs to its number: the truth has both as one cell, as a
reader would say it.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import NamedTuple


class Cell(NamedTuple):
    """A cell of the truth: its text, and how many rows and columns it spans."""

    text: str
    columns: int = 1
    rows: int = 1
    sign: str = ""  # set in a cell of its own, before the number or, for %, behind it
    bar: bool = False  # names the rows below it, across all columns


Row = tuple[Cell, ...]


class Content(NamedTuple):
    """The rows of a table; the first `head` of them name the columns."""

    rows: tuple[Row, ...]
    head: int


class Subject(NamedTuple):
    """Words that a table is about."""

    corner: str
    labels: tuple[str, ...]
    total: str
    groups: tuple[str, ...]  # name several columns
    names: tuple[str, ...]  # name one column each
    over_all: str  # names all columns
    bars: tuple[str, ...]  # name groups of rows
    long_label: str
    remarks: tuple[str, ...]


Builder = Callable[[Random, Subject], Content]
NumberFormat = Callable[[int], str]

HARBOUR = Subject(
    corner="Source",
    labels=(
        "Mooring fees",
        "Pilotage",
        "Towage and salvage",
        "Cold storage",
        "Rent of sheds",
        "Sale of ice",
        "Crane hire",
        "Weighing and customs handling",
        "Berths for yachts",
        "Other income",
    ),
    total="Total income",
    groups=("Inner basin", "Outer basin", "River quay"),
    names=("2025", "2024", "2023", "2022"),
    over_all="Year ended 31 March",
    bars=("Earned on water", "Earned on land", "From other sources"),
    long_label="Fees of vessels that stayed in the inner basin for more than thirty days, less deposits",
    remarks=(
        "Charged by the hour from the second day on",
        "Only with the consent of the harbour master",
        "Free for boats below six metres",
        "See the by-laws on dangerous cargo",
        "Suspended while the quay is rebuilt",
    ),
)
SCHOOLS = Subject(
    corner="District",
    labels=(
        "Alderby",
        "Birch Hollow",
        "Caldmore",
        "Dunfirth",
        "Eastmarsh",
        "Fennick",
        "Great Oxley",
        "Harrow Green",
        "Ivelstone",
        "Kirk Langton",
    ),
    total="All districts",
    groups=("Primary", "Secondary", "Evening"),
    names=("Pupils", "Teachers", "Classes", "Rooms"),
    over_all="Schools by the end of term",
    bars=("Northern districts", "Southern districts", "Districts by the sea"),
    long_label="Districts that share a school board with one of the districts named above, as agreed",
    remarks=(
        "Two schools were joined in autumn",
        "A new hall is being built",
        "Counted by the board itself",
        "Numbers of the year before",
        "Without the weekend school",
    ),
)
FOREST = Subject(
    corner="Kind of tree",
    labels=(
        "Spruce",
        "Scots pine",
        "Silver fir",
        "Common beech",
        "Sessile oak",
        "Hornbeam and lime",
        "Larch",
        "Sycamore",
        "Black alder",
        "Birch",
    ),
    total="Whole forest",
    groups=("Standing", "Felled", "Planted"),
    names=("Area", "Volume", "Growth", "Loss"),
    over_all="Survey of the year 2024",
    bars=("Needle trees", "Leaf trees", "Mixed stands"),
    long_label="Trees that are neither felled nor measured because they stand on protected slopes",
    remarks=(
        "Damaged by snow in the last winter",
        "To be thinned in the coming year",
        "Measured from the air",
        "Left to grow without care",
        "Sold on the stem",
    ),
)
GERMAN = Subject(
    corner="Bezeichnung",
    labels=(
        "Liegegebühren",
        "Lotsendienst",
        "Schleppdienst und Bergung",
        "Kühlhaus",
        "Miete der Schuppen",
        "Verkauf von Eis",
        "Krangebühren",
        "Wiegen und Verzollen",
        "Liegeplätze für Boote",
        "Sonstige Erträge",
    ),
    total="Erträge insgesamt",
    groups=("Innenhafen", "Außenhafen", "Flusskai"),
    names=("2025", "2024", "2023", "2022"),
    over_all="Geschäftsjahr bis 31. März",
    bars=("Auf dem Wasser", "An Land", "Aus anderen Quellen"),
    long_label="Gebühren der Schiffe, die länger als dreißig Tage im Innenhafen lagen, ohne Pfand",
    remarks=(
        "Ab dem zweiten Tag nach Stunden",
        "Nur mit Zustimmung des Hafenamts",
        "Für kleine Boote frei",
        "Siehe die Ordnung für Gefahrgut",
        "Während des Umbaus ausgesetzt",
    ),
)
CHINESE = Subject(
    corner="项目",
    labels=(
        "停泊费",
        "引航费",
        "拖轮及打捞收入",
        "冷库收入",
        "仓库租金",
        "制冰收入",
        "起重机租金",
        "过磅及报关",
        "游艇泊位",
        "其他收入",
    ),
    total="合计",
    groups=("内港", "外港", "河岸"),
    names=("本期金额", "上期金额", "期末余额", "期初余额"),
    over_all="截至三月底的年度",
    bars=("一、水上收入", "二、陆上收入", "三、其他来源"),
    long_label="在内港停泊超过三十天的船舶所缴纳的费用扣除已退还的押金后的净额",
    remarks=("次日起按小时收费", "须经港务局同意", "小船免费", "见危险货物规定", "码头改建期间停收"),
)
ENGLISH = (HARBOUR, SCHOOLS, FOREST)


# --- How numbers are printed ---


def thousands(amount: int) -> str:
    """`12,345`."""
    return f"{amount:,}"


def accounting(amount: int) -> str:
    """`12,345`, negative `(12,345)`."""
    return f"({-amount:,})" if amount < 0 else f"{amount:,}"


def decimals(amount: int) -> str:
    """`0.2650`."""
    return f"{amount / 100_000:.4f}"


def tenths(amount: int) -> str:
    """`23.4`, negative `-23.4`."""
    return f"{amount / 1000:.1f}"


def cents(amount: int) -> str:
    """`12,345.67`."""
    return f"{amount * 11 / 100:,.2f}"


def german(amount: int) -> str:
    """`12.345,67`."""
    return cents(amount).translate(str.maketrans(",.", ".,"))


def small(amount: int) -> str:
    """`123`."""
    return str(abs(amount) // 100)


# --- Contents ---


def amounts(
    columns: int = 3,
    rows: int = 9,
    number: NumberFormat = thousands,
    *,
    sign: str = "",
    negative: float = 0.0,
    empty: float = 0.0,
    adds_up: bool = True,
) -> Builder:
    """A label and some amounts in each row, and a row of totals."""

    def build(draw: Random, subject: Subject) -> Content:
        body = _body(draw, subject, columns, rows, number, sign, negative, empty, adds_up)
        return Content((_head(draw, subject, columns), *body), 1)

    return build


def _head(draw: Random, subject: Subject, columns: int) -> Row:
    names = [subject.names[place % len(subject.names)] for place in range(columns)]
    if columns > len(subject.names):
        names = [f"{2000 + place}" for place in range(columns)]
    return (Cell(subject.corner), *map(Cell, names))


def _body(
    draw: Random,
    subject: Subject,
    columns: int,
    rows: int,
    number: NumberFormat = thousands,
    sign: str = "",
    negative: float = 0.0,
    empty: float = 0.0,
    adds_up: bool = True,
) -> list[Row]:
    labels = draw.sample(subject.labels, min(rows, len(subject.labels)))
    drawn = [[_amount(draw, negative) for _ in range(columns)] for _ in labels]
    body = []
    for label, values in zip(labels, drawn, strict=True):
        cells = []
        for place, value in enumerate(values):
            if draw.random() < empty:
                values[place] = 0
                cells.append(Cell(draw.choice(("–", ""))))
            else:
                cells.append(Cell(number(value), sign=sign))
        body.append((Cell(label), *cells))
    if adds_up:
        sums = [sum(column) for column in zip(*drawn, strict=True)]
        body.append((Cell(subject.total), *(Cell(number(value), sign=sign) for value in sums)))
    return body


def _amount(draw: Random, negative: float) -> int:
    amount = draw.randint(10**3, 10 ** draw.randint(4, 5))
    return -amount if draw.random() < negative else amount


def spans_of_two_levels(draw: Random, subject: Subject) -> Content:
    """Two or three groups of columns, with a name for each column below."""
    groups = draw.choice((2, 3))
    each = 2
    above = (Cell(subject.corner, rows=2), *(Cell(name, columns=each) for name in subject.groups[:groups]))
    below = tuple(Cell(name) for _ in range(groups) for name in subject.names[:each])
    return Content((above, below, *_body(draw, subject, groups * each, 8)), 2)


def spans_of_three_levels(draw: Random, subject: Subject) -> Content:
    """One name over two groups of columns, with a name for each column below."""
    top = (Cell(subject.corner, rows=3), Cell(subject.over_all, columns=4))
    above = tuple(Cell(name, columns=2) for name in subject.groups[:2])
    below = tuple(Cell(name) for _ in range(2) for name in subject.names[:2])
    return Content((top, above, below, *_body(draw, subject, 4, 8)), 3)


def one_name_over_all(draw: Random, subject: Subject) -> Content:
    """One name over all columns but the first."""
    above = (Cell(subject.corner, rows=2), Cell(subject.over_all, columns=3))
    below = tuple(map(Cell, subject.names[:3]))
    return Content((above, below, *_body(draw, subject, 3, 9)), 2)


def sections(*, across: bool) -> Builder:
    """Rows in groups below names, which span all columns or stand in the first."""

    def build(draw: Random, subject: Subject) -> Content:
        columns = draw.choice((3, 4))
        rows = [_head(draw, subject, columns)]
        for bar in subject.bars[: draw.choice((2, 3))]:
            width = columns + 1 if across else 1
            rest = () if across else (Cell(""),) * columns
            rows.append((Cell(bar, columns=width, bar=True), *rest))
            rows += _body(draw, subject, columns, 3)
        return Content(tuple(rows), 1)

    return build


def key_values(*, bars: bool) -> Builder:
    """Names and their values in pairs, two pairs beside each other."""

    def build(draw: Random, subject: Subject) -> Content:
        rows: list[Row] = []
        for bar in subject.bars[:2]:
            if bars:
                rows.append((Cell(bar, columns=4, bar=True),))
            names = draw.sample(subject.labels, 8)
            values = [_value(draw, subject) for _ in names]
            cells = [Cell(text) for pair in zip(names, values, strict=True) for text in pair]
            rows += [tuple(cells[place : place + 4]) for place in range(0, len(cells), 4)]
        return Content(tuple(rows), 0)

    return build


def _value(draw: Random, subject: Subject) -> str:
    kinds = (
        thousands(_amount(draw, 0.0)),
        f"{draw.randint(1, 28)}.{draw.randint(1, 12)}.{draw.randint(1990, 2025)}",
        draw.choice(subject.groups),
        f"{draw.choice(subject.names)} {draw.randint(2, 99)}",
    )
    return draw.choice(kinds)


def words(draw: Random, subject: Subject) -> Content:
    """Names with remarks that are wrapped."""
    names = (subject.corner, subject.groups[0], subject.groups[1])
    rows: list[Row] = [tuple(map(Cell, names))]
    for label in draw.sample(subject.labels, 6):
        long = " ".join(draw.sample(subject.remarks, 2))
        rows.append((Cell(label), Cell(draw.choice(subject.remarks)), Cell(long)))
    return Content(tuple(rows), 1)


def one_row(draw: Random, subject: Subject) -> Content:
    """A header and a single row."""
    columns = draw.choice((3, 4))
    body = _body(draw, subject, columns, 1, adds_up=False)
    return Content((_head(draw, subject, columns), *body), 1)


def wrapped_labels(draw: Random, subject: Subject) -> Content:
    """One label has several lines."""
    rows = _body(draw, subject, 3, 8, adds_up=False)
    place = draw.randint(2, 6)
    rows[place] = (Cell(subject.long_label), *rows[place][1:])
    return Content((_head(draw, subject, 3), *rows), 1)


def more_than_a_page(draw: Random, subject: Subject) -> Content:
    """More rows than a page holds; labels end in numbers."""
    rows = []
    for place in range(1, 71):
        cells = [Cell(thousands(_amount(draw, 0.0))) for _ in range(3)]
        rows.append((Cell(f"{subject.groups[0]} {place}"), *cells))
    return Content((_head(draw, subject, 3), *rows), 1)


def row_groups(draw: Random, subject: Subject) -> Content:
    """A first column whose cells span several rows."""
    rows: list[Row] = [(Cell(subject.groups[0]), Cell(subject.corner), *map(Cell, subject.names[:2]))]
    for bar in subject.bars[:2]:
        body = _body(draw, subject, 2, 4, adds_up=False)
        rows.append((Cell(bar, rows=4), *body[0]))
        rows += body[1:]
    return Content(tuple(rows), 1)


def mixed_types(draw: Random, subject: Subject) -> Content:
    """Columns of words, dates, codes and amounts."""
    names = (subject.corner, subject.groups[0], subject.groups[1], *subject.names[2:4])
    rows: list[Row] = [tuple(map(Cell, names))]
    for label in draw.sample(subject.labels, 8):
        day = f"{draw.randint(10, 28)}/{draw.randint(10, 12)}/{draw.randint(2019, 2025)}"
        code = f"{draw.choice('ABCDEFG')}-{draw.randint(100, 999)}"
        numbers = (small(_amount(draw, 0.0)), tenths(_amount(draw, 0.3)) + "%")
        rows.append((Cell(label), Cell(code), Cell(day), *map(Cell, numbers)))
    return Content(tuple(rows), 1)
