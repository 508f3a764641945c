"""Two strategies after a correction: leave the other headings where they are, or insert them again.

Both take the same corrections and return the same kind of outline, so that they can be compared.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from research.corrections.person import Parents

from held.document import Document
from held.hierarchy.corrections import Correction, effect_of
from held.hierarchy.edited_hierarchy import EditedHierarchy, Effect, HierarchyEditor, apply_effects
from held.hierarchy.insertion import build
from held.hierarchy.oracle import PerfectScorer
from held.tree import ROOT, Tree


class Outline(NamedTuple):
    """The outline on the screen: parents of headings, the order of review, and the corrections so far."""

    parents: Parents
    doubted: Sequence[int]
    effects: tuple[Effect, ...]
    tree: EditedHierarchy


class Strategy(Protocol):
    """Makes the first outline, and a new one after each correction."""

    def start(self) -> Outline: ...

    def after(self, outline: Outline, correction: Correction) -> Outline: ...


class ReinsertRest:
    """Inserts all headings that are not fixed again after each correction."""

    def __init__(self, document: Document) -> None:
        self._editor = HierarchyEditor(document)

    def start(self) -> Outline:
        return self._outline_after(())

    def after(self, outline: Outline, correction: Correction) -> Outline:
        return self._outline_after((*outline.effects, effect_of(correction, outline.tree)))

    def _outline_after(self, effects: tuple[Effect, ...]) -> Outline:
        tree = self._editor.apply(effects)
        return Outline(tree.parents, tree.review_order(), effects, tree)


class KeepRest:
    """Moves only the corrected heading. The others stay under their parent, or its nearest open ancestor."""

    def __init__(self, document: Document) -> None:
        self._first = ReinsertRest(document).start()

    def start(self) -> Outline:
        return self._first

    def after(self, outline: Outline, correction: Correction) -> Outline:
        effect = effect_of(correction, _with_parents(outline.tree, outline.parents))
        effects = (*outline.effects, effect)
        fixed = apply_effects(outline.tree.edited.document, effects).indexed_overrides()
        headings = sorted(({*outline.parents, *fixed.parents, *fixed.headings}) - fixed.texts)
        before = _tree(outline.parents, headings)
        moved = {obj: parent for obj, parent in fixed.parents.items() if obj in effect.overrides}
        built = build(headings, PerfectScorer([before]), parents=moved).tree.parents()
        parents = {h: None if parent == ROOT else parent for h, parent in built.items()}
        return outline._replace(parents=parents, effects=effects)


def _with_parents(tree: EditedHierarchy, parents: Parents) -> EditedHierarchy:
    """The tree with other parents of headings."""
    other = EditedHierarchy(tree.edited, tree.scored, tree.hierarchy)
    other.__dict__["parents"] = dict(parents)
    return other


def _tree(parents: Parents, headings: Sequence[int]) -> Tree:
    """The tree of these headings as it was; a new heading is put under the heading before it."""
    found: dict[int, int] = {}
    last = ROOT
    for heading in headings:
        parent = parents.get(heading, last)
        found[heading] = ROOT if parent is None else parent
        last = heading
    known = set(headings)
    lifted = {h: _nearest(parent, found, known) for h, parent in found.items()}
    return Tree.from_parents(lifted)


def _nearest(parent: int, parents: dict[int, int], known: set[int]) -> int:
    """The nearest ancestor that is still a heading."""
    while parent != ROOT and parent not in known:
        parent = parents[parent]
    return parent
