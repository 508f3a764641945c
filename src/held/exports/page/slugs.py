"""The names that sections get in links: readable in any script, each only once, stable for the same input."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable

_LONGEST = 60
_BETWEEN_WORDS = re.compile(r"[\W_]+")


def slugs(titles: Iterable[str], taken: Collection[str] = ()) -> list[str]:
    """A name for each title, none of them `taken`; where a title comes again, a number is added."""
    used = set(taken)
    counts: dict[str, int] = {}
    names: list[str] = []
    for title in titles:
        plain = slug(title) or "section"
        name = plain
        while name in used:
            counts[plain] = counts.get(plain, 1) + 1
            name = f"{plain}-{counts[plain]}"
        used.add(name)
        names.append(name)
    return names


def slug(title: str) -> str:
    """The title's words in small letters with hyphens between them; empty where it has no letter or digit."""
    words = _BETWEEN_WORDS.sub("-", unicodedata.normalize("NFKC", title).lower()).strip("-")
    if len(words) <= _LONGEST:
        return words
    cut = words[: _LONGEST + 1]
    return cut[: max(cut.rfind("-"), _LONGEST // 2)].rstrip("-")
