"""Which files are extracted, and where each result goes: the sources' folders are mirrored below the output.

They are mirrored below the folder that all sources have in common, so that two files never meet unless they
stand side by side and differ in their suffix alone; these keep it.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from held.batch.results import JOURNAL
from held.errors import InputError, UsageError


class Item(NamedTuple):
    """A source, and the file that it becomes."""

    source: Path
    target: Path


def plan(inputs: Sequence[Path], output: Path, suffix: str) -> list[Item]:
    """The files among and below the inputs, in order and each once, with their targets."""
    sources = sources_in(inputs, output)
    root = os.path.commonpath(
        [os.path.abspath(given if given.is_dir() else given.parent) for given in inputs]
    )
    items = list(_targets(sources, Path(root), output, suffix))
    own = {_identity(source) for source in sources}
    for item in items:
        if _identity(item.target) in own:
            raise UsageError("would be overwritten", file=item.target, advice="choose another folder with -o")
    return items


def sources_in(inputs: Sequence[Path], output: Path) -> list[Path]:
    """The files among and below the inputs, in order and each once, without results of earlier runs."""
    sources = list(dict.fromkeys(source for given in inputs for source in _files(given, output)))
    if not sources:
        raise InputError("has no PDF", file=inputs[0], advice="folders are searched for *.pdf")
    return sources


def _identity(path: Path) -> object:
    """What two names of one file have in common, also where they are hard links."""
    try:
        found = path.stat()
    except OSError:
        return os.path.realpath(path)
    return found.st_dev, found.st_ino


def _files(given: Path, output: Path) -> Iterator[Path]:
    """The file itself, or the PDFs in a folder: without hidden ones and those of earlier results."""
    if not given.is_dir():
        yield given
        return
    for path in sorted(given.rglob("*")):
        hidden = any(part.startswith(".") for part in path.relative_to(given).parts)
        if path.suffix.lower() == ".pdf" and not hidden and not _is_below(path, output) and not path.is_dir():
            yield path  # also a link to nothing, which is told when it cannot be read


def _is_below(path: Path, folder: Path) -> bool:
    return Path(os.path.abspath(path)).is_relative_to(os.path.abspath(folder))


def _targets(sources: Sequence[Path], root: Path, output: Path, suffix: str) -> Iterator[Item]:
    """Each source with a target of its own, also where the file system does not tell A from a."""
    shared = _shared([_stem(source, root) for source in sources])
    taken = {JOURNAL.casefold()}  # a result must not take the journal's place
    for source in sources:
        stem = _stem(source, root)
        name = os.path.relpath(os.path.abspath(source), root) if stem.casefold() in shared else stem
        count = 1
        target = f"{name}{suffix}"
        while target.casefold() in taken:
            count += 1
            target = f"{name}-{count}{suffix}"
        taken.add(target.casefold())
        yield Item(source, output / target)


def _stem(source: Path, root: Path) -> str:
    """The source's path below the root without what tells its type."""
    name = source.name.removesuffix(".json.xz")
    name = name if name != source.name else source.stem
    return os.path.join(os.path.relpath(os.path.abspath(source.parent), root), name).removeprefix("./")


def _shared(stems: Sequence[str]) -> set[str]:
    return {stem for stem, count in Counter(stem.casefold() for stem in stems).items() if count > 1}
