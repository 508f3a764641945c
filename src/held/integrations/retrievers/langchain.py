"""A LangChain retriever over an index, or over a single file.

    retriever = HeldRetriever(path="reports.index", k=8)
    documents = retriever.invoke("How much was paid in dividends?")

The metadata of a document has its source, page, heading path and score.
"""

from __future__ import annotations

import os
from typing import Any

try:
    from langchain_core.callbacks import CallbackManagerForRetrieverRun
    from langchain_core.documents import Document
    from langchain_core.retrievers import BaseRetriever
    from pydantic import PrivateAttr
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        "the LangChain retriever needs langchain-core: pip install 'held[langchain]'", name=error.name
    ) from error

from held.integrations.retrievers import identity, metadata
from held.retrieval.index import Index


class HeldRetriever(BaseRetriever):
    """Finds passages in an index that `held index` made, or in a file, which is read once."""

    path: str | os.PathLike[str]
    k: int = 5
    source: str | None = None
    """Search in this document, folder or pattern alone, as `held search --in`."""
    model: str = "base"
    """For a file: the model that finds its headings."""
    password: str | None = None

    _index: Index = PrivateAttr()

    def model_post_init(self, context: Any, /) -> None:
        """Opens the index, so that what is wrong with it shows at once."""
        self._index = Index.open(self.path, model=self.model, password=self.password)

    def _get_relevant_documents(
        self, query: str, *, run_manager: CallbackManagerForRetrieverRun
    ) -> list[Document]:
        hits = self._index.search(query, self.k, source=self.source)
        return [Document(id=identity(hit), page_content=hit.text, metadata=metadata(hit)) for hit in hits]
