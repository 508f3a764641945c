"""Short lines that are no titles: numbers and labels alone, and the lines around a statement's title."""

from __future__ import annotations

import re
from collections.abc import Sequence

from held.layout.rows import BULLETS, Row, is_prominent
from held.layout.tolerances import MIN_CHAPTER_NUMBER_SIZE_TIMES
from held.numbering import BULLET, parse_number
from held.numbering.titles import caption_end

# --- lines around the title of a financial statement ---
#
# The lines around the title of a financial statement: the company above it, period, date or unit below it.
#
#     Example Corporation
#     Statement of cash flows
#     for the year ended 30 June 2022
#     (in thousands)
#
# They name no section. On the pages of one report they repeat below or above different titles.


COMPANY = re.compile(
    r"\b(?:inc|incorporated|corp|corporation|company|co|ltd|limited|llc|plc|group|subsidiaries)\.?$", re.I
)
STATEMENT_NOTE = re.compile(
    r"\(?(?:in (?:\S+ ){0,2}(?:millions|thousands|billions)|unaudited|expressed in"
    r"|(?:all )?(?:amounts|figures|dollars) (?:are )?(?:(?:expressed|stated|presented) )?in\b"
    r"|as (?:at|of) \w|for the (?:\w+ ){0,5}(?:years?|quarter|period|three|six|nine)\b)",
    re.I,
)
REMARK = re.compile(r"[(（].*[)）]")
YEAR = re.compile(r"\b(?:19|20)\d\d\b")
MAX_DATE_WORDS = 4  # of "30 June 2022": a longer line that names a year is a subtitle


def is_date_or_remark(text: str) -> bool:
    """Whether a text names a year or stands in brackets."""
    return REMARK.fullmatch(text) is not None or YEAR.search(text) is not None


def is_date(text: str) -> bool:
    """Whether a text is a date, or the period or unit of a statement, and nothing else."""
    if STATEMENT_NOTE.match(text):
        return True
    return YEAR.search(text) is not None and len(text.split()) <= MAX_DATE_WORDS


# --- labels ---


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
