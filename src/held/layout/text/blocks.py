"""Blocks: what stands in a column, one after another, before it becomes a physical object.

A text block holds rows; a table, figure or contents entry comes ready-made. Blocks know the column they
stand in, because format (centred, indent, gaps) is relative to it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from held.document import Box, Kind, PageRegion, PhysicalObject, Style, TableStructure, bounding_box
from held.layout.characters import is_cjk
from held.layout.rows import Row, TextStyle
from held.layout.tables.cells import Table
from held.layout.text.spans import spans_of
from held.layout.tolerances import (
    MAX_CENTRED_MARGIN_DIFFERENCE_PT,
    MAX_CENTRED_MARGIN_DIFFERENCE_SHARE,
    MAX_CENTRED_ROWS,
    MAX_CENTRED_WIDTH_SHARE,
    MAX_TITLE_ROWS,
)

HYPHENS = "-\u00ad\u2010\ufffe\x02"
SOFT_HYPHENS = "\u00ad\ufffe\x02"  # never printed inside a line
WITH_SPANS = frozenset({Kind.PARAGRAPH, Kind.LIST_ITEM, Kind.CAPTION, Kind.FOOTNOTE})
COMPOUND = re.compile(r"\w+-\w+")


@dataclass(slots=True, eq=False)
class Block:
    """A piece of a column on its way to becoming an object."""

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
    parts: list[PageRegion] = field(default_factory=list)  # all pieces of a block that goes over a break
    end_column: int | None = None  # where it ends, if not in `column`
    table: Table | None = None
    label_rows: int = 0  # how many of the rows are a label ("Chapter 3") above the title
    style: int | None = None  # of a block without rows, where one is known

    @property
    def last_column(self) -> int:
        return self.column if self.end_column is None else self.end_column


def text_block(rows: list[Row], column: int, x0: float, x1: float) -> Block:
    """The block of a paragraph's rows, which stand in one column."""
    return Block(Kind.PARAGRAPH, rows[0].page, bounds(rows), column, x0, x1, rows)


def with_rows(block: Block, rows: list[Row]) -> Block:
    """The block with other rows: a piece of it, or it and its neighbour."""
    return replace(block, rows=rows, box=bounds(rows), page=rows[0].page)


def bounds(rows: Sequence[Row]) -> Box:
    """The box around rows that stand on one page."""
    return bounding_box([row.line for row in rows])


def compounds_of(texts: Iterable[str]) -> frozenset[str]:
    """The words with a hyphen of their own that a document uses inside its lines."""
    return frozenset(word.casefold() for text in texts if "-" in text for word in COMPOUND.findall(text))


def join_texts(texts: Sequence[str], compounds: frozenset[str]) -> str:
    """The text of consecutive lines: hyphens resolved, no spaces inside Chinese."""
    joined = texts[0]
    for text in texts[1:]:
        joined = _append(joined, text, compounds)
    return _clean(joined)


def _append(before: str, after: str, compounds: frozenset[str]) -> str:
    if not before or not after:
        return before + after
    divided = before[-1] in HYPHENS and len(before) > 1 and before[-2].isalpha()
    if divided and after[0].islower():
        head = re.split(r"[\s(]", before[:-1])[-1]
        tail = re.split(r"[^\w]", after, maxsplit=1)[0]
        keeps = before[-1] in "-\u2010" and f"{head}-{tail}".casefold() in compounds
        return before[:-1] + ("-" if keeps else "") + after
    if before[-1] in "-–—/" and before[-2:-1] not in (" ", "") and not after[0].isspace():
        return before + after
    if is_cjk(before[-1]) or is_cjk(after[0]):
        return before + after
    return f"{before} {after}"


def _clean(text: str) -> str:
    for hyphen in SOFT_HYPHENS:
        text = text.replace(hyphen, "")
    return " ".join(text.split())


def to_object(
    block: Block,
    styles: Sequence[Style],
    looks: Sequence[TextStyle],
    body_size: float,
    compounds: frozenset[str],
) -> PhysicalObject:
    """The physical object of a block."""
    rows = block.rows
    text = block.text or (_text_of_rows(block, compounds) if rows else "")
    # "Part III" above a title of the same length would give the heading another look than "Part I" gives it.
    style = dominant_style(rows[block.label_rows :] or rows, styles) if rows else _own_style(block, styles)
    return PhysicalObject(
        kind=block.kind,
        text=text,
        parts=tuple(block.parts) or (PageRegion(block.page, block.box),),
        style=style,
        centred=_is_centred(block),
        indent=round((rows[0].line.x0 if rows else block.box.x0) - block.column_x0, 1),
        caps=text.isupper(),
        lines=max(1, len(rows)),
        gap_above=block.gap_above,
        gap_below=block.gap_below,
        column=block.column,
        relative_size=round(style.size / body_size, 3) if style.size and body_size else 1.0,
        rows=block.cells,
        spans=spans_of(rows, text, looks) if block.kind in WITH_SPANS else (),
        table=_structure(block),
    )


def _own_style(block: Block, styles: Sequence[Style]) -> Style:
    """The style of a block without rows."""
    return Style() if block.style is None else styles[block.style]


def _structure(block: Block) -> TableStructure | None:
    """What is known of a table's cells."""
    if block.table is None:
        return None
    return TableStructure(block.table.cells, doubtful=block.table.doubtful)


def _text_of_rows(block: Block, compounds: frozenset[str]) -> str:
    texts = [row.text for row in block.rows]
    label, title = texts[: block.label_rows], texts[block.label_rows :]
    return " ".join([*label, join_texts(title, compounds)])


def table_text(cells: Sequence[Sequence[str]]) -> str:
    """A table's text: its cells between tabs, a line a row."""
    return "\n".join("\t".join(row) for row in cells)


def dominant_style(rows: Sequence[Row], styles: Sequence[Style]) -> Style:
    """The style of most of the rows' characters, in a title of its letters, Chinese ones first.

    Numbers and Latin words of a Chinese title are of another font, and may be longer than the rest of it:
    titles would be set alike or not by what they say.
    """
    runs = [run for row in rows for run in row.line.runs]
    if all(run.style == runs[0].style for run in runs):
        return styles[runs[0].style]
    weights: dict[int, tuple[int, int, int]] = {}
    for run in runs:
        chinese, letters, characters = weights.get(run.style, (0, 0, 0))
        if len(rows) <= MAX_TITLE_ROWS:
            chinese += sum(map(is_cjk, run.text))
            letters += sum(map(str.isalpha, run.text))
        weights[run.style] = (chinese, letters, characters + len(run.text))
    return styles[max(weights, key=weights.__getitem__)]


def _is_centred(block: Block) -> bool:
    """Whether every row keeps the same distance from both edges of the column, and a clear one."""
    if not block.rows or len(block.rows) > MAX_CENTRED_ROWS:
        return False
    for row in block.rows:
        left = row.line.x0 - block.column_x0
        right = block.column_x1 - row.line.x1
        if abs(left - right) > max(
            MAX_CENTRED_MARGIN_DIFFERENCE_PT, MAX_CENTRED_MARGIN_DIFFERENCE_SHARE * (left + right)
        ):
            return False
    narrowest = min(row.width for row in block.rows)
    return narrowest < MAX_CENTRED_WIDTH_SHARE * (block.column_x1 - block.column_x0)
