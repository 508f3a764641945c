"""One object after another as HTML: paragraphs, lists, tables, captions, footnotes, formulas, figures.

Nothing is decorated that the eye does not need: the output should hardly be longer than the text. The caption
right beside a table becomes the table's own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from held.document import Kind, Mark, PhysicalObject, Span
from held.exports.page import escaped
from held.exports.page.words import ENGLISH
from held.exports.spans import shifted, stretches
from held.exports.tables.html import html_table
from held.numbering import BULLET, parse
from held.tables.around import around_tables
from held.tables.grid import grid_of

_TAGS = {Mark.SUPERSCRIPT: "sup", Mark.SUBSCRIPT: "sub", Mark.ITALIC: "i", Mark.BOLD: "b"}  # inside out


def blocks(
    objects: Sequence[tuple[int, PhysicalObject]],
    images: Mapping[int, str],
    said: Mapping[str, str] = ENGLISH,
) -> Iterator[str]:
    """The HTML of objects that are no headings: list items together as lists, printed contents folded."""
    tables, captions = _tables(objects)
    shown = [(index, item) for index, item in objects if index not in captions]
    for form, run in groupby(shown, key=lambda pair: _run_form(pair[1])):
        if form is Kind.CONTENTS_ENTRY:
            yield _contents([item for _, item in run], said["contents"])
        elif form:
            items = "".join(f"<li>{_list_item(item)}</li>\n" for _, item in run)
            yield f"<{form}>\n{items}</ul>"
        else:
            for index, item in run:
                yield tables.get(index) or _block(item, images.get(index), said)


def _tables(objects: Sequence[tuple[int, PhysicalObject]]) -> tuple[dict[int, str], set[int]]:
    """The tables' HTML by index, and the indices of the captions that are in it."""
    tables: dict[int, str] = {}
    captions: set[int] = set()
    items = [item for _, item in objects]
    for place, around in around_tables(items).items():
        grid = grid_of(items[place])
        at = around.caption_object
        # Where a line stands between both, as that of the unit, all stay in their order.
        if grid.cells and at is not None and abs(at - place) == 1:
            captions.add(objects[at][0])
            tables[objects[place][0]] = html_table(grid, caption=items[at].text, below=at > place)
        elif grid.cells:
            tables[objects[place][0]] = html_table(grid)
    return tables, captions


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
