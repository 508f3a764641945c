"""The JSON form of a physical object: its text, style and place, its spans, and the cells of a table.

Text and page are all that an object must have. A field that most objects do not need is left out.
"""

from __future__ import annotations

from typing import Any

from held.document import Kind, Mark, PageRegion, PhysicalObject, Span, Style, TableCell, TableStructure
from held.serial.common import optional_number, own_box, style_from_json, style_to_json
from held.system.json_values import JsonValue
from held.system.limits import MOST_PAGES


def object_to_json(item: PhysicalObject) -> dict[str, Any]:
    """The object as a JSON object."""
    value: dict[str, Any] = {
        "text": item.text,
        "kind": item.kind.value,
        "page": item.page,
        "box": list(item.box),
        "style": style_to_json(item.style),
        "centred": item.centred,
        "indent": item.indent,
        "caps": item.caps,
        "lines": item.lines,
        "gap_above": item.gap_above,
        "gap_below": item.gap_below,
        "column": item.column,
        "relative_size": item.relative_size,
    }
    if len(item.parts) > 1:
        value["parts"] = [{"page": part.page, "box": list(part.box)} for part in item.parts]
    if item.rows:
        value["rows"] = [list(row) for row in item.rows]
    if item.table is not None:
        value |= _structure_to_json(item.table)
    if item.spans:
        value["spans"] = [_span_to_json(span) for span in item.spans]
    if item.note:
        value["note"] = item.note
    return value


def _span_to_json(span: Span) -> dict[str, Any]:
    value: dict[str, Any] = {"start": span.start, "end": span.end, "mark": span.mark.value}
    return value | {"note": span.note} if span.note else value


def _structure_to_json(table: TableStructure) -> dict[str, Any]:
    return {
        "cells": [cell._asdict() | {"box": list(cell.box)} for cell in table.cells],
        "caption": table.caption,
        "unit": table.unit,
        "table_notes": list(table.notes),
        "doubtful": table.doubtful,
    }


def object_from_json(value: JsonValue, body: Style) -> PhysicalObject:
    """The object that a JSON object describes; its size is told relative to that of the body."""
    style = style_from_json(value.get("style", {}))
    text = value["text"].text()
    first = _part(value)
    return PhysicalObject(
        kind=_kind(value.get("kind", Kind.PARAGRAPH.value)),
        text=text,
        parts=tuple(_part(part) for part in value.get("parts", []).items()) or (first,),
        style=style,
        centred=value.get("centred", False).flag(),
        indent=value.get("indent", 0.0).number(),
        caps=value.get("caps", text.isupper()).flag(),
        lines=value.get("lines", 1).whole(),
        gap_above=optional_number(value.get("gap_above", None)),
        gap_below=optional_number(value.get("gap_below", None)),
        column=value.get("column", 0).whole(),
        relative_size=value.get("relative_size", _relative_size(style, body)).number(),
        rows=tuple(tuple(cell.text() for cell in row.items()) for row in value.get("rows", []).items()),
        table=_structure(value, first.page) if "cells" in value else None,
        spans=tuple(_span(span, len(text)) for span in value.get("spans", []).items()),
        note=value.get("note", "").text(),
    )


def _span(value: JsonValue, length: int) -> Span:
    start = value["start"].whole()
    end = value["end"].whole(least=start)
    if end > length:
        value["end"].fail(f"at most {length}, the length of the text")
    mark = value["mark"]
    if mark.value not in Mark.__members__.values():
        mark.fail("one of " + ", ".join(Mark))
    return Span(start, end, Mark(mark.value), value.get("note", "").text())


def _structure(value: JsonValue, page: int) -> TableStructure:
    return TableStructure(
        cells=tuple(_cell(cell, page) for cell in value["cells"].items()),
        caption=value.get("caption", "").text(),
        unit=value.get("unit", "").text(),
        notes=tuple(note.text() for note in value.get("table_notes", []).items()),
        doubtful=value.get("doubtful", False).flag(),
    )


def _cell(value: JsonValue, page: int) -> TableCell:
    return TableCell(
        row=value["row"].whole(),
        column=value["column"].whole(),
        text=value["text"].text(),
        row_span=value.get("row_span", 1).whole(least=1),
        column_span=value.get("column_span", 1).whole(least=1),
        header=value.get("header", False).flag(),
        page=value.get("page", page).whole(least=1),
        box=own_box(value),
    )


def _relative_size(style: Style, body: Style) -> float:
    return style.size / body.size if style.size > 0 and body.size > 0 else 1.0


def _part(value: JsonValue) -> PageRegion:
    return PageRegion(value["page"].whole(least=1, most=MOST_PAGES), own_box(value))


def _kind(value: JsonValue) -> Kind:
    if value.value not in Kind.__members__.values():
        value.fail("one of " + ", ".join(Kind))
    return Kind(value.value)
