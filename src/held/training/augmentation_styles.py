"""New looks for the levels of a document: size, weight, slant, strokes, capitals, colour, place.

A theme gives each level a look. Sizes never grow downwards, and two levels may share one: there weight,
capitals, italics or nothing at all tell them apart, as in documents that people set. What looked like a
heading of some level before, listed or not, looks like one of that level after.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from held.document import Box, PageRegion, PhysicalObject, Style
from held.headings.object_features import style_key
from held.metrics import Label
from held.training.augmentation_nodes import Node, headings

_FONTS = ("Serif", "Sans", "Condensed")
_COLOURS = ("000000", "1f3864", "c00000", "2e74b5", "404040", "00695c")
_DEEPEST = 9
_STEPS = (0.0, 0.0, 0.05, 0.1, 0.15, 0.2, 0.3, 0.45)  # of the body's size, from one level to the next above
_BLACK = "000000"
_INDENTS = (0.0, 0.0, 0.0, 0.5, 1.0, 2.0)  # ems from one level to the next below; most have none
_CENTRED_LEVELS = (0, 0, 0, 1, 1, 2)  # how many, from the top
# How often a document, or one of its levels, is set so: by the look of reports and books, not counted.
_ALL_OF_ONE_SIZE = 0.2
_BOTTOM_AS_BODY = 0.7  # the lowest level has the size of the text; else it is a little larger
_BOTTOM_SIZE = 1.1
_CAPS = 0.15
_ITALIC = 0.2
_UNDERLINED = 0.1
_COLOURED = 0.35
_BOLD_BELOW = 0.15  # a level below those that are bold is so all the same
_PLAIN_BOTTOM = 0.25  # the lowest level is set like the text


@dataclass(frozen=True, slots=True)
class HeadingStyle:
    """How a level is set; sizes are relative to the body's."""

    size: float
    bold: bool
    italic: bool
    caps: bool
    centred: bool
    colour: str
    font: str
    indent: float  # in ems of the body
    underlined: bool = False


def draw_styles(levels: int, rng: random.Random) -> list[HeadingStyle]:
    """A look for each level, the top one first."""
    one_size = rng.random() < _ALL_OF_ONE_SIZE
    sizes = [1.0 if rng.random() < _BOTTOM_AS_BODY else _BOTTOM_SIZE]
    for _ in range(levels - 1):
        sizes.append(sizes[-1] + (0.0 if one_size else rng.choice(_STEPS)))
    sizes.reverse()
    bold_down_to = rng.randint(0, levels)
    centred_down_to = rng.choice(_CENTRED_LEVELS)
    caps_levels = {level for level in range(levels) if rng.random() < _CAPS}
    italic_levels = {level for level in range(levels) if level and rng.random() < _ITALIC}
    underlined_levels = {level for level in range(levels) if rng.random() < _UNDERLINED}
    colour = rng.choice(_COLOURS) if rng.random() < _COLOURED else _BLACK
    coloured_down_to = rng.randint(1, levels)
    font = rng.choice(_FONTS)
    step = rng.choice(_INDENTS)
    looks = [
        HeadingStyle(
            size=sizes[level],
            bold=level < bold_down_to or rng.random() < _BOLD_BELOW,
            italic=level in italic_levels,
            underlined=level in underlined_levels,
            caps=level in caps_levels,
            centred=level < centred_down_to,
            colour=colour if level < coloured_down_to else _BLACK,
            font=font,
            indent=step * level,
        )
        for level in range(levels)
    ]
    if levels > 1 and rng.random() < _PLAIN_BOTTOM:
        looks[-1] = replace(looks[-1], size=1.0, bold=False, underlined=False, caps=False)
    return looks


def restyled(nodes: list[Node], body: Style, rng: random.Random) -> list[Node]:
    """The nodes with a theme of their own."""
    found = headings(nodes)
    if not found:
        return nodes
    looks = draw_styles(min(_DEEPEST, max(node.level for node in found)), rng)
    usual = _usual_levels(found)
    for node in nodes:
        if node.item is None:
            continue
        level = node.level if node.is_heading else usual.get(style_key(node.item.style), 0)
        if level and (node.is_heading or node.label is Label.UNKNOWN):
            node.item = apply_style(node.item, looks[min(level, len(looks)) - 1], body)
    return nodes


def _usual_levels(found: Sequence[Node]) -> dict[tuple[object, ...], int]:
    """The level at which each look stands most often."""
    counts: dict[tuple[object, ...], Counter[int]] = {}
    for node in found:
        if node.item is not None:
            counts.setdefault(style_key(node.item.style), Counter())[node.level] += 1
    return {look: levels.most_common(1)[0][0] for look, levels in counts.items()}


def apply_style(item: PhysicalObject, look: HeadingStyle, body: Style) -> PhysicalObject:
    """The object in a look; its box moves where centring or indent do."""
    size = body.size or 10.0
    style = replace(
        item.style,
        font=look.font,
        size=round(size * look.size, 1),
        bold=look.bold,
        italic=look.italic,
        underlined=look.underlined,
        colour=look.colour,
        render_mode=0,
    )
    return replace(
        item,
        style=style,
        relative_size=look.size,
        caps=look.caps,
        centred=look.centred,
        indent=0.0 if look.centred else look.indent * size,
        text=item.text.upper() if look.caps else item.text,
        parts=_moved(item.parts, look.indent * size - item.indent),
    )


def _moved(parts: tuple[PageRegion, ...], right: float) -> tuple[PageRegion, ...]:
    """The parts with the first one moved to the right, never off the page's left edge."""
    page, box = parts[0]
    shift = max(right, -box.x0)
    moved = PageRegion(page, Box(box.x0 + shift, box.y0, box.x1 + shift, box.y1))
    return (moved, *parts[1:])
