"""Contents lists without a column of page labels: titles alone, or labels before them.

Only later pages can tell that they are contents: most of the titles must come again there. A title that
fills its line goes on in the next one, if that is no title of its own.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Sequence
from itertools import pairwise
from typing import NamedTuple

from held.layout.contents_rows import MANY, SOME, EntryRow
from held.layout.lines import Line
from held.layout.tolerances import (
    MAX_ENTRY_PITCH_EM,
    MAX_ENTRY_SIZE_CHANGE_SHARE,
    MAX_FULL_LINE_RAGGEDNESS_EM,
    MAX_FULL_LINES_SHARE,
    MAX_WRAPPED_LINE_OUTDENT_PT,
    MIN_LABELLED_ENTRIES_SHARE,
    MIN_NUMBERED_LINES_SHARE,
    MIN_PAGES_PER_TITLE_TIMES,
    MIN_TEXT_LINE_EM,
    MIN_TITLES_FOUND_ANNOUNCED_SHARE,
    MIN_TITLES_FOUND_UNANNOUNCED_SHARE,
    MIN_WRAPPED_LINE_SHARE,
)
from held.numbering import parse_number

_STRAY = 1  # rows above a list that goes on from the page before: a head that no other page repeats
_NUMBERED = re.compile(
    r"(?:[A-Z]|\d{1,3}|[IVX]{1,5})(?:\.\d{1,3}){0,5}[.、)]?\s+(?=[^\W\d_])|第\S{1,3}[章节]|附录"
)

_LABEL_AT_START = re.compile(r"(\d{1,4})\s+(\D.*)")

Group = list[EntryRow]


def may_be_unheaded(texts: Sequence[str]) -> bool:
    """Whether a page may hold contents that nothing announces: most of its lines begin with a number."""
    numbered = sum(map(bool, map(_NUMBERED.match, texts)))
    return numbered >= max(MANY, MIN_NUMBERED_LINES_SHARE * len(texts))


def ragged_list(rows: Sequence[EntryRow], later: Later, *, announced: bool) -> list[Group]:
    """The entries at the top of the rows, each with the rows of its title; none where it is no list.

    `announced`: a heading says "Contents", or the page before ends in contents.
    """
    fewest, share, is_known = (
        (SOME, MIN_TITLES_FOUND_ANNOUNCED_SHARE, _is_known)
        if announced
        else (MANY, MIN_TITLES_FOUND_UNANNOUNCED_SHARE, _is_sure)
    )
    for start in range(_STRAY + 1):
        alike = _set_alike(rows[start:])
        if not _may_be_list(alike, fewest, announced=announced):
            continue
        groups = _grouped(alike, later)
        known = [group for group in groups if is_known(group, later)]
        edges = {round(group[0].x0) for group in known}
        while groups and groups[-1] not in known and not _stands_in_list(groups[-1], edges):
            groups.pop()
        if len(groups) >= fewest and len(known) >= share * len(groups) and not _is_text(groups):
            return _with_labels_before(_with_labels_behind(groups))
    return []


def _may_be_list(rows: Sequence[EntryRow], fewest: float, *, announced: bool) -> bool:
    """Whether there are rows enough for a list, which is told without the titles of later pages."""
    if not announced:  # a list that nothing announces has numbers before nearly all titles
        rows = [row for row in rows if _NUMBERED.match(row.title)]
        fewest = MIN_TITLES_FOUND_UNANNOUNCED_SHARE * fewest
    return len(rows) >= fewest


def _is_text(groups: Sequence[Group]) -> bool:
    """Whether most lines are full, as those of paragraphs are: text, too, can come again."""
    rows = [row for group in groups for row in group]
    right = max(row.x1 for row in rows)
    full = [
        row
        for row in rows
        if row.x1 > right - MAX_FULL_LINE_RAGGEDNESS_EM * row.size
        and row.filled > MIN_TEXT_LINE_EM * row.size
    ]
    return sum(not (row.label or row.leader) for row in full) > MAX_FULL_LINES_SHARE * len(rows)


def _stands_in_list(group: Group, edges: Collection[int]) -> bool:
    """Whether an entry that no later page has is numbered and set in like those that it follows."""
    return round(group[0].x0) in edges and _NUMBERED.match(group[0].title) is not None


def _set_alike(rows: Sequence[EntryRow]) -> list[EntryRow]:
    """The rows from the top on that are set like the first, each close to the one before."""
    members: list[EntryRow] = []
    for row in rows:
        if members and not _goes_on(row, members):
            break
        members.append(row)
    return members


def _goes_on(row: EntryRow, members: Sequence[EntryRow]) -> bool:
    if abs(row.size - members[0].size) > MAX_ENTRY_SIZE_CHANGE_SHARE * row.size:
        return False
    return row.y - members[-1].y <= MAX_ENTRY_PITCH_EM * row.size


def _grouped(rows: Sequence[EntryRow], later: Later) -> list[Group]:
    """The rows by title."""
    right = max((row.x1 for row in rows), default=0.0)
    groups: list[Group] = []
    for row in rows:
        if groups and _is_rest(row, groups[-1], right, later):
            groups[-1].append(row)
        else:
            groups.append([row])
    return groups


def _is_rest(row: EntryRow, group: Group, right: float, later: Later) -> bool:
    """Whether a row is the rest of the title above it, whose last line reaches far to the right."""
    above = group[-1]
    if (
        above.filled < MIN_WRAPPED_LINE_SHARE * (right - above.x0)
        or row.x0 < group[0].x0 - MAX_WRAPPED_LINE_OUTDENT_PT
    ):
        return False
    return parse_number(row.title) is None and not _is_known([row], later)


def _is_known(group: Group, later: Later) -> bool:
    return later.has(group[0], begun=True) or later.has(group[0])


def _is_sure(group: Group, later: Later) -> bool:
    """Whether a title has a number, and a later page has the very title: rows of tables come again, too."""
    return _NUMBERED.match(group[0].title) is not None and later.has(group[0])


def _with_labels_behind(groups: list[Group]) -> list[Group]:
    """The groups with the numbers behind their titles as labels, or in the titles where few have one."""
    if sum(any(row.label for row in group) for group in groups) >= MIN_LABELLED_ENTRIES_SHARE * len(groups):
        return groups
    return [[_unlabelled(row) for row in group] for group in groups]


def _unlabelled(row: EntryRow) -> EntryRow:
    """The row with its label as a part of its title: a year, say."""
    return row._replace(label="", title=f"{row.title} {row.label}") if row.label else row


def _with_labels_before(groups: list[Group]) -> list[Group]:
    """The groups with the numbers before their titles as labels, if those count pages and not chapters."""
    matches = [_LABEL_AT_START.fullmatch(group[0].title) for group in groups]
    labels = [int(match.group(1)) for match in matches if match]
    if len(labels) < MIN_LABELLED_ENTRIES_SHARE * len(groups) or not _count_pages(labels):
        return groups
    return [
        [group[0]._replace(label=match.group(1), title=match.group(2)), *group[1:]] if match else group
        for group, match in zip(groups, matches, strict=True)
    ]


def _count_pages(numbers: Sequence[int]) -> bool:
    """Whether numbers before titles count pages: they never fall, and run up further than the titles do."""
    if not numbers or any(a > b for a, b in pairwise(numbers)):
        return False
    return numbers[-1] > MIN_PAGES_PER_TITLE_TIMES * len(numbers)


_LABEL_WORD = re.compile(
    r"\s*(?:item|part|chapter|section|appendix|note|figure|table)?\s*[\dA-Z.]{1,6}[.:]?\s+", re.IGNORECASE
)
_NO_LETTERS = re.compile(r"[\W\d_]+")
_ASCII = map(chr, range(128))
_NO_ASCII_LETTERS = str.maketrans("", "", "".join(c for c in _ASCII if not c.isalpha()))
_AMOUNT = re.compile(r"\d[.,]\d{3}\b|[$€£¥%]\s?\d|\d\s?%")
_BEGINNING = 12  # letters that tell a title where it is broken into lines elsewhere than in the list ...
_MOST_ALIKE = 2  # ... unless more lines than these begin so: that of the list, and that of the title


def letters(text: str) -> str:
    """The letters of a text, small: what stays the same however a title is numbered and spaced."""
    if text.isascii():  # most lines of most documents, and faster without the pattern
        return text.lower().translate(_NO_ASCII_LETTERS)
    return _NO_LETTERS.sub("", text).casefold()


class Titles:
    """The last page on which a line has, or begins with, some letters; read when first asked."""

    def __init__(self, lines: Sequence[Sequence[Line]]) -> None:
        self._lines = lines
        self._whole: dict[str, int] = {}
        self._begun: defaultdict[str, set[str]] = defaultdict(set)

    def last_page(self, title: str, *, begun: bool) -> int:
        """The last page with a line of these letters, or with one that begins like it; -1 where none has."""
        if self._lines:
            self._read()
        page = self._whole.get(title, -1)
        if not begun or len(title) < _BEGINNING:
            return page
        alike = self._begun.get(title[:_BEGINNING], set())
        if len(alike) > _MOST_ALIKE:
            return page
        return max((self._whole[other] for other in alike), default=page)

    def _read(self) -> None:
        for page, on_page in enumerate(self._lines):
            for line in on_page:
                found = letters(line.text)
                self._whole[found] = page
                self._begun[found[:_BEGINNING]].add(found)
        self._lines = ()


class Later(NamedTuple):
    """What stands after a page."""

    titles: Titles
    page: int

    def has(self, row: EntryRow, *, begun: bool = False) -> bool:
        """Whether a later page has the title of a row; `begun`: or a line that begins like it.

        A row with amounts is one of a table, which may well come again.
        """
        if _AMOUNT.search(row.title):
            return False
        found = (letters(row.title), letters(_LABEL_WORD.sub("", row.title)))
        return any(
            len(title) > 1 and self.titles.last_page(title, begun=begun) > self.page for title in found
        )

    def share(self, rows: Sequence[EntryRow]) -> float:
        """The share of the titles that stand on a later page too."""
        return sum(self.has(row) for row in rows) / len(rows)
