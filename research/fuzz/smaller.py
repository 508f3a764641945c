"""A finding cut down: pieces are taken out as long as the same thing still goes wrong."""

from __future__ import annotations

from collections.abc import Callable

MOST_TRIES = 400


def smaller(content: bytes, fails: Callable[[bytes], bool]) -> bytes:
    """The content without the pieces that its failing does not need (as in delta debugging)."""
    size = len(content) // 2
    tries = 0
    while size >= 1 and tries < MOST_TRIES:
        start = 0
        while start < len(content) and tries < MOST_TRIES:
            without = content[:start] + content[start + size :]
            tries += 1
            if without and fails(without):
                content = without
            else:
                start += size
        size //= 2
    return content
