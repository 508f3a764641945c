"""Lines of a column to rows: what paragraph building needs to know of a line, computed once.

Pieces of one baseline that stand apart in a column (a tab, a stretched space) make one row.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from held.document import Style
from held.layout.characters import MONOSPACED_FONT, SPACE_WIDTH_EM, is_cjk, text_width
from held.layout.lines import Line, join_side_by_side
from held.layout.tolerances import (
    CJK_LINE_END_EM,
    MAX_SIDE_NOTE_SIZE_SHARE,
    MIN_PAGE_COLUMN_GAP_EM,
    MIN_PROMINENT_SIZE_TIMES,
    MIN_ROW_OVERLAP_SHARE,
)
from held.numbering import ItemNumber, parse_number

MATH_FONT = re.compile(
    r"cmmi|cmsy|cmex|msam|msbm|math|symbol|eufm|rsfs|stmary|mtsy|mtmi|txsy|txmi|pxsy", re.I
)

BULLETS = frozenset("☐☒☑❑❒•●○■□▪▫◆◇♦◊◦►▶➢➤✓✔❖⚫∙·‣⁃§\uf0b7\uf0a7\uf0d8\uf06c\uf06e\uf075\uf0fc*–—-")
FIRST_WORD = re.compile(r"[^\s\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]+")
SPACED_BULLETS = frozenset("-–—*·§□")  # bullets only if a space follows
PAGE_COLUMN_TITLES = frozenset({"Page", "PAGE", "Page No.", "页码", "页次"})  # over the numbers of a list
MAX_CHAPTER_NUMBER = 2  # characters of a chapter's number that is set huge above the end of its title
MAX_INDEX_LENGTH = 12  # characters; a longer text in small print is a note


@dataclass(frozen=True, slots=True)
class TextStyle:
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
    style = text_styles[line.style]
    bold, italic = style.bold, style.italic
    colour: str | None = style.colour
    starts_bold = False
    if len(line.runs) > 1:
        starts_bold = text_styles[line.runs[0].style].bold and not bold
        # Most rows are neither bold nor italic and have one colour: their runs need no closer look.
        if bold or italic or any(text_styles[run.style].colour != style.colour for run in line.runs):
            used = [text_styles[run.style] for run in line.runs if _shows_style(run.text)]
            bold = bold and all(other.bold for other in used)
            italic = italic and all(other.italic for other in used)
            if any(other.colour != style.colour for other in used):
                colour = None
    number, bullet = parse_number(line.text), starts_with_bullet(line.text)
    return Row(line, line.text, page, style, bold, italic, colour, number, bullet, starts_bold)


def _shows_style(text: str) -> bool:
    # A lone sign (a bullet, a dash) is often set in another font than its row.
    return len(text.strip()) > 1 or text.isalnum()


def build_rows(
    lines: Sequence[Line], page: int, text_styles: Sequence[TextStyle], styles: Sequence[Style]
) -> list[Row]:
    """The rows of a column's lines, given in reading order."""
    rows: list[Row] = []
    pieces: list[Line] = []
    for line in lines:
        if pieces and (not _share_baseline(pieces[-1], line) or _is_separate(pieces[-1], line)):
            rows.append(make_row(_join(pieces, styles), page, text_styles))
            pieces = []
        pieces.append(line)
    if pieces:
        rows.append(make_row(_join(pieces, styles), page, text_styles))
    return rows


def _join(pieces: list[Line], styles: Sequence[Style]) -> Line:
    return pieces[0] if len(pieces) == 1 else join_side_by_side(pieces, styles)


def _share_baseline(a: Line, b: Line) -> bool:
    overlap = min(a.y1, b.y1) - max(a.y0, b.y0)
    lower = min(a.y1 - a.y0, b.y1 - b.y0)
    return b.x0 > a.x0 and overlap > MIN_ROW_OVERLAP_SHARE * lower


def _is_separate(line: Line, right: Line) -> bool:
    """Whether the text right of a line does not belong to it: "Page", a small note, a huge number."""
    gap = right.x0 - line.x1
    if right.text in PAGE_COLUMN_TITLES:
        return gap > MIN_PAGE_COLUMN_GAP_EM * line.size
    if line.size < MAX_SIDE_NOTE_SIZE_SHARE * right.size:
        return len(right.text) <= MAX_CHAPTER_NUMBER and right.text.isalnum()
    return (
        right.size < MAX_SIDE_NOTE_SIZE_SHARE * line.size and len(right.text) > MAX_INDEX_LENGTH and gap > 0
    )


def starts_with_bullet(text: str) -> bool:
    """Whether a text begins with a bullet; dashes and the like count only before a space."""
    if not text or text[0] not in BULLETS:
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
    return (SPACE_WIDTH_EM + text_width(word)) / text_width(text) * row.width
