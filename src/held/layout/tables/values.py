"""What stands in a number column: numbers in all their dresses, blanks, and the signs set apart from them."""

from __future__ import annotations

import re
from functools import lru_cache

NUMBER = re.compile(
    r"[(（\[+\-–—−±<>≤≥~≈*†$€£¥￥]*\s*(?:(?:US|HK|R)\$|RMB|CNY|USD|Rs\.?|EUR|GBP)?\s*[(\-–—−]?"
    r"\d[\d,.，．:/\s]*(?:[%％‰x×†*)）\]]|bps|pp|[KMB](?![a-z])|ms|\^)*\s*(?:[(±–—-]\s*[\d.,%]+\)?)?"
)
BLANK = re.compile(r"[$€£¥￥]?\s*[-–—−‒*]+[%)]?|n/?[am]\.?|nil|不适用|无", re.IGNORECASE)
BEFORE_NUMBER = frozenset(["$", "€", "£", "¥", "￥", "US$", "HK$", "(", "($", "$(", "Rs.", "RMB"])
AFTER_NUMBER = frozenset([")", "%", ")%", "％", "）"])
YEAR = re.compile(r"(?:19|20)\d\d(?:年度?|\s?[-–/]\s?(?:19|20)?\d\d)?")  # or two of them, "2021/22"
NOTE_MARK = re.compile(r"[(（]\d[)）]")


# The same cell is asked about again and again while columns, headers and blocks are told: a page has fewer.
REMEMBERED = 4096


@lru_cache(maxsize=REMEMBERED)
def is_value(text: str) -> bool:
    """Whether a text is what stands in a number column."""
    if text.endswith(",") or ", " in text:  # pages in an index
        return False
    return bool(NUMBER.fullmatch(text) or BLANK.fullmatch(text))


def is_amount(text: str) -> bool:
    """Whether a text is a value that is no year: what no header is made of."""
    return is_value(text) and not YEAR.fullmatch(text)
