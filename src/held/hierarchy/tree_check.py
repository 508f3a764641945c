"""The check of a finished tree: features of each heading, for a model that says whether its parent is right.

Insertion sees a heading against the tree before it. These features see the finished tree: what became of the
other headings of the same class, what follows the heading, how large its section has become. So the check
tells doubtful headings better than the probability of their insertion does.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from held.headings import Columns, Floats, Ints
from held.headings.object_features import MISSING
from held.hierarchy.comparisons import PAIR, SHORT, compare, stack_headings
from held.hierarchy.heading_features import IDS, NO_NEXT_ROW, OWN, VALUES, HeadingFeatures
from held.hierarchy.section_features import MIN_TEXT, SECTION
from held.tree import ROOT, Tree

CHECK_PART = "check.onnx"
"""The part of a model for put-or-skip with the trees of the check; models without it have none."""

PLACE = Columns(
    (
        "level",
        "height",  # levels below it
        "headings",  # of the document, as a logarithm
        "children",
        "inside",  # headings in its section, as a logarithm
        "pages",
        "siblings",
        "siblings_numbered",  # the share of its siblings, itself included
        "parent_level",
        "parent_children",
        "touching",
        "prefix_open",
        "list_goes_on",
        "list_began",
        "before_inside",
        "after_inside",
    )
)
"""The place of a heading and the size of its section.

touching                    where it comes right after a heading: 1 below that, 2 beside it, 3 further up
prefix_open                 whether a heading with the number right above its own is above it
list_goes_on, list_began    whether the heading with the next number, or that with the number before, has the
                            same parent
before_…, after_inside      headings in the section of the sibling before and after it
"""
ALIKE = Columns(
    (
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
    )
)
"""What became of the other headings of its class, its style and its level, and of its siblings.

class_level … class_inner   of the other headings of its class, the share at its level, below a parent of the
                            same class as its own, and with or without headings below them as itself
class_inside, class_pages   how much larger its section is than theirs on average; class_step: how much deeper
style_level, form_level     as class_level, of the same style, or with a number of the same form
level_class                 of the other headings of its level, the share of its class
sibling_…                   as class_…, of the other children of its parent
"""
RUNNING = Columns(("inside_running", "outside_running", "running_cut"))
"""The running heads of its page.

inside_running, outside_…   of the titles that run at the head of its page, how many it lies under, or not
running_cut                 1 if its own title runs on after its section ends, -1 if not, 0 if it runs nowhere
"""
SCORES = Columns(("score", "path_score", "lowest_score"))
"""The log-probability of its insertion, and its sum and least value over the heading and all above it."""

_BLOCKS = {
    "parent": PAIR.with_prefix("parent"),
    "before": SHORT.with_prefix("before"),
    "after": SHORT.with_prefix("after"),
    "own": OWN,
    "section": SECTION,
    "section_over": SECTION.with_prefix("over"),
    "place": PLACE.with_prefix("tree"),
    "alike": ALIKE.with_prefix("tree"),
    "running": RUNNING.with_prefix("tree"),
    "scores": SCORES.with_prefix("tree"),
}
CHECK_FEATURES = Columns(name for block in _BLOCKS.values() for name in block)
"""The features of a heading in a tree, in the order that the weights were trained on.

parent_…, before_…, after_…   the heading compared with its parent and the siblings beside it
own, section                  as in the tree step: the heading itself, and its section on the pages
over_…                        its section's features minus those of the parent
tree_…                        the finished tree
"""

_SHORT = PAIR.span(SHORT[0], SHORT[-1])
_MIN_PROBABILITY = 1e-4  # keeps logarithms small


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
        log_text_after = SECTION.records(document.section)["text_after"]
        self._touching = np.zeros(count, bool)
        self._touching[1:] = log_text_after[:-1] < np.log1p(MIN_TEXT)
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

    def features(self, parents: Sequence[int], probability: Floats) -> Floats:
        """A row of CHECK_FEATURES for each heading of a tree, given as the rows of the parents.

        `probability` is that of each heading's insertion.
        """
        parent = np.array(parents, np.int64)
        rows = np.arange(len(parent))
        before, after = siblings_beside(parent)
        others = np.concatenate([parent, before, after])
        compared = compare(self._rows, np.tile(rows, 3), others)
        to_parent, to_before, to_after = np.split(compared, 3)
        section_over = self._section - self._section[parent]
        shape = _TreeShape(parent, self._page)
        blocks = {
            "parent": to_parent,
            "before": to_before[:, _SHORT],
            "after": to_after[:, _SHORT],
            "own": self._own,
            "section": self._section,
            "section_over": np.where(parent[:, None] >= 0, section_over, MISSING),
            "place": self._place_features(shape, before, after),
            "alike": self._alike_features(shape),
            "running": self._running_features(shape),
            "scores": _score_features(parent, probability),
        }
        in_order = [blocks[name] for name in _BLOCKS]
        return np.concatenate(in_order, axis=1, dtype=np.float32)

    def _place_features(self, shape: _TreeShape, before: Ints, after: Ints) -> Floats:
        parent, children, rows = shape.parent, shape.children, np.arange(len(shape.parent))
        has_parent = parent >= 0
        matrix = PLACE.empty(len(parent))
        place = PLACE.records(matrix)
        family = parent + 1  # an index into counts that begin with the root's
        siblings = children[family]
        numbered = np.bincount(family, self._ids["form"] > 0)
        prefix = self._ids["right_above"]
        prefix_open = np.zeros(len(parent), bool)
        for below, above in ancestors(parent):
            prefix_open[below] |= self._ids["value"][above] == prefix[below]
        # Where the heading right before stands: 1 above this one, 2 beside it, 3 elsewhere.
        relation_before = np.select([parent == rows - 1, before == rows - 1], [1, 2], 3)
        place["level"] = shape.level
        place["height"] = shape.deepest - shape.level
        place["headings"] = np.log(len(parent))
        place["children"] = np.log1p(children[1:])
        place["inside"] = shape.inside
        place["pages"] = shape.pages
        place["siblings"] = np.log(siblings)
        place["siblings_numbered"] = numbered[family] / siblings
        place["parent_level"] = np.where(has_parent, shape.level[parent], 0)
        place["parent_children"] = np.where(has_parent, np.log1p(siblings), MISSING)
        place["touching"] = self._touching * relation_before
        place["prefix_open"] = np.where(prefix >= 0, prefix_open, MISSING)
        place["list_goes_on"] = _where_known(self._next, parent[self._next] == parent)
        place["list_began"] = _where_known(self._previous, parent[self._previous] == parent)
        place["before_inside"] = _where_known(before, shape.inside[before])
        place["after_inside"] = _where_known(after, shape.inside[after])
        return matrix

    def _alike_features(self, shape: _TreeShape) -> Floats:
        parent, level = shape.parent, shape.level
        style_class, style, form = (self._ids[name] for name in ("style_class", "style", "form"))
        matrix = ALIKE.empty(len(parent))
        alike = ALIKE.records(matrix)
        parent_class = np.where(parent >= 0, style_class[parent], -1)
        alike["class_level"] = _share_alike(style_class, level)
        alike["class_parent"] = _share_alike(style_class, parent_class)
        alike["class_inner"] = _share_alike(style_class, shape.children[1:] > 0)
        alike["class_inside"] = _over_others(style_class, shape.inside)
        alike["class_pages"] = _over_others(style_class, shape.pages)
        alike["class_step"] = _over_others(style_class, level)
        alike["style_level"] = _share_alike(style, level)
        alike["form_level"] = np.where(form > 0, _share_alike(form, level), MISSING)
        alike["level_class"] = _share_alike(level, style_class)
        alike["sibling_class"] = _share_alike(parent, style_class)
        alike["sibling_style"] = _share_alike(parent, style)
        alike["sibling_inside"] = _over_others(parent, shape.inside)
        return matrix

    def _running_features(self, shape: _TreeShape) -> Floats:
        count = len(shape.parent)
        matrix = RUNNING.empty(count)
        running = RUNNING.records(matrix)
        lies_inside = self._covered < shape.end[self._running]
        running["inside_running"] = np.bincount(self._covered, lies_inside, count)
        running["outside_running"] = np.bincount(self._covered, ~lies_inside, count)
        # The section ends where the heading after it begins, and the last ones with their running head.
        row_after = np.minimum(shape.end, count - 1)
        last_page = np.where(shape.end < count, self._page[row_after], self._runs_until)
        runs = self._runs_until > self._page
        cut_or_whole = np.where(self._runs_until > last_page, 1, -1)
        running["running_cut"] = np.where(runs, cut_or_whole, 0)
        return matrix


def _where_known(row: Ints, values: NDArray[Any]) -> NDArray[Any]:
    """The values where there is such a row; MISSING elsewhere, where the row is -1."""
    return np.where(row >= 0, values, MISSING)


class _TreeShape:
    """Levels and sections of a tree's headings.

    end        the first row after each section
    deepest    the deepest level in each section
    children   of the root first, then of each row
    inside     headings in each section, itself included, as a logarithm; pages: likewise
    """

    def __init__(self, parent: Ints, page: Ints) -> None:
        rows = np.arange(len(parent))
        self.parent = parent
        self.level = np.ones(len(parent), np.int64)
        self.end = rows + 1
        for below, above in ancestors(parent):
            self.level[below] += 1
            np.maximum.at(self.end, above, below + 1)
        self.deepest = self.level.copy()
        for below, above in ancestors(parent):
            np.maximum.at(self.deepest, above, self.level[below])
        self.children = np.bincount(parent + 1, minlength=len(parent) + 1)
        self.inside = np.log(self.end - rows)
        page_of_row = np.append(page, page[-1:] + 1)  # and of the end
        self.pages = np.log1p(page_of_row[self.end] - page)


def _score_features(parent: Ints, probability: Floats) -> Floats:
    matrix = SCORES.empty(len(parent))
    scores = SCORES.records(matrix)
    score = np.log(np.maximum(probability, _MIN_PROBABILITY))
    path_score, lowest = score.copy(), score.copy()
    for below, above in ancestors(parent):
        path_score[below] += score[above]
        lowest[below] = np.minimum(lowest[below], score[above])
    scores["score"] = score
    scores["path_score"] = path_score
    scores["lowest_score"] = lowest
    return matrix


def parent_rows(headings: Sequence[int], tree: Tree) -> tuple[int, ...]:
    """The row of each heading's parent, ROOT at the top level."""
    row = {ROOT: ROOT, **{heading: place for place, heading in enumerate(headings)}}
    parents = tree.parents()
    return tuple(row[parents[heading]] for heading in headings)


def ancestors(parent: Ints) -> Iterator[tuple[Ints, Ints]]:
    """Rows with their parents, then those that have any with their grandparents, and so on to the top."""
    rows = np.flatnonzero(parent != ROOT)
    above = parent[rows]
    while len(rows):
        yield rows, above
        above = parent[above]
        is_inner = above != ROOT
        rows, above = rows[is_inner], above[is_inner]


def siblings_beside(parent: Ints) -> tuple[Ints, Ints]:
    """The row of the sibling before each row and of that after it, -1 for none."""
    # Sorted by parent, and below one parent in order, each row stands before its next sibling.
    order = np.argsort(parent, kind="stable")
    here, following = order[:-1], order[1:]
    is_sibling = parent[here] == parent[following]
    elder, younger = here[is_sibling], following[is_sibling]
    before = np.full(len(parent), -1, np.int64)
    after = np.full(len(parent), -1, np.int64)
    before[younger] = elder
    after[elder] = younger
    return before, after


def _share_alike(group: Ints, value: Any) -> Floats:
    """Of the others in a row's group, the share with its value; MISSING where it is alone."""
    own, members = _count_alike(group)
    rank, _ = _count_alike(value)
    _, alike = _count_alike(own * len(group) + rank)
    others = members - 1
    share = (alike - 1) / np.maximum(others, 1)
    return np.asarray(np.where(others > 0, share, MISSING), np.float32)


def _over_others(group: Ints, value: Any) -> Floats:
    """How far a row's value is above the mean of the others in its group; 0 where it is alone."""
    own, members = _count_alike(group)
    others = members - 1
    total = np.bincount(own, value)[own]
    mean_of_others = (total - value) / np.maximum(others, 1)
    return np.asarray(np.where(others > 0, value - mean_of_others, 0), np.float32)


def _count_alike(values: Any) -> tuple[Ints, Ints]:
    """For each value its rank among the distinct ones, and how often it occurs: 5 3 5 are 1 0 1 and 2 1 2."""
    _, rank, counts = np.unique(values, return_inverse=True, return_counts=True)
    return rank, counts[rank]
