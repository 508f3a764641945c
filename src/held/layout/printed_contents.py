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
from held.layout.contents_rows import (
    MANY,
    MAY_LEAD,
    SOME,
    EntryRow,
    Value,
    build_rows,
    join_titles,
    label_value,
)
from held.layout.lines import Line
from held.layout.tolerances import (
    MAX_ENTRY_LINE_PITCH_EM,
    MAX_FOUND_TITLE_OUTDENT_PT,
    MAX_HANGING_PITCH_SHARE,
    MAX_PAGE_LABEL_OFFSET_PT,
    MAX_UNLABELLED_OUTDENT_PT,
    MIN_DISTINCT_LABELS_SHARE,
    MIN_DISTINCT_LABELS_WITHOUT_LEADERS_SHARE,
    MIN_LABELLED_ENTRIES_SHARE,
    MIN_LED_ENTRIES_SHARE,
    MIN_LIST_HEADING_SIZE_TIMES,
    MIN_OUTERMOST_LIST_EDGE_SHARE,
    MIN_RISING_LABELS_SHARE,
    MIN_RISING_NUMBERS_SHARE,
    MIN_TITLES_FOUND_WITH_LEADERS_SHARE,
    MIN_TITLES_FOUND_WITHOUT_LEADERS_SHARE,
    MIN_WRAPPED_LINE_SHARE,
)
from held.layout.unlabelled_contents import Later, Titles, may_be_unheaded, ragged_list
from held.numbering import BULLET, parse_number
from held.numbering.titles import is_contents_title

FEW = 2  # labels that make a column
SHORT_LABEL = 5  # characters, not included: a number that stands alone may be a page label

# What is asked of the labels of a list, the less the more else speaks for it.
FEWEST_VALUES = 2  # different page labels of a list, and

# How the rows of one list stand.
MOST_LONE = 3  # titles without label between two with: more are text

_NUMBER_AT_END = re.compile(r"\d{1,4}$")


class ContentsEntry(NamedTuple):
    """An entry of a printed table of contents.

    `lines` are the indices of all its lines on the page, `title` has its number but neither leader nor
    page, `page_label` is empty where no page is printed, `indent` is the left edge.
    """

    lines: tuple[int, ...]
    title: str
    page_label: str
    indent: float


class _Context(NamedTuple):
    """What is known of a page, or of a part of it, before its labels are looked at."""

    under_heading: bool  # one that says "Contents"
    last: Value | None  # the last label of the page before, if that page ends in contents
    later: Later


def find_contents(
    pages: Pages, lines: Sequence[Sequence[Line]], furniture: Sequence[Mapping[int, Kind]]
) -> list[list[ContentsEntry]]:
    """For each page the entries of the contents lists on it, column by column from top to bottom."""
    found: list[list[ContentsEntry]] = []
    titles = Titles(lines)
    last: Value | None = None
    for page, (page_lines, marked) in enumerate(zip(lines, furniture, strict=True)):
        entries: list[ContentsEntry] = []
        if last is not None or _may_hold_contents(page_lines):
            rows = build_rows(page_lines, marked)
            for part, under_heading in _parts(rows):
                context = _Context(under_heading, None if entries else last, Later(titles, page))
                entries += _entries(part, context)
            last = _last_value(entries, rows)
        found.append(entries)
    return found


def _may_hold_contents(lines: Sequence[Line]) -> bool:
    """Whether a page is worth a closer look: by a heading, numbers that count upwards, or numbered lines."""
    texts = [line.text for line in lines]
    if any(map(is_contents_title, texts)):
        return True
    labels = rises = before = 0
    for text in texts:
        if text[-1:].isdecimal() and (len(text) < SHORT_LABEL or MAY_LEAD.search(text)):
            number = _NUMBER_AT_END.search(text)
            value = int(number.group()) if number else 0
            labels += 1
            rises += value >= before
            before = value
    if labels >= SOME and rises >= MIN_RISING_NUMBERS_SHARE * labels and (labels >= MANY or _are_led(texts)):
        return True
    return may_be_unheaded(texts)


def _are_led(texts: Sequence[str]) -> bool:
    """Whether some of the texts have leaders."""
    return sum(MAY_LEAD.search(text) is not None for text in texts) >= SOME


def _parts(rows: Sequence[EntryRow]) -> Iterable[tuple[list[EntryRow], bool]]:
    """The rows above and below headings that say "Contents", and whether such a heading is above them."""
    part: list[EntryRow] = []
    under_heading = False
    for row in rows:
        if not row.label and is_contents_title(row.title):
            yield part, under_heading
            part, under_heading = [], True
        else:
            part.append(row)
    yield part, under_heading


def _last_value(entries: Sequence[ContentsEntry], rows: Sequence[EntryRow]) -> Value | None:
    """The label from which the next page may go on: None if the page does not end in contents."""
    # One row below the list may be a foot that no other page repeats.
    if not entries or not any(row.lines[-1] in entries[-1].lines for row in rows[-2:]):
        return None
    return max((label_value(entry.page_label) for entry in entries[-SOME:] if entry.page_label), default=())


class _List(NamedTuple):
    """The members of a contents list among the rows of a page, and the column that they stand in."""

    members: list[EntryRow]
    left: float
    right: float


def _entries(rows: Sequence[EntryRow], context: _Context) -> list[ContentsEntry]:
    """The entries among the rows of a part of a page."""
    lists = _labelled_lists(rows, context)
    if not lists and context.under_heading:
        lists = _labelled_lists(_up_to_heading(rows), context)
    announced = context.under_heading or context.last == ()
    if not lists and (announced or context.last is None):
        return [_entry(group) for group in ragged_list(rows, context.later, announced=announced)]
    return [entry for each in lists for entry in _list_entries(rows, each, context.later)]


def _up_to_heading(rows: Sequence[EntryRow]) -> Sequence[EntryRow]:
    """The rows above the first that is set much larger than all entries before it: a heading of text."""
    largest = 0.0
    for place, row in enumerate(rows):
        if not row.label and largest and row.size >= MIN_LIST_HEADING_SIZE_TIMES * largest:
            return rows[:place]
        if row.sure:
            largest = max(largest, row.size)
    return []


def _labelled_lists(rows: Sequence[EntryRow], context: _Context) -> list[_List]:
    """The lists whose labels stand apart from the titles."""
    columns = _columns([row for row in rows if row.sure], context)
    if _share_counting([row for column in columns for row in column], context) < MIN_RISING_LABELS_SHARE:
        return []
    lists = []
    start = 0.0
    for column in columns:
        right = max(row.x1 for row in column)
        inside = [
            row for row in rows if start <= row.x0 < right and row.x1 < right + MAX_PAGE_LABEL_OFFSET_PT
        ]
        members = [row for row in inside if _is_member(row, right)]
        outermost = right > MIN_OUTERMOST_LIST_EDGE_SHARE * max(row.x1 for row in rows)
        if _is_list(members, inside, context, outermost=outermost):
            lists.append(_List(members, min(row.x0 for row in members), right))
        start = right
    return lists


def _is_member(row: EntryRow, right: float) -> bool:
    """Whether a row belongs to the list whose labels end at `right`."""
    if row.sure or row.leader:
        return True
    return bool(row.label) and right - row.x1 < MAX_PAGE_LABEL_OFFSET_PT


def _columns(rows: Sequence[EntryRow], context: _Context) -> list[list[EntryRow]]:
    """Rows one above the other, from left to right; a lone one with leaders will do below "Figures"."""
    columns: list[list[EntryRow]] = []
    right = 0.0
    for row in sorted(rows, key=lambda row: row.x0):
        if columns and row.x0 < right:
            columns[-1].append(row)
        else:
            columns.append([row])
        right = max(right, row.x1)
    if context.under_heading and len(rows) == 1 and rows[0].leader:
        return columns
    return [sorted(column, key=lambda row: row.y) for column in columns if len(column) >= FEW]


def _is_list(
    members: Sequence[EntryRow], rows: Sequence[EntryRow], context: _Context, *, outermost: bool
) -> bool:
    """Whether rows with labels are a contents list.

    `rows` are all that stand in its column; `outermost`: nothing stands to the right of it.
    """
    labelled = [row for row in members if row.label]
    values = [label_value(row.label) for row in labelled]
    if _share_counting(labelled, context) < MIN_RISING_LABELS_SHARE:
        return False
    if context.under_heading:
        return members[0] in rows[:MANY]
    if context.last is not None and members[0] in rows[:SOME] and values[0] >= context.last:
        return True
    between = sum(members[0].y <= row.y <= members[-1].y for row in rows)
    if len(members) < MIN_LABELLED_ENTRIES_SHARE * between:
        return False
    different = len(set(values))
    if different < max(FEWEST_VALUES, MIN_DISTINCT_LABELS_SHARE * len(values)):
        return False
    leaders = sum(row.leader for row in members)
    if leaders > MIN_LED_ENTRIES_SHARE * len(members):
        if len(members) >= MANY:
            return True
        return len(members) >= SOME and context.later.share(members) > MIN_TITLES_FOUND_WITH_LEADERS_SHARE
    if (
        not outermost
        or len(members) < MANY
        or different <= MIN_DISTINCT_LABELS_WITHOUT_LEADERS_SHARE * len(values)
    ):
        return False
    return context.later.share(members) > MIN_TITLES_FOUND_WITHOUT_LEADERS_SHARE


def _share_counting(rows: Sequence[EntryRow], context: _Context) -> float:
    """How well the labels count upwards, at most 1: single labels may be wrong.

    Where contents are expected the count may also start anew, as it does for each chapter of some manuals.
    """
    values = [label_value(row.label) for row in rows]
    if not values:
        return 0.0
    # The longest sequence that never counts down, by patience sorting: `ends` has, for each length, the
    # smallest label that such a sequence can end with.
    ends: list[Value] = []
    for value in values:
        place = bisect_right(ends, value)
        ends[place : place + 1] = [value]
    share = len(ends) / len(values)
    if context.under_heading or context.last is not None:
        rises = sum(a <= b for a, b in pairwise(values))
        share = max(share, rises / max(1, len(values) - 1))
    return share


def _list_entries(rows: Sequence[EntryRow], each: _List, later: Later) -> list[ContentsEntry]:
    """The entries of one list: titles over two lines joined, titles without page between others kept."""
    members = {row.lines: row for row in each.members}
    in_column = [row for row in rows if row.lines in members or _may_be_lone(row, each, later)]
    inside = [members.get(row.lines, row) for row in in_column]
    groups: list[list[EntryRow]] = []
    pending: list[EntryRow] = []  # rows without a label, until the next one with
    for row in inside:
        if row.lines not in members:
            pending.append(row)
            continue
        group = [*_first_lines(pending, row, each, begins=not groups), row]
        if groups and pending:
            below = pending[1] if len(pending) > 1 else group[0]
            if _hangs(pending[0], groups[-1][-1], below, each):
                groups[-1].append(pending.pop(0))
        if not groups:
            pending = [lone for lone in pending[-1:] if _opens(lone, later)]
        if len(pending) <= MOST_LONE:
            groups += [[lone] for lone in pending if lone.size < MIN_LIST_HEADING_SIZE_TIMES * row.size]
        groups.append(group)
        pending = []
    return [_entry(group) for group in groups]


def _first_lines(pending: list[EntryRow], labelled: EntryRow, each: _List, *, begins: bool) -> list[EntryRow]:
    """Takes, of the rows before a labelled one, those with which its title begins.

    `begins`: it is the first of its list, so that a sentence above it belongs to the text.
    """
    own: list[EntryRow] = []
    following = labelled
    while pending and _goes_on(pending[-1], following, each):
        if begins and pending[-1].title.endswith((":", ".", "：", "。")):
            break
        following = pending.pop()
        own.insert(0, following)
    return own


def _may_be_lone(row: EntryRow, each: _List, later: Later) -> bool:
    """Whether a row without a label may be a title of the list: parts may begin far to the left of Items."""
    if not each.left - MAX_FOUND_TITLE_OUTDENT_PT < row.x0 < (each.left + each.right) / 2:
        return False
    return each.left - MAX_UNLABELLED_OUTDENT_PT < row.x0 or later.has(row)


def _opens(row: EntryRow, later: Later) -> bool:
    """Whether a row without a label is the first title of a list: by its number, and by a later page."""
    number = parse_number(row.title)
    return number is not None and number.pattern is not BULLET and later.has(row)


def _is_full(row: EntryRow, each: _List) -> bool:
    return row.filled > MIN_WRAPPED_LINE_SHARE * (each.right - each.left)


def _hangs(row: EntryRow, above: EntryRow, below: EntryRow, each: _List) -> bool:
    """Whether a row is the rest of the title above it, whose label stands on its first line."""
    if not _is_full(above, each) or row.x0 <= above.x0:
        return False
    return row.y - above.y < MAX_HANGING_PITCH_SHARE * (below.y - row.y)


def _goes_on(row: EntryRow, following: EntryRow, each: _List) -> bool:
    """Whether the title of a row goes on in the following one."""
    if following.y - row.y > MAX_ENTRY_LINE_PITCH_EM * following.size:
        return False
    return not following.title or _is_full(row, each)


def _entry(rows: Sequence[EntryRow]) -> ContentsEntry:
    return ContentsEntry(
        lines=tuple(i for row in rows for i in row.lines),
        title=join_titles(row.title for row in rows),
        page_label=next((row.label for row in rows if row.label), ""),
        indent=rows[0].x0,
    )
