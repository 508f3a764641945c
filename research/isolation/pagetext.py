"""Whether a title stands on a page, judged from the runs alone, so that no recogniser can shift the measure.

A title is *on the page* if its key occurs anywhere in the page's text. It is *found* if it also stands
there as a heading could: it begins where a line, a column or the text after an item number begins, and
ends where a run ends (at a line's end, a change of style or a wide gap). "Index" within a sentence is
on the page but not found. The text is tried in the reader's order and in visual order.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from held.document import Run
from held.hierarchy.matching.titles import bare_key, close_key, key, plain
from held.numbering import is_loose_number, loose_number_end

_WIDE_GAP_EM = 1.0
_TRAILING = ".:。;,、"


@dataclass(frozen=True, slots=True)
class PageText:
    """A page's runs as one key, with the places where a heading can start and end."""

    text: str
    starts: frozenset[int]
    ends: frozenset[int]


def page_texts(runs: Sequence[Run]) -> tuple[PageText, ...]:
    """The page's text in the reader's order and in visual order."""
    return _join_runs(runs), _join_runs(_in_visual_order(runs))


def is_on_page(title: str, texts: Sequence[PageText]) -> bool:
    """Whether the title occurs anywhere in the page's text."""
    return any(wanted in page.text for page in texts for wanted in {key(title), bare_key(title)})


def is_found(title: str, texts: Sequence[PageText]) -> bool:
    """Whether the title stands on the page as a heading could."""
    return any(_stands(wanted, page) for page in texts for wanted in {key(title), bare_key(title)})


def _stands(wanted: str, page: PageText) -> bool:
    at = page.text.find(wanted)
    while at >= 0:
        if at in page.starts and _ends_at(at + len(wanted), page):
            return True
        at = page.text.find(wanted, at + 1)
    return False


def _ends_at(end: int, page: PageText) -> bool:
    while end not in page.ends and end < len(page.text) and page.text[end] in _TRAILING:
        end += 1
    return end in page.ends


def _join_runs(runs: Sequence[Run]) -> PageText:
    text: list[str] = []
    starts: set[int] = set()
    ends: set[int] = set()
    length = 0
    for run, segment_before in _with_segments(runs):
        unified = plain(run.text)
        if not segment_before or is_loose_number(segment_before):
            starts.add(length)
        whole = segment_before + unified
        if (after_number := loose_number_end(whole) - len(segment_before)) > 0:
            starts.add(length + len(close_key(unified[:after_number])))
        piece = close_key(unified)  # dots at a run's end may stand within the title
        text.append(piece)
        length += len(piece)
        ends.add(length)
    return PageText("".join(text), frozenset(starts), frozenset(ends))


def _with_segments(runs: Sequence[Run]) -> Iterator[tuple[Run, str]]:
    """Each run with the text before it on its line, back to the last wide gap."""
    segment = ""
    before: Run | None = None
    for run in runs:
        if before is None or not _goes_on(before, run):
            segment = ""
        yield run, segment
        segment += plain(run.text)
        before = run


def _goes_on(left: Run, right: Run) -> bool:
    height = max(left.y1 - left.y0, right.y1 - right.y0)
    overlap = min(left.y1, right.y1) - max(left.y0, right.y0)
    gap = right.x0 - left.x1
    return overlap > 0.3 * height and -height < gap < _WIDE_GAP_EM * height


def _in_visual_order(runs: Sequence[Run]) -> list[Run]:
    lines: list[list[Run]] = []
    for run in sorted(runs, key=lambda run: run.y0 + run.y1):
        middle = (run.y0 + run.y1) / 2
        if lines and lines[-1][0].y0 <= middle <= lines[-1][0].y1:
            lines[-1].append(run)
        else:
            lines.append([run])
    return [run for line in lines for run in sorted(line, key=lambda run: run.x0)]
