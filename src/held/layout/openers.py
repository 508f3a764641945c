"""Openers: the stack of short lines at the top of a page with which a chapter or a statement begins.

    CHAPTER 3                  Example Corporation
    The law of the sea         Statement of cash flows
    Claims since 1945          for the year ended 30 June 2022
    Ann Example                (in thousands)

One line of a stack is the title; `paragraphs` has joined it with its label. What the other lines are is
learnt from the document: a look that occurs almost only below such titles is that of subtitles and authors,
and a date or a remark in brackets that stands below different titles belongs to none of them. These lines
become subtitles, which are never headings.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from held.document import Kind
from held.layout.blocks import Block, with_rows
from held.layout.paragraph_cues import (
    COMPANY,
    MAX_DATE_WORDS,
    SENTENCE_ENDS,
    STATEMENT_NOTE,
    continues_sentence,
    is_chapter_label,
    is_date_or_remark,
)
from held.layout.rows import Row, TextStyle, is_prominent
from held.layout.tolerances import (
    MAX_LABEL_GAP_EM,
    MAX_LABELLED_TITLE_SHARE,
    MAX_OPENER_GAP_EM,
    MAX_TITLE_LINE_GAP_EM,
    MAX_TITLE_ROWS,
    MIN_LARGE_HEADING_SIZE_TIMES,
    MIN_LOOK_BELOW_TITLES_SHARE,
    MIN_ROW_OVERLAP_SHARE,
    MIN_SUBTITLE_SIZE_SHARE,
    MIN_SUBTITLE_SIZE_STEP_TIMES,
    OPENER_ZONE_SHARE,
)

MAX_OPENER_LINES = 6  # blocks of one stack
MIN_OPENERS = 3  # pages that open with the same stack of looks
MIN_TITLES_ABOVE_NOTE = 2  # different titles above the same date or remark
MAX_NAMES_SHARE = 0.6  # of the lines of one look; more names are authors
MAX_CONNECTING_WORD = 3  # characters: and, von, de
MIN_TITLED_LABELS_SHARE = 0.6  # of the labels that look alike stand above such a title
MIN_DISTINCT_TITLES_SHARE = 0.7  # a line above the same words again and again is no title


class Look(NamedTuple):
    """How the first row of a block is set, its item number aside."""

    style: TextStyle
    is_caps: bool


class Opener(NamedTuple):
    """The stack of short blocks at the top of a page, and which of them is the title."""

    lines: tuple[Block, ...]
    title: int

    @property
    def below(self) -> tuple[Block, ...]:
        return self.lines[self.title + 1 :]


def join_usual_labels(pages: Sequence[Sequence[Block]], body_size: float) -> list[list[Block]]:
    """The blocks of each page, labels joined with titles that only the document's habit shows to be titles.

    `heading_lines.join_labels` joins a label with a prominent line. "Chapter 1" above a short line in the
    font of the text is a heading where most labels of the document that look alike stand above such a line.
    """
    pairs = [
        (label, below)
        for blocks in pages
        for label, below in pairwise(blocks)
        if label.kind is Kind.PARAGRAPH and is_chapter_label(label.rows, body_size)
    ]
    all_labels = Counter(find_look(label) for label, _ in pairs)
    titled = [(label, below) for label, below in pairs if _may_have_label(label, below)]
    with_title = Counter((find_look(label), find_look(below)) for label, below in titled)
    joined_labels: dict[int, Block] = {}  # by the id of the title
    for label, below in titled:
        count = with_title[find_look(label), find_look(below)]
        if count >= max(MIN_OPENERS, MIN_TITLED_LABELS_SHARE * all_labels[find_look(label)]):
            joined_labels[id(below)] = label
    if not joined_labels:
        return [list(blocks) for blocks in pages]
    labels = {id(label) for label in joined_labels.values()}
    return [
        [_with_label(block, joined_labels.get(id(block))) for block in blocks if id(block) not in labels]
        for blocks in pages
    ]


def _may_have_label(label: Block, title: Block) -> bool:
    """Whether a short line without a number stands close below a label."""
    if not _is_short(title) or title.label_rows or ends_sentence(title):
        return False
    first = title.rows[0]
    if first.number is not None or not any(map(str.isalpha, first.text)):
        return False
    is_short = title.box.width < MAX_LABELLED_TITLE_SHARE * title.column_width
    return is_short and 0 < title.box.y0 - label.box.y1 < MAX_LABEL_GAP_EM * first.style.size


def _with_label(title: Block, label: Block | None) -> Block:
    if label is None:
        return title
    joined = with_rows(title, label.rows + title.rows)
    joined.label_rows = len(label.rows)
    joined.gap_above = label.gap_above
    return joined


def join_title_lines(
    pages: Sequence[Sequence[Block]], heights: Sequence[float], body_size: float
) -> list[list[Block]]:
    """The blocks of each page, the title of an opener in one piece.

    A line goes on with the title above it where it stands on the same baseline or begins with a small letter,
    or where the title ends in a word or sign that can't end it.
    """
    joined = []
    for blocks, height in zip(pages, heights, strict=True):
        remaining = list(blocks)
        for below in find_opener_lines(blocks, height)[1:]:
            position = next(i for i, block in enumerate(remaining) if block is below)
            title = remaining[position - 1]
            is_large = below.rows[0].style.size > MIN_LARGE_HEADING_SIZE_TIMES * body_size
            if is_large and _continues_title(title, below):
                remaining[position - 1 : position + 1] = [_join(title, below)]
        joined.append(remaining)
    return joined


def _join(title: Block, below: Block) -> Block:
    joined = with_rows(title, title.rows + below.rows)
    joined.gap_below = below.gap_below
    if title.subtitle_rows or find_look(title) != find_look(below):
        joined.subtitle_rows = title.subtitle_rows + len(below.rows)
    return joined


def _continues_title(title: Block, below: Block) -> bool:
    last, first = title.rows[-1], below.rows[0]
    if first.number is not None or STATEMENT_NOTE.match(first.text) or ends_sentence(below):
        return False
    if first.style.size > last.style.size or len(title.rows) + len(below.rows) > MAX_TITLE_ROWS:
        return False
    overlap = min(last.line.y1, first.line.y1) - max(last.line.y0, first.line.y0)
    if overlap > MIN_ROW_OVERLAP_SHARE * (first.line.y1 - first.line.y0):
        return 0 < first.line.x0 - last.line.x1 < last.style.size
    if first.line.y0 - last.line.y1 > MAX_TITLE_LINE_GAP_EM * last.style.size:
        return False
    if last.style.italic != first.style.italic or last.style.family != first.style.family:
        return False  # an author, or the name of a command
    # A dash or a bracket at the end may stand between two titles as well.
    is_open = continues_sentence(last) and (last.text[-1].isalpha() or last.text[-1] in ",，、&")
    return is_open or first.text[0].islower()


def join_subtitles(
    pages: Sequence[Sequence[Block]], heights: Sequence[float], body_size: float
) -> list[list[Block]]:
    """The blocks of each page, each title of an opener joined with the lighter subtitle right below it.

    The look of subtitles occurs hardly anywhere else. Authors have a look of their own as well; they stand
    further below, in smaller print or italics, and most of their lines are names.
    """
    pairs: dict[Look, list[tuple[Block, Block]]] = defaultdict(list)
    for blocks, height in zip(pages, heights, strict=True):
        lines = find_opener_lines(blocks, height)
        for title, below in pairwise(lines):
            if _may_be_subtitle(title, below, body_size):
                pairs[find_look(below)].append((title, below))
    if not pairs:
        return [list(blocks) for blocks in pages]
    used = _count_looks(pages)
    joined: dict[int, Block] = {}  # by the ids of titles
    subtitles: set[int] = set()
    for look, alike in pairs.items():
        names = sum(_is_name(below) for _, below in alike)
        is_pure = len(alike) >= MIN_LOOK_BELOW_TITLES_SHARE * used[look]
        if not is_pure or names > MAX_NAMES_SHARE * len(alike):
            continue
        for title, below in alike:
            if len(alike) >= MIN_OPENERS or title.rows[0].number is not None:
                joined[id(title)] = _join(title, below)
                subtitles.add(id(below))
    return [
        [joined.get(id(block), block) for block in blocks if id(block) not in subtitles] for blocks in pages
    ]


def _may_be_subtitle(title: Block, below: Block, body_size: float) -> bool:
    """Whether a line in large print, lighter than the title, stands right below it."""
    own, above = below.rows[0].style, _title_row(title).style
    if below.rows[0].number is not None or below.rows[-1].text[-1] in SENTENCE_ENDS - frozenset("?!？！"):
        return False
    if own.size < MIN_LARGE_HEADING_SIZE_TIMES * body_size or own.size < MIN_SUBTITLE_SIZE_SHARE * above.size:
        return False
    is_lighter = own.size < above.size or (own.size == above.size and above.bold and not own.bold)
    if not is_lighter or own.italic != above.italic or own.mono != above.mono:
        return False
    text = plain_text(below)
    is_remark = is_date_or_remark(text) and len(text.split()) <= MAX_DATE_WORDS
    if is_remark or STATEMENT_NOTE.match(text) or COMPANY.search(text):
        return False
    return below.box.y0 - title.box.y1 < MAX_TITLE_LINE_GAP_EM * above.size


def _is_name(block: Block) -> bool:
    """Whether a line has capitalised and short words only, as the names of persons have."""
    words = " ".join(row.text for row in block.rows).split()
    return all(word[0].isupper() or len(word) <= MAX_CONNECTING_WORD for word in words)


def _count_looks(pages: Iterable[Sequence[Block]]) -> Counter[Look]:
    """How many short texts without a number have each look."""
    used: Counter[Look] = Counter()
    for blocks in pages:
        used.update(find_look(block) for block in blocks if _is_short(block) and block.rows[0].number is None)
    return used


def mark_subtitles(
    pages: Sequence[Sequence[Block]],
    heights: Sequence[float],
    *,
    body_size: float,
    running_heads: Container[str] = frozenset(),
) -> None:
    """Sets the kind of each line of an opener that is not its title.

    `running_heads` are the texts of running heads in lower case: a date or a company among them belongs to
    more than one title.
    """
    stacks = [find_opener_lines(blocks, height) for blocks, height in zip(pages, heights, strict=True)]
    openers = [_opener(stack) for stack in stacks if len(stack) > 1]
    _mark_notes(openers, body_size, running_heads)
    _mark_companies(openers, running_heads)
    unmarked = [tuple(b for b in stack if b.kind is not Kind.SUBTITLE) for stack in stacks]
    _mark_learnt_looks([_opener(stack) for stack in unmarked if len(stack) > 1], pages, body_size)


# --- the stacks ---


def find_opener_lines(blocks: Sequence[Block], height: float) -> tuple[Block, ...]:
    """The short text blocks at the top of a page, as far as they stand close below each other."""
    stack: list[Block] = []
    for block in blocks:
        if block.kind is Kind.FIGURE and not stack:
            continue  # a picture above the title
        if not _is_short(block) or len(stack) == MAX_OPENER_LINES:
            break
        if not stack and block.box.y0 > OPENER_ZONE_SHARE * height:
            break
        if stack and not _is_close(stack[-1], block):
            break
        stack.append(block)
    return tuple(stack)


def _is_short(block: Block) -> bool:
    is_text = block.kind in (Kind.PARAGRAPH, Kind.SUBTITLE)
    return is_text and len(block.rows) - block.label_rows - block.subtitle_rows <= MAX_TITLE_ROWS


def _is_close(above: Block, below: Block) -> bool:
    em = max(above.rows[-1].style.size, below.rows[0].style.size)
    return below.box.y0 > above.box.y0 and below.box.y0 - above.box.y1 < MAX_OPENER_GAP_EM * em


def _opener(stack: tuple[Block, ...]) -> Opener:
    """The stack with its title: the line in the largest print, of several the first."""
    sizes = [_title_row(block).style.size for block in stack]
    return Opener(stack, sizes.index(max(sizes)))


def _title_row(block: Block) -> Row:
    return block.rows[min(block.label_rows, len(block.rows) - 1)]


def find_look(block: Block) -> Look:
    """The look of a block's title."""
    row = _title_row(block)
    return Look(row.style, row.text.isupper())


def plain_text(block: Block) -> str:
    """The text of a block in lower case, by which titles are compared."""
    return " ".join(row.text for row in block.rows).casefold()


# --- dates, units, companies ---


def _mark_notes(openers: Iterable[Opener], body_size: float, running_heads: Container[str]) -> None:
    """Marks dates, periods, units and remarks in brackets below a title."""
    titles_above: dict[str, set[str]] = defaultdict(set)
    candidates = []
    for opener in openers:
        is_titled = _is_title(opener.lines[opener.title], body_size)
        for above, block in pairwise(opener.lines):
            if len(block.rows) > 1 or block.rows[0].number is not None or ends_sentence(block):
                continue
            text = plain_text(block)
            if STATEMENT_NOTE.match(text) or (is_titled and is_date_or_remark(text)):
                titles_above[text].add(plain_text(above))
                candidates.append((text, block))
    for text, block in candidates:
        is_common = text in running_heads or len(titles_above[text]) >= MIN_TITLES_ABOVE_NOTE
        if is_common or STATEMENT_NOTE.match(text):
            block.kind = Kind.SUBTITLE


def _is_title(block: Block, body_size: float) -> bool:
    row = _title_row(block)
    return is_prominent(row, body_size) or row.text.isupper()


def ends_sentence(block: Block) -> bool:
    """Whether a block ends as sentences do, and titles seldom."""
    return block.rows[-1].text[-1] in SENTENCE_ENDS


def _mark_companies(openers: Iterable[Opener], running_heads: Container[str]) -> None:
    """Marks the name of a company above the title of its statement, where other pages have it as well."""
    names = Counter(plain_text(block) for opener in openers for block in opener.lines[:-1])
    for opener in openers:
        for block in opener.lines[:-1]:
            text = plain_text(block)
            is_name = COMPANY.search(text) is not None and block.rows[0].number is None
            if is_name and (names[text] > 1 or text in running_heads):
                block.kind = Kind.SUBTITLE


# --- subtitles and authors ---


def _mark_learnt_looks(openers: Sequence[Opener], pages: Sequence[Sequence[Block]], body_size: float) -> None:
    """Marks the lines below a title whose look occurs hardly anywhere else in the document."""
    titles: dict[Look, list[str]] = defaultdict(list)  # above each look
    for opener in openers:
        title = opener.lines[opener.title]
        if is_chapter_label(title.rows, body_size):
            continue  # its title is what stands below
        for block in opener.below:
            if _is_subordinate(block, title):
                titles[find_look(block)].append(plain_text(title))
    if not titles:
        return
    used = _count_looks(pages)
    learnt = set()
    for look, above in titles.items():
        is_repeated = len(above) >= MIN_OPENERS and len(above) >= MIN_LOOK_BELOW_TITLES_SHARE * used[look]
        if is_repeated and len(set(above)) >= MIN_DISTINCT_TITLES_SHARE * len(above):
            learnt.add(look)
    for opener in openers:
        title = opener.lines[opener.title]
        for block in opener.below:
            if find_look(block) in learnt and _is_subordinate(block, title):
                block.kind = Kind.SUBTITLE


def _is_subordinate(block: Block, title: Block) -> bool:
    """Whether a line without a number is set less prominently than the title above it."""
    if block.rows[0].number is not None or ends_sentence(block):
        return False
    own, above = _title_row(block).style, _title_row(title).style
    if above.size > MIN_SUBTITLE_SIZE_STEP_TIMES * own.size:
        return True
    return above.size >= own.size and above.bold and not own.bold
