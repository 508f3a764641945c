"""The JSON forms of pages and documents: versioned, and described by the schemas in `held/schemas`.

Reading back gives the same value. A document may also come from another layout engine with as little
as the text and page of each object: what is left out gets a default or is computed. An error names
the file and the way to the value that is wrong (`objects[3].box`).
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from held.document import (
    FURNITURE,
    Box,
    Document,
    Kind,
    Mark,
    Note,
    OutlineEntry,
    PageContent,
    Pages,
    PageSize,
    Part,
    PhysicalObject,
    Run,
    Span,
    Style,
    TableCell,
    TableStructure,
    body_style,
)
from held.errors import InputError, VersionError
from held.jsonvalue import JsonValue, is_number
from held.limits import MOST_PAGES
from held.stored import require_file, stored_json
from held.writing import write_whole

DOCUMENT_FORMAT = "held.document"
PAGES_FORMAT = "held.pages"
VERSIONS = {DOCUMENT_FORMAT: (1, 2), PAGES_FORMAT: (1,)}  # those that are read; the last is written

_OBEYED = re.compile("[\x7f-\x9f]")
_COLOUR = re.compile("[0-9a-f]{6}")
_A4 = (595.0, 842.0)


# Files


def read_json(path: str | os.PathLike[str]) -> dict[str, Any]:
    """The JSON object in a file, xz-compressed or plain."""
    return JsonValue(read_json_value(path), file=os.fspath(path)).fields()


def read_json_value(path: str | os.PathLike[str]) -> Any:
    """The JSON value in a file, xz-compressed or plain, whatever it is."""
    return stored_json(path)


def write_json(path: str | os.PathLike[str], value: dict[str, Any]) -> None:
    """Write a JSON object to a file."""
    write_whole(path, dumps(value))


def hash_of(path: Path) -> str:
    """The SHA-256 of a file's content."""
    require_file(path)
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", file=path) from error


def dumps(value: dict[str, Any]) -> bytes:
    """A JSON object as UTF-8, with each element of its arrays on a line of its own."""
    try:
        return _laid_out(value, ascii_only=False).encode()
    except UnicodeEncodeError:  # a lone surrogate, from a damaged font: JSON can only escape it
        return _laid_out(value, ascii_only=True).encode()


def _laid_out(value: dict[str, Any], *, ascii_only: bool) -> str:
    def compact(item: object) -> str:
        return escaped(json.dumps(item, ensure_ascii=ascii_only, allow_nan=False))

    lines = []
    for name, item in value.items():
        if isinstance(item, list) and item:
            lines.append(f"{compact(name)}: [\n  " + ",\n  ".join(map(compact, item)) + "\n ]")
        else:
            lines.append(f"{compact(name)}: {compact(item)}")
    return "{\n " + ",\n ".join(lines) + "\n}\n"


def escaped(text: str) -> str:
    """JSON with those control characters escaped, too, that it need not escape but terminals obey."""
    return _OBEYED.sub(lambda found: f"\\u{ord(found[0]):04x}", text) if _OBEYED.search(text) else text


def read_document(path: str | os.PathLike[str]) -> Document:
    """The document in a JSON file, ours or another engine's."""
    return document_from_json(read_json(path), file=path)


def read_pages(path: str | os.PathLike[str]) -> Pages:
    """The pages in a JSON file."""
    return pages_from_json(read_json(path), file=path)


# Documents


def document_to_json(document: Document) -> dict[str, Any]:
    """The document as a JSON object."""
    return {
        "format": DOCUMENT_FORMAT,
        "version": VERSIONS[DOCUMENT_FORMAT][-1],
        "source": document.source,
        "first_page": document.first_page,
        "body": _style_to_json(document.body),
        "pages": [page._asdict() for page in document.pages],
        "objects": [_object_to_json(item) for item in document.objects],
        "furniture": [_object_to_json(item) for item in document.furniture],
        "notes": [note._asdict() for note in document.notes],
        **({"lost": list(document.lost)} if document.lost else {}),
    }


def document_from_json(value: dict[str, Any], *, file: str | os.PathLike[str] | None = None) -> Document:
    """The document that a JSON object describes; `file` is for messages."""
    root = _checked(value, DOCUMENT_FORMAT, file)
    given = root["objects"].items()
    styles = [_style(item.get("style", {})) for item in given]
    if "body" in root:
        body = _style(root["body"])
    else:
        body = body_style(
            (style, len(item["text"].text())) for style, item in zip(styles, given, strict=True)
        )
    first_page = root.get("first_page", 1).whole(least=1, most=MOST_PAGES)
    objects = [_object(item, body) for item in given]
    furniture = [_object(item, body) for item in root.get("furniture", []).items()]
    sizes = _page_sizes(root, objects + furniture, first_page)
    for item, stated in zip(objects, given, strict=True):
        # Headings above pages that were cut out stand before the first.
        if sizes and not all(part.page - first_page < len(sizes) for part in item.parts):
            stated["page"].fail(f"a page up to {first_page + len(sizes) - 1}")
    return Document(
        source=root.get("source", "").text(),
        pages=sizes,
        objects=tuple(item for item in objects if item.kind not in FURNITURE),
        furniture=(*furniture, *(item for item in objects if item.kind in FURNITURE)),
        body=body,
        notes=_notes(root),
        first_page=first_page,
        lost=_lost(root),
    )


def _object_to_json(item: PhysicalObject) -> dict[str, Any]:
    value: dict[str, Any] = {
        "text": item.text,
        "kind": item.kind.value,
        "page": item.page,
        "box": list(item.box),
        "style": _style_to_json(item.style),
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


def _object(value: JsonValue, body: Style) -> PhysicalObject:
    style = _style(value.get("style", {}))
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
        gap_above=_optional_number(value.get("gap_above", None)),
        gap_below=_optional_number(value.get("gap_below", None)),
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
        box=_box(value.get("box", (0.0, 0.0, 0.0, 0.0))),
    )


def _relative_size(style: Style, body: Style) -> float:
    return style.size / body.size if style.size > 0 and body.size > 0 else 1.0


def _part(value: JsonValue) -> Part:
    return Part(value["page"].whole(least=1, most=MOST_PAGES), _box(value.get("box", (0.0, 0.0, 0.0, 0.0))))


def _kind(value: JsonValue) -> Kind:
    if value.value not in Kind.__members__.values():
        value.fail("one of " + ", ".join(Kind))
    return Kind(value.value)


def _page_sizes(root: JsonValue, objects: Sequence[PhysicalObject], first_page: int) -> tuple[PageSize, ...]:
    """The pages' measures; where the file has none, all pages are as large as the boxes reach."""
    if "pages" in root:
        return tuple(
            PageSize(page["width"].number(), page["height"].number(), _optional_text(page.get("label", None)))
            for page in root["pages"].items()
        )
    parts = [part for item in objects for part in item.parts]
    width = max((part.box.x1 for part in parts), default=0.0) or _A4[0]
    height = max((part.box.y1 for part in parts), default=0.0) or _A4[1]
    last = max((part.page for part in parts), default=0)
    return (PageSize(width, height),) * (last - first_page + 1)


# Pages


def pages_to_json(pages: Pages) -> dict[str, Any]:
    """The pages as a JSON object."""
    return {
        "format": PAGES_FORMAT,
        "version": VERSIONS[PAGES_FORMAT][-1],
        "source": pages.source,
        "first_page": pages.first_page,
        "styles": [_style_to_json(style) for style in pages.styles],
        "pages": [_page_to_json(page) for page in pages.pages],
        "outline": [entry._asdict() for entry in pages.outline],
        "notes": [note._asdict() for note in pages.notes],
        **({"lost": list(pages.lost)} if pages.lost else {}),
    }


def pages_from_json(value: dict[str, Any], *, file: str | os.PathLike[str] | None = None) -> Pages:
    """The pages that a JSON object describes; `file` is for messages."""
    root = _checked(value, PAGES_FORMAT, file)
    styles = tuple(_style(style) for style in root["styles"].items())
    return Pages(
        source=root.get("source", "").text(),
        styles=styles,
        pages=tuple(_page(page, len(styles)) for page in root["pages"].items()),
        outline=tuple(_outline_entry(entry) for entry in root.get("outline", []).items()),
        notes=_notes(root),
        first_page=root.get("first_page", 1).whole(least=1, most=MOST_PAGES),
        lost=_lost(root),
    )


def _page_to_json(page: PageContent) -> dict[str, Any]:
    return {
        "width": page.width,
        "height": page.height,
        "rotation": page.rotation,
        "label": page.label,
        "runs": [list(run) for run in page.runs],
        "rules": [list(box) for box in page.rules],
        "images": [list(box) for box in page.images],
        "fields": [list(run) for run in page.fields],
    }


def _page(value: JsonValue, styles: int) -> PageContent:
    return PageContent(
        width=value["width"].number(),
        height=value["height"].number(),
        runs=tuple(_run(run, styles) for run in value["runs"].items()),
        rules=tuple(_box(box) for box in value.get("rules", []).items()),
        images=tuple(_box(box) for box in value.get("images", []).items()),
        fields=tuple(_run(run, styles) for run in value.get("fields", []).items()),
        rotation=value.get("rotation", 0).whole(),
        label=_optional_text(value.get("label", None)),
    )


def _run(value: JsonValue, styles: int) -> Run:
    match value.value:
        case [x0, y0, x1, y1, int(style), str(text)] if 0 <= style < styles and all(
            map(is_number, (x0, y0, x1, y1))
        ):
            return Run(float(x0), float(y0), float(x1), float(y1), style, text)
    return value.fail(f"[x0, y0, x1, y1, style below {styles}, text]")


def _outline_entry(value: JsonValue) -> OutlineEntry:
    page = value.get("page", None)
    return OutlineEntry(
        level=value["level"].whole(least=1),
        title=value["title"].text(),
        page=None if page.value is None else page.whole(least=1),
        y=_optional_number(value.get("y", None)),
    )


# What both have


def _checked(value: dict[str, Any], wanted: str, file: str | os.PathLike[str] | None) -> JsonValue:
    """The value, after a look at its format and version; files without either are taken as version 1."""
    root = JsonValue(value, file=None if file is None else os.fspath(file))
    found = root.get("format", wanted)
    if found.value != wanted:
        found.fail(f'"{wanted}"')
    version = root.get("version", 1)
    if version.value not in VERSIONS[wanted]:
        known = ", ".join(map(str, VERSIONS[wanted]))
        raise VersionError(
            f"{wanted} version {version.value!r} is not known, only {known}",
            file=file,
            advice="update held, or write the file anew with this version",
        )
    return root


def _style_to_json(style: Style) -> dict[str, Any]:
    value: dict[str, Any] = {
        "font": style.font,
        "size": style.size,
        "colour": style.colour,
        "bold": style.bold,
        "italic": style.italic,
    }
    if style.render_mode:
        value["render_mode"] = style.render_mode
    if not style.upright:
        value["upright"] = False
    if style.underlined:
        value["underlined"] = True
    return value


def _style(value: JsonValue) -> Style:
    colour = value.get("colour", "000000")
    if not _COLOUR.fullmatch(colour.text()):
        colour.fail("a colour as rrggbb")
    return Style(
        font=value.get("font", "").text(),
        size=value.get("size", 0.0).number(),
        colour=colour.text(),
        bold=value.get("bold", False).flag(),
        italic=value.get("italic", False).flag(),
        render_mode=value.get("render_mode", 0).whole(),
        upright=value.get("upright", True).flag(),
        underlined=value.get("underlined", False).flag(),
    )


def _box(value: JsonValue) -> Box:
    match value.value:
        case [x0, y0, x1, y1] if all(map(is_number, (x0, y0, x1, y1))):
            return Box(float(x0), float(y0), float(x1), float(y1))
    return value.fail("[x0, y0, x1, y1] in points")


def _notes(root: JsonValue) -> tuple[Note, ...]:
    notes = []
    for note in root.get("notes", []).items():
        page = note.get("page", None)
        notes.append(Note(None if page.value is None else page.whole(least=1), note["message"].text()))
    return tuple(notes)


def _lost(root: JsonValue) -> tuple[int, ...]:
    return tuple(page.whole(least=1) for page in root.get("lost", []).items())


def _optional_number(value: JsonValue) -> float | None:
    return None if value.value is None else value.number()


def _optional_text(value: JsonValue) -> str | None:
    return None if value.value is None else value.text()
