"""Documents as corrections leave them: each on a desk of its own, the latest few kept at hand.

A change of a document is made under its lock: what is effect_of against a tree is appended to the log that
this tree was built from.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from held.document import Document
from held.errors import ConflictError
from held.exports.tree_json import tree_from_json
from held.hierarchy.corrections import STYLE_OPERATIONS, Correction, effect_of, same_style_overrides
from held.hierarchy.edited_hierarchy import EditedHierarchy, Effect, HierarchyEditor
from held.hierarchy.hierarchy import Hierarchy
from held.serial import read_json
from held.serve.correction_log import CorrectionLog, append, read_log, redo, undo
from held.serve.store import Store
from held.tree import ROOT

_AT_HAND = 4  # documents: one of 300 pages takes some 50 MB


@dataclass(frozen=True, slots=True)
class Shown:
    """A document as it is: its log, and what lies on its desk."""

    log: CorrectionLog
    laid: EditedHierarchy


class _OnDesk:
    """A document that is kept at hand."""

    def __init__(self, first: Hierarchy, model: str) -> None:
        self.first = first
        self.desk = HierarchyEditor(first.document, model=model)
        # A tree that no scorer was asked about came from bookmarks that are trusted: it is kept as it is.
        self.given = () if first.inquiries or not first.headings else (_places_of(first),)
        self.lock = threading.RLock()
        self.shown: Shown | None = None


class Desks:
    """The documents of a store that have a tree. Any thread may use it."""

    def __init__(self, store: Store, *, model: Callable[[str], str]) -> None:
        self._store, self._model = store, model
        self._at_hand: OrderedDict[str, _OnDesk] = OrderedDict()
        self._lock = threading.Lock()

    def shown(self, id: str) -> Shown:
        """The document after all corrections that are in force."""
        with self._on_desk(id) as on_desk:
            return self._shown(id, on_desk)

    def correct(self, id: str, correction: Correction, *, version: int) -> Shown:
        """The document after one more correction."""
        return self._changed(
            id, version, lambda shown: (correction.to_json(), effect_of(correction, shown.laid))
        )

    def replace_outline(self, id: str, outline: Hierarchy, *, version: int) -> Shown:
        """The document with exactly the headings of another tree of it, each in its place."""
        return self._changed(id, version, lambda shown: ({"op": "outline"}, _all_places(shown, outline)))

    def undo(self, id: str, *, version: int) -> Shown:
        """The document without its last correction."""
        return self._moved(id, lambda database: undo(database, id, version=version))

    def redo(self, id: str, *, version: int) -> Shown:
        """The document with the correction that was undone last."""
        return self._moved(id, lambda database: redo(database, id, version=version))

    def forget(self, id: str) -> None:
        """Take a document from its desk."""
        with self._lock:
            self._at_hand.pop(id, None)

    def document(self, id: str) -> Document:
        """The document as it was recognised."""
        with self._on_desk(id) as on_desk:
            return on_desk.first.document

    def _changed(
        self, id: str, version: int, change: Callable[[Shown], tuple[dict[str, object], Effect]]
    ) -> Shown:
        with self._on_desk(id) as on_desk:
            shown = self._shown(id, on_desk)
            if shown.log.version != version:
                advice = "load the document again"
                raise ConflictError("another tab has changed the document meanwhile", advice=advice)
            correction, effect = change(shown)
            with self._store.database() as database:
                append(database, id, correction, effect, version=version)
            return self._shown(id, on_desk)

    def _moved(self, id: str, move: Callable[..., CorrectionLog]) -> Shown:
        with self._on_desk(id) as on_desk:
            with self._store.database() as database:
                move(database)
            return self._shown(id, on_desk)

    def _shown(self, id: str, on_desk: _OnDesk) -> Shown:
        with self._store.database() as database:
            log = read_log(database, id)
        if on_desk.shown is None or on_desk.shown.log.version != log.version:
            on_desk.shown = Shown(log, on_desk.desk.apply((*on_desk.given, *log.effects)))
        return on_desk.shown

    @contextmanager
    def _on_desk(self, id: str) -> Iterator[_OnDesk]:
        with self._lock:
            found = self._at_hand.get(id)
            if found is None:
                first = tree_from_json(read_json(self._store.tree(id)))
                found = self._at_hand[id] = _OnDesk(first, self._model(id))
            self._at_hand.move_to_end(id)
            while len(self._at_hand) > _AT_HAND:
                self._at_hand.popitem(last=False)
        with found.lock:
            yield found


def offer(correction: Correction, before: Shown) -> int:
    """How many others of its look a correction would change if it were done to all of them."""
    if correction.same_style or correction.op not in STYLE_OPERATIONS:
        return 0
    place = effect_of(correction, before.laid).overrides[correction.obj]
    return len(same_style_overrides(correction.obj, place, before.laid))


def _all_places(shown: Shown, outline: Hierarchy) -> Effect:
    """The places of all headings, and of those that are none any more."""
    wanted = _places_of(outline).overrides
    gone = [number for number in shown.laid.parents if number not in wanted]
    return Effect(overrides={**dict.fromkeys(gone, "text"), **wanted})


def _places_of(outline: Hierarchy) -> Effect:
    """The place of each heading of a tree."""
    parents = outline.tree.parents()
    headings = sorted(outline.headings)
    return Effect(overrides={h: None if parents[h] == ROOT else parents[h] for h in headings})
