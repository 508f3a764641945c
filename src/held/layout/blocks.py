"""Blocks: the content of a column, piece by piece, before it becomes physical objects; and their kinds.

A text block has rows; a table, figure, listing or contents entry has a finished text. A block knows its
column, since indents, centring and gaps are relative to it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import NamedTuple

from held.document import (
    Box,
    Kind,
    PageRegion,
    PhysicalObject,
    Run,
    Span,
    Style,
    TableStructure,
    bounding_box,
)
from held.layout.characters import count_cjk, is_hangul, is_unspaced
from held.layout.lines import Line
from held.layout.paragraph_cues import SENTENCE_ENDS
from held.layout.printed_contents import ContentsEntry
from held.layout.rows import Row, TextStyle, find_spans, is_prominent
from held.layout.tables.cells import Table
from held.layout.tolerances import (
    MAX_CAPTION_ROWS,
    MAX_CENTRED_MARGIN_DIFFERENCE_PT,
    MAX_CENTRED_MARGIN_DIFFERENCE_SHARE,
    MAX_CENTRED_ROWS,
    MAX_CENTRED_WIDTH_SHARE,
    MAX_FORMULA_GAP_EM,
    MAX_GAP_AFTER_FORMULA_NUMBER_EM,
    MAX_LIST_EDGE_SHIFT_PT,
    MAX_LIST_ITEM_GAP_EM,
    MAX_TITLE_ROWS,
    MAX_TURNED_LABEL_GAP_PT,
    MIN_MATH_FONT_SHARE,
)
from held.numbering import Use, follows
from held.numbering.titles import caption_end
from held.system import lazy_pattern

HARD_HYPHENS = "-\u2010"
SOFT_HYPHENS = "\u00ad\ufffe\x02"  # never printed inside a line
HYPHENS = HARD_HYPHENS + SOFT_HYPHENS
KINDS_WITH_SPANS = frozenset({Kind.PARAGRAPH, Kind.LIST_ITEM, Kind.CAPTION, Kind.FOOTNOTE, Kind.SUBTITLE})
COMPOUND = re.compile(r"\b\w+-\w+")  # `\b`: a word is tried once, not from each of its letters
INNER_KOREAN_WORD = lazy_pattern(r"(?<=\s)[가-힣]+(?=\s)")
KOREAN_END = lazy_pattern(r"[가-힣]+\Z")
KOREAN_START = lazy_pattern(r"[가-힣]+")
# Hyphens before these stand for the rest of a word: "Vor- und Nachteile", "on- and off-balance".
AFTER_SUSPENDED_HYPHEN = lazy_pattern(r"(?:und|oder|bzw\.|sowie|och|eller|og|and)\s")


class Typography(NamedTuple):
    """The styles of a document, by index, and the font size and the font of its running text."""

    styles: Sequence[Style]
    text_styles: Sequence[TextStyle]
    body_size: float
    body_font: str


@dataclass(slots=True, eq=False)
class Block:
    """A piece of a column that becomes one physical object.

    parts        all regions of a block that continues after a break
    end_column   the column in which it ends, if not `column`
    label_rows   how many of the first rows are a label ("Chapter 3") above the title
    subtitle_rows  how many of the last rows are a subtitle below the title
    style        the style of a block without rows, if it has one
    """

    kind: Kind
    page: int
    box: Box
    column: int
    column_x0: float
    column_x1: float
    rows: list[Row] = field(default_factory=list)
    text: str = ""
    cells: tuple[tuple[str, ...], ...] = ()
    gap_above: float | None = None
    gap_below: float | None = None
    parts: list[PageRegion] = field(default_factory=list)
    end_column: int | None = None
    table: Table | None = None
    label_rows: int = 0
    subtitle_rows: int = 0
    style: int | None = None

    @property
    def last_column(self) -> int:
        return self.column if self.end_column is None else self.end_column

    @property
    def column_width(self) -> float:
        return self.column_x1 - self.column_x0


def text_block(rows: list[Row], column: int, x0: float, x1: float) -> Block:
    """The block of a paragraph's rows, which stand in one column from `x0` to `x1`."""
    return Block(Kind.PARAGRAPH, rows[0].page, _bounds(rows), column, x0, x1, rows)


def ready_block(kind: Kind, page: int, box: Box, *, text: str) -> Block:
    """A block with a finished text; its column is set once the reading order is known."""
    return Block(kind, page, box, 0, box.x0, box.x1, text=text)


def with_rows(block: Block, rows: list[Row]) -> Block:
    """A copy of the block with other rows."""
    return replace(block, rows=rows, box=_bounds(rows), page=rows[0].page)


def _bounds(rows: Sequence[Row]) -> Box:
    return bounding_box([row.line for row in rows])


def find_compounds(texts: Iterable[str]) -> frozenset[str]:
    """The words that a document uses inside its lines and that tell how to join two lines.

    They have a hyphen of their own ("well-known"), or are Korean: a Korean line may end inside a word.
    """
    texts = list(texts)
    compounds: set[str] = set()
    for text in texts:
        if "-" in text:
            compounds.update(map(str.casefold, COMPOUND.findall(text)))
    if any(KOREAN_START.search(text) for text in texts if not text.isascii()):
        for text in texts:
            compounds.update(INNER_KOREAN_WORD.findall(text))
    return frozenset(compounds)


def join_texts(texts: Sequence[str], compounds: frozenset[str]) -> str:
    """The text of consecutive lines: hyphens resolved, no spaces inside Chinese, Japanese or Thai."""
    joined = texts[0]
    for text in texts[1:]:
        joined = _append(joined, text, compounds)
    for hyphen in SOFT_HYPHENS:
        joined = joined.replace(hyphen, "")
    return " ".join(joined.split())


def _append(before: str, after: str, compounds: frozenset[str]) -> str:
    """Two lines of one text as one: without the hyphen at the line's end, with a space where one belongs."""
    if not before or not after:
        return before + after
    last, first = before[-1], after[0]
    second_last = before[-2:-1]  # empty for a single character
    is_hyphenated = last in HYPHENS and second_last.isalpha()
    if is_hyphenated and last in HARD_HYPHENS and AFTER_SUSPENDED_HYPHEN.match(after):
        return f"{before} {after}"
    if is_hyphenated and first.islower():
        without_hyphen = before[:-1]
        if last in HARD_HYPHENS and _is_compound(without_hyphen, after, compounds):
            return f"{without_hyphen}-{after}"
        return without_hyphen + after
    if last in "-–—/" and second_last not in (" ", "") and not first.isspace():
        return before + after
    if is_hangul(last) and is_hangul(first):
        glue = "" if _is_korean_word(before, after, compounds) else " "
        return before + glue + after
    if is_unspaced(last) or is_unspaced(first):
        return before + after
    return f"{before} {after}"


def _is_compound(before: str, after: str, compounds: frozenset[str]) -> bool:
    """Whether "well" and "known" are a word that stands as "well-known" inside a line elsewhere."""
    head = re.split(r"[\s(]", before)[-1]
    tail = re.split(r"[^\w]", after, maxsplit=1)[0]
    return f"{head}-{tail}".casefold() in compounds


def _is_korean_word(before: str, after: str, words: frozenset[str]) -> bool:
    """Whether a Korean word that a document uses elsewhere is divided between two lines."""
    head = KOREAN_END.search(before)
    tail = KOREAN_START.match(after)
    if head is None or tail is None:
        return False
    return head.group() + tail.group() in words


def table_text(cells: Sequence[Sequence[str]]) -> str:
    """A table's text: one line per row, tabs between the cells."""
    return "\n".join("\t".join(row) for row in cells)


def make_object(block: Block, typography: Typography, compounds: frozenset[str]) -> PhysicalObject:
    """The physical object of a block."""
    rows = block.rows
    text = block.text
    if rows and not text:
        text = _text_of_rows(block, compounds)
    used = {run.style for row in rows for run in row.line.runs}
    style = _style(block, used, typography.styles)
    relative_size = 1.0
    if style.size and typography.body_size:
        relative_size = round(style.size / typography.body_size, 3)
    spans: tuple[Span, ...] = ()
    if block.kind in KINDS_WITH_SPANS:
        spans = find_spans(rows, text, used, typography.text_styles)
    left = rows[0].line.x0 if rows else block.box.x0
    return PhysicalObject(
        kind=block.kind,
        text=text,
        parts=tuple(block.parts) or (PageRegion(block.page, block.box),),
        style=style,
        centred=_is_centred(block),
        indent=round(left - block.column_x0, 1),
        caps=text.isupper(),
        lines=max(1, len(rows)),
        gap_above=block.gap_above,
        gap_below=block.gap_below,
        column=block.column,
        relative_size=relative_size,
        rows=block.cells,
        spans=spans,
        table=None if block.table is None else TableStructure(block.table.cells),
    )


def _text_of_rows(block: Block, compounds: frozenset[str]) -> str:
    texts = [row.text for row in block.rows]
    label = texts[: block.label_rows]
    title = join_texts(texts[block.label_rows :], compounds)
    return " ".join([*label, title])


def _style(block: Block, used: Set[int], styles: Sequence[Style]) -> Style:
    """The style of a block whose rows have text in the `used` styles."""
    if len(used) == 1:
        (only,) = used
        return styles[only]
    if block.rows:
        # A label as long as its title must not decide: "Part III" would change the style that "Part I" keeps.
        # So with a subtitle, which may be longer than its title.
        title = block.rows[block.label_rows : len(block.rows) - block.subtitle_rows]
        return _dominant_style(title or block.rows, styles)
    return Style() if block.style is None else styles[block.style]


def _dominant_style(rows: Sequence[Row], styles: Sequence[Style]) -> Style:
    """The style of most characters; in a title that of most Chinese characters, then of most letters.

    Numbers and Latin words in a Chinese title have another font and may be longer than the rest of it.
    Counting them would make the style of a title depend on its words.
    """
    texts: dict[int, str] = {}
    for row in rows:
        for run in row.line.runs:
            texts[run.style] = texts.get(run.style, "") + run.text
    weight = _title_weight if len(rows) <= MAX_TITLE_ROWS else len
    dominant = max(texts, key=lambda style: weight(texts[style]))
    return styles[dominant]


def _title_weight(text: str) -> tuple[int, int, int]:
    """How many Chinese characters, letters and characters a text has."""
    letters = sum(map(str.isalpha, text))
    return count_cjk(text), letters, len(text)


def _is_centred(block: Block) -> bool:
    """Whether every row keeps the same distance from both edges of the column, and a clear one."""
    if not block.rows or len(block.rows) > MAX_CENTRED_ROWS:
        return False
    for row in block.rows:
        left = row.line.x0 - block.column_x0
        right = block.column_x1 - row.line.x1
        relative = MAX_CENTRED_MARGIN_DIFFERENCE_SHARE * (left + right)
        if abs(left - right) > max(MAX_CENTRED_MARGIN_DIFFERENCE_PT, relative):
            return False
    narrowest = min(row.width for row in block.rows)
    return narrowest < MAX_CENTRED_WIDTH_SHARE * block.column_width


# --- kinds of blocks ---
#
# A displayed formula comes in pieces: limits above and below a sum, numerators, lines of a derivation, and a
# number at the column's edge. Pieces that stand close together are one formula, up to the number that ends
# it.


FORMULA_ROWS = 4  # first rows of a block, by which a formula is recognised
SHORT_FORMULA = 40  # characters: with an equals sign any symbol is enough
SHORT_WORD = 3  # letters: sin, log and max are no words
FORMULA_NUMBER = re.compile(r"\s*[(（]((?:[A-Z]{1,2}[.-]?)?\d{1,3}(?:[.-]\d{1,3})*[a-z]?['′]?)[)）]$")
TEXT_KINDS = frozenset({Kind.PARAGRAPH, Kind.LIST_ITEM})


def set_kinds(blocks: Sequence[Block], typography: Typography) -> None:
    """Sets the kind of each paragraph block of a page that is a list item, a caption or a formula."""
    for block in blocks:
        if block.kind is Kind.PARAGRAPH:
            block.kind = _kind(block, typography)
    _extend_lists(blocks)


def _kind(block: Block, typography: Typography) -> Kind:
    first = block.rows[0]
    if first.bullet and len(first.text) > 1:
        return Kind.LIST_ITEM
    if caption_end(first.text) and len(block.rows) <= MAX_CAPTION_ROWS:
        return Kind.CAPTION
    if _is_formula(block, typography.text_styles):
        return Kind.FORMULA
    if first.number is None or first.number.pattern.use is not Use.LIST:
        return Kind.PARAGRAPH
    # A numbered sentence belongs to a list; a numbered line without an end may be a title.
    is_sentence = len(block.rows) > 1 or first.text[-1] in SENTENCE_ENDS
    if is_sentence and not is_prominent(first, typography.body_size):
        return Kind.LIST_ITEM
    return Kind.PARAGRAPH


def _extend_lists(blocks: Sequence[Block]) -> None:
    """Makes a short numbered line a list item where the next one or the one before is an item."""
    pairs = list(pairwise(blocks))
    for above, below in reversed(pairs):
        if below.kind is Kind.LIST_ITEM and _are_consecutive_items(above, below):
            above.kind = Kind.LIST_ITEM
    for above, below in pairs:
        if above.kind is Kind.LIST_ITEM and _are_consecutive_items(above, below):
            below.kind = Kind.LIST_ITEM


def _are_consecutive_items(above: Block, below: Block) -> bool:
    """Whether two blocks have consecutive numbers and one style, with little white between them."""
    if above.kind not in TEXT_KINDS or below.kind not in TEXT_KINDS:
        return False
    first, second = above.rows[0], below.rows[0]
    if first.number is None or second.number is None:
        return False
    if first.style != second.style or first.bold != second.bold:
        return False
    if abs(first.line.x0 - second.line.x0) > MAX_LIST_EDGE_SHIFT_PT:
        return False
    gap = below.box.y0 - above.box.y1
    if gap >= MAX_LIST_ITEM_GAP_EM * second.style.size:
        return False
    return follows(first.number, second.number)


def _is_formula(block: Block, text_styles: Sequence[TextStyle]) -> bool:
    """Whether a block is displayed mathematics: symbols in fonts for them, hardly a word."""
    characters = mathematical = 0
    for row in block.rows[:FORMULA_ROWS]:
        for run in row.line.runs:
            characters += len(run.text)
            if text_styles[run.style].mathematical:
                mathematical += len(run.text)
    first = block.rows[0].text
    if mathematical > MIN_MATH_FONT_SHARE * characters:
        return not any(len(word) > SHORT_WORD and word.isalpha() for word in first.split())
    return characters < SHORT_FORMULA and "=" in first and mathematical > 0


def join_formulas(blocks: Sequence[Block], body_size: float) -> list[Block]:
    """The blocks of a page, the pieces of each displayed formula joined."""
    joined: list[Block] = []
    has_number = False  # whether the last block is a formula whose number has come
    for block in blocks:
        max_gap_em = MAX_GAP_AFTER_FORMULA_NUMBER_EM if has_number else MAX_FORMULA_GAP_EM
        if joined and _continues_formula(joined[-1], block, max_gap_em * body_size):
            formula = joined[-1]
            joined[-1] = with_rows(formula, formula.rows + block.rows)
        else:
            joined.append(block)
        is_formula = joined[-1].kind is Kind.FORMULA
        has_number = is_formula and FORMULA_NUMBER.search(block.rows[-1].text) is not None
    for block in joined:
        if block.kind is Kind.FORMULA and len(block.rows) > 1:
            block.text = _formula_text([row.text for row in block.rows])
    return joined


def _continues_formula(formula: Block, block: Block, max_gap: float) -> bool:
    """Whether a piece of a formula, or its number, follows in the same column with hardly any white."""
    if formula.kind is not Kind.FORMULA:
        return False
    if block.column != formula.column:
        return False
    if block.kind is not Kind.FORMULA:
        is_number = len(block.rows) == 1 and FORMULA_NUMBER.fullmatch(block.rows[0].text)
        if not is_number:
            return False
    gap_below = block.box.y0 - formula.box.y1
    gap_above = formula.box.y0 - block.box.y1
    return max(gap_below, gap_above) < max_gap


def _formula_text(rows: Sequence[str]) -> str:
    """The rows of a formula on one line, its number last."""
    numbers = []
    pieces = []
    for text in rows:
        number = FORMULA_NUMBER.search(text)
        if number is not None:
            numbers.append(number.group().strip())
            text = text[: number.start()]
        pieces.append(text)
    return " ".join(filter(None, [*pieces, *numbers]))


# --- blocks of contents entries and rotated text ---


def contents_block(entry: ContentsEntry, page: int, lines: Sequence[Line]) -> Block:
    """An entry of printed contents as a block, in the style of its longest line."""
    own = [lines[i] for i in entry.lines]
    block = ready_block(Kind.CONTENTS_ENTRY, page, bounding_box(own), text=entry.title)
    block.cells = ((entry.title, entry.page_label),)
    block.style = max(own, key=lambda line: len(line.text)).style
    return block


def add_rotated_text(blocks: list[Block], runs: Sequence[Run], page: int) -> None:
    """Adds rotated runs to the figures or tables at which they stand, and the rest as a figure."""
    left = []
    for run in runs:
        owner = next((block for block in blocks if _is_at(run, block)), None)
        if owner is None:
            left.append(run)
        elif owner.kind is Kind.FIGURE:
            owner.text = f"{owner.text} {run.text}".strip()
    if left:
        text = " ".join(run.text.strip() for run in left)
        blocks.append(ready_block(Kind.FIGURE, page, bounding_box(left), text=text))


def _is_at(run: Run, block: Block) -> bool:
    """Whether the middle of a run lies in a figure or table, or close to it."""
    if block.kind not in (Kind.FIGURE, Kind.TABLE):
        return False
    left, top, right, bottom = block.box
    x = (run.x0 + run.x1) / 2
    y = (run.y0 + run.y1) / 2
    gap = MAX_TURNED_LABEL_GAP_PT
    return left - gap <= x <= right + gap and top - gap <= y <= bottom + gap
