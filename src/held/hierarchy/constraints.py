"""Positions that are as good as never right, whatever a model says of them.

Each rule is of a kind that the outlines of train and valid hardly ever break;
docs/research/model.md has the counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from held.headings.object_features import SAME_SIZE
from held.headings.texts import CLOSING, COLLECTION, FRONT_WORDS, OPINION, STATEMENT, Floats
from held.headings.titles import hash_of
from held.hierarchy.comparisons import Rows
from held.hierarchy.heading_features import NEVER, OWN, HeadingFeatures
from held.hierarchy.positions import Ints, Positions
from held.hierarchy.style_nesting import opening
from held.numbering.patterns import (
    APPENDIX,
    ARTICLE,
    CHAPTER,
    CHINESE_ARTICLE,
    CHINESE_CHAPTER,
    CHINESE_PART,
    CHINESE_SECTION,
    ITEM,
    NOTE,
    PART,
    SECTION,
    SECTION_SIGN,
    SUBCHAPTER,
)

Bools = NDArray[np.bool_]

_NEVER_RIGHT = 6.0  # what is taken off a score: one in 400 of what it was

# A report's opinions, statements and notes stand in a row, whatever their looks say; a Chinese opinion may
# be the cover of all of them.
_IN_FRONT = (OPINION, STATEMENT)
_IN_A_ROW = (OPINION, STATEMENT, COLLECTION)

_PARTS = (PART.id, CHINESE_PART.id)
_HOLDERS = ((_PARTS, (CHAPTER.id, CHINESE_CHAPTER.id, ITEM.id)), ((CHAPTER.id,), (SUBCHAPTER.id,)))
"""What stays in what is open."""
# Of 4,967 such headings that outlines list none lies under a section (train and valid).
_ABOVE_SECTIONS = (*_PARTS, CHAPTER.id, SUBCHAPTER.id, CHINESE_CHAPTER.id, CHINESE_SECTION.id)
_SECTIONS = (SECTION.id, SECTION_SIGN.id, ARTICLE.id, NOTE.id, CHINESE_ARTICLE.id)
_LISTED = (ITEM.id, NOTE.id)
_FRONT = frozenset(hash_of(word) for word in FRONT_WORDS)


class _Asked(NamedTuple):
    """Positions, and what is seen at each of the object and of the parent: rows of OWN, looked up once."""

    at: Positions
    own: NDArray[np.void]
    parent: Ints
    its_own: NDArray[np.void]  # of any heading where there is no parent
    has_parent: Bools


class Bars:
    """What speaks against positions in some documents, whose headings are `rows`."""

    def __init__(self, outlines: Sequence[HeadingFeatures], rows: Rows) -> None:
        self._rows = rows
        self._is_front = np.array([title in _FRONT for title in rows.titles.tolist()], bool)
        self._echoes = np.concatenate([outline.echoes for outline in outlines])
        self._is_exhibit = np.concatenate([outline.exhibits for outline in outlines])
        self._opening = np.stack([opening(outline) for outline in outlines])
        self._opens_nothing = not self._opening.any()  # as in most documents

    def penalties(self, at: Positions, parts_numbers: Bools) -> Floats:
        """What is to be taken off the score of each position: 0 for most.

        `parts_numbers` are those that put printed contents between a section and the next heading, which
        lies under it by its number.
        """
        parent = at.places["parent"]
        own, its_own = (OWN.named(self._rows.own[rows]) for rows in (at.obj, parent))
        asked = _Asked(at, own, parent, its_own, np.asarray(parent >= 0, bool))
        never = np.asarray(_NEVER_RIGHT * (parts_numbers | self._barred(asked)), np.float32)
        return never if self._opens_nothing else never + self._closing(asked)

    def _barred(self, asked: _Asked) -> Bools:
        """Which positions are as good as never right."""
        barred = self._under_wrong_title(asked) | _within_its_list(asked) | self._parts_list(asked)
        barred |= self._leaves_its_echo(asked.at) | self._leaves_its_part(asked) | self._mixes_exhibits(asked)
        return np.asarray(barred, bool)

    def _closing(self, asked: _Asked) -> Floats:
        """What speaks against positions that close a heading which objects such as this one open."""
        rows, at = self._rows, asked.at
        against = self._opening[rows.document[at.obj], rows.klass[asked.parent], rows.klass[at.obj]]
        not_larger = asked.own["size"] <= asked.its_own["size"] + SAME_SIZE
        against = against * (not_larger & (asked.own["pattern"] == 0) & asked.has_parent)
        # The last of the branch's headings that it opens is the one to stay open.
        closed = at.closed(against)
        # To close several of them is held against a position once.
        most = at.spread(np.maximum.reduceat(against, at.starts))
        return np.asarray(np.minimum(closed, most), np.float32)

    def _parts_list(self, asked: _Asked) -> Bools:
        """Which positions of an object without a number would close what holds a list that goes on after it.

        The list is one of Items or Notes, or numbered below a title such as "Notes to the accounts".
        """
        at, its_pattern = asked.at, asked.its_own["pattern"]
        is_collected = np.append(False, asked.its_own["title_kind"][:-1] == COLLECTION)
        is_collected[at.starts] = False
        is_listed = np.isin(its_pattern, _LISTED) | (is_collected & (its_pattern > 0))
        its_next = self._rows.after[asked.parent]
        goes_on = is_listed & asked.has_parent & (its_next > at.obj) & (its_next < NEVER)
        # What holds a list stands one further up in the branch than the list's last member.
        holds = np.append(goes_on[1:], False)
        holds[at.ends] = False
        return np.asarray((at.closed(holds) > 0) & (asked.own["pattern"] == 0), bool)

    def _leaves_its_echo(self, at: Positions) -> Bools:
        """Which positions of a title that repeats the one before it are neither under that nor beside it.

        Of 54 such titles that outlines list, 51 lie under it and 1 beside it (train and valid).
        """
        from_the_end = at.spread(at.ends) - np.arange(len(at.obj))
        return np.asarray(self._echoes[at.obj] & (from_the_end > 1), bool)

    def _leaves_its_part(self, asked: _Asked) -> Bools:
        """Which positions put a chapter or an Item outside the part that is open, or what holds Items within.

        Of 1,391 chapters and Items that outlines list while a part is open, 1,389 lie in it, and all 302
        subchapters in the chapter that is; all 161 parts with an Item right below are at the top (train and
        valid).
        """
        at, pattern = asked.at, asked.own["pattern"]
        leaves = np.zeros(len(at.obj), bool)
        for holders, held in _HOLDERS:
            is_open = np.isin(asked.its_own["pattern"], holders) & asked.has_parent
            leaves |= (at.closed(is_open) > 0) & np.isin(pattern, held)
        after, same_document = self._rows.next_of(at.obj)
        next_is_item = (OWN.named(self._rows.own[after])["pattern"] == ITEM.id) & same_document
        holds_items = np.isin(pattern, _PARTS) & next_is_item
        return np.asarray(leaves | (holds_items & asked.has_parent), bool)

    def _mixes_exhibits(self, asked: _Asked) -> Bools:
        """Which positions put an exhibit of a filing below the top, or end one before the next begins.

        All 44 that outlines list stand at the top; what is listed after three of them lies below (train and
        valid). Parts, Items and appendices at the head of a page may end one.
        """
        if not self._is_exhibit.any():
            return np.zeros(len(asked.parent), bool)
        pattern = asked.own["pattern"]
        is_appendix = (pattern == APPENDIX.id) & (asked.own["first_on_page"] > 0)
        may_end = is_appendix | np.isin(pattern, (*_PARTS, ITEM.id))
        ends_one = asked.at.closed(self._is_exhibit[asked.parent] & asked.has_parent) > 0
        is_exhibit = self._is_exhibit[asked.at.obj]
        return np.asarray(np.where(is_exhibit, asked.has_parent, ends_one & ~may_end), bool)

    def _under_wrong_title(self, asked: _Asked) -> Bools:
        """Which positions lie under a heading that never has the object's title below it."""
        objects, parents = asked.own, asked.its_own
        kind, its_kind = objects["title_kind"], parents["title_kind"]
        in_a_row = np.isin(its_kind, _IN_FRONT) & np.isin(kind, _IN_A_ROW) & (objects["cjk_share"] == 0)
        is_item = parents["pattern"] == ITEM.id
        closes = (kind == CLOSING) & ((its_kind == CLOSING) | is_item)
        is_contents = parents["contents_title"] > 0
        is_front = self._is_front[asked.parent] & (parents["pattern"] == 0)
        numbered_in_front = is_front & (objects["pattern"] > 0)
        in_section = np.isin(parents["pattern"], _SECTIONS) & np.isin(objects["pattern"], _ABOVE_SECTIONS)
        bars = in_a_row | closes | is_contents | numbered_in_front | in_section
        return np.asarray(asked.at.above(bars & asked.has_parent) > 0, bool)


def _within_its_list(asked: _Asked) -> Bools:
    """Which positions put an Item or a Note within another one.

    Of 2,504 that outlines list after another one is open, 7 lie in it: Items such as 1A in Item 1 (train
    and valid).
    """
    is_listed = np.isin(asked.own["pattern"], _LISTED) & asked.has_parent
    is_alike = asked.its_own["pattern"] == asked.own["pattern"]
    return np.asarray(asked.at.above(is_listed & is_alike) > 0, bool)
