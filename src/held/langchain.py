"""LangChain: a retriever over an index or a single file, and a loader of a file's chunks.

    retriever = HeldRetriever(path="reports.index", k=8)
    documents = retriever.invoke("How much was paid in dividends?")

    documents = HeldLoader("report.pdf").load()

The metadata of a document has its source, pages and heading path; the retriever adds the score.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

from held.system.optional_packages import missing_package

try:
    from langchain_core.callbacks import CallbackManagerForRetrieverRun
    from langchain_core.document_loaders import BaseLoader
    from langchain_core.documents import Document
    from langchain_core.retrievers import BaseRetriever
    from pydantic import PrivateAttr
except ModuleNotFoundError as error:
    raise missing_package(f"the LangChain retriever needs {error.name}", "langchain") from error

from held.api import extract
from held.exports.chunking import MAX_TOKENS
from held.retrieval.index import Index


class HeldRetriever(BaseRetriever):
    """Finds passages in an index of `held index`, or in a file, which is read once."""

    path: str | os.PathLike[str]
    k: int = 5
    source: str | None = None
    """Search only in this document, folder or pattern, as `held search --in`."""
    model: str = "base"
    """For a file: the model that finds its headings."""
    password: str | None = None

    _index: Index = PrivateAttr()

    def model_post_init(self, context: Any, /) -> None:
        """Open the index, so that errors show at once."""
        self._index = Index.open(self.path, model=self.model, password=self.password)

    def _get_relevant_documents(
        self, query: str, *, run_manager: CallbackManagerForRetrieverRun
    ) -> list[Document]:
        hits = self._index.search(query, self.k, source=self.source)
        return [Document(id=hit.id, page_content=hit.text, metadata=hit.metadata()) for hit in hits]


class HeldLoader(BaseLoader):
    """Loads a PDF, or any file that `held extract` reads, as chunks that cross no section."""

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        max_tokens: int = MAX_TOKENS,
        model: str = "base",
        password: str | None = None,
    ) -> None:
        self.path = path
        self.max_tokens = max_tokens
        self.model = model
        self.password = password

    def lazy_load(self) -> Iterator[Document]:
        """The chunks in reading order."""
        document = extract(self.path, model=self.model, password=self.password)
        for chunk in document.chunks(self.max_tokens):
            metadata = {"source": os.fspath(self.path), "path": list(chunk.path), "pages": list(chunk.pages)}
            yield Document(page_content=chunk.text, metadata=metadata)
