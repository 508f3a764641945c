"""The retrievers for LangChain and LlamaIndex, with the real libraries."""

import asyncio
import sys
from pathlib import Path

import pytest

from held.errors import InputError, UsageError
from tests.retrieval.harbours import HARBOUR

SAMPLE = Path(__file__).parents[2] / "samples" / "report-en.pdf"


@pytest.fixture
def langchain() -> type:
    pytest.importorskip("langchain_core", reason="needs held[langchain]")
    from held.langchain import HeldRetriever

    return HeldRetriever


@pytest.fixture
def llama() -> type:
    pytest.importorskip("llama_index.core", reason="needs held[llama-index]")
    from held.llama_index import HeldRetriever

    return HeldRetriever


def test_langchain_gets_documents_with_their_place(langchain: type, index_file: Path, folder: Path) -> None:
    (document,) = langchain(path=index_file, k=1).invoke("pilots")
    assert document.page_content == HARBOUR[2][1]
    assert document.metadata["path"] == ["1 Harbours", "1.2 Staff"]
    assert (document.metadata["page"], document.metadata["source"]) == (3, str(folder / "harbour.pdf"))
    assert document.metadata["score"] > 0
    assert document.id == f"{folder / 'harbour.pdf'}#102"


def test_langchain_may_ask_without_waiting(langchain: type, index_file: Path) -> None:
    retriever = langchain(path=index_file)
    questions = ["pilots", "track", "million"]
    assert asyncio.run(retriever.abatch(questions)) == retriever.batch(questions)


def test_a_langchain_retriever_is_a_link_of_a_chain(langchain: type, index_file: Path) -> None:
    chain = langchain(path=index_file, source="harbour") | (lambda found: [d.page_content for d in found])
    assert chain.invoke("million") == [HARBOUR[1][1]]


def test_langchain_reads_a_file_on_the_spot(langchain: type) -> None:
    found = langchain(path=SAMPLE, k=2).invoke("dividend per share")
    texts = [f"{document.metadata['path']} {document.page_content}".lower() for document in found]
    assert ["dividend" in text for text in texts] == [True, True]


def test_llama_index_gets_nodes_with_their_score(llama: type, index_file: Path) -> None:
    (found,) = llama(index_file, k=1).retrieve("pilots")
    assert found.text == HARBOUR[2][1]
    assert found.score == pytest.approx(found.metadata["score"], abs=1e-3)
    assert found.metadata["path"] == ["1 Harbours", "1.2 Staff"]


def test_a_language_model_is_shown_the_headings_and_not_the_score(llama: type, index_file: Path) -> None:
    from llama_index.core.schema import MetadataMode

    (found,) = llama(index_file, k=1).retrieve("pilots")
    shown = found.node.get_content(MetadataMode.LLM)
    assert "1.2 Staff" in shown
    assert "score" not in shown


def test_llama_index_may_ask_without_waiting(llama: type, index_file: Path) -> None:
    retriever = llama(index_file)
    assert asyncio.run(retriever.aretrieve("million")) == retriever.retrieve("million")


@pytest.mark.parametrize("library", ["langchain", "llama"])
def test_what_is_wrong_with_an_index_shows_at_once(
    library: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    retriever = request.getfixturevalue(library)
    with pytest.raises(InputError, match="nowhere"):
        retriever(path=tmp_path / "nowhere.index")


@pytest.mark.parametrize("library", ["langchain", "llama"])
def test_a_question_without_words_is_refused_there_too(
    library: str, index_file: Path, request: pytest.FixtureRequest
) -> None:
    retriever = request.getfixturevalue(library)(path=index_file)
    with pytest.raises(UsageError, match="no words"):
        (retriever.invoke if library == "langchain" else retriever.retrieve)("?")


@pytest.mark.parametrize(
    ("module", "library"), [("langchain", "langchain_core"), ("llama_index", "llama_index")]
)
def test_without_its_library_a_retriever_says_what_to_install(
    module: str, library: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [name for name in sys.modules if name.split(".")[0] == library]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, library, None)
    monkeypatch.delitem(sys.modules, f"held.{module}", raising=False)
    with pytest.raises(ModuleNotFoundError, match=r"pip install '.*\[") as missing:
        __import__(f"held.{module}")
    assert isinstance(missing.value, UsageError)
