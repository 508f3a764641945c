"""What a page prints, from its runs alone: rows of text with their numbers, and where statements stand.

No recogniser has a hand in it, so that none can shift what is asked of it. A statement is found by its title
and by the closing rows that every statement of its kind has.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from held.document import PageContent, Pages, Run
from held.layout.rotated_text import apply_rotation

NUMBER = re.compile(r"\(?\s*[$€£]?\s*\(?\d[\d,]*(?:\.\d+)?(?:\s*\))?(?!\w)")
DASH = re.compile(r"(?:[$€£]\s*)?[—–-]+(?=\s|$)")
YEAR = re.compile(r"\b(?:19|20)\d\d\b")
LEADERS = re.compile(r"(?:\.\s?){3,}")
TITLE_ROWS = 12  # rows from the top of a page in which the title of a statement stands
FEWEST_COLUMNS = 2
LEAST_TOTAL = 2100  # more than a year: a row of years closes nothing

TOTAL_ASSETS = re.compile(r"total assets\b")
CLOSING = re.compile(r"total (?:liabilities|capitali[sz]ation)\b.*(?:equity|deficit|investment|liabilities)")
WORDLESS = re.compile(r"[^a-z]*")  # some companies print their totals without a word
NOTES = re.compile(r"\bnotes\b")  # statements refer to their notes, summaries of them do not
BALANCE_TITLE = r"balance sheet|financial position|financial condition"
DEPRECIATION = re.compile(r"depreciation")
NET_INCOME = re.compile(r"(?:consolidated )?net (?:income|earnings|loss|\(loss\))")
PER_SHARE = re.compile(r"\bbasic\b|per share")
OPERATING = re.compile(r"operating activities|from operations")
INVESTING = re.compile(r"investing(?: activities)?")
FINANCING = re.compile(r"financing(?: activities)?")


@dataclass(frozen=True, slots=True)
class PrintedRow:
    """The text on one height of a page, from left to right, and the numbers in it."""

    text: str
    numbers: tuple[float | None, ...]


Printed = Sequence[Sequence[PrintedRow]]  # the rows of each page


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement as it is printed: its pages, and the numbers of the rows that close it."""

    kind: str
    pages: tuple[int, ...]
    closing: tuple[tuple[float | None, ...], ...]


def find_statements(pages: Pages) -> list[Statement]:
    """The first balance sheet, income statement and cash-flow statement that a document prints."""
    rows = [printed_rows(page) for page in apply_rotation(pages).pages]
    noted = [any(NOTES.search(row.text) for row in on_page) for on_page in rows]
    places = sorted(range(len(rows)), key=lambda place: not noted[place])
    found: list[Statement] = []
    for find in FINDERS:
        statements = (find(rows, place) for place in places)
        statement = next((statement for statement in statements if statement), None)
        if statement and statement.kind not in [other.kind for other in found]:
            found.append(statement)
    return found


def _balance_sheet(pages: Printed, place: int) -> Statement | None:
    """Two rows of a page that say the same of assets and of liabilities and equity."""
    rows = pages[place]
    assets = _closing(rows, TOTAL_ASSETS)
    closing = [row.numbers for row in rows if CLOSING.search(row.text)]
    if not assets or assets not in closing or not _has_title(rows, BALANCE_TITLE):
        return None
    return Statement("balance", (place + 1,), (assets, assets))


def _wordless_balance_sheet(pages: Printed, place: int) -> Statement | None:
    """Two rows without words that say the same."""
    rows = pages[place]
    totals = [row.numbers for row in rows if WORDLESS.fullmatch(row.text) and _is_total(row)]
    twice = next((numbers for numbers in totals if totals.count(numbers) > 1), None)
    if not twice or not _has_title(rows, BALANCE_TITLE):
        return None
    return Statement("balance", (place + 1,), (twice, twice))


def _balance_sheet_over_two_pages(pages: Printed, place: int) -> Statement | None:
    if place + 1 == len(pages) or not _has_title(pages[place], BALANCE_TITLE):
        return None
    assets = _closing(pages[place], TOTAL_ASSETS)
    if not assets or assets not in [row.numbers for row in pages[place + 1] if CLOSING.search(row.text)]:
        return None
    return Statement("balance", (place + 1, place + 2), (assets, assets))


def _income_statement(pages: Printed, place: int) -> Statement | None:
    rows = pages[place]
    titles = r"statements? of (?:consolidated )?(?:net )?(?:income|operations|earnings)|income statements?"
    income = _closing(rows, NET_INCOME)
    if not income or not _has_title(rows, titles) or not any(PER_SHARE.search(row.text) for row in rows):
        return None
    return Statement("income", (place + 1,), (income,))


def _cash_flow_statement(pages: Printed, place: int) -> Statement | None:
    if not _has_title(pages[place], r"statements? of (?:consolidated )?cash flows?|cash flows? statements?"):
        return None
    if not any(DEPRECIATION.search(row.text) for row in pages[place]):
        return None  # a summary of the statement
    for after in (1, 2):
        span = [row for page in pages[place : place + after] for row in page]
        closing = [_closing(span, pattern, "cash") for pattern in (OPERATING, INVESTING, FINANCING)]
        if all(closing) and len({len(numbers) for numbers in closing}) == 1:
            return Statement("cash flow", tuple(range(place + 1, place + 1 + after)), tuple(closing))
    return None


FINDERS = (
    _balance_sheet,
    _wordless_balance_sheet,
    _balance_sheet_over_two_pages,
    _income_statement,
    _cash_flow_statement,
)


def _is_total(row: PrintedRow) -> bool:
    amounts = [number for number in row.numbers if number is not None and abs(number) > LEAST_TOTAL]
    return len(amounts) >= FEWEST_COLUMNS


def _has_title(rows: Sequence[PrintedRow], pattern: str) -> bool:
    return any(re.search(pattern, row.text) for row in rows[:TITLE_ROWS])


def _closing(
    rows: Sequence[PrintedRow], pattern: re.Pattern[str], lead: str = ""
) -> tuple[float | None, ...]:
    """The numbers of the first row with the words, those that lead them in it or in the row before."""
    for before, row in zip([PrintedRow("", ()), *rows], rows, strict=False):
        if len(row.numbers) < FEWEST_COLUMNS or not pattern.search(row.text):
            continue
        if lead in row.text or lead in before.text:
            return row.numbers
    return ()


def printed_rows(page: PageContent) -> list[PrintedRow]:
    """The rows of a page from top to bottom; text is in lower case."""
    return [_row(members) for members in _members(page.runs)]


def _members(runs: Sequence[Run]) -> Iterator[list[Run]]:
    members: list[Run] = []
    for run in sorted((run for run in runs if run.text.strip()), key=lambda run: run.y0 + run.y1):
        if members:
            first = members[0]
            overlap = min(first.y1, run.y1) - max(first.y0, run.y0)
            if overlap < 0.5 * min(first.y1 - first.y0, run.y1 - run.y0):
                yield members
                members = []
        members.append(run)
    if members:
        yield members


def _row(members: list[Run]) -> PrintedRow:
    members.sort(key=lambda run: run.x0)
    text = " ".join(run.text.strip() for run in members)
    text = " ".join(LEADERS.sub(" ", text).lower().split())
    return PrintedRow(text, tuple(numbers_of(text)))


def numbers_of(text: str) -> list[float | None]:
    """The numbers at the end of a row, None for dashes; the words before them are passed over."""
    tail = re.split(r"[^\W\d_](?![^\W\d_]*\d*\s*$)", text)[-1]
    return [value_of(match[0]) for match in re.finditer(rf"{NUMBER.pattern}|{DASH.pattern}", tail)]


def value_of(text: str) -> float | None:
    """The number that a cell prints: negative in brackets, None for a dash."""
    digits = re.sub(r"[^\d.]", "", text)
    if not digits.strip("."):
        return None
    value = float(digits.rstrip("."))
    return -value if "(" in text or re.match(r"\s*[-–−—]", text) else value
