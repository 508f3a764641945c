"""A document as chunks for retrieval: each within one section, no longer than asked for, with its path.

A chunk's text is that of the section's own objects. The titles of the headings above it stand in its path,
not in its text: whoever embeds it takes `in_context`. Tokens are counted by whatever the caller gives; the
default is an estimate.
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
from held.exports.symbols import readable
from held.hierarchy.hierarchy import Hierarchy
from held.layout.tables.logical_grid import Grid, grid_of
from held.layout.tables.surroundings import around_tables
from held.system.json_values import escape_controls

Count = Callable[[str], int]
"""How many tokens a text has."""

MAX_TOKENS = 400

_CJK = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"
_TOKENS = re.compile(rf"[{_CJK}]|\d{{1,3}}|[^\W\d{_CJK}]{{1,6}}|[^\w\s]")

# Where a text may be cut, from the best place to the last resort: between sentences, clauses, words, and
# Chinese characters. A cut stands between characters, so that no character is lost.
_CUTS = (
    re.compile(
        r"(?<=[.!?]\s)(?![a-z\d])|(?<=[.!?][\"'”’)\]]\s)|(?<=[。！？\n])(?![”’」』）])|(?<=[。！？][”’」』）])"
    ),
    re.compile(r"(?<=[,;:]\s)|(?<=[，、；：])"),
    re.compile(r"(?<=\s)(?=\S)"),
    re.compile(rf"(?<=[{_CJK}])|(?=[{_CJK}])"),
)
_PARAGRAPHS, _ROWS, _CELLS = "\n\n", "\n", " | "


class ChunkKind(StrEnum):
    """What a chunk is made of: running text, a table, words in a figure, or printed contents."""

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


def chunks(hierarchy: Hierarchy, *, max_tokens: int = MAX_TOKENS, count: Count | None = None) -> list[Chunk]:
    """The chunks of a document in reading order, none across sections, none longer than `max_tokens`.

    Only a word that is longer by itself makes a longer chunk. `count` says how many tokens a text has.
    """
    if isinstance(hierarchy, str | bytes | os.PathLike):
        raise UsageError("chunks are made of a document, not of a file", advice="give held.extract(file)")
    if max_tokens < 1:
        raise UsageError(f"chunks of {max_tokens} tokens hold nothing", advice="give 1 or more")
    measure = _Measure(max_tokens, count or estimated_tokens)
    objects, paths = hierarchy.document.objects, hierarchy.tree.paths()
    titles = {heading: " ".join(objects[heading].text.split()) for heading in hierarchy.headings}
    captions = {index: around.caption for index, around in around_tables(objects).items()}
    found: list[Chunk] = []
    for section, members in _sections(hierarchy):
        path = tuple(titles[above] for above in paths.get(section, ()) if above in titles)
        pieces = _merged(_pieces(objects, members, captions, measure), measure)
        found += [_chunk(piece, path, section, measure) for piece in pieces]
    return found


def to_json_lines(hierarchy: Hierarchy, *, max_tokens: int | None = None) -> str:
    """The chunks as JSON, one a line, with the document's name: what search systems take in."""
    found = chunks(hierarchy, max_tokens=max_tokens or MAX_TOKENS)
    source = hierarchy.document.source
    lines = (
        escape_controls(json.dumps({"source": source, **asdict(chunk)}, ensure_ascii=False))
        for chunk in found
    )
    return "".join(f"{line}\n" for line in lines)


def estimated_tokens(text: str) -> int:
    """About how many tokens a language model makes of a text, rather too many than too few.

    A Chinese character or a mark is one, a word one for each six letters, a number one for each three digits.
    """
    return len(_TOKENS.findall(text))


@dataclass(frozen=True, slots=True)
class _Measure:
    most: int
    count: Count

    def fits(self, text: str) -> bool:
        return self.count(text.strip()) <= self.most


@dataclass(frozen=True, slots=True)
class _Piece:
    """Text of one object, or of several that follow each other, and the pages that it stands on."""

    text: str
    objects: tuple[int, ...]
    kind: ChunkKind
    pages: frozenset[int]


def _sections(hierarchy: Hierarchy) -> Iterator[tuple[int, list[int]]]:
    """Each section with its own objects in reading order; a heading without any text below it has itself."""
    children, objects, headings = hierarchy.tree.children(), hierarchy.document.objects, hierarchy.headings

    def speaks(obj: int) -> bool:
        return obj in headings or bool(objects[obj].text.strip() or any(map(any, objects[obj].rows)))

    placed = [
        (obj if obj in headings else parent, obj)
        for obj, parent in hierarchy.tree.parents().items()
        if obj not in headings or not any(map(speaks, children[obj]))
    ]
    for section, members in groupby(placed, key=itemgetter(0)):
        yield section, [obj for _, obj in members]


def _pieces(
    objects: Sequence[PhysicalObject],
    members: Sequence[int],
    captions: Mapping[int, str],
    measure: _Measure,
) -> Iterator[_Piece]:
    """The text of the objects in pieces that fit; `captions` are those of tables, by the table's index."""
    for place, index in enumerate(members):
        item = objects[index]
        kind = _KINDS.get(item.kind, ChunkKind.TEXT)
        if item.kind is Kind.CAPTION and place + 1 < len(members):
            kind = _KINDS.get(objects[members[place + 1]].kind, kind)  # goes with the table below it
        pages = frozenset(part.page for part in item.parts)
        if item.kind is Kind.TABLE and item.rows:
            texts = _table(grid_of(item), readable(captions.get(index, "")), pages, measure)
        else:
            texts = [(text, pages) for text in _split(readable(item.text), measure)]
        yield from (_Piece(text, (index,), kind, standing) for text, standing in texts)


def _split(text: str, measure: _Measure, cuts: Sequence[re.Pattern[str]] = _CUTS) -> list[str]:
    """The text in pieces that fit, cut in the best places."""
    text = text.strip()
    if not text:
        return []
    if not cuts or measure.fits(text):
        return [text]
    pieces: list[str] = []
    for atom in cuts[0].split(text):
        if pieces and measure.fits((pieces[-1] + atom).strip()):
            pieces[-1] += atom
        else:
            pieces += [atom] if measure.fits(atom) else _split(atom, measure, cuts[1:])
    return [piece.strip() for piece in pieces if piece.strip()]


def _table(
    grid: Grid, caption: str, pages: frozenset[int], measure: _Measure
) -> list[tuple[str, frozenset[int]]]:
    """The table in pieces that fit, its caption and head at the top of each that has room for them.

    With each piece the pages of its rows come, or `pages`, those of the table, where its cells do not tell.
    """
    rows = grid.rows_alone()
    first = grid.head or 1
    # A deep head is one line with the full name of each column.
    name = _table_line(grid.names() if grid.head else rows[0])
    standing = _pages_of_rows(grid, pages)
    below = zip(map(_table_line, rows[first:]), standing[first:], strict=True)
    # What may stand over the rows of a further piece, the best first.
    stacks = ((caption, name), (name,), ())
    tops = ["".join(f"{line}{_ROWS}" for line in stack if line) for stack in stacks]
    pieces = [(text, standing[0]) for text in _split(name, measure)]
    for line, on in below:
        if not line:
            continue
        if pieces and measure.fits(f"{pieces[-1][0]}{_ROWS}{line}"):
            text, before = pieces[-1]
            pieces[-1] = f"{text}{_ROWS}{line}", before | on
        else:
            top = next((top for top in tops if measure.fits(top + line)), "")
            pieces += [(text, on) for text in ([top + line] if top else _split(line, measure))]
    return pieces


def _pages_of_rows(grid: Grid, pages: frozenset[int]) -> list[frozenset[int]]:
    """The pages that each row stands on: all of the table's, where its cells name others or fewer."""
    if {cell.page for cell in grid.cells} != pages:
        return [pages] * grid.height
    found: list[set[int]] = [set() for _ in range(grid.height)]
    for cell in grid.cells:
        found[cell.row].add(cell.page)
    for place in range(1, grid.height):  # a row may have nothing but cells that began above
        found[place] = found[place] or found[place - 1]
    return list(map(frozenset, found))


def _table_line(row: Sequence[str]) -> str:
    """A row as a line; empty where no cell has text."""
    cells = [" ".join(readable(cell).split()) for cell in row]
    return _CELLS.join(cells) if any(cells) else ""


def _merged(pieces: Iterable[_Piece], measure: _Measure) -> Iterator[_Piece]:
    """The pieces with neighbours of one kind together where they fit."""
    last: _Piece | None = None
    for piece in pieces:
        together = None if last is None else _together(last, piece)
        if together is not None and measure.fits(together.text):
            last = together
        else:
            if last is not None:
                yield last
            last = piece
    if last is not None:
        yield last


def _together(one: _Piece, other: _Piece) -> _Piece | None:
    """Both pieces as one, unless they are of different kinds or pieces of the same object."""
    if one.kind is not other.kind or one.objects[-1] == other.objects[0]:
        return None
    join = _ROWS if one.kind is ChunkKind.CONTENTS else _PARAGRAPHS
    text = f"{one.text}{join}{other.text}"
    return _Piece(text, (*one.objects, *other.objects), one.kind, one.pages | other.pages)


def _chunk(piece: _Piece, path: tuple[str, ...], section: int, measure: _Measure) -> Chunk:
    pages, tokens = tuple(sorted(piece.pages)), measure.count(piece.text)
    return Chunk(piece.text, path, section, pages, piece.objects, piece.kind, tokens)
