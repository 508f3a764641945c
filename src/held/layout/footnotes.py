"""Footnotes and endnotes: finds them, and links them with the marks in the text that refer to them.

A reference is a raised mark with which a note begins; several may stand together ("2, 3"). Where numbers
start anew on each page or in each chapter, the page makes a note's name unique in the document.

Endnotes stand below a title of their own ("Notes"). Their numbers start at 1 or continue those of the last
chapter. They count as notes only if the text refers to most of them: a numbered list may have the same title.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

from held.document import Kind, Mark, PhysicalObject, Span
from held.layout.blocks import Block, Typography, with_rows
from held.layout.paragraph_cues import SENTENCE_ENDS
from held.layout.rows import Row, TextStyle
from held.layout.tolerances import (
    MAX_BLOCK_LINE_GAP_EM,
    MAX_FOOTNOTE_SIZE_TIMES,
    MAX_MARGIN_COLUMN_SHARE,
    MIN_BASELINE_PIECE_SIZE_SHARE,
    MIN_FOOTNOTE_TOP_SHARE,
)
from held.system import lazy_pattern

FOOTNOTE_START = lazy_pattern(
    r"(?:\d{1,3}[\s.)、]*(?=[^\W\d]|[“\"‘'(《「])|[*†‡§¶]{1,3}|[①-⑳]|[a-z]\)|\(\d{1,2}\)|\[\d{1,3}\]|注\s*\d*\s*[：:])"
)
FOOTNOTE_NUMBER = lazy_pattern(r"(\d{1,3})([.)、]?)\s*(?=[^\W\d]|[“\"‘'(《「])")

NOTE_MARK = lazy_pattern(r"[\[(]?(\d{1,3}|[a-z](?=[\s).])|[*†‡§¶]{1,3}|[①-⑳])[\])]?")
# A mark stands behind a word or a stop; behind a single letter it is an exponent.
BEFORE_MARK = lazy_pattern(
    r"(?:[A-Za-z\u00c0-\u024f]{2}|[’'][a-z]|\d{2}|[.,;:!?)”’\"'\]%，。；：！？）】」』》]|[\u2e80-\uffef])\s*$"
)
BETWEEN_MARKS = lazy_pattern(r"[\s,，、;]+")
SIGN_NAMES = {"*": "star", "†": "dagger", "‡": "ddagger", "§": "section", "¶": "par"}

ENDNOTES_TITLE = lazy_pattern(
    r"(?:[\dIVX]+\.?\s+)?(?:end\s?notes|notes|notes and references|尾\s?注|注\s?释)[:：]?", re.I
)
MAX_ENDNOTES_TITLE_CHARS = 24
ENDNOTE_NUMBER = lazy_pattern(r"[\[(]?(\d{1,3})[\]).、]?\s*(?=\D)")
MAX_OBJECTS_BETWEEN = 3  # without a number, between two endnotes: their further paragraphs
MIN_ENDNOTES = 2
MIN_REFERRED_SHARE = 0.5  # of the endnotes
ENDNOTE_KINDS = frozenset({Kind.PARAGRAPH, Kind.LIST_ITEM, Kind.FOOTNOTE})

Objects = Sequence[PhysicalObject]


# --- Footnotes among the blocks of a page ---


def mark_footnotes(blocks: Sequence[Block], typography: Typography, page_height: float) -> None:
    """Sets the kind of small blocks with a mark at the foot of each column, from the bottom up."""
    largest = MAX_FOOTNOTE_SIZE_TIMES * min(typography.body_size, _usual_size(blocks))
    widest = max((block.column_width for block in blocks), default=0.0)
    ended: set[int] = set()  # columns whose notes are all found
    for block in reversed(blocks):
        if block.column in ended or _is_wordless(block):
            continue
        is_high = block.box.y0 < MIN_FOOTNOTE_TOP_SHARE * page_height
        is_text = is_high and not _is_margin_note(block, typography.text_styles, widest)
        if is_text or not _may_be_footnote(block, largest):
            ended.add(block.column)
        elif FOOTNOTE_START.match(block.rows[0].text):
            block.kind = Kind.FOOTNOTE


def _usual_size(blocks: Sequence[Block]) -> float:
    """The size of most of a page's text: the notes to the accounts may all be smaller than the body."""
    characters: dict[float, int] = {}
    for block in blocks:
        for row in block.rows:
            characters[row.style.size] = characters.get(row.style.size, 0) + len(row.text)
    return max(characters, key=characters.__getitem__, default=0.0)


def _is_wordless(block: Block) -> bool:
    """Whether a block has no letter: a publisher's signs below the notes don't end a column."""
    return len(block.rows) == 1 and not any(map(str.isalpha, block.rows[0].text))


def _is_margin_note(block: Block, text_styles: Sequence[TextStyle], widest: float) -> bool:
    """Whether a block with a raised mark stands in a narrow column, where notes begin beside the text."""
    if not block.rows or block.column == 0:
        return False
    if block.column_width >= MAX_MARGIN_COLUMN_SHARE * widest:
        return False
    line = block.rows[0].line
    mark = text_styles[line.runs[0].style]
    return mark.size < MIN_BASELINE_PIECE_SIZE_SHARE * line.size


def _may_be_footnote(block: Block, largest: float) -> bool:
    if block.kind not in (Kind.PARAGRAPH, Kind.LIST_ITEM):
        return False
    first = block.rows[0]
    return first.style.size < largest and not first.bold


def join_footnotes(blocks: Sequence[Block]) -> list[Block]:
    """The blocks, each footnote joined with its rest where a ragged line had ended it amid a sentence."""
    joined: list[Block] = []
    for block in blocks:
        if joined and _continues_footnote(joined[-1], block):
            joined[-1] = with_rows(joined[-1], joined[-1].rows + block.rows)
            joined[-1].gap_below = block.gap_below
        else:
            joined.append(block)
    return joined


def _continues_footnote(note: Block, block: Block) -> bool:
    if note.kind is not Kind.FOOTNOTE or block.kind is not Kind.PARAGRAPH or note.column != block.column:
        return False
    last, first = note.rows[-1], block.rows[0]
    gap = first.line.y0 - last.line.y1
    if first.style != last.style or not 0 <= gap < MAX_BLOCK_LINE_GAP_EM * first.style.size:
        return False
    return last.text[-1] not in SENTENCE_ENDS and first.text[0].islower()


def split_footnotes(blocks: Sequence[Block]) -> list[Block]:
    """The blocks, each footnote divided where a row begins with the next number."""
    split: list[Block] = []
    for block in blocks:
        if block.kind is not Kind.FOOTNOTE:
            split.append(block)
            continue
        notes: list[list[Row]] = []
        for row in block.rows:
            if not notes or _is_next_note(notes[-1][0].text, row.text):
                notes.append([])
            notes[-1].append(row)
        split += [with_rows(block, rows) for rows in notes]
    return split


def _is_next_note(first: str, text: str) -> bool:
    """Whether a row begins the footnote after the one that begins with `first`."""
    number, following = FOOTNOTE_NUMBER.match(first), FOOTNOTE_NUMBER.match(text)
    if number is None or following is None:
        return False
    return int(following[1]) == int(number[1]) + 1 and number[2] == following[2]


# --- Notes and the marks that refer to them ---


class _Reference(NamedTuple):
    """A mark in the text: the index of its object and of the span that has it, and its position."""

    owner: int
    span: int
    start: int
    end: int


def link_footnotes(objects: Objects) -> list[PhysicalObject]:
    """The objects; a footnote that the text refers to and the reference have the same note name."""
    linked = list(objects)
    on_page: dict[int, list[int]] = {}
    for i, item in enumerate(objects):
        if item.spans:
            for page in {part.page for part in item.parts}:
                on_page.setdefault(page, []).append(i)
    taken: set[str] = set()
    for i, item in enumerate(objects):
        mark = NOTE_MARK.match(item.text) if item.kind is Kind.FOOTNOTE else None
        if mark is None:
            continue
        reference = _find_reference(linked, on_page.get(item.page, ()), mark[1], i)
        if reference is not None:
            _link(linked, i, reference, _note_name(mark[1], item.page, taken))
    return linked


def link_endnotes(objects: list[PhysicalObject]) -> list[PhysicalObject]:
    """The objects; an endnote that the text refers to and the reference have the same note name."""
    titles = [i for i, item in enumerate(objects) if _is_endnotes_title(item)]
    if not titles:
        return objects
    linked = list(objects)
    taken = {item.note for item in objects if item.note}
    begin, last = 0, 0
    for title in titles:
        notes = _numbered_objects(objects, title + 1, first=1)
        notes = notes or _numbered_objects(objects, title + 1, first=last + 1)
        candidates = [i for i in range(begin, title) if objects[i].spans]
        referred = 0
        for number, i in notes:
            referred += _find_reference(linked, candidates, str(number), i) is not None
        if len(notes) < MIN_ENDNOTES or referred < MIN_REFERRED_SHARE * len(notes):
            continue
        for number, i in notes:
            # Linking one note may divide the span of the next: search again.
            reference = _find_reference(linked, candidates, str(number), i)
            if reference is not None:
                _link(linked, i, reference, _note_name(str(number), objects[i].page, taken))
        last, begin = notes[-1]
    return linked


def _is_endnotes_title(item: PhysicalObject) -> bool:
    if item.kind is not Kind.PARAGRAPH or len(item.text) > MAX_ENDNOTES_TITLE_CHARS:
        return False
    return ENDNOTES_TITLE.fullmatch(item.text.strip()) is not None


def _numbered_objects(objects: Objects, start: int, *, first: int) -> list[tuple[int, int]]:
    """The numbers and indices of the objects with consecutive numbers from `first` on."""
    notes: list[tuple[int, int]] = []
    between = 0
    for i in range(start, len(objects)):
        item = objects[i]
        number = ENDNOTE_NUMBER.match(item.text) if item.kind in ENDNOTE_KINDS else None
        if number is not None and int(number[1]) == first + len(notes) and not item.note:
            notes.append((int(number[1]), i))
            between = 0
        elif between == MAX_OBJECTS_BETWEEN:
            break
        else:
            between += 1
    return notes


def _find_reference(objects: Objects, candidates: Iterable[int], mark: str, note: int) -> _Reference | None:
    """The first span of the candidates that refers to the note with this mark."""
    for i in candidates:
        item = objects[i]
        if i == note or item.kind is Kind.FOOTNOTE:
            continue
        for index, span in enumerate(item.spans):
            position = None if span.note else _position_of_mark(span, item.text, mark)
            if position is not None:
                return _Reference(i, index, *position)
    return None


def _position_of_mark(span: Span, text: str, mark: str) -> tuple[int, int] | None:
    if span.mark is not Mark.SUPERSCRIPT:
        return None
    words = text[span.start : span.end]
    if mark not in words or mark not in BETWEEN_MARKS.split(words):
        return None
    if BEFORE_MARK.search(text[: span.start]) is None:
        return None
    alone = re.search(rf"(?<![^\s,，、;]){re.escape(mark)}(?![^\s,，、;])", words)
    return None if alone is None else (span.start + alone.start(), span.start + alone.end())


def _link(objects: list[PhysicalObject], note: int, reference: _Reference, name: str) -> None:
    """Gives a note and the mark that refers to it their common name; other marks of the span stay."""
    owner = objects[reference.owner]
    span = owner.spans[reference.span]
    text_before = owner.text[span.start : reference.start].rstrip(" ,，、;")
    text_after = owner.text[reference.end : span.end].lstrip(" ,，、;")
    before = span._replace(end=span.start + len(text_before))
    own = Span(reference.start, reference.end, span.mark, name)
    after = span._replace(start=span.end - len(text_after))
    pieces = [piece for piece in (before, own, after) if piece.start < piece.end]
    spans = [*owner.spans[: reference.span], *pieces, *owner.spans[reference.span + 1 :]]
    objects[reference.owner] = replace(owner, spans=tuple(spans))
    objects[note] = replace(objects[note], note=name, kind=Kind.FOOTNOTE)


def _note_name(mark: str, page: int, taken: set[str]) -> str:
    """A name made from the mark that no other note has; adds it to `taken`."""
    name = "".join(SIGN_NAMES.get(character, character) for character in mark)
    if name in taken:
        name = f"{name}-p{page}"
    unique = name
    count = 2
    while unique in taken:
        unique = f"{name}-{count}"
        count += 1
    taken.add(unique)
    return unique
