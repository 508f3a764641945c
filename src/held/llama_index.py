"""LlamaIndex: a retriever over an index or a single file.

    retriever = HeldRetriever("reports.index", k=8)
    nodes = retriever.retrieve("How much was paid in dividends?")

The metadata of a node has its source, page, heading path and score; language models see the first three.
"""

from __future__ import annotations

import asyncio
import os
from typing import Any

from held.system.optional_packages import missing_package

try:
    from llama_index.core.retrievers import BaseRetriever
    from llama_index.core.schema import NodeWithScore, QueryBundle, TextNode
except ModuleNotFoundError as error:
    raise missing_package(f"the LlamaIndex retriever needs {error.name}", "llama-index") from error

from held.retrieval.index import Index
from held.retrieval.search import Hit

_SHOWN_TO_MODELS = ("source", "page", "path")


class HeldRetriever(BaseRetriever):
    """Finds passages in an index of `held index`, or in a file, which is read once."""

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        k: int = 5,
        source: str | None = None,
        model: str = "base",
        password: str | None = None,
        **options: Any,
    ) -> None:
        super().__init__(**options)
        self._k = k
        self._source = source
        self._index = Index.open(path, model=model, password=password)

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        hits = self._index.search(query_bundle.query_str, self._k, source=self._source)
        return [NodeWithScore(node=_node(hit), score=hit.score) for hit in hits]

    async def _aretrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        # Ranking computes, so it would block the event loop; an index serves any number of threads.
        return await asyncio.to_thread(self._retrieve, query_bundle)


def _node(hit: Hit) -> TextNode:
    metadata = hit.metadata()
    # Boxes and scores would only cost the model tokens.
    hidden = [name for name in metadata if name not in _SHOWN_TO_MODELS]
    return TextNode(id_=hit.id, text=hit.text, metadata=metadata, excluded_llm_metadata_keys=hidden)
