"""A page as plain numbers and text, and its encoding for messages between processes.

The runs of a page are sent as columns (all left edges, then all tops, and so on) and their texts as one
string: the native reader writes them that way, and a column is checked at once. The sender has opened an
untrusted file, so the receiver checks everything: each number, each length, and each index into the styles.

Both processes import this module: the one with PDFium, which must start fast, and the one without.
"""

from __future__ import annotations

import re
from array import array
from itertools import chain

from held.system import lazy_pattern
from held.system.worker_main import InvalidMessage

TYPE_CHECKING = False
if TYPE_CHECKING:  # importing `typing` takes time
    from collections.abc import Container, Iterable, Sequence
    from typing import Any

# Pages count from 0 here, and lengths are whole tenths of a point.
RawRun = tuple[int, int, int, int, int, str]  # x0, y0, x1, y1, style, text
# The same of all runs of a page: one column of each.
RunColumns = tuple["array[int]", "array[int]", "array[int]", "array[int]", "array[int]", list[str]]
RawStyle = tuple[str, float, str, bool, bool, int, bool]  # the fields of `Style` up to `upright`
StyleTable = dict[RawStyle, int]
RawBox = tuple[int, int, int, int]
RawEntry = tuple[int, str, int, float | None, float | None]  # level from 1, title, page or -1, x and y
RawMetadata = tuple[str, str, str, str]  # title, authors, language, date of creation, as the file has them
PageBox = tuple[float, float, float, float]  # left, bottom, right, top in PDF space, in points
PageGeometry = tuple[int, int, int, int, int]  # width, height, left and top in PDF space; rotation in degrees
RawWords = dict[int, list[RawBox]]  # by the index of a run, the boxes of its words
# geometry, label, runs, rules, images, fields, number of small strokes, words
RawPage = tuple[PageGeometry, str, RunColumns, list[RawBox], list[RawBox], RunColumns, int, RawWords]
# geometry, label and strokes; then, as bytes, numbers and texts of the runs, rules, images, numbers and texts
# of the fields, words
EncodedPage = tuple[tuple[PageGeometry, str, int], tuple[bytes, ...]]

UNITS_PER_POINT = 10
MAX_COORDINATE = 1e6  # points; anything beyond is damage, not layout
LETTER: PageBox = (0.0, 0.0, 612.0, 792.0)  # for pages with a damaged box

# Codes of glyphs without a Unicode value, moved to a plane for private use until a font names the glyph.
FIRST_UNMAPPED = 0xF0000
UNMAPPED = lazy_pattern("[\U000f0000-\U000f00ff]")
SUBSET_PREFIX = re.compile(r"^[A-Z]{6}\+")  # as in EOODIA+Poetica: ISO 32000-1, 9.6.4
RIGHT_TO_LEFT = lazy_pattern("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")  # Hebrew, Arabic and the like

# Error codes of FPDF_GetLastError.
ERROR_PASSWORD = 4
ERROR_SECURITY = 5

# The first value of each of the reader's messages.
OPENED, REFUSED, CATALOGUE, PAGE, UNLOADABLE, CLOSED = range(6)

_INT = "i"  # array type: four bytes
_SEPARATOR = "\n"  # between the texts of runs, which end with their line and so contain none
_BOX_NUMBERS = 4
_RUN_NUMBERS = _BOX_NUMBERS + 1  # and the style
_WORD_NUMBERS = _BOX_NUMBERS + 1  # and the index of the run
_ROTATIONS = (0, 90, 180, 270)
_MAX_LENGTH = 2 * 10**7  # tenths of a point: twice MAX_COORDINATE, from one side of zero to the other
_COLOUR = re.compile("[0-9a-f]{6}")


class CannotOpen(Exception):
    """PDFium cannot open a file; `code` is its error code."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


class CannotLoadPage(Exception):
    """PDFium cannot load a page."""


# --- encoding ---


def encode_runs(runs: Sequence[RawRun]) -> tuple[bytes, bytes]:
    """The numbers of the runs, column after column, and their texts."""
    if not runs:
        return b"", b""
    x0, y0, x1, y1, styles, texts = zip(*runs, strict=True)
    numbers = array(_INT, x0 + y0 + x1 + y1 + styles)
    return numbers.tobytes(), encode_texts(texts)


def encode_text(text: str) -> bytes:
    """The text as UTF-8. A damaged font can produce lone surrogates."""
    return text.encode("utf-8", "surrogatepass")


def decode_text(part: bytes) -> str:
    """The text that `encode_text` encoded."""
    return part.decode("utf-8", "surrogatepass")


def encode_boxes(boxes: Iterable[RawBox]) -> bytes:
    """The numbers of the boxes, box after box."""
    return array(_INT, chain.from_iterable(boxes)).tobytes()


def encode_words(words: RawWords) -> bytes:
    """The index of its run, and the box, for each word."""
    numbers = array(_INT)
    for run, boxes in words.items():
        for box in boxes:
            numbers.append(run)
            numbers.extend(box)
    return numbers.tobytes()


def decode_texts(part: bytes) -> list[str]:
    """The texts of encoded runs; there must be at least one."""
    return decode_text(part).split(_SEPARATOR)


def encode_texts(texts: Iterable[str]) -> bytes:
    """The texts of runs, as `encode_runs` encodes them."""
    return encode_text(_SEPARATOR.join(texts))


def drop_words(part: bytes, runs: Container[int]) -> bytes:
    """The encoded words without those of some runs."""
    numbers = _decode_numbers(part)
    kept = array(_INT)
    for start in range(0, len(numbers), _WORD_NUMBERS):
        word = numbers[start : start + _WORD_NUMBERS]
        if word[0] not in runs:
            kept += word
    return kept.tobytes()


# --- decoding: untrusted data, so everything wrong raises InvalidMessage ---


def decode_page(value: Any, parts: Sequence[bytes], style_count: int) -> RawPage:
    """The page in a message; `value` and `parts` are an `EncodedPage`."""
    geometry, label, strokes = value
    run_numbers, run_texts, rules, images, field_numbers, field_texts, words = parts
    if type(strokes) is not int or strokes < 0:
        raise InvalidMessage("no count")
    runs = _decode_runs(run_numbers, run_texts, style_count)
    return (
        _check_geometry(geometry),
        _check_text(label),
        runs,
        _decode_boxes(rules),
        _decode_boxes(images),
        _decode_runs(field_numbers, field_texts, style_count),
        strokes,
        _decode_words(words, runs[-1]),
    )


def decode_styles(value: Any) -> list[RawStyle]:
    """The styles in a message."""
    return [_check_style(*style) for style in value]


def decode_outline(value: Any) -> list[RawEntry]:
    """The outline entries in a message."""
    return [_check_entry(*entry) for entry in value]


def decode_metadata(value: Any) -> RawMetadata:
    """The metadata in a message."""
    title, author, language, date = value
    return _check_text(title), _check_text(author), _check_text(language), _check_text(date)


def _decode_runs(part: bytes, texts_part: bytes, style_count: int) -> RunColumns:
    numbers = _decode_numbers(part)
    count, rest = divmod(len(numbers), _RUN_NUMBERS)
    texts = decode_texts(texts_part) if count else []
    if rest or len(texts) != count:
        raise InvalidMessage(f"{len(numbers)} numbers and {len(texts)} texts of runs")
    columns = [numbers[column * count :][:count] for column in range(_RUN_NUMBERS)]
    x0, y0, x1, y1, styles = columns
    if styles and not 0 <= min(styles) <= max(styles) < style_count:
        raise InvalidMessage("a run without a style")
    for coordinates in (x0, y0, x1, y1):
        _check_lengths(coordinates)
    return x0, y0, x1, y1, styles, texts


def _decode_boxes(part: bytes) -> list[RawBox]:
    numbers = _decode_numbers(part)
    if len(numbers) % _BOX_NUMBERS:
        raise InvalidMessage(f"{len(numbers)} numbers of boxes")
    _check_lengths(numbers)
    # One iterator four times: zip takes four numbers for each box.
    iterator = iter(numbers)
    return list(zip(iterator, iterator, iterator, iterator, strict=True))


def _decode_words(part: bytes, texts: Sequence[str]) -> RawWords:
    numbers = _decode_numbers(part)
    if len(numbers) % _WORD_NUMBERS:
        raise InvalidMessage(f"{len(numbers)} numbers of words")
    # The words of a run stand together; its index is the first number of each.
    runs, *columns = [numbers[place::_WORD_NUMBERS] for place in range(_WORD_NUMBERS)]
    for column in columns:
        _check_lengths(column)
    boxes = list(zip(*columns, strict=True))
    words: RawWords = {}
    end = 0
    while end < len(runs):
        start, run = end, runs[end]
        if not 0 <= run < len(texts) or run in words:
            raise InvalidMessage("words of no run")
        count = len(texts[run].split())
        end += count
        if runs[start:end] != array(_INT, [run]) * count:
            raise InvalidMessage("words of another run")
        words[run] = boxes[start:end]
    return words


def _decode_numbers(part: bytes) -> array[int]:
    numbers = array(_INT)
    numbers.frombytes(part)
    return numbers


def _check_lengths(numbers: array[int]) -> None:
    if not numbers:
        return
    if min(numbers) < -_MAX_LENGTH or max(numbers) > _MAX_LENGTH:
        raise InvalidMessage("a length that no page has")


def _check_geometry(value: Any) -> PageGeometry:
    *lengths, rotation = value
    width, height, left, top = lengths
    for length in lengths:
        if type(length) is not int or abs(length) > _MAX_LENGTH:
            raise InvalidMessage("a page without measures")
    if rotation not in _ROTATIONS:
        raise InvalidMessage("a page that is turned by no right angle")
    return width, height, left, top, int(rotation)


def _check_text(value: Any) -> str:
    if not isinstance(value, str):
        raise InvalidMessage("no text")
    return value


def _check_style(
    font: Any, size: Any, colour: Any, bold: Any, italic: Any, mode: Any, upright: Any
) -> RawStyle:
    for flag in (bold, italic, upright):
        if not isinstance(flag, bool):
            raise InvalidMessage("a style without its flags")
    if type(mode) is not int:  # a bool is an int too
        raise InvalidMessage("a style without its mode")
    if not _COLOUR.fullmatch(_check_text(colour)):
        raise InvalidMessage("a style without a colour")
    if not _is_number(size) or not 0 <= size <= _MAX_LENGTH:
        raise InvalidMessage("a style without a size")
    return _check_text(font), float(size), colour, bold, italic, mode, upright


def _check_entry(level: Any, title: Any, page: Any, x: Any, y: Any) -> RawEntry:
    if type(level) is not int or level < 1:
        raise InvalidMessage("an entry without level")
    if type(page) is not int:
        raise InvalidMessage("an entry without page")
    for coordinate in (x, y):
        if coordinate is not None and not _is_number(coordinate):
            raise InvalidMessage("an entry with a destination that is no number")
    return level, _check_text(title), page, x, y


def is_plausible(x0: float, y0: float, x1: float, y1: float) -> bool:
    """Whether the corners of a box are in order, and no further away than any page reaches."""
    has_width = -MAX_COORDINATE < x0 <= x1 < MAX_COORDINATE
    return has_width and -MAX_COORDINATE < y0 <= y1 < MAX_COORDINATE


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
