"""Escaping of plain text for Markdown.

No more is escaped than must be: people and language models read the file as it is, and most text has
brackets, underscores and dollars that mean nothing to Markdown.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Container, Sequence

from held.document import Mark, Span
from held.exports.object_text import StyledText, one_line, replace_controls, split_by_spans

_INLINE = re.compile(
    r"[\\`*~]"
    r"|(?<![^\W_])_|_(?![^\W_])"  # within a word it is harmless
    r"|<(?=[A-Za-z/!?])"  # a tag
    r"|&(?=#?\w+;)"  # an entity
    r"|\[(?=\^)"  # a reference to a footnote
    r"|\](?=[(\[:])"  # the end of a link's text or of the name in a definition; other brackets are plain
)
_NUMBER = re.compile(r"(\d{1,9})([.)])(?=\s|$)")
_BLOCK = re.compile(r"(?=#{1,6}(?:\s|$)|[-+](?:\s|$)|-[-\s]*$|>|\[[ xX]\]\s)")
_BRACKET_OR_ESCAPED = re.compile(r"\\.|[\[\]]")
_CLOSING = re.compile(r"(?:(?<=\s)|^)(?=#+$)")


def escape_inline(text: str) -> str:
    """The text on one line, for the middle of a line."""
    return _escape(one_line(text))


def escape_heading(text: str) -> str:
    """The text on one line, for a heading: `#` at its end is kept."""
    return _CLOSING.sub(r"\\", escape_inline(text))


def escape_cell(text: str) -> str:
    """The text on one line, for a cell of a table."""
    return escape_inline(text).replace("|", "\\|")


def escape_brackets(markdown: str) -> str:
    """Markdown that can stand between brackets: each bracket in it is escaped, once."""

    def escape(match: re.Match[str]) -> str:
        return match[0] if match[0].startswith("\\") else f"\\{match[0]}"

    return _BRACKET_OR_ESCAPED.sub(escape, markdown)


def format_block(text: str, spans: Sequence[Span] = (), notes: Container[str] = ()) -> str:
    """The text on one line, for the start of a line: it begins no list, heading, quote or rule."""
    line = format_spans(text, spans, notes)
    if number := _NUMBER.match(line):
        return f"{number[1]}\\{line[number.end(1) :]}"
    return f"\\{line}" if _BLOCK.match(line) else line


def format_spans(text: str, spans: Sequence[Span], notes: Container[str] = ()) -> str:
    """The text on one line with its emphasis; references to the footnotes in `notes` become links."""
    if not spans:
        return escape_inline(text)
    pieces = list(split_by_spans(text, spans))
    markdown = ""
    for piece, following in zip(pieces, [*pieces[1:], StyledText("")], strict=True):
        markdown += _format_piece(piece, markdown[-1:], following.text[:1], notes)
    return " ".join(markdown.split())


def _escape(text: str) -> str:
    return _INLINE.sub(r"\\\g<0>", text)


def _format_piece(piece: StyledText, before: str, after: str, notes: Container[str]) -> str:
    """A piece of text in its marks; white space around its words stays outside of them."""
    if piece.note and piece.note in notes:
        return f"[^{piece.note}]"
    text = _escape(replace_controls(piece.text))
    words = text.strip()
    if not words:
        return text
    marks = piece.marks
    # Exponents and indices are mostly italic, as variables are: marking that too would say nothing more.
    if Mark.SUPERSCRIPT in marks:
        words = f"<sup>{words}</sup>"
        marks -= {Mark.ITALIC}
    elif Mark.SUBSCRIPT in marks:
        words = f"<sub>{words}</sub>"
        marks -= {Mark.ITALIC}
    lead, _, tail = text.partition(text.strip())
    for mark, sign, tag in ((Mark.ITALIC, "*", "i"), (Mark.BOLD, "**", "b")):
        if mark not in marks:
            continue
        if _can_flank(words, lead or before, tail or after):
            words = f"{sign}{words}{sign}"
        else:
            words = f"<{tag}>{words}</{tag}>"
    return lead + words + tail


def _can_flank(words: str, before: str, after: str) -> bool:
    """Whether asterisks around the words are read as emphasis (CommonMark, section 6.2).

    A punctuation mark right inside the asterisks must not have a letter right outside of them, and the
    asterisks of two emphases must not meet.
    """
    first, last = words[0], words[-1]
    if "*" in (before, first, last):
        return False
    opens = not _is_punctuation(first) or not before.isalnum()
    closes = not _is_punctuation(last) or not after.isalnum()
    return opens and closes


def _is_punctuation(character: str) -> bool:
    return unicodedata.category(character)[0] in "PS"
