"""A document as chunks for retrieval: each within one section and of limited length, with its heading path.

A chunk's text is that of the section's own objects. The titles of the headings above it are in its path, not
in its text; `Chunk.in_context`, made for embedding, has both. The caller may pass a tokenizer's count of
tokens; the default is an estimate.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from itertools import groupby
from operator import itemgetter

from held.document import Kind, PhysicalObject
from held.errors import UsageError
from held.exports.object_text import replace_symbols
from held.hierarchy import Hierarchy
from held.layout.tables.logical_grid import Grid, find_table_contexts, grid_of
from held.system.bounded_json import escape_controls

Count = Callable[[str], int]
"""How many tokens a text has."""
PageNumbers = frozenset[int]
TextOnPages = tuple[str, PageNumbers]

MAX_TOKENS = 400  # fits the common embedding models, which take 512

_CJK = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"
_TOKENS = re.compile(rf"[{_CJK}]|\d{{1,3}}|[^\W\d{_CJK}]{{1,6}}|[^\w\s]")

# Where a text may be cut, from the best position to the last resort: between sentences, clauses, words, and
# Chinese characters. The patterns match empty strings between characters, so that no character is lost.
_CUTS = (
    re.compile(
        r"(?<=[.!?]\s)(?![a-z\d])|(?<=[.!?][\"'”’)\]]\s)|(?<=[。！？\n])(?![”’」』）])|(?<=[。！？][”’」』）])"
    ),
    re.compile(r"(?<=[,;:]\s)|(?<=[，、；：])"),
    re.compile(r"(?<=\s)(?=\S)"),
    re.compile(rf"(?<=[{_CJK}])|(?=[{_CJK}])"),
)
_PARAGRAPH_BREAK, _ROW_BREAK, _CELL_BREAK = "\n\n", "\n", " | "


class ChunkKind(StrEnum):
    """The content of a chunk: running text, a table, words in a figure, or printed contents."""

    TEXT = "text"
    TABLE = "table"
    FIGURE = "figure"
    CONTENTS = "contents"


_KINDS = {
    Kind.TABLE: ChunkKind.TABLE,
    Kind.FIGURE: ChunkKind.FIGURE,
    Kind.CONTENTS_ENTRY: ChunkKind.CONTENTS,
}


@dataclass(frozen=True, slots=True)
class Chunk:
    """A piece of a section.

    `path` has the titles from the top down to the section's own, `section` the index of its heading (-1: what
    stands before the first), `objects` the indices of the objects it is made of, `pages` those they stand on.
    """

    text: str
    path: tuple[str, ...]
    section: int
    pages: tuple[int, ...]
    objects: tuple[int, ...]
    kind: ChunkKind
    tokens: int

    @property
    def in_context(self) -> str:
        """The text below its heading path: what to embed, or to show."""
        return f"{' › '.join(self.path)}\n\n{self.text}" if self.path else self.text


@dataclass(frozen=True, slots=True)
class _Budget:
    """The maximum length of a chunk."""

    max_tokens: int
    count: Count

    def fits(self, text: str) -> bool:
        return self.count(text.strip()) <= self.max_tokens


@dataclass(frozen=True, slots=True)
class _Piece:
    """Text of one object, or of several consecutive ones, and its pages."""

    text: str
    objects: tuple[int, ...]
    kind: ChunkKind
    pages: PageNumbers


def chunks(hierarchy: Hierarchy, *, max_tokens: int = MAX_TOKENS, count: Count | None = None) -> list[Chunk]:
    """The chunks of a document in reading order, none across sections, none longer than `max_tokens`.

    Only a single word may exceed the limit. `count` returns the number of tokens in a text.
    """
    if isinstance(hierarchy, str | bytes | os.PathLike):
        raise UsageError("chunks are made of a document, not of a file", advice="give held.extract(file)")
    if max_tokens < 1:
        raise UsageError(f"chunks of {max_tokens} tokens hold nothing", advice="give 1 or more")
    budget = _Budget(max_tokens, count or estimated_tokens)
    objects, paths = hierarchy.document.objects, hierarchy.tree.paths()
    titles = {heading: objects[heading].title for heading in hierarchy.headings}
    captions = {index: around.caption for index, around in find_table_contexts(objects).items()}
    result: list[Chunk] = []
    for section, members in _sections(hierarchy):
        path = tuple(titles[above] for above in paths.get(section, ()) if above in titles)
        pieces = _split_objects(objects, members, captions, budget)
        for piece in _merge_pieces(pieces, budget):
            pages = tuple(sorted(piece.pages))
            tokens = budget.count(piece.text)
            chunk = Chunk(piece.text, path, section, pages, piece.objects, piece.kind, tokens)
            result.append(chunk)
    return result


def to_json_lines(hierarchy: Hierarchy, *, max_tokens: int | None = None) -> str:
    """The chunks as JSON, one per line, with the document's name: the input of many search systems."""
    source = hierarchy.document.source
    lines = ""
    for chunk in chunks(hierarchy, max_tokens=max_tokens or MAX_TOKENS):
        value = {"source": source, **asdict(chunk)}
        lines += escape_controls(json.dumps(value, ensure_ascii=False)) + "\n"
    return lines


def estimated_tokens(text: str) -> int:
    """About how many tokens a language model makes of a text, rather too many than too few.

    A Chinese character or a mark is one, a word one for each six letters, a number one for each three digits.
    """
    return len(_TOKENS.findall(text))


# --- Sections and their pieces ---


def _sections(hierarchy: Hierarchy) -> Iterator[tuple[int, list[int]]]:
    """Each section with its own objects in reading order; a heading without text below it has itself."""
    objects, headings = hierarchy.document.objects, hierarchy.headings
    children = hierarchy.tree.children()

    def has_text(index: int) -> bool:
        item = objects[index]
        if index in headings or item.text.strip():
            return True
        return any(any(row) for row in item.rows)

    members: list[tuple[int, int]] = []  # section and object
    for index, parent in hierarchy.tree.parents().items():
        if index not in headings:
            members.append((parent, index))
        elif not any(map(has_text, children[index])):
            members.append((index, index))
    for section, group in groupby(members, key=itemgetter(0)):
        yield section, [index for _, index in group]


def _split_objects(
    objects: Sequence[PhysicalObject],
    members: Sequence[int],
    captions: Mapping[int, str],
    budget: _Budget,
) -> Iterator[_Piece]:
    """The text of the objects in pieces that fit; `captions` are those of tables, by the table's index."""
    for position, index in enumerate(members):
        item = objects[index]
        kind = _KINDS.get(item.kind, ChunkKind.TEXT)
        if item.kind is Kind.CAPTION and position + 1 < len(members):
            # A caption goes with the table or figure below it.
            below = objects[members[position + 1]]
            kind = _KINDS.get(below.kind, kind)
        pages = frozenset(part.page for part in item.parts)
        if item.kind is Kind.TABLE and item.rows:
            caption = replace_symbols(captions.get(index, ""))
            texts = _split_table(grid_of(item), caption, pages, budget)
        else:
            texts = [(text, pages) for text in _split_text(replace_symbols(item.text), budget)]
        for text, text_pages in texts:
            yield _Piece(text, (index,), kind, text_pages)


# --- Texts and tables longer than a chunk ---


def _split_text(text: str, budget: _Budget, cuts: Sequence[re.Pattern[str]] = _CUTS) -> list[str]:
    """The text in pieces that fit, cut at the best positions."""
    text = text.strip()
    if not text:
        return []
    if not cuts or budget.fits(text):
        return [text]
    # Fill piece after piece; what is too long by itself is cut at the next best positions.
    pieces: list[str] = []
    for segment in cuts[0].split(text):
        if pieces and budget.fits(pieces[-1] + segment):
            pieces[-1] += segment
        elif budget.fits(segment):
            pieces.append(segment)
        else:
            pieces += _split_text(segment, budget, cuts[1:])
    return [piece.strip() for piece in pieces if piece.strip()]


def _split_table(grid: Grid, caption: str, pages: PageNumbers, budget: _Budget) -> list[TextOnPages]:
    """The table in pieces that fit, with caption and header on top of each that they leave room in.

    Each piece comes with the pages of its rows, or with `pages`, the table's, if its cells do not name them.
    """
    rows = grid.rows_alone()
    first = grid.head or 1
    # A header of several rows becomes one line with the full name of each column.
    header = _table_line(grid.names() if grid.head else rows[0])
    row_pages = _pages_of_rows(grid, pages)
    # What may repeat on top of a further piece, the best first.
    header_top = f"{header}{_ROW_BREAK}" if header else ""
    caption_top = f"{caption}{_ROW_BREAK}" if caption else ""
    tops = (caption_top + header_top, header_top)
    pieces = [(text, row_pages[0]) for text in _split_text(header, budget)]
    for row, on_pages in zip(rows[first:], row_pages[first:], strict=True):
        line = _table_line(row)
        if not line:
            continue
        if pieces:
            text, before = pieces[-1]
            longer = f"{text}{_ROW_BREAK}{line}"
            if budget.fits(longer):
                pieces[-1] = longer, before | on_pages
                continue
        top = next((top for top in tops if budget.fits(top + line)), "")
        texts = [top + line] if top else _split_text(line, budget)
        pieces += [(text, on_pages) for text in texts]
    return pieces


def _pages_of_rows(grid: Grid, pages: PageNumbers) -> list[PageNumbers]:
    """The pages of each row: all of the table's, if its cells name others or fewer."""
    if {cell.page for cell in grid.cells} != pages:
        return [pages] * grid.height
    found: list[set[int]] = [set() for _ in range(grid.height)]
    for cell in grid.cells:
        found[cell.row].add(cell.page)
    # A row may consist of cells that began above.
    for row in range(1, grid.height):
        found[row] = found[row] or found[row - 1]
    return list(map(frozenset, found))


def _table_line(row: Sequence[str]) -> str:
    """A row as a line; "" if no cell has text."""
    cells = [" ".join(replace_symbols(cell).split()) for cell in row]
    return _CELL_BREAK.join(cells) if any(cells) else ""


# --- Short pieces of one section in one chunk ---


def _merge_pieces(pieces: Iterable[_Piece], budget: _Budget) -> Iterator[_Piece]:
    """The pieces, neighbours of one kind joined where they fit."""
    last: _Piece | None = None
    for piece in pieces:
        joined = None if last is None else _join(last, piece)
        if joined is not None and budget.fits(joined.text):
            last = joined
            continue
        if last is not None:
            yield last
        last = piece
    if last is not None:
        yield last


def _join(one: _Piece, other: _Piece) -> _Piece | None:
    """Both pieces as one; None if they differ in kind or belong to the same object."""
    # Pieces of one object were cut because they do not fit together.
    are_cut_apart = one.objects[-1] == other.objects[0]
    if one.kind is not other.kind or are_cut_apart:
        return None
    separator = _ROW_BREAK if one.kind is ChunkKind.CONTENTS else _PARAGRAPH_BREAK
    text = f"{one.text}{separator}{other.text}"
    return _Piece(text, (*one.objects, *other.objects), one.kind, one.pages | other.pages)
