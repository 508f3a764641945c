"""Augmentation of headings as nodes of a tree: other number patterns, restarted and dropped numbers."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from held.corpus.store import NO_ENTRY, LabelledDocument
from held.document import PhysicalObject
from held.hierarchy.matching.nodes import MissingHeading, reading_order
from held.metrics import Label
from held.numbering import parse_number
from held.tree import ROOT


@dataclass(eq=False, slots=True)
class Node:
    """An object, or a missing heading, with its label and its parent (None: the root)."""

    item: PhysicalObject | None
    label: Label
    parent: Node | None = None
    entry: int = NO_ENTRY
    missing: MissingHeading | None = None

    @property
    def is_heading(self) -> bool:
        """Whether the node is a true heading, on the page or not."""
        return self.label is Label.HEADING

    @property
    def level(self) -> int:
        """The depth in the tree; children of the root have level 1."""
        return 1 if self.parent is None else self.parent.level + 1


def to_nodes(labelled: LabelledDocument) -> list[Node]:
    """The nodes of a document in reading order."""
    objects = labelled.document.objects
    every: list[Node] = []
    for item, label, entry in zip(objects, labelled.labels, labelled.entries, strict=True):
        every.append(Node(item, label, entry=entry))
    every += [Node(None, Label.HEADING, entry=lost.entry, missing=lost) for lost in labelled.missing]
    parents = [*labelled.parents, *(missing.parent for missing in labelled.missing)]
    for node, parent in zip(every, parents, strict=True):
        node.parent = None if parent == ROOT else every[parent]
    return [every[index] for index in reading_order(labelled.missing, len(objects))]


def from_nodes(nodes: Sequence[Node], original: LabelledDocument) -> LabelledDocument:
    """The document of the nodes, with the id, group and pages of the original."""
    present = [node for node in nodes if node.item is not None]
    absent = [node for node in nodes if node.item is None]
    index = {id(node): i for i, node in enumerate([*present, *absent])}
    objects_before: dict[int, int] = {}
    count = 0
    for node in nodes:
        objects_before[id(node)] = count
        count += node.item is not None

    def parent_of(node: Node) -> int:
        return ROOT if node.parent is None else index[id(node.parent)]

    missing = []
    for node in absent:
        before, parent = objects_before[id(node)], parent_of(node)
        heading = node.missing or MissingHeading("", None, before, parent, node.entry)
        missing.append(heading._replace(before=before, parent=parent))
    return replace(
        original,
        document=replace(original.document, objects=tuple(node.item for node in present if node.item)),
        labels=tuple(node.label for node in present),
        parents=tuple(parent_of(node) for node in present),
        entries=tuple(node.entry for node in present),
        missing=tuple(missing),
    )


def remove_nodes(nodes: Sequence[Node], removed: set[int]) -> list[Node]:
    """Removes the nodes with these `id`s; their children move to the nearest ancestor that remains."""
    kept = [node for node in nodes if id(node) not in removed]
    for node in kept:
        while node.parent is not None and id(node.parent) in removed:
            node.parent = node.parent.parent
    return kept


def headings(nodes: Sequence[Node]) -> list[Node]:
    """The true headings that are objects on a page."""
    return [node for node in nodes if node.is_heading and node.item is not None]


NumberFormat = Callable[[tuple[int, ...]], str]
"""From the counters of a heading's ancestors and its own to what is printed before its title."""

_ROMAN = ((50, "L"), (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"))
_CHINESE = "零一二三四五六七八九"
_NUMBERED_SHARE = 0.5  # of a level's headings that must have a number for the level to count as numbered
_CONTINUES = 0.4  # how often the counter of chapters continues across parts
_CHAPTER_LEVEL = 2  # under parts
_ON_ALL_LEVELS = 0.3  # how often unnumbered levels get numbers, too
_FROM_ALL_LEVELS = 0.5  # how often all levels lose their numbers at once


def roman(value: int) -> str:
    """An upper-case roman numeral, up to 89."""
    digits = ""
    for worth, digit in _ROMAN:
        while value >= worth:
            digits += digit
            value -= worth
    return digits


def chinese(value: int) -> str:
    """A Chinese numeral, up to 99."""
    if value > 99:
        return str(value)
    tens, ones = divmod(value, 10)
    if not tens:
        return _CHINESE[ones]
    head = "" if tens == 1 else _CHINESE[tens]
    return head + "十" + (_CHINESE[ones] if ones else "")


def letter(value: int) -> str:
    """A capital letter; after Z come AA, BB and so on."""
    repeats, offset = divmod(value - 1, 26)
    return chr(ord("A") + offset) * (repeats + 1)


def _dotted(counters: tuple[int, ...]) -> str:
    return ".".join(map(str, counters)) + " "


def _dotted_below(counters: tuple[int, ...]) -> str:
    # Such as 1.1 under Chapter 1 of Part I: the top counter is left out.
    return _dotted(counters[1:])


_WITH_ANCESTORS = (_dotted, _dotted_below)
"""Formats that print the counters of the ancestors as well."""

_ENGLISH: tuple[tuple[NumberFormat, ...], ...] = (
    (_dotted, _dotted, _dotted, _dotted),
    (lambda c: f"{c[-1]}. ", _dotted, _dotted, _dotted),
    (lambda c: f"Chapter {c[-1]} ", _dotted, _dotted, _dotted),
    (lambda c: f"Part {roman(c[-1])} ", lambda c: f"Chapter {c[-1]} ", _dotted_below, _dotted_below),
    (lambda c: f"PART {roman(c[-1])}. ", lambda c: f"{c[-1]} ", _dotted_below, _dotted_below),
    (
        lambda c: f"{roman(c[-1])}. ",
        lambda c: f"{letter(c[-1])}. ",
        lambda c: f"{c[-1]}. ",
        lambda c: f"{letter(c[-1]).lower()}. ",
    ),
    (
        lambda c: f"{letter(c[-1])}. ",
        lambda c: f"{c[-1]}. ",
        lambda c: f"({letter(c[-1]).lower()}) ",
        lambda c: f"({roman(c[-1]).lower()}) ",
    ),
    (
        lambda c: f"Article {roman(c[-1])} ",
        lambda c: f"Section {c[-1]} ",
        lambda c: f"({letter(c[-1]).lower()}) ",
        lambda c: f"({c[-1]}) ",
    ),
    (lambda c: f"PART {roman(c[-1])} ", lambda c: f"Item {c[-1]}. ", lambda c: f"{letter(c[-1])}. "),
)
_CHINESE_SCHEMES: tuple[tuple[NumberFormat, ...], ...] = (
    (_dotted, _dotted, _dotted, _dotted),
    (
        lambda c: f"第{chinese(c[-1])}章 ",
        lambda c: f"第{chinese(c[-1])}节 ",
        lambda c: f"{chinese(c[-1])}、",
        lambda c: f"（{chinese(c[-1])}）",
        lambda c: f"{c[-1]}、",
        lambda c: f"（{c[-1]}）",
    ),
    (
        lambda c: f"第{chinese(c[-1])}节 ",
        lambda c: f"{chinese(c[-1])}、",
        lambda c: f"（{chinese(c[-1])}）",
        lambda c: f"{c[-1]}、",
        lambda c: f"（{c[-1]}）",
    ),
    (
        lambda c: f"{chinese(c[-1])}、",
        lambda c: f"（{chinese(c[-1])}）",
        lambda c: f"{c[-1]}. ",
        lambda c: f"（{c[-1]}）",
    ),
    (
        lambda c: f"第{chinese(c[-1])}编 ",
        lambda c: f"第{chinese(c[-1])}章 ",
        lambda c: f"第{chinese(c[-1])}节 ",
        lambda c: f"第{chinese(c[-1])}条 ",
    ),
    (lambda c: f"{c[-1]} ", _dotted, _dotted, _dotted),
)


def renumber_headings(nodes: list[Node], rng: random.Random, *, is_chinese: bool) -> list[Node]:
    """Numbers the headings by another random scheme, on the levels that had numbers or on all levels."""
    found = headings(nodes)
    schemes = _CHINESE_SCHEMES if is_chinese else _ENGLISH
    scheme = rng.choice(schemes)
    numbered = _numbered_levels(found)
    down_to = rng.randint(1, len(scheme))
    everywhere = rng.random() < _ON_ALL_LEVELS
    continues = rng.random() < _CONTINUES
    counted: dict[tuple[int, int], int] = {}  # how many headings each list has so far
    counters: dict[int, tuple[int, ...]] = {}  # of each heading: its ancestors' and its own
    for node in found:
        level = node.level
        stripped = bare_title(node)
        keeps_none = level in numbered and not has_number(node)
        is_level_numbered = everywhere or level in numbered
        if keeps_none or not stripped or not is_level_numbered:
            _retitle(node, stripped or _text(node))
            counters[id(node)] = ()
            continue
        is_one_list = continues and level == _CHAPTER_LEVEL
        own_list = (level, 0 if is_one_list else id(node.parent))
        counted[own_list] = counted.get(own_list, 0) + 1
        above = counters.get(id(node.parent), ()) if node.parent is not None else ()
        own = (*above, counted[own_list])
        counters[id(node)] = own
        form = scheme[level - 1] if level <= down_to else None
        _retitle(node, _prefix(form, own, level) + stripped)
    return nodes


def _prefix(form: NumberFormat | None, counters: tuple[int, ...], level: int) -> str:
    if form is None:
        return ""
    # Below an unnumbered heading a dotted number would print a counter that the reader never saw.
    is_complete = len(counters) == level
    return form(counters) if is_complete or form not in _WITH_ANCESTORS else ""


def remove_numbers(nodes: list[Node], rng: random.Random) -> list[Node]:
    """Removes the numbers of some levels, often of all."""
    found = headings(nodes)
    levels = sorted(_numbered_levels(found))
    if not levels:
        return nodes
    affected = levels
    if rng.random() >= _FROM_ALL_LEVELS:
        affected = rng.sample(levels, rng.randint(1, len(levels)))
    for node in found:
        stripped = bare_title(node)
        if node.level in affected and stripped:
            _retitle(node, stripped)
    return nodes


def has_number(node: Node) -> bool:
    """Whether the heading's text begins with an item number."""
    return parse_number(_text(node)) is not None


def bare_title(node: Node) -> str:
    """The heading's text without its number; empty if it is only a number."""
    text = _text(node)
    number = parse_number(text)
    return text if number is None else text[number.title_start :].strip()


def _numbered_levels(found: Sequence[Node]) -> set[int]:
    """The levels most of whose headings have a number."""
    headings_of = Counter(node.level for node in found)
    numbered_of = Counter(node.level for node in found if has_number(node))
    return {level for level, count in headings_of.items() if numbered_of[level] > _NUMBERED_SHARE * count}


def _text(node: Node) -> str:
    return node.item.text if node.item is not None else ""


def _retitle(node: Node, text: str) -> None:
    if node.item is not None and text:
        node.item = replace(node.item, text=text)
