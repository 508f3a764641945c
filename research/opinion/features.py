"""Features of the headings in a whole tree, for a model that says which of them have the right parent.

Insertion sees a heading against the tree before it. These features see the finished tree: what became of the
other headings of the same class, what follows the heading, how large its section has become.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from held.headings import Columns, Floats, Ints
from held.headings.object_features import MISSING
from held.hierarchy.comparisons import PAIR, SHORT, compare, stack_headings
from held.hierarchy.heading_features import IDS, NO_NEXT_ROW, OWN, VALUES, HeadingFeatures
from held.hierarchy.section_features import SECTION
from held.tree import ROOT

TREE = Columns(
    (
        "level",
        "height",  # levels below it
        "headings",  # of the document, as a logarithm
        "children",
        "inside",  # headings in its section, as a logarithm
        "pages",
        "siblings",
        "class_level",
        "class_parent",
        "class_inner",
        "class_inside",
        "class_pages",
        "class_step",
        "style_level",
        "form_level",
        "level_class",
        "sibling_class",
        "sibling_style",
        "sibling_inside",
        "siblings_numbered",
        "before_inside",
        "after_inside",
        "list_goes_on",
        "list_began",
        "touching",
        "prefix_open",
        "inside_running",
        "outside_running",
        "running_cut",
        "parent_level",
        "parent_children",
        "score",
        "best_score",
        "path_score",
        "lowest_score",
    )
)
"""A heading in a whole tree.

class_level … class_inner   of the other headings of its class, the share at its level, below a parent of the
                            same class as its own, and with or without headings below them as itself
class_inside, class_pages   how much larger its section is than theirs on average; class_step: how much deeper
style_level, form_level     as class_level, of the same style, or with a number of the same form
level_class                 of the other headings of its level, the share of its class
sibling_…                   as class_…, of the other children of its parent
before_…, after_inside      headings in the section of the sibling before and after it
list_goes_on, list_began    whether the heading with the next number, or that with the number before, has the
                            same parent
touching                    where it comes right after a heading: 1 below that, 2 beside it, 3 further up
prefix_open                 whether a heading with the number right above its own is above it
inside_running, outside_…   of the titles that run at the head of its page, how many it lies under, or not
running_cut                 1 if its own title runs on after its section ends, -1 if not, 0 if it runs nowhere
score, best_score           log-probability of its position, and of the best position there was
path_score, lowest_score    the sum and the least of `score` over the heading and all above it
"""
_BLOCKS = {
    "parent": PAIR.with_prefix("parent"),
    "before": SHORT.with_prefix("before"),
    "after": SHORT.with_prefix("after"),
    "own": OWN,
    "section": SECTION,
    "section_over": SECTION.with_prefix("over"),
    "tree": TREE.with_prefix("tree"),
}
CHECK_FEATURES = Columns(name for block in _BLOCKS.values() for name in block)
"""The features of a heading in a tree, in the order that the weights were trained on."""

_SHORT = PAIR.span(SHORT[0], SHORT[-1])
_MIN_PROBABILITY = 1e-4  # keeps logarithms small
_MIN_TEXT = np.log1p(4.0)  # characters: less is a stray mark, not text


class TreeChecker:
    """The headings of one document, and the features that they have in any tree of them."""

    def __init__(self, document: HeadingFeatures) -> None:
        self._rows = stack_headings([document])
        self._ids = IDS.records(document.ids)
        self._own = document.own
        self._section = document.section
        self._page = VALUES.records(document.values)["page"].astype(np.int64)
        count = len(document.headings)
        self._next = np.where(document.after < NO_NEXT_ROW, document.after, -1)
        self._previous = np.full(count, -1, np.int64)
        has_next = self._next >= 0
        self._previous[self._next[has_next]] = np.flatnonzero(has_next)
        self._touching = np.zeros(count, bool)
        self._touching[1:] = SECTION.records(document.section)["text_after"][:-1] < _MIN_TEXT
        self._runs_until = document.runs_until
        self._running, self._covered = self._running_titles()

    def _running_titles(self) -> tuple[Ints, Ints]:
        """Pairs of a title that runs at the heads of pages and a heading on one of these, as rows."""
        titles: list[Ints] = []
        covered: list[Ints] = []
        for title in np.flatnonzero(self._runs_until > self._page):
            later = np.arange(title + 1, len(self._page))
            inner = later[self._page[later] < self._runs_until[title]]
            titles.append(np.full(len(inner), title))
            covered.append(inner)
        none = [np.zeros(0, np.int64)]
        return np.concatenate(titles or none), np.concatenate(covered or none)

    def features(self, parents: Sequence[int], probability: Floats, best: Floats) -> Floats:
        """A row of CHECK_FEATURES for each heading of a tree, given as the rows of the parents.

        `probability` is that of each heading's position, `best` the highest one that it had.
        """
        parent = np.array(parents, np.int64)
        rows = np.arange(len(parent))
        before, after = _siblings(parent)
        compared = compare(self._rows, np.tile(rows, 3), np.concatenate([parent, before, after]))
        to_parent, to_before, to_after = np.split(compared, 3)
        over = np.where(parent[:, None] >= 0, self._section - self._section[parent], MISSING)
        blocks = {
            "parent": to_parent,
            "before": to_before[:, _SHORT],
            "after": to_after[:, _SHORT],
            "own": self._own,
            "section": self._section,
            "section_over": over,
            "tree": self._tree_features(parent, before, after, probability, best),
        }
        in_order = [blocks[name] for name in _BLOCKS]
        return np.concatenate(in_order, axis=1, dtype=np.float32)

    def _tree_features(
        self, parent: Ints, before: Ints, after: Ints, probability: Floats, best: Floats
    ) -> Floats:
        """TREE for each heading."""
        count = len(parent)
        rows = np.arange(count)
        matrix = TREE.empty(count)
        tree = TREE.records(matrix)
        score = np.log(np.maximum(probability, _MIN_PROBABILITY))
        level = np.ones(count, np.int64)
        end = rows + 1  # the first row after each section
        path_score, lowest = score.copy(), score.copy()
        prefix = self._ids["right_above"]
        prefix_open = np.zeros(count, bool)
        for below, above in _ancestors(parent):
            level[below] += 1
            np.maximum.at(end, above, below + 1)
            path_score[below] += score[above]
            lowest[below] = np.minimum(lowest[below], score[above])
            prefix_open[below] |= self._ids["value"][above] == prefix[below]
        deepest = level.copy()
        for below, above in _ancestors(parent):
            np.maximum.at(deepest, above, level[below])
        children = np.bincount(parent + 1, minlength=count + 1)
        inside = np.log(end - rows)
        pages = np.log1p(np.append(self._page, self._page[-1:] + 1)[end] - self._page)
        style_class, form = self._ids["style_class"], self._ids["form"]
        is_inner = children[1:] > 0
        above_class = np.where(parent >= 0, style_class[parent], -1)
        tree["level"] = level
        tree["height"] = deepest - level
        tree["headings"] = np.log(count)
        tree["children"] = np.log1p(children[1:])
        tree["inside"] = inside
        tree["pages"] = pages
        tree["siblings"] = np.log(children[parent + 1])
        tree["class_level"] = _share_alike(style_class, level)
        tree["class_parent"] = _share_alike(style_class, above_class)
        tree["class_inner"] = _share_alike(style_class, is_inner)
        tree["class_inside"] = _over_others(style_class, inside)
        tree["class_pages"] = _over_others(style_class, pages)
        tree["class_step"] = _over_others(style_class, level)
        tree["style_level"] = _share_alike(self._ids["style"], level)
        tree["form_level"] = np.where(form > 0, _share_alike(form, level), MISSING)
        tree["level_class"] = _share_alike(level, style_class)
        tree["sibling_class"] = _share_alike(parent, style_class)
        tree["sibling_style"] = _share_alike(parent, self._ids["style"])
        tree["sibling_inside"] = _over_others(parent, inside)
        tree["siblings_numbered"] = np.bincount(parent + 1, form > 0)[parent + 1] / children[parent + 1]
        tree["before_inside"] = np.where(before >= 0, inside[before], MISSING)
        tree["after_inside"] = np.where(after >= 0, inside[after], MISSING)
        tree["list_goes_on"] = np.where(self._next >= 0, parent[self._next] == parent, MISSING)
        tree["list_began"] = np.where(self._previous >= 0, parent[self._previous] == parent, MISSING)
        tree["touching"] = self._touching * np.select([parent == rows - 1, before == rows - 1], [1, 2], 3)
        tree["prefix_open"] = np.where(prefix >= 0, prefix_open, MISSING)
        lies_inside = self._covered < end[self._running]
        tree["inside_running"] = np.bincount(self._covered, lies_inside, count)
        tree["outside_running"] = np.bincount(self._covered, ~lies_inside, count)
        tree["running_cut"] = self._running_cut(end)
        tree["parent_level"] = np.where(parent >= 0, level[parent], 0)
        tree["parent_children"] = np.where(parent >= 0, np.log1p(children[parent + 1]), MISSING)
        tree["score"] = score
        tree["best_score"] = np.log(np.maximum(best, _MIN_PROBABILITY))
        tree["path_score"] = path_score
        tree["lowest_score"] = lowest
        return matrix

    def _running_cut(self, end: Ints) -> Ints:
        """1 for titles that run on after their sections end, -1 for others that run, 0 for the rest."""
        count = len(self._page)
        ends_on = np.where(end < count, self._page[np.minimum(end, count - 1)], self._runs_until)
        runs = self._runs_until > self._page
        return np.where(runs, np.where(self._runs_until > ends_on, 1, -1), 0)


def expected_paths(parents: Sequence[int], right: Floats, weight: Floats) -> float:
    """The expected share of right paths, if each heading's parent is right with its own probability.

    `weight` counts what lies directly below each heading.
    """
    path = right.astype(np.float64)
    for below, above in _ancestors(np.array(parents, np.int64)):
        path[below] *= right[above]
    return float(path @ weight / weight.sum())


def _ancestors(parent: Ints) -> Iterator[tuple[Ints, Ints]]:
    """Rows with their parents, then those that have any with their grandparents, and so on to the top."""
    rows = np.flatnonzero(parent != ROOT)
    above = parent[rows]
    while len(rows):
        yield rows, above
        further = parent[above]
        rows, above = rows[further != ROOT], further[further != ROOT]


def _siblings(parent: Ints) -> tuple[Ints, Ints]:
    """The row of the sibling before each row and of that after it, -1 for none."""
    order = np.argsort(parent, kind="stable")
    is_same = parent[order][1:] == parent[order][:-1]
    before, after = np.full(len(parent), -1, np.int64), np.full(len(parent), -1, np.int64)
    before[order[1:][is_same]] = order[:-1][is_same]
    after[order[:-1][is_same]] = order[1:][is_same]
    return before, after


def _share_alike(group: Ints, value: Any) -> Floats:
    """Of the others in a row's group, the share with its value; MISSING where it is alone."""
    _, own, members = np.unique(group, return_inverse=True, return_counts=True)
    _, rank = np.unique(value, return_inverse=True)
    _, both, alike = np.unique(own * len(group) + rank, return_inverse=True, return_counts=True)
    others = members[own] - 1
    return np.asarray(np.where(others > 0, (alike[both] - 1) / np.maximum(others, 1), MISSING), np.float32)


def _over_others(group: Ints, value: Any) -> Floats:
    """How far a row's value is above the mean of the others in its group; 0 where it is alone."""
    _, own, members = np.unique(group, return_inverse=True, return_counts=True)
    others = members[own] - 1
    mean = (np.bincount(own, value)[own] - value) / np.maximum(others, 1)
    return np.asarray(np.where(others > 0, value - mean, 0), np.float32)
