"""Finds the files of a run and decides where each result goes.

The folders of the sources are mirrored below the output folder, starting at the folder that all sources
share. So two results can only collide if their sources differ in nothing but the suffix; those keep their
suffix.

    in/a.pdf, in/2024/b.pdf  →  out/a.md, out/2024/b.md
    in/a.pdf, in/a.json      →  out/a.pdf.md, out/a.json.md
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from held.errors import InputError, UsageError

JOURNAL = "held-batch.jsonl"  # in the output folder; see `held.batch.sinks`


class PlannedFile(NamedTuple):
    """A source, and the file that its result is written to."""

    source: Path
    target: Path


def plan_files(inputs: Sequence[Path], output: Path, suffix: str) -> list[PlannedFile]:
    """Return the files among and below the inputs, in order and without duplicates, with their targets."""
    sources = find_sources(inputs, output)
    folders = []
    for given in inputs:
        folder = given if given.is_dir() else given.parent
        folders.append(os.path.abspath(folder))
    root = os.path.commonpath(folders)
    files = list(_choose_targets(sources, Path(root), output, suffix))
    identities = {_identity(source) for source in sources}
    for file in files:
        if _identity(file.target) in identities:
            raise UsageError("would be overwritten", file=file.target, advice="choose another folder with -o")
    return files


def find_sources(inputs: Sequence[Path], output: Path) -> list[Path]:
    """Return the files among and below the inputs, in order, without duplicates and earlier results."""
    found: dict[Path, None] = {}  # a set that keeps the order
    for given in inputs:
        found |= dict.fromkeys(_files_below(given, output))
    if not found:
        raise InputError("contains no PDF", file=inputs[0], advice="folders are searched for *.pdf")
    return list(found)


def _files_below(given: Path, output: Path) -> Iterator[Path]:
    if not given.is_dir():
        yield given
        return
    for path in sorted(given.rglob("*")):
        parts = path.relative_to(given).parts
        is_hidden = any(part.startswith(".") for part in parts)
        is_pdf = path.suffix.lower() == ".pdf" and not path.is_dir()
        if is_pdf and not is_hidden and not _is_below(path, output):
            yield path  # even a dangling link, so that the run reports it


def _is_below(path: Path, folder: Path) -> bool:
    absolute = Path(os.path.abspath(path))
    return absolute.is_relative_to(os.path.abspath(folder))


def _identity(path: Path) -> object:
    """Return what all names of one file share, hard links included."""
    try:
        status = path.stat()
    except OSError:
        return os.path.realpath(path)
    return status.st_dev, status.st_ino


def _choose_targets(sources: Sequence[Path], root: Path, output: Path, suffix: str) -> Iterator[PlannedFile]:
    # Names are compared without case: some file systems ignore it.
    stems = Counter(_stem(source, root).casefold() for source in sources)
    taken = {JOURNAL.casefold()}
    for source in sources:
        stem = _stem(source, root)
        is_shared = stems[stem.casefold()] > 1
        name = os.path.relpath(os.path.abspath(source), root) if is_shared else stem
        # A few names can still collide: a.pdf and A.pdf become a.pdf.md and A.pdf-2.md.
        count = 1
        target = f"{name}{suffix}"
        while target.casefold() in taken:
            count += 1
            target = f"{name}-{count}{suffix}"
        taken.add(target.casefold())
        yield PlannedFile(source, output / target)


def _stem(source: Path, root: Path) -> str:
    """Return the source's path below the root without its suffix, of which `.json.xz` is one."""
    name = source.name.removesuffix(".json.xz")
    if name == source.name:
        name = source.stem
    folder = os.path.relpath(os.path.abspath(source.parent), root)
    return os.path.join(folder, name).removeprefix("./")
