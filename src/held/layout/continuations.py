"""Page breaks: joins what continues after one, and finds the titles that are repeated because of one."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from itertools import pairwise

from held.document import Kind, PageRegion, PhysicalObject
from held.layout.blocks import Block, Typography, make_object, table_text
from held.layout.characters import is_cjk
from held.layout.code_listings import join_listings
from held.layout.openers import Look, ends_sentence, find_look, find_opener_lines, plain_text
from held.layout.paragraph_cues import SENTENCE_ENDS, changes_style
from held.layout.rows import Row, first_word_width, is_prominent
from held.layout.tables.cells import is_continuation, join_tables
from held.layout.tolerances import (
    MAX_ALIGNED_EDGE_SHIFT_PT,
    MAX_CJK_CONTINUATION_INDENT_EM,
    MAX_CONTINUED_TITLE_ROWS,
    MAX_FOOTNOTE_SIZE_TIMES,
    MAX_HEAD_SHIFT_PT,
    MAX_OPEN_ROW_SLACK_EM,
    MIN_FIRST_LINE_INDENT_AFTER_BREAK_EM,
)
from held.numbering.titles import is_continued_title

TABLE_LOOK_BACK = 8  # blocks that may stand between the parts of a table
MIN_RUNNING_TEXT_ROWS = 2
LOOK_BACK = 8  # blocks: so many floats and notes may stand at the end of a column
FLOATS = frozenset({Kind.FOOTNOTE, Kind.FIGURE, Kind.CAPTION})  # may stand between two parts
CONTINUED = re.compile(r"continued|cont[’']?d|\(cont\b|续表|[（(]续[)）]|接上", re.IGNORECASE)
TABLE_CAPTION = re.compile(r"(?:table|tab\.|tableau|tabelle|表)\s*[A-Z]?\d", re.IGNORECASE)
REFERS_TO_NOTES = re.compile(r"\baccompanying (?:combined |consolidated |financial )*notes\b", re.IGNORECASE)
CLOSERS = "\"'”’)）》」』]】"

Blocks = Sequence[Block]


def join_continuations(pages: Sequence[Blocks], body_size: float) -> list[Block]:
    """The blocks of all pages, each paragraph, table or listing that continues after a break in one piece."""
    joined: list[Block] = []
    note: Block | None = None  # the last footnote of the page before
    for blocks in pages:
        for block in blocks:
            if note is not None and _continues_footnote(note, block, body_size):
                _append(note, block)
                note = None
                continue
            upper = _find_open_block(joined, block, body_size)
            if upper is not None and _continues(upper, block, body_size):
                _append(upper, block)
            else:
                joined.append(block)
        note = next((block for block in reversed(blocks) if block.kind is Kind.FOOTNOTE), None)
    return joined


def _continues_footnote(note: Block, block: Block, body_size: float) -> bool:
    """Whether a small text of the next page is the rest of a footnote that breaks off in a sentence."""
    if not note.rows or not block.rows or block.kind is not Kind.PARAGRAPH or block.page != note.page + 1:
        return False
    last, first = note.rows[-1], block.rows[0]
    if first.style.size >= MAX_FOOTNOTE_SIZE_TIMES * body_size or first.style.size != last.style.size:
        return False
    if last.text[-1] in SENTENCE_ENDS or changes_style(last, first):
        return False
    return first.text[0].islower() or is_cjk(first.text[0])


def _find_open_block(blocks: Blocks, block: Block, body_size: float) -> Block | None:
    """The block that `block` could continue, if there is one."""
    if block.kind is Kind.TABLE:
        return _find_open_table(blocks, block)
    if block.kind is Kind.CODE:
        return _find_open_listing(blocks, block)
    # A sentence may go on below a table, or above the small print of a first page. A paragraph that begins
    # with a capital may not, as nothing else would tell that the two belong together.
    goes_on = bool(block.rows) and block.rows[0].text[0].islower()
    for earlier in reversed(blocks[-LOOK_BACK:]):
        page, column = _end(earlier)
        if page < block.page - 1:
            return None
        is_above = page == block.page and column == block.column
        if is_above and not goes_on:
            return None
        if earlier.kind in FLOATS and earlier.kind is not block.kind:
            continue
        if goes_on and (earlier.kind is Kind.TABLE or _is_small_print(earlier, body_size)):
            continue
        return None if is_above else earlier
    return None


def _is_small_print(block: Block, body_size: float) -> bool:
    if block.kind is not Kind.PARAGRAPH or not block.rows:
        return False
    return all(row.style.size < MAX_FOOTNOTE_SIZE_TIMES * body_size for row in block.rows)


def _find_open_listing(blocks: Blocks, block: Block) -> Block | None:
    """The listing at the end of the page before, if only footnotes stand between the two.

    A caption between them would name another one.
    """
    for earlier in reversed(blocks[-LOOK_BACK:]):
        if earlier.kind is Kind.CODE:
            page, _ = _end(earlier)
            return earlier if page == block.page - 1 else None
        if earlier.kind is not Kind.FOOTNOTE:
            return None
    return None


def _find_open_table(blocks: Blocks, block: Block) -> Block | None:
    """The last table of the page or column before, if what stands between allows the two to be one.

    Only notes and figures may stand between them, or titles and captions of which one says that the table
    continues, or which stood above its beginning, too.
    """
    titles: list[Block] = []
    start = max(0, len(blocks) - TABLE_LOOK_BACK)
    for index in range(len(blocks) - 1, start - 1, -1):
        earlier = blocks[index]
        if earlier.kind is Kind.TABLE:
            page, column = _end(earlier)
            if page < block.page - 1 or (page == block.page and column == block.column):
                return None
            between = [title for title in titles if _stands_after(title, earlier)]
            return earlier if _announce_continuation(between, blocks[:index]) else None
        text = _plain_text(earlier)
        is_caption = earlier.kind is Kind.CAPTION and TABLE_CAPTION.match(text) is not None
        is_title = earlier.kind not in FLOATS and REFERS_TO_NOTES.search(text) is None
        if is_caption or is_title:
            titles.append(earlier)
    return None


def _stands_after(title: Block, table: Block) -> bool:
    """Whether a title follows the last part of a table; others stand above a part that is joined already."""
    page, column = _end(table)
    if (title.page, title.column) != (page, column):
        return (title.page, title.column) > (page, column)
    last_box = table.parts[-1].box if table.parts else table.box
    return title.box.y0 > last_box.y0


def _announce_continuation(titles: Blocks, before: Blocks) -> bool:
    """Whether titles between two tables only say that the first one continues."""
    if any(len(title.rows) > MAX_CONTINUED_TITLE_ROWS for title in titles):
        return False
    texts = [_plain_text(title) for title in titles]
    if any(CONTINUED.search(text) for text in texts):
        return True
    above = {_plain_text(block) for block in before[-TABLE_LOOK_BACK:]}
    return above.issuperset(texts)


def _plain_text(block: Block) -> str:
    return block.text or " ".join(row.text for row in block.rows)


def _end(block: Block) -> tuple[int, int]:
    """The page and column in which a block ends."""
    page = block.parts[-1].page if block.parts else block.page
    return page, block.last_column


def _continues(upper: Block, lower: Block, body_size: float) -> bool:
    if upper.kind is Kind.TABLE and lower.kind is Kind.TABLE:
        return (
            upper.table is not None and lower.table is not None and is_continuation(upper.table, lower.table)
        )
    if lower.kind is Kind.CODE:
        return upper.kind is Kind.CODE
    if not upper.rows or not lower.rows or lower.kind is not Kind.PARAGRAPH:
        return False
    if upper.kind not in (Kind.PARAGRAPH, Kind.LIST_ITEM):
        return False
    return _continues_sentence(upper, lower, body_size)


def _continues_sentence(upper: Block, lower: Block, body_size: float) -> bool:
    """Whether a text block breaks off in the middle of a sentence which the other one continues."""
    last, first = upper.rows[-1], lower.rows[0]
    if first.number is not None or first.bullet:
        return False
    if changes_style(last, first) or last.italic != first.italic:
        return False
    prominent = is_prominent(last, body_size) or is_prominent(first, body_size)
    if prominent and not _may_be_one_title(upper, lower):
        return False
    text = last.text.rstrip(CLOSERS)
    if not text or text[-1] in SENTENCE_ENDS or _is_formula_number(upper, first):
        return False
    # A web page printed to paper breaks paragraphs where the original page ended, in the middle of a row.
    is_running_text = min(len(upper.rows), len(lower.rows)) >= MIN_RUNNING_TEXT_ROWS
    if is_running_text and not prominent and first.text[0].islower():
        return True
    free = upper.column_x1 - last.line.x1
    if free > first_word_width(first) + MAX_OPEN_ROW_SLACK_EM * last.style.size:
        return False
    indent = first.line.x0 - lower.column_x0
    if is_cjk(first.text[0]) or is_cjk(text[-1]):
        return indent < MAX_CJK_CONTINUATION_INDENT_EM * first.style.size
    min_indent = MIN_FIRST_LINE_INDENT_AFTER_BREAK_EM * first.style.size
    return first.text[0].islower() or indent < min_indent or _hangs_alike(upper, indent, min_indent)


def _hangs_alike(upper: Block, indent: float, min_indent: float) -> bool:
    """Whether a block ends in a hanging row, as far in as the row is that may continue it."""
    first, last = upper.rows[0].line, upper.rows[-1].line
    if last.x0 - first.x0 < min_indent:
        return False
    return abs(last.x0 - upper.column_x0 - indent) < MAX_ALIGNED_EDGE_SHIFT_PT


def _may_be_one_title(upper: Block, lower: Block) -> bool:
    """Whether two blocks could be the lines of one numbered heading."""
    last, first = upper.rows[-1], lower.rows[0]
    if last.style != first.style or upper.rows[0].number is None or len(lower.rows) > 1:
        return False
    return is_cjk(first.text[0]) or first.text[0].islower()


def _is_formula_number(block: Block, below: Row) -> bool:
    """Whether a block is a line without a letter, further right than where the text below begins."""
    row = block.rows[0]
    if len(block.rows) > 1 or row.line.x0 <= below.line.x0:
        return False
    return not any(map(str.isalpha, row.text))


def _append(upper: Block, lower: Block) -> None:
    if not upper.parts:
        upper.parts = [PageRegion(upper.page, upper.box)]
    upper.parts += lower.parts or [PageRegion(lower.page, lower.box)]
    upper.end_column = lower.last_column
    upper.gap_below = lower.gap_below
    if upper.table is not None and lower.table is not None:
        upper.table = join_tables(upper.table, lower.table)
        upper.cells = upper.table.rows
        upper.text = table_text(upper.cells)
    elif upper.kind is Kind.CODE:
        upper.text = join_listings(upper.text, upper.box, lower.text, lower.box)
        upper.box = upper.box._replace(x0=min(upper.box.x0, lower.box.x0))
    else:
        upper.rows = upper.rows + lower.rows


# --- titles that a page repeats ---
#
# Titles that a page repeats because their section goes on: "Note 2 (continued)", or the same words again.
#
# `running_heads` finds lines that many pages share. A title that stands on a few pages only is not common
# enough for that, and only blocks know which rows make one title. Such a title opens no section; it becomes a
# running head, so that the paragraph or table before the break can go on behind it.


MAX_PAGES_APART = 2  # left and right pages may alternate
MIN_REPEATING_PAGES = 3  # two sections of a page each may have the same title

Pages = Sequence[list[Block]]


def separate_repeated_titles(
    pages: Pages, heights: Sequence[float], typography: Typography
) -> tuple[list[list[Block]], list[PhysicalObject]]:
    """The blocks of each page without the titles that only say what goes on, and these as running heads."""
    tops = [find_opener_lines(blocks, height) for blocks, height in zip(pages, heights, strict=True)]
    repeating = _repeating_blocks([block for top in tops for block in top])
    remaining: list[list[Block]] = []
    repeated: list[PhysicalObject] = []
    for blocks, top in zip(pages, tops, strict=True):
        dropped: set[int] = set()
        for block in top:
            if id(block) in repeating or _is_continued(block):
                dropped.add(id(block))
                repeated.append(_running_head(block, typography))
            elif block.kind is not Kind.SUBTITLE:
                break
        remaining.append([block for block in blocks if id(block) not in dropped] if dropped else blocks)
    return remaining, repeated


def _is_continued(block: Block) -> bool:
    return _may_be_title(block) and is_continued_title(plain_text(block))


def _may_be_title(block: Block) -> bool:
    return len(block.rows) <= MAX_CONTINUED_TITLE_ROWS and not ends_sentence(block)


def _repeating_blocks(tops: Sequence[Block]) -> set[int]:
    """The ids of blocks that stand at the same height of several pages in a row, each first one aside."""
    alike: dict[tuple[str, Look], list[Block]] = defaultdict(list)
    for block in filter(_may_be_title, tops):
        alike[plain_text(block), find_look(block)].append(block)
    found: set[int] = set()
    for blocks in alike.values():
        if len(blocks) < MIN_REPEATING_PAGES:
            continue
        series = [blocks[0]]
        for before, block in pairwise([*blocks, blocks[0]]):
            if _goes_on(before, block):
                series.append(block)
                continue
            if len(series) >= MIN_REPEATING_PAGES:
                found.update(id(each) for each in series[1:])
            series = [block]
    return found


def _goes_on(before: Block, block: Block) -> bool:
    """Whether a block has the place of another one, a page or two later."""
    is_next = 0 < block.page - before.page <= MAX_PAGES_APART
    return is_next and abs(block.box.y0 - before.box.y0) <= MAX_HEAD_SHIFT_PT


def _running_head(block: Block, typography: Typography) -> PhysicalObject:
    item = make_object(block, typography, frozenset())
    return PhysicalObject(Kind.HEADER, item.text, (PageRegion(block.page, block.box),), style=item.style)
