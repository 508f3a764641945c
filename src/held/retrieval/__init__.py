"""Search: the passages of documents that answer a question.

    with Index.open("reports.index") as index:
        hits = index.search("How many people work there?")

    tokens, passages ──▶ document_index (bm25, embeddings, page_types)     once for each document
    question ── query (definitions) ── ranker ──▶ search ──▶ Hit
    engine: sqlite_engine, lance_engine                                    many documents in an index

The names load on first use.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from held.retrieval.index import Index
    from held.retrieval.search import Hit

__all__ = ["Hit", "Index"]

_MODULES = {"Hit": "held.retrieval.search", "Index": "held.retrieval.index"}


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_MODULES[name]), name)
