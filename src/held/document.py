"""The values that flow through `held`: the content of pages and the physical objects recognised on them.

All values are immutable. Lengths are in points. The origin of a box is the top left corner of the page's
crop box, and y points down. Page numbers count from 1.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
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


new_box = partial(tuple.__new__, Box)
"""A box from a tuple, in half the time of calling the class. Pages have thousands of them."""


class Boxed(Protocol):
    """Anything with the four sides of a box: a run, a line, a rule …"""

    @property
    def x0(self) -> float: ...
    @property
    def y0(self) -> float: ...
    @property
    def x1(self) -> float: ...
    @property
    def y1(self) -> float: ...


def bounding_box(pieces: Sequence[Boxed]) -> Box:
    """The smallest box that contains all pieces; there must be at least one."""
    if len(pieces) == 1:
        (only,) = pieces
        return new_box((only.x0, only.y0, only.x1, only.y1))
    # Lists, not generators: this is called very often, and a comprehension is faster.
    x0 = min([piece.x0 for piece in pieces])
    y0 = min([piece.y0 for piece in pieces])
    x1 = max([piece.x1 for piece in pieces])
    y1 = max([piece.y1 for piece in pieces])
    return new_box((x0, y0, x1, y1))


# --- Pages: what a PDF reader sees ---


class Style(NamedTuple):
    """The style of a text.

    `bold` is inferred from the font's name or from stroked glyphs. `colour` is rrggbb. `upright` is False for
    text that is turned on the page. `underlined` is set on objects only: a run does not include the stroke
    below it.
    """

    font: str = ""
    size: float = 0.0
    colour: str = "000000"
    bold: bool = False
    italic: bool = False
    render_mode: int = 0
    upright: bool = True
    underlined: bool = False


DEFAULT_STYLE = Style()


class Run(NamedTuple):
    """Text on one line, in one style, mostly without a wide gap. `style` is an index into `Pages.styles`.

    `words` are the boxes of its words, in the order of `text.split()`. The reader measures them on pages that
    may hold tables only, and they are empty for a single word.
    """

    x0: float
    y0: float
    x1: float
    y1: float
    style: int
    text: str
    words: tuple[Box, ...] = ()


class OutlineEntry(NamedTuple):
    """A bookmark.

    `level` and `page` count from 1; `page` is None without a destination. `y` is the distance from the top
    of the page as a viewer shows it.
    """

    level: int
    title: str
    page: int | None
    y: float | None


class Note(NamedTuple):
    """A warning about a page, or about the whole file where `page` is None."""

    page: int | None
    message: str


class Metadata(NamedTuple):
    """Title, authors, language and date of a document; empty where they are not known.

    `language` is a BCP 47 code such as "en", `date` an ISO 8601 date. For `Pages` this is what the file
    declares, which is often wrong; for a `Document` it is what the printed pages confirm.
    """

    title: str = ""
    authors: tuple[str, ...] = ()
    language: str = ""
    date: str = ""


NO_METADATA = Metadata()


@dataclass(frozen=True, slots=True)
class PageContent:
    """The content of one page, as a PDF reader returns it.

    `rules` are thin lines and drawn boxes, `images` are the boxes of bitmaps. `fields` is the text of form
    fields and free-text annotations, which lies on top of the page. `turn` is not 0 for scans that lie on
    their side or upside down: the content lies on the page after so many degrees clockwise.
    """

    width: float
    height: float
    runs: tuple[Run, ...] = ()
    rules: tuple[Box, ...] = ()
    images: tuple[Box, ...] = ()
    fields: tuple[Run, ...] = ()
    rotation: int = 0
    label: str | None = None
    turn: int = 0


@dataclass(frozen=True, slots=True)
class Pages:
    """The pages of a file as a PDF reader finds them, before anything is recognised.

    `lost` has the numbers of pages that could not be read; they are empty, and the notes give the reason.
    `recognised` has those whose text an OCR engine has read, and `unread` those with images or drawings of
    text that none has read.
    """

    source: str
    styles: tuple[Style, ...]
    pages: tuple[PageContent, ...]
    outline: tuple[OutlineEntry, ...] = ()
    notes: tuple[Note, ...] = ()
    first_page: int = 1  # the number of pages[0]; more than 1 if only a range was read
    lost: tuple[int, ...] = ()
    recognised: tuple[int, ...] = ()
    unread: tuple[int, ...] = ()
    metadata: Metadata = NO_METADATA


# --- Physical objects: what the layout recognises ---


class Kind(StrEnum):
    """The kind of a physical object.

    HEADING comes only from a source that declares it, such as tags or another layout engine. Our own layout
    analysis calls a heading a paragraph, and the heading classifier decides. Model features index kinds by
    their order here: add a new one at the end.
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
    SUBTITLE = "subtitle"  # a line of a section's opening that is not its title: author, period, subtitle


FURNITURE = frozenset({Kind.HEADER, Kind.FOOTER, Kind.PAGE_NUMBER, Kind.WATERMARK, Kind.MARGIN})


_NOTE_SIGNS = frozenset("*∗†‡§¶")
_MIN_WORD_BEFORE_MARK = 4  # letters: units and variables, which have exponents, are shorter


class PageRegion(NamedTuple):
    """A box on a page."""

    page: int
    box: Box


class Mark(StrEnum):
    """A difference of a stretch of text from the rest of its object."""

    BOLD = "bold"
    ITALIC = "italic"
    SUPERSCRIPT = "superscript"
    SUBSCRIPT = "subscript"


class Span(NamedTuple):
    """A marked stretch of an object's text, from the character at `start` up to, not including, `end`.

    `note` is the name of the footnote that the stretch refers to, or empty if it is not a reference.
    """

    start: int
    end: int
    mark: Mark
    note: str = ""


class TableCell(NamedTuple):
    """A table cell with text: its first row and column (from 0), how many it spans, and its box on a page.

    `header` is True for a cell that names a column, or a group of columns if it spans several.
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
    """The structure of a table, beyond the text of its rows.

    `cells` has the cells with text, row by row; the rest of the grid is empty. `caption`, `unit` ("in
    millions") and `notes` are texts around the table that refer to it. A table is `doubtful` if its rows or
    columns may be wrong, and `doubts` has the reasons; its text is in order all the same.
    """

    cells: tuple[TableCell, ...] = ()
    caption: str = ""
    unit: str = ""
    notes: tuple[str, ...] = ()
    doubtful: bool = False
    doubts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PhysicalObject:
    """A paragraph, table, figure …, with its text and format.

    parts           one region per column or page that the object occupies, in reading order
    style           the style of most of its characters
    indent          distance of its first line from the column's left edge
    gap_above       white space to the neighbour above in the column; None at the column's end
    gap_below       the same below
    relative_size   font size divided by the size of the document's body text
    rows            a table's cell texts, that of a spanning cell where it begins; for a contents entry one
                    row, its title and its printed page number
    table           a table's structure, if known
    spans           stretches of text that are set differently, by their starts
    note            the name of a footnote, unique in the document; spans refer to it
    """

    kind: Kind
    text: str
    parts: tuple[PageRegion, ...]
    style: Style = DEFAULT_STYLE
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

    @property
    def title(self) -> str:
        """The text of a heading: on one line, without the raised marks that refer to notes."""
        text = self.text
        for span in reversed(self.spans):
            if span.mark is Mark.SUPERSCRIPT and _refers_to_note(span, text):
                text = text[: span.start] + text[span.end :]
        return " ".join(text.split())

    def _repr_html_(self) -> str:
        """The HTML that notebooks display: a table for a table, otherwise text."""
        from html import escape  # slow to import, and only notebooks need it

        from held.system.console import printable

        if not self.rows:
            return f"<p><small>{self.kind}, page {self.page}</small><br>{escape(printable(self.text))}</p>"
        rows = ("".join(f"<td>{escape(printable(cell))}</td>" for cell in row) for row in self.rows)
        return "<table>" + "".join(f"<tr>{row}</tr>" for row in rows) + "</table>"


def _refers_to_note(span: Span, text: str) -> bool:
    """Whether raised text refers to a note, as in "By the numbers¹"; exponents follow symbols, not words."""
    mark = text[span.start : span.end].strip()
    if span.note or set(mark) <= _NOTE_SIGNS:
        return True
    before = text[max(0, span.start - _MIN_WORD_BEFORE_MARK) : span.start]
    return mark.isdecimal() and len(before) == _MIN_WORD_BEFORE_MARK and before.isalpha()


# --- The document ---


class PageSize(NamedTuple):
    """The size of a page, and its label (i, ii, 1 …) if the file has one."""

    width: float
    height: float
    label: str | None = None


@dataclass(frozen=True, slots=True)
class Document:
    """The physical objects of a document in reading order.

    `furniture` (running heads and feet, page numbers, watermarks, margin marks) is kept apart from the
    objects. `lost` has the numbers of pages that could not be read; their objects are missing. `recognised`
    has those whose text an OCR engine has read.
    """

    source: str
    pages: tuple[PageSize, ...]
    objects: tuple[PhysicalObject, ...]
    furniture: tuple[PhysicalObject, ...] = ()
    body: Style = DEFAULT_STYLE
    notes: tuple[Note, ...] = ()
    first_page: int = 1
    lost: tuple[int, ...] = ()
    recognised: tuple[int, ...] = ()
    metadata: Metadata = NO_METADATA

    @property
    def status(self) -> str:
        """`done`, or `partial` if pages are lost."""
        return "partial" if self.lost else "done"


def body_style(weighted_styles: Iterable[tuple[Style, int]]) -> Style:
    """The style of most characters, which is that of the running text."""
    totals: dict[Style, int] = {}
    for style, characters in weighted_styles:
        totals[style] = totals.get(style, 0) + characters
    return max(totals, key=totals.__getitem__) if totals else DEFAULT_STYLE
