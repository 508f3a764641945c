"""What may go to a terminal: text of strangers, without the characters that command one.

A title or a file's name may hold escape sequences: they could move the cursor, rename the window or hide
what is said. Whatever held says, and the forms that are made to be read on a screen, go through here.
"""

from __future__ import annotations

_TAB, _LINE_END = 0x09, 0x0A
_C0, _DELETE_AND_C1 = range(0x20), range(0x7F, 0xA0)
_SHOWN_INSTEAD = "\ufffd"
_COMMANDS = {code: _SHOWN_INSTEAD for code in (*_C0, *_DELETE_AND_C1) if code not in (_TAB, _LINE_END)}


def harmless(text: str) -> str:
    """The text with a mark in place of each control character but tabs and line ends."""
    return text if text.isprintable() else text.translate(_COMMANDS)


def harmless_line(text: str) -> str:
    """The text on one line, with a mark in place of each control character."""
    return harmless(text).replace("\n", _SHOWN_INSTEAD).replace("\t", " ")
