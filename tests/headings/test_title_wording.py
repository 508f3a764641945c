"""What the wording of titles suggests: pieces of titles and the linear model over them."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from held.headings.text_features import PIECES, TitleWording, read_wording, title_pieces


def pieces_of(title: str) -> set[int]:
    return set(title_pieces([title]).hashes.tolist())


def wording(seed: int = 0) -> TitleWording:
    rng = np.random.default_rng(seed)
    return TitleWording(rng.random((PIECES, 2)).astype(np.float32), np.array([0.5, -0.5], np.float32))


def test_similar_titles_share_most_of_their_pieces() -> None:
    one, other = pieces_of("directorsreport"), pieces_of("thedirectorsreport")
    assert len(one & other) > len(one) / 2


def test_chinese_titles_have_pieces_of_two_characters() -> None:
    # Three pairs, the last character with the end, the beginning with its mark, and the whole title.
    assert title_pieces(["财务报表"]).counts.tolist() == [6]


def test_a_title_without_letters_has_no_pieces_and_gets_the_intercepts() -> None:
    assert title_pieces([""]).counts.tolist() == [0]
    assert wording().features([""]).tolist() == [[0.5, -0.5]]


@given(st.lists(st.text(max_size=100), max_size=6))
def test_a_title_reads_the_same_alone_and_among_others(titles: list[str]) -> None:
    model = wording()
    together = model.features(titles)
    alone = [model.features([title])[0] for title in titles]
    assert together.shape == (len(titles), 2)
    assert all(np.allclose(row, own, atol=1e-4) for row, own in zip(together, alone, strict=True))


def test_a_stored_model_reads_titles_as_before() -> None:
    model = wording()
    again = read_wording(model.arrays)
    titles = ["notestothefinancialstatements", "审计报告"]
    assert np.allclose(again.features(titles), model.features(titles), atol=1e-2)


def test_a_table_of_another_shape_is_refused() -> None:
    arrays: dict[str, NDArray[Any]] = {"weights": np.zeros((7, 2)), "intercepts": np.zeros(2)}
    with pytest.raises(ValueError, match="another shape"):
        read_wording(arrays)
