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
from held.hierarchy.matching.titles import MIN_SIMILARITY, SAME_BUT_NUMBER, ComparableText, similarity


class Candidate(NamedTuple):
    """A span of objects, both ends included, with a score."""

    first: int
    last: int
    score: float


@dataclass(frozen=True, slots=True, eq=False)
class _Link:
    """A chain of choices, stored as its last choice and the chain before it."""

    total: float
    heading: int
    choice: int
    before: _Link | None


def best_chain(candidates: Sequence[Sequence[Candidate]]) -> list[int | None]:
    """For each heading the index of its chosen candidate, or None, so that the sum of scores is largest.

    Candidates without a positive score are never chosen. A later heading gets a later span.
    """
    ends = [candidate.last for row in candidates for candidate in row]
    size = 1 + max(ends, default=-1)
    best: list[_Link | None] = [None] * (size + 1)
    for heading, row in enumerate(candidates):
        links = []
        for choice, candidate in enumerate(row):
            if candidate.score <= 0.0:
                continue
            before = _best_before(best, candidate.first)
            total = candidate.score + (before.total if before else 0.0)
            links.append((candidate.last, _Link(total, heading, choice, before)))
        for last, link in links:
            _record_chain(best, last, link)
    chosen: list[int | None] = [None] * len(candidates)
    end = _best_before(best, size)
    while end is not None:
        chosen[end.heading] = end.choice
        end = end.before
    return chosen


def _best_before(best: Sequence[_Link | None], position: int) -> _Link | None:
    """The best chain that ends before a position. `best` is a Fenwick tree of prefix maxima."""
    found: _Link | None = None
    while position > 0:
        link = best[position]
        if link is not None and (found is None or link.total > found.total):
            found = link
        position -= position & -position
    return found


def _record_chain(best: list[_Link | None], position: int, link: _Link) -> None:
    """Records a chain that ends at a position for all positions after it."""
    position += 1
    while position < len(best):
        current = best[position]
        if current is None or link.total > current.total:
            best[position] = link
        position += position & -position


_MAX_PIECES = 4  # objects that a title may span: label, number and two lines
# Of a title that spans several objects: between the same text and the same text with another number.
_PIECES_SIMILARITY = 0.97
_MAX_FAR = 4  # objects far from the destination to try
_SURE = 0.95  # the similarity of a sure match: all but a mark or two
_MIN_SURE = 3  # sure matches that a document's conventions can be estimated from

# What a candidate's position and style add to its similarity.
_FAR_PENALTY = -0.45  # more than a page away
_PREVIOUS_PAGE_PENALTY = -0.25  # destinations seldom point after their heading ...
_NEXT_PAGE_PENALTY = -0.1  # ... but often before it, to the end of the page above
_POSITION_BONUS = 0.3  # where the destination points
_STYLE_BONUS = 0.1  # in the style of a sure heading
_CONTENTS_PENALTY = -0.5  # printed contents list the title, but don't head the section

# How far from its usual position a heading may begin: two lines, and more if destinations are loose.
_MAX_STRAY_PT = 20.0
_STRAY_SPREADS = 3.0  # times the spread of the other destinations

_VAGUE_SIMILARITY = 0.75  # a text less similar to the title must be where the destination points ...
_EXACT_SPREAD_PT = 10.0  # ... in a document whose destinations vary less than this

_WHOLE_ONLY = frozenset({Kind.TABLE, Kind.FIGURE, Kind.CONTENTS_ENTRY})


class Match(NamedTuple):
    """The objects of a heading, from `first` to `last`; several if the title spans several."""

    first: int
    last: int
    similarity: float


@dataclass(frozen=True, slots=True)
class _Conventions:
    """How the document's destinations and headings usually are.

    offset   how far below its destination a heading begins, in points
    spread   how much that varies; None if destinations name only the page
    """

    offset: float = 0.0
    spread: float | None = None
    styles: frozenset[Style] = frozenset()


@dataclass(frozen=True, slots=True)
class _Index:
    """The objects of a document by page and by text."""

    document: Document
    texts: tuple[ComparableText, ...]
    by_page: dict[int, list[int]]
    by_key: dict[str, list[int]]


def align(headings: Sequence[ListedHeading], document: Document) -> list[Match | None]:
    """The match of each heading, in reading order; None for a heading that is no object."""
    index = _index(document)
    matches = [_matches(heading, index) for heading in headings]
    conventions = _conventions(headings, matches, document)

    candidates = []
    for heading, found in zip(headings, matches, strict=True):
        row = []
        for match in found:
            score = _score(heading, match, conventions, document)
            row.append(Candidate(match.first, match.last, score))
        candidates.append(row)
    chosen = best_chain(candidates)
    aligned = []
    for choice, found in zip(chosen, matches, strict=True):
        aligned.append(None if choice is None else found[choice])
    return aligned


def _index(document: Document) -> _Index:
    texts = tuple(ComparableText.of(item.text) for item in document.objects)
    by_page: dict[int, list[int]] = {}
    by_key: dict[str, list[int]] = {}
    for i, item in enumerate(document.objects):
        by_page.setdefault(item.page, []).append(i)
        for text in {texts[i].key, texts[i].bare}:
            by_key.setdefault(text, []).append(i)
    return _Index(document, texts, by_page, by_key)


def _matches(heading: ListedHeading, index: _Index) -> list[Match]:
    """The objects that may be the heading: similar ones near its destination, or far ones with its text.

    The slow comparison of similar texts is done only if nothing near begins or ends with the title.
    """
    title = ComparableText.of(heading.title)
    near = [] if heading.page is None else list(_near_objects(heading.page, index))
    found = [match for i in near for match in _matches_at(title, i, index, vague=False)]
    if any(match.similarity >= SAME_BUT_NUMBER for match in found):
        return found
    found = [match for i in near for match in _matches_at(title, i, index, vague=True)]
    return [*found, *_far_matches(heading, title, index)]


def _near_objects(page: int, index: _Index) -> Iterator[int]:
    for number in (page - 1, page, page + 1):
        yield from index.by_page.get(number, ())


def _far_matches(heading: ListedHeading, title: ComparableText, index: _Index) -> Iterator[Match]:
    """The objects with the title's text anywhere in the document, the nearest pages first."""
    objects = index.document.objects
    same_text: set[int] = set()
    for text in (title.key, title.bare):
        same_text.update(index.by_key.get(text, ()))
    page = heading.page or 1

    def is_candidate(i: int) -> bool:
        return objects[i].kind is not Kind.CONTENTS_ENTRY and not _is_near(heading, objects[i])

    def distance(i: int) -> tuple[int, int]:
        return abs(objects[i].page - page), i

    nearest_first = sorted(filter(is_candidate, same_text), key=distance)
    for i in nearest_first[:_MAX_FAR]:
        similar = similarity(title, index.texts[i])
        if similar >= SAME_BUT_NUMBER:
            yield Match(i, i, similar)


def _is_near(heading: ListedHeading, item: PhysicalObject) -> bool:
    if heading.page is None:
        return False
    return abs(item.page - heading.page) <= 1


def _matches_at(title: ComparableText, first: int, index: _Index, *, vague: bool) -> Iterator[Match]:
    """The matches that begin with an object: alone, and together with the next ones."""
    whole_only = index.document.objects[first].kind in _WHOLE_ONLY
    similar = similarity(title, index.texts[first], vague=vague)
    enough = SAME_BUT_NUMBER if whole_only else MIN_SIMILARITY
    if similar >= enough:
        yield Match(first, first, similar)
    may_go_on = not whole_only and similar < SAME_BUT_NUMBER
    if may_go_on and _begins(title, index.texts[first]):
        yield from _match_in_pieces(title, first, index)


def _match_in_pieces(title: ComparableText, first: int, index: _Index) -> Iterator[Match]:
    """The match of an object and the fewest next ones that together contain the whole title."""
    objects = index.document.objects
    joined = objects[first].text
    end = min(first + _MAX_PIECES, len(objects))
    for last in range(first + 1, end):
        if objects[last].kind in _WHOLE_ONLY:
            return
        joined += " " + objects[last].text
        if similarity(title, ComparableText.of(joined)) >= SAME_BUT_NUMBER:
            yield Match(first, last, _PIECES_SIMILARITY)
            return


def _begins(title: ComparableText, text: ComparableText) -> bool:
    if not text.key:
        return False
    return title.key.startswith(text.key) or title.bare.startswith(text.bare)


def _conventions(
    headings: Sequence[ListedHeading], matches: Sequence[Sequence[Match]], document: Document
) -> _Conventions:
    """Estimates the conventions from sure matches: a single object has the title, on the right page."""
    gaps: list[float] = []
    styles: set[Style] = set()
    for heading, found in zip(headings, matches, strict=True):
        sure = [match for match in found if match.similarity >= _SURE]
        if len(sure) != 1:
            continue
        item = document.objects[sure[0].first]
        if item.page != heading.page:
            continue
        styles.add(item.style)
        if heading.y is not None:
            gaps.append(item.box.y0 - heading.y)
    if len(gaps) < _MIN_SURE:
        return _Conventions(styles=frozenset(styles))
    offset = median(gaps)
    spread = median(abs(gap - offset) for gap in gaps)
    return _Conventions(offset, spread, frozenset(styles))


def _score(heading: ListedHeading, match: Match, conventions: _Conventions, document: Document) -> float:
    """How likely a match is the heading, by similarity, position and style; 0.0 rules it out."""
    item = document.objects[match.first]
    score = match.similarity
    if item.style in conventions.styles:
        score += _STYLE_BONUS
    if item.kind is Kind.CONTENTS_ENTRY:
        score += _CONTENTS_PENALTY
    if heading.page is None or not _is_near(heading, item):
        return score + _FAR_PENALTY
    if item.page < heading.page:
        return score + _PREVIOUS_PAGE_PENALTY
    if item.page > heading.page:
        return score + _NEXT_PAGE_PENALTY
    if heading.y is None or conventions.spread is None:
        return score
    gap = item.box.y0 - heading.y - conventions.offset
    most = _MAX_STRAY_PT + _STRAY_SPREADS * conventions.spread
    strayed = abs(gap) / most
    points_exactly = conventions.spread < _EXACT_SPREAD_PT
    if strayed > 1.0 and match.similarity < _VAGUE_SIMILARITY and points_exactly:
        return 0.0
    return score + _POSITION_BONUS * max(0.0, 1.0 - strayed)
