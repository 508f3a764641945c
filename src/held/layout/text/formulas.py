"""Displayed formulas, each one object with its number at the end.

A display comes in pieces: limits above and below a sum, numerators, lines of a derivation, and a number at
the column's edge. Pieces that stand close together are one formula, up to the number that ends it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from held.document import Kind
from held.layout.text.blocks import Block, with_rows
from held.layout.tolerances import MAX_FORMULA_GAP_EM, MAX_GAP_AFTER_FORMULA_NUMBER_EM

NUMBER = re.compile(r"\s*[(（]((?:[A-Z]{1,2}[.-]?)?\d{1,3}(?:[.-]\d{1,3})*[a-z]?['′]?)[)）]$")


def join_formulas(blocks: Sequence[Block], body_size: float) -> list[Block]:
    """The blocks of a page, the pieces of each displayed formula joined."""
    joined: list[Block] = []
    ended = False
    for block in blocks:
        before = joined[-1] if joined else None
        number = _is_number(block)
        if before is None or before.kind is not Kind.FORMULA:
            goes_on = False
        else:
            closest = MAX_GAP_AFTER_FORMULA_NUMBER_EM if ended else MAX_FORMULA_GAP_EM
            goes_on = (block.kind is Kind.FORMULA or number) and _is_close(before, block, closest * body_size)
        if before is not None and goes_on:
            joined[-1] = with_rows(before, before.rows + block.rows)
            joined[-1].kind = Kind.FORMULA
        else:
            joined.append(block)
        ended = joined[-1].kind is Kind.FORMULA and NUMBER.search(block.rows[-1].text) is not None
    for block in joined:
        if block.kind is Kind.FORMULA and len(block.rows) > 1:
            block.text = _text([row.text for row in block.rows])
    return joined


def _is_number(block: Block) -> bool:
    return len(block.rows) == 1 and NUMBER.fullmatch(block.rows[0].text) is not None


def _is_close(above: Block, below: Block, widest: float) -> bool:
    """Whether a piece follows another in the same column with hardly any white between them."""
    if above.page != below.page or above.column != below.column:
        return False
    gap = max(below.box.y0 - above.box.y1, above.box.y0 - below.box.y1)
    return gap < widest


def _text(rows: Sequence[str]) -> str:
    """The rows of a formula on one line, its number last."""
    numbers = []
    pieces = []
    for text in rows:
        number = NUMBER.search(text)
        if number is not None:
            numbers.append(number.group().strip())
            text = text[: number.start()]
        pieces.append(text)
    return " ".join(filter(None, [*pieces, *numbers]))
