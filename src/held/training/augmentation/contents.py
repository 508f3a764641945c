"""The printed contents: taken away where a document has them, invented where it has none."""

from __future__ import annotations

import random
from dataclasses import replace

from held.document import Box, Kind, PageRegion, PhysicalObject, Style
from held.metrics import Label
from held.training.augmentation.nodes import Node, headings

_LEFT_PT, _STEP_PT, _ROW_PT, _TOP_PT = 72.0, 18.0, 14.0, 90.0
_ROWS_A_PAGE = 45
_FORGOTTEN = 0.05  # the share of headings that an invented list leaves out


def without_contents(nodes: list[Node]) -> list[Node]:
    """The nodes less the entries of printed contents; those that are headings themselves stay."""
    return [node for node in nodes if not _is_entry(node)]


def has_contents(nodes: list[Node]) -> bool:
    """Whether there are entries of printed contents."""
    return any(map(_is_entry, nodes))


def _is_entry(node: Node) -> bool:
    is_listing = node.item is not None and node.item.kind is Kind.CONTENTS_ENTRY
    return is_listing and not node.is_heading


def with_contents(nodes: list[Node], body: Style, rng: random.Random) -> list[Node]:
    """The nodes with contents before them that list the headings down to some level."""
    found = headings(nodes)
    if len(found) < 3:
        return nodes
    down_to = rng.randint(1, max(node.level for node in found))
    step = rng.choice((0.0, _STEP_PT, _STEP_PT))  # some lists are not set in at all
    listed = [node for node in found if node.level <= down_to and rng.random() > _FORGOTTEN]
    entries = [_entry(node, place, step, body) for place, node in enumerate(listed)]
    return [*(Node(entry, Label.BODY) for entry in entries), *nodes]


def _entry(node: Node, place: int, step: float, body: Style) -> PhysicalObject:
    """The entry for a heading, at its row of the list."""
    item = node.item
    assert item is not None
    x = _LEFT_PT + step * (node.level - 1)
    y = _TOP_PT + _ROW_PT * (place % _ROWS_A_PAGE)
    title = " ".join(item.text.split())
    return replace(
        item,
        kind=Kind.CONTENTS_ENTRY,
        text=title,
        parts=(PageRegion(1, Box(x, y, x + 400.0, y + _ROW_PT)),),
        style=body,
        relative_size=1.0,
        centred=False,
        caps=False,
        indent=x - _LEFT_PT,
        rows=((title, str(item.page)),),
    )
