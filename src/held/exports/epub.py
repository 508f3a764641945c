"""The document as EPUB 3: a file for each section at the top, and the tree as its table of contents.

Text flows, so a long report can be read on a small screen. Only the standard library is needed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from io import BytesIO
from itertools import pairwise
from typing import NamedTuple
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

from held.document import Kind, PhysicalObject
from held.exports.docx import printable
from held.exports.html import language_of
from held.exports.outline import Heading, headings_of
from held.hierarchy.hierarchy import Hierarchy
from held.layout.tables.logical_grid import grid_of

_DEEPEST = 6
_UNKNOWN_LANGUAGE = "und"  # BCP 47
_TIME = (1980, 1, 1, 0, 0, 0)  # the same document makes the same file
_CONTAINER = """<?xml version="1.0"?>
<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>
<rootfile full-path="book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>
"""
_PAGE = """<?xml version="1.0" encoding="utf-8"?>
<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops">
<head><title>{title}</title></head>
<body>
{body}
</body></html>
"""


class _Chapter(NamedTuple):
    name: str
    objects: Sequence[tuple[int, PhysicalObject]]


def to_epub(hierarchy: Hierarchy) -> bytes:
    """The whole text as an EPUB file."""
    levels = hierarchy.tree.levels()
    chapters = list(_chapters(hierarchy, levels))
    title = _text(hierarchy.document.source)
    written = BytesIO()
    with ZipFile(written, "w") as book:
        # The type comes first and as it is, so that it can be read without unpacking (EPUB 3.3, section 4.2).
        book.writestr(ZipInfo("mimetype", _TIME), "application/epub+zip", ZIP_STORED)
        _put(book, "META-INF/container.xml", _CONTAINER)
        language = language_of(hierarchy.document) or _UNKNOWN_LANGUAGE
        _put(book, "book.opf", _package(title, language, chapters))
        _put(book, "nav.xhtml", _PAGE.format(title=title, body=_contents(hierarchy, chapters)))
        for chapter in chapters:
            body = "\n".join(_block(hierarchy, levels, *pair) for pair in chapter.objects)
            _put(book, chapter.name, _PAGE.format(title=title, body=body or "<p/>"))
    return written.getvalue()


def _put(book: ZipFile, name: str, content: str) -> None:
    book.writestr(ZipInfo(name, _TIME), content.encode("utf-8", "replace"), ZIP_DEFLATED)


def _chapters(hierarchy: Hierarchy, levels: Mapping[int, int]) -> Iterator[_Chapter]:
    """The objects in files: a new one begins with each heading at the top."""
    objects = list(enumerate(hierarchy.document.objects))
    starts = [index for index in sorted(hierarchy.headings) if levels[index] == 1]
    bounds = [0, *(start for start in starts if start), len(objects)]
    for number, (start, end) in enumerate(pairwise(bounds)):
        yield _Chapter(f"c{number}.xhtml", objects[start:end])


def _package(title: str, language: str, chapters: Sequence[_Chapter]) -> str:
    identity = hashlib.sha256(repr((title, len(chapters))).encode()).hexdigest()[:32]
    items = "".join(
        f'<item id="{chapter.name}" href="{chapter.name}" media-type="application/xhtml+xml"/>\n'
        for chapter in chapters
    )
    spine = "".join(f'<itemref idref="{chapter.name}"/>\n' for chapter in chapters)
    return f"""<?xml version="1.0" encoding="utf-8"?>
<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id">
<metadata xmlns:dc="http://purl.org/dc/elements/1.1/">
<dc:identifier id="id">urn:held:{identity}</dc:identifier>
<dc:title>{title}</dc:title><dc:language>{language}</dc:language>
<meta property="dcterms:modified">1980-01-01T00:00:00Z</meta></metadata>
<manifest><item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>
{items}</manifest>
<spine>
{spine}</spine></package>
"""


def _contents(hierarchy: Hierarchy, chapters: Sequence[_Chapter]) -> str:
    """The tree as nested lists of links."""
    home = {index: chapter.name for chapter in chapters for index, _ in chapter.objects}
    written: list[str] = []
    depth = 0
    for heading in headings_of(hierarchy):
        if heading.level > depth:
            written.append("<ol>" * (heading.level - depth))
        else:
            written.append("</li>" + "</ol></li>" * (depth - heading.level))
        written.append(f'<li><a href="{home[heading.place]}#o{heading.place}">{_title(heading)}</a>')
        depth = heading.level
    if depth == 0:
        written.append(f'<ol><li><a href="{chapters[0].name}">1</a>')
    closing = "</li></ol>" * max(depth, 1)
    return f'<nav epub:type="toc">{"".join(written)}{closing}</nav>'


def _title(heading: Heading) -> str:
    return _text(heading.title) or "–"


def _block(hierarchy: Hierarchy, levels: Mapping[int, int], index: int, item: PhysicalObject) -> str:
    """An object as XHTML."""
    if index in hierarchy.headings:
        level = min(levels[index], _DEEPEST)
        return f'<h{level} id="o{index}">{_text(" ".join(item.text.split()))}</h{level}>'
    if item.kind is Kind.TABLE and item.rows:
        rows = ("".join(f"<td>{_text(cell)}</td>" for cell in row) for row in grid_of(item).texts())
        return "<table>" + "".join(f"<tr>{row}</tr>" for row in rows) + "</table>"
    if item.kind is Kind.FIGURE:
        return f"<p><i>[figure on page {_text(hierarchy.page_name(item.page))}] {_text(item.text)}</i></p>"
    tag = "pre" if item.kind is Kind.CODE else "p"
    return f"<{tag}>{_text(item.text)}</{tag}>"


def _text(text: str) -> str:
    return escape(printable(text), quote=False)
