"""Pages, styles and outlines on their way from the process that reads them: numbers and text in bulk.

The runs of a page travel as columns, all left edges first, then all tops, and so on, and their texts as
one: that costs a hundredth of reading the page. The process has read a stranger's file, so what it says is
checked like a file: every number, every length, and every index into the styles.

Imports are few: a worker must start fast.
"""

from __future__ import annotations

from array import array
from itertools import chain

from held.system.worker_main import InvalidMessage

TYPE_CHECKING = False
if TYPE_CHECKING:  # `typing` itself takes time to import
    from collections.abc import Iterable, Sequence
    from typing import Any

    from held.reading.raw import Measures, RawBox, RawEntry, RawPage, RawRun, RawStyle

INT = "i"  # four bytes: lengths are tenths of a point, and none exceeds `raw.ABSURD` points
BREAK = "\n"  # between the texts of runs: none holds one, as runs end with their line
COORDINATES = 4  # of a run or a box
RUN_NUMBERS = COORDINATES + 1  # and the style
ROTATIONS = (0, 90, 180, 270)
MOST_TENTHS = 2 * 10**7  # of a point, as `raw.ABSURD`, on both sides of zero
HEXADECIMAL = frozenset("0123456789abcdef")


def page_parts(page: RawPage) -> tuple[tuple[Measures, str, int], tuple[bytes, ...]]:
    """A page as a small value and the bytes beside it."""
    measures, label, runs, rules, images, fields, strokes = page
    boxes = (_box_part(rules), _box_part(images))
    return (measures, label, strokes), (*_run_parts(runs), *boxes, *_run_parts(fields))


def page_from(value: Any, parts: Sequence[bytes], styles: int) -> RawPage:
    """The page that `page_parts` took apart; `Garbled` if it is none. `styles` says how many there are."""
    stated, label, strokes = value
    run_numbers, run_texts, rules, images, field_numbers, field_texts = parts
    return (
        _measures(stated),
        _text(label),
        _runs(run_numbers, run_texts, styles),
        _boxes(rules),
        _boxes(images),
        _runs(field_numbers, field_texts, styles),
        _count(strokes),
    )


def styles_from(value: Any) -> list[RawStyle]:
    """The styles that a worker has met; `Garbled` if they are none."""
    return [_style(*style) for style in value]


def entries_from(value: Any) -> list[RawEntry]:
    """The entries of an outline; `Garbled` if they are none."""
    return [_entry(*entry) for entry in value]


def _run_parts(runs: Sequence[RawRun]) -> tuple[bytes, bytes]:
    """The numbers of all runs, column by column, and their texts."""
    if not runs:
        return b"", b""
    x0, y0, x1, y1, styles, texts = zip(*runs, strict=True)
    numbers = array(INT, x0 + y0 + x1 + y1 + styles)
    # A damaged font can give half a character.
    return numbers.tobytes(), BREAK.join(texts).encode("utf-8", "surrogatepass")


def _box_part(boxes: Iterable[RawBox]) -> bytes:
    return array(INT, chain.from_iterable(boxes)).tobytes()


def _runs(part: bytes, joined: bytes, styles: int) -> list[RawRun]:
    numbers = _numbers(part)
    count, rest = divmod(len(numbers), RUN_NUMBERS)
    texts = joined.decode("utf-8", "surrogatepass").split(BREAK) if count else []
    if rest or len(texts) != count:
        raise InvalidMessage(f"{len(numbers)} numbers and {len(texts)} texts of runs")
    if not count:
        return []
    of_style = numbers[COORDINATES * count :]
    if min(of_style) < 0 or max(of_style) >= styles:
        raise InvalidMessage("a run without a style")
    _require_lengths(numbers[: COORDINATES * count])
    x0, y0, x1, y1 = (numbers[column * count : (column + 1) * count] for column in range(COORDINATES))
    return list(zip(x0, y0, x1, y1, of_style, texts, strict=True))


def _boxes(part: bytes) -> list[RawBox]:
    numbers = _numbers(part)
    if len(numbers) % COORDINATES:
        raise InvalidMessage(f"{len(numbers)} numbers of boxes")
    _require_lengths(numbers)
    each = iter(numbers)
    return list(zip(each, each, each, each, strict=True))


def _numbers(part: bytes) -> array[int]:
    numbers = array(INT)
    numbers.frombytes(part)
    return numbers


def _require_lengths(numbers: array[int]) -> None:
    if numbers and not -MOST_TENTHS <= min(numbers) <= max(numbers) <= MOST_TENTHS:
        raise InvalidMessage("a length that no page has")


def _measures(value: Any) -> Measures:
    width, height, left, top, rotation = value
    if not all(type(number) is int and abs(number) <= MOST_TENTHS for number in (width, height, left, top)):
        raise InvalidMessage("a page without measures")
    if rotation not in ROTATIONS:
        raise InvalidMessage("a page that is turned by no right angle")
    return width, height, left, top, int(rotation)


def _count(value: Any) -> int:
    if type(value) is not int or value < 0:
        raise InvalidMessage("no count")
    return value


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise InvalidMessage("no text")
    return value


def _style(font: Any, size: Any, colour: Any, bold: Any, italic: Any, mode: Any, upright: Any) -> RawStyle:
    flags = (bold, italic, upright)
    if not all(isinstance(flag, bool) for flag in flags) or type(mode) is not int:
        raise InvalidMessage("a style without its flags")
    if len(_text(colour)) != 6 or not HEXADECIMAL.issuperset(colour):
        raise InvalidMessage("a style without a colour")
    if not _is_number(size) or not 0 <= size <= MOST_TENTHS:
        raise InvalidMessage("a style without a size")
    return _text(font), float(size), colour, bold, italic, mode, upright


def _entry(level: Any, title: Any, page: Any, x: Any, y: Any) -> RawEntry:
    if type(level) is not int or level < 1 or type(page) is not int:
        raise InvalidMessage("an entry without its place")
    if not all(along is None or _is_number(along) for along in (x, y)):
        raise InvalidMessage("an entry that leads nowhere")
    return level, _text(title), page, x, y


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
