"""Entries of printed tables of contents, and of lists of figures and tables.

A contents list is a column of page labels that count upwards, each at the end (or at the start) of a title.
Dot leaders, a heading that says "Contents" and a list on the page before lower what is asked of the labels;
where none of these is there, only a long list is believed. Tables of numbers fail because their numbers
fall as often as they rise and stand in more than one column, indexes because theirs follow the alphabet.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from held.document import Kind, Pages
from held.pdf.lines import Line, is_cjk

SAME_COLUMN = 5.0  # points: page labels that end closer than this are aligned
MANY = 8  # entries that make a contents list by themselves
SOME = 4  # entries that make one if they have dot leaders
FEW = 2  # labels that make a column
COVERING = 0.6  # share of the rows of a list that must have labels or leaders
COUNTING = 0.8  # share of the labels that must count upwards
LARGER = 1.25  # font sizes of an entry: what is larger heads a list
WRAPPED = 0.6  # share of the column's width that a line must fill to go on in the next one

_LEADER = re.compile(r"(?:(?:[.．·•‧․∙⋅・]\s*){4,}|(?:[…⋯]\s*){2,}|[-_—]{4,}|(?:\s[.·]){2,})\s*")
_MAY_LEAD = re.compile(r"[.·_\-．․]\s?[.·_\-．․]|[…⋯]")
_PAGE = r"(?:[A-Z]{1,3}\s?[-–.]\s?|[A-Z])?\d{1,4}(?:\s?[-–]\s?\d{1,4}){0,2}|[ivxlc]{1,7}|[IVXL]{1,6}"
_LABEL = re.compile(rf"[-–(（\[\s]*(?:p\.?|page|第)?\s*({_PAGE})\s*页?[-–)）\]\s]*")
_LABEL_AT_END = re.compile(r"(.*\S)\s+((?:[A-Z]{1,2}-)?\d{1,4}|[ivxlc]{1,7})")
_LABEL_AT_START = re.compile(r"(\d{1,4})\s+(\D.*)")
_HEADING = re.compile(
    r"[\s·—【]*(?:(?:brief|detailed|table\s+of)?\s*contents?|目\s*[录錄次]|[插附]?[图表]\S{0,2}\s*目\s*[录錄]|[图表]\S?索引"
    r"|(?:(?:list|table)\s+of\s+)?(?:figures|tables|illustrations|listings|algorithms|appendices|exhibits)"
    r"|index\s+to\s+.*)[\s·—】:：]*(?:\(?continued\)?)?",
    re.IGNORECASE,
)
_LABEL_WORD = re.compile(
    r"\s*(?:item|part|chapter|section|appendix|note|figure|table)?\s*[\dA-Z.]{1,6}[.:]?\s+", re.IGNORECASE
)
_NUMBER = re.compile(r"\d+")
_NUMBER_AT_END = re.compile(r"\d{1,4}$")
_NO_LETTERS = re.compile(r"[\W\d_]+")
_LABEL_ENDS = frozenset("0123456789ivxlcIVXLC页)）]-–")
_ROMAN_VALUES = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}

Value = tuple[int | str, ...]  # of a page label, comparable


class ContentsEntry(NamedTuple):
    """An entry of a printed table of contents.

    `lines` are the indices of all its lines on the page, `title` has its number but neither leader nor
    page, `page_label` is empty where no page is printed, `indent` is the left edge.
    """

    lines: tuple[int, ...]
    title: str
    page_label: str
    indent: float


class _Row(NamedTuple):
    """What stands side by side, up to and with a page label if there is one."""

    lines: tuple[int, ...]
    title: str
    label: str
    sure: bool  # the label stands apart from the title
    leader: bool
    x0: float
    x1: float
    y: float
    size: float
    filled: float  # width of its text, gaps aside


class _Context(NamedTuple):
    """What is known of a page, or of a part of it, before its labels are looked at."""

    under_heading: bool  # one that says "Contents"
    last: Value | None  # the last label of the page before, if that page ends in contents
    page: int
    titles: Mapping[str, int]  # the last page of each line of the document, by its letters


def find_contents(
    pages: Pages, lines: Sequence[Sequence[Line]], furniture: Sequence[Mapping[int, Kind]]
) -> list[list[ContentsEntry]]:
    """For each page the entries of the contents lists on it, column by column from top to bottom."""
    found: list[list[ContentsEntry]] = []
    titles = _Titles(lines)
    last: Value | None = None
    for page, (page_lines, marked) in enumerate(zip(lines, furniture, strict=True)):
        entries: list[ContentsEntry] = []
        if last is not None or _may_hold_contents(page_lines):
            rows = _rows(page_lines, marked)
            for part, under_heading in _parts(rows):
                context = _Context(under_heading, None if entries else last, page, titles)
                entries += _entries(part, context)
            last = _last_value(entries, rows)
        found.append(entries)
    return found


class _Titles(dict[str, int]):
    """The last page on which a line with these letters stands; read from the pages when first asked."""

    def __init__(self, lines: Sequence[Sequence[Line]]) -> None:
        super().__init__()
        self._lines: Sequence[Sequence[Line]] = lines

    def __missing__(self, letters: str) -> int:
        for page, page_lines in enumerate(self._lines):
            self.update((_letters(line.text), page) for line in page_lines)
        self._lines = ()
        return self.get(letters, -1)


def _letters(text: str) -> str:
    return _NO_LETTERS.sub("", text).casefold()


def _may_hold_contents(lines: Sequence[Line]) -> bool:
    """Whether a page is worth a closer look: a heading that says so, or numbers that mostly count upwards."""
    leaders = labels = rises = before = 0
    for line in lines:
        text = line.text
        led = _MAY_LEAD.search(text) is not None
        leaders += led
        if (led or len(text) < 5) and text[-1:].isdecimal():
            number = _NUMBER_AT_END.search(text)
            value = int(number.group()) if number else 0
            labels += 1
            rises += value >= before
            before = value
        if len(text) < 60 and _HEADING.fullmatch(text):
            return True
    return labels >= (SOME if leaders >= SOME else MANY) and rises >= 0.7 * labels


def _parts(rows: Sequence[_Row]) -> Iterable[tuple[list[_Row], bool]]:
    """The rows above and below headings that say "Contents", and whether such a heading is above them."""
    part: list[_Row] = []
    under_heading = False
    for row in rows:
        if not row.label and _HEADING.fullmatch(row.title):
            yield part, under_heading
            part, under_heading = [], True
        else:
            part.append(row)
    yield part, under_heading


def _last_value(entries: Sequence[ContentsEntry], rows: Sequence[_Row]) -> Value | None:
    """The label from which the next page may go on: None if the page does not end in contents."""
    if not entries or rows[-1].lines[-1] not in entries[-1].lines:
        return None
    return max((_value(entry.page_label) for entry in entries[-SOME:] if entry.page_label), default=())


# Rows


def _rows(lines: Sequence[Line], marked: Mapping[int, Kind]) -> list[_Row]:
    """The rows of a page from top to bottom, two where two columns of contents stand side by side."""
    baselines = _baselines(lines, marked)
    inner = _inner_columns(baselines, lines)
    rows: list[_Row] = []
    for baseline in baselines:
        start = 0
        for end, i in enumerate(baseline, 1):
            if end == len(baseline) or any(abs(lines[i].x1 - x) < SAME_COLUMN for x in inner):
                rows.append(_row(baseline[start:end], lines))
                start = end
    return rows


def _baselines(lines: Sequence[Line], marked: Mapping[int, Kind]) -> list[list[int]]:
    """The lines of a page by baseline, from left to right."""
    middles = [(line.y0 + line.y1) / 2 for line in lines]
    order = sorted((i for i in range(len(lines)) if i not in marked), key=middles.__getitem__)
    baselines: list[list[int]] = []
    for i in order:
        if baselines:
            first = baselines[-1][0]
            height = min(lines[i].y1 - lines[i].y0, lines[first].y1 - lines[first].y0)
            if middles[i] - middles[first] < 0.4 * height:
                baselines[-1].append(i)
                continue
        baselines.append([i])
    return [sorted(baseline, key=lambda i: lines[i].x0) for baseline in baselines]


def _inner_columns(baselines: Sequence[Sequence[int]], lines: Sequence[Line]) -> list[float]:
    """Where labels end that have another title to their right."""
    ends: list[float] = []
    for baseline in baselines:
        for place, i in enumerate(baseline[:-1]):
            text, leader = lines[i].text, _last_leader(lines[i].text)
            titled = leader or (place and _has_letters(lines[baseline[place - 1]].text))
            labelled = titled and _LABEL.fullmatch(text[leader.end() :] if leader else text)
            if labelled and _has_letters(lines[baseline[place + 1]].text):
                ends.append(lines[i].x1)
    return [x for x in ends if sum(abs(x - end) < SAME_COLUMN for end in ends) >= SOME]


def _last_leader(text: str) -> re.Match[str] | None:
    if not _MAY_LEAD.search(text):
        return None
    return max(_LEADER.finditer(text), key=lambda leader: leader.end(), default=None)


def _has_letters(text: str) -> bool:
    return any(character.isalpha() for character in text)


def _row(indices: Sequence[int], lines: Sequence[Line]) -> _Row:
    """The row of lines side by side; without label if it looks like a row of a table."""
    texts = [lines[i].text for i in indices]
    leader = _last_leader(texts[-1])
    tail = texts[-1][leader.end() :] if leader else texts[-1]
    label, sure = "", False
    if (
        tail[-1:] in _LABEL_ENDS
        and _LABEL.fullmatch(tail)
        and (leader or (len(texts) > 1 and tail[-1] not in ")）]"))
    ):
        label, sure = tail.strip(), True
        texts[-1] = texts[-1][: leader.start()].rstrip() if leader else ""
    elif not leader and (match := _LABEL_AT_END.fullmatch(tail)):
        texts[-1], label = match.groups()
    title = _join(texts)
    bare_title = _LEADER.sub(" ", title).strip() if _MAY_LEAD.search(title) else title
    beside = next((text for text in reversed(texts) if text), "")
    if (
        label
        and bare_title
        and (
            not _has_letters(bare_title)
            or (len(texts) > 2 and not _has_letters(beside) and not _LEADER.fullmatch(beside))
        )
    ):
        label = ""
    first, last = lines[indices[0]], lines[indices[-1]]
    return _Row(
        lines=tuple(indices),
        title=bare_title,
        label=label,
        sure=bool(label) and sure,
        leader=bool(leader) or bare_title != title,
        x0=first.x0,
        x1=last.x1,
        y=(last.y0 + last.y1) / 2,
        size=first.size,
        filled=sum(lines[i].x1 - lines[i].x0 for i in indices),
    )


def _join(texts: Iterable[str]) -> str:
    joined = ""
    for text in texts:
        tight = not joined or not text or (is_cjk(joined[-1]) and is_cjk(text[0]))
        joined += text if tight else f" {text}"
    return joined.strip()


def _value(label: str) -> Value:
    """What makes page labels comparable: roman before arabic before those with a letter."""
    match = _LABEL.fullmatch(label)
    page = match.group(1) if match else label
    numbers = [int(number) for number in _NUMBER.findall(page)]
    if not numbers:
        values = [_ROMAN_VALUES[character] for character in page.lower()]
        return (0, sum(-a if a < b else a for a, b in pairwise([*values, 0])))
    if page[0].isalpha():
        return (2, "".join(character for character in page if character.isalpha()), *numbers)
    return (1, *numbers)


# Lists


class _List(NamedTuple):
    """The members of a contents list among the rows of a page, and the column that they stand in."""

    members: list[_Row]
    left: float
    right: float


def _entries(rows: Sequence[_Row], context: _Context) -> list[ContentsEntry]:
    """The entries among the rows of a part of a page."""
    lists = _labelled_lists(rows, context)
    if not lists and (context.under_heading or context.last == ()):
        lists = _ragged_list(rows, context)
    return [entry for each in lists for entry in _list_entries(rows, each)]


def _labelled_lists(rows: Sequence[_Row], context: _Context) -> list[_List]:
    """The lists whose labels stand apart from the titles."""
    columns = _columns([row for row in rows if row.sure])
    if _share_counting([row for column in columns for row in column]) < COUNTING:
        return []
    lists = []
    start = 0.0
    for column in columns:
        right = max(row.x1 for row in column)
        inside = [row for row in rows if start <= row.x0 < right and row.x1 < right + SAME_COLUMN]
        members = [
            row for row in inside if row.sure or row.leader or (row.label and right - row.x1 < SAME_COLUMN)
        ]
        if _is_list(members, inside, context):
            lists.append(_List(members, min(row.x0 for row in members), right))
        start = right
    return lists


def _columns(rows: Sequence[_Row]) -> list[list[_Row]]:
    """Rows one above the other, from left to right."""
    columns: list[list[_Row]] = []
    right = 0.0
    for row in sorted(rows, key=lambda row: row.x0):
        if columns and row.x0 < right:
            columns[-1].append(row)
        else:
            columns.append([row])
        right = max(right, row.x1)
    return [sorted(column, key=lambda row: row.y) for column in columns if len(column) >= FEW]


def _is_list(members: Sequence[_Row], rows: Sequence[_Row], context: _Context) -> bool:
    """Whether rows with labels are a contents list, `rows` being all that stand in its column."""
    labelled = [row for row in members if row.label]
    values = [_value(row.label) for row in labelled]
    if _share_counting(labelled) < COUNTING:
        return False
    if context.under_heading:
        return members[0] in rows[:MANY]
    if context.last is not None and members[0] in rows[:SOME] and values[0] >= context.last:
        return True
    between = sum(members[0].y <= row.y <= members[-1].y for row in rows)
    if len(set(values)) < 0.3 * len(values) or len(members) < COVERING * between:
        return False
    if sum(row.leader for row in members) > len(members) / 2:
        return len(members) >= MANY or (len(members) >= SOME and _share_known(members, context) > 0.3)
    return len(members) >= MANY and _share_known(members, context) > 0.5


def _share_counting(rows: Sequence[_Row]) -> float:
    """The share of the labels that stay in the longest sequence that never counts down."""
    ends: list[Value] = []
    for row in rows:
        value = _value(row.label)
        place = bisect_right(ends, value)
        ends[place : place + 1] = [value]
    return len(ends) / len(rows) if rows else 0.0


def _share_known(rows: Sequence[_Row], context: _Context) -> float:
    """The share of the titles that stand on a later page too."""
    return sum(_is_known(row, context) for row in rows) / len(rows)


def _is_known(row: _Row, context: _Context) -> bool:
    titles = (_letters(row.title), _letters(_LABEL_WORD.sub("", row.title)))
    return any(len(title) > 1 and context.titles[title] > context.page for title in titles)


def _ragged_list(rows: Sequence[_Row], context: _Context) -> list[_List]:
    """The list of titles without labels, or with labels that are not aligned, at the top of the rows."""
    members: list[_Row] = []
    for row in rows:
        if members and (
            abs(row.size - members[0].size) > 0.12 * row.size or row.y - members[-1].y > 3 * row.size
        ):
            break
        members.append(row)
    while members and not _is_known(members[-1], context):
        members.pop()
    if len(members) < SOME or _share_known(members, context) < 0.6:
        return []
    return [_List(members, min(row.x0 for row in members), max(row.x1 for row in members))]


def _list_entries(rows: Sequence[_Row], each: _List) -> list[ContentsEntry]:
    """The entries of one list: titles over two lines joined, titles without page between others kept."""
    members = set(each.members)
    inside = [row for row in rows if each.left - 40 < row.x0 < (each.left + each.right) / 2 or row in members]
    entries: list[ContentsEntry] = []
    pending: list[_Row] = []
    for row in inside:
        if row not in members:
            pending.append(row)
            continue
        own: list[_Row] = []
        while pending and _goes_on(pending[-1], (own or [row])[0], each):
            own.insert(0, pending.pop())
        if entries and len(pending) <= 3:
            entries += [_entry([lone]) for lone in pending if lone.size < LARGER * row.size]
        entries.append(_entry([*own, row]))
        pending = []
    return entries


def _goes_on(row: _Row, following: _Row, each: _List) -> bool:
    """Whether the title of a row goes on in the following one."""
    if row.title.endswith((":", ".", "：", "。")) or following.y - row.y > 2.2 * following.size:
        return False
    return not following.title or row.filled > WRAPPED * (each.right - each.left)


def _entry(rows: Sequence[_Row]) -> ContentsEntry:
    return ContentsEntry(
        lines=tuple(i for row in rows for i in row.lines),
        title=_join(row.title for row in rows),
        page_label=rows[-1].label,
        indent=rows[0].x0,
    )
