"""Passages: the leaves of the tree with the headings above them, and the table rows in them.

A question is answered by a passage, a question for a number by a table row. Physical objects are often
smaller than a passage: a caption belongs to its figure, and a table without rules may be recognised as dozens
of short lines. Such neighbours form one passage. Entries of the printed contents are not passages: they point
to answers and contain none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from held.document import Kind, PageRegion, PhysicalObject, TableCell, bounding_box
from held.hierarchy import Hierarchy
from held.retrieval.tokens import content_words, tokens
from held.tree import ROOT

MAX_FRAGMENT_WORDS = 20  # a shorter text that does not end a sentence is a fragment
MAX_JOINED_WORDS = 300  # fragments are joined up to this
MAX_LABEL_WORDS = 10  # content words; a longer line outside tables is a sentence
_MAX_HEADER_ROWS = 4  # of a table whose cells are not recognised

_FRAGMENT_KINDS = frozenset({Kind.PARAGRAPH, Kind.LIST_ITEM, Kind.FOOTNOTE})
_FLOATS = frozenset({Kind.FIGURE, Kind.TABLE})
_CHECKBOXES = re.compile(r"(?:[□√☐☑☒✓✔■¨þ\s]|不?适用|是|否|yes|no)+", re.IGNORECASE)
_SENTENCE_ENDS = tuple(".!?;。！？；")

_VALUE = re.compile(r"[-+(（]?\s*[$€£¥￥]?\s*\d[\d,.，]*\s*%?\s*[)）]?|[—–-]+")
_YEAR = re.compile(r"(?:19|20)\d\d")
_SIGNS = re.compile(r"[\s$€£¥￥%()（）]*")  # often in a cell of their own beside a value
_SCALE = r"\bin (?:thousands|millions|billions)\b"
_SCALE_ALONE = re.compile(_SCALE, re.IGNORECASE)
_UNIT = re.compile(rf"\(?[^().;]{{0,40}}{_SCALE}[^().;]{{0,60}}\)?", re.IGNORECASE)
_CHINESE_UNIT = re.compile(r"单位\s*[:：]\s*\S+")


class TableRow(NamedTuple):
    """A table row: its label, the cells after it from left to right, and the column header of each.

    A header is "" if there is none above the cell. `part` is the row's region on the page, None if only the
    region of its table is known.
    """

    label: str
    values: tuple[str, ...] = ()
    headers: tuple[str, ...] = ()
    part: PageRegion | None = None


@dataclass(frozen=True, slots=True)
class Passage:
    """A leaf of the tree, or several neighbours that belong together.

    `path` has the texts of the headings above it from the top, and `ancestors` their objects. `position`
    counts from 1 among the `siblings` children of its parent, headings included. Of several objects `object`
    and `position` are those of the first. `parts` are their page regions, `rows` the table rows in it, and
    `unit` is the unit of its numbers, if the page names one.
    """

    text: str
    kind: Kind
    page: int
    path: tuple[str, ...] = ()
    object: int = 0
    position: int = 1
    siblings: int = 1
    ancestors: tuple[int, ...] = ()
    pages: tuple[int, ...] = ()
    parts: tuple[PageRegion, ...] = ()
    rows: tuple[TableRow, ...] = ()
    unit: str = ""


def split_into_passages(hierarchy: Hierarchy) -> list[Passage]:
    """The passages of a document in reading order."""
    objects = hierarchy.document.objects
    children = hierarchy.tree.children()
    paths = hierarchy.tree.paths()
    found: list[Passage] = []
    for parent, below in children.items():
        ancestors = () if parent == ROOT else paths[parent]
        path = tuple(_on_one_line(objects[obj].text) for obj in ancestors)
        position = {obj: number for number, obj in enumerate(below, start=1)}
        leaves = [obj for obj in below if not children[obj] and objects[obj].kind is not Kind.CONTENTS_ENTRY]
        for group in _group_leaves(leaves, objects):
            first = group[0]
            passage = replace(
                _join_objects([objects[obj] for obj in group]),
                path=path,
                object=first,
                position=position[first],
                siblings=len(below),
                ancestors=ancestors,
            )
            if _has_content(passage):
                found.append(passage)
    # The children of a heading are together so far; a subheading may stand between them.
    found.sort(key=lambda passage: passage.object)
    return list(_add_units(found))


def _join_objects(items: Sequence[PhysicalObject]) -> Passage:
    """A passage of these neighbours, without its position in the tree."""
    parts: list[PageRegion] = []
    rows: list[TableRow] = []
    units: list[str] = []
    for item in items:
        parts += item.parts
        rows += table_rows(item)
        if item.table and item.table.unit:
            units.append(item.table.unit)
    pages = {part.page for part in parts}
    return Passage(
        text="\n".join(item.text for item in items),
        kind=_kind(items),
        page=items[0].page,
        pages=tuple(sorted(pages)),
        parts=tuple(parts),
        rows=tuple(rows),
        unit=units[0] if units else "",
    )


def _add_units(passages: Sequence[Passage]) -> Iterator[Passage]:
    """Gives each passage with rows the unit that it names, or that was last named above it on its page."""
    page, unit = 0, ""
    for passage in passages:
        if passage.page != page:
            page, unit = passage.page, ""
        heading = " ".join(passage.path[-1:])
        unit = passage.unit or find_unit(passage.text) or find_unit(heading) or unit
        yield replace(passage, unit=unit) if unit and passage.rows else passage


def _group_leaves(leaves: Sequence[int], objects: Sequence[PhysicalObject]) -> Iterator[list[int]]:
    """The leaves of one parent, grouped into passages."""
    group: list[int] = []
    words = 0
    for obj in leaves:
        if group:
            last = group[-1]
            has_room = words < MAX_JOINED_WORDS and obj == last + 1
            if not has_room or not _belong_together(objects[last], objects[obj]):
                yield group
                group, words = [], 0
        group.append(obj)
        words += len(tokens(objects[obj].text))
    if group:
        yield group


def _belong_together(before: PhysicalObject, after: PhysicalObject) -> bool:
    """Whether two neighbours form one passage: fragments of a page, a table with its caption."""
    if before.parts[-1].page != after.page:
        return False
    if after.kind is Kind.CAPTION:
        return before.kind is Kind.FIGURE
    if after.kind in _FLOATS:
        # Tables are often recognised in pieces, and have their caption or title above them.
        return before.kind in _FLOATS or before.kind is Kind.CAPTION or _is_fragment(before)
    introduces = after.kind in _FRAGMENT_KINDS and _is_introduction(before)
    return _is_fragment(before) and (introduces or _is_fragment(after))


def _is_introduction(item: PhysicalObject) -> bool:
    """Whether a fragment introduces what follows: an unrecognised title, "We sell:"; not a ticked box."""
    return _has_letter(item.text) and not _CHECKBOXES.fullmatch(item.text)


def _is_fragment(item: PhysicalObject) -> bool:
    if item.kind not in _FRAGMENT_KINDS or item.text.rstrip().endswith(_SENTENCE_ENDS):
        return False
    return len(tokens(item.text)) < MAX_FRAGMENT_WORDS


def _has_content(passage: Passage) -> bool:
    """Whether a passage has words: a page number, a dollar sign or ticked boxes are not a passage."""
    if _CHECKBOXES.fullmatch(passage.text):
        return False
    return _has_letter(passage.text) or (passage.kind is Kind.TABLE and bool(passage.text.strip()))


def _kind(items: Sequence[PhysicalObject]) -> Kind:
    """The kind of a passage: figure or table if it has one."""
    for item in items:
        if item.kind in _FLOATS:
            return item.kind
    return items[0].kind


def table_rows(item: PhysicalObject) -> tuple[TableRow, ...]:
    """The rows of an object that have a label.

    Recognised cells come with their headers and spans; otherwise the first rows without a value are headers.
    A short line outside tables is a row with its text as the label: an unrecognised table is often a heap of
    such lines.
    """
    if item.table is not None and item.table.cells:
        return tuple(_rows_from_cells(item.table.cells))
    if item.rows and item.kind is not Kind.CONTENTS_ENTRY:
        return tuple(_rows_from_texts(item.rows))
    label = _on_one_line(item.text)
    words = content_words(tokens(label))
    if _has_letter(label) and len(words) <= MAX_LABEL_WORDS:
        return (TableRow(label, part=item.parts[0]),)
    return ()


def find_unit(text: str) -> str:
    """The unit that a text gives for its numbers: "in millions of dollars"; empty if there is none."""
    # The short pattern goes first: the long one visits each character up to forty times.
    found = _UNIT.search(text) if _SCALE_ALONE.search(text) else None
    found = found or _CHINESE_UNIT.search(text)
    return _on_one_line(found[0].strip("() ")) if found else ""


def _rows_from_cells(cells: Sequence[TableCell]) -> Iterator[TableRow]:
    headers: dict[int, list[str]] = {}
    by_row: dict[int, list[TableCell]] = {}
    for cell in cells:
        if cell.header:
            end = cell.column + cell.column_span
            for column in range(cell.column, end):
                headers.setdefault(column, []).append(cell.text)
        else:
            by_row.setdefault(cell.row, []).append(cell)
    for row in by_row.values():
        label, *others = sorted(row, key=lambda cell: cell.column)
        if not _has_letter(label.text):
            continue
        values: list[str] = []
        value_headers: list[str] = []
        for cell in others:
            if not _SIGNS.fullmatch(cell.text):
                values.append(_on_one_line(cell.text))
                value_headers.append(" ".join(headers.get(cell.column, ())))
        # A row that a page break divides is located by the page of its label.
        boxes = [cell.box for cell in row if cell.page == label.page]
        region = PageRegion(label.page, bounding_box(boxes))
        yield TableRow(_on_one_line(label.text), tuple(values), tuple(value_headers), region)


def _rows_from_texts(rows: Sequence[Sequence[str]]) -> Iterator[TableRow]:
    headers: dict[int, str] = {}
    for number, row in enumerate(rows):
        if number < _MAX_HEADER_ROWS and _is_header(row):
            for column, text in enumerate(row):
                headers[column] = f"{headers.get(column, '')} {text}".strip()
            continue
        label = ""
        values: list[str] = []
        value_headers: list[str] = []
        for column, text in enumerate(row):
            if not label:
                # The label is the first cell with a letter; the row's own number may come before it.
                label = _on_one_line(text) if _has_letter(text) else ""
            elif not _SIGNS.fullmatch(text):
                values.append(text)
                value_headers.append(headers.get(column, ""))
        if label:
            yield TableRow(label, tuple(values), tuple(value_headers))


def _is_header(row: Sequence[str]) -> bool:
    """Whether a row names columns: beside its first cell it has texts or years, and no value."""
    has_text = False
    for text in row[1:]:
        if _SIGNS.fullmatch(text):
            continue
        if _VALUE.fullmatch(text) and not _YEAR.fullmatch(text):
            return False
        has_text = True
    return has_text


def _has_letter(text: str) -> bool:
    return any(map(str.isalpha, text))


def _on_one_line(text: str) -> str:
    return " ".join(text.split())
