"""Where an object's text is set otherwise than most of it: bold, italic, raised, lowered.

The runs of an object say how they are set; where each stands in the object's text, whose lines were joined
and hyphens resolved, is found by looking for them one after another. Most objects are set in one style and
cost nothing here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set

from held.document import Mark, Run, Span
from held.layout.lines import Line
from held.layout.rows import Row, TextStyle
from held.layout.tolerances import (
    MIN_BASELINE_PIECE_SIZE_SHARE,
    MIN_SUBSCRIPT_DROP_EM,
    MIN_SUPERSCRIPT_RISE_EM,
)

SOUGHT = 12  # characters further on, at most, that a run stands behind the one before it: hyphens, blanks


def spans_of(rows: Sequence[Row], text: str, looks: Sequence[TextStyle]) -> tuple[Span, ...]:
    """The spans of a text that is made of these rows."""
    used = {run.style for row in rows for run in row.line.runs}
    if len(used) < 2 or not _is_any_marked(rows, used, looks):
        return ()
    worded = _worded_styles(rows, used)
    # What holds for all of the text is told by the object's style.
    all_bold = all(looks[style].bold for style in worded)
    all_italic = all(looks[style].italic for style in worded)
    spans: list[Span] = []
    for run, line, start, end in _placed(rows, text):
        look = looks[run.style]
        bold = look.bold and not all_bold
        italic = look.italic and not all_italic
        if (bold or italic) and _is_worded(run):
            if bold:
                _add(spans, Span(start, end, Mark.BOLD), text)
            if italic:
                _add(spans, Span(start, end, Mark.ITALIC), text)
        if look.size < MIN_BASELINE_PIECE_SIZE_SHARE * line.size:
            shift = _shift(run, line)
            if shift is not None:
                _add(spans, Span(start, end, shift), text)
    return tuple(sorted(spans))


def _is_any_marked(rows: Sequence[Row], used: Set[int], looks: Sequence[TextStyle]) -> bool:
    """Whether a style is bold or italic, or a run so small that it may be raised: in most text none is."""
    if any(looks[style].bold or looks[style].italic for style in used):
        return True
    smallest = min(looks[style].size for style in used)
    return any(smallest < MIN_BASELINE_PIECE_SIZE_SHARE * row.line.size for row in rows)


def _worded_styles(rows: Sequence[Row], used: Set[int]) -> Set[int]:
    """The styles that words are set in; most are known by the first words of an object."""
    worded: set[int] = set()
    for row in rows:
        for run in row.line.runs:
            if run.style not in worded and _is_worded(run):
                worded.add(run.style)
        if len(worded) == len(used):
            break
    return worded


def _placed(rows: Sequence[Row], text: str) -> Iterator[tuple[Run, Line, int, int]]:
    """The runs that are found in the text, each with its line, its start and its end there."""
    place = 0
    for row in rows:
        for run in row.line.runs:
            words = run.text
            if not words.isalnum():  # a single word has no blanks to be drawn together
                words = " ".join(words.split())
            start = text.find(words, place, place + len(words) + SOUGHT)
            if start < 0 and len(words) > 1:
                words = words[:-1]  # a hyphen at the line's end
                start = text.find(words, place, place + len(words) + SOUGHT)
            if start < 0:
                place += len(words)
                continue
            place = start + len(words)
            yield run, row.line, start, place


def _add(spans: list[Span], span: Span, text: str) -> None:
    """Adds a span, to the last one of its mark where only blanks are between them."""
    for i in range(len(spans) - 1, -1, -1):
        if spans[i].mark is span.mark:
            if not text[spans[i].end : span.start].strip():
                spans[i] = spans[i]._replace(end=span.end)
                return
            break
    spans.append(span)


def _is_worded(run: Run) -> bool:
    text = run.text
    return text[:1].isalnum() or any(map(str.isalnum, text))


def _shift(run: Run, line: Line) -> Mark | None:
    """Whether a run smaller than its line is raised or lowered, its middle above or below the line's."""
    above = (line.y0 + line.y1 - run.y0 - run.y1) / 2
    if above > MIN_SUPERSCRIPT_RISE_EM * line.size:
        return Mark.SUPERSCRIPT
    return Mark.SUBSCRIPT if -above > MIN_SUBSCRIPT_DROP_EM * line.size else None
