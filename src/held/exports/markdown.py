"""The document as Markdown (CommonMark and pipe tables), with nothing left out but furniture.

Markdown knows six levels; a deeper heading is set in bold, with its level kept in front by as many marks
as it has ancestors beyond the sixth. A doubtful heading is followed by a comment that says so: the line
itself has only the title, for programs that split at headings.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from itertools import groupby, zip_longest

from held.document import Kind, PhysicalObject
from held.exports.markdown_lists import markdown_list
from held.exports.markdown_text import block, cell, inline, marked, one_line, title
from held.exports.page.blocks import head_rows, is_figure
from held.exports.spans import shifted
from held.pipeline import Hierarchy

DEEPEST = 6
TOGETHER = frozenset({Kind.LIST_ITEM, Kind.CONTENTS_ENTRY, Kind.FORMULA})  # neighbours make one block
NOTE_NAME = re.compile(r"\w[\w-]*")
NOTE_MARK = re.compile(r"[\[(]?\w{0,4}[*†‡§¶]*[\])]?[.:、]?\s*")  # what a footnote begins with: its name


def markdown(hierarchy: Hierarchy, images: Mapping[int, str] | None = None) -> str:
    """The whole document as Markdown, a blank line between objects; `images` has links to figures."""
    return "".join(f"{written}\n\n" for written in _blocks(hierarchy, images or {}) if written)[:-1]


def _blocks(hierarchy: Hierarchy, images: Mapping[int, str]) -> Iterator[str]:
    levels, doubtful = hierarchy.tree.levels(), hierarchy.doubtful
    notes = frozenset(item.note for item in hierarchy.document.objects if NOTE_NAME.fullmatch(item.note))

    def family(indexed: tuple[int, PhysicalObject]) -> Kind | None:
        index, item = indexed
        return item.kind if item.kind in TOGETHER and index not in hierarchy.headings else None

    for kind, group in groupby(enumerate(hierarchy.document.objects), key=family):
        if kind is Kind.FORMULA:
            yield _literal([one_line(item.text) for _, item in group])
        elif kind is not None:
            yield markdown_list([item for _, item in group], notes)
        else:
            for index, item in group:
                if index in hierarchy.headings:
                    sure = (
                        f"\n<!-- doubtful: {hierarchy.certainty(index):.2f} -->" if index in doubtful else ""
                    )
                    yield _heading(item.text, levels[index]) + sure
                else:
                    yield _body(item, hierarchy.page_name(item.page), images.get(index), notes)


def _heading(text: str, level: int) -> str:
    if level > DEEPEST:
        return f"{'›' * (level - DEEPEST)} **{inline(text)}**"
    return f"{'#' * level} {title(text)}"


def _body(item: PhysicalObject, page: str, image: str | None, notes: Container[str]) -> str:
    match item.kind:
        case Kind.TABLE if item.rows:
            return _table(item.rows)
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
    alternative = seen.replace("\\]", "]").replace("[", "\\[").replace("]", "\\]")
    return f"![{alternative}]({image})"


def _literal(lines: Sequence[str]) -> str:
    """Lines that are shown as they are: code, and formulas, which come in pieces."""
    longest = max((len(run) for line in lines for run in re.findall("`+", line)), default=0)
    fence = "`" * max(3, longest + 1)
    return "\n".join([fence, *lines, fence])


def _table(rows: Sequence[Sequence[str]]) -> str:
    """A pipe table; Markdown wants a head of one row, so a deeper one is drawn together, or left empty."""
    rows = _filled(rows)
    if not rows:
        return ""
    head, width = head_rows(rows), len(rows[0])
    heads = [" ".join(filter(None, column)) for column in zip(*rows[:head], strict=True)] or [""] * width
    body = rows[head:]
    rules = [_rule([row[column] for row in body]) for column in range(width)]
    return "\n".join([_row(map(cell, heads)), _row(rules), *(_row(map(cell, row)) for row in body)])


def _filled(rows: Sequence[Sequence[str]]) -> list[list[str]]:
    """The rows, all of one length, without rows and columns that have no text."""
    columns = [column for column in zip_longest(*rows, fillvalue="") if any(map(one_line, column))]
    return [list(row) for row in zip(*columns, strict=True) if any(map(one_line, row))]


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _rule(column: Sequence[str]) -> str:
    """What stands under a column's head: numbers are set flush right."""
    filled = [text for text in column if text.strip()]
    return "---:" if filled and 2 * sum(map(is_figure, filled)) > len(filled) else "---"
