"""Tables of Markdown, as the pages of results have them."""

from __future__ import annotations

from collections.abc import Iterable


def line(cells: Iterable[object]) -> str:
    """A row of a table."""
    return f"| {' | '.join(map(str, cells))} |"


def head(cells: Iterable[object]) -> str:
    """The first two rows of a table: its columns' names, and the rule below them."""
    names = list(cells)
    return f"{line(names)}\n{line('---' for _ in names)}"


def figure(value: float | None, digits: int = 4) -> str:
    """A number as tables show it; large ones without digits."""
    return "-" if value is None else f"{value:.{digits}f}" if value < 10 else f"{value:.0f}"
