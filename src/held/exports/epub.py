"""The document as EPUB 3: a file for each top-level section, and the tree as table of contents.

The text reflows, so that a long report can be read on a small screen. Only the standard library is needed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from io import BytesIO
from itertools import pairwise
from typing import NamedTuple
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

from held.document import Kind, PhysicalObject
from held.exports.object_text import TitledLevels, detect_language, escape_xml, titled_levels
from held.exports.outline import headings_of, nest_levels
from held.hierarchy import Hierarchy
from held.layout.tables.logical_grid import grid_of

_MAX_HEADING_LEVEL = 6  # HTML has h1 to h6
_IDENTITY_DIGITS = 32  # hexadecimal digits of a hash, as many as a UUID has
_UNKNOWN_LANGUAGE = "und"  # BCP 47
_TIMESTAMP = (1980, 1, 1, 0, 0, 0)  # fixed, so that the same document gives the same bytes
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
    file: str
    objects: Sequence[tuple[int, PhysicalObject]]


def to_epub(hierarchy: Hierarchy, *, no_title: bool = False) -> bytes:
    """The whole text as an EPUB file."""
    metadata = hierarchy.document.metadata
    titled = titled_levels(hierarchy, no_title=no_title)
    chapters = list(_chapters(hierarchy, hierarchy.tree.levels()))
    title = escape_xml(metadata.title or hierarchy.document.source)
    authors = [escape_xml(name) for name in metadata.authors]
    language = detect_language(hierarchy.document) or _UNKNOWN_LANGUAGE
    content = BytesIO()
    with ZipFile(content, "w") as book:
        # The type must come first, uncompressed: EPUB 3.3, section 4.2.
        book.writestr(ZipInfo("mimetype", _TIMESTAMP), "application/epub+zip", ZIP_STORED)
        _add_file(book, "META-INF/container.xml", _CONTAINER)
        _add_file(book, "book.opf", _package(title, authors, language, chapters))
        _add_file(book, "nav.xhtml", _PAGE.format(title=title, body=_contents(hierarchy, chapters)))
        for chapter in chapters:
            blocks = [_block(hierarchy, titled, index, item) for index, item in chapter.objects]
            if titled.title and chapter is chapters[0]:
                blocks.insert(0, f"<h1>{escape_xml(titled.title)}</h1>")
            body = "\n".join(blocks) or "<p/>"
            _add_file(book, chapter.file, _PAGE.format(title=title, body=body))
    return content.getvalue()


def _add_file(book: ZipFile, name: str, content: str) -> None:
    book.writestr(ZipInfo(name, _TIMESTAMP), content.encode("utf-8", "replace"), ZIP_DEFLATED)


def _chapters(hierarchy: Hierarchy, levels: Mapping[int, int]) -> Iterator[_Chapter]:
    """The objects by file: each top-level heading begins one."""
    objects = list(enumerate(hierarchy.document.objects))
    top_headings = [index for index in sorted(hierarchy.headings) if levels[index] == 1]
    starts = [index for index in top_headings if index > 0]  # the first chapter begins at 0 in any case
    for number, (start, end) in enumerate(pairwise([0, *starts, len(objects)])):
        yield _Chapter(f"c{number}.xhtml", objects[start:end])


def _identity(title: str, chapters: Sequence[_Chapter]) -> str:
    """An identifier for the document: the same for the same text, so that an app replaces its older copy.

    The title alone is not enough: reports of two years may have one title.
    """
    digest = hashlib.sha256(title.encode())
    for chapter in chapters:
        for _, item in chapter.objects:
            digest.update(item.text.encode("utf-8", "surrogatepass") + b"\0")
    return digest.hexdigest()[:_IDENTITY_DIGITS]


def _package(title: str, authors: Sequence[str], language: str, chapters: Sequence[_Chapter]) -> str:
    creators = "".join(f"<dc:creator>{name}</dc:creator>" for name in authors)
    items = spine = ""
    for chapter in chapters:
        name = chapter.file
        items += f'<item id="{name}" href="{name}" media-type="application/xhtml+xml"/>\n'
        spine += f'<itemref idref="{name}"/>\n'
    return f"""<?xml version="1.0" encoding="utf-8"?>
<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id">
<metadata xmlns:dc="http://purl.org/dc/elements/1.1/">
<dc:identifier id="id">urn:held:{_identity(title, chapters)}</dc:identifier>
<dc:title>{title}</dc:title>{creators}<dc:language>{language}</dc:language>
<meta property="dcterms:modified">1980-01-01T00:00:00Z</meta></metadata>
<manifest><item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>
{items}</manifest>
<spine>
{spine}</spine></package>
"""


def _contents(hierarchy: Hierarchy, chapters: Sequence[_Chapter]) -> str:
    """The tree as nested lists of links; in a tree from elsewhere a level may be skipped."""
    # Links lead across files, so each needs the name of the file that its heading is in.
    file_of = {index: chapter.file for chapter in chapters for index, _ in chapter.objects}
    headings = list(headings_of(hierarchy))
    depths, _ = nest_levels([heading.level for heading in headings])
    markup: list[str] = []
    open_lists = 0
    for heading, depth in zip(headings, depths, strict=True):
        # A list is opened one at a time: depths skip none.
        markup.append("<ol>" if depth > open_lists else "</li>" + "</ol></li>" * (open_lists - depth))
        link = f"{file_of[heading.object_index]}#o{heading.object_index}"
        markup.append(f'<li><a href="{link}">{escape_xml(heading.title) or "–"}</a>')
        open_lists = depth
    if not headings:  # EPUB requires an entry
        markup.append(f'<ol><li><a href="{chapters[0].file}">1</a>')
    closing = "</li></ol>" * max(open_lists, 1)
    return f'<nav epub:type="toc">{"".join(markup)}{closing}</nav>'


def _block(hierarchy: Hierarchy, titled: TitledLevels, index: int, item: PhysicalObject) -> str:
    """An object as XHTML."""
    text = escape_xml(item.text)
    if index in titled.printed:
        return f'<p id="o{index}"/>'  # the contents may link to it
    if index in hierarchy.headings:
        level = min(titled.levels[index], _MAX_HEADING_LEVEL)
        title = escape_xml(item.title)
        return f'<h{level} id="o{index}">{title}</h{level}>'
    if item.kind is Kind.TABLE and item.rows:
        rows = ""
        for row in grid_of(item).texts():
            cells = [f"<td>{escape_xml(cell)}</td>" for cell in row]
            rows += f"<tr>{''.join(cells)}</tr>"
        return f"<table>{rows}</table>"
    if item.kind is Kind.FIGURE:
        page = escape_xml(hierarchy.page_name(item.page))
        return f"<p><i>[figure on page {page}] {text}</i></p>"
    tag = "pre" if item.kind is Kind.CODE else "p"
    return f"<{tag}>{text}</{tag}>"
