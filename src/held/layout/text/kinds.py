"""What a text block is, other than a paragraph: list item, caption, footnote, formula."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from held.document import Kind
from held.layout.labels import CAPTION
from held.layout.rows import Row, TextStyle, is_prominent
from held.layout.text.blocks import Block, with_rows
from held.layout.text.words import FINAL
from held.layout.tolerances import (
    MAX_CAPTION_ROWS,
    MAX_FOOTNOTE_LINE_GAP_EM,
    MAX_FOOTNOTE_SIZE_TIMES,
    MAX_LIST_EDGE_SHIFT_PT,
    MAX_LIST_ITEM_GAP_EM,
    MAX_MARGIN_COLUMN_SHARE,
    MIN_BASELINE_PIECE_SIZE_SHARE,
    MIN_FOOTNOTE_TOP_SHARE,
    MIN_MATH_FONT_SHARE,
)
from held.numbering import Use, follows

FOOTNOTE_MARK = re.compile(
    r"(?:\d{1,3}[\s.)、]*(?=[^\W\d]|[“\"‘'(《「])|[*†‡§¶]{1,3}|[①-⑳]|[a-z]\)|\(\d{1,2}\)|\[\d{1,3}\]|注\s*\d*\s*[：:])"
)
NOTE_NUMBER = re.compile(r"(\d{1,3})([.)、]?)\s*(?=[^\W\d]|[“\"‘'(《「])")

# Displayed mathematics: symbols in fonts for them, hardly a word.
FORMULA_ROWS = 4  # rows that are looked at
SHORT_FORMULA = 40  # characters: with an equals sign any symbol is enough
SHORT_WORD = 3  # letters: sin, log and max are no words


def name_kinds(
    blocks: Sequence[Block], looks: Sequence[TextStyle], body_size: float, page_height: float
) -> None:
    """Sets the kind of each paragraph block of one page that is something more special."""
    for block in blocks:
        if block.kind is Kind.PARAGRAPH:
            block.kind = _kind(block, looks, body_size)
    _name_items_beside_items(blocks)
    _name_footnotes(blocks, looks, body_size, page_height)


def _kind(block: Block, looks: Sequence[TextStyle], body_size: float) -> Kind:
    first = block.rows[0]
    if first.bullet and len(first.text) > 1:
        return Kind.LIST_ITEM
    if CAPTION.match(first.text) and len(block.rows) <= MAX_CAPTION_ROWS:
        return Kind.CAPTION
    if _is_formula(block, looks):
        return Kind.FORMULA
    if first.number is not None and first.number.pattern.use is Use.LIST and _reads_on(block, body_size):
        return Kind.LIST_ITEM
    return Kind.PARAGRAPH


def _name_items_beside_items(blocks: Sequence[Block]) -> None:
    """Calls a short numbered line an item of a list, too, where the next one or the one before is an item."""
    pairs = list(pairwise(blocks))
    for above, below in reversed(pairs):
        if below.kind is Kind.LIST_ITEM and _counts_on(above, below):
            above.kind = Kind.LIST_ITEM
    for above, below in pairs:
        if above.kind is Kind.LIST_ITEM and _counts_on(above, below):
            below.kind = Kind.LIST_ITEM


def _counts_on(above: Block, below: Block) -> bool:
    """Whether two blocks of text are numbered on, set alike, and have next to no white between them."""
    if not {above.kind, below.kind} <= {Kind.PARAGRAPH, Kind.LIST_ITEM}:
        return False
    first, second = above.rows[0], below.rows[0]
    if first.number is None or second.number is None or first.style != second.style:
        return False
    if first.bold != second.bold or abs(first.line.x0 - second.line.x0) > MAX_LIST_EDGE_SHIFT_PT:
        return False
    is_close = below.box.y0 - above.box.y1 < MAX_LIST_ITEM_GAP_EM * second.style.size
    return is_close and follows(first.number, second.number)


def _reads_on(block: Block, body_size: float) -> bool:
    """Whether a numbered block is a sentence of a list rather than a title."""
    if is_prominent(block.rows[0], body_size):
        return False
    return len(block.rows) > 1 or block.rows[-1].text[-1] in FINAL


def _is_formula(block: Block, looks: Sequence[TextStyle]) -> bool:
    """Whether a block is displayed mathematics: more symbols than words."""
    letters = mathematical = 0
    for row in block.rows[:FORMULA_ROWS]:
        for run in row.line.runs:
            letters += len(run.text)
            if looks[run.style].mathematical:
                mathematical += len(run.text)
    first = block.rows[0].text
    if mathematical > MIN_MATH_FONT_SHARE * letters:
        return not any(len(word) > SHORT_WORD and word.isalpha() for word in first.split())
    return letters < SHORT_FORMULA and "=" in first and mathematical > 0


def _name_footnotes(
    blocks: Sequence[Block], looks: Sequence[TextStyle], body_size: float, page_height: float
) -> None:
    """Calls small blocks with a mark at the foot of each column footnotes, from the bottom up."""
    largest = MAX_FOOTNOTE_SIZE_TIMES * min(body_size, _usual_size(blocks))
    ended: set[int] = set()
    widest = max((block.column_x1 - block.column_x0 for block in blocks), default=0.0)
    for block in reversed(blocks):
        if block.column in ended or _is_wordless(block):
            continue
        high = block.box.y0 < MIN_FOOTNOTE_TOP_SHARE * page_height and not _is_margin_note(
            block, looks, widest
        )
        if high or not _may_be_footnote(block, largest):
            ended.add(block.column)
        elif FOOTNOTE_MARK.match(block.rows[0].text):
            block.kind = Kind.FOOTNOTE


def _is_margin_note(block: Block, looks: Sequence[TextStyle], widest: float) -> bool:
    """Whether a block with a raised mark stands in a narrow column, where notes begin beside the text."""
    if (
        not block.rows
        or block.column == 0
        or block.column_x1 - block.column_x0 >= MAX_MARGIN_COLUMN_SHARE * widest
    ):
        return False
    row = block.rows[0]
    mark = looks[row.line.runs[0].style]
    return mark.size < MIN_BASELINE_PIECE_SIZE_SHARE * row.line.size


def join_footnotes(blocks: Sequence[Block]) -> list[Block]:
    """The blocks, each footnote in one piece that a ragged line had ended in the middle of a sentence."""
    joined: list[Block] = []
    for block in blocks:
        if joined and _carries_on(joined[-1], block):
            joined[-1] = with_rows(joined[-1], joined[-1].rows + block.rows)
            joined[-1].gap_below = block.gap_below
        else:
            joined.append(block)
    return joined


def _carries_on(note: Block, block: Block) -> bool:
    if note.kind is not Kind.FOOTNOTE or block.kind is not Kind.PARAGRAPH or note.column != block.column:
        return False
    last, first = note.rows[-1], block.rows[0]
    if (
        first.style != last.style
        or not 0 <= first.line.y0 - last.line.y1 < MAX_FOOTNOTE_LINE_GAP_EM * first.style.size
    ):
        return False
    return last.text[-1] not in FINAL and first.text[0].islower()


def _is_wordless(block: Block) -> bool:
    """Whether a block has no letter: the signs of a publisher below the notes end no column."""
    return len(block.rows) == 1 and not any(map(str.isalpha, block.rows[0].text))


def split_footnotes(blocks: Sequence[Block]) -> list[Block]:
    """The blocks, each footnote that goes on with the next number parted into its notes."""
    parted: list[Block] = []
    for block in blocks:
        if block.kind is not Kind.FOOTNOTE:
            parted.append(block)
            continue
        notes: list[list[Row]] = []
        for row in block.rows:
            if not notes or _is_next_note(notes[-1][0].text, row.text):
                notes.append([])
            notes[-1].append(row)
        parted += [with_rows(block, rows) for rows in notes]
    return parted


def _is_next_note(first: str, text: str) -> bool:
    """Whether a row begins the footnote after the one that begins so."""
    number, following = NOTE_NUMBER.match(first), NOTE_NUMBER.match(text)
    if number is None or following is None:
        return False
    return int(following[1]) == int(number[1]) + 1 and number[2] == following[2]


def _may_be_footnote(block: Block, largest: float) -> bool:
    if block.kind not in (Kind.PARAGRAPH, Kind.LIST_ITEM):
        return False
    return block.rows[0].style.size < largest and not block.rows[0].bold


def _usual_size(blocks: Sequence[Block]) -> float:
    """The size of most of a page's text: the notes to the accounts may all be smaller than the body."""
    weight: dict[float, int] = {}
    for block in blocks:
        for row in block.rows:
            weight[row.style.size] = weight.get(row.style.size, 0) + len(row.text)
    return max(weight, key=weight.__getitem__) if weight else 0.0
