"""Style within an object: bold, italic, raised or lowered stretches of its text, and underlines.

The position of a run in the object's text is not recorded, since lines were joined and hyphens resolved: it
is found by a search from run to run. Most objects have one style and are done at once.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import replace
from typing import NamedTuple

from held.document import Box, Kind, Mark, PageContent, PhysicalObject, Run, Span
from held.layout.lines import Line
from held.layout.rows import Row, TextStyle
from held.layout.tolerances import (
    MAX_UNDERLINE_OVERHANG_PT,
    MAX_UNDERLINE_THICKNESS_PT,
    MAX_UNDERLINED_LINES,
    MIN_BASELINE_PIECE_SIZE_SHARE,
    MIN_SUBSCRIPT_DROP_EM,
    MIN_SUPERSCRIPT_RISE_EM,
    MIN_UNDERLINE_DEPTH_SHARE,
    MIN_UNDERLINED_HEIGHT_PT,
    MIN_UNDERLINED_WIDTH_SHARE,
)

SEARCH_REACH = 12  # characters that a run may stand behind the one before it: resolved hyphens, blanks
UNDERLINED_KINDS = frozenset({Kind.PARAGRAPH, Kind.LIST_ITEM, Kind.CAPTION})

Rows = Sequence[Row]
TextStyles = Sequence[TextStyle]


def find_spans(rows: Rows, text: str, used: Set[int], text_styles: TextStyles) -> tuple[Span, ...]:
    """The stretches of a text, made of these rows in the `used` styles, set differently from most of it."""
    if len(used) < 2 or not _may_have_spans(rows, used, text_styles):
        return ()
    word_styles = _styles_of_words(rows, used)
    # What holds for the whole text is part of the object's style.
    all_bold = all(text_styles[style].bold for style in word_styles)
    all_italic = all(text_styles[style].italic for style in word_styles)
    spans: list[Span] = []
    for run, line, start, end in _locate_runs(rows, text):
        style = text_styles[run.style]
        bold = style.bold and not all_bold
        italic = style.italic and not all_italic
        if (bold or italic) and _has_word(run):
            if bold:
                _add_span(spans, Span(start, end, Mark.BOLD), text)
            if italic:
                _add_span(spans, Span(start, end, Mark.ITALIC), text)
        if style.size < MIN_BASELINE_PIECE_SIZE_SHARE * line.size:
            script = _script(run, line)
            if script is not None:
                _add_span(spans, Span(start, end, script), text)
    return tuple(sorted(spans))


def _may_have_spans(rows: Rows, used: Set[int], text_styles: TextStyles) -> bool:
    """Whether a style is bold or italic, or so small that a run may be raised; most text has none."""
    if any(text_styles[style].bold or text_styles[style].italic for style in used):
        return True
    smallest = min(text_styles[style].size for style in used)
    return any(smallest < MIN_BASELINE_PIECE_SIZE_SHARE * row.line.size for row in rows)


def _styles_of_words(rows: Rows, used: Set[int]) -> Set[int]:
    found: set[int] = set()
    for row in rows:
        for run in row.line.runs:
            if run.style not in found and _has_word(run):
                found.add(run.style)
        if len(found) == len(used):
            break  # mostly after the first row
    return found


def _locate_runs(rows: Rows, text: str) -> Iterator[tuple[Run, Line, int, int]]:
    """The runs that are found in the text, each with its line, its start and its end there."""
    position = 0
    for row in rows:
        for run in row.line.runs:
            words = run.text
            if not words.isalnum():  # a single word has no blanks to collapse
                words = " ".join(words.split())
            start = text.find(words, position, position + len(words) + SEARCH_REACH)
            if start < 0 and len(words) > 1:
                words = words[:-1]  # a hyphen at the line's end
                start = text.find(words, position, position + len(words) + SEARCH_REACH)
            if start < 0:
                position += len(words)
                continue
            position = start + len(words)
            yield run, row.line, start, position


def _add_span(spans: list[Span], span: Span, text: str) -> None:
    """Adds a span; extends the last one with its mark if only blanks are between them."""
    for i in range(len(spans) - 1, -1, -1):
        if spans[i].mark is span.mark:
            if not text[spans[i].end : span.start].strip():
                spans[i] = spans[i]._replace(end=span.end)
                return
            break
    spans.append(span)


def _has_word(run: Run) -> bool:
    return run.text[:1].isalnum() or any(map(str.isalnum, run.text))


def _script(run: Run, line: Line) -> Mark | None:
    """Superscript or subscript, where the middle of a small run is above or below the line's."""
    rise = (line.y0 + line.y1 - run.y0 - run.y1) / 2
    if rise > MIN_SUPERSCRIPT_RISE_EM * line.size:
        return Mark.SUPERSCRIPT
    return Mark.SUBSCRIPT if -rise > MIN_SUBSCRIPT_DROP_EM * line.size else None


class Strokes(NamedTuple):
    """The thin strokes of a page from top to bottom, and the heights of their middles."""

    boxes: list[Box]
    middles: list[float]


def mark_underlined(
    objects: Iterable[PhysicalObject], strokes: Sequence[Strokes], first_page: int
) -> Iterator[PhysicalObject]:
    """The objects; those with a stroke below each of their lines have an underlined style.

    A PDF draws the stroke apart from the text, so only its position shows what it belongs to. Only short
    texts are considered: in long ones, underlines are links.
    """
    for item in objects:
        on_page = strokes[item.page - first_page]
        if on_page.boxes and _may_be_underlined(item) and _is_underlined(item, on_page):
            item = replace(item, style=replace(item.style, underlined=True))
        yield item


def thin_strokes(page: PageContent) -> Strokes:
    """The strokes of a page that may underline words."""
    thin = [rule for rule in page.rules if rule.y1 - rule.y0 <= MAX_UNDERLINE_THICKNESS_PT]
    thin.sort(key=lambda rule: rule.y0 + rule.y1)
    return Strokes(thin, [(rule.y0 + rule.y1) / 2 for rule in thin])


def _may_be_underlined(item: PhysicalObject) -> bool:
    is_short = item.lines <= MAX_UNDERLINED_LINES and len(item.parts) == 1
    return is_short and item.kind in UNDERLINED_KINDS and item.box.height > MIN_UNDERLINED_HEIGHT_PT


def _is_underlined(item: PhysicalObject, strokes: Strokes) -> bool:
    """Whether strokes run under every line; lines are taken to be equally high, all but the last full."""
    box = item.box
    height = box.height / item.lines
    first = box.y0 + MIN_UNDERLINE_DEPTH_SHARE * height
    covered = [0.0] * item.lines
    # A table has hundreds of strokes: only those at the text's height are compared.
    start = bisect_right(strokes.middles, first)
    stop = bisect_left(strokes.middles, box.y1 + MAX_UNDERLINE_OVERHANG_PT)
    leftmost = box.x0 - MAX_UNDERLINE_OVERHANG_PT
    rightmost = box.x1 + MAX_UNDERLINE_OVERHANG_PT
    for i in range(start, stop):
        stroke = strokes.boxes[i]
        if leftmost < stroke.x0 and stroke.x1 < rightmost:
            line = min(int((strokes.middles[i] - first) / height), item.lines - 1)
            covered[line] += stroke.width
    *full, last = covered
    enough = MIN_UNDERLINED_WIDTH_SHARE * box.width
    return all(width > enough for width in full) and last > (0 if full else enough)
