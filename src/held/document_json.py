"""The JSON formats of `Pages` and `Document`: versioned, and described by the schemas in `held/schemas`.

Reading a file gives back the value that was written. A document may also come from another layout engine with
as little as the text and page of each object; missing fields get a default or are computed. An error names
the file and the position of the wrong value, such as `objects[3].box`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TypeVar

from held.document import (
    FURNITURE,
    Box,
    Document,
    Kind,
    Mark,
    Metadata,
    Note,
    OutlineEntry,
    PageContent,
    PageRegion,
    Pages,
    PageSize,
    PhysicalObject,
    Run,
    Span,
    Style,
    TableCell,
    TableStructure,
    body_style,
)
from held.errors import VersionError
from held.system.bounded_json import AnyPath, JsonValue, Record, is_number, read_json
from held.system.limits import MAX_PAGES

T = TypeVar("T")

DOCUMENT_FORMAT = "held.document"
PAGES_FORMAT = "held.pages"
VERSIONS = {DOCUMENT_FORMAT: (1, 2), PAGES_FORMAT: (1,)}  # versions we read; we write the last one

A4 = (595.0, 842.0)  # points
RUN_FIELDS = 6  # of a run in JSON: all but its words
NO_BOX = (0.0, 0.0, 0.0, 0.0)  # for objects and cells without a box
_COLOUR = re.compile("[0-9a-f]{6}")


# --- pages ---


def read_pages(path: AnyPath) -> Pages:
    """The pages in a JSON file."""
    return pages_from_json(read_json(path), file=path)


def pages_to_json(pages: Pages) -> Record:
    """The pages as a JSON object."""
    value = {
        "format": PAGES_FORMAT,
        "version": VERSIONS[PAGES_FORMAT][-1],
        "source": pages.source,
        "first_page": pages.first_page,
        "styles": [_style_to_json(style) for style in pages.styles],
        "pages": [_page_to_json(page) for page in pages.pages],
        "outline": [entry._asdict() for entry in pages.outline],
        "notes": [note._asdict() for note in pages.notes],
    }
    for name in ("lost", "recognised", "unread"):
        numbers = getattr(pages, name)
        if numbers:
            value[name] = list(numbers)
    if pages.metadata != Metadata():
        value["metadata"] = _metadata_to_json(pages.metadata)
    return value


def _metadata_to_json(metadata: Metadata) -> Record:
    return {
        "title": metadata.title,
        "authors": list(metadata.authors),
        "language": metadata.language,
        "date": metadata.date,
    }


def _metadata(root: JsonValue) -> Metadata:
    value = root.get("metadata", {})
    return Metadata(
        title=value.get("title", "").text(),
        authors=_array(value, "authors", lambda name: name.text()),
        language=value.get("language", "").text(),
        date=value.get("date", "").text(),
    )


def _page_to_json(page: PageContent) -> Record:
    value = {
        "width": page.width,
        "height": page.height,
        "rotation": page.rotation,
        "label": page.label,
        "runs": [list(run[:RUN_FIELDS]) for run in page.runs],
        "rules": [list(box) for box in page.rules],
        "images": [list(box) for box in page.images],
        "fields": [list(run[:RUN_FIELDS]) for run in page.fields],
        # Few runs have words, so these are stored separately, each with the index of its run.
        "words": [[index, *word] for index, run in enumerate(page.runs) for word in run.words],
    }
    return value | {"turn": page.turn} if page.turn else value


def pages_from_json(value: Record, *, file: AnyPath | None = None) -> Pages:
    """The pages that a JSON object describes; `file` is for messages."""
    root = _check_format(value, PAGES_FORMAT, file)
    styles = tuple(_style(style) for style in root["styles"].items())
    return Pages(
        source=root.get("source", "").text(),
        styles=styles,
        pages=tuple(_page(page, len(styles)) for page in root["pages"].items()),
        outline=_array(root, "outline", _outline_entry),
        notes=_array(root, "notes", note_from_json),
        first_page=root.get("first_page", 1).integer(minimum=1, maximum=MAX_PAGES),
        lost=_page_numbers(root, "lost"),
        recognised=_page_numbers(root, "recognised"),
        unread=_page_numbers(root, "unread"),
        metadata=_metadata(root),
    )


def _page(value: JsonValue, style_count: int) -> PageContent:
    runs = [_run(run, style_count) for run in value["runs"].items()]
    return PageContent(
        width=value["width"].number(),
        height=value["height"].number(),
        runs=_add_words(runs, value.get("words", [])),
        rules=_array(value, "rules", _box),
        images=_array(value, "images", _box),
        fields=_array(value, "fields", lambda run: _run(run, style_count)),
        rotation=value.get("rotation", 0).integer(),
        label=_optional_text(value.get("label", None)),
        turn=value.get("turn", 0).integer(),
    )


def _run(value: JsonValue, style_count: int) -> Run:
    # One array for each run, not an object: a document has tens of thousands of runs.
    match value.value:
        case [x0, y0, x1, y1, int(style), str(text)] if 0 <= style < style_count:
            if all(map(is_number, (x0, y0, x1, y1))):
                return Run(float(x0), float(y0), float(x1), float(y1), style, text)
    return value.fail(f"[x0, y0, x1, y1, style below {style_count}, text]")


def _add_words(runs: list[Run], words: JsonValue) -> tuple[Run, ...]:
    for word in words.items():
        match word.value:
            case [int(index), x0, y0, x1, y1] if 0 <= index < len(runs):
                if all(map(is_number, (x0, y0, x1, y1))):
                    box = Box(float(x0), float(y0), float(x1), float(y1))
                    runs[index] = runs[index]._replace(words=(*runs[index].words, box))
                    continue
        return word.fail(f"[index of a run below {len(runs)}, x0, y0, x1, y1]")
    return tuple(runs)


def _outline_entry(value: JsonValue) -> OutlineEntry:
    return OutlineEntry(
        level=value["level"].integer(minimum=1),
        title=value["title"].text(),
        page=_optional_page(value.get("page", None)),
        y=optional_number(value.get("y", None)),
    )


# --- documents ---


def read_document(path: AnyPath) -> Document:
    """The document in a JSON file, ours or another engine's."""
    return document_from_json(read_json(path), file=path)


def document_to_json(document: Document) -> Record:
    """The document as a JSON object."""
    value = {
        "format": DOCUMENT_FORMAT,
        "version": VERSIONS[DOCUMENT_FORMAT][-1],
        "source": document.source,
        "first_page": document.first_page,
        "body": _style_to_json(document.body),
        "pages": [page._asdict() for page in document.pages],
        "objects": [_object_to_json(item) for item in document.objects],
        "furniture": [_object_to_json(item) for item in document.furniture],
        "notes": [note._asdict() for note in document.notes],
    }
    for name in ("lost", "recognised"):
        numbers = getattr(document, name)
        if numbers:
            value[name] = list(numbers)
    if document.metadata != Metadata():
        value["metadata"] = _metadata_to_json(document.metadata)
    return value


def document_from_json(value: Record, *, file: AnyPath | None = None) -> Document:
    """The document that a JSON object describes; `file` is for messages."""
    root = _check_format(value, DOCUMENT_FORMAT, file)
    first_page = root.get("first_page", 1).integer(minimum=1, maximum=MAX_PAGES)
    body = _body_style(root)
    listed = [_object(item, body) for item in root["objects"].items()]
    furniture = list(_array(root, "furniture", lambda item: _object(item, body)))
    sizes = _page_sizes(root, listed + furniture, first_page)
    if sizes:
        last_page = first_page + len(sizes) - 1
        _check_pages(root, listed, last_page)
    objects: list[PhysicalObject] = []
    for item in listed:
        # Other engines list running heads and page numbers among the objects.
        target = furniture if item.kind in FURNITURE else objects
        target.append(item)
    return Document(
        source=root.get("source", "").text(),
        pages=sizes,
        objects=tuple(objects),
        furniture=tuple(furniture),
        body=body,
        notes=_array(root, "notes", note_from_json),
        first_page=first_page,
        lost=_page_numbers(root, "lost"),
        recognised=_page_numbers(root, "recognised"),
        metadata=_metadata(root),
    )


def _body_style(root: JsonValue) -> Style:
    if "body" in root:
        return _style(root["body"])
    weighted_styles = []
    for item in root["objects"].items():
        style = _style(item.get("style", {}))
        length = len(item["text"].text())
        weighted_styles.append((style, length))
    return body_style(weighted_styles)


def _page_sizes(root: JsonValue, objects: Sequence[PhysicalObject], first_page: int) -> tuple[PageSize, ...]:
    """The sizes of the pages; without any, all pages are as large as the boxes reach."""
    if "pages" in root:
        return tuple(_page_size(page) for page in root["pages"].items())
    width = height = 0.0
    last_page = 0
    for item in objects:
        for part in item.parts:
            width = max(width, part.box.x1)
            height = max(height, part.box.y1)
            last_page = max(last_page, part.page)
    size = PageSize(width or A4[0], height or A4[1])
    return (size,) * (last_page - first_page + 1)


def _page_size(value: JsonValue) -> PageSize:
    return PageSize(
        width=value["width"].number(),
        height=value["height"].number(),
        label=_optional_text(value.get("label", None)),
    )


def _check_pages(root: JsonValue, objects: Sequence[PhysicalObject], last_page: int) -> None:
    """Fail at an object that ends after the last page.

    An object before the first page is fine: an extract of a document keeps the headings above it.
    """
    for item, value in zip(objects, root["objects"].items(), strict=True):
        if max(part.page for part in item.parts) > last_page:
            value["page"].fail(f"a page up to {last_page}")


# --- objects: only text and page are required, and fields that few objects need are left out ---


def _object_to_json(item: PhysicalObject) -> Record:
    value: Record = {
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
        value |= _table_to_json(item.table)
    if item.spans:
        value["spans"] = [_span_to_json(span) for span in item.spans]
    if item.note:
        value["note"] = item.note
    return value


def _span_to_json(span: Span) -> Record:
    value: Record = {"start": span.start, "end": span.end, "mark": span.mark.value}
    if span.note:
        value["note"] = span.note
    return value


def _table_to_json(table: TableStructure) -> Record:
    return {
        "cells": [_cell_to_json(*cell) for cell in table.cells],
        "caption": table.caption,
        "unit": table.unit,
        "table_notes": list(table.notes),
        "doubtful": table.doubtful,
        "doubts": list(table.doubts),
    }


def _cell_to_json(
    row: int, column: int, text: str, row_span: int, column_span: int, header: bool, page: int, box: Box
) -> Record:
    # The fields of a `TableCell`; a long report has ten thousand of them, and `_asdict` takes twice as long.
    return {
        "row": row,
        "column": column,
        "text": text,
        "row_span": row_span,
        "column_span": column_span,
        "header": header,
        "page": page,
        "box": list(box),
    }


def _object(value: JsonValue, body: Style) -> PhysicalObject:
    style = _style(value.get("style", {}))
    text = value["text"].text()
    first_part = _part(value)  # `page` and `box` are there even where `parts` has all regions
    parts = _array(value, "parts", _part) or (first_part,)
    return PhysicalObject(
        kind=_kind(value.get("kind", Kind.PARAGRAPH.value)),
        text=text,
        parts=parts,
        style=style,
        centred=value.get("centred", False).flag(),
        indent=value.get("indent", 0.0).number(),
        caps=value.get("caps", text.isupper()).flag(),
        lines=value.get("lines", 1).integer(),
        gap_above=optional_number(value.get("gap_above", None)),
        gap_below=optional_number(value.get("gap_below", None)),
        column=value.get("column", 0).integer(),
        relative_size=value.get("relative_size", _relative_size(style, body)).number(),
        rows=_array(value, "rows", _row),
        table=_table(value, first_part.page) if "cells" in value else None,
        spans=_array(value, "spans", lambda span: _span(span, len(text))),
        note=value.get("note", "").text(),
    )


def _kind(value: JsonValue) -> Kind:
    if value.value not in Kind.__members__.values():
        value.fail("one of " + ", ".join(Kind))
    return Kind(value.value)


def _row(value: JsonValue) -> tuple[str, ...]:
    return tuple(cell.text() for cell in value.items())


def _part(value: JsonValue) -> PageRegion:
    page = value["page"].integer(minimum=1, maximum=MAX_PAGES)
    return PageRegion(page, _box(value.get("box", NO_BOX)))


def _relative_size(style: Style, body: Style) -> float:
    has_sizes = style.size > 0 and body.size > 0  # other engines may not know font sizes
    return style.size / body.size if has_sizes else 1.0


def _span(value: JsonValue, text_length: int) -> Span:
    start = value["start"].integer()
    end = value["end"].integer(minimum=start)
    if end > text_length:
        value["end"].fail(f"at most {text_length}, the length of the text")
    mark = value["mark"]
    if mark.value not in Mark.__members__.values():
        mark.fail("one of " + ", ".join(Mark))
    return Span(start, end, Mark(mark.value), value.get("note", "").text())


def _table(value: JsonValue, page: int) -> TableStructure:
    return TableStructure(
        cells=tuple(_cell(cell, page) for cell in value["cells"].items()),
        caption=value.get("caption", "").text(),
        unit=value.get("unit", "").text(),
        notes=_array(value, "table_notes", JsonValue.text),
        doubtful=value.get("doubtful", False).flag(),
        doubts=_array(value, "doubts", JsonValue.text),
    )


def _cell(value: JsonValue, page: int) -> TableCell:
    return TableCell(
        row=value["row"].integer(),
        column=value["column"].integer(),
        text=value["text"].text(),
        row_span=value.get("row_span", 1).integer(minimum=1),
        column_span=value.get("column_span", 1).integer(minimum=1),
        header=value.get("header", False).flag(),
        page=value.get("page", page).integer(minimum=1),
        box=_box(value.get("box", NO_BOX)),
    )


# --- parts of both formats ---


def _check_format(value: Record, expected: str, file: AnyPath | None) -> JsonValue:
    """The value, if its format and version are right; a file without either counts as version 1."""
    root = JsonValue(value, file=file)
    found = root.get("format", expected)
    if found.value != expected:
        found.fail(f'"{expected}"')
    version = root.get("version", 1).value
    if version not in VERSIONS[expected]:
        known = ", ".join(map(str, VERSIONS[expected]))
        raise VersionError(
            f"{expected} version {version!r} is not known, only {known}",
            file=file,
            advice="update held, or write the file again with this version",
        )
    return root


def _style_to_json(style: Style) -> Record:
    value: Record = {
        "font": style.font,
        "size": style.size,
        "colour": style.colour,
        "bold": style.bold,
        "italic": style.italic,
    }
    # The rest is rare, and is left out where it has its default.
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
        render_mode=value.get("render_mode", 0).integer(),
        upright=value.get("upright", True).flag(),
        underlined=value.get("underlined", False).flag(),
    )


def _box(value: JsonValue) -> Box:
    match value.value:
        case [x0, y0, x1, y1] if all(map(is_number, (x0, y0, x1, y1))):
            return Box(float(x0), float(y0), float(x1), float(y1))
    return value.fail("[x0, y0, x1, y1] in points")


def _array(value: JsonValue, name: str, read: Callable[[JsonValue], T]) -> tuple[T, ...]:
    """The elements of an optional array, each as `read` returns it."""
    return tuple([read(item) for item in value.get(name, []).items()])


def note_from_json(value: JsonValue) -> Note:
    """The note that a JSON object describes."""
    page = _optional_page(value.get("page", None))
    return Note(page, value["message"].text())


def _page_numbers(root: JsonValue, name: str) -> tuple[int, ...]:
    return _array(root, name, lambda page: page.integer(minimum=1))


def _optional_page(value: JsonValue) -> int | None:
    return None if value.value is None else value.integer(minimum=1)


def optional_number(value: JsonValue) -> float | None:
    """A number or null."""
    return None if value.value is None else value.number()


def _optional_text(value: JsonValue) -> str | None:
    return None if value.value is None else value.text()
