"""Which script a character is of: Chinese is set without spaces, and its characters are an em wide."""

from __future__ import annotations


def is_cjk(character: str) -> bool:
    """Whether a character is Chinese, Japanese or Korean, full-width punctuation included."""
    return character >= "\u2e80" and (
        character <= "\u9fff"
        or "\uac00" <= character <= "\ud7af"
        or "\uf900" <= character <= "\ufaff"
        or "\uff00" <= character <= "\uffef"
        or character >= "\U00020000"
    )
