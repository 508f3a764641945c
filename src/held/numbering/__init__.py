"""Item numbers and heading words: which pattern a number has, its value, where the title begins.

Numbers tell more about a heading's level than anything else: "(二)" follows "(一)", "1.2.3" lies under
"1.2", "1." opens a list. `words.toml` has one block of words per language, `patterns` one row per pattern of
numbers; `parsing` reads and compares numbers, `titles` recognises titles by their words. Both tables say at
their head how to add a row.
"""

from held.numbering.parsing import (
    NO_PATTERN,
    ItemNumber,
    follows,
    has_letter,
    is_dotted_prefix,
    parse_number,
    pattern_id,
    resolve_letters,
    starts_list,
)
from held.numbering.patterns import BULLET, CITATION, PATTERNS, Pattern, Use
from held.numbering.titles import is_loose_number, loose_number_end

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
    "is_loose_number",
    "loose_number_end",
    "parse_number",
    "pattern_id",
    "resolve_letters",
    "starts_list",
]
