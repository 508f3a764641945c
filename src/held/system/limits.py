"""How far a file of strangers may go: memory, seconds, bytes. One value for all that reads.

Everything here is generous for honest files and small against what a hostile one asks for. The environment
variable HELD_LIMITS changes some of it, for this process and those that it starts, and so does the option
--limit of every command, which writes it there:

    HELD_LIMITS="memory=4G page_seconds=120" held extract map.pdf
    held extract map.pdf --limit memory=4G --limit page_seconds=120
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace

from held.errors import UsageError

VARIABLE = "HELD_LIMITS"
MOST_PAGES = 200_000  # of one document: a file that claims more is damaged
MOST_TREES = 100  # in a beam: each is asked about as many places as the greedy one
_UNITS = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30}


@dataclass(frozen=True, slots=True)
class Limits:
    """How far reading may go.

    memory            bytes that a process may take which reads or draws pages
    page_seconds      until one page, an outline or one figure is given up
    file_seconds      until the rest of a file's pages, or of its figures, is given up
    a_page_seconds    what each page of a file adds to that: a long file is no hostile one
    json_bytes        of a JSON file, unpacked
    model_bytes       of a model file, unpacked
    """

    memory: int = 1 << 30
    page_seconds: float = 30.0
    file_seconds: float = 60.0
    a_page_seconds: float = 0.1  # some ten times what a page takes
    json_bytes: int = 1 << 28
    model_bytes: int = 1 << 28

    def seconds_of(self, pages: int) -> float:
        """How long a file of so many pages may take."""
        return self.file_seconds + pages * self.a_page_seconds


def limits() -> Limits:
    """The limits in force: the usual ones, and what the environment says instead."""
    try:
        return limits_from(os.environ.get(VARIABLE, ""))
    except UsageError as error:
        raise UsageError(f"{VARIABLE}: {error.what}", advice=error.advice) from None


@contextmanager
def limits_set(settings: Sequence[str]) -> Iterator[None]:
    """A time in which settings such as `memory=4G` are in force, for processes that are started, too."""
    limits_from(" ".join(settings))
    before = os.environ.get(VARIABLE, "")
    os.environ[VARIABLE] = " ".join([before, *settings]).strip()  # of two for one limit the last counts
    try:
        yield
    finally:
        os.environ[VARIABLE] = before


def names_of_limits() -> list[str]:
    """What can be set."""
    return [field.name for field in fields(Limits)]


def limits_from(text: str) -> Limits:
    """The limits that a text such as `memory=4G page_seconds=120` means; what it leaves out is as usual."""
    found: dict[str, float] = {}
    known = {field.name: field.type for field in fields(Limits)}
    for setting in text.replace(",", " ").split():
        name, _, value = setting.partition("=")
        if name not in known:
            raise UsageError(f"no limit is called {name!r}", advice=f"there are {', '.join(known)}")
        number = _number(value)
        found[name] = int(number) if known[name] == "int" else number
    return replace(Limits(), **found)  # type: ignore[arg-type]


def amount(number: float) -> str:
    """A number of bytes as people say it."""
    for unit, size in reversed(_UNITS.items()):
        if number >= size:
            return f"{number / size:.3g} {unit}B"
    return f"{number:g} bytes"


def _number(text: str) -> float:
    unit = _UNITS.get(text[-1:].upper(), 1)
    digits = text[:-1] if unit > 1 else text
    try:
        number = float(digits) * unit
    except ValueError:
        number = -1.0
    if not 0 < number < 1e15:
        raise UsageError(f"{text!r} is no limit", advice="give a number such as 30 or 2G")
    return number
