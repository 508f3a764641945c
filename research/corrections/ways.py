"""Two ways to go on after a correction: leave the rest where it is, or insert it again.

Both take the same corrections and give the same kind of outline, so that they can be compared.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from research.corrections.person import Parents

from held.document import Document
from held.hierarchy.corrections import Correction, effect_of
from held.hierarchy.edited_hierarchy import EditedHierarchy, Effect, HierarchyEditor, apply_effects
from held.hierarchy.insertion import build
from held.hierarchy.insertion.oracle import PerfectScorer
from held.tree import ROOT, Tree


class Outline(NamedTuple):
    """What is shown: the headings with their parents, those to doubt first, and what was corrected so far."""

    parents: Parents
    doubted: Sequence[int]
    effects: tuple[Effect, ...]
    tree: EditedHierarchy


class Way(Protocol):
    """Shows an outline, and another one after a correction."""

    def start(self) -> Outline: ...

    def after(self, shown: Outline, correction: Correction) -> Outline: ...


class InsertedAgain:
    """All that is not fixed is inserted again after each correction."""

    def __init__(self, document: Document) -> None:
        self._editor = HierarchyEditor(document)

    def start(self) -> Outline:
        return self._shown(())

    def after(self, shown: Outline, correction: Correction) -> Outline:
        return self._shown((*shown.effects, effect_of(correction, shown.tree)))

    def _shown(self, effects: tuple[Effect, ...]) -> Outline:
        tree = self._editor.apply(effects)
        return Outline(tree.parents, tree.review_order(), effects, tree)


class LeftAsItIs:
    """Only what is corrected moves: all else stays under its parent, or the nearest one above still open."""

    def __init__(self, document: Document) -> None:
        self._first = InsertedAgain(document).start()

    def start(self) -> Outline:
        return self._first

    def after(self, shown: Outline, correction: Correction) -> Outline:
        effect = effect_of(correction, _with_parents(shown.tree, shown.parents))
        effects = (*shown.effects, effect)
        fixed = apply_effects(shown.tree.edited.document, effects).indexed_overrides()
        headings = sorted(({*shown.parents, *fixed.parents, *fixed.headings}) - fixed.texts)
        before = _tree(shown.parents, headings)
        moved = {obj: parent for obj, parent in fixed.parents.items() if obj in effect.overrides}
        built = build(headings, PerfectScorer([before]), parents=moved).tree.parents()
        parents = {h: None if parent == ROOT else parent for h, parent in built.items()}
        return shown._replace(parents=parents, effects=effects)


def _with_parents(tree: EditedHierarchy, parents: Parents) -> EditedHierarchy:
    """The tree with other parents of headings."""
    other = EditedHierarchy(tree.edited, tree.scored, tree.hierarchy)
    other.__dict__["parents"] = dict(parents)
    return other


def _tree(parents: Parents, headings: Sequence[int]) -> Tree:
    """The tree of these headings as it was; one that is new hangs under the heading before it."""
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
