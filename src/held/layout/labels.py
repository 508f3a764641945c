"""Labels: item numbers that stand alone, labels of chapters, labels of captions."""

from __future__ import annotations

import re
from collections.abc import Sequence

from held.layout.rows import BULLETS, Row, is_prominent
from held.layout.tolerances import MIN_CHAPTER_NUMBER_SIZE_TIMES
from held.numbering import BULLET, parse_number

APPENDIX_NATURE = re.compile(r"\s*[（(](?:规范性|资料性|normative|informative).{0,4}[)）]$", re.I)
BARE_NUMBER = re.compile(r"[0-9]{1,2}|[IVXivx]{1,6}|[A-Z]")
MAX_MARK_LENGTH = 16  # characters: "Subsection 12.3.4"
MAX_LABEL_LENGTH = 24  # characters: "Appendix A (informative)"
LABEL_END = " .:：|—–-"  # may stand between a label and its title
CAPTION = re.compile(
    # "Table 1 shows …" and "表 1 中第 …" begin sentences.
    r"(?!\w+\.?\s*[A-Z]?[\d.\-]+[a-z]?\s(?-i:(?:also )?(?:shows?|summari[sz]es?|presents?|lists?|gives?"
    r"|compares?|illustrates?|depicts?|reports?|contains?|describes?|provides?|displays?|plots?)\s))"
    r"(?![图表]+\s*[A-Z]?[\d.\-]+\s?(?:所示|给出|列出|展示|显示|描述|中的|中第|可知|可以))"
    r"(?:(?:figure|fig\.?|table|tab\.?|chart|plate|algorithm|listing|box)\s*"
    r"(?:[A-Z]?[-.]?\d[\d.\-]*[a-z]?|[IVX]+\b)|(?:图表?|表)\s*(?:[A-Z][-.．]?)?\d)",
    re.I,
)


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
    match = CAPTION.match(text)
    return match is not None and not text[match.end() :].strip(LABEL_END)


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
