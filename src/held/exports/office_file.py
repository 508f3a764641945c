"""Files of Office Open XML (ECMA-376): a zip archive of XML parts, by the standard library alone."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterable, Mapping

OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_RELATIONSHIPS_TYPE = "application/vnd.openxmlformats-package.relationships+xml"
_CREATED = (2000, 1, 1, 0, 0, 0)  # fixed, so that the same document gives the same bytes


def zip_parts(parts: Iterable[tuple[str, str]]) -> bytes:
    """The file with these parts, each a name and its XML without declaration."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts:
            entry = zipfile.ZipInfo(name, _CREATED)
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, (_DECLARATION + content).encode("utf-8"))
    return file.getvalue()


def content_types(types: Mapping[str, str]) -> str:
    """The part `[Content_Types].xml`: the media type of each part by its name."""
    overrides = ""
    for name, media_type in types.items():
        overrides += f'<Override PartName="/{name}" ContentType="{media_type}"/>'
    defaults = f'<Default Extension="rels" ContentType="{_RELATIONSHIPS_TYPE}"/>'
    defaults += '<Default Extension="xml" ContentType="application/xml"/>'
    return f'<Types xmlns="{PACKAGE}/content-types">{defaults}{overrides}</Types>'


def relationships(targets: Iterable[tuple[str, str]]) -> str:
    """A part of relationships, `rId1` and on: the type of each, as an address, and its target."""
    entries = ""
    for number, (kind, target) in enumerate(targets, start=1):
        entries += f'<Relationship Id="rId{number}" Type="{kind}" Target="{target}"/>'
    return f'<Relationships xmlns="{PACKAGE}/relationships">{entries}</Relationships>'
