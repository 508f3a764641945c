"""Ideas for retrieval that did not ship: words near to a question's, and words that stand below headings."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from research.retrieval.further import Associates, general_likeness, general_vectors, neighbours

from held.document import Kind
from held.retrieval.features import Searchable, searchable
from held.retrieval.meaning import Meanings
from held.retrieval.passages import Passage
from held.retrieval.query import understood


def document(*texts: str) -> Searchable:
    return searchable([Passage(text, Kind.PARAGRAPH, page) for page, text in enumerate(texts, 1)])


PLANES = Meanings.of(["plane", "aircraft", "tree"], np.array([[1, 0], [1, 0.1], [0, 1]], np.float32))


def test_a_neighbour_of_a_word_is_found_in_its_place() -> None:
    scores = neighbours(understood("planes"), document("Aircraft were bought.", "Trees grew."), PLANES)
    assert scores[0] > scores[1] == 0


def test_an_associate_counts_where_the_word_itself_is_missing() -> None:
    associates = Associates(10, {"employee": {"workforce": 0.4}})
    scores = associates.scores(understood("employees"), document("Our workforce grew.", "Sales grew."))
    assert scores[0] > scores[1] == 0


def test_general_vectors_lose_what_all_have_in_common(tmp_path: Path) -> None:
    path = tmp_path / "vectors.txt"
    path.write_text("plane 9 1 0 0\naircraft 9 1 0.1 0\ntree 9 0 1 0\nfish 9 0 0 1\nbird 9 1 1 1\n")
    general = general_vectors(path)
    assert general.words == ("plane", "aircraft", "tree", "fish", "bird")
    assert abs(float(general.of_words(general.words).mean())) < 0.2


def test_general_vectors_compare_passages_headings_sections_and_pages() -> None:
    texts = document("Aircraft were bought.", "Trees grew.")
    passage, path, section, page = general_likeness(understood("planes"), texts, PLANES)
    assert passage[0] > passage[1]
    assert page[0] > page[1]
    assert path.tolist() == [0, 0]
    assert section[0] == section[1]
