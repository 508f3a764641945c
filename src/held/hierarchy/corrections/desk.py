"""A document on the desk: after every correction the rest of it is inserted again.

What corrections of places leave as it is (the table of objects, the scores of headings) is computed once,
so that an answer comes while the hand is still on the key.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from held.document import Document, PhysicalObject
from held.hierarchy.corrections.effects import Edited, Effect, edited
from held.hierarchy.pipeline import Hierarchy, Judged, hierarchy_of, inserted, judged_headings
from held.tree import ROOT


class Laid:
    """What lies on the desk: the document as it is edited, and its hierarchy by places in that document."""

    def __init__(self, edited: Edited, judged: Judged, hierarchy: Hierarchy) -> None:
        self.edited, self.judged, self.hierarchy = edited, judged, hierarchy

    @cached_property
    def parents(self) -> dict[int, int | None]:
        """The parent of each heading, None at the top, all by the numbers of objects, in reading order."""
        numbers = self.edited.numbers
        parents = self.hierarchy.tree.parents()
        return {
            numbers[heading]: None if parents[heading] == ROOT else numbers[parents[heading]]
            for heading in sorted(self.hierarchy.headings)
        }

    def look(self, number: int) -> int:
        """The look of an object: how it is set, and how it is numbered."""
        return int(self.judged.seen.table.group[self.edited.index_of[number]])

    def alike(self, number: int) -> tuple[int, ...]:
        """The other objects with the look of this one, in reading order."""
        group = self.judged.seen.table.group
        same = group == group[self.edited.index_of[number]]
        pairs = zip(self.edited.numbers, same, strict=True)
        return tuple(other for other, is_same in pairs if is_same and other != number)

    def item(self, number: int) -> PhysicalObject:
        """The object with a number."""
        return self.edited.document.objects[self.edited.index_of[number]]


class Desk:
    """A document and the model that inserts; `after` lays the document out as corrections leave it."""

    def __init__(self, document: Document, *, model: str = "base") -> None:
        self._document, self._model = document, model
        self._judged: Judged | None = None

    def after(self, effects: Sequence[Effect]) -> Laid:
        """The document after these effects, all that they do not fix inserted anew."""
        now = edited(self._document, effects)
        judged = self._judged
        if judged is None or judged.seen.document != now.document:
            (judged,) = judged_headings([now.document], model=self._model)
            self._judged = judged
        (scored,) = inserted([judged], model=self._model, fixed=[now.fixed()])
        return Laid(now, judged, hierarchy_of(scored))
