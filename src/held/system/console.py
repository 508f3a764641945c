"""Output for people: progress callbacks, and text that is safe to print on a terminal.

A title or a file name can contain escape sequences that move the cursor, rename the window or hide output.
Messages, and formats meant for the screen, go through `printable`.
"""

from __future__ import annotations

from collections.abc import Callable

Progress = Callable[[int, int], None]  # done, total
StageProgress = Callable[[str, int, int], None]  # stage, done, total

_TAB, _LINE_FEED = 0x09, 0x0A
_C0, _DELETE_AND_C1 = range(0x20), range(0x7F, 0xA0)
# Embeddings, overrides and isolates: with them "exe.fdp" is shown as "pdf.exe".
_DIRECTION_CODES = {*range(0x202A, 0x202F), *range(0x2066, 0x206A)}
_REPLACEMENT = "\ufffd"
_CONTROL_CODES = {*_C0, *_DELETE_AND_C1, *_DIRECTION_CODES} - {_TAB, _LINE_FEED}
_TRANSLATION = dict.fromkeys(_CONTROL_CODES, _REPLACEMENT)


def printable(text: str) -> str:
    """The text with all control characters but tabs and line feeds replaced.

    Codes that change the direction of text count as such. Text of right-to-left scripts needs none of them.
    """
    return text if text.isprintable() else text.translate(_TRANSLATION)


def printable_line(text: str) -> str:
    """The text on one line, with all control characters replaced."""
    return printable(text).replace("\n", _REPLACEMENT).replace("\t", " ")


def ignore_progress(stage: str, done: int, total: int) -> None:
    """A `StageProgress` that does nothing."""
