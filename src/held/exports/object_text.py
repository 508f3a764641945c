"""The text of objects, as every export format writes it: symbols, spans, list markers, XML, language."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from held.document import Document, Mark, PhysicalObject, Span
from held.numbering import BULLET, parse_number
from held.numbering.language import find_language
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


def xml_text(text: str) -> str:
    """The text with symbols replaced, without what XML cannot hold or what turns it around. Not escaped."""
    return NOT_IN_XML.sub("", replace_symbols(text))


def encode_text(text: str) -> bytes:
    """The text as UTF-8. Half a surrogate pair, from a damaged font, becomes an escape such as \\ud800."""
    return text.encode("utf-8", "backslashreplace")


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


def contents_columns(entry: PhysicalObject) -> tuple[str, ...]:
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
