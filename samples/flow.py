"""Slices to pages: page breaks, footnotes at the page's foot, columns, sidebars, running heads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from samples.blocks import Beside, Block, Columns, Directive
from samples.canvas import PAGE_HEIGHT, PAGE_WIDTH, Canvas
from samples.figures import draw_river
from samples.lines import Span, break_lines, text_width
from samples.setting import set_blocks
from samples.sheet import BOTTOM, LEFT, MEASURE, RIGHT, TOP
from samples.slices import Book, Note, Slice, draw_label, draw_line

_GUTTER, _SIDEBAR, _PADDING = 22.0, 158.0, 10.0


@dataclass(frozen=True, slots=True)
class ContentsLine:
    """An entry of the printed table of contents."""

    level: int
    text: str
    label: str


@dataclass(frozen=True, slots=True)
class Furniture:
    """A running head or page number."""

    kind: str
    text: str
    page: int


@dataclass
class Flow:
    """The pages so far and the place where the next slice goes."""

    book: Book
    contents: Sequence[ContentsLine] = ()
    canvases: list[Canvas] = field(default_factory=list)
    order: list[int] = field(default_factory=list)
    furniture: list[Furniture] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    queue: list[Slice] = field(default_factory=list)  # set, but waiting for what they must stay with
    front_pages: int = 0
    contents_at: int = 0  # how many objects come before the printed contents
    y: float = BOTTOM

    def add(self, block: Block) -> None:
        """Set a block and put it on the pages."""
        if isinstance(block, Directive):
            self._obey(block)
        elif isinstance(block, Columns):
            self._place_columns(set_blocks(self.book, block.blocks, (MEASURE - _GUTTER) / 2))
        elif isinstance(block, Beside):
            self._place_beside(block)
        else:
            self.place(set_blocks(self.book, [block], MEASURE))

    def place(self, slices: Sequence[Slice]) -> None:
        """Put slices below each other, going on to new pages."""
        self.queue += slices
        while self.queue:
            group = _first_group(self.queue)
            if group is None:
                return
            del self.queue[: len(group)]
            self._place_group(group)

    def finish(self) -> None:
        """End the last page and draw the running heads and page numbers."""
        self._end_page()
        for number, chapter in enumerate(self._chapters(), start=1):
            if number > 1 or not self.front_pages:
                self._draw_furniture(number, chapter)

    def label(self, page: int) -> str:
        """The printed number of a page."""
        return _roman(page) if page <= self.front_pages else str(page - self.front_pages)

    def new_page(self) -> None:
        """Begin a page."""
        self._end_page()
        self.canvases.append(Canvas())
        self.y = TOP

    def _end_page(self) -> None:
        sheet, y = self.book.sheet, BOTTOM - _notes_height(self.notes, self.book)
        if self.notes:
            self.canvases[-1].path([(LEFT, y + 4), (LEFT + 130, y + 4)], colour="444444", weight=0.5)
            y += 10
        for note in self.notes:
            self._show((note.record,))
            for line in note.lines:
                draw_line(
                    self.canvases[-1], line, LEFT, y, leading=sheet.small_leading, size=sheet.small.size
                )
                y += sheet.small_leading
            y += 2
        self.notes = []

    def _place_group(self, group: Sequence[Slice]) -> None:
        notes = [note for part in group for note in part.notes]
        room = BOTTOM - _notes_height([*self.notes, *notes], self.book) - self.y
        fresh = bool(self.canvases) and self.y == TOP
        if not fresh and (group[0].new_page or _height(group) > room):
            self.new_page()
            if group[0].header:
                self._put(group[0].header, LEFT)
        for part in group:
            self._put(part, LEFT)
        self.notes += notes

    def _put(self, part: Slice, x: float) -> None:
        if self.y > TOP or part.new_page:
            self.y += part.before
        part.draw(self.canvases[-1], x, self.y)
        self.y += part.height
        self._show(part.records)

    def _show(self, records: Sequence[int]) -> None:
        page = len(self.canvases)
        for number in records:
            pages = self.book.records[number].pages
            if not pages:
                self.order.append(number)
            if page not in pages:
                pages.append(page)

    def _place_waiting(self, room: float) -> None:
        """Place what waits to stay with the next block, which needs `room` points."""
        waiting, self.queue = self.queue, []
        if waiting:
            new_page = waiting[0].new_page or BOTTOM - self.y < _height(waiting) + room
            if new_page and self.y > TOP:
                self.new_page()
        for part in waiting:
            self._put(part, LEFT)

    def _place_columns(self, slices: list[Slice]) -> None:
        self._place_waiting(160)
        while slices:
            if BOTTOM - self.y < 140:
                self.new_page()
            room = BOTTOM - self.y - 10
            depth = _balanced_depth(slices, room)
            top, lowest = self.y + 10, self.y
            for column in (0, 1):
                self.y = top
                taken = _fitting(slices, depth)
                for part in slices[:taken]:
                    self._put(part, LEFT + column * ((MEASURE - _GUTTER) / 2 + _GUTTER))
                del slices[:taken]
                lowest = max(lowest, self.y)
            self.y = lowest + 6
            if slices:
                self.new_page()

    def _place_beside(self, block: Beside) -> None:
        sheet = self.book.sheet
        main = set_blocks(self.book, block.main, MEASURE - _SIDEBAR - 16)
        side = set_blocks(self.book, block.side, _SIDEBAR - 2 * _PADDING, small=True)
        depth = max(_height(main), _height(side) + 2 * _PADDING)
        self._place_waiting(depth + 10)
        if BOTTOM - self.y < depth + 10:
            self.new_page()
        self.y += 10 if self.y > TOP else 0
        top = self.y
        box = RIGHT - _SIDEBAR
        self.canvases[-1].rectangle(box, top, _SIDEBAR, _height(side) + 2 * _PADDING, fill=sheet.tint)
        self.canvases[-1].rectangle(box, top, 2.5, _height(side) + 2 * _PADDING, fill=sheet.accent)
        for part in main:
            self._put(part, LEFT)
        self.y = top + _PADDING
        for part in side:
            self._put(part, box + _PADDING)
        self.y = top + depth

    def _obey(self, directive: Directive) -> None:
        if directive.name == "newpage":
            self.new_page()
        elif directive.name == "main":
            self._end_page()
            self.y, self.front_pages = BOTTOM, len(self.canvases)
        elif directive.name == "contents":
            self._place_waiting(60)
            self.contents_at = len(self.order)
            for line in self.contents:
                self.place([self._contents_slice(line)])
        elif directive.name == "cover":
            self._draw_cover([row[0] for row in directive.rows])
        else:
            raise ValueError(f"unknown directive: {directive.name}")

    def _contents_slice(self, entry: ContentsLine) -> Slice:
        sheet = self.book.sheet
        record = self.book.record("contents_entry", f"{entry.text} {entry.label}")
        style = sheet.headings[4 - sheet.chinese].style if entry.level == 1 else sheet.body
        indent = (entry.level - 1) * 18.0
        lines = break_lines([Span(entry.text, style)], MEASURE - indent - 46, flush=False)
        leading = sheet.leading + 1.5

        def draw(canvas: Canvas, x: float, y: float) -> None:
            for row, line in enumerate(lines):
                draw_line(canvas, line, x + indent, y + row * leading, leading=leading, size=style.size)
            baseline = y + (len(lines) - 0.5) * leading + style.size * 0.34
            end = RIGHT - text_width(entry.label, sheet.body)
            draw_label(canvas, entry.label, sheet.body, end, baseline)
            dot = text_width(".", sheet.body)
            dots = int((end - 5 - (x + indent + lines[-1].width + 5)) / dot)
            draw_label(canvas, "." * dots, sheet.body, end - 5 - dots * dot, baseline)

        return Slice(len(lines) * leading, draw, (record,), 7.0 if entry.level == 1 else 0.0)

    def _draw_cover(self, lines: Sequence[str]) -> None:
        sheet = self.book.sheet
        self.canvases.append(Canvas())
        page = self.canvases[-1]
        self.y = BOTTOM
        if sheet.chinese:
            page.rectangle(LEFT, 96, MEASURE, 1.2, fill=sheet.accent)
            page.rectangle(LEFT, 640, MEASURE, 1.2, fill=sheet.accent)
        else:
            page.rectangle(0, 0, PAGE_WIDTH, PAGE_HEIGHT, fill=sheet.accent)
            draw_river(page, 0, 430, PAGE_WIDTH, 284)
        for number, text in enumerate(lines):
            style = sheet.cover if number < 2 else sheet.label
            colour = style.colour if sheet.chinese else "ffffff"
            self._cover_line(
                text, style.size, colour, 190 + (number * 62 if number < 2 else 40 + number * 38)
            )
        self.front_pages = 1

    def _cover_line(self, text: str, size: float, colour: str, baseline: float) -> None:
        style = replace(self.book.sheet.cover, size=size, colour=colour)
        x = LEFT
        if self.book.sheet.chinese:
            x = (PAGE_WIDTH - text_width(text, style)) / 2
        draw_label(self.canvases[-1], text, style, x, baseline)
        self._show((self.book.record("paragraph", text),))

    def _draw_furniture(self, page: int, chapter: str) -> None:
        sheet, canvas = self.book.sheet, self.canvases[page - 1]
        left, right = sheet.company, sheet.report
        verso = (page - self.front_pages * (page > self.front_pages)) % 2 == 0
        if not sheet.chinese:
            left, right = (f"{sheet.company} {sheet.report}", "") if verso else ("", chapter)
        for text, x in ((left, LEFT), (right, RIGHT - text_width(right, sheet.head))):
            if text:
                draw_label(canvas, text, sheet.head, x, 54)
                self.furniture.append(Furniture("header", text, page))
        canvas.path([(LEFT, 60), (RIGHT, 60)], colour="8a9497", weight=0.5)
        label = self.label(page)
        width = text_width(label, sheet.head)
        outside = LEFT if verso else RIGHT - width
        draw_label(canvas, label, sheet.head, (PAGE_WIDTH - width) / 2 if sheet.chinese else outside, 802)
        self.furniture.append(Furniture("page_number", label, page))

    def _chapters(self) -> list[str]:
        """For each page the last heading of the two upper levels that begins on it or before."""
        starts: dict[int, str] = {}
        for record in (self.book.records[number] for number in self.order):
            if record.kind == "heading" and record.level <= 2:
                starts[record.pages[0]] = record.text
        chapters = [""]
        for page in range(1, len(self.canvases) + 1):
            chapters.append(starts.get(page, chapters[-1]))
        return chapters[1:]


def _first_group(queue: Sequence[Slice]) -> list[Slice] | None:
    """The slices up to the first that need not stay with the next; None where the next is still to come."""
    for number, part in enumerate(queue):
        if not part.keep:
            return list(queue[: number + 1])
    return None


def _height(slices: Sequence[Slice]) -> float:
    return sum(part.height + part.before for part in slices)


def _notes_height(notes: Sequence[Note], book: Book) -> float:
    if not notes:
        return 0.0
    return 10 + sum(len(note.lines) * book.sheet.small_leading + 2 for note in notes)


def _fitting(slices: Sequence[Slice], depth: float) -> int:
    """How many slices fit into a column: whole groups only."""
    taken, used = 0, 0.0
    while taken < len(slices):
        group = _first_group(slices[taken:]) or list(slices[taken:])
        used += _height(group)
        if used > depth and taken:
            break
        taken += len(group)
    return taken


def _balanced_depth(slices: Sequence[Slice], room: float) -> float:
    """The least depth at which two columns hold all slices, or the whole room if they do not."""
    depth = _height(slices) / 2
    while depth < room:
        first = _fitting(slices, depth)
        if first + _fitting(slices[first:], depth) == len(slices):
            return depth
        depth += 3
    return room


def _roman(number: int) -> str:
    text = ""
    for value, letters in ((10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i")):
        while number >= value:
            text += letters
            number -= value
    return text
