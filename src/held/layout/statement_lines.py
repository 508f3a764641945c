"""The lines around the title of a financial statement: the company above it, period, date or unit below it.

    Example Corporation
    Statement of cash flows
    for the year ended 30 June 2022
    (in thousands)

They name no section. On the pages of one report they repeat below or above different titles.
"""

from __future__ import annotations

import re

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
