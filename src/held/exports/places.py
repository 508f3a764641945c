"""Where titles stand on their pages, for bookmarks whose outline says only the page."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate

from held.document import Pages, Run, Style
from held.hierarchy.matching.titles import bare_key, close_key, key
from held.numbering import is_number

LONGEST_LABEL = 10  # characters that may stand before a title on its line
SHORT_KEY = 3  # found anywhere, so it must be a whole line


def title_top(pages: Pages, page: int, title: str) -> float | None:
    """How far below the page's top a title stands, on pages as viewed; None where it is not found.

    A heading begins a line, and is larger than other lines with the same words, such as running heads.
    """
    runs = pages.pages[page - pages.first_page].runs
    for words in dict.fromkeys((key(title), bare_key(title))):
        found = max(_places(runs, words, pages.styles), default=None)
        if found is not None:
            return runs[-found[-1]].y0
    return None


def _places(
    runs: Sequence[Run], words: str, styles: Sequence[Style]
) -> Iterator[tuple[bool, int, bool, bool, int]]:
    """Each place of the words: do they begin a line, size, bold, do they end a run; and the run, negated."""
    keys = [close_key(run.text) for run in runs]
    text = "".join(keys)
    starts = list(accumulate(map(len, keys), initial=0))
    at = text.find(words) if words else -1
    while at >= 0:
        place = bisect_right(starts, at) - 1
        style, ahead = styles[runs[place].style], text[starts[place] : at]
        begins, ends = not ahead or is_number(ahead), at + len(words) in starts
        if (begins and ends) or (len(words) > SHORT_KEY and len(ahead) <= LONGEST_LABEL):
            yield begins, round(style.size), style.bold, ends, -place
        at = text.find(words, at + 1)
