"""The log of corrections: undo and redo without limit, versions, and what a crash leaves."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from held.errors import ConflictError, UsageError
from held.hierarchy.edited_hierarchy import Effect, Join, Split
from held.serve.correction_log import LOG_SCHEMA, CorrectionLog, append, delete_log, read_log, redo, undo
from held.system.bounded_json import JsonValue

ALL = Effect({1: None, 2: 1, 3: "text"}, {1: "A"}, (Join(4, 5),), (Split(6, 2, 9),))


class Closing(sqlite3.Connection):
    """A connection that ends with its test; from Python 3.13 on one that is left open is warned of."""

    def __del__(self) -> None:
        self.close()


def opened(path: str = ":memory:") -> sqlite3.Connection:
    database = sqlite3.connect(path, isolation_level=None, factory=Closing, check_same_thread=False)
    database.executescript(LOG_SCHEMA)
    return database


def put(database: sqlite3.Connection, obj: int) -> CorrectionLog:
    version = read_log(database, "a").version
    return append(database, "a", {"op": "mark", "object": obj}, Effect({obj: "heading"}), version=version)


def objects(log: CorrectionLog) -> list[int]:
    return [obj for effect in log.effects for obj in effect.overrides]


def test_an_effect_reads_back_as_it_was_written() -> None:
    assert Effect.from_json(JsonValue(ALL.to_json())) == ALL


def test_what_is_undone_is_out_of_force_and_redone_is_back() -> None:
    database = opened()
    put(database, 1)
    log = put(database, 2)
    log = undo(database, "a", version=log.version)
    assert objects(log) == [1]
    log = redo(database, "a", version=log.version)
    assert objects(log) == [1, 2]
    assert log.version == 4


def test_a_new_correction_ends_what_could_be_redone() -> None:
    database = opened()
    log = put(database, 1)
    undo(database, "a", version=log.version)
    log = put(database, 2)
    assert objects(log) == [2]
    with pytest.raises(UsageError, match="nothing to redo"):
        redo(database, "a", version=log.version)


def test_a_change_made_for_an_older_version_is_refused() -> None:
    database = opened()
    log = put(database, 1)
    put(database, 2)
    with pytest.raises(ConflictError, match="at version 2, not 1"):
        append(database, "a", {}, Effect(), version=log.version)
    with pytest.raises(ConflictError):
        undo(database, "a", version=log.version)
    assert objects(read_log(database, "a")) == [1, 2]


def test_there_is_an_end_to_undoing() -> None:
    with pytest.raises(UsageError, match="nothing to undo"):
        undo(opened(), "a", version=0)


def test_documents_have_logs_of_their_own_and_can_be_forgotten() -> None:
    database = opened()
    put(database, 1)
    assert read_log(database, "b") == CorrectionLog()
    delete_log(database, "a")
    assert read_log(database, "a") == CorrectionLog()


@given(st.lists(st.one_of(st.integers(0, 9), st.sampled_from(["undo", "redo"])), max_size=30))
def test_any_sequence_of_changes_leaves_what_two_stacks_would(steps: list[int | str]) -> None:
    database = opened()
    done: list[int] = []
    undone: list[int] = []
    for step in steps:
        version = read_log(database, "a").version
        if isinstance(step, int):
            put(database, step)
            done, undone = [*done, step], []
        elif step == "undo" and done:
            undo(database, "a", version=version)
            undone.append(done.pop())
        elif step == "redo" and undone:
            redo(database, "a", version=version)
            done.append(undone.pop())
    assert objects(read_log(database, "a")) == done


def test_what_was_appended_survives_a_process_that_is_killed(tmp_path: Path) -> None:
    path = str(tmp_path / "log.sqlite")
    script = (
        "import os, signal, sys; sys.path.insert(0, sys.argv[2]);"
        "from tests.serve.test_correction_log import opened, put;"
        "database = opened(sys.argv[1]); put(database, 7); os.kill(os.getpid(), signal.SIGKILL)"
    )
    subprocess.run([sys.executable, "-c", script, path, str(Path(__file__).parents[3])], check=False)
    assert objects(read_log(opened(path), "a")) == [7]
