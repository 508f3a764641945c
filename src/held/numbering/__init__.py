"""Item numbers at the head of a text: which of 45 patterns, which value, where the title begins.

Numbers say more about a heading's place than anything else: "(二)" follows "(一)", "1.2.3" lies under
"1.2", "1." opens a list. `patterns` declares each pattern once; `parsing` reads the number of a text and
compares numbers; `titles` recognises titles by their words.
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
    same_pattern,
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
    "same_pattern",
    "starts_list",
]
