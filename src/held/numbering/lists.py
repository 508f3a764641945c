"""Numbers compared with each other: which goes on from which, which lies under which, which starts a list."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from held.numbering.parse import ItemNumber

_ROMAN = "Ⅰⅰ"  # the numerals that stand for roman ones ...
_LETTER = "Aa"  # ... and for letters


def resolve(numbers: Iterable[ItemNumber | None]) -> list[ItemNumber | None]:
    """The numbers of a document's headings in order, each ambiguous letter settled by those before it.

    It is roman if the nearest number of its form is the roman one below it, a letter if the list of
    letters of that form has just reached the letter before it; otherwise it stays as `parse` read it.
    """
    latest: dict[str, ItemNumber] = {}
    latest_letter: dict[str, ItemNumber] = {}
    settled: list[ItemNumber | None] = []
    for number in numbers:
        if number is not None:
            shape = number.form.replace("Ⅰ", "A").replace("ⅰ", "a")
            if number.alternative is not None:
                number = _settle(number, latest.get(shape), latest_letter.get(shape))
            latest[shape] = number
            if number.numeral in _LETTER:
                latest_letter[shape] = number
        settled.append(number)
    return settled


def _settle(number: ItemNumber, latest: ItemNumber | None, letter: ItemNumber | None) -> ItemNumber:
    """The reading of an ambiguous number that goes on from what stood before it."""
    assert number.alternative is not None
    readings = (number, number.alternative)
    roman, alphabetic = readings if number.numeral in _ROMAN else readings[::-1]
    if latest is not None and follows(latest, roman):
        return replace(roman, alternative=None)
    if letter is not None and follows(letter, alphabetic):
        return replace(alphabetic, alternative=None)
    return replace(number, alternative=None)


def same_pattern(first: ItemNumber, second: ItemNumber) -> bool:
    """Whether two numbers are of one pattern."""
    return first.pattern is second.pattern


def follows(first: ItemNumber, second: ItemNumber) -> bool:
    """Whether the second number is the next one after the first in the same list."""
    a, b = first.value, second.value
    if first.form != second.form or not a or not b:
        return False
    if b == (*a[:-1], a[-1] + 1):
        return True
    if not first.pattern.takes_insertions:
        return False
    # Item 7, Item 7A, Item 8 and 第十条, 第十条之一, 第十一条: inserted items stand between whole ones.
    is_inserted = b == (*a, 1)
    is_next_whole = len(a) == 2 and b == (a[0] + 1,)
    return is_inserted or is_next_whole


def starts_list(number: ItemNumber) -> bool:
    """Whether the number is the first of a list: 1, (a), 2.1, 第一章; 7A, which goes in after 7, is not."""
    is_inserted = number.pattern.takes_insertions and len(number.value) > 1
    return bool(number.value) and number.value[-1] == 1 and not is_inserted


def is_dotted_prefix(upper: ItemNumber, lower: ItemNumber) -> bool:
    """Whether the lower number is dotted and lies under the upper: 1.2.3 under 1.2, 2.1 under 第二章."""
    size = len(upper.value)
    return (
        lower.pattern.is_dotted
        and 0 < size < len(lower.value)
        and lower.value[:size] == upper.value
        and has_letter(upper) == has_letter(lower)
    )


def has_letter(number: ItemNumber) -> bool:
    """Whether a number begins with a letter: A.1 does not lie under chapter 1."""
    return number.numeral in _LETTER
