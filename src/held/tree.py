"""The logical hierarchy: an immutable tree of object indices.

A tree grows only by `put`, and only at the positions of its rightmost branch, so its pre-order is always the
reading order. The new tree shares all nodes but those of the branch with the old one: a put costs the depth
of the tree, not its size, and a beam search can keep many candidates.

Trees can be written as text. In "0 (1 2 (3 4)) 5", 0, 1 and 5 are at the top, 2 and 3 below 1, and 4 below 3.
"""

from __future__ import annotations

import heapq
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from held.errors import UsageError

ROOT = -1
"""Index of the root, which is not an object."""


# Children and puts are linked lists from the last to the first, so that trees can share their older parts.


class _Siblings(NamedTuple):
    last: int
    before: _Siblings | None


@dataclass(frozen=True, slots=True, eq=False)
class Position:
    """A possible position of the next object: the last child of a node of the rightmost branch.

    `first_child` is the parent's first child so far, None if it has none. A put keeps the positions above
    the changed one as they are, so values computed for them can be cached.
    """

    parent: int
    child_count: int = 0
    first_child: int | None = None
    _children: _Siblings | None = None

    def siblings(self, limit: int | None = None) -> tuple[int, ...]:
        """The parent's children so far, first to last; with a limit, only the last ones."""
        found: list[int] = []
        link = self._children
        while link is not None and (limit is None or len(found) < limit):
            found.append(link.last)
            link = link.before
        return tuple(reversed(found))

    def _with(self, child: int) -> Position:
        first = child if self.first_child is None else self.first_child
        return Position(self.parent, self.child_count + 1, first, _Siblings(child, self._children))


class _Put(NamedTuple):
    obj: int
    parent: int
    before: _Put | None


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Tree:
    """A tree of object indices. `positions` are those of the rightmost branch, the root's first."""

    positions: tuple[Position, ...] = (Position(ROOT),)
    size: int = 0
    _puts: _Put | None = None

    @staticmethod
    def from_parents(parents: Sequence[int] | Mapping[int, int]) -> Tree:
        """The tree in which each object has the given parent; a sequence is indexed by object."""
        tree = Tree()
        pairs = parents.items() if isinstance(parents, Mapping) else enumerate(parents)
        for obj, parent in pairs:
            position = tree.position_under(parent)
            if position is None:
                raise UsageError(
                    f"object {obj} cannot be put under {parent}: it is not on the rightmost branch",
                    advice="a parent must come before its children, with only its own descendants between",
                )
            tree = tree.put(obj, position)
        return tree

    @property
    def branch(self) -> tuple[int, ...]:
        """The nodes of the rightmost branch, from the root."""
        return tuple(position.parent for position in self.positions)

    def position_under(self, parent: int) -> int | None:
        """The index of the position whose parent is this node, None if the node is not on the branch."""
        # From the leaf up: most objects go to the deepest positions.
        for index in range(len(self.positions) - 1, -1, -1):
            if self.positions[index].parent == parent:
                return index
        return None

    def put(self, obj: int, position: int) -> Tree:
        """The tree with the object as last child of the branch's node at this position (0: the root).

        "0 (1 2)" has the branch root, 1, 2. Object 3 may be put at position 0, 1 or 2:

            0 (1 2) 3      position 0, below the root
            0 (1 2 3)      position 1, below 1
            0 (1 (2 3))    position 2, below 2
        """
        if not 0 <= position < len(self.positions):
            raise UsageError(f"position {position} is not on a branch of {len(self.positions)} positions")
        if obj <= self.positions[-1].parent:
            raise UsageError(f"object {obj} comes too late", advice="put objects in reading order")
        parent = self.positions[position]
        # What lay below the position is closed: nothing can be put there any more.
        positions = (*self.positions[:position], parent._with(obj), Position(obj))
        return Tree(positions, self.size + 1, _Put(obj, parent.parent, self._puts))

    # --- Other forms of the tree ---

    def parents(self) -> dict[int, int]:
        """Each object's parent, in reading order."""
        puts: list[tuple[int, int]] = []
        link = self._puts
        while link is not None:
            puts.append((link.obj, link.parent))
            link = link.before
        return dict(reversed(puts))

    def objects(self) -> tuple[int, ...]:
        """The objects in the tree, in the order in which they were put."""
        return tuple(self.parents())

    def children(self) -> dict[int, list[int]]:
        """Each node's children in order, including the root's."""
        parents = self.parents()
        found: dict[int, list[int]] = {ROOT: [], **{obj: [] for obj in parents}}
        for obj, parent in parents.items():
            found[parent].append(obj)
        return found

    def levels(self) -> dict[int, int]:
        """Each object's level; 1 for the root's children."""
        levels = {ROOT: 0}
        for obj, parent in self.parents().items():
            levels[obj] = levels[parent] + 1
        del levels[ROOT]
        return levels

    def paths(self) -> dict[int, tuple[int, ...]]:
        """Each object's path: its ancestors from the top, then itself."""
        paths: dict[int, tuple[int, ...]] = {ROOT: ()}
        for obj, parent in self.parents().items():
            paths[obj] = (*paths[parent], obj)
        del paths[ROOT]
        return paths

    def pre_order(self) -> tuple[int, ...]:
        """The objects in depth-first order, each before its children."""
        children = self.children()
        order: list[int] = []
        waiting = children[ROOT][::-1]
        while waiting:
            order.append(waiting.pop())
            waiting += children[order[-1]][::-1]
        return tuple(order)

    # --- Trees made from it ---

    def without(self, objects: Collection[int]) -> Tree:
        """The tree without these objects; their children go to the nearest remaining ancestor.

        Without 1, "0 (1 2 (3 4)) 5" is "0 2 (3 4) 5".
        """
        remaining: dict[int, int] = {ROOT: ROOT}  # each node, or its nearest remaining ancestor
        parents: dict[int, int] = {}
        for obj, parent in self.parents().items():
            if obj in objects:
                remaining[obj] = remaining[parent]
            else:
                remaining[obj] = obj
                parents[obj] = remaining[parent]
        return Tree.from_parents(parents)

    def renumber(self, index: Callable[[int], int]) -> Tree:
        """The same tree with new indices, which must keep the objects' order."""
        parents: dict[int, int] = {}
        for obj, parent in self.parents().items():
            parents[index(obj)] = ROOT if parent == ROOT else index(parent)
        return Tree.from_parents(parents)

    # --- Trees as values ---

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Tree):
            return NotImplemented
        return self.size == other.size and self.parents() == other.parents()

    def __hash__(self) -> int:
        # Only size and branch, which are cheap to hash; a beam search hashes many trees.
        return hash((self.size, self.branch))

    def __repr__(self) -> str:
        return f"Tree.parse({str(self)!r})"

    def __reduce__(self) -> tuple[object, ...]:
        # The linked list of puts is as long as the document: pickling it recursively overflows the stack.
        return Tree.from_parents, (self.parents(),)

    def __str__(self) -> str:
        children = self.children()
        words: list[str] = []
        waiting: list[int | None] = [*reversed(children[ROOT])]
        while waiting:
            node = waiting.pop()
            if node is None:
                words[-1] += ")"
            elif children[node]:
                words.append(f"({node}")
                waiting += [None, *reversed(children[node])]
            else:
                words.append(str(node))
        return " ".join(words)

    @staticmethod
    def parse(text: str) -> Tree:
        """The tree that a text such as "0 (1 2) 3" describes."""
        tree = Tree()
        depth = 0
        for token in _tokens(text):
            if token == ")":
                depth -= 1
            else:
                tree = tree.put(int(token.strip("(")), depth)
                depth += token.startswith("(")
            if depth < 0:
                break
        if depth != 0:
            raise UsageError(f"brackets do not match in the tree {text!r}")
        return tree


def _tokens(text: str) -> Iterator[str]:
    """The tokens of a tree's text: "(3" opens node 3, "4" is a leaf, ")" closes."""
    end = 0
    for match in re.finditer(r"\s*(\(\s*\d+|\d+|\))", text):
        if match.start() != end:
            break
        end = match.end()
        yield match[1].replace(" ", "")
    if text[end:].strip():
        raise UsageError(f"a tree cannot be read from {text[end:]!r}", advice='write it as "0 (1 2) 3"')


# --- Body below headings, and positions that given parents leave ---

Parents = Mapping[int, int]
"""The given parent of each object that has one; ROOT for the top level."""


def attach_body(headings: Tree, object_count: int) -> Tree:
    """The tree of all objects: body objects go under the heading before them, or else under the root.

    With the headings "(1 3)" and five objects it is "0 (1 2 (3 4))".
    """
    heading_parents = headings.parents()
    parents: dict[int, int] = {}
    last_heading = ROOT
    for obj in range(object_count):
        parents[obj] = heading_parents.get(obj, last_heading)
        if obj in heading_parents:
            last_heading = obj
    return Tree.from_parents(parents)


@dataclass(frozen=True, slots=True)
class AllowedPositions:
    """Which positions each object may be put at; `kept_open` has the deepest node that it may not close."""

    parents: Parents = field(default_factory=dict)
    kept_open: Mapping[int, int] = field(default_factory=dict)

    def positions(self, tree: Tree, obj: int) -> range:
        """The positions of the branch that are allowed for an object: all where nothing is given."""
        parent = self.parents.get(obj)
        if parent is not None:
            position = _position(tree, parent)
            return range(position, position + 1)
        return range(_position(tree, self.kept_open.get(obj, ROOT)), len(tree.positions))


ALL_ALLOWED = AllowedPositions()


def allowed_positions(objects: Sequence[int], parents: Parents) -> AllowedPositions:
    """The positions allowed for the objects, in reading order; contradicting parents are an error."""
    known = set(objects)
    for obj, parent in parents.items():
        _check(obj, parent, known)
    kept_open = _kept_open(objects, parents)
    for obj, parent in parents.items():
        if parent < kept_open.get(obj, ROOT):
            raise UsageError(
                f"object {obj} cannot stand under {_name(parent)}: "
                f"a later object is given a place under object {kept_open[obj]}, which would be closed",
                advice="give places that fit into one tree in reading order",
            )
    return AllowedPositions(parents, kept_open)


def _kept_open(objects: Sequence[int], parents: Parents) -> dict[int, int]:
    """For each object the deepest node that a later object is to be put under.

    All nodes that must stay open are on one branch, so the deepest of them is the last in reading order.
    """
    last_child: dict[int, int] = {}
    for obj, parent in parents.items():
        last_child[parent] = max(obj, last_child.get(parent, obj))
    found: dict[int, int] = {}
    waiting: list[tuple[int, int]] = []  # (-node, its last given child): the latest node first
    for obj in objects:
        while waiting and waiting[0][1] <= obj:
            heapq.heappop(waiting)
        if waiting:
            found[obj] = -waiting[0][0]
        if obj in last_child:
            heapq.heappush(waiting, (-obj, last_child[obj]))
    return found


def _check(obj: int, parent: int, known: set[int]) -> None:
    if obj not in known:
        raise UsageError(f"object {obj} has a place but is not inserted", advice="give places to headings")
    if parent != ROOT and parent not in known:
        raise UsageError(f"object {obj} cannot stand under object {parent}, which is not inserted")
    if parent >= obj:
        raise UsageError(f"object {obj} cannot stand under object {parent}, which does not come before it")


def _name(parent: int) -> str:
    return "the root" if parent == ROOT else f"object {parent}"


def _position(tree: Tree, node: int) -> int:
    position = tree.position_under(node)
    assert position is not None, "what must stay open is on the branch"
    return position
