"""Other item numbers for the headings of a document: another scheme, numbers taken away, or given.

A scheme has a form for each level; counters start anew below each parent, or run on where a scheme says
so, as chapters under parts do. A heading without a number among numbered ones (References, Preface) stays
without one.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import replace

from held.numbering import parse
from held.training.augmentation.nodes import Node, headings

Form = Callable[[tuple[int, ...]], str]
"""From the counters on the way down to a heading to what is printed before its title."""

_ROMAN = ((50, "L"), (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"))
_CHINESE = "零一二三四五六七八九"
_MOSTLY = 0.5  # the share of a level's headings that must bear a number for the level to be a numbered one
_RUNS_ON = 0.4  # how often chapters count on over the parts above them


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
    """A capital letter; after Z come two of them."""
    more, place = divmod(value - 1, 26)
    return chr(ord("A") + place) * (more + 1)


def _dotted(counters: tuple[int, ...]) -> str:
    return ".".join(map(str, counters)) + " "


def _dotted_below(counters: tuple[int, ...]) -> str:
    """1.1 under Chapter 1 under Part I: the uppermost counter is not part of it."""
    return _dotted(counters[1:])


_WHOLE_WAY = (_dotted, _dotted_below)
"""Forms that print the counters of the headings above as well."""

_ENGLISH: tuple[tuple[Form, ...], ...] = (
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
_CHINESE_SCHEMES: tuple[tuple[Form, ...], ...] = (
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


def renumbered(nodes: list[Node], rng: random.Random, *, is_chinese: bool) -> list[Node]:
    """The nodes with the numbers of another scheme, on the levels that had numbers or on all down to one."""
    found = headings(nodes)
    schemes = _CHINESE_SCHEMES if is_chinese else _ENGLISH
    scheme = rng.choice(schemes)
    numbered = _numbered_levels(found)
    down_to = rng.randint(1, len(scheme))
    everywhere = rng.random() < 0.3
    runs_on = rng.random() < _RUNS_ON
    counted: dict[tuple[int, int], int] = {}
    counters: dict[int, tuple[int, ...]] = {}
    for node in found:
        level = node.level
        above = counters.get(id(node.parent), ()) if node.parent is not None else ()
        keeps_none = level in numbered and not has_number(node)
        stripped = bare_title(node)
        if keeps_none or not stripped or not (everywhere or level in numbered):
            _retitle(node, stripped or _text(node))
            counters[id(node)] = ()
            continue
        list_of = (level, 0 if runs_on and level == 2 else id(node.parent))
        counted[list_of] = counted.get(list_of, 0) + 1
        own = (*above, counted[list_of])
        counters[id(node)] = own
        form = scheme[min(level, len(scheme)) - 1] if level <= down_to else None
        # A dotted number below a heading without one would print a counter that nobody can see.
        complete = len(own) == level
        printable = form is not None and (complete or form not in _WHOLE_WAY)
        _retitle(node, f"{form(own)}{stripped}" if form and printable else stripped)
    return nodes


def unnumbered(nodes: list[Node], rng: random.Random) -> list[Node]:
    """The nodes without the numbers of some levels, often of all."""
    found = headings(nodes)
    levels = sorted(_numbered_levels(found))
    if not levels:
        return nodes
    taken = set(levels) if rng.random() < 0.5 else set(rng.sample(levels, rng.randint(1, len(levels))))
    for node in found:
        stripped = bare_title(node)
        if node.level in taken and stripped:
            _retitle(node, stripped)
    return nodes


def has_number(node: Node) -> bool:
    """Whether the heading's text begins with an item number."""
    return parse(_text(node)) is not None


def bare_title(node: Node) -> str:
    """The heading's text without its number; empty where it is a number alone."""
    text = _text(node)
    number = parse(text)
    return text if number is None else text[number.title_start :].strip()


def _numbered_levels(found: Sequence[Node]) -> set[int]:
    totals: dict[int, list[bool]] = {}
    for node in found:
        totals.setdefault(node.level, []).append(has_number(node))
    return {level for level, flags in totals.items() if sum(flags) > _MOSTLY * len(flags)}


def _text(node: Node) -> str:
    return node.item.text if node.item is not None else ""


def _retitle(node: Node, text: str) -> None:
    if node.item is not None and text:
        node.item = replace(node.item, text=text)
