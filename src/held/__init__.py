"""Reads long PDFs and gives back their logical hierarchy.

    document = held.extract("report.pdf")

What is exported here is loaded when it is first asked for, so that `import held` costs nothing.
"""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:  # every child process imports this, and `typing` itself takes time to import
    from typing import Any

    from held.api import Section, StructuredDocument, extract, load
    from held.document import Document
    from held.errors import HeldError
    from held.exports.chunking import Chunk, chunks, estimated_tokens
    from held.exports.tables import Table
    from held.integrations import fix_levels, from_docling, from_unstructured
    from held.retrieval.index import search

__version__ = "0.1.0"

__all__ = [
    "Chunk",
    "Document",
    "HeldError",
    "Section",
    "StructuredDocument",
    "Table",
    "__version__",
    "chunks",
    "estimated_tokens",
    "extract",
    "fix_levels",
    "from_docling",
    "from_unstructured",
    "load",
    "search",
]

_HOMES = {
    "integrations": ("fix_levels", "from_docling", "from_unstructured"),
    "api": ("Section", "StructuredDocument", "extract", "load"),
    "exports.chunking": ("Chunk", "chunks", "estimated_tokens"),
    "document": ("Document",),
    "errors": ("HeldError",),
    "exports.tables": ("Table",),
    "retrieval.index": ("search",),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"module 'held' has no attribute {name!r}")
    value = getattr(import_module(f"held.{_HOME_OF[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
