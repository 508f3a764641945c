"""Item numbers at the head of a text: which of 45 patterns, which value, where the title begins.

Numbers say more about a heading's place than anything else: "(二)" follows "(一)", "1.2.3" lies under
"1.2", "1." opens a list. `patterns` declares each pattern once, with its properties (`pattern`) and the
expressions that recognise it; `pieces` are what these are made of. `parse` reads one text without context,
`lists` compares numbers and settles lone letters by what stood before, `loose` is for comparing titles.
"""

from held.numbering.lists import (
    follows,
    has_letter,
    is_dotted_prefix,
    resolve,
    same_pattern,
    starts_list,
)
from held.numbering.loose import is_number, number_end
from held.numbering.parse import NO_PATTERN, ItemNumber, parse, pattern_id
from held.numbering.pattern import Pattern, Use
from held.numbering.patterns import BULLET, CITATION, PATTERNS

__all__ = [
    "BULLET",
    "CITATION",
    "NO_PATTERN",
    "PATTERNS",
    "ItemNumber",
    "Pattern",
    "Use",
    "follows",
    "has_letter",
    "is_dotted_prefix",
    "is_number",
    "number_end",
    "parse",
    "pattern_id",
    "resolve",
    "same_pattern",
    "starts_list",
]
