"""Tree-edit similarity (TEDS), for comparison with later work.

The edit distance of Zhang and Shasha with unit costs: delete, insert, or rename a node. Their table is
filled one row at a time for all subtrees of the other tree at once, in numpy. With n and m nodes at depths up
to d it takes O(n d) such steps of O(m d) numbers: two trees of 600 headings take a tenth of a second.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from held.metrics.trees import Prediction, Truth
from held.tree import ROOT, Tree

Numbers: TypeAlias = NDArray[np.int32]


def heading_similarity(truth: Truth, prediction: Prediction, match: Mapping[int, int] | None = None) -> float:
    """1 - edit distance / size of the larger tree, for the trees of headings, not below 0.

    The root counts as a node in both, as elsewhere; two trees without headings are the same (1.0). Unknown
    objects are spliced out; headings are equal if they are the same object.
    """
    found_as = truth.found_as(match)
    no_headings = set(truth.tree.objects()) - truth.headings
    true_tree = truth.tree.without(no_headings)
    unknown = {found_as[node] for node in truth.unknown if node in found_as}
    not_shown = {obj for obj in prediction.tree.objects() if obj not in prediction.headings or obj in unknown}
    shown = prediction.tree.without(not_shown)
    distance = edit_distance(true_tree, shown, _true_names(shown, found_as))
    nodes = max(true_tree.size, shown.size) + 1  # the root is a node
    return max(0.0, 1 - distance / nodes)


def _true_names(shown: Tree, found_as: Mapping[int, int]) -> dict[int, int]:
    """The true node of each object; an object without one gets a number that no node has."""
    node_of = {found: node for node, found in found_as.items()}
    # Nodes count from 0 and the root is -1, so lower numbers are free.
    return {obj: node_of.get(obj, ROOT - 1 - obj) for obj in shown.objects()}


def edit_distance(first: Tree, second: Tree, names: Mapping[int, int] | None = None) -> int:
    """The least number of nodes to delete, insert or rename to turn the first tree into the second.

    `names` maps nodes of the second tree to those of the first; by default both use the same numbers.
    """
    # Chains of first children are cheap from the left, chains of last children from the right.
    both = [_prepare(first, second, names or {}, mirrored=mirrored) for mirrored in (False, True)]
    problem = min(both, key=_cost)
    first_size = len(problem.first.names)
    second_size = len(problem.second.names)
    columns = len(problem.blocks.node)
    trees = np.zeros((first_size, second_size), dtype=np.int32)  # the distance of each pair of subtrees
    table = np.empty((first_size + 1, columns), dtype=np.int32)
    for keyroot in _keyroots(problem.first.leftmost.tolist()):
        _fill(table, trees, problem, keyroot=keyroot)
    return int(trees[-1, -1])


@dataclass(frozen=True, slots=True)
class _Postorder:
    """The nodes of a tree in post-order: their names, and where each one's subtree begins."""

    names: Numbers
    leftmost: Numbers


@dataclass(frozen=True, slots=True)
class _Blocks:
    """The columns of the table: a block for each keyroot, with an empty column before its nodes.

    node: the column's node.  offset: its place in the block, 0 for the empty one.  before: the column before
    the node's subtree.  whole: the subtree begins where the block does.  barrier: keeps minima in their
    block.  groups: ranges of columns, each of which needs only the ones before it.
    """

    node: Numbers
    offset: Numbers
    before: Numbers
    whole: NDArray[np.bool_]
    barrier: Numbers
    groups: tuple[slice, ...]


class _Problem(NamedTuple):
    """Both trees, read from the left or from the right, and the columns for the second."""

    first: _Postorder
    second: _Postorder
    blocks: _Blocks


def _prepare(first: Tree, second: Tree, names: Mapping[int, int], *, mirrored: bool) -> _Problem:
    a = _postorder(first, {}, mirrored=mirrored)
    b = _postorder(second, names, mirrored=mirrored)
    nodes = len(a.names) + len(b.names)  # more edits than one for each node are never needed
    return _Problem(a, b, _blocks(b, reach=2 * nodes + 1))


def _cost(problem: _Problem) -> int:
    """How many numbers are computed: rows times columns."""
    return _rows(problem.first) * len(problem.blocks.node)


def _postorder(tree: Tree, names: Mapping[int, int], *, mirrored: bool) -> _Postorder:
    children = tree.children()
    if mirrored:
        children = {node: below[::-1] for node, below in children.items()}
    order = _children_first(children)
    index = {node: i for i, node in enumerate(order)}
    leftmost: list[int] = []
    for i, node in enumerate(order):
        below = children[node]
        # A subtree begins where that of its first child does, which comes earlier in the order.
        leftmost.append(leftmost[index[below[0]]] if below else i)
    named = [names.get(node, node) for node in order]
    return _Postorder(_numbers(named), _numbers(leftmost))


def _children_first(children: Mapping[int, list[int]]) -> list[int]:
    """The nodes in post-order: what a pre-order from the last child to the first gives, reversed."""
    order: list[int] = []
    waiting = [ROOT]
    while waiting:
        node = waiting.pop()
        order.append(node)
        waiting += children[node]
    order.reverse()
    return order


def _keyroots(leftmost: Sequence[int]) -> list[int]:
    """The nodes that no larger subtree begins with, in order."""
    return sorted({begin: i for i, begin in enumerate(leftmost)}.values())


def _rows(tree: _Postorder) -> int:
    """How many rows are filled for a tree: the sizes of all its keyroots' subtrees."""
    leftmost = tree.leftmost.tolist()
    return sum(root - leftmost[root] + 1 for root in _keyroots(leftmost))


def _blocks(tree: _Postorder, *, reach: int) -> _Blocks:
    """The columns for a tree; `reach` is more than two numbers of a row can differ by."""
    node: list[int] = []
    first: list[int] = []  # where the column's block begins in the tree
    before: list[int] = []
    bounds = [0]
    leftmost: list[int] = tree.leftmost.tolist()
    for roots in _ranked_keyroots(leftmost):
        for root in roots:
            begin = leftmost[root]
            inside = range(begin, root + 1)
            empty = len(node)  # the column before the block's nodes
            node += [begin - 1, *inside]
            first += [begin] * (1 + len(inside))
            before.append(empty)
            before += [empty + leftmost[i] - begin for i in inside]
        bounds.append(len(node))
    begins = _numbers(first)
    offset = _numbers(node) - begins + 1
    # The empty column of the first block has no node; any number will do, since it is never read.
    nodes = np.maximum(_numbers(node), 0)
    is_empty = offset == 0
    return _Blocks(
        node=nodes,
        offset=offset,
        before=_numbers(before),
        whole=~is_empty & (tree.leftmost[nodes] == begins),
        # Each block lies so far below the one before that no minimum is carried over its first column.
        barrier=-reach * np.cumsum(is_empty, dtype=np.int32),
        groups=tuple(slice(low, high) for low, high in pairwise(bounds)),
    )


def _ranked_keyroots(leftmost: list[int]) -> list[list[int]]:
    """The keyroots in ranks: all keyroots inside the subtree of one have a lower rank than it."""
    rank: dict[int, int] = {}  # by where the keyroot's subtree begins
    ranked: dict[int, list[int]] = {}
    for root in _keyroots(leftmost):
        begin = leftmost[root]
        inner = set(leftmost[begin : root + 1]) - {begin}
        highest = max((rank[each] for each in inner), default=-1)
        rank[begin] = highest + 1
        ranked.setdefault(rank[begin], []).append(root)
    return [ranked[place] for place in sorted(ranked)]


def _fill(table: Numbers, trees: Numbers, problem: _Problem, *, keyroot: int) -> None:
    """Fill the table for the subtree of a keyroot of the first tree against all blocks of the second."""
    leftmost = problem.first.leftmost
    begin = int(leftmost[keyroot])
    table[0] = problem.blocks.offset  # nothing of the first tree: all of the second is inserted
    for node in range(begin, keyroot + 1):
        if leftmost[node] == begin:
            _fill_whole_row(table, trees, problem, node=node, row=node - begin + 1)
        else:
            _fill_part_row(table, trees, problem, node=node, begin=begin)


def _fill_part_row(table: Numbers, trees: Numbers, problem: _Problem, *, node: int, begin: int) -> None:
    """A row whose node begins later than the keyroot: distances of its subtree are known already."""
    blocks = problem.blocks
    without_subtree = int(problem.first.leftmost[node]) - begin
    kept = table[without_subtree, blocks.before] + trees[node, blocks.node]
    _finish(table, blocks, row=node - begin + 1, columns=slice(None), kept=kept)


def _fill_whole_row(table: Numbers, trees: Numbers, problem: _Problem, *, node: int, row: int) -> None:
    """A row whose subtree begins where the keyroot's does: it gives distances of subtrees to all later ones.

    Group by group, as the distances of one are read by those after it.
    """
    blocks = problem.blocks
    for columns in blocks.groups:
        nodes = blocks.node[columns]
        kept = table[0, blocks.before[columns]] + trees[node, nodes]
        # Where both subtrees begin with their blocks, the two nodes are compared.
        places = np.flatnonzero(blocks.whole[columns])
        renamed = problem.second.names[nodes[places]] != problem.first.names[node]
        kept[places] = table[row - 1, columns][places - 1] + renamed
        _finish(table, blocks, row=row, columns=columns, kept=kept)
        trees[node, nodes[places]] = table[row, columns][places]


def _finish(table: Numbers, blocks: _Blocks, *, row: int, columns: slice, kept: Numbers) -> None:
    """Take the least of keeping a node, deleting it and inserting the column's.

    An insert costs one more than the column to the left, so that inserts run along the row. With the offsets
    taken away they cost nothing, and one running minimum finds the best place to begin them.
    """
    offset, barrier = blocks.offset[columns], blocks.barrier[columns]
    deleted = table[row - 1, columns] + 1
    level = np.minimum(kept, deleted) - offset
    level[offset == 0] = row  # against nothing, all of the first tree is deleted
    # The barrier keeps the running minimum from passing from one block to the next.
    least = np.minimum.accumulate(level + barrier) - barrier
    table[row, columns] = least + offset


def _numbers(values: Sequence[int]) -> Numbers:
    return np.array(values, dtype=np.int32)
