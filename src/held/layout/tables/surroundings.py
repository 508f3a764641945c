"""What stands around a table and speaks of it: its caption, the unit of its numbers, and its notes.

The recogniser may have told them; of stored files and other engines' objects they are looked for among the
neighbours. They stay objects of their own, in their places: here is only said which table they belong to.
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
LOOK_BACK = 3  # objects between a table and the line with its unit, at most: caption, title, date
LONGEST_UNIT = (
    160  # characters: "Years ended December 31, 2025, 2024 and 2023 (in millions, except per share data)"
)
OF_FIGURE = re.compile(r"(?:figure|fig\b|chart|plate|图(?!表))", re.I)
UNIT = re.compile(
    r"\bin\s+(?:[\w$€£¥.’']+\s+){0,3}(?:thousands?|millions?|billions?)\b"
    rf"|{CURRENCY}\s?(?:thousands?|millions?|billions?)\b"
    r"|\b(?:thousands|millions|billions) of\b"
    r"|(?:\$|€|£|¥|RMB|HK\$|US\$)\s?['’]000|(?:€|£|US\$|\$)\s?(?:m|bn|million|billion)\b"
    r"|单位\s*[:：]|(?:人民币)?[千百万亿]+元",
    re.I,
)
# What every unit has, so that most lines are not looked at any further.
SCALE = re.compile(r"thousand|million|billion|单位|元|000|[€£$]\s?(?:m|bn)\b", re.I)
SCALE_ALONE = re.compile(r"(?:thousands|millions|billions)\b", re.I)
ALONE = re.compile(
    r"in\b|[$€£¥]|(?:all )?(?:amounts|dollars|figures)\b|(?:thousands|millions|billions)\b|.{0,8}单位", re.I
)
AT_END = re.compile(rf"[,，:：]\s*({CURRENCY}\s?(?:thousands?|millions?|billions?))$", re.I)
MOST_NOTES = 12  # below a table
CALLED_NOTE = re.compile(
    r"(?:notes?|sources?|footnotes?)\s?\d*\s?[:：]|(?:数据|资料)?来源\s?[:：]|注\s?\d*\s?[:：]", re.I
)
# How a note begins that a mark in the table refers to: "(1) Restated", "* Unaudited", "a Estimate".
DRESSED_MARK = re.compile(r"[(（\[](?:\d{1,2}|[a-z]|\*+)[)）\]]|[*†‡§#]{1,3}|[①-⑳]")
BARE_MARK = re.compile(r"(\d{1,2}|[a-z])(?=\s+[A-Z“\"])")
SEPARATOR = re.compile(r"[\s_–—―-]+")  # a rule that is typed
BRACKETED = re.compile(r"[(（]([^()（）]*)[)）]")
NOTE_KINDS = frozenset({Kind.PARAGRAPH, Kind.LIST_ITEM, Kind.FOOTNOTE})
NOTHING = TableStructure()


class Around(NamedTuple):
    """A table's caption, unit and notes, as printed, and the object that is the caption where it is one."""

    caption: str = ""
    unit: str = ""
    caption_object: int | None = None
    notes: tuple[str, ...] = ()


def tie_tables(objects: Sequence[PhysicalObject]) -> list[PhysicalObject]:
    """The objects, each table with the texts of what stands around it and speaks of it."""
    tied = list(objects)
    for index, found in around_tables(objects).items():
        told = objects[index].table or NOTHING
        table = replace(told, caption=found.caption, unit=found.unit, notes=found.notes)
        tied[index] = replace(objects[index], table=table)
    return tied


def around_tables(objects: Sequence[PhysicalObject], headings: Container[int] = ()) -> dict[int, Around]:
    """What stands around each table, by the table's index. A caption belongs to one table alone."""
    captions = _captions(objects)
    found = {}
    for index, item in enumerate(objects):
        if item.kind is Kind.TABLE:
            told = item.table or NOTHING
            caption = captions.get(index)
            text = told.caption or ("" if caption is None else _line(objects[caption].text))
            unit = told.unit or _unit(objects, index, text, headings)
            notes = told.notes or tuple(_notes(objects, index))
            found[index] = Around(text, unit, caption, notes)
    return found


def _captions(objects: Sequence[PhysicalObject]) -> Mapping[int, int]:
    """The caption of each table: the one before it, else the one after it that no other table needs."""
    found: dict[int, int] = {}
    for index in _tables(objects):
        before = _neighbour(objects, index, range(index - 1, -1, -1))
        if before is not None:
            found[index] = before
    taken = set(found.values())
    without = [index for index in _tables(objects) if index not in found]
    for index in without:
        after = _neighbour(objects, index, range(index + 1, len(objects)))
        if after is not None and after not in taken:
            found[index] = after
    return found


def _tables(objects: Sequence[PhysicalObject]) -> Iterator[int]:
    return (index for index, item in enumerate(objects) if item.kind is Kind.TABLE)


def _neighbour(objects: Sequence[PhysicalObject], table: int, way: Iterable[int]) -> int | None:
    """The caption right beside a table, a line with the unit at most between them."""
    told = objects[table].table or NOTHING
    for index in islice(way, 2):
        item = objects[index]
        if item.kind is Kind.CAPTION and not OF_FIGURE.match(item.text.strip()):
            same = not told.caption or _line(told.caption) == _line(item.text)
            return index if same and item.parts[-1].page == objects[table].page else None
        if not _is_unit_line(item):
            return None
    return None


def _unit(objects: Sequence[PhysicalObject], index: int, caption: str, headings: Container[int]) -> str:
    """The unit as a line above the table says it, or else its caption, its first rows or the title above."""
    page = objects[index].page
    titles = []
    for before in range(index - 1, max(-1, index - 1 - LOOK_BACK), -1):
        item = objects[before]
        if item.kind in (Kind.TABLE, Kind.FIGURE) or item.page != page:
            break
        if before in headings or item.kind in (Kind.CAPTION, Kind.HEADING):
            titles.append(item.text)
        elif _is_unit_line(item):
            return _unit_in(item.text)
    text = objects[index].text
    if text and not SCALE.search(text):
        return next(filter(None, map(_unit_in, [caption, *titles])), "")
    grid = grid_of(objects[index])
    head = [cell for cell in grid.cells if cell.row < max(1, grid.head)]
    # The unit of all numbers stands at the left or over several columns; over one column it is that one's.
    corner = [cell.text for cell in head if cell.column == 0 or cell.column_span > 1]
    return next(filter(None, map(_unit_in, [caption, *corner, *titles])), "")


def _notes(objects: Sequence[PhysicalObject], index: int) -> Iterator[str]:
    """The notes right below a table: those called so, and those whose mark stands in one of its cells."""
    page = objects[index].parts[-1].page
    for item in objects[index + 1 : index + 1 + MOST_NOTES]:
        if item.kind is Kind.CAPTION or SEPARATOR.fullmatch(item.text):
            continue
        if item.kind not in NOTE_KINDS or item.page != page or not _is_note(item.text, objects[index]):
            return
        yield _line(item.text)


def _is_note(text: str, table: PhysicalObject) -> bool:
    if CALLED_NOTE.match(text):
        return True
    if dressed := DRESSED_MARK.match(text):
        return any(cell != dressed[0] and dressed[0] in cell for cell in _cell_texts(table))
    if bare := BARE_MARK.match(text):
        # A raised mark stands right behind the last letter of a cell: "Total2".
        behind_letter = re.compile(rf"\w*[^\W\d]\)?{bare[1]}" if bare[1].isdigit() else rf".*\d{bare[1]}")
        return any(behind_letter.fullmatch(cell.split()[-1]) for cell in _cell_texts(table))
    return False


def _cell_texts(table: PhysicalObject) -> Iterator[str]:
    return (cell.strip() for row in table.rows for cell in row if cell)


def _is_unit_line(item: PhysicalObject) -> bool:
    return item.kind is Kind.PARAGRAPH and _unit_in(item.text) != ""


def _unit_in(text: str) -> str:
    """The unit that a line says in brackets or at its end, or that is all it says."""
    line = _line(text)
    if len(line) > LONGEST_UNIT or not SCALE.search(line):
        return ""
    for inside in BRACKETED.findall(line):
        if UNIT.search(inside) or SCALE_ALONE.match(inside):
            return str(inside)
    if not UNIT.search(line):
        return ""
    if at_end := AT_END.search(line):
        return at_end[1]
    return line if ALONE.match(line) else ""


def _line(text: str) -> str:
    return " ".join(text.split())
