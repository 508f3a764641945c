"""What is asked for: a file, all that its result depends on, and how the work is to be done."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from held.exports.formats import ExportOptions
from held.extraction import ExtractOptions


@dataclass(frozen=True, slots=True)
class Options:
    """All that the result depends on beside the file itself."""

    form: str = "json"
    extraction: ExtractOptions = field(default_factory=ExtractOptions)
    writing: ExportOptions = field(default_factory=ExportOptions)


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

    `target` is where the result will stand, None for standard output; `images` is the folder for its figures
    and `tables` that for its tables: the worker writes no result, but what it writes may link to figures.
    """

    source: Path
    name: str
    options: Options
    target: Path | None = None
    images: Path | None = None
    password: str | None = None
    jobs: int | None = None
    tables: Path | None = None
