"""Tree-edit similarity (TEDS), for comparison with later work.

The edit distance of Zhang and Shasha with unit costs: delete, insert, or rename a node. Their table is
filled one row at a time for all subtrees of the other tree at once, in numpy. With n and m nodes at depths up
to d it takes O(n d) such steps of O(m d) numbers: two trees of 600 headings take a tenth of a second.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from held.metrics.truth import Prediction, Truth
from held.tree import ROOT, Tree

Numbers: TypeAlias = NDArray[np.int32]


def heading_similarity(truth: Truth, prediction: Prediction, match: Mapping[int, int] | None = None) -> float:
    """1 - edit distance / size of the larger tree, for the trees of headings, not below 0.

    The root counts as a node in both, as elsewhere; two trees without headings are the same (1.0). Unknown
    objects are spliced out; headings are equal if they are the same object.
    """
    found_as = truth.found_as(match)
    gone = {found_as[node] for node in truth.unknown if node in found_as}
    node_of = {found: node for node, found in found_as.items()}
    true_tree = truth.tree.without(set(truth.tree.objects()) - truth.headings)
    shown = prediction.tree.without(
        {o for o in prediction.tree.objects() if o not in prediction.headings or o in gone}
    )
    names = {obj: node_of.get(obj, -2 - obj) for obj in shown.objects()}
    distance = edit_distance(true_tree, shown, names)
    return max(0.0, 1 - distance / (max(true_tree.size, shown.size) + 1))


def edit_distance(first: Tree, second: Tree, names: Mapping[int, int] | None = None) -> int:
    """The least number of nodes to delete, insert or rename to make the second tree of the first.

    `names` says by which name a node of the second tree goes in the first; without it by its own.
    """
    # A tree that hangs together by last children is cheap in the mirror, one by first children as it is.
    a, b, blocks = min(
        (_prepared(first, second, names or {}, mirrored=mirrored) for mirrored in (False, True)),
        key=lambda way: _rows(way[0]) * len(way[2].node),
    )
    trees = np.zeros((len(a.names), len(b.names)), dtype=np.int32)  # (n, m) distance of each pair of subtrees
    table = np.empty((len(a.names) + 1, len(blocks.node)), dtype=np.int32)
    for keyroot in _keyroots(a.leftmost.tolist()):
        _fill(table, trees, a, b, blocks, keyroot=keyroot)
    return int(trees[-1, -1])


@dataclass(frozen=True, slots=True)
class _Postorder:
    """The nodes of a tree, children first and the root last: names, and where each one's subtree begins."""

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


def _prepared(
    first: Tree, second: Tree, names: Mapping[int, int], *, mirrored: bool
) -> tuple[_Postorder, _Postorder, _Blocks]:
    a, b = _postorder(first, {}, mirrored=mirrored), _postorder(second, names, mirrored=mirrored)
    return a, b, _blocks(b, reach=2 * (len(a.names) + len(b.names)) + 1)


def _postorder(tree: Tree, names: Mapping[int, int], *, mirrored: bool) -> _Postorder:
    children = tree.children()
    order: list[int] = []
    waiting = [ROOT]
    while waiting:  # a pre-order from the far side is the post-order reversed
        order.append(waiting.pop())
        below = children[order[-1]]
        waiting += below[::-1] if mirrored else below
    order.reverse()
    index = {node: i for i, node in enumerate(order)}
    leftmost: list[int] = []
    for i, node in enumerate(order):
        below = children[node]
        leftmost.append(leftmost[index[below[-1 if mirrored else 0]]] if below else i)
    return _Postorder(_numbers([names.get(node, node) for node in order]), _numbers(leftmost))


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
            begin, empty = leftmost[root], len(node)
            node += range(begin - 1, root + 1)
            first += [begin] * (root - begin + 2)
            before += [empty, *(empty + leftmost[i] - begin for i in range(begin, root + 1))]
        bounds.append(len(node))
    offset = _numbers(node) - _numbers(first) + 1
    nodes = np.maximum(_numbers(node), 0)
    return _Blocks(
        node=nodes,
        offset=offset,
        before=_numbers(before),
        whole=(offset > 0) & (tree.leftmost[nodes] == _numbers(first)),
        barrier=-reach * np.cumsum(offset == 0, dtype=np.int32),
        groups=tuple(slice(low, high) for low, high in pairwise(bounds)),
    )


def _ranked_keyroots(leftmost: list[int]) -> list[list[int]]:
    """The keyroots in ranks: all keyroots inside the subtree of one have a lower rank than it."""
    rank: dict[int, int] = {}  # by where the keyroot's subtree begins
    ranked: dict[int, list[int]] = {}
    for root in _keyroots(leftmost):
        inner = set(leftmost[leftmost[root] : root + 1]) - {leftmost[root]}
        rank[leftmost[root]] = 1 + max((rank[begin] for begin in inner), default=-1)
        ranked.setdefault(rank[leftmost[root]], []).append(root)
    return [roots for _, roots in sorted(ranked.items())]


def _fill(
    table: Numbers, trees: Numbers, a: _Postorder, b: _Postorder, blocks: _Blocks, *, keyroot: int
) -> None:
    """Fill the table for the subtree of a keyroot of the first tree against all blocks of the second."""
    first = int(a.leftmost[keyroot])
    table[0] = blocks.offset
    for node in range(first, keyroot + 1):
        row = node - first + 1
        if a.leftmost[node] != first:
            kept = table[a.leftmost[node] - first, blocks.before] + trees[node, blocks.node]
            _finish(table, blocks, row, slice(None), kept)
            continue
        for columns in blocks.groups:
            whole = blocks.whole[columns]
            nodes = blocks.node[columns]
            kept = table[0, blocks.before[columns]] + trees[node, nodes]
            places = np.flatnonzero(whole)
            renamed = b.names[nodes[places]] != a.names[node]
            kept[places] = table[row - 1, columns][places - 1] + renamed
            _finish(table, blocks, row, columns, kept)
            trees[node, nodes[places]] = table[row, columns][places]


def _finish(table: Numbers, blocks: _Blocks, row: int, columns: slice, kept: Numbers) -> None:
    """Take the least of keeping a node, deleting it and inserting the column's: inserts run along the row."""
    offset, barrier = blocks.offset[columns], blocks.barrier[columns]
    least = np.minimum(kept, table[row - 1, columns] + 1) - offset
    least[offset == 0] = row
    table[row, columns] = np.minimum.accumulate(least + barrier) - barrier + offset


def _numbers(values: Sequence[int]) -> Numbers:
    return np.array(values, dtype=np.int32)
