"""HTML: the shell of a page, and objects as paragraphs, lists, tables, captions, formulas and figures.

The markup is kept short, so that a page is hardly longer than its text. The caption right beside a table
becomes the table's own.
"""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from hashlib import sha256
from html import escape
from importlib.resources import files
from itertools import groupby
from typing import NamedTuple

from held.document import Kind, Mark, PhysicalObject, Span, TableCell
from held.exports.object_text import (
    contents_entry_texts,
    indent_tolerance,
    replace_symbols,
    shift_spans,
    split_by_spans,
    strip_bullet,
)
from held.layout.tables.logical_grid import Grid, figure_columns, find_table_contexts, grid_of
from held.system.console import DIRECTION_CODES

# --- pages ---
#
# A page is one file that loads nothing, with its style and script inside.
#
# The text of a PDF is untrusted. All of it passes through `escape_html`, and the page's content security
# policy runs no script but the one whose hash it names, should markup ever slip through.

Phrases = Mapping[str, str]  # the page's own words by key

_NOT_IN_HTML = re.compile(f"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff{DIRECTION_CODES}]")
_POLICY = (
    "default-src 'none'; style-src '{style}'; script-src '{script}'; img-src data: file: 'self'; "
    "base-uri 'none'; form-action 'none'"
)


def escape_html(text: str) -> str:
    """The text for an element or a quoted attribute.

    Characters that HTML cannot hold, and codes that turn text around, become U+FFFD.
    """
    return escape(_NOT_IN_HTML.sub("\ufffd", replace_symbols(text)))


@cache
def read_asset(name: str) -> str:
    """The text of a file in `assets`: `page.css`, `reader.js` …"""
    return (files("held.exports") / "assets" / name).read_text("utf-8")


def page_style(name: str) -> str:
    """The style of a page that shows a document: what all pages share, and its own file."""
    return read_asset("base.css") + read_asset("page.css") + read_asset(name)


@cache
def phrases_in(language: str) -> Phrases:
    """The page's own words in a language, by key; English where there is no translation."""
    translations: dict[str, Phrases] = json.loads(read_asset("phrases.json"))
    return translations.get(language, translations["en"])


def build_page(title: str, body: str, *, style: str, script: str, lang: str = "en") -> str:
    """The whole page. `title` is plain text; `body`, `style` and `script` are inserted as they are."""
    policy = _POLICY.format(style=_hash(style), script=_hash(script))
    return (
        f'<!doctype html>\n<html lang="{escape_html(lang)}">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f"<title>{escape_html(title)}</title>\n<style>{style}</style>\n</head>\n"
        f"<body>\n{body}<script>{script}</script>\n</body>\n</html>\n"
    )


def _hash(source: str) -> str:
    digest = sha256(source.encode()).digest()
    return f"sha256-{b64encode(digest).decode()}"


IndexedObjects = Sequence[tuple[int, PhysicalObject]]

_TAGS = {Mark.SUPERSCRIPT: "sup", Mark.SUBSCRIPT: "sub", Mark.ITALIC: "i", Mark.BOLD: "b"}  # inside out
_GROUPED = (Kind.LIST_ITEM, Kind.CONTENTS_ENTRY)
# Characters: a longer text in a column of numbers is a remark, and is aligned to the left.
_MAX_NUMBER_LENGTH = 16


def html_blocks(
    objects: IndexedObjects,
    images: Mapping[int, str],
    phrases: Phrases | None = None,
    *,
    with_doubt: bool = False,
) -> Iterator[str]:
    """The HTML of body objects: list items joined into lists, the printed contents folded.

    `with_doubt` writes the reasons of doubt below each doubtful table.
    """
    phrases = phrases or phrases_in("en")
    tables, captions = _tables_with_captions(objects)
    shown = [(index, item) for index, item in objects if index not in captions]
    for kind, group in groupby(shown, key=_group_kind):
        if kind is Kind.CONTENTS_ENTRY:
            yield _printed_contents([item for _, item in group], phrases["contents"])
        elif kind is Kind.LIST_ITEM:
            yield _nested_list([item for _, item in group], _list_tag, _list_item)
        else:
            for index, item in group:
                yield tables.get(index) or _block(item, images.get(index), phrases)
                if with_doubt and item.table and item.table.doubtful:
                    reasons = escape_html("; ".join(item.table.doubts))
                    yield f'<p class="ours doubtful"><small>{reasons}</small></p>'


def _group_kind(indexed: tuple[int, PhysicalObject]) -> Kind | None:
    """The kind of objects that are written together with their neighbours; None for others."""
    _, item = indexed
    return item.kind if item.kind in _GROUPED else None


def _tables_with_captions(objects: IndexedObjects) -> tuple[dict[int, str], set[int]]:
    """The HTML of the tables by index, and the indices of the captions that are inside them."""
    tables: dict[int, str] = {}
    captions: set[int] = set()
    items = [item for _, item in objects]
    for position, around in find_table_contexts(items).items():
        grid = grid_of(items[position])
        if not grid.cells:
            continue
        index, _ = objects[position]
        caption = around.caption_object
        # If a line such as the unit is between both, all three keep their order.
        if caption is not None and abs(caption - position) == 1:
            caption_index, item = objects[caption]
            captions.add(caption_index)
            tables[index] = html_table(grid, caption=item.text, caption_below=caption > position)
        else:
            tables[index] = html_table(grid)
    return tables, captions


def _printed_contents(entries: Sequence[PhysicalObject], name: str) -> str:
    """The printed contents, folded; class `ours` keeps them out of the page's search, as they repeat it."""
    entry_list = _nested_list(entries, lambda _: "ul", _contents_entry)
    return f'<details class="contents ours"><summary>{name}</summary>{entry_list}</details>'


def _contents_entry(item: PhysicalObject) -> str:
    title, *pages = contents_entry_texts(item)
    html = escape_html(title)
    for page in pages:
        html += f" <i>{escape_html(page)}</i>"
    return html


class _OpenItem(NamedTuple):
    """An item that others may be nested in: its indent, and the tag of its list."""

    indent: float
    tag: str


def _nested_list(
    items: Sequence[PhysicalObject],
    tag_of: Callable[[PhysicalObject], str],
    content_of: Callable[[PhysicalObject], str],
) -> str:
    """The items as nested lists, by their indents on the page."""
    html = ""
    branch: list[_OpenItem] = []
    for item in items:
        opened = _OpenItem(item.indent, tag_of(item))
        closed: list[_OpenItem] = []
        # An item ends all lists before it that are not indented less.
        least_indent = item.indent - indent_tolerance(item)
        while branch and branch[-1].indent >= least_indent:
            closed.append(branch.pop())
        html += _tags_before_item(closed, opened.tag) + f"<li>{content_of(item)}"
        branch.append(opened)
    return html + "</li>\n</ul>" * len(branch)


def _tags_before_item(closed: Sequence[_OpenItem], tag: str) -> str:
    """The tags that end deeper lists and, unless the item continues a list, begin its own."""
    if not closed:
        return f"<{tag}>\n"
    ends = "</li>\n</ul>" * (len(closed) - 1) + "</li>\n"
    continues_list = closed[-1].tag == tag
    return ends if continues_list else f"{ends}</ul>\n<{tag}>\n"


def _list_tag(item: PhysicalObject) -> str:
    """The tag of an item's list; class `marked` hides the bullets of items with markers of their own."""
    return "ul" if strip_bullet(item.text) != item.text else 'ul class="marked"'


def _list_item(item: PhysicalObject) -> str:
    text = strip_bullet(item.text)
    removed = len(item.text) - len(text)
    return _format_spans(text, shift_spans(item.spans, removed))


def _format_spans(text: str, spans: Sequence[Span]) -> str:
    """The text with its emphasis, and with links to its footnotes."""
    if not spans:
        return escape_html(text)
    html = ""
    for piece in split_by_spans(text, spans):
        words = escape_html(piece.text)
        if piece.note:
            words = f'<a href="#{note_id(piece.note)}" role="doc-noteref">{words}</a>'
        for mark, tag in _TAGS.items():
            if mark in piece.marks:
                words = f"<{tag}>{words}</{tag}>"
        html += words
    return html


def raised_title(item: PhysicalObject) -> str | None:
    """The text of a heading with its exponents, indices and references, None if it has none of them.

    Bold and italic are left out: the style sheet sets headings.
    """
    spans = [span for span in item.spans if span.mark in (Mark.SUPERSCRIPT, Mark.SUBSCRIPT)]
    return _format_spans(item.text, spans) if spans else None


def note_id(name: str) -> str:
    """The id of a footnote's element."""
    return "fn-" + escape_html(name)


def _block(item: PhysicalObject, image: str | None, phrases: Phrases) -> str:
    match item.kind:
        case Kind.FIGURE | Kind.TABLE:
            return _figure(item, image, phrases)
        case Kind.CAPTION | Kind.FORMULA:
            return f'<p class="{item.kind}">{_format_spans(item.text, item.spans)}</p>'
        case Kind.FOOTNOTE:
            name = f' id="{note_id(item.note)}"' if item.note else ""
            text = _format_spans(item.text, item.spans)
            return f'<p class="footnote" role="doc-footnote"{name}>{text}</p>'
        case Kind.CODE:
            return f"<pre><code>{escape_html(item.text)}</code></pre>"
        case _:
            return f"<p>{_format_spans(item.text, item.spans)}</p>"


def _figure(item: PhysicalObject, image: str | None, phrases: Phrases) -> str:
    """The image, or a frame that names what is missing; both with the text inside the figure."""
    name = phrases[item.kind]
    if image is not None:
        alt = name + phrases["colon"] + item.text if item.text else name
        attributes = f'src="{escape_html(image)}" alt="{escape_html(alt)}" loading="lazy"'
        return f"<figure><img {attributes}></figure>"
    text = f"<small>{escape_html(item.text)}</small>" if item.text else ""
    return f'<figure class="absent"><span class="ours">{name}</span>{text}</figure>'


def html_table(grid: Grid, *, caption: str = "", unit: str = "", caption_below: bool = False) -> str:
    """A table with head, spans and scopes, for eyes, screen readers and parsers.

    Columns of numbers are aligned to the right. Optional end tags are left out: they would be a third of a
    page of tables.
    """
    number_columns = figure_columns(grid.texts()[grid.head :])
    head = body = ""
    for row, cells in enumerate(_cells_by_row(grid)):
        html = _table_row(grid, row, cells, number_columns)
        if row < grid.head:
            head += html
        else:
            body += html
    if head:
        head = f"<thead>{head}"
    caption = _caption(caption, unit, caption_below)
    return f'<div class="table"><table>{caption}{head}<tbody>{body}</table></div>'


def _caption(caption: str, unit: str, below: bool) -> str:
    if not caption and not unit:
        return ""
    text = escape_html(caption)
    if unit and unit not in caption:  # most captions name the unit themselves
        text += f" <small>{escape_html(unit)}</small>"
    position = " class=below" if below else ""
    return f"<caption{position}>{text}</caption>"


def _cells_by_row(grid: Grid) -> Iterator[list[TableCell]]:
    """The cells that begin in each row, with an empty cell at each position that none covers."""
    cell_at = {(cell.row, cell.column): cell for cell in grid.cells}
    covered_until = [0] * grid.width  # by column, the row below the cell that covers it
    for row in range(grid.height):
        cells = []
        for column in range(grid.width):
            if covered_until[column] > row:
                continue
            empty = TableCell(row, column, "", header=row < grid.head)
            cell = cell_at.get((row, column), empty)
            for spanned in range(column, column + cell.column_span):
                covered_until[spanned] = row + cell.row_span
            cells.append(cell)
        yield cells


def _table_row(grid: Grid, row: int, cells: list[TableCell], number_columns: frozenset[int]) -> str:
    # The first cell labels its row if the columns have names and another cell has text.
    filled = [cell for cell in cells if cell.text]
    has_label = grid.head > 0 and len(filled) > 1
    html = "<tr>"
    for cell in cells:
        is_label = has_label and cell.column == 0
        in_head = row < grid.head or cell.header
        html += _table_cell(cell, in_head, is_label, cell.column in number_columns)
    return html


def _table_cell(cell: TableCell, in_head: bool, is_label: bool, in_number_column: bool) -> str:
    attributes = ""  # values without spaces need no quotes
    if cell.column_span > 1:
        attributes += f" colspan={cell.column_span}"
    if cell.row_span > 1:
        attributes += f" rowspan={cell.row_span}"
    is_short = in_head or len(cell.text) <= _MAX_NUMBER_LENGTH
    if in_number_column and cell.column_span == 1 and is_short:
        attributes += " class=n"
    if not cell.text:
        return f"<td{attributes}>"
    text = escape_html(cell.text)
    if in_head:
        scope = "colgroup" if cell.column_span > 1 else "col"
        return f"<th scope={scope}{attributes}>{text}"
    if is_label:
        return f"<th scope=row{attributes}>{text}"
    return f"<td{attributes}>{text}"
