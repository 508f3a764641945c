"""Lines of a column to rows, and the styles within their text.

A row has what paragraph building needs to know of a line, computed once. Pieces of one baseline that stand
apart in a column (a tab, a stretched space) make one row.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, replace
from typing import NamedTuple

from held.document import Box, Kind, Mark, PageContent, PhysicalObject, Run, Span, Style
from held.layout.characters import MONOSPACED_FONT, SPACE_WIDTH_EM, is_cjk, text_width
from held.layout.lines import Line, join_side_by_side
from held.layout.tolerances import (
    CJK_LINE_END_EM,
    MAX_SIDE_NOTE_SIZE_SHARE,
    MAX_UNDERLINE_OVERHANG_PT,
    MAX_UNDERLINE_THICKNESS_PT,
    MAX_UNDERLINED_LINES,
    MIN_BASELINE_PIECE_SIZE_SHARE,
    MIN_PAGE_COLUMN_GAP_EM,
    MIN_PROMINENT_SIZE_TIMES,
    MIN_ROW_OVERLAP_SHARE,
    MIN_SUBSCRIPT_DROP_EM,
    MIN_SUPERSCRIPT_RISE_EM,
    MIN_UNDERLINE_DEPTH_SHARE,
    MIN_UNDERLINED_HEIGHT_PT,
    MIN_UNDERLINED_WIDTH_SHARE,
)
from held.numbering import ItemNumber, parse_number

MATH_FONT = re.compile(
    r"cmmi|cmsy|cmex|msam|msbm|math|symbol|eufm|rsfs|stmary|mtsy|mtmi|txsy|txmi|pxsy", re.I
)

BULLETS = frozenset("☐☒☑❑❒•●○■□▪▫◆◇♦◊◦►▶➢➤✓✔❖⚫∙·‣⁃§\uf0b7\uf0a7\uf0d8\uf06c\uf06e\uf075\uf0fc*–—-")
# A minus sign before two words: before anything else it belongs to a formula.
MINUS_AS_BULLET = re.compile(r"− [^\W\d_]{2,}[ -][^\W\d_]{2,}(?=[\s.,;:)]|$)")
FIRST_WORD = re.compile(r"[^\s\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]+")
SPACED_BULLETS = frozenset("-–—*·§□")  # bullets only if a space follows
PAGE_COLUMN_TITLES = frozenset({"Page", "PAGE", "Page No.", "页码", "页次"})  # over the numbers of a list
MAX_CHAPTER_NUMBER = 2  # characters of a chapter's number that is set huge above the end of its title
MAX_INDEX_LENGTH = 12  # characters; a longer text in small print is a note


class TextStyle(NamedTuple):
    """What distinguishes two styles for a reader: size, weight, slant, colour, family and its purpose."""

    size: float
    bold: bool
    italic: bool
    colour: str
    family: str
    mono: bool
    mathematical: bool


def make_text_styles(styles: Sequence[Style]) -> list[TextStyle]:
    """The text style of each style."""
    return [_text_style(style) for style in styles]


def _text_style(style: Style) -> TextStyle:
    family = _family(style.font)
    mono = MONOSPACED_FONT.search(style.font) is not None
    mathematical = MATH_FONT.search(family) is not None
    return TextStyle(style.size, style.bold, style.italic, style.colour, family, mono, mathematical)


def _family(font: str) -> str:
    """The font's name without its variant: the part before the first dash, comma or digit."""
    return re.split(r"[-,\d]", font, maxsplit=1)[0].lower()


@dataclass(slots=True, eq=False)
class Row:
    """A line of a column. `bold`, `italic` and `colour` hold for the whole row or are False, False, None."""

    line: Line
    text: str  # of the line: asked for so often that a property would cost
    page: int
    style: TextStyle
    words_style: TextStyle  # of its words, where code outweighs them
    bold: bool
    italic: bool
    colour: str | None
    number: ItemNumber | None
    bullet: bool
    run_in: bool  # begins in bold and continues without

    @property
    def width(self) -> float:
        return self.line.x1 - self.line.x0


def make_row(line: Line, page: int, text_styles: Sequence[TextStyle]) -> Row:
    """The row of a line on a page."""
    runs = line.runs
    style = text_styles[line.style]
    words_style = style
    if style.mono and len(runs) > 1:
        words_style = _style_of_words(runs, text_styles) or style
    bold, italic = style.bold, style.italic
    colour: str | None = style.colour
    starts_bold = False
    if len(runs) > 1 and len({run.style for run in runs}) > 1:
        starts_bold = text_styles[runs[0].style].bold and not bold
        # Most rows are neither bold nor italic and have one colour: their runs need no closer look.
        if bold or italic or any(text_styles[run.style].colour != colour for run in runs):
            used = [text_styles[run.style] for run in runs if _shows_style(run.text)]
            bold = bold and all(other.bold for other in used)
            italic = italic and all(other.italic for other in used)
            if any(other.colour != colour for other in used):
                colour = None
    text = line.text
    number = parse_number(text)
    bullet = starts_with_bullet(text)
    return Row(line, text, page, style, words_style, bold, italic, colour, number, bullet, starts_bold)


def _style_of_words(runs: Sequence[Run], text_styles: Sequence[TextStyle]) -> TextStyle | None:
    """The style of the longest run of words among monospaced terms: code amid a sentence may outweigh it."""
    others = [run for run in runs if not text_styles[run.style].mono and _has_word(run)]
    longest = max(others, key=lambda run: len(run.text), default=None)
    return None if longest is None else text_styles[longest.style]


def _shows_style(text: str) -> bool:
    # A lone sign (a bullet, a dash) is often set in another font than its row.
    return len(text.strip()) > 1 or text.isalnum()


def build_rows(
    lines: Sequence[Line], page: int, text_styles: Sequence[TextStyle], styles: Sequence[Style]
) -> list[Row]:
    """The rows of a column's lines, given in reading order."""
    pieces_of_rows: list[list[Line]] = []
    above: Line | None = None
    for line in lines:
        if above is not None and _share_baseline(above, line) and not _is_separate(above, line):
            pieces_of_rows[-1].append(line)
        else:
            pieces_of_rows.append([line])
        above = line
    rows = []
    for pieces in pieces_of_rows:
        line = pieces[0] if len(pieces) == 1 else join_side_by_side(pieces, styles)
        rows.append(make_row(line, page, text_styles))
    return rows


def _share_baseline(a: Line, b: Line) -> bool:
    """Whether a line stands right of another one, on its level."""
    if b.x0 <= a.x0:
        return False
    overlap = min(a.y1, b.y1) - max(a.y0, b.y0)
    lower_height = min(a.y1 - a.y0, b.y1 - b.y0)
    return overlap > MIN_ROW_OVERLAP_SHARE * lower_height


def _is_separate(line: Line, right: Line) -> bool:
    """Whether the text right of a line does not belong to it: "Page", a small note, a huge number."""
    gap = right.x0 - line.x1
    if right.text in PAGE_COLUMN_TITLES:
        return gap > MIN_PAGE_COLUMN_GAP_EM * line.size
    if line.size < MAX_SIDE_NOTE_SIZE_SHARE * right.size:
        return len(right.text) <= MAX_CHAPTER_NUMBER and right.text.isalnum()
    is_small = right.size < MAX_SIDE_NOTE_SIZE_SHARE * line.size
    return is_small and len(right.text) > MAX_INDEX_LENGTH and gap > 0


def starts_with_bullet(text: str) -> bool:
    """Whether a text begins with a bullet; dashes and the like count only before a space."""
    if not text:
        return False
    if text[0] == "−":
        return MINUS_AS_BULLET.match(text) is not None
    if text[0] not in BULLETS:
        return False
    return text[0] not in SPACED_BULLETS or text[1:2] == " "


def is_prominent(row: Row, body_size: float) -> bool:
    """Whether a row is set like a heading: bold throughout, or larger than the body text."""
    return row.bold or row.style.size > MIN_PROMINENT_SIZE_TIMES * body_size


def first_word_width(row: Row) -> float:
    """About how wide the first word of a row is: it must fit on the line above to stand there."""
    text = row.text
    if is_cjk(text[0]):
        return CJK_LINE_END_EM * row.style.size
    match = FIRST_WORD.match(text)
    word = match.group() if match else text[0]
    share = (SPACE_WIDTH_EM + text_width(word)) / text_width(text)
    return share * row.width


# --- styles within an object ---
#
# Style within an object: bold, italic, raised or lowered stretches of its text, and underlines.
#
# The position of a run in the object's text is not recorded, since lines were joined and hyphens resolved:
# it is found by a search from run to run. Most objects have one style and are done at once.

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
    styles = [text_styles[index] for index in used]
    if any(style.bold or style.italic for style in styles):
        return True
    smallest = min(style.size for style in styles)
    largest = max(row.line.size for row in rows)
    return smallest < MIN_BASELINE_PIECE_SIZE_SHARE * largest


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
    for i in reversed(range(len(spans))):
        last = spans[i]
        if last.mark is span.mark:
            if not text[last.end : span.start].strip():
                spans[i] = last._replace(end=span.end)
                return
            break
    spans.append(span)


def _has_word(run: Run) -> bool:
    return run.text[:1].isalnum() or any(map(str.isalnum, run.text))


def _script(run: Run, line: Line) -> Mark | None:
    """Superscript or subscript, where the middle of a small run is above or below the line's."""
    rise = (line.y0 + line.y1 - run.y0 - run.y1) / 2
    em = line.size
    if rise > MIN_SUPERSCRIPT_RISE_EM * em:
        return Mark.SUPERSCRIPT
    if -rise > MIN_SUBSCRIPT_DROP_EM * em:
        return Mark.SUBSCRIPT
    return None


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
            item = replace(item, style=item.style._replace(underlined=True))
        yield item


def thin_strokes(page: PageContent) -> Strokes:
    """The strokes of a page that may underline words."""
    thin = [rule for rule in page.rules if rule.y1 - rule.y0 <= MAX_UNDERLINE_THICKNESS_PT]
    thin.sort(key=lambda rule: rule.y0 + rule.y1)
    middles = [(rule.y0 + rule.y1) / 2 for rule in thin]
    return Strokes(thin, middles)


def _may_be_underlined(item: PhysicalObject) -> bool:
    if item.kind not in UNDERLINED_KINDS or item.lines > MAX_UNDERLINED_LINES:
        return False
    return len(item.parts) == 1 and item.box.height > MIN_UNDERLINED_HEIGHT_PT


def _is_underlined(item: PhysicalObject, strokes: Strokes) -> bool:
    """Whether strokes run under every line; lines are taken to be equally high, all but the last full."""
    box = item.box
    line_height = box.height / item.lines
    first = box.y0 + MIN_UNDERLINE_DEPTH_SHARE * line_height
    covered = [0.0] * item.lines
    # A table has hundreds of strokes: only those at the text's height are compared.
    start = bisect_right(strokes.middles, first)
    stop = bisect_left(strokes.middles, box.y1 + MAX_UNDERLINE_OVERHANG_PT)
    leftmost = box.x0 - MAX_UNDERLINE_OVERHANG_PT
    rightmost = box.x1 + MAX_UNDERLINE_OVERHANG_PT
    for i in range(start, stop):
        stroke = strokes.boxes[i]
        if leftmost < stroke.x0 and stroke.x1 < rightmost:
            depth = strokes.middles[i] - first
            line = min(int(depth / line_height), item.lines - 1)
            covered[line] += stroke.width
    *full, last = covered
    enough = MIN_UNDERLINED_WIDTH_SHARE * box.width
    if not full:
        return last > enough
    return last > 0 and all(width > enough for width in full)
