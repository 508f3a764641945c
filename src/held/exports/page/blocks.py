"""One object after another as HTML: paragraphs, lists, tables, captions, footnotes, formulas, figures.

Nothing is decorated that the eye does not need: the output should hardly be longer than the text. So the end
tags that HTML lets one leave out are left out in tables, where they would make a third of the page.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from held.document import Kind, Mark, PhysicalObject, Span
from held.exports.page import escaped
from held.exports.page.words import ENGLISH
from held.exports.spans import shifted, stretches
from held.numbering import BULLET, parse

Row = Sequence[str]

_TAGS = {Mark.SUPERSCRIPT: "sup", Mark.SUBSCRIPT: "sub", Mark.ITALIC: "i", Mark.BOLD: "b"}  # inside out

_DEEPEST_HEAD = 3
_SHORT = 40
_NARROW = 16
_FIGURE = re.compile(r"(?=.*\d|[-–—]\Z)[\d\s.,%％()（）+\-−–—/$¥￥€£]+")
_YEAR = re.compile(r"(?:19|20)\d\d")


def blocks(
    objects: Sequence[tuple[int, PhysicalObject]],
    images: Mapping[int, str],
    said: Mapping[str, str] = ENGLISH,
) -> Iterator[str]:
    """The HTML of objects that are no headings: list items together as lists, printed contents folded."""
    for form, run in groupby(objects, key=lambda pair: _run_form(pair[1])):
        if form is Kind.CONTENTS_ENTRY:
            yield _contents([item for _, item in run], said["contents"])
        elif form:
            items = "".join(f"<li>{_list_item(item)}</li>\n" for _, item in run)
            yield f"<{form}>\n{items}</ul>"
        else:
            for index, item in run:
                yield _block(item, images.get(index), said)


def _contents(entries: Sequence[PhysicalObject], name: str) -> str:
    """The printed contents, which only repeat the tree: folded, and like our own words not searched."""
    rows = (item.rows[0] if item.rows else (item.text,) for item in entries)
    lines = "".join(
        f"<li>{escaped(title)}{''.join(f' <i>{escaped(page)}</i>' for page in pages)}\n"
        for title, *pages in rows
    )
    return f'<details class="contents ours"><summary>{name}</summary><ul>\n{lines}</ul></details>'


def _run_form(item: PhysicalObject) -> str:
    """What joins an object to its neighbours: for a list item its list's tag; empty for what stands alone."""
    if item.kind is Kind.CONTENTS_ENTRY:
        return Kind.CONTENTS_ENTRY
    if item.kind is not Kind.LIST_ITEM:
        return ""
    return "ul" if _without_bullet(item.text) != item.text else 'ul class="marked"'


def _without_bullet(text: str) -> str:
    number = parse(text)
    return text[number.title_start :] if number and number.pattern is BULLET else text


def _list_item(item: PhysicalObject) -> str:
    text = _without_bullet(item.text)
    return _marked(text, shifted(item.spans, len(item.text) - len(text)))


def _marked(text: str, spans: Sequence[Span]) -> str:
    """The text with its emphasis, and with links to its footnotes."""
    if not spans:
        return escaped(text)
    written = ""
    for piece in stretches(text, spans):
        words = escaped(piece.text)
        if piece.note:
            words = f'<a href="#{note_id(piece.note)}" role="doc-noteref">{words}</a>'
        for mark, tag in _TAGS.items():
            if mark in piece.marks:
                words = f"<{tag}>{words}</{tag}>"
        written += words
    return written


def note_id(name: str) -> str:
    """The name of a footnote in links."""
    return "fn-" + escaped(name)


def _block(item: PhysicalObject, image: str | None, said: Mapping[str, str]) -> str:
    match item.kind:
        case Kind.TABLE if item.rows:
            return table(item.rows)
        case Kind.FIGURE | Kind.TABLE:
            return _figure(item, image, said)
        case Kind.CAPTION | Kind.FORMULA:
            return f'<p class="{item.kind}">{escaped(item.text)}</p>'
        case Kind.FOOTNOTE:
            name = f' id="{note_id(item.note)}"' if item.note else ""
            return f'<p class="footnote" role="doc-footnote"{name}>{_marked(item.text, item.spans)}</p>'
        case Kind.CODE:
            return f"<pre><code>{escaped(item.text)}</code></pre>"
        case _:
            return f"<p>{_marked(item.text, item.spans)}</p>"


def _figure(item: PhysicalObject, image: str | None, said: Mapping[str, str]) -> str:
    """The image where there is one, else a frame that says what stands here, with the text seen in it."""
    name = said[item.kind]
    if image is not None:
        seen = f"{name}{said['colon']}{item.text}" if item.text else name
        return f'<figure><img src="{escaped(image)}" alt="{escaped(seen)}" loading="lazy"></figure>'
    text = f"<small>{escaped(item.text)}</small>" if item.text else ""
    return f'<figure class="absent"><span class="ours">{name}</span>{text}</figure>'


def table(rows: Sequence[Row]) -> str:
    """The rows as a table that scrolls by itself where it is too wide; columns of figures end together."""
    head = head_rows(rows)
    right = figure_columns(rows[head:])
    top = "".join(_row(row, "th", right) for row in rows[:head])
    rest = "".join(_row(row, "td", right) for row in rows[head:])
    return f'<div class="table"><table>{f"<thead>{top}" if top else ""}<tbody>{rest}</table></div>'


def _row(row: Row, tag: str, right: frozenset[int]) -> str:
    return "<tr>" + "".join(
        f"<{tag}{' class=n' if column in right and len(cell) <= _NARROW else ''}>{escaped(cell)}"
        for column, cell in enumerate(row)
    )


def is_figure(cell: str) -> bool:
    """Whether a cell holds a number, or the dash that stands for none."""
    return _FIGURE.fullmatch(cell.strip()) is not None


def figure_columns(rows: Sequence[Row]) -> frozenset[int]:
    """The columns in which at least half of the filled cells are figures."""
    filled: Counter[int] = Counter()
    figures: Counter[int] = Counter()
    for row in rows:
        for column, cell in enumerate(row):
            filled[column] += bool(cell.strip())
            figures[column] += is_figure(cell)
    return frozenset(column for column, found in figures.items() if found and found * 2 >= filled[column])


def head_rows(rows: Sequence[Row]) -> int:
    """How many rows at the top look like the table's head.

    A head has no figures but years, and columns of figures stand below it; its second and third row leave the
    first column empty. Without figures, a first row that fills three columns or more with short words is one.
    """
    plain = [not any(is_figure(cell) and not _YEAR.fullmatch(cell.strip()) for cell in row) for row in rows]
    if len(rows) < 2 or not plain[0]:
        return 0
    if not figure_columns(rows[1:]):
        return int(len(rows[0]) > 2 and all(0 < len(cell.strip()) <= _SHORT for cell in rows[0]))
    filled = [column for column, cell in enumerate(rows[0]) if cell.strip()]
    if filled in ([], [0]):
        return 0  # a label alone in the first column: the table goes on from another page
    depth = 1
    while depth < min(_DEEPEST_HEAD, len(rows) - 1) and plain[depth] and not "".join(rows[depth][:1]).strip():
        depth += 1
    return depth
