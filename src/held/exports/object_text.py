"""The text of objects, as every export format writes it: symbols, spans, list markers, XML, language."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

from held.document import Document, Kind, Mark, PhysicalObject, Span
from held.hierarchy import Hierarchy
from held.layout.title import title_objects
from held.numbering import BULLET, parse_number
from held.numbering.words import find_language
from held.system.console import DIRECTION_CODES

# PDFs encode the glyphs of Symbol and Wingdings in the private use area, which viewers show as empty boxes.
# Brackets and signs are Adobe's; of Wingdings only what reports list and tick with. Where both fonts use a
# code point, the box wins: no report prints the sun of Wingdings.
_BRACKETS = dict(zip(range(0xF8EB, 0xF8FF), "⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪⎮⎞⎟⎠⎤⎥⎦⎫⎬⎭", strict=True))
_SIGNS = {0xF6D9: "©", 0xF6DA: "®", 0xF6DB: "™", 0xF8E8: "®", 0xF8E9: "©", 0xF8EA: "™"}
_BULLETS = {0xF06C: "●", 0xF06E: "■", 0xF075: "◆", 0xF076: "❖", 0xF0A7: "▪", 0xF0B7: "•"}
_ARROWS = {0xF0D8: "➢", 0xF0E0: "→", 0xF0E8: "➔"}
_BOXES = {0xF052: "☑", 0xF054: "☒", 0xF0A3: "☐", 0xF06F: "□", 0xF0A8: "◻", 0xF0FD: "☒", 0xF0FE: "☑"}
_TICKS = {0xF050: "✓", 0xF0FC: "✓", 0xF0FB: "✗"}
_SYMBOLS = _BRACKETS | _SIGNS | _BULLETS | _ARROWS | _BOXES | _TICKS

MEANINGFUL_BULLETS = "☐☒☑□§"  # kept in the text: they mean more than a bullet
_SAME_INDENT_EM = 0.75  # numbers of one list may be set flush right
_DEFAULT_SIZE_PT = 10.0  # for objects without a font size
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x9f]")
# Characters outside of XML 1.0, section 2.2, which a damaged font can yield, and codes that turn text around.
NOT_IN_XML = re.compile(f"[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]|[{DIRECTION_CODES}]")


_LANGUAGE_CODE = re.compile("[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*")  # BCP 47


class StyledText(NamedTuple):
    """A piece of text with its marks, and the footnote that it refers to."""

    text: str
    marks: frozenset[Mark] = frozenset()
    note: str = ""


def replace_symbols(text: str) -> str:
    """The text with known glyphs of symbol fonts replaced, each by one Unicode character."""
    return text if text.isascii() else text.translate(_SYMBOLS)


def replace_controls(text: str) -> str:
    """The text with a space for each control character but tabs and line breaks."""
    return _CONTROL.sub(" ", text)


def one_line(text: str) -> str:
    """The text without line breaks and control characters."""
    return " ".join(replace_controls(text).split())


def shorten(text: str, max_length: int) -> str:
    """The text, or its beginning and an ellipsis if it has more than `max_length` characters."""
    return text if len(text) <= max_length else text[: max_length - 1] + "…"


def escape_xml(text: str) -> str:
    """The text for an XML element: symbols replaced, without what XML cannot hold or what turns it around."""
    from html import escape  # loads a table of 2,000 names, which Markdown does not need

    return escape(NOT_IN_XML.sub("", replace_symbols(text)), quote=False)


def split_by_spans(text: str, spans: Sequence[Span]) -> Iterator[StyledText]:
    """The text cut wherever a span begins or ends.

    Spans may overlap (bold and italic), and those of other engines may reach beyond the text.
    """
    edges = {0, len(text)}
    for span in spans:
        edges.add(min(span.start, len(text)))
        edges.add(min(span.end, len(text)))
    for start, end in pairwise(sorted(edges)):
        covering = [span for span in spans if span.start <= start and end <= span.end]
        marks = frozenset(span.mark for span in covering)
        note = next((span.note for span in covering if span.note), "")
        yield StyledText(text[start:end], marks, note)


def shift_spans(spans: Sequence[Span], by: int) -> tuple[Span, ...]:
    """The spans of a text after its first `by` characters were removed."""
    shifted = []
    for span in spans:
        start, end = span.start - by, span.end - by
        if end > 0:
            shifted.append(span._replace(start=max(0, start), end=end))
    return tuple(shifted)


def strip_bullet(text: str) -> str:
    """The text of a list item without its bullet; a bullet with a meaning, such as ☒, stays."""
    number = parse_number(text)
    if number is None or number.pattern is not BULLET:
        return text
    bullet = replace_symbols(text.lstrip()[:1])
    return text if bullet in MEANINGFUL_BULLETS else text[number.title_start :]


def indent_tolerance(item: PhysicalObject) -> float:
    """By how many points the indents of list items on one level may differ."""
    return _SAME_INDENT_EM * (item.style.size or _DEFAULT_SIZE_PT)


def contents_entry_texts(entry: PhysicalObject) -> tuple[str, ...]:
    """The title of an entry of the printed contents, followed by its page where that is known.

    Files of other engines may have rows without cells: then the text is the title.
    """
    columns = entry.rows[0] if entry.rows else ()
    return tuple(columns) or (entry.text,)


def detect_language(document: Document) -> str:
    """The language to declare for the text as a code such as "de", or "" if it is not known.

    What a file declares may be anything, and goes into markup: only a language code is taken.
    """
    declared = document.metadata.language
    if _LANGUAGE_CODE.fullmatch(declared):
        return declared
    return find_language(item.text for item in document.objects)


# --- paragraphs as they are printed ---
#
# Emphasis of whole paragraphs, and run-in headings that turned out to be none.
#
# The layout cuts an emphasised start off its paragraph, so that the model can judge it as a heading. Where
# the model says no, the reader gets the paragraph back in one piece, as it is printed.

_EMPHASISED = frozenset({Kind.PARAGRAPH, Kind.LIST_ITEM})
_MIN_SHARED_HEIGHT_SHARE = 0.5  # of a line: less is the overlap of two lines set close


def emphasised_objects(hierarchy: Hierarchy) -> tuple[PhysicalObject, ...]:
    """The document's objects by their indices, with bold and italic paragraphs and list items marked.

    The start of a paragraph that turned out to be no heading is joined with the paragraph again; the object
    of the start then has no text.
    """
    body = hierarchy.document.body
    objects = list(hierarchy.document.objects)
    for index, item in enumerate(objects):
        if item.kind not in _EMPHASISED or index in hierarchy.headings or not item.text:
            continue
        if item.style.bold and not body.bold:
            item = objects[index] = _mark_all(item, Mark.BOLD)
        if item.style.italic and not body.italic:
            item = objects[index] = _mark_all(item, Mark.ITALIC)
        if item.kind is not Kind.PARAGRAPH:
            continue
        following = objects[index + 1] if index + 1 < len(objects) else None
        if following is None or index + 1 in hierarchy.headings or not _is_cut_off(item, following):
            continue
        objects[index] = replace(item, text="", spans=())
        objects[index + 1] = _prepend(item, following)
    return tuple(objects)


def _mark_all(item: PhysicalObject, mark: Mark) -> PhysicalObject:
    """The object with its whole text marked, unless its spans say which words are and which are not."""
    if any(span.mark is mark for span in item.spans):
        return item
    whole = Span(0, len(item.text), mark)
    return replace(item, spans=tuple(sorted([whole, *item.spans])))


def _is_cut_off(item: PhysicalObject, following: PhysicalObject) -> bool:
    """Whether a paragraph begins on the last line of the object before it, and so was one with it."""
    if following.kind is not Kind.PARAGRAPH or not following.text:
        return False
    if (item.style.bold, item.style.italic) == (following.style.bold, following.style.italic):
        return False
    if (item.page, item.column) != (following.page, following.column) or len(item.parts) > 1:
        return False
    line = item.box.height / max(item.lines, 1)
    if not line or following.box.x0 > item.box.x1:
        return False
    shared = item.box.y1 - following.box.y0
    return _MIN_SHARED_HEIGHT_SHARE * line < shared <= item.box.height + line


def _prepend(head: PhysicalObject, rest: PhysicalObject) -> PhysicalObject:
    start = len(head.text) + 1  # of the rest, after a space
    moved = [span._replace(start=span.start + start, end=span.end + start) for span in rest.spans]
    spans = sorted([*head.spans, *moved])
    return replace(rest, text=f"{head.text} {rest.text}", spans=tuple(spans))


# --- the title above the headings ---
# The title is the only heading of level 1 there, so the sections begin at level 2. The tree itself does not
# change: its levels, paths and JSON are those of the headings alone.


class TitledLevels(NamedTuple):
    """The title, "" if there is none; the objects that print it; and the levels of the other headings."""

    title: str
    printed: frozenset[int]
    levels: Mapping[int, int]


def titled_levels(hierarchy: Hierarchy, *, no_title: bool = False) -> TitledLevels:
    """The title with the levels below it; without a title, the levels of the tree."""
    title = hierarchy.document.metadata.title
    if no_title or not title:
        return TitledLevels("", frozenset(), hierarchy.tree.levels())
    printed = frozenset(title_objects(hierarchy.document.objects, title))
    paths = hierarchy.tree.paths()
    levels = {}
    for heading in hierarchy.headings:
        if heading not in printed:
            # A title that is a heading as well counts once: as the title.
            above = [index for index in paths[heading] if index not in printed]
            levels[heading] = len(above) + 1
    return TitledLevels(title, printed, levels)
