"""Retrievers for other libraries, each in a module of its own that needs the library."""

from __future__ import annotations

from typing import Any

from held.retrieval.search import Hit


def metadata(hit: Hit) -> dict[str, Any]:
    """All of a hit but its text."""
    whole = hit.to_json()
    return {name: whole[name] for name in whole if name not in ("text", "matches")}


def identity(hit: Hit) -> str:
    """A name of the passage that stays the same from question to question."""
    return f"{hit.source}#{hit.object}"
