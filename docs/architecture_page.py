"""Writes docs/architecture.md from the source: `python -m docs.architecture_page`. A test keeps it current.

The picture has the packages in their order and who uses whom. Of the uses only those are drawn that do not
follow from others, or it would be a web: `cli` uses `api`, so that it rests on all that `api` uses is plain.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from docs.layers import LAYERS, PDF_LAYERS, ROOMS, SOURCE, siblings_imported

PAGE = Path(__file__).with_name("architecture.md")
Uses = Mapping[str, frozenset[str]]  # what each package imports from

_HEAD = """# Architecture

The packages of `held` in their order: each imports only from those before it, and a test checks that
([`layers.py`](layers.py) has the list). The way of the data is told in [how-it-works.md](how-it-works.md),
why things are so in [decisions.md](decisions.md). `experiments/` and `benchmarks/` import `held`, never
the reverse.

This page is made from the source by `python -m docs.architecture_page`.

An arrow leads from a package to one that uses it. What follows from other arrows is left out.
"""


def architecture_page() -> str:
    """The whole page."""
    parts = [_HEAD, *_picture(ROOMS, uses_of(LAYERS, SOURCE))]
    for room, names in ROOMS.items():
        parts += [f"\n## {room}\n", *_table(names, SOURCE)]
    inside = SOURCE / "pdf"
    parts += ["\n## Inside `pdf`\n", *_picture({}, uses_of(PDF_LAYERS, inside))]
    parts += ["", *_table(PDF_LAYERS, inside)]
    return "\n".join(parts) + "\n"


def uses_of(layers: Sequence[str], folder: Path) -> Uses:
    """For each package or module in a folder of the source, those of its list that it imports from."""
    depth = len(folder.relative_to(SOURCE).parts)
    found: dict[str, set[str]] = {name: set() for name in layers}
    for path in folder.rglob("*.py"):
        name = path.relative_to(folder).parts[0].removesuffix(".py")
        if name in found:
            found[name] |= siblings_imported(path, depth) - {name}
    return {name: frozenset(others) for name, others in found.items()}


def plain_uses(uses: Uses) -> Uses:
    """The uses that do not follow from others."""
    return {name: used - _below(used, uses) for name, used in uses.items()}


def _below(names: frozenset[str], uses: Uses) -> frozenset[str]:
    """All that these packages rest on."""
    found: set[str] = set()
    waiting = [used for name in names for used in uses[name]]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting.extend(uses[name])
    return frozenset(found)


def _picture(rooms: Mapping[str, Sequence[str]], uses: Uses) -> Iterator[str]:
    """The lines of a Mermaid chart: rooms as frames, packages in them, and an arrow for each plain use."""
    yield "```mermaid\nflowchart TD"
    for number, (room, names) in enumerate(rooms.items()):
        yield f'    subgraph room{number}["{room}"]'
        yield from (f'        {name}["{name}"]' for name in names)
        yield "    end"
    for name, used in plain_uses(uses).items():
        yield from (f"    {other} --> {name}" for other in sorted(used))
    yield "```"


def _table(names: Sequence[str], folder: Path) -> Iterator[str]:
    """The rows of packages: what each is for, in its own words."""
    yield "| | what it is for |\n| --- | --- |"
    for name in names:
        file = folder / name / "__init__.py" if (folder / name).is_dir() else folder / f"{name}.py"
        link = f"[`{name}`](../{file.relative_to(SOURCE.parents[1]).as_posix()})"
        yield f"| {link} | {_purpose(file)} |"


def _purpose(file: Path) -> str:
    """The first line of a module's docstring."""
    told = ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))) or ""
    return told.partition("\n")[0].replace("|", "\\|")


if __name__ == "__main__":
    PAGE.write_text(architecture_page(), encoding="utf-8")
