"""How well a tool's headings fit those that an outline lists, by the same rules for all tools.

A heading is found if a tool's heading reads like its listed or its printed title and stands on its page, the
one before or the one after; one to one, the likest first. Its path is right if its ancestors are the listed
ones. A tool's heading that is none of the listed counts as false, unless it may be a heading that the outline
leaves out, or is a piece of a heading: such ones are no part of the comparison, and none of any path.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from research.benchmarks.tools.markdown import Heading

from held.corpus.store import LabelledDocument
from held.hierarchy.matching.outline import ListedHeading
from held.hierarchy.matching.titles import ComparableText, key, similarity
from held.metrics import Label, Matches

LEAST_LIKE = 0.75  # the same title, a number more or less; or one that has five eighths of the other
_NEAR = 1  # pages: destinations often point to the page before
_HALF = 0.5  # of a tool's heading, at least, must be the unlisted one that excuses it


class Listed(NamedTuple):
    """A heading of the truth: the title as listed, and as printed; `parent` is its place, -1 the root."""

    titles: tuple[str, ...]
    page: int | None
    parent: int


class Unlisted(NamedTuple):
    """A text that may be a heading which the outline leaves out."""

    text: str
    page: int


@dataclass(frozen=True, slots=True)
class TrueHeadings:
    """What an outline says of a document, and what it leaves open."""

    listed: tuple[Listed, ...]
    unlisted: tuple[Unlisted, ...] = ()

    def up_to(self, pages: int) -> TrueHeadings:
        """The truth of the first pages. A heading without a page stands on that of the one before."""
        kept: dict[int, int] = {-1: -1}
        listed: list[Listed] = []
        page = 1
        for place, item in enumerate(self.listed):
            page = item.page or page
            if page <= pages and item.parent in kept:
                kept[place] = len(listed)
                listed.append(item._replace(parent=kept[item.parent]))
        return TrueHeadings(tuple(listed), tuple(item for item in self.unlisted if item.page <= pages))


class Scores(NamedTuple):
    """Headings found, and headings found under the right chain of ancestors."""

    headings: Matches = Matches()
    paths: Matches = Matches()

    def plus(self, other: Scores) -> Scores:
        """The scores of both together."""
        return Scores(self.headings + other.headings, self.paths + other.paths)


def true_headings(labelled: LabelledDocument, listed: Sequence[ListedHeading]) -> TrueHeadings:
    """The truth of a labelled document whose outline lists these headings."""
    objects = labelled.document.objects
    printed = {entry: objects[i] for i, entry in enumerate(labelled.entries)}
    headings = []
    for heading in listed:
        item = printed.get(heading.entry)
        titles = (heading.title,) if item is None else (heading.title, item.text)
        headings.append(Listed(titles, heading.page if item is None else item.page, heading.parent))
    unlisted = (
        Unlisted(item.text, item.page)
        for item, label in zip(objects, labelled.labels, strict=True)
        if label is Label.UNKNOWN
    )
    return TrueHeadings(tuple(headings), tuple(unlisted))


def score(found: Sequence[Heading], truth: TrueHeadings) -> Scores:
    """The scores of a tool's headings, in the order in which it gave them."""
    match = matches(found, truth.listed)
    excused = {i for i, heading in enumerate(found) if i not in match and is_excused(heading, truth)}
    chains = [
        [match.get(i) for i in ancestors if i not in excused]
        for ancestors in ancestors_of([heading.level for heading in found])
    ]
    true_chains = [_true_chain(truth.listed, place) for place in range(len(truth.listed))]
    right = sum(chains[i] == true_chains[place] for i, place in match.items())
    true, given = len(truth.listed), len(found) - len(excused)
    return Scores(Matches(len(match), true, given), Matches(right, true, given))


def matches(found: Sequence[Heading], listed: Sequence[Listed]) -> dict[int, int]:
    """Which of the found headings is which of the listed ones."""
    pairs = sorted(_pairs(found, listed))
    match: dict[int, int] = {}
    taken: set[int] = set()
    for _, _, place, i in pairs:
        if i not in match and place not in taken:
            match[i] = place
            taken.add(place)
    return match


def _pairs(found: Sequence[Heading], listed: Sequence[Listed]) -> Iterator[tuple[float, int, int, int]]:
    """Pairs that may be the same, the best of them the least: unlikeness, pages apart, both places."""
    texts = [ComparableText.of(heading.title) for heading in found]
    for place, item in enumerate(listed):
        titles = [ComparableText.of(title) for title in item.titles]
        for i, heading in enumerate(found):
            apart = pages_apart(heading.page, item.page)
            if apart <= _NEAR:
                like = max(
                    similarity(title, texts[i], vague=_near_in_length(title, texts[i])) for title in titles
                )
                if like >= LEAST_LIKE:
                    yield -like, apart, place, i


def _near_in_length(title: ComparableText, text: ComparableText) -> bool:
    """Whether mere likeness, which is slow to measure, can be enough."""
    short, long = sorted((len(title.bare), len(text.bare)))
    return 2 * short >= LEAST_LIKE * (short + long)


def pages_apart(page: int | None, other: int | None) -> int:
    """How many pages lie between two; none where one of them is not known."""
    return 0 if page is None or other is None else abs(page - other)


def is_excused(heading: Heading, truth: TrueHeadings) -> bool:
    """Whether a heading that is none of the listed may be an unlisted one, or a piece of a listed one."""
    own = key(heading.title)
    if not own:
        return True
    for text, page in truth.unlisted:
        if pages_apart(heading.page, page) <= _NEAR:
            other = key(text)
            if own in other or (other in own and len(other) >= _HALF * len(own)):
                return True
    return any(
        own != (whole := key(title)) and own in whole
        for item in truth.listed
        if pages_apart(heading.page, item.page) == 0
        for title in item.titles
    )


def ancestors_of(levels: Sequence[int]) -> list[list[int]]:
    """The ancestors of each heading, from the root: the nearest before it that have ever smaller levels."""
    chains = []
    branch: list[int] = []
    for i, level in enumerate(levels):
        while branch and levels[branch[-1]] >= level:
            branch.pop()
        chains.append(list(branch))
        branch.append(i)
    return chains


def _true_chain(listed: Sequence[Listed], place: int) -> list[int]:
    chain: list[int] = []
    while (place := listed[place].parent) >= 0:
        chain.append(place)
    return chain[::-1]
