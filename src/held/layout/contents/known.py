"""Which titles of a list stand on a later page too: what makes it a list of contents.

The letters of all lines are read once, when first asked for; most pages have labels that count, and ask for
none.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from held.layout.contents.entry_rows import EntryRow
from held.layout.lines.lines import Line

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
