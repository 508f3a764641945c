"""A question to a worker in the sandbox: its answer, its error, or what became of it."""

from collections.abc import Callable
from pathlib import Path

import pytest

from held.errors import DamagedPdfError, EncryptedPdfError, HeldError
from held.system import worker_process
from held.system.worker_main import InvalidMessage
from held.system.worker_pool import Answer, call_in_sandbox, error_from_json, error_to_json
from held.system.worker_process import close_idle_workers

Served = Callable[[str], str]
WORK = """
from held.errors import EncryptedPdfError
from held.system.worker_pool import Answer, serve_in_sandbox
def answer(request):
    if request == "locked": raise EncryptedPdfError("is locked", file="/there/a.pdf", advice="a key")
    if request == "crash": os.abort()
    while request == "hang": pass
    if request == "write": open("here", "w")
    return Answer([request], (b"x",))
serve_in_sandbox(connection, answer)
"""


def asked(serve: str, request: str) -> Answer:
    try:
        return call_in_sandbox(serve, request, seconds=1.0, action="reading it", file="a.pdf")
    finally:
        close_idle_workers()


def test_it_answers(served: Served) -> None:
    assert asked(served(WORK), "hello") == Answer(["hello"], (b"x",))


def test_its_error_is_raised_here_and_names_the_file_as_people_do(served: Served) -> None:
    with pytest.raises(EncryptedPdfError, match=r"^a\.pdf: is locked \(a key\)$"):
        asked(served(WORK), "locked")


@pytest.mark.parametrize(
    ("request_", "reason"),
    [
        ("crash", "reading it crashes the PDF library"),
        ("hang", "reading it took longer than 1 s, the limit"),
        ("write", "reading it crashes the PDF library"),
    ],
)
def test_what_becomes_of_it_is_told(served: Served, request_: str, reason: str, tmp_path: Path) -> None:
    with pytest.raises(DamagedPdfError, match=reason):
        asked(served(WORK), request_)


def test_a_crash_beside_a_large_parent_is_not_called_want_of_memory(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A worker is told to have had what its parent had at its height: nobody knows then what ended it.
    monkeypatch.setattr(worker_process, "peak_memory", lambda usage=None: 1 if usage else 1 << 62)
    monkeypatch.setattr(worker_process, "NEAR_MEMORY_LIMIT", 0.0)
    with pytest.raises(DamagedPdfError, match="crashes the PDF library, or needs more than"):
        asked(served(WORK), "crash")


def test_an_error_survives_the_way() -> None:
    error = DamagedPdfError("is torn", file="a.pdf", page=3, advice="mend it")
    again = error_from_json(error_to_json(error))
    assert (type(again), str(again)) == (DamagedPdfError, str(error))


@pytest.mark.parametrize(
    "said", [None, {}, {"error": "SystemExit"}, error_to_json(HeldError("x")) | {"page": "1"}]
)
def test_what_is_no_error_of_ours_is_not_raised(said: object) -> None:
    with pytest.raises(InvalidMessage):
        error_from_json(said)
