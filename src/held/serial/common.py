"""What pages and documents have in common: a format with its version, styles, boxes, notes, lost pages."""

from __future__ import annotations

import os
import re
from typing import Any

from held.document import Box, Note, Style
from held.errors import VersionError
from held.system.json_values import JsonValue, is_number

DOCUMENT_FORMAT = "held.document"
PAGES_FORMAT = "held.pages"
VERSIONS = {DOCUMENT_FORMAT: (1, 2), PAGES_FORMAT: (1,)}  # those that are read; the last is written

_COLOUR = re.compile("[0-9a-f]{6}")
_NOWHERE = (0.0, 0.0, 0.0, 0.0)


def root_of(value: dict[str, Any], wanted: str, file: str | os.PathLike[str] | None) -> JsonValue:
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


def style_to_json(style: Style) -> dict[str, Any]:
    """A style as a JSON object, without what few styles have."""
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


def style_from_json(value: JsonValue) -> Style:
    """The style that a JSON object describes; what it does not say is as in plain text."""
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


def own_box(value: JsonValue) -> Box:
    """The box of an object, a part or a cell, which need not have one."""
    return box_from_json(value.get("box", _NOWHERE))


def box_from_json(value: JsonValue) -> Box:
    """The box that a JSON array describes."""
    match value.value:
        case [x0, y0, x1, y1] if all(map(is_number, (x0, y0, x1, y1))):
            return Box(float(x0), float(y0), float(x1), float(y1))
    return value.fail("[x0, y0, x1, y1] in points")


def notes_from_json(root: JsonValue) -> tuple[Note, ...]:
    """The notes about the file or its pages."""
    notes = root.get("notes", []).items()
    return tuple(Note(optional_page(note.get("page", None)), note["message"].text()) for note in notes)


def lost_from_json(root: JsonValue) -> tuple[int, ...]:
    """The pages that could not be read."""
    return tuple(page.whole(least=1) for page in root.get("lost", []).items())


def optional_page(value: JsonValue) -> int | None:
    """A page, or nothing."""
    return None if value.value is None else value.whole(least=1)


def optional_number(value: JsonValue) -> float | None:
    """A number, or nothing."""
    return None if value.value is None else value.number()


def optional_text(value: JsonValue) -> str | None:
    """A text, or nothing."""
    return None if value.value is None else value.text()
