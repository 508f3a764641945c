"""What the server does with the answers of its worker processes, and with those that never come."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from held.exports.tree_json import tree_to_json
from held.hierarchy.pipeline import build_tree
from held.serve import downloads, worker_client
from held.serve.bounded_work import WorkSlots
from held.serve.edit_sessions import EditSessions
from held.serve.settings import ServerLimits
from held.serve.store import JobStore, Status
from held.serve.worker_client import WorkerError, extract_tree, render_page
from held.system.bounded_json import write_json
from held.system.worker_pool import Answer
from held.system.worker_process import WorkerDied, WorkerLost, WorkerTimeout
from tests.hierarchy.made_report import report

Answers = Callable[..., None]


@pytest.fixture
def answers(monkeypatch: pytest.MonkeyPatch) -> Answers:
    """Sets what workers answer, one after another."""

    def set_answers(*outcomes: Answer | WorkerLost) -> None:
        waiting = list(outcomes)

        def run_request(*_: Any, **__: Any) -> Answer | WorkerLost:
            return waiting.pop(0)

        monkeypatch.setattr(worker_client, "run_request", run_request)

    return set_answers


def draw(number: int = 1) -> bytes:
    return render_page(Path("a.pdf"), number, scale=1.0, password=None, limits=ServerLimits())


def test_a_page_whose_worker_was_killed_is_drawn_once_more(answers: Answers) -> None:
    answers(WorkerDied("was killed"), Answer({}, (b"PNG",)))
    assert draw() == b"PNG"


def test_a_page_that_kills_its_worker_again_is_an_error(answers: Answers) -> None:
    answers(WorkerDied("was killed"), WorkerDied("was killed"))
    with pytest.raises(WorkerError, match="was killed"):
        draw()


def test_a_page_that_took_too_long_is_not_tried_again(answers: Answers) -> None:
    answers(WorkerTimeout(1.0))
    with pytest.raises(WorkerError, match="took longer"):
        draw()


def test_an_extraction_is_repeated_by_the_queue_alone(answers: Answers) -> None:
    answers(WorkerDied("was killed"))
    with pytest.raises(WorkerError) as caught:
        extract_tree(Path("a.pdf"), {}, ServerLimits(), lambda *_: None, model="base")
    assert caught.value.killed


def test_only_a_format_that_needs_the_pdf_is_made_in_a_worker(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = JobStore(tmp_path)
    job = store.add("a.pdf", {})
    write_json(store.tree_path(job.id), tree_to_json(build_tree(report())))
    job = store.settle(job.id, Status.DONE)
    made: list[str] = []

    def export(name: str, *_: Any, **__: Any) -> bytes:
        made.append(name)
        return b"%PDF"

    monkeypatch.setattr(downloads, "export_with_pdf", export)
    sessions = EditSessions(store, model=lambda _: "base")
    files = downloads.Downloads(store, sessions, ServerLimits(), WorkSlots(running=1, waiting=0))
    contents = {name: files.download(job, name).content[:2] for name in ("pdf", "docx", "outline")}
    store.close()
    assert made == ["pdf"]
    assert contents == {"pdf": b"%P", "docx": b"PK", "outline": b"1\t"}
