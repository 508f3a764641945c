import random
from pathlib import Path

import numpy as np
import pytest

from held.errors import FormatError, InputError
from held.paper.network_inputs import FIRST_CHARACTER
from held.paper.training.embeddings import Embeddings, learn_embeddings, read_embeddings, write_embeddings
from held.training.settings import EmbeddingSettings

SMALL = EmbeddingSettings(size=8, pairs=400_000, batch_size=1024)


def test_characters_in_like_places_get_like_vectors() -> None:
    rng = random.Random(0)
    texts = [".".join(rng.choices("123", k=4)) for _ in range(2000)]
    texts += ["-".join(rng.choices("xyz", k=4)) for _ in range(2000)]
    learned = learn_embeddings(texts, SMALL)
    unit = learned.vectors / np.linalg.norm(learned.vectors, axis=1, keepdims=True)
    one, two, x = (FIRST_CHARACTER + np.searchsorted(learned.code_points, ord(c)) for c in "12x")
    assert unit[one] @ unit[two] > unit[one] @ unit[x] + 0.5


def test_equal_seeds_learn_equal_vectors() -> None:
    quick = EmbeddingSettings(size=4, pairs=4096, batch_size=2048, rare=1)
    first, again = (learn_embeddings(["some text"], quick) for _ in range(2))
    assert np.array_equal(first.vectors, again.vectors)


def test_rare_characters_are_unknown() -> None:
    quick = EmbeddingSettings(size=4, pairs=1, rare=2)
    assert learn_embeddings(["aab"], quick).code_points.tolist() == [ord("a")]


def test_no_text_is_refused() -> None:
    with pytest.raises(InputError, match="no text to learn characters from"):
        learn_embeddings([], SMALL)


def test_embeddings_come_back_from_their_file(tmp_path: Path) -> None:
    known = Embeddings(np.array([65], dtype=np.int32), np.ones((3, 2), dtype=np.float32))
    write_embeddings(tmp_path / "e.npz", known)
    assert read_embeddings(tmp_path / "e.npz").vectors.tolist() == known.vectors.tolist()


@pytest.mark.parametrize("content", [b"", b"PK no zip", b"\x80\x04."])
def test_another_file_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "e.npz").write_bytes(content)
    with pytest.raises(FormatError, match="`held train embeddings` makes them"):
        read_embeddings(tmp_path / "e.npz")
