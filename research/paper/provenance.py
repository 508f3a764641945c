"""The provenance of a measured row: its code, data, settings and models.

The file of a row is named by a hash of all four, so that it is measured again only if one of them changes.
The code is that of all modules that a row imports, directly or not.
"""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from held.models.store import PRESETS

ROOT = Path(__file__).parents[2]
_FOLDERS = {"held": ROOT / "src", "research": ROOT}
_LAYOUT = "held.layout"  # the objects of a row come with its labels, so no row runs it
# The registry of presets names modules as text, which no import shows.
_STEPS = [step for preset in PRESETS.values() for step in (preset.heading_step, preset.tree_step) if step]
_EVERY_ROW = (
    "research.paper.methods",
    "research.paper.measure",
    "research.paper.subjects",
    *(step.partition(":")[0] for step in _STEPS),
)


def code_of_rows() -> str:
    """The hash of the code that rows run. All rows share it, because one module has all methods."""
    return code_hash(_EVERY_ROW)


@cache
def code_hash(modules: tuple[str, ...]) -> str:
    """The hash of these modules and of all modules of the project that they import, directly or not."""
    digest = hashlib.sha256()
    for path in sorted(reachable_files(modules)):
        digest.update(str(path.relative_to(ROOT)).encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def reachable_files(modules: Iterable[str]) -> set[Path]:
    """The files of these modules and of all modules of the project that they import, directly or not."""
    found: set[Path] = set()
    waiting = [path for name in modules for path in _files(name)]
    while waiting:
        path = waiting.pop()
        if path not in found:
            found.add(path)
            waiting += (file for name in _imports(path) for file in _files(name))
    return found


def _imports(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)  # it may be a module, too
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


def _files(module: str) -> Iterator[Path]:
    """The files of a module of the project and of the packages around it; none for other names."""
    first = module.partition(".")[0]
    if first not in _FOLDERS or module.startswith(_LAYOUT):
        return
    path = _FOLDERS[first].joinpath(*module.split("."))
    if path.with_suffix(".py").is_file():
        yield path.with_suffix(".py")
        path = path.parent
    # Not the outermost package: `held/__init__.py` refers to everything, and modules inside do not use it.
    while path.parent != _FOLDERS[first] and path != _FOLDERS[first]:
        if (path / "__init__.py").is_file():
            yield path / "__init__.py"
        path = path.parent
