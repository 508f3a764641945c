"""The printed contents: taken away where a document has them, invented where it has none.

Changes of the tree itself: a level left out, a level of parts put above chapters, an excerpt.

The text stays as it is; only headings come and go, and what hung below them hangs where a reader would
look for it.

Labelled documents in other clothes: the same text and an exactly known tree, another maker.

A model that has seen two thousand documents has seen a few dozen makers. Here looks, numbers, levels,
contents and distractors are drawn anew for each document and each seed; what a heading is and where it
hangs is known all the while. `augmented` is the door: a labelled document and a seed go in, another
labelled document comes out.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace

from held.corpus.labelled import NO_ENTRY, LabelledDocument
from held.document import Box, Kind, PageRegion, PhysicalObject, Style
from held.metrics import Label
from held.training.augmentation_nodes import Node, from_nodes, headings, to_nodes, without
from held.training.augmentation_numbers import chinese, remove_numbers, renumber_headings, roman
from held.training.augmentation_styles import HeadingStyle, apply_style, restyled

_LEFT_PT, _STEP_PT, _ROW_PT, _TOP_PT = 72.0, 18.0, 14.0, 90.0
_ROWS_A_PAGE = 45
_FORGOTTEN = 0.05  # the share of headings that an invented list leaves out


def remove_contents(nodes: list[Node]) -> list[Node]:
    """The nodes less the entries of printed contents; those that are headings themselves stay."""
    return [node for node in nodes if not _is_entry(node)]


def has_contents(nodes: list[Node]) -> bool:
    """Whether there are entries of printed contents."""
    return any(map(_is_entry, nodes))


def _is_entry(node: Node) -> bool:
    is_listing = node.item is not None and node.item.kind is Kind.CONTENTS_ENTRY
    return is_listing and not node.is_heading


def add_contents(nodes: list[Node], body: Style, rng: random.Random) -> list[Node]:
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


_LEAST_CHAPTERS = 4  # parts above fewer would be more parts than chapters
_CHAPTERS_OF_A_PART = (2, 6)
# How often a part, or a title, is set so: by the look of books, not counted.
_SIZES_OF_PARTS = (1.0, 1.0, 1.1, 1.25, 1.5)  # of the chapters'
_BOLD_PARTS = 0.5
_CAPS_PARTS = 0.3
_CENTRED_PARTS = 0.5
_SIZES_OF_TITLES = (1.5, 2.0, 2.6)  # of the body's
_BOLD_TITLES = 0.6
_CAPS_TITLES = 0.3
_LEAST_EXCERPT = 8  # headings: fewer teach nothing of an outline
_NUMBER_WORDS = ("One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten")
_TITLES = (
    "Foundations",
    "Basic Concepts",
    "General Provisions",
    "Methods",
    "Practice",
    "Applications",
    "Background",
    "Advanced Topics",
    "Administration",
    "Case Studies",
    "Operations",
    "Reference",
)
_CHINESE_TITLES = (
    "总则",
    "基础知识",
    "分则",
    "方法",
    "实践",
    "应用",
    "背景",
    "管理",
    "案例",
    "附则",
    "参考资料",
    "进阶",
)


def drop_level(nodes: list[Node], rng: random.Random) -> list[Node]:
    """The nodes less the headings of one level; those below them move up."""
    levels = {node.level for node in nodes if node.is_heading}
    if len(levels) < 2:
        return nodes
    level = rng.choice(sorted(levels))
    taken = {id(node) for node in nodes if node.is_heading and node.level == level}
    left = len([node for node in headings(nodes) if id(node) not in taken])
    return without(nodes, taken) if left else nodes


def add_parts(nodes: list[Node], body: Style, rng: random.Random, *, is_chinese: bool) -> list[Node]:
    """The nodes with headings of parts above runs of chapters; some at both ends may stand outside."""
    chapters = [node for node in headings(nodes) if node.parent is None]
    if len(chapters) < _LEAST_CHAPTERS:
        return nodes
    first = rng.choice((0, 0, 1))
    last = len(chapters) - rng.choice((0, 0, 0, 1))
    starts = _starts_of_parts(first, last, rng)
    name = _naming(rng, is_chinese=is_chinese)
    look = _look_of_parts(chapters, rng, body)
    parts: dict[int, Node] = {}
    own_part: Node | None = None
    place = -1
    # What else hangs right under the root (text, headings that are missing on the page) hangs in the same
    # parts as the chapters around it.
    for chapter in [node for node in nodes if node.parent is None]:
        if chapter.is_heading and chapter.item is not None:
            place += 1
            if place in starts:
                own_part = Node(_part_object(chapter.item, name(len(parts) + 1), look, body), Label.HEADING)
                parts[id(chapter)] = own_part
            if place >= last:
                own_part = None
        chapter.parent = own_part
    every: list[Node] = []
    for node in nodes:
        if id(node) in parts:
            every.append(parts[id(node)])
        every.append(node)
    return every


def _starts_of_parts(first: int, last: int, rng: random.Random) -> set[int]:
    starts = {first}
    place = first + rng.randint(*_CHAPTERS_OF_A_PART)
    while place < last - 1:
        starts.add(place)
        place += rng.randint(*_CHAPTERS_OF_A_PART)
    return starts


def _naming(rng: random.Random, *, is_chinese: bool) -> _Naming:
    titles = list(_CHINESE_TITLES if is_chinese else _TITLES)
    rng.shuffle(titles)
    return _Naming(rng.choice(("number", "both", "both", "bare")), tuple(titles), is_chinese, rng.random())


class _Naming:
    """What parts are called: "Part I", "PART ONE Foundations", 第一编 总则, or a title alone."""

    def __init__(self, way: str, titles: Sequence[str], is_chinese: bool, taste: float) -> None:
        self._way, self._titles, self._is_chinese, self._taste = way, titles, is_chinese, taste

    def __call__(self, number: int) -> str:
        title = self._titles[(number - 1) % len(self._titles)]
        if self._way == "bare":
            return title
        label = self._label(number)
        return label if self._way == "number" else f"{label} {title}"

    def _label(self, number: int) -> str:
        """The label of a part; a taste, from 0 to 1, gives each of the usual ones its share."""
        if self._is_chinese:
            unit = "编" if self._taste < 0.6 else "篇" if self._taste < 0.8 else "部分"
            return f"第{chinese(number)}{unit}"
        if self._taste < 0.25 and number <= len(_NUMBER_WORDS):
            return f"Part {_NUMBER_WORDS[number - 1]}"
        word = "PART" if self._taste < 0.5 else "Part"
        return f"{word} {number if self._taste > 0.85 else roman(number)}"


def _look_of_parts(chapters: Sequence[Node], rng: random.Random, body: Style) -> HeadingStyle:
    """At least as strong as the chapters, sometimes just like them."""
    sample = next(node.item for node in chapters if node.item is not None)
    size = sample.style.size / (body.size or 10.0)
    return HeadingStyle(
        size=round(size * rng.choice(_SIZES_OF_PARTS), 2),
        bold=sample.style.bold or rng.random() < _BOLD_PARTS,
        italic=False,
        caps=sample.caps or rng.random() < _CAPS_PARTS,
        centred=sample.centred or rng.random() < _CENTRED_PARTS,
        colour=sample.style.colour,
        font=sample.style.font,
        indent=0.0,
    )


def _part_object(chapter: PhysicalObject, text: str, look: HeadingStyle, body: Style) -> PhysicalObject:
    """The heading of a part, where its first chapter stands."""
    plain = replace(chapter, kind=Kind.PARAGRAPH, text=text, lines=1, gap_above=None, rows=())
    return apply_style(plain, look, body)


def excerpt(nodes: list[Node], rng: random.Random) -> list[Node]:
    """One section with all below it, as if it were the document; with or without its own heading."""
    below: dict[int, list[Node]] = {}
    for node in nodes:
        above = node.parent
        while above is not None:
            below.setdefault(id(above), []).append(node)
            above = above.parent
    sizes = [(node, len(headings(below.get(id(node), [])))) for node in headings(nodes)]
    chosen = [node for node, size in sizes if size >= _LEAST_EXCERPT]
    if not chosen:
        return nodes
    top = rng.choice(chosen)
    inside = below[id(top)]
    top.parent = None
    if rng.random() < 0.5:
        return [top, *inside]
    for node in inside:
        if node.parent is top:
            node.parent = None
    return inside


def add_false_headings(nodes: list[Node], rng: random.Random) -> list[Node]:
    """The nodes with some short texts of the body set like a heading of the document."""
    looks = [node.item for node in headings(nodes) if node.item is not None]
    plain = [
        node
        for node in nodes
        if node.label is Label.BODY and node.item is not None and node.item.kind is Kind.PARAGRAPH
    ]
    short = [node for node in plain if node.item and 3 <= len(node.item.text) <= _LONGEST_FALSE]
    if not looks or not short:
        return nodes
    count = min(len(short), 1 + int(rng.random() * _MOST_FALSE * len(looks)))
    for node in rng.sample(short, count):
        sample = rng.choice(looks)
        if node.item is not None:
            node.item = replace(
                node.item,
                style=sample.style,
                relative_size=sample.relative_size,
                caps=sample.caps,
                centred=sample.centred,
                indent=sample.indent,
            )
    return nodes


_LONGEST_FALSE = 80  # characters; what is longer nobody takes for a heading
_MOST_FALSE = 0.05  # of the headings


def add_title(nodes: list[Node], body: Style, rng: random.Random, *, is_chinese: bool) -> list[Node]:
    """The nodes with the document's title before them, which is no heading of the text."""
    first = next((node.item for node in nodes if node.item is not None), None)
    if first is None:
        return nodes
    text = "关于若干问题的报告" if is_chinese else "A Report on the Subject"
    look = HeadingStyle(
        size=rng.choice(_SIZES_OF_TITLES),
        bold=rng.random() < _BOLD_TITLES,
        italic=False,
        caps=rng.random() < _CAPS_TITLES,
        centred=True,
        colour="000000",
        font="Sans",
        indent=0,
    )
    title = Node(_part_object(first, text, look, body), Label.BODY, entry=NO_ENTRY)
    return [title, *nodes]


__all__ = ["Chances", "augment"]


@dataclass(frozen=True, slots=True)
class Chances:
    """How often each change is made."""

    excerpt: float = 0.15
    level_dropped: float = 0.12
    parts: float = 0.2
    renumber_headings: float = 0.4
    remove_numbers: float = 0.2  # of those that are not renumbered
    restyled: float = 0.75
    contents_removed: float = 0.3
    contents_invented: float = 0.2  # where there are none
    title: float = 0.15
    false_headings: float = 0.3


USUAL = Chances()


def augment(labelled: LabelledDocument, *, seed: int | str, chances: Chances = USUAL) -> LabelledDocument:
    """The document as another maker might have set it, its labels true to it; the same for the same seed."""
    rng = random.Random(f"{seed}/{labelled.id}")

    def happens(chance: float) -> bool:
        return rng.random() < chance

    body = labelled.document.body
    is_chinese = labelled.lang == "zh"
    nodes = to_nodes(labelled)
    if happens(chances.excerpt):
        nodes = excerpt(nodes, rng)
    if happens(chances.level_dropped):
        nodes = drop_level(nodes, rng)
    titles = _titles(nodes)
    if happens(chances.parts):
        nodes = add_parts(nodes, body, rng, is_chinese=is_chinese)
    if happens(chances.renumber_headings):
        nodes = renumber_headings(nodes, rng, is_chinese=is_chinese)
    elif happens(chances.remove_numbers):
        nodes = remove_numbers(nodes, rng)
    listed = has_contents(nodes)
    wanted = not happens(chances.contents_removed) if listed else happens(chances.contents_invented)
    # A list that stays must name the headings as they are now.
    if listed and not (wanted and titles == _titles(nodes)):
        nodes = remove_contents(nodes)
    if wanted and not has_contents(nodes):
        nodes = add_contents(nodes, body, rng)
    if happens(chances.restyled):
        nodes = restyled(nodes, body, rng)
    if happens(chances.title):
        nodes = add_title(nodes, body, rng, is_chinese=is_chinese)
    if happens(chances.false_headings):
        nodes = add_false_headings(nodes, rng)
    return from_nodes(nodes, labelled)


def _titles(nodes: list[Node]) -> list[str]:
    return [node.item.text for node in headings(nodes) if node.item is not None]
