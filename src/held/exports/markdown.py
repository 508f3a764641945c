"""The document as Markdown (CommonMark and pipe tables), with nothing left out but furniture.

Markdown knows six levels; a deeper heading is set in bold, with its level kept in front by as many marks
as it has ancestors beyond the sixth. Where a least confidence was asked for, a doubtful heading is followed
by a comment that says so: the line itself has only the title, for programs that split at headings.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping, Sequence
from itertools import groupby

from held.document import Kind, PhysicalObject
from held.exports.markdown_lists import markdown_list
from held.exports.markdown_text import between_brackets, block, inline, marked, one_line, title
from held.exports.spans import shifted
from held.exports.symbols import readable
from held.exports.tables.markdown import markdown_table
from held.hierarchy.hierarchy import Hierarchy
from held.layout.tables.logical_grid import grid_of

DEEPEST = 6
TOGETHER = frozenset({Kind.LIST_ITEM, Kind.CONTENTS_ENTRY, Kind.FORMULA})  # neighbours make one block
LINKING = frozenset({Kind.PARAGRAPH, Kind.HEADING, Kind.LIST_ITEM, Kind.FOOTNOTE})  # written with their links
PAGE_LABEL = re.compile(r"[\w.-]{1,12}")  # what may stand in a comment; no label that ends it
NOTE_NAME = re.compile(r"\w[\w-]*")
# What a footnote begins with: its name. The first word may stand right behind a number ("2The ...").
NOTE_MARK = re.compile(r"[\[(]?(?:\d{1,3}|[a-z](?=[\s).])|[*†‡§¶]{1,3}|[①-⑳])[\])]?[.:、]?\s*")


def to_markdown(
    hierarchy: Hierarchy, images: Mapping[int, str] | None = None, *, page_markers: bool = False
) -> str:
    """The whole document as Markdown, a blank line between objects; `images` has links to figures.

    With `page_markers`, a comment stands where a page begins: its number, and its label if one is printed.
    """
    blocks = _blocks(hierarchy, images or {}, page_markers)
    return readable("".join(f"{written}\n\n" for written in blocks if written)[:-1])


def _blocks(hierarchy: Hierarchy, images: Mapping[int, str], page_markers: bool) -> Iterator[str]:
    levels = hierarchy.tree.levels()
    doubts = _doubts(hierarchy)
    notes = _linked_notes(hierarchy)
    reached = 0

    def family(indexed: tuple[int, PhysicalObject]) -> tuple[Kind | None, int]:
        index, item = indexed
        together = item.kind in TOGETHER and index not in hierarchy.headings
        return item.kind if together else None, item.page if page_markers else reached

    for (kind, page), group in groupby(enumerate(hierarchy.document.objects), key=family):
        if page != reached:
            yield from _page_markers(hierarchy, reached, page)
            reached = page
        if kind is Kind.FORMULA:
            yield _literal([one_line(item.text) for _, item in group])
        elif kind is not None:
            yield markdown_list([item for _, item in group], notes)
        else:
            for index, item in group:
                if index in hierarchy.headings:
                    yield _heading(item.text, levels[index]) + doubts.get(index, "")
                else:
                    yield _body(item, hierarchy.page_name(item.page), images.get(index), notes)


def _doubts(hierarchy: Hierarchy) -> dict[int, str]:
    """What follows the doubtful headings, where a least confidence was asked for: a comment."""
    if hierarchy.min_confidence is None:
        return {}
    return {
        heading: f"\n<!-- doubtful: {hierarchy.certainty(heading):.2f} -->" for heading in hierarchy.doubtful
    }


def _linked_notes(hierarchy: Hierarchy) -> frozenset[str]:
    """The names of the footnotes that a link leads to.

    Renderers leave out a note without one, so what only a heading or a caption refers to, where no link is
    written, stays text of its own.
    """
    objects = hierarchy.document.objects
    referring = [
        item for index, item in enumerate(objects) if item.kind in LINKING and index not in hierarchy.headings
    ]
    referred = {span.note for item in referring for span in item.spans}
    return frozenset(
        item.note for item in objects if item.note in referred and NOTE_NAME.fullmatch(item.note)
    )


def _page_markers(hierarchy: Hierarchy, before: int, page: int) -> Iterator[str]:
    """The marker of a page, after those of the pages on which nothing begins."""
    first_unmarked = max(before + 1, hierarchy.document.first_page)
    for number in (*range(first_unmarked, page), page):
        name = hierarchy.page_name(number)
        printed = f", printed {name}" if name != str(number) and PAGE_LABEL.fullmatch(name) else ""
        yield f"<!-- page {number}{printed} -->"


def _heading(text: str, level: int) -> str:
    if level > DEEPEST:
        return f"{'›' * (level - DEEPEST)} **{inline(text)}**"
    return f"{'#' * level} {title(text)}"


def _body(item: PhysicalObject, page: str, image: str | None, notes: Container[str]) -> str:
    match item.kind:
        case Kind.TABLE if (grid := grid_of(item)).cells:
            return markdown_table(grid)
        case Kind.TABLE | Kind.FIGURE:
            return _figure(f"{item.kind} on page {page}", item.text, image)
        case Kind.CAPTION if one_line(item.text):
            return f"*{inline(item.text)}*"
        case Kind.FOOTNOTE if item.note in notes:
            start = _mark_end(item)
            return f"[^{item.note}]: {marked(item.text[start:], shifted(item.spans, start), notes)}"
        case Kind.FOOTNOTE:
            return f"> {block(item.text, item.spans, notes)}"
        case Kind.CODE:
            return _literal([line.rstrip() for line in item.text.split("\n")])
        case _:
            return block(item.text, item.spans, notes)


def _mark_end(footnote: PhysicalObject) -> int:
    """Where a footnote's text begins, behind the mark that its name says again."""
    mark = NOTE_MARK.match(footnote.text)
    return mark.end() if mark and mark.end() < len(footnote.text) else 0


def _figure(name: str, text: str, image: str | None) -> str:
    """The image, or what stands in its place; both with the text that is seen in it."""
    seen = inline(f"{name}: {text}" if text else name)
    if image is None:
        return f"*[{seen}]*"
    return f"![{between_brackets(seen)}]({image})"


def _literal(lines: Sequence[str]) -> str:
    """Lines that are shown as they are: code, and formulas, which come in pieces."""
    longest = max((len(run) for line in lines for run in re.findall("`+", line)), default=0)
    fence = "`" * max(3, longest + 1)
    return "\n".join([fence, *lines, fence])
