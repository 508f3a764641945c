"""The values that flow through `held`: what a page shows, and the physical objects recognised on it.

All are immutable. Lengths are points, boxes have their origin at the top left of the page's crop box
with y pointing down, pages count from 1. The JSON forms live in `held.serial`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple, Protocol


class Box(NamedTuple):
    """A rectangle in points."""

    x0: float
    y0: float
    x1: float
    y1: float

    @property
    def width(self) -> float:
        return self.x1 - self.x0

    @property
    def height(self) -> float:
        return self.y1 - self.y0


class Boxed(Protocol):
    """Anything that stands on a page: a run, a line, a rule …"""

    @property
    def x0(self) -> float: ...
    @property
    def y0(self) -> float: ...
    @property
    def x1(self) -> float: ...
    @property
    def y1(self) -> float: ...


def around(pieces: Sequence[Boxed]) -> Box:
    """The smallest box that holds all pieces; there must be one."""
    if len(pieces) == 1:
        (piece,) = pieces
        return Box(piece.x0, piece.y0, piece.x1, piece.y1)
    return Box(
        min([piece.x0 for piece in pieces]),
        min([piece.y0 for piece in pieces]),
        max([piece.x1 for piece in pieces]),
        max([piece.y1 for piece in pieces]),
    )


@dataclass(frozen=True, slots=True)
class Style:
    """How text is set. `bold` is judged by font name or by stroked glyphs; `colour` is rrggbb.

    `underlined` is known of objects alone: runs do not tell of the strokes below them.
    """

    font: str = ""
    size: float = 0.0
    colour: str = "000000"
    bold: bool = False
    italic: bool = False
    render_mode: int = 0
    upright: bool = True
    underlined: bool = False


class Run(NamedTuple):
    """Text on one line in one style without a wide gap. `style` indexes the styles of its `Pages`."""

    x0: float
    y0: float
    x1: float
    y1: float
    style: int
    text: str


class OutlineEntry(NamedTuple):
    """A bookmark: level and page from 1 (None: no destination), y in points below the viewed page's top."""

    level: int
    title: str
    page: int | None
    y: float | None


class Note(NamedTuple):
    """Something that went wrong without stopping the work; without a page it concerns the whole file."""

    page: int | None
    message: str


@dataclass(frozen=True, slots=True)
class PageContent:
    """What a PDF reader sees on one page.

    `rules` are thin lines and drawn boxes, `images` the boxes of bitmaps. `fields` is text that form
    fields and free-text annotations show on top of the page.
    """

    width: float
    height: float
    runs: tuple[Run, ...] = ()
    rules: tuple[Box, ...] = ()
    images: tuple[Box, ...] = ()
    fields: tuple[Run, ...] = ()
    rotation: int = 0
    label: str | None = None


@dataclass(frozen=True, slots=True)
class Pages:
    """A document as its reader sees it: pages of runs, rules and images.

    `lost` are the numbers of pages that could not be read and stand empty; the notes say why.
    """

    source: str
    styles: tuple[Style, ...]
    pages: tuple[PageContent, ...]
    outline: tuple[OutlineEntry, ...] = ()
    notes: tuple[Note, ...] = ()
    first_page: int = 1  # the number of pages[0]: more than 1 where a range was read
    lost: tuple[int, ...] = ()


class Kind(StrEnum):
    """What a physical object is.

    HEADING is only ever said by a source that knows it (tags, another layout engine): the recogniser
    calls a heading a paragraph, and the heading step decides. Models know a kind by its place in this list:
    a new one goes to the end.
    """

    PARAGRAPH = "paragraph"
    HEADING = "heading"
    LIST_ITEM = "list_item"
    CONTENTS_ENTRY = "contents_entry"
    CAPTION = "caption"
    FOOTNOTE = "footnote"
    FORMULA = "formula"
    TABLE = "table"
    FIGURE = "figure"
    HEADER = "header"
    FOOTER = "footer"
    PAGE_NUMBER = "page_number"
    WATERMARK = "watermark"
    MARGIN = "margin"
    CODE = "code"


FURNITURE = frozenset({Kind.HEADER, Kind.FOOTER, Kind.PAGE_NUMBER, Kind.WATERMARK, Kind.MARGIN})


class Part(NamedTuple):
    """Where a piece of an object stands."""

    page: int
    box: Box


class Mark(StrEnum):
    """How a stretch of an object's text is set apart from the rest of it."""

    BOLD = "bold"
    ITALIC = "italic"
    SUPERSCRIPT = "superscript"
    SUBSCRIPT = "subscript"


class Span(NamedTuple):
    """A stretch of an object's text that is set apart: from the character at `start` to the one before `end`.

    `note` names the footnote that the stretch refers to; it is empty where it is no reference.
    """

    start: int
    end: int
    mark: Mark
    note: str = ""


class TableCell(NamedTuple):
    """A cell with text: its first row and column, from 0, how many it spans, and where it stands.

    `header` tells that it names columns (or, spanning, groups of them) rather than being one of their values.
    """

    row: int
    column: int
    text: str
    row_span: int = 1
    column_span: int = 1
    header: bool = False
    page: int = 1
    box: Box = Box(0.0, 0.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True)
class TableStructure:
    """What is known of a table besides the text of its rows.

    `cells` are those with text, row by row; what none covers is empty. `caption`, `unit` ("in millions") and
    `notes` are the texts of what stands around the table and speaks of it. A table is `doubtful` where its
    rows or columns could as well be others; its text is in order all the same.
    """

    cells: tuple[TableCell, ...] = ()
    caption: str = ""
    unit: str = ""
    notes: tuple[str, ...] = ()
    doubtful: bool = False


@dataclass(frozen=True, slots=True)
class PhysicalObject:
    """A paragraph, table, figure …, with its text and format.

    `parts` has one entry for each column or page that the object stands in, in reading order. `style` is
    the style of most of its characters. `indent` is the distance of its first line from the column's
    left edge; gaps are the white space to the neighbours in the column, None at the column's ends.
    `relative_size` is the font size over the document's body size. `rows` holds the text of a
    table's cells, that of a spanning cell where it begins; for a contents entry one row, its title and its
    printed page number. `table` has a table's structure where it is known. `spans` tell where the text is
    set otherwise than most of it, in the order of their starts. `note` is the name of a footnote, its own in
    the document, by which spans refer to it.
    """

    kind: Kind
    text: str
    parts: tuple[Part, ...]
    style: Style = Style()
    centred: bool = False
    indent: float = 0.0
    caps: bool = False
    lines: int = 1
    gap_above: float | None = None
    gap_below: float | None = None
    column: int = 0
    relative_size: float = 1.0
    rows: tuple[tuple[str, ...], ...] = ()
    table: TableStructure | None = None
    spans: tuple[Span, ...] = ()
    note: str = ""

    @property
    def page(self) -> int:
        """The page on which the object begins."""
        return self.parts[0].page

    @property
    def box(self) -> Box:
        """The box of the object's first part."""
        return self.parts[0].box

    def _repr_html_(self) -> str:
        """What notebooks show: a table as one, all else as text."""
        from html import escape  # with a table of two thousand names, which commands do without

        if not self.rows:
            return f"<p><small>{self.kind}, page {self.page}</small><br>{escape(self.text)}</p>"
        rows = ("".join(f"<td>{escape(cell)}</td>" for cell in row) for row in self.rows)
        return "<table>" + "".join(f"<tr>{row}</tr>" for row in rows) + "</table>"


class PageSize(NamedTuple):
    """A page's measures and its printed label (i, ii, 1 …) where the file has one."""

    width: float
    height: float
    label: str | None = None


@dataclass(frozen=True, slots=True)
class Document:
    """The physical objects of a document in reading order.

    `furniture` (running heads and feet, page numbers, watermarks, margin marks) is no part of the
    objects but stays reachable. `lost` are the numbers of pages that could not be read, and whose objects
    are missing.
    """

    source: str
    pages: tuple[PageSize, ...]
    objects: tuple[PhysicalObject, ...]
    furniture: tuple[PhysicalObject, ...] = ()
    body: Style = field(default_factory=Style)
    notes: tuple[Note, ...] = ()
    first_page: int = 1
    lost: tuple[int, ...] = ()

    @property
    def status(self) -> str:
        """`done`, or `partial` where pages are lost."""
        return "partial" if self.lost else "done"


def body_style(weighted_styles: Iterable[tuple[Style, int]]) -> Style:
    """The style that sets most characters: what the document's running text looks like."""
    totals: dict[Style, int] = {}
    for style, characters in weighted_styles:
        totals[style] = totals.get(style, 0) + characters
    return max(totals, key=totals.__getitem__) if totals else Style()
