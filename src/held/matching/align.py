"""Which object each listed heading is: by page, place and text, in reading order, no object twice.

Outlines and pages seldom agree to the letter, so every object near a heading's destination that reads like
its title is a candidate, scored by text and place; of all ways to give objects to headings in order the
best is taken. The sure candidates show first where the destinations point and how headings are set.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import median
from typing import NamedTuple

from held.document import Document, Kind, PhysicalObject, Style
from held.matching.chain import Candidate, best_chain
from held.matching.outline import ListedHeading
from held.matching.similarity import LEAST, NUMBER_ASIDE, Text, likeness

_MOST_PIECES = 4
_IN_PIECES = 0.97  # the likeness of a title that stands in several objects: with its number, not without
_MOST_FAR = 4  # so many objects far from the destination are tried
_SURE = 0.95
_ENOUGH_SURE = 3

# What a candidate's place and style take from, or add to, its likeness.
_FAR = -0.45
_PREVIOUS_PAGE = -0.25
_NEXT_PAGE = -0.1
_PLACE = 0.3
_STYLE = 0.1
_CONTENTS = -0.5

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
    candidates = [
        [Candidate(match.first, match.last, _score(heading, match, habits, document)) for match in found]
        for heading, found in zip(headings, matches, strict=True)
    ]
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
    found = {i for text in (title.key, title.bare) for i in index.by_key.get(text, ())}
    able = [
        i for i in found if objects[i].kind is not Kind.CONTENTS_ENTRY and not _is_near(heading, objects[i])
    ]
    for i in sorted(able, key=lambda i: (abs(objects[i].page - (heading.page or 1)), i))[:_MOST_FAR]:
        alike = likeness(title, index.texts[i])
        if alike >= NUMBER_ASIDE:
            yield Match(i, i, alike)


def _is_near(heading: ListedHeading, item: PhysicalObject) -> bool:
    return heading.page is not None and abs(item.page - heading.page) <= 1


def _at(title: Text, first: int, index: _Index, *, vague: bool) -> Iterator[Match]:
    """The matches that begin with this object: the object itself, and it together with the next ones."""
    whole_only = index.document.objects[first].kind in _WHOLE_ONLY
    alike = likeness(title, index.texts[first], vague=vague)
    if alike >= (NUMBER_ASIDE if whole_only else LEAST):
        yield Match(first, first, alike)
    if whole_only or alike >= NUMBER_ASIDE or not _begins(title, index.texts[first]):
        return
    joined = index.document.objects[first].text
    for last in range(first + 1, min(first + _MOST_PIECES, len(index.texts))):
        if index.document.objects[last].kind in _WHOLE_ONLY:
            return
        joined += " " + index.document.objects[last].text
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
        if len(sure) == 1 and document.objects[sure[0].first].page == heading.page:
            item = document.objects[sure[0].first]
            styles.add(item.style)
            if heading.y is not None:
                gaps.append(item.box.y0 - heading.y)
    if len(gaps) < _ENOUGH_SURE:
        return _Habits(styles=frozenset(styles))
    offset = median(gaps)
    return _Habits(offset, median(abs(gap - offset) for gap in gaps), frozenset(styles))


def _score(heading: ListedHeading, match: Match, habits: _Habits, document: Document) -> float:
    item = document.objects[match.first]
    score = match.likeness + _STYLE * (item.style in habits.styles)
    if item.kind is Kind.CONTENTS_ENTRY:
        score += _CONTENTS
    if heading.page is None or abs(item.page - heading.page) > 1:
        return score + _FAR
    if item.page != heading.page:
        return score + (_PREVIOUS_PAGE if item.page < heading.page else _NEXT_PAGE)
    if heading.y is not None and habits.spread is not None:
        strayed = abs(item.box.y0 - heading.y - habits.offset) / (20.0 + 3.0 * habits.spread)
        if strayed > 1.0 and match.likeness < _VAGUE and habits.spread < _EXACT_PT:
            return 0.0
        score += _PLACE * max(0.0, 1.0 - strayed)
    return score
