"""Tree-edit similarity (TEDS), for comparison with later work.

The edit distance of Zhang and Shasha (1989) with unit costs: delete, insert, or rename a node. numpy fills a
row of their table for all subtrees of the second tree at once. With n and m nodes at depths up to d that
takes O(n d) rows of O(m d) numbers: two trees of 600 headings take a tenth of a second.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from held.metrics.trees import Prediction, Truth
from held.tree import ROOT, Tree

Numbers: TypeAlias = NDArray[np.int32]


def heading_similarity(truth: Truth, prediction: Prediction, match: Mapping[int, int] | None = None) -> float:
    """1 - edit distance / size of the larger tree, for the trees of headings; at least 0.

    The root counts as a node of both trees, so that two trees without headings are the same (1.0). Unknown
    objects are left out. Headings are equal if they are the same object.
    """
    object_of = truth.predicted_objects(match)
    unknown = {object_of[node] for node in truth.unknown if node in object_of}
    true_tree = _keep_only(truth.headings, truth.tree)
    predicted_tree = _keep_only(prediction.headings - unknown, prediction.tree)
    names = _true_names(predicted_tree, object_of)
    distance = edit_distance(true_tree, predicted_tree, names)
    nodes = max(true_tree.size, predicted_tree.size) + 1  # the root is a node
    return max(0.0, 1 - distance / nodes)


def _keep_only(headings: Set[int], tree: Tree) -> Tree:
    others = set(tree.objects()) - headings
    return tree.without(others)


def _true_names(predicted: Tree, object_of: Mapping[int, int]) -> dict[int, int]:
    """The true node of each object; an object without one gets a number that no node has."""
    node_of = {obj: node for node, obj in object_of.items()}
    names = {}
    for obj in predicted.objects():
        free_number = ROOT - 1 - obj  # nodes count from 0 and the root is -1, so lower numbers are free
        names[obj] = node_of.get(obj, free_number)
    return names


def edit_distance(first: Tree, second: Tree, names: Mapping[int, int] | None = None) -> int:
    """The minimum number of nodes to delete, insert or rename to turn the first tree into the second.

    `names` maps nodes of the second tree to those of the first; by default both use the same numbers.
    """
    # The distance is the same for mirrored trees, but the cost is not: chains of first children are cheap
    # read from the left, chains of last children read from the right.
    from_left = _prepare(first, second, names or {}, mirrored=False)
    from_right = _prepare(first, second, names or {}, mirrored=True)
    problem = min(from_left, from_right, key=_cost)
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
    """The nodes of a tree in post-order: their names, and the index of the first node of each subtree."""

    names: Numbers
    leftmost: Numbers


@dataclass(frozen=True, slots=True)
class _Blocks:
    """The columns of the table: a block for each keyroot, with an empty column before its nodes.

    node      the column's node
    offset    its position in the block, 0 for the empty column
    before    the column before the node's subtree
    whole     whether the subtree begins where the block does
    barrier   keeps minima in their block
    groups    ranges of columns, each of which depends only on those before it
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
    rows = _postorder(first, {}, mirrored=mirrored)
    columns = _postorder(second, names, mirrored=mirrored)
    max_distance = len(rows.names) + len(columns.names)  # delete all nodes of one tree, insert the other's
    return _Problem(rows, columns, _blocks(columns, reach=2 * max_distance + 1))


def _cost(problem: _Problem) -> int:
    """The number of computed numbers: rows times columns."""
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
    """The nodes in post-order, which is the reverse of the pre-order that visits the last child first."""
    order: list[int] = []
    waiting = [ROOT]
    while waiting:
        node = waiting.pop()
        order.append(node)
        waiting += children[node]
    order.reverse()
    return order


def _keyroots(leftmost: Sequence[int]) -> list[int]:
    """The keyroots of Zhang and Shasha: the root, and each node that is not the first child of its parent."""
    # Of the nodes whose subtrees begin at the same leaf, the last one has the largest subtree.
    largest = {begin: node for node, begin in enumerate(leftmost)}
    return sorted(largest.values())


def _rows(tree: _Postorder) -> int:
    """The number of rows that are filled for a tree: the sizes of all its keyroots' subtrees."""
    leftmost = tree.leftmost.tolist()
    sizes = [root - leftmost[root] + 1 for root in _keyroots(leftmost)]
    return sum(sizes)


def _blocks(tree: _Postorder, *, reach: int) -> _Blocks:
    """The columns for a tree; `reach` exceeds the difference of any two numbers of a row."""
    node: list[int] = []
    first: list[int] = []  # the first node of the column's block
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
    """The keyroots by rank; a keyroot has a higher rank than all keyroots inside its subtree."""
    rank: dict[int, int] = {}  # by the first node of the keyroot's subtree
    by_rank: dict[int, list[int]] = {}
    for root in _keyroots(leftmost):
        begin = leftmost[root]
        inner_begins = set(leftmost[begin : root + 1]) - {begin}
        highest = max((rank[inner] for inner in inner_begins), default=-1)
        rank[begin] = highest + 1
        by_rank.setdefault(rank[begin], []).append(root)
    return [by_rank[number] for number in sorted(by_rank)]


def _fill(table: Numbers, trees: Numbers, problem: _Problem, *, keyroot: int) -> None:
    """Fill the table for the subtree of a keyroot of the first tree against all blocks of the second."""
    leftmost = problem.first.leftmost
    begin = int(leftmost[keyroot])
    table[0] = problem.blocks.offset  # against an empty first tree, all nodes are inserted
    for node in range(begin, keyroot + 1):
        if leftmost[node] == begin:
            _fill_whole_row(table, trees, problem, node=node, row=node - begin + 1)
        else:
            _fill_part_row(table, trees, problem, node=node, begin=begin)


def _fill_part_row(table: Numbers, trees: Numbers, problem: _Problem, *, node: int, begin: int) -> None:
    """Fill the row of a node whose subtree begins later than the keyroot's: its distances are known."""
    blocks = problem.blocks
    row_before_subtree = int(problem.first.leftmost[node]) - begin
    distance_before = table[row_before_subtree, blocks.before]
    distance_of_subtrees = trees[node, blocks.node]
    kept = distance_before + distance_of_subtrees
    _finish(table, blocks, row=node - begin + 1, columns=slice(None), kept=kept)


def _fill_whole_row(table: Numbers, trees: Numbers, problem: _Problem, *, node: int, row: int) -> None:
    """Fill the row of a node whose subtree begins where the keyroot's does, and store subtree distances.

    Each group of columns reads the distances that the groups before it have stored.
    """
    blocks = problem.blocks
    for columns in blocks.groups:
        nodes = blocks.node[columns]
        kept = table[0, blocks.before[columns]] + trees[node, nodes]
        # Where both subtrees begin with their blocks, the two nodes are compared: a renaming costs 1.
        whole = np.flatnonzero(blocks.whole[columns])
        is_renamed = problem.second.names[nodes[whole]] != problem.first.names[node]
        row_before = table[row - 1, columns]
        kept[whole] = row_before[whole - 1] + is_renamed
        _finish(table, blocks, row=row, columns=columns, kept=kept)
        trees[node, nodes[whole]] = table[row, columns][whole]


def _finish(table: Numbers, blocks: _Blocks, *, row: int, columns: slice, kept: Numbers) -> None:
    """Complete a row with the minimum of keeping the row's node, deleting it, and inserting the column's.

    An insertion costs one more than the column to the left. With the offsets subtracted, it costs nothing,
    and one running minimum along the row finds where insertions should start.
    """
    offset, barrier = blocks.offset[columns], blocks.barrier[columns]
    deleted = table[row - 1, columns] + 1
    without_offset = np.minimum(kept, deleted) - offset
    without_offset[offset == 0] = row  # against an empty second tree, all nodes are deleted
    # The barrier keeps the running minimum from passing from one block to the next.
    minimum = np.minimum.accumulate(without_offset + barrier) - barrier
    table[row, columns] = minimum + offset


def _numbers(values: Sequence[int]) -> Numbers:
    return np.array(values, dtype=np.int32)
