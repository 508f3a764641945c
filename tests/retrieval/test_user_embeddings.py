"""Vectors of the user's beside words."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from held.errors import UsageError
from held.retrieval.document_index import entry_from_bytes, entry_to_bytes
from held.retrieval.embeddings import embed_texts
from held.retrieval.engine import SingleDocument
from held.retrieval.index import Index
from tests.retrieval.harbours import HARBOUR, entry_of_rows

SHIPS = ("vessel", "deep", "basin", "pilots")


def embed(texts: Sequence[str]) -> list[list[float]]:
    """Two dimensions: money, and ships."""
    money = [float("cost" in text.lower() or "money" in text.lower()) for text in texts]
    ships = [float(any(word in text.lower() for word in SHIPS)) for text in texts]
    return [list(pair) for pair in zip(money, ships, strict=True)]


def test_a_passage_is_found_by_its_meaning_alone() -> None:
    index = Index(SingleDocument("/harbour.pdf", entry_of_rows(HARBOUR)), embed=embed)
    assert index.search("money")[0].text == HARBOUR[1][1]
    assert Index(SingleDocument("/harbour.pdf", entry_of_rows(HARBOUR))).search("money") == []


def test_an_index_keeps_the_vectors_of_its_passages() -> None:
    entry = entry_of_rows(HARBOUR)
    vectors = embed_texts([passage.text for passage in entry.document.passages], embed)
    kept = entry_from_bytes(entry_to_bytes(type(entry)(entry.document, entry.pages, vectors=vectors))).vectors
    assert kept is not None
    np.testing.assert_array_equal(kept, vectors)


def test_documents_without_a_word_of_the_question_are_found_by_vectors_that_are_made_once(
    index_file: Path,
) -> None:
    calls: list[int] = []

    def counted(texts: Sequence[str]) -> list[list[float]]:
        calls.append(len(texts))
        return embed(texts)

    with Index.open(index_file, embed=counted) as index:
        assert index.search("money")[0].text == HARBOUR[1][1]
        texts_at_first = sum(calls)
        index.search("money")
        assert sum(calls) - texts_at_first < texts_at_first
    with Index.open(index_file) as index:
        assert index.search("money") == []


def test_a_function_that_gives_too_few_vectors_is_told() -> None:
    with pytest.raises(UsageError, match="1 x 2 for 2 texts"):
        embed_texts(["a", "b"], lambda texts: [[1.0, 0.0]])
