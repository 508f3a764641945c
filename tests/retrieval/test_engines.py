"""One test suite for every engine: what the ranker relies on."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from importlib.util import find_spec
from pathlib import Path

import pytest

from held.errors import HeldError
from held.retrieval.engine import IndexWriter
from held.retrieval.index import Index, write_index
from tests.retrieval.harbours import CHINESE, HARBOUR, RAILWAY, content

NO_LANCE = pytest.mark.skipif(not find_spec("lancedb"), reason="`make test-ray` installs lancedb")
DOCUMENTS = {"/harbour.pdf": HARBOUR, "/railway.pdf": RAILWAY, "/gangkou.pdf": CHINESE}


@pytest.fixture(params=["sqlite", pytest.param("lance", marks=NO_LANCE)])
def name(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    path = tmp_path / "index"
    return str(path) if request.param == "sqlite" else f"lance:{path}"


def writing(name: str) -> AbstractContextManager[IndexWriter]:
    return write_index(name)


@pytest.fixture
def filled(name: str) -> str:
    with writing(name) as writer:
        for path, rows in DOCUMENTS.items():
            writer.put(path, content(rows), digest=path[1:3], maker="me", lost=[2] if rows is HARBOUR else [])
    return name


def found(name: str, question: str) -> list[tuple[str, str]]:
    with Index.open(name) as index:
        return [(hit.source, hit.text) for hit in index.search(question)]


def test_all_documents_are_known_with_what_was_said_of_them(filled: str) -> None:
    with Index.open(filled) as index:
        sources = {source.path: source for source in index.sources()}
    assert sources.keys() == DOCUMENTS.keys()
    assert (sources["/harbour.pdf"].digest, sources["/harbour.pdf"].maker) == ("ha", "me")
    assert (sources["/harbour.pdf"].pages, sources["/harbour.pdf"].passages) == (3, 3)
    assert [sources[path].lost for path in ("/harbour.pdf", "/railway.pdf")] == [(2,), ()]


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("How deep is the basin?", ("/harbour.pdf", HARBOUR[0][1])),
        ("When was the track laid?", ("/railway.pdf", RAILWAY[1][1])),
        ("水深", ("/gangkou.pdf", CHINESE[0][1])),
    ],
)
def test_a_question_is_answered(question: str, answer: tuple[str, str], filled: str) -> None:
    assert found(filled, question)[0] == answer


def test_words_that_no_document_has_find_nothing(filled: str) -> None:
    assert found(filled, "volcano") == []


def test_a_document_that_is_put_again_replaces_what_was_there(filled: str) -> None:
    with writing(filled) as writer:
        writer.put("/railway.pdf", content([((), "Now there are buses.", 1)]))
    assert found(filled, "track") == []
    assert found(filled, "buses") == [("/railway.pdf", "Now there are buses.")]
    with Index.open(filled) as index:
        assert len(index.sources()) == 3


def test_a_document_that_is_taken_out_is_gone(filled: str) -> None:
    with writing(filled) as writer:
        writer.remove("/railway.pdf")
    assert found(filled, "track") == []
    with Index.open(filled) as index:
        assert len(index.sources()) == 2


def test_who_searches_sees_what_is_added_meanwhile(filled: str) -> None:
    with Index.open(filled) as index:
        assert index.search("buses") == []
        with writing(filled) as writer:
            writer.put("/bus.pdf", content([((), "Now there are buses.", 1)]))
        assert index.search("buses")[0].source == "/bus.pdf"


def test_what_is_no_index_is_told(tmp_path: Path) -> None:
    with pytest.raises(HeldError):
        Index.open(tmp_path / "nothing")


@NO_LANCE
def test_vectors_of_the_users_find_what_no_word_does(tmp_path: Path) -> None:
    from held.retrieval.lance_engine import write_lance_index

    def embed(texts: Sequence[str]) -> list[list[float]]:
        return [[float("track" in text or "rails" in text), 0.1, float("basin" in text)] for text in texts]

    with write_lance_index(f"lance:{tmp_path / 'x'}", embed=embed) as writer:
        for path, rows in DOCUMENTS.items():
            writer.put(path, content(rows))
    with Index.open(f"lance:{tmp_path / 'x'}", embed=embed) as index:
        assert index.search("rails")[0].source == "/railway.pdf"


@NO_LANCE
def test_sections_of_a_document_that_was_not_finished_answer_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from held.retrieval import lance_engine

    name = f"lance:{tmp_path / 'x'}"
    with lance_engine.write_lance_index(name) as writer:
        writer.put("/harbour.pdf", content(HARBOUR))
        writer.put("/gangkou.pdf", content(CHINESE))
    killed = lance_engine.LanceWriter(name)
    killed.put("/railway.pdf", content(RAILWAY))
    with monkeypatch.context() as patched:
        patched.setattr(lance_engine, "_documents_table", _killed)
        with pytest.raises(KeyboardInterrupt):
            killed.flush()
    assert found(name, "track") == []
    with lance_engine.write_lance_index(name) as writer:
        writer.put("/railway.pdf", content(RAILWAY))
    assert len(found(name, "track")) == 1


def _killed(rows: object) -> None:
    raise KeyboardInterrupt
