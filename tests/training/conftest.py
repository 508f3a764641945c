from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from held.corpus.store import labelled_documents
from held.paper.training import to_onnx
from held.paper.training.embeddings import Embeddings, known_characters, write_embeddings
from tests.training.exports import remembered
from tests.training.small_corpus import write_small_corpus


@pytest.fixture(autouse=True, scope="session")
def _exports_remembered() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(to_onnx, "_export", remembered(to_onnx._export))
        yield


@pytest.fixture(scope="session")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_small_corpus(tmp_path_factory.mktemp("corpus"))


@pytest.fixture(scope="session")
def embeddings(corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    texts = [item.text for labelled in labelled_documents(corpus) for item in labelled.document.objects]
    code_points = known_characters(texts, most=50, rare=1)
    vectors = np.random.default_rng(0).normal(0, 0.3, (len(code_points) + 2, 4)).astype(np.float32)
    path = tmp_path_factory.mktemp("embeddings") / "characters.npz"
    write_embeddings(path, Embeddings(code_points, vectors))
    return path
