"""Documents that somebody deletes while others work with them."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from held.exports.tree_json import tree_to_json
from held.hierarchy.pipeline import build_tree
from held.serve.app import create_app
from held.serve.edit_sessions import EditSessions
from held.serve.settings import Settings
from held.serve.state import AppState, DocumentSearch
from held.serve.store import DocumentGoneError, Job, JobStore, Status
from held.system.bounded_json import write_json
from tests.hierarchy.made_report import report

TREE = tree_to_json(build_tree(report()))


def add_document(store: JobStore) -> Job:
    job = store.add("a.pdf", {})
    write_json(store.tree_path(job.id), TREE)
    return store.settle(job.id, Status.DONE)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[JobStore]:
    with closing(JobStore(tmp_path)) as opened:
        yield opened


def test_a_search_goes_on_without_a_document_that_is_gone(store: JobStore) -> None:
    jobs = [add_document(store) for _ in range(2)]
    search = DocumentSearch(EditSessions(store, model=lambda _: "base"))
    store.remove(jobs[0].id)
    assert {hit["document"] for hit in search.hits("pilots work in shifts", jobs, 5)} == {jobs[1].id}


@pytest.mark.parametrize("what", ["row", "files"])
def test_a_document_of_which_half_is_deleted_is_gone(store: JobStore, what: str) -> None:
    job = add_document(store)
    if what == "files":
        store.remove_files(job.id)
    else:
        with store.database() as database:
            database.execute("DELETE FROM jobs")
    sessions = EditSessions(store, model=lambda id: store.job(id).name)
    with pytest.raises(DocumentGoneError):
        sessions.document(job.id)


def test_a_document_that_goes_during_a_request_is_404(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    state = AppState(Settings(tmp_path, token=None))
    job = add_document(state.store)

    def delete_meanwhile(id: str) -> None:
        raise DocumentGoneError(id)

    monkeypatch.setattr(state.sessions, "document", delete_meanwhile)
    with TestClient(create_app(state), base_url="http://127.0.0.1") as client:
        answer = client.get(f"/v1/documents/{job.id}")
    assert answer.status_code == 404
