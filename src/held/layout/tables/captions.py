"""Finds the caption, the unit of the numbers and the notes of a table among the objects around it.

They stay objects of their own. The recogniser may already have set them; objects of stored files and other
engines are searched here.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import NamedTuple

from held.document import Kind, PhysicalObject, TableStructure
from held.layout.tables.logical_grid import grid_of

CURRENCY = r"(?:(?:US|HK|NT|A|C|R|S)?\$|€|£|¥|RMB|CNY|USD|EUR|GBP|HKD|JPY)"
MAX_OBJECTS_TO_UNIT = 3  # between a table and the line with its unit: caption, title, date
# "Years ended December 31, 2025, 2024 and 2023 (in millions, except per share data)" and some more
MAX_UNIT_LINE_CHARS = 160
FIGURE_CAPTION = re.compile(r"(?:figure|fig\b|chart|plate|图(?!表))", re.I)
UNIT = re.compile(
    r"\bin\s+(?:[\w$€£¥.’']+\s+){0,3}(?:thousands?|millions?|billions?)\b"
    rf"|{CURRENCY}\s?(?:thousands?|millions?|billions?)\b"
    r"|\b(?:thousands|millions|billions) of\b"
    r"|(?:\$|€|£|¥|RMB|HK\$|US\$)\s?['’]000|(?:€|£|US\$|\$)\s?(?:m|bn|million|billion)\b"
    r"|单位\s*[:：]|(?:人民币)?[千百万亿]+元",
    re.I,
)
# Every unit has one of these. The search is cheap and rules out most lines.
SCALE = re.compile(r"thousand|million|billion|单位|元|000|[€£$]\s?(?:m|bn)\b", re.I)
SCALE_ALONE = re.compile(r"(?:thousands|millions|billions)\b", re.I)
UNIT_LINE = re.compile(
    r"in\b|[$€£¥]|(?:all )?(?:amounts|dollars|figures)\b|(?:thousands|millions|billions)\b|.{0,8}单位", re.I
)
UNIT_AT_END = re.compile(rf"[,，:：]\s*({CURRENCY}\s?(?:thousands?|millions?|billions?))$", re.I)
MAX_NOTES = 12  # below a table
NAMED_NOTE = re.compile(
    r"(?:notes?|sources?|footnotes?)\s?\d*\s?[:：]|(?:数据|资料)?来源\s?[:：]|注\s?\d*\s?[:：]", re.I
)
# Marks that begin a note and refer to a cell: "(1) Restated", "* Unaudited", "a Estimate".
BRACKETED_MARK = re.compile(r"[(（\[](?:\d{1,2}|[a-z]|\*+)[)）\]]|[*†‡§#]{1,3}|[①-⑳]")
BARE_MARK = re.compile(r"(\d{1,2}|[a-z])(?=\s+[A-Z“\"])")
TYPED_RULE = re.compile(r"[\s_–—―-]+")
BRACKETED = re.compile(r"[(（]([^()（）]*)[)）]")
NOTE_KINDS = frozenset({Kind.PARAGRAPH, Kind.LIST_ITEM, Kind.FOOTNOTE})
EMPTY_STRUCTURE = TableStructure()

Objects = Sequence[PhysicalObject]


class TableContext(NamedTuple):
    """A table's caption, unit and notes, as printed, and the index of the caption if it is an object."""

    caption: str = ""
    unit: str = ""
    caption_object: int | None = None
    notes: tuple[str, ...] = ()


def attach_table_contexts(objects: Objects) -> list[PhysicalObject]:
    """The objects, with caption, unit and notes set in each table."""
    attached = list(objects)
    for index, context in find_table_contexts(objects).items():
        given = objects[index].table or EMPTY_STRUCTURE
        table = replace(given, caption=context.caption, unit=context.unit, notes=context.notes)
        attached[index] = replace(objects[index], table=table)
    return attached


def find_table_contexts(objects: Objects, headings: Container[int] = ()) -> dict[int, TableContext]:
    """The context of each table by the table's index. A caption belongs to one table alone."""
    captions = _find_captions(objects)
    contexts = {}
    for index in _table_indices(objects):
        given = objects[index].table or EMPTY_STRUCTURE
        caption = captions.get(index)
        text = given.caption
        if not text and caption is not None:
            text = _one_line(objects[caption].text)
        unit = given.unit or _find_unit(objects, index, text, headings)
        notes = given.notes or tuple(_find_notes(objects, index))
        contexts[index] = TableContext(text, unit, caption, notes)
    return contexts


def _find_captions(objects: Objects) -> Mapping[int, int]:
    """The caption of each table: the one before it, else the one after it that no other table needs."""
    found: dict[int, int] = {}
    for index in _table_indices(objects):
        before = _adjacent_caption(objects, index, range(index - 1, -1, -1))
        if before is not None:
            found[index] = before
    taken = set(found.values())
    for index in _table_indices(objects):
        if index not in found:
            after = _adjacent_caption(objects, index, range(index + 1, len(objects)))
            if after is not None and after not in taken:
                found[index] = after
    return found


def _table_indices(objects: Objects) -> list[int]:
    return [index for index, item in enumerate(objects) if item.kind is Kind.TABLE]


def _adjacent_caption(objects: Objects, table: int, neighbours: Iterable[int]) -> int | None:
    """The caption right beside a table, with at most a line with the unit between them."""
    given = objects[table].table or EMPTY_STRUCTURE
    for index in islice(neighbours, 2):
        item = objects[index]
        if item.kind is Kind.CAPTION and not FIGURE_CAPTION.match(item.text.strip()):
            is_given = not given.caption or _one_line(given.caption) == _one_line(item.text)
            is_same_page = item.parts[-1].page == objects[table].page
            return index if is_given and is_same_page else None
        if not _is_unit_line(item):
            return None
    return None


def _find_unit(objects: Objects, index: int, caption: str, headings: Container[int]) -> str:
    """The unit in a line above the table, or in its caption, its header or the title above."""
    table = objects[index]
    titles = []
    for before in range(index - 1, max(-1, index - 1 - MAX_OBJECTS_TO_UNIT), -1):
        item = objects[before]
        if item.kind in (Kind.TABLE, Kind.FIGURE) or item.page != table.page:
            break
        if before in headings or item.kind in (Kind.CAPTION, Kind.HEADING):
            titles.append(item.text)
        elif _is_unit_line(item):
            return _unit_in(item.text)
    candidates = [caption]
    if not table.text or SCALE.search(table.text):
        grid = grid_of(table)
        header = [cell for cell in grid.cells if cell.row < max(1, grid.head)]
        # A unit at the left or over several columns is that of all numbers.
        candidates += [cell.text for cell in header if cell.column == 0 or cell.column_span > 1]
    return next(filter(None, map(_unit_in, [*candidates, *titles])), "")


def _find_notes(objects: Objects, index: int) -> Iterator[str]:
    """The notes right below a table: those called so, and those whose mark stands in one of its cells."""
    table = objects[index]
    for item in objects[index + 1 : index + 1 + MAX_NOTES]:
        if item.kind is Kind.CAPTION or TYPED_RULE.fullmatch(item.text):
            continue
        if item.kind not in NOTE_KINDS or item.page != table.parts[-1].page or not _is_note(item.text, table):
            return
        yield _one_line(item.text)


def _is_note(text: str, table: PhysicalObject) -> bool:
    if NAMED_NOTE.match(text):
        return True
    cells = [cell.strip() for row in table.rows for cell in row if cell]
    if bracketed := BRACKETED_MARK.match(text):
        mark = bracketed[0]
        return any(cell != mark and mark in cell for cell in cells)
    if bare := BARE_MARK.match(text):
        # A raised mark stands right behind the last letter of a cell: "Total2".
        mark = bare[1]
        marked_word = re.compile(rf"\w*[^\W\d]\)?{mark}" if mark.isdigit() else rf".*\d{mark}")
        return any(marked_word.fullmatch(word) for cell in cells for word in cell.split()[-1:])
    return False


def _is_unit_line(item: PhysicalObject) -> bool:
    return item.kind is Kind.PARAGRAPH and _unit_in(item.text) != ""


def _unit_in(text: str) -> str:
    """The unit in brackets or at the end of a line, or the line if it is nothing but a unit."""
    line = _one_line(text)
    if len(line) > MAX_UNIT_LINE_CHARS or not SCALE.search(line):
        return ""
    for inside in BRACKETED.findall(line):
        if UNIT.search(inside) or SCALE_ALONE.match(inside):
            return str(inside)
    if not UNIT.search(line):
        return ""
    if at_end := UNIT_AT_END.search(line):
        return at_end[1]
    return line if UNIT_LINE.match(line) else ""


def _one_line(text: str) -> str:
    return " ".join(text.split())
