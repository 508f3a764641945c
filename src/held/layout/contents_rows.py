"""Rows of a page as entries of printed contents, with page labels or without.

`held.layout.printed_contents` decides which rows are contents; this module takes them apart and makes page
labels comparable.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from held.document import Kind
from held.layout.characters import is_cjk
from held.layout.lines import Line
from held.layout.tolerances import (
    MAX_ENTRY_PIECE_OFFSET_LINES,
    MAX_ENTRY_PITCH_EM,
    MAX_ENTRY_SIZE_CHANGE_SHARE,
    MAX_PAGE_LABEL_OFFSET_PT,
    MAX_WRAPPED_LINE_OUTDENT_PT,
    MIN_LABELLED_ENTRIES_SHARE,
    MIN_NUMBERED_LINES_SHARE,
    MIN_PAGES_PER_TITLE_TIMES,
    MIN_TITLES_FOUND_ANNOUNCED_SHARE,
    MIN_TITLES_FOUND_UNANNOUNCED_SHARE,
    MIN_WRAPPED_LINE_SHARE,
)
from held.numbering import parse_number
from held.numbering.numerals import roman_value
from held.numbering.titles import is_contents_title
from held.system import lazy_pattern

MANY_ENTRIES = 8  # a contents list without further evidence
SOME_ENTRIES = 4  # a list if its entries have leaders; a column of contents beside another

_LEADER = lazy_pattern(r"(?:(?:[.．·•‧․∙⋅・]\s*){4,}|(?:[…⋯]\s*){2,}|[-_—]{4,}|(?:\s[.·]){2,})\s*")
MAYBE_LEADER = re.compile(r"[.·_\-．․]\s?[.·_\-．․]|[…⋯]")  # a fast test that finds all leaders
_PAGE = r"(?:[A-Z]{1,3}\s?[-–.]\s?|[A-Z])?\d{1,4}(?:\s?[-–]\s?\d{1,4}){0,2}|[ivxlc]{1,7}|[IVXL]{1,6}"
_LABEL = lazy_pattern(rf"[-–(（\[\s]*(?:p\.?|page|第)?\s*({_PAGE})\s*页?[-–)）\]\s]*")
_LABEL_AT_END = lazy_pattern(r"(.*\S)\s+((?:[A-Z]{1,2}-)?\d{1,4}|[ivxlc]{1,7})")
_NUMBER = re.compile(r"\d+")
_LABEL_ENDS = frozenset("0123456789ivxlcIVXLC页)）]-–")
_ROMAN, _ARABIC, _LETTERED = 0, 1, 2  # front matter, body and appendices of a book

LabelValue = tuple[int | str, ...]  # of a page label, comparable


class EntryRow(NamedTuple):
    """Lines side by side, up to and with a page label if there is one."""

    lines: tuple[int, ...]
    title: str
    label: str
    label_is_apart: bool  # a gap or a leader separates it from the title
    has_leader: bool
    x0: float
    x1: float
    y: float
    size: float
    printed_width: float  # without gaps


def build_rows(lines: Sequence[Line], marked: Mapping[int, Kind]) -> list[EntryRow]:
    """The rows of a page from top to bottom, two where two columns of contents stand side by side."""
    baselines = _baselines(lines, marked)
    inner = _inner_columns(baselines, lines)
    rows: list[EntryRow] = []
    for baseline in baselines:
        start = 0
        for end, i in enumerate(baseline, 1):
            beside = lines[baseline[end]] if end < len(baseline) else None
            if beside is None or _are_apart(lines[i], beside, inner):
                rows.append(_row(baseline[start:end], lines))
                start = end
    return rows


def _are_apart(line: Line, beside: Line, inner: Sequence[float]) -> bool:
    """Whether two lines side by side belong to two columns: labels end between them, or one is a heading."""
    if any(abs(line.x1 - x) < MAX_PAGE_LABEL_OFFSET_PT for x in inner):
        return True
    if not _has_letters(beside.text) or _LABEL.fullmatch(beside.text):
        return False
    is_title = line.size > beside.size and is_contents_title(line.text)
    return is_title or any(line.x1 < x < beside.x0 for x in inner)


def _baselines(lines: Sequence[Line], marked: Mapping[int, Kind]) -> list[list[int]]:
    """The lines of a page by baseline, from left to right."""
    middles = [line.middle for line in lines]
    order = sorted((i for i in range(len(lines)) if i not in marked), key=middles.__getitem__)
    baselines: list[list[int]] = []
    for i in order:
        if baselines:
            first = baselines[-1][0]
            height = min(lines[i].y1 - lines[i].y0, lines[first].y1 - lines[first].y0)
            if middles[i] - middles[first] < MAX_ENTRY_PIECE_OFFSET_LINES * height:
                baselines[-1].append(i)
                continue
        baselines.append([i])
    return [sorted(baseline, key=lambda i: lines[i].x0) for baseline in baselines]


def _inner_columns(baselines: Sequence[Sequence[int]], lines: Sequence[Line]) -> list[float]:
    """Where labels end that have another title to their right."""
    ends: list[float] = []
    for baseline in baselines:
        for column, i in enumerate(baseline[:-1]):
            text = lines[i].text
            leader = _last_leader(text)
            has_title = leader or (column and _has_letters(lines[baseline[column - 1]].text))
            has_label = has_title and _LABEL.fullmatch(text[leader.end() :] if leader else text)
            if has_label and _has_letters(lines[baseline[column + 1]].text):
                ends.append(lines[i].x1)
    return [x for x in ends if sum(abs(x - end) < MAX_PAGE_LABEL_OFFSET_PT for end in ends) >= SOME_ENTRIES]


def _last_leader(text: str) -> re.Match[str] | None:
    if not MAYBE_LEADER.search(text):
        return None
    return max(_LEADER.finditer(text), key=lambda leader: leader.end(), default=None)


def _has_letters(text: str) -> bool:
    return any(character.isalpha() for character in text)


def _row(indices: Sequence[int], lines: Sequence[Line]) -> EntryRow:
    """The row of lines side by side; without a label if it is more likely a row of a table."""
    texts = [lines[i].text for i in indices]
    leader = _last_leader(texts[-1])
    tail = texts[-1][leader.end() :] if leader else texts[-1]
    label = ""
    is_apart = _is_label(tail, led=leader is not None, apart=len(texts) > 1)
    if is_apart:
        label = tail.strip()
        texts[-1] = texts[-1][: leader.start()].rstrip() if leader else ""
    elif not leader and (match := _LABEL_AT_END.fullmatch(tail)):
        texts[-1], label = match.groups()
    title = join_titles(texts)
    bare_title = _LEADER.sub(" ", title).strip() if MAYBE_LEADER.search(title) else title
    if label and bare_title and _is_table_row(bare_title, texts):
        label = ""
    first, last = lines[indices[0]], lines[indices[-1]]
    return EntryRow(
        lines=tuple(indices),
        title=bare_title,
        label=label,
        label_is_apart=bool(label) and is_apart,
        has_leader=bool(leader) or bare_title != title,
        x0=first.x0,
        x1=last.x1,
        y=last.middle,
        size=first.size,
        printed_width=sum(lines[i].x1 - lines[i].x0 for i in indices),
    )


def _is_label(tail: str, *, led: bool, apart: bool) -> bool:
    """Whether the end of a row is a page label: behind a leader, or apart from the title."""
    if tail[-1:] not in _LABEL_ENDS or not _LABEL.fullmatch(tail):
        return False
    return led or (apart and tail[-1] not in ")）]")


def _is_table_row(title: str, texts: Sequence[str]) -> bool:
    """Whether a row with a number at its end is a table's: it has no words, or a second number."""
    if not _has_letters(title):
        return True
    beside = next((text for text in reversed(texts) if text), "")
    return len(texts) > 2 and not _has_letters(beside) and not _LEADER.fullmatch(beside)


def join_titles(texts: Iterable[str]) -> str:
    """The pieces of a title, joined by spaces except between Chinese characters."""
    joined = ""
    for text in texts:
        needs_space = joined and text and not (is_cjk(joined[-1]) and is_cjk(text[0]))
        joined += f" {text}" if needs_space else text
    return joined.strip()


def label_value(label: str) -> LabelValue:
    """A value that orders page labels: roman numbers, then arabic ones, then those with a letter."""
    match = _LABEL.fullmatch(label)
    page = match.group(1) if match else label
    numbers = [int(number) for number in _NUMBER.findall(page)]
    if not numbers:
        return (_ROMAN, roman_value(page))
    if page[0].isalpha():
        letters = "".join(filter(str.isalpha, page))
        return (_LETTERED, letters, *numbers)
    return (_ARABIC, *numbers)


# --- lists without page labels ---
#
# Contents lists without a column of page labels: titles alone, or labels before them.
#
# Only later pages can tell that such a list is contents: most of its titles must occur there again. A title
# that fills its line continues in the next one, unless that is a title of its own.


_MAX_STRAY_ROWS = 1  # above a list that continues from the page before: a head that no page repeats
_NUMBERED = re.compile(
    r"(?:[A-Z]|\d{1,3}|[IVX]{1,5})(?:\.\d{1,3}){0,5}[.、)]?\s+(?=[^\W\d_])|第\S{1,3}[章节]|附录"
)

_LABEL_AT_START = lazy_pattern(r"(\d{1,4})\s+(\D.*)")

Group = list[EntryRow]


def may_lack_heading(texts: Sequence[str]) -> bool:
    """Whether a page may have contents without a heading: most of its lines begin with a number."""
    numbered = sum(map(bool, map(_NUMBERED.match, texts)))
    return numbered >= max(MANY_ENTRIES, MIN_NUMBERED_LINES_SHARE * len(texts))


def find_unlabelled_list(rows: Sequence[EntryRow], later: LaterPages, *, announced: bool) -> list[Group]:
    """The entries at the top of the rows, each with the rows of its title; empty where there is no list.

    `announced`: the rows stand below a heading "Contents", or the page before ends in contents.
    """
    min_entries, min_share, is_found = MANY_ENTRIES, MIN_TITLES_FOUND_UNANNOUNCED_SHARE, _is_found_exactly
    if announced:
        min_entries, min_share, is_found = SOME_ENTRIES, MIN_TITLES_FOUND_ANNOUNCED_SHARE, _is_found
    for start in range(_MAX_STRAY_ROWS + 1):
        similar = _similar_rows(rows[start:])
        if not _may_be_list(similar, min_entries, announced=announced):
            continue
        groups = _group_by_title(similar, later)
        found = [group for group in groups if is_found(group, later)]
        edges = {round(group[0].x0) for group in found}
        while groups and groups[-1] not in found and not _is_set_like_list(groups[-1], edges):
            groups.pop()
        is_long_enough = len(groups) >= min_entries and len(found) >= min_share * len(groups)
        if is_long_enough:
            return _move_labels_from_start(_drop_stray_labels(groups))
    return []


def _may_be_list(rows: Sequence[EntryRow], min_entries: float, *, announced: bool) -> bool:
    """Whether there are enough rows for a list: a fast test without the titles of later pages."""
    if not announced:  # a list without heading has numbers before nearly all titles
        rows = [row for row in rows if _NUMBERED.match(row.title)]
        min_entries = MIN_TITLES_FOUND_UNANNOUNCED_SHARE * min_entries
    return len(rows) >= min_entries


def _is_set_like_list(group: Group, edges: Collection[int]) -> bool:
    """Whether an entry that no later page has is numbered and indented like the others."""
    return round(group[0].x0) in edges and _NUMBERED.match(group[0].title) is not None


def _similar_rows(rows: Sequence[EntryRow]) -> list[EntryRow]:
    """The rows from the top whose font sizes are alike, each close to the one before."""
    members: list[EntryRow] = []
    for row in rows:
        if members and not _continues_list(row, members):
            break
        members.append(row)
    return members


def _continues_list(row: EntryRow, members: Sequence[EntryRow]) -> bool:
    # Each level may be a little smaller than the one above it.
    change = min(abs(row.size - size) for size in {member.size for member in members})
    if change > MAX_ENTRY_SIZE_CHANGE_SHARE * row.size:
        return False
    return row.y - members[-1].y <= MAX_ENTRY_PITCH_EM * row.size


def _group_by_title(rows: Sequence[EntryRow], later: LaterPages) -> list[Group]:
    right = max((row.x1 for row in rows), default=0.0)
    groups: list[Group] = []
    for row in rows:
        if groups and _continues_title(row, groups[-1], right, later):
            groups[-1].append(row)
        else:
            groups.append([row])
    return groups


def _continues_title(row: EntryRow, group: Group, right: float, later: LaterPages) -> bool:
    """Whether a row continues the title above it, whose last line reaches far to the right."""
    above = group[-1]
    if (
        above.printed_width < MIN_WRAPPED_LINE_SHARE * (right - above.x0)
        or row.x0 < group[0].x0 - MAX_WRAPPED_LINE_OUTDENT_PT
    ):
        return False
    return parse_number(row.title) is None and not _is_found([row], later)


def _is_found(group: Group, later: LaterPages) -> bool:
    return later.has(group[0], by_prefix=True)


def _is_found_exactly(group: Group, later: LaterPages) -> bool:
    """Whether a title has a number and a later page has the whole title: rows of tables recur, too."""
    return _NUMBERED.match(group[0].title) is not None and later.has(group[0])


def _drop_stray_labels(groups: list[Group]) -> list[Group]:
    """The groups, numbers at the ends of few titles returned to the titles: they are years, say."""
    if sum(any(row.label for row in group) for group in groups) >= MIN_LABELLED_ENTRIES_SHARE * len(groups):
        return groups
    return [[_label_to_title(row) for row in group] for group in groups]


def _label_to_title(row: EntryRow) -> EntryRow:
    return row._replace(label="", title=f"{row.title} {row.label}") if row.label else row


def _move_labels_from_start(groups: list[Group]) -> list[Group]:
    """The groups with the numbers before their titles as labels, if those count pages and not chapters."""
    matches = [_LABEL_AT_START.fullmatch(group[0].title) for group in groups]
    labels = [int(match.group(1)) for match in matches if match]
    if len(labels) < MIN_LABELLED_ENTRIES_SHARE * len(groups) or not _count_pages(labels):
        return groups
    moved = []
    for group, match in zip(groups, matches, strict=True):
        if match:
            group = [group[0]._replace(label=match.group(1), title=match.group(2)), *group[1:]]
        moved.append(group)
    return moved


def _count_pages(numbers: Sequence[int]) -> bool:
    """Whether numbers before titles count pages: they never fall, and get higher than a count of titles."""
    if not numbers or any(a > b for a, b in pairwise(numbers)):
        return False
    return numbers[-1] > MIN_PAGES_PER_TITLE_TIMES * len(numbers)


# --- titles on later pages ---

_LABEL_WORD = lazy_pattern(
    r"\s*(?:item|part|chapter|section|appendix|note|figure|table)?\s*[\dA-Z.]{1,6}[.:]?\s+", re.IGNORECASE
)
_NO_LETTERS = re.compile(r"[\W\d_]+")
_ASCII = map(chr, range(128))
_NO_ASCII_LETTERS = str.maketrans("", "", "".join(c for c in _ASCII if not c.isalpha()))
_BREAK = "\n"
_NO_ASCII_LETTERS_BUT_BREAKS = {code: None for code in _NO_ASCII_LETTERS if chr(code) != _BREAK}
_AMOUNT = re.compile(r"\d[.,]\d{3}\b|[$€£¥%]\s?\d|\d\s?%")
_PREFIX_LENGTH = 12  # letters that identify a title whose lines break elsewhere than in the list ...
_MAX_SAME_PREFIX = 2  # ... unless more lines begin so than that of the list and that of the title


def _letters(text: str) -> str:
    """The letters of a text in lower case: they stay the same however a title is numbered and spaced."""
    if text.isascii():  # most lines of most documents, and faster without the expression
        return text.lower().translate(_NO_ASCII_LETTERS)
    return _NO_LETTERS.sub("", text).casefold()


def _letters_of_lines(texts: Iterable[str]) -> list[str]:
    """`_letters` of texts, in any order: joined, those of a page take hardly longer than a single one."""
    plain: list[str] = []
    others: list[str] = []
    for text in texts:
        (plain if text.isascii() and _BREAK not in text else others).append(text)
    joined = _BREAK.join(plain).lower().translate(_NO_ASCII_LETTERS_BUT_BREAKS)
    return joined.split(_BREAK) + [_letters(text) for text in others]


class TitleIndex:
    """The last page on which a line has, or begins with, some letters; built when first needed."""

    def __init__(self, lines: Sequence[Sequence[Line]]) -> None:
        self._lines = lines
        self._last_page: dict[str, int] = {}
        self._by_prefix: defaultdict[str, set[str]] = defaultdict(set)

    def last_page(self, letters: str, *, by_prefix: bool) -> int:
        """The last page with a line of these letters, or with one that begins like it; -1 without any."""
        if self._lines:
            self._build()
        page = self._last_page.get(letters, -1)
        if not by_prefix or len(letters) < _PREFIX_LENGTH:
            return page
        if not self._by_prefix:
            for other in self._last_page:
                self._by_prefix[other[:_PREFIX_LENGTH]].add(other)
        similar = self._by_prefix.get(letters[:_PREFIX_LENGTH], set())
        if len(similar) > _MAX_SAME_PREFIX:
            return page
        return max((self._last_page[other] for other in similar), default=page)

    def _build(self) -> None:
        for page, page_lines in enumerate(self._lines):
            letters = _letters_of_lines(line.text for line in page_lines)
            self._last_page.update(dict.fromkeys(letters, page))
        self._lines = ()


class LaterPages(NamedTuple):
    """The titles on the pages after one page."""

    titles: TitleIndex
    page: int

    def has(self, row: EntryRow, *, by_prefix: bool = False) -> bool:
        """Whether a later page has the title of a row, or with `by_prefix` a line that begins like it.

        A row with amounts is a table's, which may well occur again.
        """
        if _AMOUNT.search(row.title):
            return False
        for title in (row.title, _LABEL_WORD.sub("", row.title)):
            letters = _letters(title)
            if len(letters) > 1 and self.titles.last_page(letters, by_prefix=by_prefix) > self.page:
                return True
        return False

    def share(self, rows: Sequence[EntryRow]) -> float:
        """The share of the titles that later pages have, too."""
        return sum(self.has(row) for row in rows) / len(rows)
