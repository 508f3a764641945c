"""What is asked for: a file, and all that its result depends on."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from held.cli.inputs import PageRange


@dataclass(frozen=True, slots=True)
class Options:
    """All that the result depends on beside the file itself."""

    form: str = "json"
    pages: PageRange | None = None
    order: str = "ta"
    beam: int = 1
    model: str = "base"
    outline: str = "ignore"
    max_depth: int | None = None


@dataclass(frozen=True, slots=True)
class Task:
    """A file to extract. `name` is what people call it: its path, or - for standard input."""

    source: Path
    name: str
    options: Options
    password: str | None = None
    jobs: int | None = None
