"""New looks for a document: other heading styles, or the look of a scan.

A heading style is size, weight, italics, underline, capitals, colour and position. Each level gets a style. A
lower level is never larger than the one above, but may have the same size: then weight, capitals, italics or
nothing at all distinguishes the two, as in real documents. Objects that had the style of a level before have
the new style of that level afterwards, whether the outline lists them or not.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from held.corpus.store import LabelledDocument
from held.document import Box, PageRegion, PhysicalObject, Style
from held.headings.object_features import style_key
from held.metrics import Label
from held.training.augmentation_numbers import Node, headings

_FONTS = ("Serif", "Sans", "Condensed")
_COLOURS = ("000000", "1f3864", "c00000", "2e74b5", "404040", "00695c")
_DEEPEST = 9
# How much larger a level is than the next lower one, relative to the body's size.
_STEPS = (0.0, 0.0, 0.05, 0.1, 0.15, 0.2, 0.3, 0.45)
_BLACK = "000000"
_INDENTS = (0.0, 0.0, 0.0, 0.5, 1.0, 2.0)  # em per level; most documents have none
_CENTRED_LEVELS = (0, 0, 0, 1, 1, 2)  # how many, from the top
# How often a document or a level is set so: estimated from reports and books at hand, not counted.
_ALL_OF_ONE_SIZE = 0.2
_BOTTOM_AS_BODY = 0.7  # the lowest level has the body's size; otherwise it is a little larger
_BOTTOM_SIZE = 1.1
_CAPS = 0.15
_ITALIC = 0.2
_UNDERLINED = 0.1
_COLOURED = 0.35
_BOLD_BELOW = 0.15  # a level below the bold ones is bold as well
_PLAIN_BOTTOM = 0.25  # the lowest level is set like the body


@dataclass(frozen=True, slots=True)
class HeadingStyle:
    """The style of a level; its size is relative to the body's."""

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
    """A random style for each level, the top one first."""
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
    styles = [
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
        styles[-1] = replace(styles[-1], size=1.0, bold=False, underlined=False, caps=False)
    return styles


def restyle(nodes: list[Node], body: Style, rng: random.Random) -> list[Node]:
    """Gives each level a new random style."""
    found = headings(nodes)
    if not found:
        return nodes
    deepest = max(node.level for node in found)
    styles = draw_styles(min(_DEEPEST, deepest), rng)
    level_of_style = _level_of_style(found)
    for node in nodes:
        if node.item is None:
            continue
        level = node.level if node.is_heading else level_of_style.get(style_key(node.item.style), 0)
        if level and (node.is_heading or node.label is Label.UNKNOWN):
            node.item = apply_style(node.item, styles[min(level, len(styles)) - 1], body)
    return nodes


def _level_of_style(found: Sequence[Node]) -> dict[tuple[object, ...], int]:
    """The most frequent level of each style."""
    counts: dict[tuple[object, ...], Counter[int]] = {}
    for node in found:
        if node.item is not None:
            counts.setdefault(style_key(node.item.style), Counter())[node.level] += 1
    return {style: levels.most_common(1)[0][0] for style, levels in counts.items()}


def apply_style(item: PhysicalObject, new: HeadingStyle, body: Style) -> PhysicalObject:
    """The object in a new style; its box moves with the indent."""
    size = body.size or 10.0
    style = replace(
        item.style,
        font=new.font,
        size=round(size * new.size, 1),
        bold=new.bold,
        italic=new.italic,
        underlined=new.underlined,
        colour=new.colour,
        render_mode=0,
    )
    return replace(
        item,
        style=style,
        relative_size=new.size,
        caps=new.caps,
        centred=new.centred,
        indent=0.0 if new.centred else new.indent * size,
        text=item.text.upper() if new.caps else item.text,
        parts=_move_right(item.parts, new.indent * size - item.indent),
    )


def _move_right(parts: tuple[PageRegion, ...], distance: float) -> tuple[PageRegion, ...]:
    page, box = parts[0]
    shift = max(distance, -box.x0)  # never beyond the left edge of the page
    moved = PageRegion(page, Box(box.x0 + shift, box.y0, box.x1 + shift, box.y1))
    return (moved, *parts[1:])


# --- scans ---
#
# Augmentation: a labelled document as text recognition would read a scan of it.
#
# Recognition knows neither fonts nor colours nor italics. Sizes are measured from ink, so some are off;
# bold type is sometimes missed, or seen where there is none; some characters are misread. The rates are
# rough estimates. The labels stay.

_SIZE_SPREAD = 0.02  # standard deviation of the logarithm of a size that the whole document shares ...
_LINE_SPREAD = 0.06  # ... and of a single object that was measured badly
_MISMEASURED = 0.05  # share of such objects
_BOLD_MISSED = 0.15
_BOLD_IMAGINED = 0.02
_MISREAD = 0.01  # share of the characters
_LOOKALIKES = {
    "l": "1",
    "1": "l",
    "I": "l",
    "O": "0",
    "0": "O",
    "S": "5",
    "5": "S",
    "B": "8",
    "m": "rn",
    ",": ".",
    ".": ",",
    "一": "-",
    "、": "，",
    "（": "(",
    "）": ")",
}


def scan(labelled: LabelledDocument, *, seed: int | str) -> LabelledDocument:
    """A copy of the document as recognised from a scan; the same seed gives the same copy."""
    rng = random.Random(f"{seed}/{labelled.id}/scan")
    document = labelled.document
    body = _scanned_style(document.body, _jitter(document.body.size, _SIZE_SPREAD, rng), bold=False)
    measured: dict[float, float] = {document.body.size: body.size}
    objects = []
    for item in document.objects:
        size = item.style.size
        if size not in measured:
            measured[size] = _jitter(size, _SIZE_SPREAD, rng)
        objects.append(_scanned_object(item, measured[size], body.size, rng))
    return replace(labelled, document=replace(document, objects=tuple(objects), body=body))


def _scanned_object(
    item: PhysicalObject, size: float, body_size: float, rng: random.Random
) -> PhysicalObject:
    if rng.random() < _MISMEASURED:
        size = _jitter(size, _LINE_SPREAD, rng)
    if item.style.bold:
        is_bold = rng.random() >= _BOLD_MISSED
    else:
        is_bold = rng.random() < _BOLD_IMAGINED
    return replace(
        item,
        text=_misread(item.text, rng),
        style=_scanned_style(item.style, size, bold=is_bold),
        relative_size=size / body_size if body_size else item.relative_size,
    )


def _scanned_style(style: Style, size: float, *, bold: bool) -> Style:
    return Style(size=size, bold=bold, upright=style.upright)


def _jitter(size: float, spread: float, rng: random.Random) -> float:
    return round(float(size) * rng.lognormvariate(0, spread), 1)


def _misread(text: str, rng: random.Random) -> str:
    """The text with some characters replaced by similar ones."""
    read = []
    for character in text:
        is_misread = rng.random() < _MISREAD
        read.append(_LOOKALIKES.get(character, character) if is_misread else character)
    return "".join(read)
