"""What words mean: vectors that ship, of texts and of questions."""

from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest

from held.document import Kind
from held.retrieval.bm25 import build_inverted_index
from held.retrieval.document_index import IndexEntry, entry_from_bytes, entry_to_bytes, index_passages
from held.retrieval.embeddings import (
    WordVectors,
    query_vector,
    read_word_vectors,
    shipped_word_vectors,
    text_vectors,
    write_word_vectors,
)
from held.retrieval.passages import Passage
from held.retrieval.query import parse_question
from held.retrieval.ranker import MEANINGS, vector_similarity

MOST_BYTES = 2_000_000

SMALL = WordVectors.from_floats(
    ["plane", "aircraft", "tax"], np.array([[1, 0.1], [1, 0], [0, 2]], np.float32)
)


def nearness(one: str, other: str) -> float:
    first, second = (query_vector([word], shipped_word_vectors()) for word in (one, other))
    return float(first @ second)


def document_of(*texts: str, path: tuple[str, ...] = ()) -> list[Passage]:
    above = tuple(range(len(path)))
    return [
        Passage(text, Kind.PARAGRAPH, page, path, object=page, ancestors=above)
        for page, text in enumerate(texts, 1)
    ]


def test_words_of_one_meaning_are_nearer_than_others() -> None:
    assert nearness("lawsuit", "litigation") > nearness("lawsuit", "install")
    assert nearness("诉讼", "仲裁") > nearness("诉讼", "研发")


def test_the_file_that_ships_is_small() -> None:
    assert len(files("held.retrieval").joinpath("data", "word_vectors.npz").read_bytes()) < MOST_BYTES


def test_vectors_come_back_from_their_file(tmp_path: Path) -> None:
    write_word_vectors(SMALL, tmp_path / "small.npz")
    found = read_word_vectors(tmp_path / "small.npz")
    assert found.words == SMALL.words
    assert np.array_equal(found.lookup(["tax"]), SMALL.lookup(["tax"]))


def test_bytes_keep_a_vector_to_a_hundredth() -> None:
    assert SMALL.lookup(["plane"]) == pytest.approx(np.array([[1, 0.1]]), abs=0.01)


def test_a_text_is_the_sum_of_its_different_words() -> None:
    (found,) = text_vectors(build_inverted_index([["aircraft", "tax", "tax", "unknown"]]), SMALL)
    assert found == pytest.approx(np.array([1, 2]), abs=0.01)


def test_a_question_without_a_known_word_means_nothing() -> None:
    assert not query_vector(["xyzzy"], SMALL).any()


def test_a_passage_is_near_to_a_question_of_other_words() -> None:
    passages = document_of("Litigation is pending before the court.", "Install the package with the command.")
    found = vector_similarity(parse_question("Any lawsuits?"), index_passages(passages))
    own = found[:, MEANINGS.index("passage meant")]
    assert own[0] > own[1]


def test_headings_that_mean_what_is_asked_count_for_all_below_them() -> None:
    passages = document_of("See overleaf.", path=("Legal proceedings",))
    found = vector_similarity(parse_question("Any lawsuits?"), index_passages(passages))
    assert found[0, MEANINGS.index("path meant")] > 0.2


def test_a_stored_document_means_the_same() -> None:
    document = index_passages(document_of("Litigation is pending.", "Install the package."))
    again = entry_from_bytes(entry_to_bytes(IndexEntry(document, 2))).document
    question = parse_question("Any lawsuits?")
    assert np.array_equal(vector_similarity(question, document), vector_similarity(question, again))
