"""A LangChain document loader: a file's chunks, each with its heading path, for whatever store one has.

documents = HeldLoader("report.pdf").load()
"""

from __future__ import annotations

import os
from collections.abc import Iterator

try:
    from langchain_core.document_loaders import BaseLoader
    from langchain_core.documents import Document
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        "the LangChain loader needs langchain-core: pip install 'held[langchain]'", name=error.name
    ) from error

from held.api import extract
from held.exports.chunking import MAX_TOKENS


class HeldLoader(BaseLoader):
    """Loads a PDF, or any file that `held extract` takes, as chunks that cross no section."""

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
        """The chunks in reading order; metadata has the source, the pages and the heading path."""
        document = extract(self.path, model=self.model, password=self.password)
        for chunk in document.chunks(self.max_tokens):
            metadata = {"source": os.fspath(self.path), "path": list(chunk.path), "pages": list(chunk.pages)}
            yield Document(page_content=chunk.text, metadata=metadata)
