"""Labels: item numbers that stand alone, labels of chapters, labels of captions."""

from __future__ import annotations

import re
from collections.abc import Sequence

from held.layout.rows import BULLETS, Row, is_prominent
from held.layout.tolerances import MIN_CHAPTER_NUMBER_SIZE_TIMES
from held.numbering import BULLET, parse_number
from held.numbering.titles import caption_end

APPENDIX_NATURE = re.compile(r"\s*[（(](?:规范性|资料性|normative|informative).{0,4}[)）]$", re.I)
BARE_NUMBER = re.compile(r"[0-9]{1,2}|[IVXivx]{1,6}|[A-Z]")
MAX_MARK_LENGTH = 16  # characters: "Subsection 12.3.4"
MAX_LABEL_LENGTH = 24  # characters: "Appendix A (informative)"
LABEL_END = " .:：|—–-"  # may stand between a label and its title


def is_bare_mark(text: str) -> bool:
    """Whether a text is an item number or a bullet and nothing else."""
    if len(text) == 1:
        return text in BULLETS or is_bare_number(text)
    return len(text) <= MAX_MARK_LENGTH and is_bare_number(text)


def is_bare_number(text: str) -> bool:
    """Whether a text is an item number and nothing else."""
    number = parse_number(text + " X" if text[-1:].isalnum() else text)
    if number is None or number.pattern is BULLET:
        return False
    return not text[number.title_start :].strip() or number.title_start > len(text)


def is_caption_label(text: str) -> bool:
    """Whether a text is "Table 3.4" and nothing else."""
    if len(text) > MAX_MARK_LENGTH:
        return False
    end = caption_end(text)
    return end > 0 and not text[end:].strip(LABEL_END)


def is_chapter_label(rows: Sequence[Row], body_size: float) -> bool:
    """Whether rows are a chapter's or part's label without its title; the number may stand below its word."""
    row = rows[0]
    text = " ".join(each.text for each in rows).rstrip(LABEL_END)
    if not text or len(text) > MAX_LABEL_LENGTH:
        return False
    if BARE_NUMBER.fullmatch(text):
        return row.style.size > MIN_CHAPTER_NUMBER_SIZE_TIMES * body_size
    text = APPENDIX_NATURE.sub("", text)
    number = parse_number(text + " X")
    if text.lower().startswith("exhibit"):
        return False  # the line below names the company
    if number is None or not number.pattern.stands_above_title or number.title_start < len(text):
        return False
    return is_prominent(row, body_size) or row.style.size >= body_size
