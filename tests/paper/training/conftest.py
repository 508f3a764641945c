"""The small corpus and the remembered exports of tests/training, for the published networks."""

from tests.training.conftest import _exports_remembered, corpus, embeddings

__all__ = ["_exports_remembered", "corpus", "embeddings"]
