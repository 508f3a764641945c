"""Augmentation: restyled copies of labelled documents, with the same text and an exactly known tree.

A few thousand training documents come from a few dozen authoring tools and house styles. `augment` draws new
styles, item numbers, levels, printed contents and false headings for a document, and keeps its labels true.
The same seed gives the same copy.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace

from held.corpus.store import NO_ENTRY, LabelledDocument
from held.document import Box, Kind, PageRegion, PhysicalObject, Style
from held.metrics import Label
from held.training.augmentation_numbers import (
    Node,
    chinese,
    from_nodes,
    headings,
    remove_nodes,
    remove_numbers,
    renumber_headings,
    roman,
    to_nodes,
)
from held.training.augmentation_styles import HeadingStyle, apply_style, restyle

_MIN_CHAPTERS = 4  # with fewer, there would be more parts than chapters
_CHAPTERS_PER_PART = (2, 6)
# How often parts and titles are set so: estimated from books at hand, not counted.
_PART_SIZES = (1.0, 1.0, 1.1, 1.25, 1.5)  # relative to chapters
_BOLD_PARTS = 0.5
_CAPS_PARTS = 0.3
_CENTRED_PARTS = 0.5
_TITLE_SIZES = (1.5, 2.0, 2.6)  # relative to the body
_BOLD_TITLES = 0.6
_CAPS_TITLES = 0.3
_MIN_EXCERPT_HEADINGS = 8  # fewer make no outline to learn from
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
_LEFT_PT, _STEP_PT, _ROW_PT, _TOP_PT = 72.0, 18.0, 14.0, 90.0
_ROWS_PER_PAGE = 45
_UNLISTED_SHARE = 0.05  # of the headings that invented contents leave out
_MAX_FALSE_CHARACTERS = 80  # longer texts don't look like headings
_MAX_FALSE_SHARE = 0.05  # of the number of headings


@dataclass(frozen=True, slots=True)
class Chances:
    """The probability of each change."""

    excerpt: float = 0.15
    level_dropped: float = 0.12
    parts: float = 0.2
    renumber_headings: float = 0.4
    remove_numbers: float = 0.2  # of those that are not renumbered
    restyled: float = 0.75
    contents_removed: float = 0.3
    contents_invented: float = 0.2  # if there are none
    title: float = 0.15
    false_headings: float = 0.3


USUAL = Chances()


def augment(labelled: LabelledDocument, *, seed: int | str, chances: Chances = USUAL) -> LabelledDocument:
    """A copy of the document as another author might have set it, with labels that fit the copy."""
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
    # Contents that stay must list the headings as they are now.
    if listed and not (wanted and titles == _titles(nodes)):
        nodes = remove_contents(nodes)
    if wanted and not has_contents(nodes):
        nodes = add_contents(nodes, body, rng)
    if happens(chances.restyled):
        nodes = restyle(nodes, body, rng)
    if happens(chances.title):
        nodes = add_title(nodes, body, rng, is_chinese=is_chinese)
    if happens(chances.false_headings):
        nodes = add_false_headings(nodes, rng)
    return from_nodes(nodes, labelled)


def _titles(nodes: list[Node]) -> list[str]:
    return [node.item.text for node in headings(nodes) if node.item is not None]


# --- Printed contents ---


def remove_contents(nodes: list[Node]) -> list[Node]:
    """Removes the entries of printed contents, except those that are headings themselves."""
    return [node for node in nodes if not _is_entry(node)]


def has_contents(nodes: list[Node]) -> bool:
    """Whether there are entries of printed contents."""
    return any(map(_is_entry, nodes))


def _is_entry(node: Node) -> bool:
    is_listing = node.item is not None and node.item.kind is Kind.CONTENTS_ENTRY
    return is_listing and not node.is_heading


def add_contents(nodes: list[Node], body: Style, rng: random.Random) -> list[Node]:
    """Puts printed contents at the beginning that list the headings down to a random level."""
    found = headings(nodes)
    if len(found) < 3:
        return nodes
    down_to = rng.randint(1, max(node.level for node in found))
    step = rng.choice((0.0, _STEP_PT, _STEP_PT))  # some contents have no indents
    listed = [node for node in found if node.level <= down_to and rng.random() > _UNLISTED_SHARE]
    entries = []
    for row, node in enumerate(listed):
        entries.append(Node(_contents_entry(node, row, step, body), Label.BODY))
    return entries + nodes


def _contents_entry(node: Node, row: int, step: float, body: Style) -> PhysicalObject:
    item = node.item
    assert item is not None
    x = _LEFT_PT + step * (node.level - 1)
    y = _TOP_PT + _ROW_PT * (row % _ROWS_PER_PAGE)
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


# --- Levels and parts ---


def drop_level(nodes: list[Node], rng: random.Random) -> list[Node]:
    """Removes the headings of one random level; those below them move up."""
    levels = {node.level for node in nodes if node.is_heading}
    if len(levels) < 2:
        return nodes
    level = rng.choice(sorted(levels))
    removed = {id(node) for node in nodes if node.is_heading and node.level == level}
    some_remain = any(id(node) not in removed for node in headings(nodes))
    return remove_nodes(nodes, removed) if some_remain else nodes


def add_parts(nodes: list[Node], body: Style, rng: random.Random, *, is_chinese: bool) -> list[Node]:
    """Puts headings of parts above runs of chapters; the first and the last chapter may stay outside."""
    chapters = [node for node in headings(nodes) if node.parent is None]
    if len(chapters) < _MIN_CHAPTERS:
        return nodes
    first = rng.choice((0, 0, 1))
    last = len(chapters) - rng.choice((0, 0, 0, 1))
    starts = _starts_of_parts(first, last, rng)
    name = _part_names(rng, is_chinese=is_chinese)
    style = _part_style(chapters, rng, body)
    parts: dict[int, Node] = {}
    own_part: Node | None = None
    chapter_index = -1
    # Other children of the root (text, headings that are missing on the page) join the part around them.
    for chapter in [node for node in nodes if node.parent is None]:
        if chapter.is_heading and chapter.item is not None:
            chapter_index += 1
            if chapter_index in starts:
                heading = _heading_above(chapter.item, name(len(parts) + 1), style, body)
                own_part = Node(heading, Label.HEADING)
                parts[id(chapter)] = own_part
            if chapter_index >= last:
                own_part = None
        chapter.parent = own_part
    every: list[Node] = []
    for node in nodes:
        if id(node) in parts:
            every.append(parts[id(node)])
        every.append(node)
    return every


def _starts_of_parts(first: int, last: int, rng: random.Random) -> set[int]:
    """The chapters that begin a part."""
    starts = {first}
    chapter = first + rng.randint(*_CHAPTERS_PER_PART)
    while chapter < last - 1:
        starts.add(chapter)
        chapter += rng.randint(*_CHAPTERS_PER_PART)
    return starts


def _part_names(rng: random.Random, *, is_chinese: bool) -> _PartNames:
    titles = list(_CHINESE_TITLES if is_chinese else _TITLES)
    rng.shuffle(titles)
    scheme = rng.choice(("number", "both", "both", "bare"))
    return _PartNames(scheme, tuple(titles), is_chinese, rng.random())


class _PartNames:
    """Names of parts: "Part I", "PART ONE Foundations", 第一编 总则, or a title alone."""

    def __init__(self, scheme: str, titles: Sequence[str], is_chinese: bool, draw: float) -> None:
        self._scheme, self._titles, self._is_chinese, self._draw = scheme, titles, is_chinese, draw

    def __call__(self, number: int) -> str:
        title = self._titles[(number - 1) % len(self._titles)]
        if self._scheme == "bare":
            return title
        label = self._label(number)
        return label if self._scheme == "number" else f"{label} {title}"

    def _label(self, number: int) -> str:
        """The label of a part, chosen by a random number from 0 to 1 that is drawn once for all parts."""
        if self._is_chinese:
            unit = "编" if self._draw < 0.6 else "篇" if self._draw < 0.8 else "部分"
            return f"第{chinese(number)}{unit}"
        if self._draw < 0.25 and number <= len(_NUMBER_WORDS):
            return f"Part {_NUMBER_WORDS[number - 1]}"
        word = "PART" if self._draw < 0.5 else "Part"
        return f"{word} {number if self._draw > 0.85 else roman(number)}"


def _part_style(chapters: Sequence[Node], rng: random.Random, body: Style) -> HeadingStyle:
    """A style at least as prominent as that of the chapters, sometimes the same."""
    sample = next(node.item for node in chapters if node.item is not None)
    size = sample.style.size / (body.size or 10.0)
    return HeadingStyle(
        size=round(size * rng.choice(_PART_SIZES), 2),
        bold=sample.style.bold or rng.random() < _BOLD_PARTS,
        italic=False,
        caps=sample.caps or rng.random() < _CAPS_PARTS,
        centred=sample.centred or rng.random() < _CENTRED_PARTS,
        colour=sample.style.colour,
        font=sample.style.font,
        indent=0.0,
    )


def _heading_above(first: PhysicalObject, text: str, style: HeadingStyle, body: Style) -> PhysicalObject:
    """A heading at the position of the object that it precedes."""
    plain = replace(first, kind=Kind.PARAGRAPH, text=text, lines=1, gap_above=None, rows=())
    return apply_style(plain, style, body)


# --- Excerpts, false headings and titles ---


def excerpt(nodes: list[Node], rng: random.Random) -> list[Node]:
    """Reduces the document to one random section, with or without the section's own heading."""
    below: dict[int, list[Node]] = {}
    for node in nodes:
        above = node.parent
        while above is not None:
            below.setdefault(id(above), []).append(node)
            above = above.parent
    sizes = [(node, len(headings(below.get(id(node), [])))) for node in headings(nodes)]
    chosen = [node for node, size in sizes if size >= _MIN_EXCERPT_HEADINGS]
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
    """Sets some short body texts in the style of a heading of the document; their labels stay."""
    models = [node.item for node in headings(nodes) if node.item is not None]
    short: list[Node] = []
    for node in nodes:
        item = node.item
        if item is None or item.kind is not Kind.PARAGRAPH:
            continue
        if node.label is Label.BODY and 3 <= len(item.text) <= _MAX_FALSE_CHARACTERS:
            short.append(node)
    if not models or not short:
        return nodes
    count = min(len(short), 1 + int(rng.random() * _MAX_FALSE_SHARE * len(models)))
    for node in rng.sample(short, count):
        sample = rng.choice(models)
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


def add_title(nodes: list[Node], body: Style, rng: random.Random, *, is_chinese: bool) -> list[Node]:
    """Puts a document title at the beginning, which is labelled as body, not as a heading."""
    first = next((node.item for node in nodes if node.item is not None), None)
    if first is None:
        return nodes
    text = "关于若干问题的报告" if is_chinese else "A Report on the Subject"
    style = HeadingStyle(
        size=rng.choice(_TITLE_SIZES),
        bold=rng.random() < _BOLD_TITLES,
        italic=False,
        caps=rng.random() < _CAPS_TITLES,
        centred=True,
        colour="000000",
        font="Sans",
        indent=0,
    )
    title = Node(_heading_above(first, text, style, body), Label.BODY, entry=NO_ENTRY)
    return [title, *nodes]
