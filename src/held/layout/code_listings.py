"""Code listings: monospaced lines that stand under each other.

They are found before tables and columns, since aligned words of code look like cells. Line ends and indents
are kept: in a monospaced font a line's position shows how many characters stand before it. A document with
monospaced running text has no listings that could be distinguished from it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Sequence
from itertools import pairwise
from textwrap import indent
from typing import NamedTuple

from held.document import Box, Run, bounding_box
from held.layout.characters import is_cjk
from held.layout.lines import Line
from held.layout.rows import TextStyle
from held.layout.tables.cells import usual_size
from held.layout.tolerances import (
    DEFAULT_CODE_CHARACTER_EM,
    MAX_ADDRESS_ROW_GAP_EM,
    MAX_CODE_EXPLANATION_GAP_EM,
    MAX_CODE_OUTDENT_EM,
    MAX_CODE_REACH_EM,
    MAX_CODE_ROW_GAP_EM,
    MAX_CODE_ROWS_BESIDE_TEXT_SHARE,
    MAX_CODE_SHIFT_CHARS,
    MAX_CODE_SIZE_TIMES,
    MAX_LINE_NUMBER_GAP_EM,
    MAX_MONOSPACE_SHARE,
    MAX_SAME_LINE_SHIFT_EM,
    MIN_BLANK_CODE_ROW_TIMES,
    MIN_CODE_ROWS,
    MIN_NUMBER_ROWS_SHARE,
)
from held.system import lazy_pattern, median

MIN_LINE_NUMBERS = 2
MIN_LINES_ON_EDGE = 5  # of text, on the left edge of a column
MAX_LINE_NUMBER_DIGITS = 4
SHORT_TERM = 20  # characters: shorter texts with a text beside them are the first column of a table
MAX_ADDRESS_ROWS = 3  # of one that begins a row
MIN_MEASURED_CHARS = 4  # of a run that shows the width of a character
CODE = lazy_pattern(
    r"[{};]|\w\(.*\)|[=<>]=|:=|->|=>|::|\\\w|^\s*[$#>%]\s|^\s*(?:import|def|class|return|sudo|git)\b"
)
LEADERS = (". . . .", ".....")
NUMBER = lazy_pattern(r"(?<!\S)[(+\-–−$€£]*\d[\d.,]*(?<!,)[%)*]*(?!\S)")
RULE_OF_SIGNS = lazy_pattern(r"[-=_+|*\s]+")  # typed with hyphens
E_MAILS = lazy_pattern(r"(?:\{?[\w.+-]+(?:\s*[,|]\s*[\w.+-]+)*\}?@[\w-]+(?:\.[\w-]+)+[\s,;]*)+")
WEB_ADDRESS = lazy_pattern(r"(?:https?:|ftp:)?//\S+$")
ADDRESS_NOTE = lazy_pattern(r"\d{1,3}\s*(?:https?|ftp)://\S+$")  # a footnote with a monospaced address

Lines = Sequence[Line]


class Listing(NamedTuple):
    """A listing: the indices of its lines, its box and its text."""

    lines: tuple[int, ...]
    box: Box
    text: str


def code_styles(pages: Sequence[Lines], text_styles: Sequence[TextStyle]) -> frozenset[int]:
    """The monospaced styles of a document; none if its running text is monospaced."""
    styles = frozenset(index for index, style in enumerate(text_styles) if style.mono)
    if not styles:
        return styles
    total = monospaced = 0
    for lines in pages:
        for line in lines:
            total += len(line.text)
            if line.style in styles:
                monospaced += len(line.text)
    return styles if 0 < monospaced < MAX_MONOSPACE_SHARE * total else frozenset()


def find_listings(lines: Lines, styles: Container[int], taken: Container[int]) -> list[Listing]:
    """The listings of a page in these styles; lines in `taken` belong to something else."""
    lines = [_without_line_number(line, styles) for line in lines]
    monospaced = [i for i, line in enumerate(lines) if i not in taken and _is_monospaced(line, styles)]
    if not monospaced:
        return []
    largest = MAX_CODE_SIZE_TIMES * usual_size(lines)
    code = [i for i in monospaced if lines[i].size <= largest and not _has_leaders(lines[i].text)]
    code.sort(key=lambda i: (lines[i].y0, lines[i].x0))
    code_lines = set(code)
    others = [i for i in range(len(lines)) if i not in code_lines]
    other_lines = [lines[i] for i in others]
    free = [i for i in others if i not in taken]
    found = []
    for group in _group_lines(code, lines, _column_edges(other_lines)):
        rows = _group_rows(group, lines)
        box = bounding_box([lines[i] for i in group])
        numbers = _find_line_numbers(box, lines, free)
        # Numbers beside all rows count lines of code, whatever its language.
        is_numbered = len(numbers) == len(rows)
        if not is_numbered and not _is_listing(rows, lines, other_lines):
            continue
        text = _listing_text(rows, lines)
        found.append(Listing((*group, *numbers), box, text))
    return found


def _without_line_number(line: Line, styles: Container[int]) -> Line:
    """A line of code without the number before it, which has another font."""
    number_run, *code_runs = line.runs
    number = number_run.text.strip()
    if not code_runs or not number.isdecimal() or number_run.style in styles:
        return line
    if any(run.style not in styles for run in code_runs):
        return line
    text = line.text.removeprefix(number).lstrip()
    first = code_runs[0]
    return line._replace(x0=first.x0, text=text, runs=tuple(code_runs), style=first.style)


def _find_line_numbers(box: Box, lines: Lines, free: Sequence[int]) -> list[int]:
    """The lines in the margin that count the rows of a listing: they belong to it, and are no text."""
    near = [i for i in free if _may_be_line_number(lines[i], box)]
    if len(near) < MIN_LINE_NUMBERS:
        return []
    near.sort(key=lambda i: lines[i].y0)
    numbers = [int(lines[i].text) for i in near]
    # Some listings number every fifth row: each number is larger than the one above it.
    is_counting = all(upper < lower for upper, lower in pairwise(numbers))
    return near if is_counting else []


def _may_be_line_number(line: Line, box: Box) -> bool:
    if not line.text.isdecimal() or len(line.text) > MAX_LINE_NUMBER_DIGITS:
        return False
    if not box.y0 < line.middle < box.y1:
        return False
    gap = box.x0 - line.x1
    return 0 <= gap < MAX_LINE_NUMBER_GAP_EM * line.size


def _is_monospaced(line: Line, styles: Container[int]) -> bool:
    """Whether all words of a line are monospaced.

    Line numbers may have another font, and so may Chinese comments, for which monospaced fonts lack glyphs.
    """
    runs = line.runs
    if len(runs) == 1:
        return line.style in styles
    if not any(run.style in styles for run in runs):
        return False
    words = [run for run in runs if any(map(str.isalpha, run.text))] or list(runs)
    if words[0].style not in styles:
        return False
    return all(run.style in styles or is_cjk(run.text[0]) for run in words)


def _has_leaders(text: str) -> bool:
    """Whether a line is an entry of an index, with dots before its pages."""
    return any(leaders in text for leaders in LEADERS)


class _Extent(NamedTuple):
    """The left and right edges of a listing, and the bottom of its last line."""

    left: float
    right: float
    bottom: float


def _column_edges(others: Lines) -> list[float]:
    """The left edges on which the lines of text begin."""
    counts = Counter(round(line.x0) for line in others)
    return [edge for edge, count in counts.items() if count >= MIN_LINES_ON_EDGE]


def _group_lines(code: Sequence[int], lines: Lines, edges: Sequence[float]) -> list[list[int]]:
    """The lines that stand under each other, in groups; `edges` are those of the columns of text."""
    groups: list[list[int]] = []
    extents: list[_Extent] = []
    for i in code:
        line = lines[i]
        for index in reversed(range(len(groups))):
            extent = extents[index]
            is_apart = line.x0 - extent.right > line.size
            begins_column = is_apart and any(extent.right <= edge <= line.x0 + 1 for edge in edges)
            if not begins_column and _continues(extent, line):
                groups[index].append(i)
                left, right = min(extent.left, line.x0), max(extent.right, line.x1)
                extents[index] = _Extent(left, right, line.y1)
                break
        else:
            groups.append([i])
            extents.append(_Extent(line.x0, line.x1, line.y1))
    return groups


def _continues(extent: _Extent, line: Line) -> bool:
    """Whether a line stands on the last row of a listing or under it."""
    left, right, bottom = extent
    if line.y0 - bottom > MAX_CODE_ROW_GAP_EM * line.size:
        return False
    leftmost = left - MAX_CODE_OUTDENT_EM * line.size
    rightmost = right + MAX_CODE_REACH_EM * line.size
    return leftmost < line.x0 < rightmost and line.x1 > left


def _group_rows(group: Sequence[int], lines: Lines) -> list[list[int]]:
    """The lines of a listing by baseline, from left to right."""
    rows: list[list[int]] = []
    for i in group:
        line = lines[i]
        if rows and line.y0 - lines[rows[-1][0]].y0 < MAX_SAME_LINE_SHIFT_EM * line.size:
            rows[-1].append(i)
        else:
            rows.append([i])
    return [sorted(row, key=lambda i: lines[i].x0) for row in rows]


def _is_listing(rows: Sequence[Sequence[int]], lines: Lines, others: Lines) -> bool:
    """Whether monospaced rows are code rather than terms beside their explanations, the other lines."""
    texts = [" ".join(lines[i].text for i in row) for row in rows]
    code_rows = sum(CODE.search(text) is not None for text in texts)
    if len(rows) < MIN_CODE_ROWS and not code_rows:
        return False
    if _are_addresses(texts, lines[rows[0][0]], others) or _is_table(texts, code_rows):
        return False
    rows_beside_text = 0
    for row in rows:
        first, last = lines[row[0]], lines[row[-1]]
        rows_beside_text += _has_text_beside(first, last, others)
    if rows_beside_text <= MAX_CODE_ROWS_BESIDE_TEXT_SHARE * len(rows):
        return True
    return median(map(len, texts)) > SHORT_TERM and code_rows > 0


def _are_addresses(texts: Sequence[str], first: Line, others: Lines) -> bool:
    """Whether monospaced rows are e-mail addresses, footnotes with a web address, or the rest of one."""
    if all(ADDRESS_NOTE.match(text) for text in texts) or E_MAILS.fullmatch(" ".join(texts)):
        return True
    if WEB_ADDRESS.match(texts[0]):
        return len(texts) <= MAX_ADDRESS_ROWS
    if any(" " in text for text in texts):
        return False
    return any("://" in line.text and _is_right_above(line, first) for line in others)


def _is_right_above(line: Line, below: Line) -> bool:
    gap = below.y0 - line.y1
    return abs(gap) < MAX_ADDRESS_ROW_GAP_EM * below.size and line.x0 < below.x1 and below.x0 < line.x1


def _is_table(texts: Sequence[str], code_rows: int) -> bool:
    """Whether most rows have numbers side by side, as those of a typewritten table and not of a program."""
    rows_of_text = 0
    rows_of_numbers = 0
    for text in texts:
        if not RULE_OF_SIGNS.fullmatch(text):
            rows_of_text += 1
            rows_of_numbers += len(NUMBER.findall(text)) > 1
    is_mostly_numbers = rows_of_numbers > MIN_NUMBER_ROWS_SHARE * rows_of_text
    return is_mostly_numbers and 2 * code_rows < rows_of_numbers


def _has_text_beside(first: Line, last: Line, others: Lines) -> bool:
    """Whether one of the other lines stands beside a row that reaches from its first line to its last."""
    middle = first.middle
    widest_gap = MAX_CODE_EXPLANATION_GAP_EM * first.size
    for other in others:
        if not other.y0 < middle < other.y1:
            continue
        gap_behind = other.x0 - last.x1
        gap = max(gap_behind, first.x0 - other.x1)
        # Numbers count lines of code only before them.
        is_text = any(map(str.isalnum if gap_behind > 0 else str.isalpha, other.text))
        if gap < widest_gap and is_text:
            return True
    return False


def _listing_text(rows: Sequence[Sequence[int]], lines: Lines) -> str:
    """The rows as text: each run at its column, and an empty line where a row is left blank."""
    runs_of_rows = [[run for i in row for run in lines[i].runs] for row in rows]
    runs = [run for row in runs_of_rows for run in row]
    first_lines = [lines[row[0]] for row in rows]
    width = _character_width(runs) or DEFAULT_CODE_CHARACTER_EM * first_lines[0].size
    left = min(_word_start(run, width) for run in runs)
    steps = [below.y0 - above.y0 for above, below in pairwise(first_lines)]
    pitch = median(steps) if steps else 0.0
    written: list[str] = []
    for row, step in zip(runs_of_rows, [0.0, *steps], strict=True):
        if written and step > MIN_BLANK_CODE_ROW_TIMES * pitch:
            written.append("")
        text = ""
        for run in row:
            indent_width = _word_start(run, width) - left
            column = round(indent_width / width)
            text = text.ljust(column) + run.text.strip()
        written.append(text)
    return "\n".join(written)


def _character_width(runs: Sequence[Run]) -> float:
    """The usual width of a character, 0 if no run is long enough."""
    widths = []
    for run in runs:
        text = run.text
        if len(text) >= MIN_MEASURED_CHARS and not text[0].isspace():
            widths.append((run.x1 - run.x0) / len(text))
    return median(widths) if widths else 0.0


def _word_start(run: Run, width: float) -> float:
    """Where the words of a run begin: several blanks before them count as one, so measure from the end."""
    if not run.text[0].isspace():
        return run.x0
    return max(run.x0, run.x1 - width * len(run.text.lstrip()))


def join_listings(upper: str, upper_box: Box, lower: str, lower_box: Box) -> str:
    """The text of a listing and of its rest on the next page, which may begin further in or out."""
    # The longest line is the best measure of a character's width.
    longest_upper = max(len(line) for line in upper.split("\n"))
    longest_lower = max(len(line) for line in lower.split("\n"))
    if longest_upper >= longest_lower:
        width = upper_box.width / max(longest_upper, 1)
    else:
        width = lower_box.width / longest_lower
    indent_width = lower_box.x0 - upper_box.x0
    columns = round(indent_width / width) if width else 0
    if abs(columns) > MAX_CODE_SHIFT_CHARS:
        columns = 0  # the rest stands elsewhere on its page
    above = indent(upper, " " * max(-columns, 0))
    below = indent(lower, " " * max(columns, 0))
    return f"{above}\n{below}"
