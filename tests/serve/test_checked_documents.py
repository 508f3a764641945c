"""What a model is trained on: exactly the trees that somebody has seen and marked as right."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from held.corpus.store import labelled_path
from held.errors import ConflictError
from held.hierarchy.corrections import Correction
from held.serve.edit_sessions import EditSessions
from held.serve.store import Job, JobStore
from tests.serve.test_deleted_documents import add_document

RENAME = Correction("rename", 0, text="Ships")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[JobStore]:
    with closing(JobStore(tmp_path)) as opened:
        yield opened


@pytest.fixture
def checked(store: JobStore) -> Job:
    """A document whose tree was marked as right."""
    return store.set_checked(add_document(store).id, b"tree", version=0)


def label(store: JobStore, job: Job) -> Path:
    return labelled_path(store.labelled_folder, job.id)


def test_a_checked_tree_is_kept(store: JobStore, checked: Job) -> None:
    assert (checked.checked, label(store, checked).read_bytes()) == (1, b"tree")


def test_a_correction_takes_the_mark_away_in_one_step(store: JobStore, checked: Job) -> None:
    sessions = EditSessions(store, model=lambda _: "base")
    sessions.correct(checked.id, RENAME, version=0)  # a kill may come right after it
    assert not store.job(checked.id).checked


def test_a_server_that_was_killed_after_a_correction_forgets_the_tree_before_it(
    tmp_path: Path, store: JobStore, checked: Job
) -> None:
    EditSessions(store, model=lambda _: "base").correct(checked.id, RENAME, version=0)
    store.close()
    with closing(JobStore(tmp_path)) as again:
        assert not label(again, checked).exists()


def test_a_checked_tree_stays_over_a_restart(tmp_path: Path, store: JobStore, checked: Job) -> None:
    store.close()
    with closing(JobStore(tmp_path)) as again:
        assert label(again, checked).exists()


def test_a_tree_that_another_session_has_corrected_is_not_marked(store: JobStore) -> None:
    job = add_document(store)
    EditSessions(store, model=lambda _: "base").correct(job.id, RENAME, version=0)
    with pytest.raises(ConflictError):
        store.set_checked(job.id, b"tree", version=0)
    assert not label(store, job).exists()


def test_a_mark_that_came_after_the_correction_stays(store: JobStore) -> None:
    job = add_document(store)
    EditSessions(store, model=lambda _: "base").correct(job.id, RENAME, version=0)
    store.set_checked(job.id, b"corrected tree", version=1)
    store.remove_stale_label(job.id)  # by the request that has corrected it
    assert label(store, job).read_bytes() == b"corrected tree"


def test_with_a_document_its_labelled_tree_is_deleted(store: JobStore, checked: Job) -> None:
    store.remove(checked.id)
    assert not label(store, checked).exists()
