"""The headings alone, one a line: level, page and title between tabs, made for scripts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from held.hierarchy.hierarchy import Hierarchy
from held.system.console import printable_line


class Heading(NamedTuple):
    """A heading: the index of its object, its level and page from 1, and its title on one line."""

    place: int
    level: int
    page: int
    title: str


def headings_of(hierarchy: Hierarchy) -> Iterator[Heading]:
    """The headings in reading order."""
    levels = hierarchy.tree.levels()
    for index in sorted(hierarchy.headings):
        item = hierarchy.document.objects[index]
        yield Heading(index, levels[index], item.page, printable_line(" ".join(item.text.split())))


def to_outline(hierarchy: Hierarchy) -> str:
    """One line for each heading: `level page title`, separated by tabs.

    Where a least confidence was asked for, doubtful headings have a fourth column, `?`.
    """
    marked = hierarchy.doubtful if hierarchy.min_confidence is not None else frozenset()
    return "".join(
        f"{level}\t{page}\t{title}" + ("\t?\n" if place in marked else "\n")
        for place, level, page, title in headings_of(hierarchy)
    )


def to_tree_text(hierarchy: Hierarchy) -> str:
    """The headings as a person reads them: indented by level, with their page, doubtful ones marked."""
    doubtful = hierarchy.doubtful
    lines = []
    for place, level, page, title in headings_of(hierarchy):
        name = printable_line(hierarchy.page_name(page))
        lines.append(f"{'  ' * (level - 1)}{title}  ({name}){' ?' if place in doubtful else ''}\n")
    return "".join(lines)
