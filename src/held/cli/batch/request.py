"""What is asked for: a file, all that its result depends on, and how the work is to be done."""

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
    min_confidence: float | None = None
    drop_doubtful: bool = False
    keep_bookmarks: bool = False
    images: Path | None = None
    max_tokens: int | None = None


@dataclass(frozen=True, slots=True)
class Manner:
    """How the work is done, which changes nothing about its results."""

    password: str | None = None
    jobs: int | None = None
    timeout: float | None = None
    quiet: bool = False
    verbose: bool = False


@dataclass(frozen=True, slots=True)
class Task:
    """A file to extract. `name` is what people call it: its path, or - for standard input.

    `target` is where the result will stand, None for standard output, and `images` the folder for its
    figures: the worker writes no result, but what it writes may link to figures.
    """

    source: Path
    name: str
    options: Options
    target: Path | None = None
    images: Path | None = None
    password: str | None = None
    jobs: int | None = None
