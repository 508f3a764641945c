"""Plain text that Markdown takes for text: what it would read as marks of its own gets a backslash.

No more is escaped than must be: a person or a language model reads the file as it is, and most text has
brackets, underscores and dollars that mean nothing to Markdown.
"""

from __future__ import annotations

import re

_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x9f]")
_INLINE = re.compile(
    r"[\\`*~]"
    r"|(?<![^\W_])_|_(?![^\W_])"  # within a word it is harmless
    r"|<(?=[A-Za-z/!?])"  # a tag
    r"|&(?=#?\w+;)"  # an entity
    r"|\](?=[(\[:])"  # the end of a link's text or of the name in a definition; other brackets are plain
)
_NUMBER = re.compile(r"(\d{1,9})([.)])(?=\s|$)")
_BLOCK = re.compile(r"(?=#{1,6}(?:\s|$)|[-+](?:\s|$)|-[-\s]*$|>|\[[ xX]\]\s)")
_CLOSING = re.compile(r"(?:(?<=\s)|^)(?=#+$)")


def one_line(text: str) -> str:
    """The text without line breaks and control characters."""
    return " ".join(_CONTROL.sub(" ", text).split())


def inline(text: str) -> str:
    """The text on one line, for the middle of a line."""
    return _INLINE.sub(r"\\\g<0>", one_line(text))


def block(text: str) -> str:
    """The text on one line, for its start: no list, heading, quote or rule begins there."""
    line = inline(text)
    if number := _NUMBER.match(line):
        return f"{number[1]}\\{line[number.end(1) :]}"
    return f"\\{line}" if _BLOCK.match(line) else line


def title(text: str) -> str:
    """The text on one line, for a heading: what ends in `#` keeps it."""
    return _CLOSING.sub(r"\\", inline(text))


def cell(text: str) -> str:
    """The text on one line, for a cell of a table."""
    return inline(text).replace("|", "\\|")
