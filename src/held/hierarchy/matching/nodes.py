"""Derives labels and a tree from an outline, and decides whether they can be trusted.

Labels say which objects are headings, the tree has the parent of each object. A heading that matches no
object becomes a node without one, at the position of its destination. Objects that may be headings the
outline omits are unknown. Everything else is body, under the heading before it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import NamedTuple

from held.document import Document, OutlineEntry, PhysicalObject
from held.hierarchy.matching.align import Match, align
from held.hierarchy.matching.outline import (
    NO_PARENT,
    ListedHeading,
    ListedHeadings,
    continues_parent,
    listed_headings,
)
from held.hierarchy.matching.titles import SAME_BUT_NUMBER, plain
from held.hierarchy.matching.unlisted import unlisted_headings
from held.numbering import (
    ItemNumber,
    follows,
    is_dotted_prefix,
    is_loose_number,
    parse_number,
    resolve_letters,
)
from held.tree import ROOT, Tree


class MissingHeading(NamedTuple):
    """A true heading without an object. In reading order it precedes the object with index `before`."""

    title: str
    page: int | None
    before: int
    parent: int  # as in `OutlineNodes.parents`
    entry: int


@dataclass(frozen=True, slots=True)
class LabelReport:
    """Counts of what happened to an outline's entries, step by step."""

    entries: int = 0
    junk: int = 0  # no headings: blank titles, bookmarks of a word processor, file names …
    joined: int = 0  # pieces of a heading that the outline lists separately: a label, its title
    lone_roots: int = 0  # a single entry above all others: the document's title
    levels_repaired: int = 0  # entries whose level jumped, or was that of their number's prefix
    out_of_order: int = 0  # entries that point to an earlier page than the entry before
    aligned: int = 0  # entries that match an object
    in_pieces: int = 0  # of these, entries whose title spans several objects
    inexact: int = 0  # of these, entries whose title only begins, ends or resembles the object
    missing: int = 0  # entries that are no object
    unknown: int = 0  # objects that may be headings the outline omits
    in_tags: int = 0  # titles that occur in both the tags and the outline ...
    alike_in_tags: int = 0  # ... and of these, those with the same parent in both

    def counts(self) -> dict[str, int]:
        """The counts by name."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    @property
    def headings(self) -> int:
        """How many entries are headings: the denominator of all shares."""
        return self.aligned + self.missing


@dataclass(frozen=True, slots=True)
class OutlineNodes:
    """An outline's headings in a document.

    `headings` maps objects to headings. `parents` has an index for each object: -1 is the root, i < number of
    objects is object i, and a larger index is `missing[index - number of objects]`.
    """

    listed: ListedHeadings
    headings: Mapping[int, ListedHeading]
    missing: tuple[MissingHeading, ...]
    parents: tuple[int, ...]
    unknown: frozenset[int]
    report: LabelReport


def match_outline(
    document: Document, outline: Sequence[OutlineEntry], *, complete: bool = False
) -> OutlineNodes:
    """Finds the headings of an outline among the objects of its document.

    A complete outline lists every heading: nothing but the pieces of listed headings is unknown.
    """
    listed = listed_headings(outline, last_page=last_page(document))
    matches = align(listed.headings, document)
    count = len(document.objects)
    nodes, missing = _nodes(listed.headings, matches, document)
    heading_of_node = dict(zip(nodes, listed.headings, strict=True))
    headings = {node: heading for node, heading in heading_of_node.items() if node < count}
    unlisted = () if complete else unlisted_headings(document, headings)
    unknown = frozenset(_unknown(document, listed, matches, unlisted=unlisted, headings=headings))
    return OutlineNodes(
        listed=listed,
        headings=headings,
        missing=missing,
        parents=_parents(nodes, listed.headings, missing, count),
        unknown=unknown,
        report=_report(outline, listed, matches, unknown),
    )


def last_page(document: Document) -> int:
    """The number of a document's last page."""
    return document.first_page + len(document.pages) - 1


def reading_order(missing: Sequence[MissingHeading], count: int) -> list[int]:
    """All nodes of `count` objects in reading order, as the indices that `parents` uses."""
    before: dict[int, list[int]] = {}
    for k, lost in enumerate(missing):
        before.setdefault(lost.before, []).append(count + k)
    order: list[int] = []
    for obj in range(count):
        order += before.get(obj, ())
        order.append(obj)
    return order + before.get(count, [])


def tree_of_nodes(parents: Sequence[int], missing: Sequence[MissingHeading], order: Sequence[int]) -> Tree:
    """The tree of all nodes, which are numbered in their reading order."""
    node_of = {item: node for node, item in enumerate(order)}
    node_of[ROOT] = ROOT
    parent_of = [*parents, *(lost.parent for lost in missing)]
    return Tree.from_parents([node_of[parent_of[item]] for item in order])


def _nodes(
    headings: Sequence[ListedHeading], matches: Sequence[Match | None], document: Document
) -> tuple[list[int], tuple[MissingHeading, ...]]:
    """The node of each heading, and those of them that are no object."""
    count = len(document.objects)
    ends = _next_matches(matches, count)
    nodes: list[int] = []
    missing: list[MissingHeading] = []
    free_from = 0
    for heading, match, end in zip(headings, matches, ends, strict=True):
        if match is not None:
            nodes.append(_main_piece(match, document))
            free_from = match.last + 1
        else:
            free_from = _first_object_after(heading, document, free_from, end)
            parent = ROOT if heading.parent == NO_PARENT else nodes[heading.parent]
            missing.append(MissingHeading(heading.title, heading.page, free_from, parent, heading.entry))
            nodes.append(count + len(missing) - 1)
    return nodes, tuple(missing)


def _next_matches(matches: Sequence[Match | None], count: int) -> list[int]:
    """For each heading, the first object of the next match after it."""
    ends: list[int] = []
    end = count
    for match in reversed(matches):
        ends.append(end)
        end = end if match is None else match.first
    return ends[::-1]


def _main_piece(match: Match, document: Document) -> int:
    """The object that represents a heading: the most prominent of its pieces that is not only a number.

    Of equally prominent pieces it is the first: what follows is a subtitle, or the title's second line.
    """

    def prominence(i: int) -> tuple[bool, float, bool, int]:
        item = document.objects[i]
        has_title = not is_loose_number(plain(item.text))
        return has_title, item.style.size, item.style.bold, -i

    return max(range(match.first, match.last + 1), key=prominence)


def _first_object_after(heading: ListedHeading, document: Document, start: int, end: int) -> int:
    """The first object, from `start` to `end`, that does not precede the heading's destination."""
    if heading.page is not None:
        top = heading.y or 0.0
        while start < end and _is_before(document.objects[start], heading.page, top):
            start += 1
    return start


def _is_before(item: PhysicalObject, page: int, y: float) -> bool:
    if item.page == page:
        return item.box.y1 <= y
    return item.page < page


def _parents(
    nodes: Sequence[int], headings: Sequence[ListedHeading], missing: Sequence[MissingHeading], count: int
) -> tuple[int, ...]:
    """The parent of each object: that of its heading in the outline, or the heading before it."""
    parent_of_heading: dict[int, int] = {}
    for node, heading in zip(nodes, headings, strict=True):
        parent_of_heading[node] = ROOT if heading.parent == NO_PARENT else nodes[heading.parent]
    missing_before = {lost.before: node for node, lost in enumerate(missing, start=count)}
    parents: list[int] = []
    last_heading = ROOT
    for i in range(count):
        last_heading = missing_before.get(i, last_heading)
        if i in parent_of_heading:
            parents.append(parent_of_heading[i])
            last_heading = i
        else:
            parents.append(last_heading)
    return tuple(parents)


def _unknown(
    document: Document,
    listed: ListedHeadings,
    matches: Sequence[Match | None],
    *,
    unlisted: Collection[int],
    headings: Collection[int],
) -> set[int]:
    """The objects that may be headings, that are a piece of one, or that are the document's title."""
    unknown = set(unlisted)
    for match in matches:
        if match is not None:
            unknown.update(range(match.first, match.last + 1))
    unknown.update(_title_objects(document, listed.lone_root))
    return unknown - set(headings)


def _title_objects(document: Document, lone_root: OutlineEntry | None) -> Iterator[int]:
    """The objects of the document's title, if the outline has it as its root."""
    if lone_root is None:
        return
    root = ListedHeading(0, lone_root.title, 1, NO_PARENT, lone_root.page, lone_root.y)
    for match in align([root], document):
        if match is not None:
            yield from range(match.first, match.last + 1)


def _report(
    outline: Sequence[OutlineEntry],
    listed: ListedHeadings,
    matches: Sequence[Match | None],
    unknown: Collection[int],
) -> LabelReport:
    found = [match for match in matches if match is not None]
    whole = [match for match in found if match.first == match.last]
    inexact = [match for match in whole if match.similarity < SAME_BUT_NUMBER]
    return LabelReport(
        entries=len(outline),
        junk=listed.junk,
        joined=listed.joined,
        lone_roots=int(listed.lone_root is not None),
        levels_repaired=listed.levels_repaired,
        out_of_order=listed.out_of_order,
        aligned=len(found),
        in_pieces=len(found) - len(whole),
        inexact=len(inexact),
        missing=len(matches) - len(found),
        unknown=len(unknown),
    )


# --- trust ---
#
# Decides whether a document's labels can be trusted, from its outline and its alignment alone.
#
# The rules and their bounds were set without any model's results; docs/research/labels.md explains them.

Numbers = Sequence[ItemNumber | None]

_MIN_HEADINGS = 3  # fewer make no tree to learn from
_MIN_ALIGNED = 0.7  # of the listed headings that must be objects
_MAX_BACKWARDS = 0.2  # of the listed headings that stand before the one listed before them
_MIN_AMOUNTS = 10  # titles such as "1,234": so many are no accident
MAX_CONTRADICTIONS = 0.2  # of the numbered headings whose level contradicts the number
_FEW_CONTRADICTIONS = 2  # so few prove nothing in a short outline
_MIN_COVERED = 0.05  # of all objects that look like headings: an outline that lists fewer is a stub
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
    against = _beside_prefix(headings, numbers)
    against |= _at_other_level(headings, numbers)
    against |= _repeated_numbers(headings, numbers)
    against |= _between_list_items(headings, numbers)
    against |= _inside_own_list(headings, numbers)
    if len(against) <= _FEW_CONTRADICTIONS:
        return 0.0
    numbered = {index for index, _ in _with_value(numbers)}
    return len(against) / len(numbered | against)


def merged_list_share(headings: Sequence[ListedHeading]) -> float:
    """The share of numbered headings, from 0 to 1, that are siblings of headings of another list.

    一、 and (一) belong to two levels. If siblings have several of each, the second list lost its parent.
    """
    numbers = resolve_letters(parse_number(heading.title) for heading in headings)
    out_of_list = 0
    for siblings in _families(headings).values():
        sibling_numbers = [numbers[index] for index in siblings]
        forms = Counter(number.form for number in sibling_numbers if number is not None)
        lists = [forms[form] for form in _LISTS if forms[form] > 1]
        if len(lists) > 1:
            out_of_list += sum(lists)
    if out_of_list <= _FEW_CONTRADICTIONS:
        return 0.0
    numbered = len(list(_with_value(numbers)))
    return out_of_list / numbered


def _with_value(numbers: Numbers) -> Iterator[tuple[int, ItemNumber]]:
    """The numbers that count something, with their indices."""
    for index, number in enumerate(numbers):
        if number is not None and number.value:
            yield index, number


def _beside_prefix(headings: Sequence[ListedHeading], numbers: Numbers) -> set[int]:
    """The headings with a dotted number that are not below its prefix."""
    latest: dict[tuple[int, ...], int] = {}
    found = set()
    for index, number in _with_value(numbers):
        *prefix, _ = number.value
        above = latest.get(tuple(prefix))
        if above is not None and above not in _ancestors(index, headings):
            upper = numbers[above]
            if upper is not None and is_dotted_prefix(upper, number):
                found.add(index)
        latest[number.value] = index
    return found


def _ancestors(index: int, headings: Sequence[ListedHeading]) -> Iterator[int]:
    while (index := headings[index].parent) != NO_PARENT:
        yield index


def _at_other_level(headings: Sequence[ListedHeading], numbers: Numbers) -> set[int]:
    """The headings whose number follows one at another level, and that begin a list there."""
    found = set()
    lists: set[tuple[int, str]] = set()  # parents, and the number formats below them
    latest: dict[tuple[str, tuple[int, ...]], int] = {}
    for index, number in _with_value(numbers):
        own_list = headings[index].parent, number.form
        *outer, last = number.value
        before = latest.get((number.form, (*outer, last - 1)))
        begins_list = own_list not in lists
        if begins_list and before is not None and headings[before].level != headings[index].level:
            found.add(index)
        lists.add(own_list)
        latest[number.form, number.value] = index
    return found


def _repeated_numbers(headings: Sequence[ListedHeading], numbers: Numbers) -> set[int]:
    """The headings with the number of an earlier sibling: two lists in one, each of which needs a parent."""
    found: set[int] = set()
    earlier: set[tuple[int, str, tuple[int, ...]]] = set()
    for index, number in _with_value(numbers):
        name = (headings[index].parent, number.form, number.value)
        if name in earlier:
            found.add(index)
        earlier.add(name)
    return found


def _between_list_items(headings: Sequence[ListedHeading], numbers: Numbers) -> set[int]:
    """The siblings between two numbers of a list that they do not belong to."""
    found: set[int] = set()
    for siblings in _families(headings).values():
        last_of_form: dict[str, tuple[int, ItemNumber]] = {}
        sibling_numbers = [numbers[index] for index in siblings]
        for rank, number in _with_value(sibling_numbers):
            if number.form in last_of_form:
                rank_before, number_before = last_of_form[number.form]
                if follows(number_before, number):
                    found.update(siblings[rank_before + 1 : rank])
            last_of_form[number.form] = rank, number
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
        is_in_list = False
        if number is not None:
            own_list = parent, number.form
            if parent != NO_PARENT and continues_parent(number, numbers[parent]):
                lists.add(own_list)
            is_in_list = own_list in lists
        if is_in_list or parent in found:
            found.add(index)
    return found
