"""Decides whether a document's labels can be trusted, from its outline and its alignment alone.

The rules and their bounds were set without any model's results; docs/research/labels.md explains them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from held.document import Document, OutlineEntry
from held.hierarchy.matching.nodes import LabelReport, last_page
from held.hierarchy.matching.outline import (
    NO_PARENT,
    ListedHeading,
    ListedHeadings,
    continues_parent,
    listed_headings,
)
from held.numbering import ItemNumber, follows, is_dotted_prefix, parse_number, resolve_letters

Numbers = Sequence[ItemNumber | None]

_MIN_HEADINGS = 3
_MIN_ALIGNED = 0.7
_MAX_BACKWARDS = 0.2
_MIN_AMOUNTS = 10
MAX_CONTRADICTIONS = 0.2
_FEW_CONTRADICTIONS = 2  # so few prove nothing in a short outline
_MIN_COVERED = 0.05
_MAX_MARKUP = 0.05  # of the titles that are unrendered source text
_MAX_MERGED = 0.3  # of the numbered headings that are siblings of another list
_MARKUP = re.compile(r":::|```|\b\w+: [|>](?:\s|$)|\]\(")
_LISTS = ("一、", "(一)", "1、", "(1)")  # number formats that each have a level of their own in a section


def reason_for_distrust(
    report: LabelReport, document: Document, outline: Sequence[OutlineEntry]
) -> str | None:
    """Why an outline cannot be trusted, None if it can; its levels are taken as listed, unrepaired."""
    as_listed = listed_headings(outline, last_page=last_page(document), mend_by_numbers=False)
    return _reason_to_drop(report, as_listed)


def _reason_to_drop(report: LabelReport, listed: ListedHeadings) -> str | None:
    headings = listed.headings
    if len(headings) < _MIN_HEADINGS:
        return "fewer than three headings listed"
    if report.out_of_order > _MAX_BACKWARDS * len(headings):
        return "outline not in reading order"
    if listed.amounts >= _MIN_AMOUNTS:
        return "table cells listed as headings"
    with_markup = [heading for heading in headings if _MARKUP.search(heading.title)]
    if len(with_markup) > _MAX_MARKUP * len(headings):
        return "markup listed as headings"
    if report.aligned < _MIN_ALIGNED * len(headings):
        return "too few entries aligned"
    if contradiction(headings) > MAX_CONTRADICTIONS:
        return "levels contradict the numbering"
    if merged_list_share(headings) > _MAX_MERGED:
        return "two lists as one"
    if report.aligned < _MIN_COVERED * (report.aligned + report.unknown):
        return "most headings not listed"
    return None


def contradiction(headings: Sequence[ListedHeading]) -> float:
    """The share of numbered headings, from 0 to 1, whose number contradicts their level.

    - A dotted number is not below its prefix: 3.1.1 beside 3.1.
    - A number follows one at another level.
    - A sibling has the same number.
    - It is a sibling between two numbers of a list that it does not belong to.
    - It, or an ancestor, is below the number that it follows: chapter 2 inside chapter 1.
    """
    numbers = resolve_letters(parse_number(heading.title) for heading in headings)
    numbered = {index for index, number in enumerate(numbers) if number and number.value}
    against = _beside_prefix(headings, numbers) | _at_other_level(headings, numbers)
    against |= _repeated_numbers(headings, numbers) | _between_list_items(headings, numbers)
    against |= _inside_own_list(headings, numbers)
    return len(against) / len(numbered | against) if len(against) > _FEW_CONTRADICTIONS else 0.0


def merged_list_share(headings: Sequence[ListedHeading]) -> float:
    """The share of numbered headings, from 0 to 1, that are siblings of headings of another list.

    一、 and (一) belong to two levels. If siblings have several of each, the second list lost its parent.
    """
    numbers = resolve_letters(parse_number(heading.title) for heading in headings)
    numbered = sum(number is not None and bool(number.value) for number in numbers)
    out_of_list = 0
    for siblings in _families(headings).values():
        forms = Counter(number.form for index in siblings if (number := numbers[index]) is not None)
        lists = [forms[form] for form in _LISTS if forms[form] > 1]
        out_of_list += sum(lists) if len(lists) > 1 else 0
    return out_of_list / numbered if out_of_list > _FEW_CONTRADICTIONS else 0.0


def _beside_prefix(headings: Sequence[ListedHeading], numbers: Numbers) -> set[int]:
    latest: dict[tuple[int, ...], int] = {}
    found = set()
    for index, number in enumerate(numbers):
        if number is None or not number.value:
            continue
        above = latest.get(number.value[:-1])
        upper = None if above is None else numbers[above]
        if (
            above is not None
            and upper
            and is_dotted_prefix(upper, number)
            and above not in _ancestors(index, headings)
        ):
            found.add(index)
        latest[number.value] = index
    return found


def _ancestors(index: int, headings: Sequence[ListedHeading]) -> Iterator[int]:
    while (index := headings[index].parent) != NO_PARENT:
        yield index


def _at_other_level(headings: Sequence[ListedHeading], numbers: Numbers) -> set[int]:
    found = set()
    siblings: set[tuple[int, str]] = set()
    latest: dict[tuple[str, tuple[int, ...]], int] = {}
    for index, number in enumerate(numbers):
        if number is None or not number.value:
            continue
        parent = headings[index].parent
        before = latest.get((number.form, (*number.value[:-1], number.value[-1] - 1)))
        alone = (parent, number.form) not in siblings
        if alone and before is not None and headings[before].level != headings[index].level:
            found.add(index)
        siblings.add((parent, number.form))
        latest[number.form, number.value] = index
    return found


def _repeated_numbers(headings: Sequence[ListedHeading], numbers: Numbers) -> set[int]:
    """The headings with the number of an earlier sibling: two lists in one, each of which needs a parent."""
    found: set[int] = set()
    earlier: set[tuple[int, str, tuple[int, ...]]] = set()
    for index, number in enumerate(numbers):
        if number is not None and number.value:
            name = (headings[index].parent, number.form, number.value)
            if name in earlier:
                found.add(index)
            earlier.add(name)
    return found


def _between_list_items(headings: Sequence[ListedHeading], numbers: Numbers) -> set[int]:
    """The siblings between two numbers of a list that they do not belong to."""
    found: set[int] = set()
    for siblings in _families(headings).values():
        last_of: dict[str, int] = {}
        for rank, index in enumerate(siblings):
            number = numbers[index]
            if number is None or not number.value:
                continue
            before = last_of.get(number.form)
            upper = None if before is None else numbers[siblings[before]]
            if before is not None and upper is not None and follows(upper, number):
                found |= set(siblings[before + 1 : rank])
            last_of[number.form] = rank
    return found


def _families(headings: Sequence[ListedHeading]) -> dict[int, list[int]]:
    families: dict[int, list[int]] = {}
    for index, heading in enumerate(headings):
        families.setdefault(heading.parent, []).append(index)
    return families


def _inside_own_list(headings: Sequence[ListedHeading], numbers: Numbers) -> set[int]:
    """The headings below the number that they follow, the rest of their list, and all their descendants."""
    found: set[int] = set()
    lists: set[tuple[int, str]] = set()  # parents, and the number format that is wrong below them
    for index, number in enumerate(numbers):
        parent = headings[index].parent
        if number and parent != NO_PARENT and continues_parent(number, numbers[parent]):
            lists.add((parent, number.form))
        if parent in found or (number is not None and (parent, number.form) in lists):
            found.add(index)
    return found
