"""Writes docs/architecture.md from the source: `python -m docs.architecture_page`. A test keeps it current.

The picture has the packages in their order and who uses whom. Of the uses only those are drawn that do not
follow from others, or it would be a web: `cli` uses `api`, so that it rests on all that `api` uses is plain.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from docs.layers import LAYERS, LAYOUT_LAYERS, ROOMS, SOURCE, imported_layers, layer_of, module_name, modules

PAGE = Path(__file__).with_name("architecture.md")
Uses = Mapping[str, frozenset[str]]  # what each package imports from

_HEAD = """# Architecture

The packages of `held` in their order: each imports only from those before it, and a test checks that
([`layers.py`](layers.py) has the list). The way of the data is told in [how-it-works.md](how-it-works.md),
why things are so in [decisions.md](decisions.md). `research/` imports `held`, never
the reverse.

This page is made from the source by `python -m docs.architecture_page`.

An arrow leads from a package to one that uses it. What follows from other arrows is left out.
"""


def architecture_page() -> str:
    """The whole page."""
    parts = [_HEAD, *_picture(ROOMS, uses_of(LAYERS))]
    for room, names in ROOMS.items():
        parts += [f"\n## {room}\n", *_table(names)]
    parts += ["\n## Inside `layout`\n", *_picture({}, uses_of(LAYOUT_LAYERS))]
    parts += ["", *_table(LAYOUT_LAYERS)]
    return "\n".join(parts) + "\n"


def uses_of(layers: Sequence[str]) -> Uses:
    """For each layer those of the list that it imports from."""
    found: dict[str, set[str]] = {name: set() for name in layers}
    for path in modules():
        name = layer_of(module_name(path), layers)
        if name is not None:
            found[name] |= imported_layers(path, layers) - {name}
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


def _table(names: Sequence[str]) -> Iterator[str]:
    """The rows of packages: what each is for, in its own words."""
    yield "| | what it is for |\n| --- | --- |"
    for name in names:
        place = SOURCE.joinpath(*name.split("."))
        file = place / "__init__.py" if place.is_dir() else place.with_suffix(".py")
        link = f"[`{name}`](../{file.relative_to(SOURCE.parents[1]).as_posix()})"
        yield f"| {link} | {_purpose(file)} |"


def _purpose(file: Path) -> str:
    """The first line of a module's docstring."""
    told = ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))) or ""
    return told.partition("\n")[0].replace("|", "\\|")


if __name__ == "__main__":
    PAGE.write_text(architecture_page(), encoding="utf-8")
