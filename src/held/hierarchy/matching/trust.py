"""Whether a document's labels can be trusted, judged from its outline and its alignment alone.

The rules and their bounds were set without any model's results; docs/research/labels.md has them in words.
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
    is_inside_its_list,
    listed_headings,
)
from held.numbering import ItemNumber, follows, is_dotted_prefix, parse_number, resolve_letters

Numbers = Sequence[ItemNumber | None]

FEW_HEADINGS = 3
LEAST_ALIGNED = 0.7
MOST_BACKWARDS = 0.2
MANY_AMOUNTS = 10
MOST_CONTRADICTIONS = 0.2
FEW_CONTRADICTIONS = 2  # so many show nothing in a short outline
LEAST_COVERED = 0.05
MOST_MARKUP = 0.05  # of the titles are source text that should have been rendered
MOST_MERGED = 0.3  # of the numbered headings stand in two lists that have become one
_MARKUP = re.compile(r":::|```|\b\w+: [|>](?:\s|$)|\]\(")
_LISTS = ("一、", "(一)", "1、", "(1)")  # forms of numbers of which each has a level of its own in a section


def doubt(report: LabelReport, document: Document, outline: Sequence[OutlineEntry]) -> str | None:
    """Why an outline cannot be trusted, None where it can, judged by its levels as they are listed."""
    as_listed = listed_headings(outline, last_page=last_page(document), mend_by_numbers=False)
    return reason_to_drop(report, as_listed)


def reason_to_drop(report: LabelReport, listed: ListedHeadings) -> str | None:
    """Why a document is left out, None if it is kept; the headings have their levels as listed."""
    headings = listed.headings
    if len(headings) < FEW_HEADINGS:
        return "fewer than three headings listed"
    if report.out_of_order > MOST_BACKWARDS * len(headings):
        return "outline not in reading order"
    if listed.amounts >= MANY_AMOUNTS:
        return "table cells listed as headings"
    if sum(_MARKUP.search(heading.title) is not None for heading in headings) > MOST_MARKUP * len(headings):
        return "markup listed as headings"
    if report.aligned < LEAST_ALIGNED * len(headings):
        return "too few entries aligned"
    if contradiction(headings) > MOST_CONTRADICTIONS:
        return "levels contradict the numbering"
    if merged(headings) > MOST_MERGED:
        return "two lists as one"
    if report.aligned < LEAST_COVERED * (report.aligned + report.unknown):
        return "most headings not listed"
    return None


def contradiction(headings: Sequence[ListedHeading]) -> float:
    """The share of numbered headings, from 0 to 1, whose number and place in the outline disagree.

    It is so if a dotted number does not lie below its prefix (3.1.1 beside 3.1), if a number goes on from
    one at another level, if it is there again among the same siblings, if it stands as a sibling between
    two numbers of a list that it is no part of, or if it, or one above it, hangs below the number that it
    goes on from (chapter 2 inside chapter 1).
    """
    numbers = resolve_letters(parse_number(heading.title) for heading in headings)
    numbered = {place for place, number in enumerate(numbers) if number and number.value}
    against = _beside_prefix(headings, numbers) | _at_other_level(headings, numbers)
    against |= _again(headings, numbers) | _between(headings, numbers) | _inside_own_list(headings, numbers)
    return len(against) / len(numbered | against) if len(against) > FEW_CONTRADICTIONS else 0.0


def merged(headings: Sequence[ListedHeading]) -> float:
    """The share of numbered headings, from 0 to 1, that stand among siblings of another list.

    一、 and (一) are lists of two levels: as siblings, twice each, the one above the second is missing.
    """
    numbers = resolve_letters(parse_number(heading.title) for heading in headings)
    numbered = sum(number is not None and bool(number.value) for number in numbers)
    astray = 0
    for siblings in _families(headings).values():
        forms = Counter(number.form for place in siblings if (number := numbers[place]) is not None)
        lists = [forms[form] for form in _LISTS if forms[form] > 1]
        astray += sum(lists) if len(lists) > 1 else 0
    return astray / numbered if astray > FEW_CONTRADICTIONS else 0.0


def _beside_prefix(headings: Sequence[ListedHeading], numbers: Numbers) -> set[int]:
    latest: dict[tuple[int, ...], int] = {}
    found = set()
    for place, number in enumerate(numbers):
        if number is None or not number.value:
            continue
        above = latest.get(number.value[:-1])
        upper = None if above is None else numbers[above]
        if (
            above is not None
            and upper
            and is_dotted_prefix(upper, number)
            and above not in _ancestors(place, headings)
        ):
            found.add(place)
        latest[number.value] = place
    return found


def _ancestors(place: int, headings: Sequence[ListedHeading]) -> Iterator[int]:
    while (place := headings[place].parent) != NO_PARENT:
        yield place


def _at_other_level(headings: Sequence[ListedHeading], numbers: Numbers) -> set[int]:
    found = set()
    siblings: set[tuple[int, str]] = set()
    latest: dict[tuple[str, tuple[int, ...]], int] = {}
    for place, number in enumerate(numbers):
        if number is None or not number.value:
            continue
        parent = headings[place].parent
        before = latest.get((number.form, (*number.value[:-1], number.value[-1] - 1)))
        alone = (parent, number.form) not in siblings
        if alone and before is not None and headings[before].level != headings[place].level:
            found.add(place)
        siblings.add((parent, number.form))
        latest[number.form, number.value] = place
    return found


def _again(headings: Sequence[ListedHeading], numbers: Numbers) -> set[int]:
    """The headings whose number an earlier sibling has: two lists in one, where each should have a parent."""
    found: set[int] = set()
    taken: set[tuple[int, str, tuple[int, ...]]] = set()
    for place, number in enumerate(numbers):
        if number is not None and number.value:
            name = (headings[place].parent, number.form, number.value)
            found |= {place} if name in taken else set()
            taken.add(name)
    return found


def _between(headings: Sequence[ListedHeading], numbers: Numbers) -> set[int]:
    """The headings that stand as siblings between two numbers of a list that they are no part of."""
    found: set[int] = set()
    for siblings in _families(headings).values():
        last_of: dict[str, int] = {}
        for rank, place in enumerate(siblings):
            number = numbers[place]
            if number is None or not number.value:
                continue
            before = last_of.get(number.form)
            upper = None if before is None else numbers[siblings[before]]
            if before is not None and upper is not None and follows(upper, number):
                found |= set(siblings[before + 1 : rank])
            last_of[number.form] = rank
    return found


def _families(headings: Sequence[ListedHeading]) -> dict[int, list[int]]:
    """The children of each parent."""
    families: dict[int, list[int]] = {}
    for place, heading in enumerate(headings):
        families.setdefault(heading.parent, []).append(place)
    return families


def _inside_own_list(headings: Sequence[ListedHeading], numbers: Numbers) -> set[int]:
    """The headings below the number that they go on from, the rest of their list, and all below them."""
    found: set[int] = set()
    lists: set[tuple[int, str]] = set()  # parents, and the form of numbers that goes wrong below them
    for place, number in enumerate(numbers):
        parent = headings[place].parent
        if number and parent != NO_PARENT and is_inside_its_list(number, numbers[parent]):
            lists.add((parent, number.form))
        if parent in found or (number is not None and (parent, number.form) in lists):
            found.add(place)
    return found
