"""Plain text that Markdown takes for text: what it would read as marks of its own gets a backslash.

No more is escaped than must be: a person or a language model reads the file as it is, and most text has
brackets, underscores and dollars that mean nothing to Markdown.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Container, Sequence

from held.document import Mark, Span
from held.exports.spans import Stretch, stretches

_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x9f]")
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


def one_line(text: str) -> str:
    """The text without line breaks and control characters."""
    return " ".join(_CONTROL.sub(" ", text).split())


def inline(text: str) -> str:
    """The text on one line, for the middle of a line."""
    return _INLINE.sub(r"\\\g<0>", one_line(text))


def between_brackets(written: str) -> str:
    """Markdown that can stand between brackets: each bracket of its own is escaped, once."""

    def escaped(found: re.Match[str]) -> str:
        return found[0] if found[0].startswith("\\") else f"\\{found[0]}"

    return _BRACKET_OR_ESCAPED.sub(escaped, written)


def marked(text: str, spans: Sequence[Span], notes: Container[str] = ()) -> str:
    """The text on one line with its emphasis; references to `notes`, which are printed too, become links."""
    if not spans:
        return inline(text)
    pieces = list(stretches(text, spans))
    written = ""
    for place, piece in enumerate(pieces):
        following = pieces[place + 1].text if place + 1 < len(pieces) else ""
        written += _stretch(piece, written[-1:], following[:1], notes)
    return " ".join(written.split())


def _stretch(piece: Stretch, before: str, after: str, notes: Container[str]) -> str:
    """A piece of text in its marks, which keep close to its words."""
    if piece.note in notes and piece.note:
        return f"[^{piece.note}]"
    text = _INLINE.sub(r"\\\g<0>", _CONTROL.sub(" ", piece.text))
    words = text.strip()
    if not words:
        return text
    marks = piece.marks
    # Exponents and indices are italic as variables are: a second pair of tags would say nothing more.
    if Mark.SUPERSCRIPT in marks:
        words = f"<sup>{words}</sup>"
        marks -= {Mark.ITALIC}
    elif Mark.SUBSCRIPT in marks:
        words = f"<sub>{words}</sub>"
        marks -= {Mark.ITALIC}
    lead, tail = text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :]
    for mark, sign, tag in ((Mark.ITALIC, "*", "i"), (Mark.BOLD, "**", "b")):
        if mark in marks:
            closes = _flanks(words, lead or before, tail or after)
            words = f"{sign}{words}{sign}" if closes else f"<{tag}>{words}</{tag}>"
    return lead + words + tail


def _flanks(words: str, before: str, after: str) -> bool:
    """Whether asterisks around the words are read as emphasis (CommonMark, 6.2).

    A punctuation mark inside, right at the asterisks, must not have a letter outside at them; and asterisks
    of two emphases must not meet.
    """
    if before == "*" or words[0] == "*" or words[-1] == "*":
        return False
    opens = not _is_punctuation(words[0]) or not before.isalnum()
    closes = not _is_punctuation(words[-1]) or not after.isalnum()
    return opens and closes


def _is_punctuation(character: str) -> bool:
    return unicodedata.category(character)[0] in "PS"


def block(text: str, spans: Sequence[Span] = (), notes: Container[str] = ()) -> str:
    """The text on one line, for its start: no list, heading, quote or rule begins there."""
    line = marked(text, spans, notes)
    if number := _NUMBER.match(line):
        return f"{number[1]}\\{line[number.end(1) :]}"
    return f"\\{line}" if _BLOCK.match(line) else line


def title(text: str) -> str:
    """The text on one line, for a heading: what ends in `#` keeps it."""
    return _CLOSING.sub(r"\\", inline(text))


def cell(text: str) -> str:
    """The text on one line, for a cell of a table."""
    return inline(text).replace("|", "\\|")
