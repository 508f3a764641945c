"""Passages of a document, found by a question: the tree at work.

`Index.open(path).search(question)` is the whole of it. The names load when they are asked for.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from held.retrieval.index import Index
    from held.retrieval.search import Hit

__all__ = ["Hit", "Index"]

_HOMES = {"Hit": "held.retrieval.search", "Index": "held.retrieval.index"}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
