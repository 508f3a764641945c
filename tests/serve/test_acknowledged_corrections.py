"""Any sequence of corrections, kills and undos leaves every acknowledged correction in force."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given
from hypothesis import strategies as st

from held.errors import UsageError
from held.exports.tree_json import tree_to_json
from held.hierarchy.corrections import OPERATIONS, Correction, effect_of
from held.hierarchy.edited_hierarchy import EditedHierarchy
from held.hierarchy.overrides import TEXT, Override
from held.hierarchy.pipeline import build_tree
from held.serve.edit_sessions import CorrectedDocument, EditSessions
from held.serve.store import JobStore
from held.system.bounded_json import write_json
from tests.hierarchy.made_report import report

OBJECTS = len(report().objects) + 2  # two that do not exist, unless a split makes them
MAX_STEPS = 14
EXTRACTED = tree_to_json(build_tree(report()))

OBJECT = st.integers(0, OBJECTS - 1)
CORRECTIONS = st.builds(
    Correction,
    st.sampled_from(sorted(OPERATIONS)),
    OBJECT,
    under=st.none() | OBJECT,
    at=st.integers(1, 12),
    text=st.sampled_from(["Ships", "3 Quays", "  "]),
    same_style=st.booleans(),
)
STEPS = st.lists(CORRECTIONS | st.sampled_from(["undo", "redo", "kill"]), max_size=MAX_STEPS)


@dataclass(frozen=True)
class State:
    """What a person sees, and what they were promised: the place and the title that an object got last."""

    parents: dict[int, int | None]
    titles: dict[int, str]
    overrides: dict[int, Override] = field(default_factory=dict)
    names: dict[int, str] = field(default_factory=dict)


def state_of(document: CorrectedDocument, before: State, correction: Correction) -> State:
    """The state after a correction that was acknowledged with this document."""
    overrides = {**before.overrides, **document.log.entries[document.log.in_force - 1].effect.overrides}
    names = dict(before.names)
    if correction.op == "rename":
        names[correction.obj] = " ".join((correction.text or "").split())
    elif correction.op in ("join", "split"):  # its text is another one, and perhaps the next one's, too
        names = {obj: name for obj, name in names.items() if obj != correction.obj}
    return State(*shown(document.tree), overrides, names)


def shown(tree: EditedHierarchy) -> tuple[dict[int, int | None], dict[int, str]]:
    return tree.parents, {number: tree.item(number).title for number in tree.edited.numbers}


def require_promises(state: State, correction: Correction, asked: dict[int, Override]) -> None:
    """The correction itself is in force exactly; of those before at least what does not contradict it."""
    if correction.obj in asked and not isinstance(asked[correction.obj], str):
        assert state.parents[correction.obj] == asked[correction.obj]
    for obj, override in state.overrides.items():
        if obj in state.titles:  # not joined to another one meanwhile
            assert (obj in state.parents) is (override != TEXT)
    for obj, name in state.names.items():
        if obj in state.titles:
            assert state.titles[obj] == name


@contextmanager
def sessions_in(folder: Path) -> Iterator[EditSessions]:
    with closing(JobStore(folder)) as store:
        yield EditSessions(store, model=lambda _: "base")


def copy_as_a_kill_leaves_it(folder: Path, target: Path) -> None:
    """The files of a store that nobody has closed: what a process that is killed leaves behind."""
    shutil.copytree(folder, target)


@given(STEPS)
def test_every_acknowledged_correction_is_in_force(steps: list[Correction | str]) -> None:
    with TemporaryDirectory() as name:
        _run(steps, Path(name))


def _run(steps: list[Correction | str], folder: Path) -> None:
    with closing(JobStore(folder / "0")) as store:
        id = store.add("a.pdf", {}).id
        write_json(store.tree_path(id), EXTRACTED)
    rest = steps
    states: list[State] = []
    undone: list[State] = []
    kills = 0
    while True:
        with sessions_in(folder / str(kills)) as sessions:
            document = sessions.document(id)
            if not states:
                states = [State(*shown(document.tree))]
            assert shown(document.tree) == (states[-1].parents, states[-1].titles)
            while rest and rest[0] != "kill":
                _step(sessions, id, rest[0], states, undone)
                rest = rest[1:]
            if not rest:
                return
            copy_as_a_kill_leaves_it(folder / str(kills), folder / str(kills + 1))
        kills += 1
        rest = rest[1:]


def _step(
    sessions: EditSessions, id: str, step: Correction | str, states: list[State], undone: list[State]
) -> None:
    """Does a step, which may be refused; `states` are those in force, `undone` those that can be redone."""
    before = sessions.document(id)
    version = before.log.version
    try:
        if step == "undo":
            after = sessions.undo(id, version=version)
            undone.append(states.pop())
        elif step == "redo":
            after = sessions.redo(id, version=version)
            states.append(undone.pop())
        else:
            assert isinstance(step, Correction)
            after = sessions.correct(id, step, version=version)
            asked = dict(effect_of(step, before.tree).overrides)
            states.append(state_of(after, states[-1], step))
            undone.clear()
            require_promises(states[-1], step, asked)
    except UsageError:
        after = sessions.document(id)
        assert after.log.version == version  # what is refused changes nothing
    assert shown(after.tree) == (states[-1].parents, states[-1].titles)
