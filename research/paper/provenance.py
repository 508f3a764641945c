"""What a row was measured with: the code that it runs, the data, the settings and the models.

A row is kept under a name made of all four, so that it is measured again when one of them changed and not
otherwise. The code is a hash over the modules that a row can reach by imports: a change elsewhere keeps it.
"""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
_FOLDERS = {"held": ROOT / "src", "research": ROOT}
_EVERY_ROW = (
    "research.paper.methods",
    "research.paper.measure",
    "research.paper.subjects",
    # Presets name the modules that run them, so no import shows these: most rows have headings of `base`.
    "held.hierarchy.boosted_steps",
    "held.hierarchy.scorers",
    "held.paper.network_steps",
)


def code_of_rows() -> str:
    """The hash of the code that rows run: one for all, for the methods stand in one table."""
    return code_hash(_EVERY_ROW)


@cache
def code_hash(modules: tuple[str, ...]) -> str:
    """The hash of these modules and of all of ours that they import, themselves or by others."""
    whole = hashlib.sha256()
    for path in sorted(reached(modules)):
        whole.update(str(path.relative_to(ROOT)).encode())
        whole.update(path.read_bytes())
    return whole.hexdigest()[:16]


def reached(modules: Iterable[str]) -> set[Path]:
    """The files of these modules and of all of ours that they import, themselves or by others."""
    found: set[Path] = set()
    waiting = [path for name in modules for path in _files(name)]
    while waiting:
        path = waiting.pop()
        if path not in found:
            found.add(path)
            waiting += (file for name in _imported(path) for file in _files(name))
    return found


def _imported(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)  # it may be a module, too
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


def _files(module: str) -> Iterator[Path]:
    """The file of a module of ours, and those of the packages around it; none for what is no module."""
    first = module.partition(".")[0]
    if first not in _FOLDERS:
        return
    path = _FOLDERS[first].joinpath(*module.split("."))
    if path.with_suffix(".py").is_file():
        yield path.with_suffix(".py")
        path = path.parent
    # The outermost package is a door to all of them, which nobody within goes through.
    while path.parent != _FOLDERS[first] and path != _FOLDERS[first]:
        if (path / "__init__.py").is_file():
            yield path / "__init__.py"
        path = path.parent
