"""Documents with their corrections applied, for the routes to show and change.

The last few documents stay in memory as sessions. A change is made under the lock of its session, so that
the effect of a correction is appended to the same log that its tree was built from.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from held.document import Document
from held.errors import HeldError
from held.exports.tree_json import tree_from_json
from held.hierarchy import Hierarchy
from held.hierarchy.corrections import STYLE_OPERATIONS, Correction, effect_of, same_style_overrides
from held.hierarchy.edited_hierarchy import EditedHierarchy, Effect, HierarchyEditor
from held.hierarchy.overrides import TEXT, Override
from held.serve.correction_log import CorrectionLog, append, read_log, redo, require_version, undo
from held.serve.store import DocumentGoneError, JobStore
from held.system.bounded_json import read_json
from held.tree import ROOT

_MAX_SESSIONS = 4  # a document of 300 pages takes about 50 MB


@dataclass(frozen=True, slots=True)
class CorrectedDocument:
    """A document at one version: its log, and the tree after the corrections in force."""

    log: CorrectionLog
    tree: EditedHierarchy


class _Session:
    """A document that stays in memory."""

    def __init__(self, extracted: Hierarchy, model: str) -> None:
        self.extracted = extracted
        self.editor = HierarchyEditor(extracted.document, model=model)
        # A tree with headings but without inquiries was taken from trusted bookmarks: keep it as it is.
        from_bookmarks = bool(extracted.headings) and not extracted.inquiries
        self.initial_effects = (_override_all(extracted),) if from_bookmarks else ()
        self.current: CorrectedDocument | None = None


class _Slot:
    """The place of a session, which is opened by the first thread that needs it."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self.session: _Session | None = None


class EditSessions:
    """The documents of a store that have a tree. Safe for any thread."""

    def __init__(self, store: JobStore, *, model: Callable[[str], str]) -> None:
        self._store = store
        self._model = model
        # The document that was used last comes last, so the first one is dropped.
        self._slots: OrderedDict[str, _Slot] = OrderedDict()
        self._lock = threading.Lock()

    def document(self, id: str, *, version: int | None = None) -> CorrectedDocument:
        """The document after all corrections in force; `ConflictError` if it has another version."""
        with self._session(id) as session:
            document = self._current(id, session)
        if version is not None:
            require_version(document.log.version, version)
        return document

    def recognised_document(self, id: str) -> Document:
        """The document without corrections."""
        with self._session(id) as session:
            return session.extracted.document

    def correct(self, id: str, correction: Correction, *, version: int) -> CorrectedDocument:
        """The document after one more correction."""
        with self._change(id, version) as (session, document):
            effect = effect_of(correction, document.tree)
            return self._append(id, session, correction.to_json(), effect, version=version)

    def replace_outline(self, id: str, outline: Hierarchy, *, version: int) -> CorrectedDocument:
        """The document with exactly the headings of another tree of it, as one correction."""
        with self._change(id, version) as (session, document):
            headings = _override_all(outline).overrides
            removed = [number for number in document.tree.parents if number not in headings]
            effect = Effect({**dict.fromkeys(removed, TEXT), **headings})
            return self._append(id, session, {"op": "outline"}, effect, version=version)

    def undo(self, id: str, *, version: int) -> CorrectedDocument:
        """The document without its last correction."""
        with self._session(id) as session:
            with self._store.database() as database:
                undo(database, id, version=version)
            return self._current(id, session)

    def redo(self, id: str, *, version: int) -> CorrectedDocument:
        """The document with the last undone correction."""
        with self._session(id) as session:
            with self._store.database() as database:
                redo(database, id, version=version)
            return self._current(id, session)

    def close(self, id: str) -> None:
        """Drops a document from memory."""
        with self._lock:
            self._slots.pop(id, None)

    @contextmanager
    def _change(self, id: str, version: int) -> Iterator[tuple[_Session, CorrectedDocument]]:
        """The session of a document that must still have this version."""
        with self._session(id) as session:
            document = self._current(id, session)
            require_version(document.log.version, version)
            yield session, document

    def _append(
        self, id: str, session: _Session, correction: dict[str, object], effect: Effect, *, version: int
    ) -> CorrectedDocument:
        with self._store.database() as database:
            append(database, id, correction, effect, version=version)
        return self._current(id, session)

    def _current(self, id: str, session: _Session) -> CorrectedDocument:
        with self._store.database() as database:
            log = read_log(database, id)
        if session.current is None or session.current.log.version != log.version:
            effects = [*session.initial_effects, *log.effects]
            tree = session.editor.apply(effects)
            session.current = CorrectedDocument(log, tree)
        return session.current

    @contextmanager
    def _session(self, id: str) -> Iterator[_Session]:
        with self._lock:
            slot = self._slots.setdefault(id, _Slot())
            self._slots.move_to_end(id)
            while len(self._slots) > _MAX_SESSIONS:
                self._slots.popitem(last=False)
        # Outside the lock of all sessions: one slow document must not block the others.
        with slot.lock:
            if slot.session is None:
                slot.session = self._open(id)
            yield slot.session

    def _open(self, id: str) -> _Session:
        tree = self._store.tree_path(id)
        try:
            return _Session(tree_from_json(read_json(tree)), self._model(id))
        except HeldError:
            if tree.exists():
                raise
            raise DocumentGoneError(id) from None


def same_style_changes(correction: Correction, before: CorrectedDocument) -> dict[int, Override]:
    """The other overrides if the correction were applied to all objects of the same style."""
    if correction.same_style or correction.op not in STYLE_OPERATIONS:
        return {}
    effect = effect_of(correction, before.tree)
    override = effect.overrides[correction.obj]
    return same_style_overrides(correction.obj, override, before.tree)


def _override_all(outline: Hierarchy) -> Effect:
    """The effect that gives each heading of a tree its parent."""
    parents = outline.tree.parents()
    overrides: dict[int, int | None] = {}
    for heading in sorted(outline.headings):
        parent = parents[heading]
        overrides[heading] = None if parent == ROOT else parent
    return Effect(overrides)
