"""Output for people: progress callbacks, and text that is safe to show.

A title or a file name can contain escape sequences that move the cursor, rename the window or hide output,
and codes that show it in another order than it is written. Messages, and formats meant for the screen, go
through `printable`. Other formats leave out `DIRECTION_CODES`.
"""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic
from typing import Any

Progress = Callable[[int, int], None]  # done, total
StageProgress = Callable[[str, int, int], None]  # stage, done, total
SECONDS_BETWEEN_REPORTS = 0.1  # nobody can read faster

_TAB, _LINE_FEED = 0x09, 0x0A
_C0, _DELETE_AND_C1 = range(0x20), range(0x7F, 0xA0)
# Embeddings, overrides and isolates: with them "exe.fdp" is shown as "pdf.exe". As ranges of a regular
# expression, because most formats have one for what they cannot hold.
DIRECTION_CODES = "\u202a-\u202e\u2066-\u2069"
_DIRECTION_CODES = {*range(0x202A, 0x202F), *range(0x2066, 0x206A)}
_REPLACEMENT = "\ufffd"
_SURROGATES = range(0xD800, 0xE000)  # halves of characters, which no output can encode
_REPLACED = {*_C0, *_DELETE_AND_C1, *_DIRECTION_CODES, *_SURROGATES} - {_TAB, _LINE_FEED}
_TRANSLATION = dict.fromkeys(_REPLACED, _REPLACEMENT)


def to_utf8(text: str) -> bytes:
    """The text as UTF-8. Half a surrogate pair, from a damaged font, becomes an escape such as \\ud800."""
    return text.encode("utf-8", "backslashreplace")


def printable(text: str) -> str:
    """The text with U+FFFD for each control character but tabs and line feeds, and for each lone surrogate.

    Codes that change the direction of text count as control characters; text in right-to-left scripts needs
    none of them. Every character keeps its position.
    """
    return text if text.isprintable() else text.translate(_TRANSLATION)


def printable_line(text: str) -> str:
    """The text on one line, with all control characters replaced."""
    return printable(text).replace("\n", _REPLACEMENT).replace("\t", " ")


def printable_values(value: Any) -> Any:
    """A JSON value with all its texts printable."""
    if isinstance(value, str):
        return printable(value)
    if isinstance(value, dict):
        return {name: printable_values(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [printable_values(item) for item in value]
    return value


def ignore_progress(stage: str, done: int, total: int) -> None:
    """A `StageProgress` that does nothing."""


def throttle_progress(report: StageProgress) -> StageProgress:
    """Pass progress on, but at most every tenth of a second within a stage."""
    reported_at, reported_stage = 0.0, ""

    def report_sometimes(stage: str, done: int, total: int) -> None:
        nonlocal reported_at, reported_stage
        now = monotonic()
        is_due = now - reported_at > SECONDS_BETWEEN_REPORTS
        if is_due or stage != reported_stage or done == total:
            reported_at, reported_stage = now, stage
            report(stage, done, total)

    return report_sometimes
