"""The text runs of a page: pieces of one line, in one style and without a wide gap, with their boxes.

Each question to PDFium costs a call, and a page has thousands of characters. So the text is fetched at once,
a line is halved only while its ends belong to different text objects, boxes are fetched at the ends of such
pieces, and the style once per text object. Lengths are whole tenths of a point, which are exact to compare
and cheap to send to another process.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from ctypes import byref, c_char, c_int, c_uint, c_void_p, create_string_buffer, memmove
from functools import lru_cache
from math import hypot
from struct import calcsize, unpack

from held.reading.letter_spacing import LETTER_SPACED, close_letter_spacing
from held.reading.pdfium import Floats8, Handle, Pointer, float_reader, library, pointer_to, unchecked
from held.reading.raw_page import (
    FIRST_UNMAPPED,
    MAX_COORDINATE,
    RIGHT_TO_LEFT,
    SUBSET_PREFIX,
    UNITS_PER_POINT,
    PageBox,
    RawBox,
    RawRun,
    RawStyle,
    RawWords,
    StyleTable,
)
from held.system import lazy_pattern

# x0, top, x1, bottom, style, first character, the one after the last
Piece = tuple[float, float, float, float, int, int, int]
Span = tuple[int, int, Handle]  # first character, the one after the last, text object
StyleIndex = Callable[[Handle, int, bytes], int]

# Shares of a piece's height.
MAX_GAP = 1.2
MAX_SPACE = 0.45  # a wider gap may lie between two cells
MAX_STEP_BACK = 1.0  # further back is another line or cell
MIN_HEIGHT = 4.0  # points: a piece that begins and ends with an inserted space has no height
OVERHANG = 1.0  # points that a run may lie outside the page

# Signs of a table, on a page: numbers side by side, and pieces that are wide for their characters.
NUMBERS_SIDE_BY_SIDE = lazy_pattern(r"[\d%)]\s+[^\w\s]{0,2}\d")
MIN_GAPPED_CHARACTER = 0.6  # a character with its share of the gaps, in heights of a piece
MIN_TABULAR_PIECES = 3
WORD = lazy_pattern(r"\S+")

# In right-to-left text: a number, and an item's number that comes as ".1 " instead of "1. ".
FIGURES = lazy_pattern(r"\d[\d.,/]*(?<=\d)")
STOP_AND_NUMBER = lazy_pattern(r"^([.:])(\d+)(?= )")

# PDFium writes a hyphen at a line's end as U+FFFE or U+0002, with no line break after it. U+FFFE also stands
# for a glyph that the file maps to U+0000, as older versions of Chromium do with ligatures.
LINE = lazy_pattern("[^\r\n\ufffe\x02]+[\ufffe\x02]?")
HYPHENS = "\ufffe\x02"

# What PDFium returns for a glyph without a Unicode value is its code, which is seldom that of a letter.
# Outside of words U+0002 is a hyphen or a large bracket, as below.
MAYBE_UNMAPPED = lazy_pattern(r"[\x00\x01\x03-\x08\x0e-\x1f\x7f-\xbf\ufffe]|(?<=[^\W\d_])\x02(?=[^\W\d_])")
MAYBE_ZERO = "\x00\ufffe"
BOLD_NAME = re.compile(
    r"bold|bld|black|blk|heavy|demi|medi(?!um)|simhei|黑体|heiti|ptmb"
    r"|^(?:CM|SF|EC|LM)(?:SS)?B[XI]|^SFSX|^Lin\w+T[BZ]",
    re.IGNORECASE,
)
ITALIC_NAME = re.compile("italic|oblique", re.IGNORECASE)
ITALIC_FLAG = 1 << 6  # of the font descriptor: ISO 32000-1, table 123
FORCE_BOLD_FLAG = 1 << 18
FILL_AND_STROKE = 2  # text rendering mode that fakes a bold font: ISO 32000-1, table 106
SLANT = 0.1  # of the height: glyphs that are sheared more are italic
ROTATED = 0.001  # of the size: a matrix that rotates less only has rounding errors
LAST_CODE_POINT = 0x10FFFF  # PDFium returns more for a glyph without a Unicode value
COLOUR_BYTE = 0xFF

# PDFium's values for a text object, one after the other: red, green, blue, alpha, size, the matrix a b c d,
# which all belong to the style, and e f, which differ for each object.
VALUE_BYTES = 4
STYLE_FORMAT = "4I5f"
RED, GREEN, BLUE, ALPHA, SIZE, MATRIX = (VALUE_BYTES * index for index in range(6))
COLOUR_BYTES = SIZE
STYLE_BYTES = calcsize(STYLE_FORMAT)
BUFFER_BYTES = STYLE_BYTES + 2 * VALUE_BYTES
BLACK = bytes(COLOUR_BYTES)
NAME_BYTES = 512  # longer font names are cut
MAX_CACHED_STYLES = 4096  # more than any document has

# One buffer for all boxes and one for all names: only one thread uses PDFium.
_name = create_string_buffer(NAME_BYTES)
_boxes = Floats8()
FIRST, LAST = byref(_boxes), byref(_boxes, 4 * VALUE_BYTES)
first_box, both_boxes = float_reader(_boxes, 4), float_reader(_boxes, 8)

_text_object = unchecked("FPDFText_GetTextObject", c_void_p)
_unicode = unchecked("FPDFText_GetUnicode", c_uint)
_has_map_error = unchecked("FPDFText_HasUnicodeMapError", c_int)
_char_box = unchecked("FPDFText_GetLooseCharBox", None)
_matrix = unchecked("FPDFText_GetMatrix", None)
_fill_colour = unchecked("FPDFPageObj_GetFillColor", c_int)
_font = unchecked("FPDFTextObj_GetFont", c_void_p)
_font_size = unchecked("FPDFTextObj_GetFontSize", None)
_render_mode = unchecked("FPDFTextObj_GetTextRenderMode", c_int)


def read_runs(
    text_page: Handle, page_box: PageBox, style_index: StyleIndex
) -> tuple[list[RawRun], RawWords, dict[Handle, int]]:
    """The runs of a page in PDFium's order, their words, and the page's text objects with their styles."""
    text, has_no_surrogates = read_text(text_page)
    pointer = pointer_to(text_page)
    if MAYBE_UNMAPPED.search(text):
        text = _mark_unmapped(pointer, text)
    style_of_object: dict[Handle, int] = {}
    lines = [split_by_object(pointer, *line.span()) for line in LINE.finditer(text)]
    gapped: set[int] = set()
    pieces = _join_spans(pointer, lines, _style_reader(pointer, style_index), style_of_object, gapped)
    is_rtl = RIGHT_TO_LEFT.search(text) is not None
    if is_rtl:
        text = _reverse_rtl_pieces(pointer, pieces, text)
    pieces = _visible_pieces(pieces, text, page_box)
    runs = _make_runs(pieces, text, page_box)
    # In right-to-left text the order of the characters isn't that of their boxes.
    words = {} if is_rtl else _read_words(pointer, pieces, text, page_box, gapped)
    if LETTER_SPACED.search(text):
        _close_letter_spacing(pointer, pieces, runs, words)
    if not has_no_surrogates:
        runs = [(*run[:5], join_surrogates(run[5])) for run in runs]
    return runs, words, style_of_object


def read_text(text_page: Handle) -> tuple[str, bool]:
    """The page's text, one character per PDFium index, and whether it is free of surrogates."""
    count = library.FPDFText_CountChars(text_page)
    if count <= 0:
        return "", True
    buffer = create_string_buffer(2 * count + 2)
    written = library.FPDFText_GetText(text_page, 0, count, buffer) - 1
    if written == count:
        try:
            text = buffer.raw[: 2 * count].decode("utf-16-le")
            if len(text) == count:
                return text, True
        except UnicodeDecodeError:
            pass
    # The text leaves out characters without a Unicode value: only single queries keep the indices right.
    pointer = pointer_to(text_page)
    characters = []
    for index in range(count):
        code = _unicode(pointer, index)
        characters.append(chr(code) if code <= LAST_CODE_POINT else "\ufffd")
    return "".join(characters), False


def _mark_unmapped(text_page: Pointer, text: str) -> str:
    """The text with the codes of glyphs without a Unicode value moved to a private plane."""

    def mark(match: re.Match[str]) -> str:
        if match[0] in MAYBE_ZERO:
            return chr(FIRST_UNMAPPED) if _unicode(text_page, match.start()) == 0 else match[0]
        is_unmapped = _has_map_error(text_page, match.start()) == 1
        return chr(FIRST_UNMAPPED + ord(match[0])) if is_unmapped else match[0]

    return MAYBE_UNMAPPED.sub(mark, text)


def join_surrogates(text: str) -> str:
    """The text with pairs of surrogates joined; the rest of them is replaced."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def split_by_object(text_page: Pointer, start: int, end: int) -> list[Span]:
    """Split a line into spans of one text object each; spaces that PDFium inserts belong to none.

    Spans are found by halving, so one object can have several spans:

        objects of the characters    a a a b b b b b
        halved at 4, at 2 and at 3   a a|a|b|b b b b
    """
    first = _text_object(text_page, start)
    last = _text_object(text_page, end - 1)
    if first == last and first is not None:
        return [(start, end, first)]
    spans: list[Span] = []
    waiting: list[tuple[int, Handle | None, int, Handle | None]] = []
    while True:
        while first is None and start < end - 1:
            start += 1
            first = _text_object(text_page, start)
        while last is None and start < end - 1:
            end -= 1
            last = _text_object(text_page, end - 1)
        if first == last:
            if first is not None:
                spans.append((start, end, first))
            if not waiting:
                return spans
            start, first, end, last = waiting.pop()
        else:
            middle = (start + end) // 2
            after = last if middle == end - 1 else _text_object(text_page, middle)
            waiting.append((middle, after, end, last))
            end = middle
            last = first if start == end - 1 else _text_object(text_page, end - 1)


def _join_spans(
    text_page: Pointer,
    lines: list[list[Span]],
    style_of: Callable[[Handle, int], int],
    style_of_object: dict[Handle, int],
    gapped: set[int],
) -> list[Piece]:
    """Join neighbouring spans of a line in one style, unless a wide gap or a step back separates them.

    On pages that PDFium reads from top to bottom, a running head and the page number far below it can be one
    line. So gaps downwards and upwards count, too, except between spans that begin at the same x: rotated and
    vertical text.

    The first characters of pieces with a gap wider than a space are added to `gapped`.
    """
    # The innermost loop of all reading. Calling min and max would take twice as long as these comparisons.
    pieces: list[Piece] = []
    x0 = top = x1 = bottom = 0.0
    begin = finish = 0
    for spans in lines:
        style = -1
        for start, end, text_object in spans:
            _char_box(text_page, start, FIRST)
            if end - start == 1:
                left, high, right, low = first_box()
            else:
                _char_box(text_page, end - 1, LAST)
                left, high, right, low, left2, high2, right2, low2 = both_boxes()
                if left2 < left:
                    left = left2
                if right2 > right:
                    right = right2
                if high2 > high:
                    high = high2
                if low2 < low:
                    low = low2
            span_style = style_of_object.get(text_object)
            if span_style is None:
                span_style = style_of_object[text_object] = style_of(text_object, start)
            height = high - low
            if height < MIN_HEIGHT:
                height = MIN_HEIGHT
            widest = MAX_GAP * height
            is_far_above_or_below = low - top > widest or bottom - high > widest
            if (
                span_style != style
                or not -MAX_STEP_BACK * height < left - x1 <= widest
                or (is_far_above_or_below and left - x0 > MIN_HEIGHT)
            ):
                if style >= 0:
                    pieces.append((x0, top, x1, bottom, style, begin, finish))
                begin, finish, style = start, end, span_style
                x0, top, x1, bottom = left, high, right, low
                continue
            if left - x1 > MAX_SPACE * height:
                gapped.add(begin)
            finish = end
            if left < x0:
                x0 = left
            if right > x1:
                x1 = right
            if high > top:
                top = high
            if low < bottom:
                bottom = low
        if style >= 0:
            pieces.append((x0, top, x1, bottom, style, begin, finish))
    return pieces


def _close_letter_spacing(
    text_page: Pointer, pieces: list[Piece], runs: list[RawRun], words: RawWords
) -> None:
    """Removes the spaces between the letters of letter-spaced runs, which have no words of their own."""
    for index, (piece, run) in enumerate(zip(pieces, runs, strict=True)):
        *box, style, text = run
        closed = close_letter_spacing(text_page, piece[5], text)
        if closed != text:
            runs[index] = (*box, style, closed)  # type: ignore[assignment]
            words.pop(index, None)


def _visible_pieces(pieces: list[Piece], text: str, page_box: PageBox) -> list[Piece]:
    """The pieces that are neither blank nor outside the page."""
    left, page_bottom, right, page_top = page_box
    least_x, most_x = left - OVERHANG, right + OVERHANG
    least_y, most_y = page_bottom - OVERHANG, page_top + OVERHANG
    visible = []
    for piece in pieces:
        x0, top, x1, bottom, _, begin, finish = piece
        is_inside = (
            -MAX_COORDINATE < x0 <= most_x
            and least_x <= x1 < MAX_COORDINATE
            and -MAX_COORDINATE < bottom <= most_y
            and least_y <= top < MAX_COORDINATE
        )
        if is_inside and not text[begin:finish].isspace():
            visible.append(piece)
    return visible


def _make_runs(pieces: list[Piece], text: str, page_box: PageBox) -> list[RawRun]:
    """The pieces in units from the page's top left corner; a hyphen at the end is a plain one."""
    left, _, _, page_top = page_box
    runs = []
    for x0, top, x1, bottom, style, begin, finish in pieces:
        run_left = round((x0 - left) * UNITS_PER_POINT)
        run_top = round((page_top - top) * UNITS_PER_POINT)
        run_right = round((x1 - left) * UNITS_PER_POINT)
        run_bottom = round((page_top - bottom) * UNITS_PER_POINT)
        words = text[begin:finish]
        if words[-1] in HYPHENS:
            words = words[:-1] + "-"
        runs.append((run_left, run_top, run_right, run_bottom, style, words))
    return runs


def _read_words(
    text_page: Pointer, pieces: list[Piece], text: str, page_box: PageBox, gapped: set[int]
) -> RawWords:
    """The boxes of the words, by the index of the piece, for pieces that may be several cells of a table.

    Those have numbers side by side or wide gaps, or are so wide that they must have some. A single one proves
    nothing.
    """
    tabular = []
    for index, (x0, top, x1, bottom, _, begin, finish) in enumerate(pieces):
        characters = finish - begin
        is_wide = x1 - x0 > MIN_GAPPED_CHARACTER * (top - bottom) * characters
        if is_wide or begin in gapped or NUMBERS_SIDE_BY_SIDE.search(text, begin, finish):
            tabular.append(index)
    if len(tabular) < MIN_TABULAR_PIECES:
        return {}
    found: RawWords = {}
    for index in tabular:
        *_, begin, finish = pieces[index]
        words = list(WORD.finditer(text, begin, finish))
        if len(words) < 2:
            continue
        boxes = []
        for word in words:
            box = _word_box(text_page, word.start(), word.end(), page_box)
            if box is None:
                break  # a damaged font: the run stays without words
            boxes.append(box)
        if len(boxes) == len(words):
            found[index] = boxes
    return found


def _word_box(text_page: Pointer, start: int, end: int, page_box: PageBox) -> RawBox | None:
    """The box around the first and the last character of a word; None if it lies beyond any page."""
    _char_box(text_page, start, FIRST)
    _char_box(text_page, end - 1, LAST)
    left, high, right, low, left2, high2, right2, low2 = both_boxes()
    sides = min(left, left2), max(high, high2), max(right, right2), min(low, low2)
    for side in sides:
        if not -MAX_COORDINATE < side < MAX_COORDINATE:
            return None
    left, high, right, low = sides
    page_left, _, _, page_top = page_box
    return (
        round((left - page_left) * UNITS_PER_POINT),
        round((page_top - high) * UNITS_PER_POINT),
        round((right - page_left) * UNITS_PER_POINT),
        round((page_top - low) * UNITS_PER_POINT),
    )


def _reverse_rtl_pieces(text_page: Pointer, pieces: list[Piece], text: str) -> str:
    """The text with right-to-left pieces in logical order.

    PDFium returns some of them in the order in which they are painted: those whose first character is left
    of the last one.
    """
    characters = list(text)
    for *_, begin, finish in pieces:
        words = text[begin:finish]
        if finish - begin > 1 and RIGHT_TO_LEFT.search(words):
            _char_box(text_page, begin, FIRST)
            _char_box(text_page, finish - 1, LAST)
            first_left, *_, last_left, _, _, _ = both_boxes()
            if first_left < last_left:
                words = reverse_text(words)
            characters[begin:finish] = STOP_AND_NUMBER.sub(r"\2\1", words)
    return "".join(characters)


def reverse_text(text: str) -> str:
    """The text from its last character to its first, with its numbers unchanged."""
    reversed_text = text[::-1]
    return FIGURES.sub(lambda number: number[0][::-1], reversed_text)


def _style_reader(text_page: Pointer, style_index: StyleIndex) -> Callable[[Handle, int], int]:
    """A function from a text object and one of its characters to the index of its style."""
    values = create_string_buffer(BUFFER_BYTES)
    red, green, blue = byref(values, RED), byref(values, GREEN), byref(values, BLUE)
    alpha, size, matrix = byref(values, ALPHA), byref(values, SIZE), byref(values, MATRIX)
    style_values = memoryview(values)[:STYLE_BYTES].tobytes
    at = c_char.from_address

    def read(text_object: Handle, index: int) -> int:
        pointer = byref(at(text_object))  # `pointer_to`, without the cost of a call
        _matrix(text_page, index, matrix)
        _font_size(pointer, size)
        if not _fill_colour(pointer, red, green, blue, alpha):
            memmove(values, BLACK, COLOUR_BYTES)
        return style_index(_font(pointer) or 0, _render_mode(pointer), style_values())

    return read


def make_style_index(styles: StyleTable) -> StyleIndex:
    """A function from a font, a render mode and PDFium's values to the index of the style in `styles`.

    Its cache is for one page only: PDFium may reuse a font's address.
    """
    indices: dict[tuple[Handle, int, bytes], int] = {}

    def index_of(font: Handle, mode: int, values: bytes) -> int:
        key = (font, mode, values)
        found = indices.get(key)
        if found is None:
            style = _read_style(font, mode, values)
            found = indices[key] = styles.setdefault(style, len(styles))
        return found

    return index_of


def _read_style(font: Handle, mode: int, values: bytes) -> RawStyle:
    if not font:
        return _style(b"", 0, mode, values)
    length = library.FPDFFont_GetBaseFontName(font, _name, len(_name))
    # The length counts the zero at the end, and exceeds the buffer's if the name was cut.
    characters = max(0, min(length, len(_name)) - 1)
    name = _name.raw[:characters]
    return _style(name, library.FPDFFont_GetFlags(font), mode, values)


@lru_cache(maxsize=MAX_CACHED_STYLES)
def _style(name: bytes, flags: int, mode: int, values: bytes) -> RawStyle:
    """The style for a font's name and descriptor flags, the render mode, and PDFium's values."""
    font = SUBSET_PREFIX.sub("", name.decode("utf-8", "replace"))
    flags = max(0, flags)  # -1 means none
    red, green, blue, _, size, a, b, c, d = unpack(STYLE_FORMAT, values)
    # PDFium's size leaves out the matrix that scales the glyphs.
    width = hypot(a, b)
    area = abs(a * d - b * c)  # of a glyph one unit wide and high, once it is transformed
    size *= area / width if width else 0.0
    if not 0 <= size < MAX_COORDINATE:
        size = 0.0
    channels = bytes(channel & COLOUR_BYTE for channel in (red, green, blue))
    has_bold_font = flags & FORCE_BOLD_FLAG or BOLD_NAME.search(font)
    bold = bool(has_bold_font) or mode == FILL_AND_STROKE
    has_italic_font = flags & ITALIC_FLAG or ITALIC_NAME.search(font)
    # The axes of unsheared glyphs are at right angles, so their scalar product is zero.
    product = abs(a * c + b * d)
    italic = bool(has_italic_font) or product > SLANT * width * width
    upright = a > 0 and abs(b) < ROTATED
    return font, round(size, 1), channels.hex(), bold, italic, mode, upright
