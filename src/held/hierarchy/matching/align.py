"""Assigns the entries of an outline to objects: by page, position and text, in order, each object once.

Every object near an entry's destination that reads like its title is a candidate with a score. The best
assignment in order is a weighted longest increasing subsequence, found with a tree of prefix maxima.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import median
from typing import NamedTuple

from held.document import Document, Kind, PhysicalObject, Style
from held.hierarchy.matching.outline import ListedHeading
from held.hierarchy.matching.titles import LEAST, NUMBER_ASIDE, Text, likeness


class Candidate(NamedTuple):
    """A span of places, both ends included, and what it is worth."""

    first: int
    last: int
    score: float


@dataclass(frozen=True, slots=True, eq=False)
class _Link:
    """A chain by its last choice."""

    total: float
    asker: int
    choice: int
    before: _Link | None


def best_chain(candidates: Sequence[Sequence[Candidate]]) -> list[int | None]:
    """For each asker which of its candidates it gets, None for none, so that the scores add up to most.

    A candidate that is worth nothing is never taken. What a later asker gets lies after what an earlier
    one got.
    """
    size = 1 + max((candidate.last for row in candidates for candidate in row), default=-1)
    best: list[_Link | None] = [None] * (size + 1)
    for asker, row in enumerate(candidates):
        links = []
        for choice, candidate in enumerate(row):
            if candidate.score <= 0.0:
                continue
            before = _best_before(best, candidate.first)
            total = candidate.score + (before.total if before else 0.0)
            links.append((candidate.last, _Link(total, asker, choice, before)))
        for last, link in links:
            _offer(best, last, link)
    chosen: list[int | None] = [None] * len(candidates)
    end = _best_before(best, size)
    while end is not None:
        chosen[end.asker] = end.choice
        end = end.before
    return chosen


def _best_before(best: Sequence[_Link | None], place: int) -> _Link | None:
    """The best chain that ends before a place."""
    found: _Link | None = None
    while place > 0:
        link = best[place]
        if link is not None and (found is None or link.total > found.total):
            found = link
        place -= place & -place
    return found


def _offer(best: list[_Link | None], place: int, link: _Link) -> None:
    """Let a chain that ends at a place be known to all places after it."""
    place += 1
    while place < len(best):
        known = best[place]
        if known is None or link.total > known.total:
            best[place] = link
        place += place & -place


_MOST_PIECES = 4  # objects that a title stands in: label, number and two lines
_IN_PIECES = 0.97  # the likeness of a title that stands in several objects: with its number, not without
_MOST_FAR = 4  # so many objects far from the destination are tried
_SURE = 0.95  # the likeness that leaves no doubt: all but a mark or two
_ENOUGH_SURE = 3  # sure matches from which a document's habits can be told

# What a candidate's place and style take from, or add to, its likeness.
_FAR = -0.45  # more than a page away
_PREVIOUS_PAGE = -0.25  # destinations seldom point behind their heading ...
_NEXT_PAGE = -0.1  # ... but often before it, to the end of the page above
_PLACE = 0.3  # where the destination points
_STYLE = 0.1  # set as sure headings are
_CONTENTS = -0.5  # the printed contents list the title, they do not head the section

# How far from its usual place a heading may begin: two lines, and more where destinations are loose.
_STRAY_PT = 20.0
_STRAY_SPREADS = 3.0

_VAGUE = 0.75  # a text less like the title must stand where the destination points ...
_EXACT_PT = 10.0  # ... in a document whose destinations point that exactly

_WHOLE_ONLY = frozenset({Kind.TABLE, Kind.FIGURE, Kind.CONTENTS_ENTRY})


class Match(NamedTuple):
    """A heading's object, or its objects from `first` to `last` where the title stands in pieces."""

    first: int
    last: int
    likeness: float


@dataclass(frozen=True, slots=True)
class _Habits:
    """How a document's destinations and headings are: `offset` is how far below its destination a heading
    begins, `spread` how much that varies, None where destinations tell the page alone."""

    offset: float = 0.0
    spread: float | None = None
    styles: frozenset[Style] = frozenset()


@dataclass(frozen=True, slots=True)
class _Index:
    """The objects of a document by page and by text."""

    document: Document
    texts: tuple[Text, ...]
    by_page: dict[int, list[int]]
    by_key: dict[str, list[int]]


def align(headings: Sequence[ListedHeading], document: Document) -> list[Match | None]:
    """The match of each heading, in reading order; None for a heading that is no object."""
    index = _index(document)
    matches = [_matches(heading, index) for heading in headings]
    habits = _habits(headings, matches, document)

    def candidate(heading: ListedHeading, match: Match) -> Candidate:
        return Candidate(match.first, match.last, _score(heading, match, habits, document))

    candidates = []
    for heading, found in zip(headings, matches, strict=True):
        candidates.append([candidate(heading, match) for match in found])
    chosen = best_chain(candidates)
    return [None if place is None else found[place] for place, found in zip(chosen, matches, strict=True)]


def _index(document: Document) -> _Index:
    texts = tuple(Text.of(item.text) for item in document.objects)
    by_page: dict[int, list[int]] = {}
    by_key: dict[str, list[int]] = {}
    for i, item in enumerate(document.objects):
        by_page.setdefault(item.page, []).append(i)
        for text in {texts[i].key, texts[i].bare}:
            by_key.setdefault(text, []).append(i)
    return _Index(document, texts, by_page, by_key)


def _matches(heading: ListedHeading, index: _Index) -> list[Match]:
    """The objects that may be the heading: those about its destination, or far ones with its very text.

    Mere likeness is looked for only where nothing better is near.
    """
    title = Text.of(heading.title)
    near = [] if heading.page is None else list(_near(heading.page, index))
    found = [match for i in near for match in _at(title, i, index, vague=False)]
    if any(match.likeness >= NUMBER_ASIDE for match in found):
        return found
    found = [match for i in near for match in _at(title, i, index, vague=True)]
    return [*found, *_far(heading, title, index)]


def _near(page: int, index: _Index) -> Iterator[int]:
    for number in (page - 1, page, page + 1):
        yield from index.by_page.get(number, ())


def _far(heading: ListedHeading, title: Text, index: _Index) -> Iterator[Match]:
    """The objects with the title's text, the nearest pages first, wherever the destination points."""
    objects = index.document.objects
    same_text = {*index.by_key.get(title.key, ()), *index.by_key.get(title.bare, ())}
    page = heading.page or 1

    def is_able(i: int) -> bool:
        return objects[i].kind is not Kind.CONTENTS_ENTRY and not _is_near(heading, objects[i])

    def distance(i: int) -> tuple[int, int]:
        return abs(objects[i].page - page), i

    nearest_first = sorted(filter(is_able, same_text), key=distance)
    for i in nearest_first[:_MOST_FAR]:
        alike = likeness(title, index.texts[i])
        if alike >= NUMBER_ASIDE:
            yield Match(i, i, alike)


def _is_near(heading: ListedHeading, item: PhysicalObject) -> bool:
    return heading.page is not None and abs(item.page - heading.page) <= 1


def _at(title: Text, first: int, index: _Index, *, vague: bool) -> Iterator[Match]:
    """The matches that begin with this object: the object itself, and it together with the next ones."""
    whole_only = index.document.objects[first].kind in _WHOLE_ONLY
    alike = likeness(title, index.texts[first], vague=vague)
    enough = NUMBER_ASIDE if whole_only else LEAST
    if alike >= enough:
        yield Match(first, first, alike)
    may_go_on = not whole_only and alike < NUMBER_ASIDE
    if may_go_on and _begins(title, index.texts[first]):
        yield from _in_pieces(title, first, index)


def _in_pieces(title: Text, first: int, index: _Index) -> Iterator[Match]:
    """The match of an object together with the next ones, as few as have the whole title."""
    objects = index.document.objects
    joined = objects[first].text
    end = min(first + _MOST_PIECES, len(objects))
    for last in range(first + 1, end):
        if objects[last].kind in _WHOLE_ONLY:
            return
        joined += " " + objects[last].text
        if likeness(title, Text.of(joined)) >= NUMBER_ASIDE:
            yield Match(first, last, _IN_PIECES)
            return


def _begins(title: Text, text: Text) -> bool:
    return bool(text.key) and (title.key.startswith(text.key) or title.bare.startswith(text.bare))


def _habits(
    headings: Sequence[ListedHeading], matches: Sequence[Sequence[Match]], document: Document
) -> _Habits:
    """What the matches that leave no doubt show: one object alone has the title, on the very page."""
    gaps: list[float] = []
    styles: set[Style] = set()
    for heading, found in zip(headings, matches, strict=True):
        sure = [match for match in found if match.likeness >= _SURE]
        if len(sure) != 1:
            continue
        item = document.objects[sure[0].first]
        if item.page != heading.page:
            continue
        styles.add(item.style)
        if heading.y is not None:
            gaps.append(item.box.y0 - heading.y)
    if len(gaps) < _ENOUGH_SURE:
        return _Habits(styles=frozenset(styles))
    offset = median(gaps)
    spread = median(abs(gap - offset) for gap in gaps)
    return _Habits(offset, spread, frozenset(styles))


def _score(heading: ListedHeading, match: Match, habits: _Habits, document: Document) -> float:
    """How likely a match is the heading: its likeness, and what place and style say; 0.0 rules it out."""
    item = document.objects[match.first]
    score = match.likeness
    if item.style in habits.styles:
        score += _STYLE
    if item.kind is Kind.CONTENTS_ENTRY:
        score += _CONTENTS
    if heading.page is None or not _is_near(heading, item):
        return score + _FAR
    if item.page < heading.page:
        return score + _PREVIOUS_PAGE
    if item.page > heading.page:
        return score + _NEXT_PAGE
    if heading.y is None or habits.spread is None:
        return score
    gap = item.box.y0 - heading.y - habits.offset
    most = _STRAY_PT + _STRAY_SPREADS * habits.spread
    strayed = abs(gap) / most
    points_exactly = habits.spread < _EXACT_PT
    if strayed > 1.0 and match.likeness < _VAGUE and points_exactly:
        return 0.0
    return score + _PLACE * max(0.0, 1.0 - strayed)
