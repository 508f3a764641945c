"""Decides which text blocks are list items, captions or displayed formulas; joins the pieces of a formula.

A displayed formula comes in pieces: limits above and below a sum, numerators, lines of a derivation, and a
number at the column's edge. Pieces that stand close together are one formula, up to the number that ends it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from held.document import Kind
from held.layout.blocks import Block, Typography, with_rows
from held.layout.paragraph_cues import SENTENCE_ENDS
from held.layout.rows import TextStyle, is_prominent
from held.layout.tolerances import (
    MAX_CAPTION_ROWS,
    MAX_FORMULA_GAP_EM,
    MAX_GAP_AFTER_FORMULA_NUMBER_EM,
    MAX_LIST_EDGE_SHIFT_PT,
    MAX_LIST_ITEM_GAP_EM,
    MIN_MATH_FONT_SHARE,
)
from held.numbering import Use, follows
from held.numbering.titles import caption_end

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
    if first.number is None or second.number is None or first.style != second.style:
        return False
    if first.bold != second.bold or abs(first.line.x0 - second.line.x0) > MAX_LIST_EDGE_SHIFT_PT:
        return False
    gap = below.box.y0 - above.box.y1
    return gap < MAX_LIST_ITEM_GAP_EM * second.style.size and follows(first.number, second.number)


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
        max_gap = MAX_GAP_AFTER_FORMULA_NUMBER_EM if has_number else MAX_FORMULA_GAP_EM
        if joined and _continues_formula(joined[-1], block, max_gap * body_size):
            joined[-1] = with_rows(joined[-1], joined[-1].rows + block.rows)
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
    if formula.kind is not Kind.FORMULA or block.page != formula.page or block.column != formula.column:
        return False
    is_number = len(block.rows) == 1 and FORMULA_NUMBER.fullmatch(block.rows[0].text) is not None
    if block.kind is not Kind.FORMULA and not is_number:
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
