"""A simulated person who corrects a tree and knows the true outline.

The person goes through the outline in reading order and corrects the first wrong heading: an object that is
not a heading yet is marked, a heading in a wrong place is moved under its true parent. If the correction can
be applied to all headings of the same style, the person does so if fewer wrong headings remain.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from held.corpus.store import LabelledDocument, truth
from held.hierarchy.corrections import Correction
from held.tree import ROOT, Tree

Parents = Mapping[int, int | None]
"""The parent of each heading, None at the top."""


def true_parents(labelled: LabelledDocument) -> dict[int, int | None]:
    """The listed headings that are objects, each with the nearest listed one above it."""
    true = truth(labelled)
    objects = true.objects or ()
    listed = {node for node in true.headings if objects[node] is not None}
    outline = true.tree.without(set(true.tree.objects()) - listed)
    return {
        _object(objects, node): None if parent == ROOT else _object(objects, parent)
        for node, parent in outline.parents().items()
    }


def _object(objects: Sequence[int | None], node: int) -> int:
    found = objects[node]
    assert found is not None
    return found


def wrong_headings(outline: Parents, true: Parents) -> list[int]:
    """The listed headings whose path is wrong, in reading order; unlisted ones are spliced out of paths."""
    tree = Tree.from_parents({h: ROOT if parent is None else parent for h, parent in outline.items()})
    spliced = tree.without(set(outline) - set(true)).parents()
    right: set[int | None] = {None}
    for heading, parent in true.items():
        expected = ROOT if parent is None else parent
        if spliced.get(heading) == expected and parent in right:
            right.add(heading)
    return [heading for heading in true if heading not in right]


def highest_wrong(heading: int, true: Parents, wrong: Collection[int]) -> int:
    """The highest heading above this one that is wrong itself: what is below it cannot be right before."""
    found = heading
    while (above := true[found]) is not None and above in wrong:
        found = above
    return found


def correction_for(heading: int, outline: Parents, true: Parents) -> Correction:
    """The correction of a wrong heading."""
    if heading not in outline:
        return Correction("mark", heading)
    return Correction("move", heading, under=true[heading])


@dataclass(frozen=True, slots=True)
class Effort:
    """The work until the outline is perfect.

    corrections   number of operations
    of_a_look     how many of them were applied to all headings of a style
    keys          to select a heading, to correct it, to apply it to a style, and `N` if it was pressed
    left          number of wrong headings after each correction
    """

    corrections: int = 0
    of_a_look: int = 0
    keys: int = 0
    left: tuple[int, ...] = ()

    def after(self, correction: Correction, left: int) -> Effort:
        """The effort with one more correction."""
        return replace(
            self,
            corrections=self.corrections + 1,
            of_a_look=self.of_a_look + correction.same_style,
            keys=self.keys + _KEYS + correction.same_style,
            left=(*self.left, left),
        )


_KEYS = 2  # a click that selects the heading, and a drag or a key that corrects it
