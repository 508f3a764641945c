"""Rows of a page as entries of printed contents: a title, perhaps a leader, perhaps a page label.

`held.layout.printed_contents` decides which rows are contents; this module takes them apart and makes page
labels comparable.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from held.document import Kind
from held.layout.characters import is_cjk
from held.layout.lines import Line
from held.layout.tolerances import MAX_ENTRY_PIECE_OFFSET_LINES, MAX_PAGE_LABEL_OFFSET_PT
from held.numbering.numerals import roman_value
from held.numbering.titles import is_contents_title
from held.system.lazy_pattern import lazy_pattern

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
    middles = [(line.y0 + line.y1) / 2 for line in lines]
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
        y=(last.y0 + last.y1) / 2,
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
