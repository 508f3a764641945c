"""Writes docs/architecture.md from the source: `python -m docs.architecture_page`. A test keeps it current.

The picture has the packages in their order and who uses whom. Of the uses only those are drawn that do not
follow from others, or it would be a web: `cli` uses `api`, so that it rests on all that `api` uses is plain.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from docs.layers import (
    GROUPS,
    HIERARCHY_LAYERS,
    LAYERS,
    LAYOUT_LAYERS,
    SOURCE,
    imported_layers,
    layer_of,
    module_name,
    modules,
)

PAGE = Path(__file__).with_name("architecture.md")
Uses = Mapping[str, frozenset[str]]  # what each package imports from

_HEAD = """# Architecture

What the folders are for, how they depend on each other, and what the terms mean. See
[how-it-works.md](how-it-works.md) for the data flow and [decisions.md](decisions.md) for the reasons.
`python -m docs.architecture_page` writes this page from the source; a test keeps it current.

## How a heading gets its parent

1. `extraction.extract` reads the file (`reading.read_pdf`) and makes objects of it (`layout.recognise`).
2. `headings.object_features` describes each object by some 70 columns: text, number, style, position.
3. `headings.classifier` gives each object the probability that it is a heading; `headings.rules` bounds some.
4. Objects above the threshold are headings. `hierarchy.insertion` takes them one by one, in reading order.
5. A heading can only go below a node of the rightmost branch: the root, the last heading or one between.
6. `hierarchy.position_features` compares it, at each position, with the parent and siblings it would get.
7. Boosted trees score the positions (`PositionScorer` in `hierarchy.boosted_step`).
8. `hierarchy.constraints` lowers scores that are hardly ever right; a softmax makes probabilities of them.
9. The most probable position wins: its node becomes the parent, and the branch below that node is closed.
10. `hierarchy.tree_check` looks at the finished tree: how probably is the parent of each heading right?
11. `tree.attach_body` puts every other object below the heading before it. The result is a `Hierarchy`.

## Dependencies

A module imports only from layers above its own; [`layers.py`](layers.py) lists them and a test checks them.
An arrow leads from a layer to one that uses it. Arrows that follow from others are left out. `research/`
imports `held`, never the reverse.
"""

_GLOSSARY = """
## Glossary

| term | meaning |
| --- | --- |
| run | a piece of text on one line in one style, as the PDF reader returns it |
| rule | a line drawn on the page; in `headings/rules.py`, a correction of the heading classifier |
| stroke | a rule, or the edge of a drawn box, after collinear pieces are joined |
| line, row | a line is text at one height without a wide gap; a row is all lines of a column at one height |
| block | lines that form one object of a page, before objects are joined across pages |
| object | a paragraph, list item, table, figure, caption or footnote: a `PhysicalObject` |
| furniture | running heads, page numbers, watermarks and repeated images, kept apart from the objects |
| printed contents, entry | a table of contents on the pages; its entries are objects of their own kind |
| run-in heading | a heading on the same line as the text that it heads |
| style | font, size, weight, slant and colour of a text, relative to the body text |
| style class | headings of a document that share style and number pattern |
| item number | the number at the start of a heading: `3.2`, `(iv)`, `Chapter 4`, `第三章` |
| number pattern | the form of an item number; each has an id that the models know |
| heading | an object that a section begins with |
| tree, hierarchy | the tree holds indices of objects; a `Hierarchy` adds the document and probabilities |
| path | the headings above an object, from the top |
| rightmost branch | the path to the last heading: the only places where the next heading can go |
| position | a place on the rightmost branch where a heading can be inserted |
| put or skip | the decision about one position: insert the heading here, or not |
| inquiry | one position scored by the model |
| traversal order | how positions are scored: all (`ta`), root to leaf (`r2l`), leaf to root (`l2r`) |
| constraint | a placement that is penalised whatever the model says (`hierarchy/constraints.py`) |
| override | the level, parent or kind that a user has fixed for an object |
| doubtful | a heading whose probability, times that of its position, is below one half |
| file task | one file with all options of its result; batch, server and cluster send it to worker processes |
| sink | what stores the results of a run: a folder, an index or a data set |
| passage | what search returns: an object, or neighbours that make sense only together |
| chunk | text of one section, cut to a token limit, for other retrieval systems |
| preset | the kind of a model file (`boosted`, `paper`); a model folder has a file for each step |
| silver | an outline that was guessed from typography: used for training, never for scoring |
"""


def architecture_page() -> str:
    """The whole page."""
    parts = [_HEAD, *_picture(GROUPS, uses_of(LAYERS))]
    for group, names in GROUPS.items():
        parts += [f"\n## {group}\n", *_table(names)]
    parts += ["\n## Inside `layout`\n", *_picture({}, uses_of(LAYOUT_LAYERS))]
    parts += ["", *_table(LAYOUT_LAYERS)]
    parts += ["\n## Inside `hierarchy`\n", *_picture({}, uses_of(HIERARCHY_LAYERS))]
    parts += ["", *_table(HIERARCHY_LAYERS), _GLOSSARY]
    return "\n".join(parts)


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


def _picture(groups: Mapping[str, Sequence[str]], uses: Uses) -> Iterator[str]:
    """The lines of a Mermaid chart: groups as frames, layers in them, and an arrow for each direct use."""
    yield "```mermaid\nflowchart TD"
    for number, (group, names) in enumerate(groups.items()):
        yield f'    subgraph group{number}["{group}"]'
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
