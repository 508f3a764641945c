"""Markdown: headings at their level, lists, tables, figures and footnotes, with all text escaped."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Container, Iterator, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

from held.document import Kind, Mark, PhysicalObject, Span
from held.exports.object_text import (
    MEANINGFUL_BULLETS,
    StyledText,
    TitledLevels,
    contents_entry_texts,
    emphasised_objects,
    indent_tolerance,
    one_line,
    replace_controls,
    replace_symbols,
    shift_spans,
    split_by_spans,
    titled_levels,
)
from held.hierarchy import Hierarchy
from held.layout.rows import starts_with_bullet
from held.layout.tables.logical_grid import Grid, grid_of, is_figure

_INLINE = re.compile(
    r"[\\`*~]"
    r"|(?<![^\W_])_|_(?![^\W_])"  # within a word it is harmless
    r"|<(?=[A-Za-z/!?])"  # a tag
    r"|&(?=#?\w+;)"  # an entity
    r"|\[(?=\^)"  # a reference to a footnote
    # The end of a link's text: what follows is a destination and at most a title. Other brackets are plain.
    r"|\](?=\(\s*(?:<[^>]*>|[^\s<]\S*)?\s*(?:[\"'(].*)?\))"
)
_NUMBER = re.compile(r"(\d{1,9})([.)])(?=\s|$)")
# The start of a heading, list item, rule, quote, task or link definition.
_BLOCK = re.compile(r"(?=#{1,6}(?:\s|$)|[-+](?:\s|$)|-[-\s]*$|>|\[[ xX]\]\s|\[.*?\]:)")
_BRACKET_OR_ESCAPED = re.compile(r"\\.|[\[\]]")
_CLOSING = re.compile(r"(?:(?<=\s)|^)(?=#+$)")


# --- Escaping: what Markdown would read as markup ---


def escape_inline(text: str) -> str:
    """The text on one line, for the middle of a line."""
    return _escape(one_line(text))


def escape_heading(text: str) -> str:
    """The text on one line, for a heading: `#` at its end is kept."""
    return _CLOSING.sub(r"\\", escape_inline(text))


def escape_cell(text: str) -> str:
    """The text on one line, for a cell of a table."""
    return escape_inline(text).replace("|", "\\|")


def escape_brackets(markdown: str) -> str:
    """Markdown for use between brackets: each bracket in it is escaped, once."""

    def escape(match: re.Match[str]) -> str:
        return match[0] if match[0].startswith("\\") else f"\\{match[0]}"

    return _BRACKET_OR_ESCAPED.sub(escape, markdown)


def format_block(text: str, spans: Sequence[Span] = (), notes: Container[str] = ()) -> str:
    """The text on one line, for the start of a line: it begins no list, heading, quote or rule."""
    line = format_spans(text, spans, notes)
    if number := _NUMBER.match(line):
        return f"{number[1]}\\{line[number.end(1) :]}"
    return f"\\{line}" if _BLOCK.match(line) else line


def format_spans(text: str, spans: Sequence[Span], notes: Container[str] = ()) -> str:
    """The text on one line with its emphasis; references to the footnotes in `notes` become links."""
    if not spans:
        return escape_inline(text)
    pieces = list(split_by_spans(text, spans))
    markdown = ""
    for piece, following in zip(pieces, [*pieces[1:], StyledText("")], strict=True):
        markdown += _format_piece(piece, markdown[-1:], following.text[:1], notes)
    return " ".join(markdown.split())


def _escape(text: str) -> str:
    return _INLINE.sub(r"\\\g<0>", text)


def _format_piece(piece: StyledText, before: str, after: str, notes: Container[str]) -> str:
    """A piece of text in its marks; white space around its words stays outside of them."""
    if piece.note and piece.note in notes:
        return f"[^{piece.note}]"
    text = _escape(replace_controls(piece.text))
    words = text.strip()
    if not words:
        return text
    marks = piece.marks
    # Exponents and indices are mostly italic, as variables are: marking that too would say nothing more.
    if Mark.SUPERSCRIPT in marks:
        words = f"<sup>{words}</sup>"
        marks -= {Mark.ITALIC}
    elif Mark.SUBSCRIPT in marks:
        words = f"<sub>{words}</sub>"
        marks -= {Mark.ITALIC}
    lead, _, tail = text.partition(text.strip())
    can_flank = _can_flank(words, lead or before, tail or after)
    for mark, sign, tag in ((Mark.ITALIC, "*", "i"), (Mark.BOLD, "**", "b")):
        if mark in marks:
            words = f"{sign}{words}{sign}" if can_flank else f"<{tag}>{words}</{tag}>"
    return lead + words + tail


def _can_flank(words: str, before: str, after: str) -> bool:
    """Whether asterisks around the words are read as emphasis (CommonMark, section 6.2).

    A punctuation mark right inside the asterisks must not have a letter right outside of them, and the
    asterisks of two emphases must not meet.
    """
    first, last = words[0], words[-1]
    if "*" in (before, first, last):
        return False
    opens = not _is_punctuation(first) or not before.isalnum()
    closes = not _is_punctuation(last) or not after.isalnum()
    return opens and closes


def _is_punctuation(character: str) -> bool:
    return unicodedata.category(character)[0] in "PS"


Objects = Sequence[PhysicalObject]

MAX_HEADING_LEVEL = 6
LIST_BREAK = "<!-- -->"  # ends a list whose next item would else become part of it

_GROUPED = frozenset({Kind.LIST_ITEM, Kind.CONTENTS_ENTRY, Kind.FORMULA})  # neighbours form one block
_LINKING = frozenset({Kind.PARAGRAPH, Kind.HEADING, Kind.LIST_ITEM, Kind.FOOTNOTE})  # written with links
_PAGE_LABEL = re.compile(r"[\w.-]{1,12}")  # labels that cannot end the comment they are written in
_NOTE_NAME = re.compile(r"\w[\w-]*")
# The mark that a footnote begins with. Its text may follow a number without a space ("2The ...").
_NOTE_MARK = re.compile(r"[\[(]?(?:\d{1,3}|[a-z](?=[\s).])|[*†‡§¶]{1,3}|[①-⑳])[\])]?[.:、]?\s*")
# CommonMark reads at most nine digits as a number; "1.5 m" is none.
_NUMBERED = re.compile(r"(\d{1,9})([.)])\s*(?=[^\d\s])")


# --- The document ---


def to_markdown(
    hierarchy: Hierarchy,
    images: Mapping[int, str] | None = None,
    *,
    page_markers: bool = False,
    no_title: bool = False,
) -> str:
    """The whole document as Markdown, a blank line between objects; `images` has links to figures by index.

    With `page_markers`, a comment at the start of each page has its number, and its printed label if any.
    The document's title comes first, and the headings below it; with `no_title` they keep their levels.
    """
    titled = titled_levels(hierarchy, no_title=no_title)
    blocks = _blocks(hierarchy, titled, images or {}, page_markers)
    markdown = "".join(f"{block}\n\n" for block in blocks if block)
    return replace_symbols(markdown[:-1])


def _blocks(
    hierarchy: Hierarchy, titled: TitledLevels, images: Mapping[int, str], page_markers: bool
) -> Iterator[str]:
    comments = _doubt_comments(hierarchy)
    notes = _linked_notes(hierarchy)
    current_page = 0
    if titled.title:
        yield _heading(titled.title, 1)

    def group_key(indexed: tuple[int, PhysicalObject]) -> tuple[Kind | None, int]:
        index, item = indexed
        is_grouped = item.kind in _GROUPED and index not in hierarchy.headings
        # A page marker splits lists, so the page is part of the key where markers are written.
        return item.kind if is_grouped else None, item.page if page_markers else current_page

    for (kind, page), group in groupby(enumerate(emphasised_objects(hierarchy)), key=group_key):
        if page != current_page:
            yield from _page_markers(hierarchy, current_page, page)
            current_page = page
        if kind is Kind.FORMULA:
            lines = [one_line(item.text) for index, item in group if index not in titled.printed]
            yield _code_block(lines) if lines else ""
        elif kind is not None:
            yield markdown_list([item for index, item in group if index not in titled.printed], notes)
        else:
            for index, item in group:
                if index in titled.printed:
                    continue
                if index in hierarchy.headings:
                    yield _heading(item.title, titled.levels[index]) + comments.get(index, "")
                else:
                    yield from _table_doubt(item, hierarchy)
                    yield _body_block(item, hierarchy.page_name(item.page), images.get(index), notes)


def _doubt_comments(hierarchy: Hierarchy) -> dict[int, str]:
    """The comments that follow doubtful headings, by index; none without a minimum confidence."""
    if hierarchy.min_confidence is None:
        return {}
    comments = {}
    for heading in hierarchy.doubtful:
        comments[heading] = f"\n<!-- doubtful: {hierarchy.certainty(heading):.2f} -->"
    return comments


def _table_doubt(item: PhysicalObject, hierarchy: Hierarchy) -> Iterator[str]:
    """The comment above a doubtful table; none without a minimum confidence, as for headings."""
    if item.table and hierarchy.min_confidence is not None:
        yield doubt_comment(item.table.doubtful, item.table.doubts).strip()


def _linked_notes(hierarchy: Hierarchy) -> frozenset[str]:
    """The names of the footnotes that a link leads to.

    Renderers drop a footnote without a link. Headings and captions are written without links, so a note
    that only they refer to stays a block of its own.
    """
    referenced: set[str] = set()
    for index, item in enumerate(hierarchy.document.objects):
        if item.kind in _LINKING and index not in hierarchy.headings:
            referenced.update(span.note for span in item.spans)
    names = {item.note for item in hierarchy.document.objects}
    return frozenset(name for name in names & referenced if _NOTE_NAME.fullmatch(name))


def _page_markers(hierarchy: Hierarchy, previous: int, page: int) -> Iterator[str]:
    """The marker of a page, after those of the pages before it on which nothing begins."""
    first_unmarked = max(previous + 1, hierarchy.document.first_page)
    for number in (*range(first_unmarked, page), page):
        label = hierarchy.page_name(number)
        has_label = label != str(number) and _PAGE_LABEL.fullmatch(label)
        printed = f", printed {label}" if has_label else ""
        yield f"<!-- page {number}{printed} -->"


def _heading(text: str, level: int) -> str:
    if level > MAX_HEADING_LEVEL:
        depth = "›" * (level - MAX_HEADING_LEVEL)
        return f"{depth} **{escape_inline(text)}**"
    return f"{'#' * level} {escape_heading(text)}"


def _body_block(item: PhysicalObject, page: str, image: str | None, notes: Container[str]) -> str:
    match item.kind:
        case Kind.TABLE if (grid := grid_of(item)).cells:
            return markdown_table(grid)
        case Kind.TABLE | Kind.FIGURE:
            return _figure(f"{item.kind} on page {page}", item.text, image)
        case Kind.CAPTION if one_line(item.text):
            return f"*{escape_inline(item.text)}*"
        case Kind.FOOTNOTE if item.note in notes:
            return _footnote(item, notes)
        case Kind.FOOTNOTE:
            return f"> {format_block(item.text, item.spans, notes)}"
        case Kind.CODE:
            return _code_block([line.rstrip() for line in item.text.split("\n")])
        case _:
            return format_block(item.text, item.spans, notes)


def _footnote(item: PhysicalObject, notes: Container[str]) -> str:
    """A footnote's definition. Its printed mark is left out, as the name in brackets replaces it."""
    mark = _NOTE_MARK.match(item.text)
    start = mark.end() if mark and mark.end() < len(item.text) else 0
    text = format_spans(item.text[start:], shift_spans(item.spans, start), notes)
    return f"[^{item.note}]: {text}"


def _figure(name: str, text: str, image: str | None) -> str:
    """The image, or a placeholder; both with the text inside the figure."""
    description = escape_inline(f"{name}: {text}" if text else name)
    if image is None:
        return f"*[{description}]*"
    return f"![{escape_brackets(description)}]({image})"


def _code_block(lines: Sequence[str]) -> str:
    """Lines shown as they are: code, and formulas, which come in pieces."""
    # The fence must be longer than any run of backticks inside: CommonMark, section 4.5.
    fence = "```"
    for line in lines:
        while fence in line:
            fence += "`"
    return "\n".join([fence, *lines, fence])


# --- Lists ---


class _ListItem(NamedTuple):
    """A list item: its number, None for a bullet, and the delimiter after it; then its text."""

    number: int | None
    delimiter: str
    text: str
    spans: tuple[Span, ...] = ()


class _OpenItem(NamedTuple):
    """An item that others may follow or be nested in: its indent on the page and in the Markdown."""

    indent: float
    offset: int
    item: _ListItem


def markdown_list(objects: Objects, notes: Container[str] = ()) -> str:
    """The items as one list, or as several where their numbers require it; `notes` as in `format_spans`."""
    return "\n".join(_list_lines(objects, notes))


def _list_lines(objects: Objects, notes: Container[str]) -> Iterator[str]:
    branch: list[_OpenItem] = []
    for obj in objects:
        item = _contents_item(obj) if obj.kind is Kind.CONTENTS_ENTRY else _list_item(obj)
        if not item.text:
            continue
        is_first = not branch
        previous: _ListItem | None = None  # on the same level
        least_indent = obj.indent - indent_tolerance(obj)
        while branch and branch[-1].indent >= least_indent:
            previous = branch.pop().item
        offset = branch[-1].offset if branch else 0
        if previous and not _continues(item, previous):
            yield " " * offset + LIST_BREAK
        elif not previous and not is_first and item.number not in (None, 1):
            yield ""  # only a list from 1 may interrupt the text above it
        marker = "- " if item.number is None else f"{item.number}{item.delimiter} "
        yield " " * offset + marker + format_block(item.text, item.spans, notes)
        branch.append(_OpenItem(obj.indent, offset + len(marker), item))


def _continues(item: _ListItem, previous: _ListItem) -> bool:
    """Whether an item belongs to the same list as the one before it."""
    if item.number is None or previous.number is None:
        return item.number is previous.number
    return item.number == previous.number + 1 and item.delimiter == previous.delimiter


def _list_item(obj: PhysicalObject) -> _ListItem:
    line = one_line(obj.text)
    text = line
    number: int | None = None
    delimiter = ""
    if numbered := _NUMBERED.match(line):
        number, delimiter = int(numbered[1]), numbered[2]
        text = line[numbered.end() :]
    elif starts_with_bullet(line) and line[0] not in MEANINGFUL_BULLETS:
        text = line[1:].strip()
    if line != obj.text:
        # `one_line` removed characters, so that the spans no longer fit: emphasis is lost.
        return _ListItem(number, delimiter, text)
    spans = shift_spans(obj.spans, len(line) - len(text))
    return _ListItem(number, delimiter, text, spans)


def _contents_item(obj: PhysicalObject) -> _ListItem:
    columns = [column for column in contents_entry_texts(obj) if column]
    return _ListItem(None, "", one_line(" … ".join(columns)))


def doubt_comment(doubtful: bool, doubts: Sequence[str]) -> str:
    """The comment above a doubtful table with the reasons, "" for any other."""
    if not doubtful:
        return ""
    reasons = ": " + "; ".join(doubts) if doubts else ""
    return f"<!-- doubtful table{reasons} -->\n\n"


# --- Tables ---


def markdown_table(grid: Grid) -> str:
    """A pipe table without empty rows and columns; "" if nothing is left.

    Markdown has neither spans nor several header rows, and rows are searched and read one at a time. So each
    column gets its full name ("Year ended December 31, 2025"), and a label that spans rows is repeated in
    each. A cell that spans columns of the body is a row's title or a remark, and is written once.
    """
    names = grid.names()
    rows_below = grid.rows_alone()[grid.head :]
    body = [row for row in rows_below if any(map(one_line, row))]
    columns = []  # the indices of those with text
    for column, name in enumerate(names):
        if one_line(name) or any(one_line(row[column]) for row in body):
            columns.append(column)
    if not columns:
        return ""
    rules = [_alignment([row[column] for row in body]) for column in columns]
    head, *rows = [_escaped_row(row, columns) for row in (names, *body)]
    return "\n".join([head, _table_row(rules), *rows])


def _escaped_row(row: Sequence[str], columns: Sequence[int]) -> str:
    return _table_row([escape_cell(row[column]) for column in columns])


def _table_row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _alignment(column: Sequence[str]) -> str:
    """The rule below a column's name, which aligns numbers to the right."""
    filled = [text for text in column if text.strip()]
    numbers = sum(map(is_figure, filled))
    return "---:" if 2 * numbers > len(filled) else "---"
