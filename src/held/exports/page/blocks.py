"""One object after another as HTML: paragraphs, lists, tables, captions, footnotes, formulas, figures.

Nothing is decorated that the eye does not need: the output should hardly be longer than the text. The caption
right beside a table becomes the table's own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

from held.document import Kind, Mark, PhysicalObject, Span
from held.exports.markdown_lists import SAME_INDENT, USUAL_SIZE, entry_columns, without_bullet
from held.exports.page import escaped
from held.exports.page.words import ENGLISH
from held.exports.spans import shifted, stretches
from held.exports.tables.html import html_table
from held.layout.tables.logical_grid import grid_of
from held.layout.tables.surroundings import around_tables

_TAGS = {Mark.SUPERSCRIPT: "sup", Mark.SUBSCRIPT: "sub", Mark.ITALIC: "i", Mark.BOLD: "b"}  # inside out


def blocks(
    objects: Sequence[tuple[int, PhysicalObject]],
    images: Mapping[int, str],
    said: Mapping[str, str] = ENGLISH,
) -> Iterator[str]:
    """The HTML of objects that are no headings: list items together as lists, printed contents folded."""
    tables, captions = _tables(objects)
    shown = [(index, item) for index, item in objects if index not in captions]
    for kind, run in groupby(shown, key=lambda pair: _together(pair[1])):
        if kind is Kind.CONTENTS_ENTRY:
            yield _contents([item for _, item in run], said["contents"])
        elif kind is Kind.LIST_ITEM:
            yield _nested([item for _, item in run], _list_form, _list_item)
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
    lines = _nested(entries, lambda _: "ul", _contents_entry)
    return f'<details class="contents ours"><summary>{name}</summary>{lines}</details>'


def _contents_entry(item: PhysicalObject) -> str:
    title, *pages = entry_columns(item)
    return escaped(title) + "".join(f" <i>{escaped(page)}</i>" for page in pages)


def _together(item: PhysicalObject) -> Kind | None:
    """What joins an object to neighbours of its kind; None for what stands alone."""
    return item.kind if item.kind in (Kind.LIST_ITEM, Kind.CONTENTS_ENTRY) else None


class _Level(NamedTuple):
    """An open item that further ones may hang under: how far it is indented, and its list's tag."""

    indent: float
    form: str


def _nested(
    items: Sequence[PhysicalObject],
    form_of: Callable[[PhysicalObject], str],
    written: Callable[[PhysicalObject], str],
) -> str:
    """The items as lists in lists, as they are indented on the page."""
    html = ""
    branch: list[_Level] = []
    for item in items:
        level = _Level(item.indent, form_of(item))
        slack = SAME_INDENT * (item.style.size or USUAL_SIZE)
        closed: list[_Level] = []
        while branch and branch[-1].indent >= item.indent - slack:
            closed.append(branch.pop())
        html += _between(closed, level.form) + f"<li>{written(item)}"
        branch.append(level)
    return html + "</li>\n</ul>" * len(branch)


def _between(closed: Sequence[_Level], form: str) -> str:
    """The tags before an item: the lists below its own end, and its own begins unless it goes on."""
    if not closed:
        return f"<{form}>\n"
    own = closed[-1]
    ended = "</li>\n</ul>" * (len(closed) - 1) + "</li>\n"
    return ended if own.form == form else f"{ended}</ul>\n<{form}>\n"


def _list_form(item: PhysicalObject) -> str:
    """The tag of an item's list, which shows the items' own marks where these are no bullets."""
    return "ul" if without_bullet(item.text) != item.text else 'ul class="marked"'


def _list_item(item: PhysicalObject) -> str:
    text = without_bullet(item.text)
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


def title_with_marks(item: PhysicalObject) -> str | None:
    """The text of a heading with its exponents, indices and references, None where it has none of them.

    Bold and italic are left to the look of headings.
    """
    shifted_marks = [span for span in item.spans if span.mark in (Mark.SUPERSCRIPT, Mark.SUBSCRIPT)]
    return _marked(item.text, shifted_marks) if shifted_marks else None


def note_id(name: str) -> str:
    """The name of a footnote in links."""
    return "fn-" + escaped(name)


def _block(item: PhysicalObject, image: str | None, said: Mapping[str, str]) -> str:
    match item.kind:
        case Kind.FIGURE | Kind.TABLE:
            return _figure(item, image, said)
        case Kind.CAPTION | Kind.FORMULA:
            return f'<p class="{item.kind}">{_marked(item.text, item.spans)}</p>'
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
