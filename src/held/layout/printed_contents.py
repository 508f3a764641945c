"""Entries of printed tables of contents, and of lists of figures and tables.

A contents list is a column of page labels that count upwards, each at the end (or at the start) of a title.
Dot leaders, a heading "Contents" and a list on the page before lower the demands on the labels; without any
of these only a long list counts. Tables of numbers fail because their numbers fall as often as they rise and
stand in more than one column, indexes because theirs follow the alphabet.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from held.document import Kind, Pages
from held.layout.contents_rows import (
    MANY_ENTRIES,
    MAYBE_LEADER,
    SOME_ENTRIES,
    EntryRow,
    LabelValue,
    LaterPages,
    TitleIndex,
    build_rows,
    find_unlabelled_list,
    join_titles,
    label_value,
    may_lack_heading,
)
from held.layout.lines import Line
from held.layout.tolerances import (
    MAX_ENTRY_LINE_PITCH_EM,
    MAX_FOUND_TITLE_OUTDENT_PT,
    MAX_HANGING_PITCH_SHARE,
    MAX_PAGE_LABEL_OFFSET_PT,
    MAX_UNLABELLED_OUTDENT_PT,
    MIN_DISTINCT_LABELS_SHARE,
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
from held.numbering import BULLET, parse_number
from held.numbering.titles import is_contents_title

MIN_COLUMN_LABELS = 2
MAX_LABEL_LENGTH = 4  # characters of a number that stands alone and may be a page label
MIN_DISTINCT_LABELS = 2
MAX_UNLABELLED_TITLES = 3  # between two titles with labels; more are text

_NUMBER_AT_END = re.compile(r"\d{1,4}$")


class ContentsEntry(NamedTuple):
    """An entry of a printed table of contents.

    `lines` are the indices of all its lines on the page. `title` has its number but neither leader nor page.
    `page_label` is empty where no page is printed. `indent` is the left edge.
    """

    lines: tuple[int, ...]
    title: str
    page_label: str
    indent: float


class _Context(NamedTuple):
    """What surrounds a page or a part of it."""

    under_heading: bool  # "Contents"
    last: LabelValue | None  # the last label of the page before, if that page ends in contents
    later: LaterPages


def find_contents(
    pages: Pages, lines: Sequence[Sequence[Line]], furniture: Sequence[Mapping[int, Kind]]
) -> list[list[ContentsEntry]]:
    """For each page the entries of the contents lists on it, column by column from top to bottom."""
    found: list[list[ContentsEntry]] = []
    titles = TitleIndex(lines)
    last: LabelValue | None = None
    for page, (page_lines, marked) in enumerate(zip(lines, furniture, strict=True)):
        entries: list[ContentsEntry] = []
        if last is not None or _may_hold_contents(page_lines):
            rows = build_rows(page_lines, marked)
            for part, under_heading in _parts(rows):
                context = _Context(under_heading, None if entries else last, LaterPages(titles, page))
                entries += _entries(part, context)
            last = _last_value(entries, rows)
        found.append(entries)
    return found


def _may_hold_contents(lines: Sequence[Line]) -> bool:
    """A fast test for contents on a page: a heading, numbers that count upwards, or numbered lines."""
    texts = [line.text for line in lines]
    if any(map(is_contents_title, texts)):
        return True
    labels = rises = before = 0
    for text in [text for text in texts if text[-1:].isdecimal()]:
        if len(text) <= MAX_LABEL_LENGTH or MAYBE_LEADER.search(text):
            number = _NUMBER_AT_END.search(text)
            value = int(number.group()) if number else 0
            labels += 1
            rises += value >= before
            before = value
    if (
        labels >= SOME_ENTRIES
        and rises >= MIN_RISING_NUMBERS_SHARE * labels
        and (labels >= MANY_ENTRIES or _have_leaders(texts))
    ):
        return True
    return may_lack_heading(texts)


def _have_leaders(texts: Sequence[str]) -> bool:
    return sum(MAYBE_LEADER.search(text) is not None for text in texts) >= SOME_ENTRIES


def _parts(rows: Sequence[EntryRow]) -> Iterable[tuple[list[EntryRow], bool]]:
    """The rows above and below headings "Contents", and whether such a heading is above them."""
    part: list[EntryRow] = []
    under_heading = False
    for row in rows:
        if not row.label and is_contents_title(row.title):
            yield part, under_heading
            part, under_heading = [], True
        else:
            part.append(row)
    yield part, under_heading


def _last_value(entries: Sequence[ContentsEntry], rows: Sequence[EntryRow]) -> LabelValue | None:
    """The label from which the next page may continue: None if the page does not end in contents."""
    # One row below the list may be a foot that no other page repeats.
    if not entries or not any(row.lines[-1] in entries[-1].lines for row in rows[-2:]):
        return None
    return max(
        (label_value(entry.page_label) for entry in entries[-SOME_ENTRIES:] if entry.page_label), default=()
    )


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
    if not lists:
        announced = context.under_heading or context.last is not None
        groups = find_unlabelled_list(rows, context.later, announced=announced)
        entries = [_entry(group) for group in groups]
        return entries if context.under_heading or _go_on(entries, context.last) else []
    return [entry for each in lists for entry in _list_entries(rows, each, context.later)]


def _go_on(entries: Sequence[ContentsEntry], last: LabelValue | None) -> bool:
    """Whether entries count on from the page before, if that has page labels."""
    if not last:
        return True
    values = [label_value(entry.page_label) for entry in entries if entry.page_label]
    return len(values) >= MIN_LABELLED_ENTRIES_SHARE * len(entries) and min(values, default=()) >= last


def _up_to_heading(rows: Sequence[EntryRow]) -> Sequence[EntryRow]:
    """The rows above the first that is much larger than all entries before it: a heading of text."""
    largest = 0.0
    for index, row in enumerate(rows):
        if not row.label and largest and row.size >= MIN_LIST_HEADING_SIZE_TIMES * largest:
            return rows[:index]
        if row.label_is_apart:
            largest = max(largest, row.size)
    return []


def _labelled_lists(rows: Sequence[EntryRow], context: _Context) -> list[_List]:
    """The lists whose labels stand apart from the titles."""
    columns = _columns([row for row in rows if row.label_is_apart], context)
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
        is_outermost = right > MIN_OUTERMOST_LIST_EDGE_SHARE * max(row.x1 for row in rows)
        if _is_list(members, inside, context, is_outermost=is_outermost):
            lists.append(_List(members, min(row.x0 for row in members), right))
        start = right
    return lists


def _is_member(row: EntryRow, right: float) -> bool:
    """Whether a row belongs to the list whose labels end at `right`."""
    if row.label_is_apart or row.has_leader:
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
    if context.under_heading and len(rows) == 1 and rows[0].has_leader:
        return columns
    return [sorted(column, key=lambda row: row.y) for column in columns if len(column) >= MIN_COLUMN_LABELS]


def _is_list(
    members: Sequence[EntryRow], rows: Sequence[EntryRow], context: _Context, *, is_outermost: bool
) -> bool:
    """Whether rows with labels are a contents list.

    `rows` are all rows of its column; `is_outermost`: nothing stands to the right of it.
    """
    labelled = [row for row in members if row.label]
    values = [label_value(row.label) for row in labelled]
    if _share_counting(labelled, context) < MIN_RISING_LABELS_SHARE:
        return False
    if context.under_heading:
        return True
    if context.last is not None and members[0] in rows[:SOME_ENTRIES] and values[0] >= context.last:
        return True
    between = sum(members[0].y <= row.y <= members[-1].y for row in rows)
    if len(members) < MIN_LABELLED_ENTRIES_SHARE * between:
        return False
    different = len(set(values))
    if different < max(MIN_DISTINCT_LABELS, MIN_DISTINCT_LABELS_SHARE * len(values)):
        return False
    leaders = sum(row.has_leader for row in members)
    if leaders > MIN_LED_ENTRIES_SHARE * len(members):
        if len(members) >= MANY_ENTRIES:
            return True
        return (
            len(members) >= SOME_ENTRIES
            and context.later.share(members) > MIN_TITLES_FOUND_WITH_LEADERS_SHARE
        )
    if not is_outermost or len(members) < MANY_ENTRIES:
        return False
    return context.later.share(members) > MIN_TITLES_FOUND_WITHOUT_LEADERS_SHARE


def _share_counting(rows: Sequence[EntryRow], context: _Context) -> float:
    """The share of labels that count upwards; single labels may be wrong.

    Where contents are expected the count may also restart, as it does for each chapter of some manuals.
    """
    values = [label_value(row.label) for row in rows]
    if not values:
        return 0.0
    # The longest sequence that never counts down, by patience sorting: for each length `ends` has the
    # smallest label that such a sequence can end with.
    ends: list[LabelValue] = []
    for value in values:
        length = bisect_right(ends, value)
        ends[length : length + 1] = [value]
    share = len(ends) / len(values)
    if context.under_heading or context.last is not None:
        rises = sum(a <= b for a, b in pairwise(values))
        share = max(share, rises / max(1, len(values) - 1))
    return share


def _list_entries(rows: Sequence[EntryRow], each: _List, later: LaterPages) -> list[ContentsEntry]:
    """The entries of one list: titles over two lines joined, titles without label between others kept."""
    members = {row.lines: row for row in each.members}
    in_column = [row for row in rows if row.lines in members or _may_be_unlabelled_title(row, each, later)]
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
            if _is_hanging_line(pending[0], groups[-1][-1], below, each):
                groups[-1].append(pending.pop(0))
        if not groups:
            pending = [lone for lone in pending[-1:] if _opens_list(lone, later)]
        if len(pending) <= MAX_UNLABELLED_TITLES:
            groups += [[lone] for lone in pending if lone.size < MIN_LIST_HEADING_SIZE_TIMES * row.size]
        groups.append(group)
        pending = []
    return [_entry(group) for group in groups]


def _first_lines(pending: list[EntryRow], labelled: EntryRow, each: _List, *, begins: bool) -> list[EntryRow]:
    """Takes the first lines of a labelled row's title out of the pending rows.

    `begins`: it is the first of its list, so that a sentence above it belongs to the text.
    """
    own: list[EntryRow] = []
    following = labelled
    while pending and _title_continues(pending[-1], following, each):
        if begins and pending[-1].title.endswith((":", ".", "：", "。")):
            break
        following = pending.pop()
        own.insert(0, following)
    return own


def _may_be_unlabelled_title(row: EntryRow, each: _List, later: LaterPages) -> bool:
    """Whether a row without a label may be a title of the list; parts may begin far left of their items."""
    if not each.left - MAX_FOUND_TITLE_OUTDENT_PT < row.x0 < (each.left + each.right) / 2:
        return False
    return each.left - MAX_UNLABELLED_OUTDENT_PT < row.x0 or later.has(row)


def _opens_list(row: EntryRow, later: LaterPages) -> bool:
    """Whether a row without a label is the first title of a list: numbered, and found on a later page."""
    number = parse_number(row.title)
    return number is not None and number.pattern is not BULLET and later.has(row)


def _fills_line(row: EntryRow, each: _List) -> bool:
    return row.printed_width > MIN_WRAPPED_LINE_SHARE * (each.right - each.left)


def _is_hanging_line(row: EntryRow, above: EntryRow, below: EntryRow, each: _List) -> bool:
    """Whether a row continues the title above it, whose label stands on its first line."""
    if not _fills_line(above, each) or row.x0 <= above.x0:
        return False
    return row.y - above.y < MAX_HANGING_PITCH_SHARE * (below.y - row.y)


def _title_continues(row: EntryRow, following: EntryRow, each: _List) -> bool:
    """Whether the title of a row continues in the following one."""
    if following.y - row.y > MAX_ENTRY_LINE_PITCH_EM * following.size:
        return False
    return not following.title or _fills_line(row, each)


def _entry(rows: Sequence[EntryRow]) -> ContentsEntry:
    return ContentsEntry(
        lines=tuple(i for row in rows for i in row.lines),
        title=join_titles(row.title for row in rows),
        page_label=next((row.label for row in rows if row.label), ""),
        indent=rows[0].x0,
    )
