"""Labels and parents of a document's objects, from the headings that its outline lists.

A heading that aligns to no object becomes a node without one, at the place where its destination points.
Objects that may be headings the outline leaves out are unknown. All else is body, under the heading before.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from held.corpus.labelled import NO_ENTRY, LabelledDocument, LabelReport, MissingHeading
from held.corpus.trust import reason_to_drop
from held.corpus.unlisted import unlisted_headings
from held.document import Document, OutlineEntry
from held.matching.align import Match, align
from held.matching.outline import NO_PARENT, ListedHeading, ListedHeadings, listed_headings
from held.matching.similarity import NUMBER_ASIDE
from held.matching.titles import plain
from held.metrics import Label
from held.numbering import is_number
from held.tree import ROOT


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a document comes from, and what is known of it beside its content."""

    id: str
    split: str = ""
    group: str = ""
    domain: str = ""
    lang: str = ""
    source_hash: str = ""
    suspect: str | None = None  # why its outline is known to be wrong
    labels_from: str = "outline"


def label_document(document: Document, outline: Sequence[OutlineEntry], origin: Origin) -> LabelledDocument:
    """The document with the labels that its outline gives."""
    last_page = document.first_page + len(document.pages) - 1
    listed = listed_headings(outline, last_page=last_page)
    matches = align(listed.headings, document)
    count = len(document.objects)
    nodes, missing = _nodes(listed.headings, matches, document)
    heading_at = {node: heading for node, heading in zip(nodes, listed.headings, strict=True) if node < count}
    unknown = _unknown(document, listed, matches, heading_at)
    labelled = LabelledDocument(
        id=origin.id,
        document=document,
        labels=tuple(_label(i, heading_at, unknown) for i in range(count)),
        parents=_parents(nodes, listed.headings, missing, count),
        entries=tuple(heading_at[i].entry if i in heading_at else NO_ENTRY for i in range(count)),
        missing=missing,
        split=origin.split,
        group=origin.group,
        domain=origin.domain,
        lang=origin.lang,
        source_hash=origin.source_hash,
        labels_from=origin.labels_from,
        report=_report(outline, listed, matches, unknown),
    )
    as_listed = listed_headings(outline, last_page=last_page, mend_by_numbers=False)
    return replace(labelled, dropped=origin.suspect or reason_to_drop(labelled.report, as_listed))


def _label(i: int, headings: Collection[int], unknown: Collection[int]) -> Label:
    return Label.HEADING if i in headings else Label.UNKNOWN if i in unknown else Label.BODY


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
            free_from = _place(heading, document, free_from, end)
            parent = ROOT if heading.parent == NO_PARENT else nodes[heading.parent]
            missing.append(MissingHeading(heading.title, heading.page, free_from, parent, heading.entry))
            nodes.append(count + len(missing) - 1)
    return nodes, tuple(missing)


def _next_matches(matches: Sequence[Match | None], count: int) -> list[int]:
    """For each heading where the next match after it begins."""
    ends: list[int] = []
    end = count
    for match in reversed(matches):
        ends.append(end)
        end = end if match is None else match.first
    return ends[::-1]


def _main_piece(match: Match, document: Document) -> int:
    """The object that stands for a heading: of its pieces the longest that is no mere number."""

    def weight(i: int) -> tuple[bool, int, int]:
        text = document.objects[i].text
        return not is_number(plain(text)), len(text), -i

    return max(range(match.first, match.last + 1), key=weight)


def _place(heading: ListedHeading, document: Document, start: int, end: int) -> int:
    """The first object, from `start` to `end`, that does not stand before the heading's destination."""
    if heading.page is not None:
        while start < end and _is_before(document, start, heading.page, heading.y or 0.0):
            start += 1
    return start


def _is_before(document: Document, i: int, page: int, y: float) -> bool:
    item = document.objects[i]
    return item.page < page or (item.page == page and item.box.y1 <= y)


def _parents(
    nodes: Sequence[int], headings: Sequence[ListedHeading], missing: Sequence[MissingHeading], count: int
) -> tuple[int, ...]:
    """The parent of each object: that of its heading in the outline, or the heading before it."""
    own = {
        node: ROOT if heading.parent == NO_PARENT else nodes[heading.parent]
        for node, heading in zip(nodes, headings, strict=True)
    }
    before: dict[int, int] = {lost.before: count + k for k, lost in enumerate(missing)}
    parents: list[int] = []
    current = ROOT
    for i in range(count):
        current = before.get(i, current)
        parents.append(own.get(i, current))
        current = i if i in own else current
    return tuple(parents)


def _unknown(
    document: Document,
    listed: ListedHeadings,
    matches: Sequence[Match | None],
    headings: Collection[int],
) -> set[int]:
    """The objects that may be headings, and those that are a piece of one or the document's title."""
    pieces = {i for match in matches if match for i in range(match.first, match.last + 1)}
    title = set(_title_objects(document, listed.lone_root))
    return (set(unlisted_headings(document, headings)) | pieces | title) - set(headings)


def _title_objects(document: Document, lone_root: OutlineEntry | None) -> Iterator[int]:
    """The objects that are the document's title, where the outline has it as its root."""
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
    return LabelReport(
        entries=len(outline),
        junk=listed.junk,
        joined=listed.joined,
        lone_roots=int(listed.lone_root is not None),
        levels_repaired=listed.levels_repaired,
        out_of_order=listed.out_of_order,
        aligned=len(found),
        in_pieces=sum(match.last > match.first for match in found),
        inexact=sum(match.last == match.first and match.likeness < NUMBER_ASIDE for match in found),
        missing=len(matches) - len(found),
        unknown=len(unknown),
    )
