"""The words that head a printed list: of contents, of figures, of tables, in several languages."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from held.document import PhysicalObject
from held.numbering.numerals import ROMAN, WORDS
from held.numbering.parsing import parse_number
from held.numbering.patterns import CHINESE, PATTERNS

_LONGEST = 60  # characters of a heading that says "Contents"

_HEADING = re.compile(
    r"[\s·—【]*(?:(?:brief|detailed|table\s+of)?\s*contents?|(?:chapter|section)\s+contents?|table\s+of\s+content"
    r"|目\s*[录錄次]|[插附]?[图表]\S{0,2}\s*目\s*[录錄]|[图表]\S?索引"
    r"|(?:(?:list|table)\s+of\s+)?(?:figures|tables|illustrations|listings|algorithms|appendices|exhibits)"
    r"|index\s+to\s+.*"
    r"|inhalt(?:sverzeichnis|sübersicht)?|table\s+des\s+mati[eè]res|sommaire|[ií]ndice(?:\s+(?:general|generale))?"
    r"|tabla\s+de\s+contenidos?|contenidos?|sommario|sum[aá]rio|conteúdo|inhoud(?:sopgave)?|innehåll(?:sförteckning)?"
    r"|indhold(?:sfortegnelse)?|spis\s+treści|obsah|tartalom(?:jegyzék)?|i̇?çindekiler|содержание|оглавление|зміст"
    r"|목\s*차|차\s*례|もくじ)[\s·—】:：]*(?:\(?continued\)?)?",
    re.IGNORECASE,
)

# How such headings begin, and what may stand before them: most lines begin otherwise.
_FIRST_SIGNS = frozenset(" \t·—【bcdtslfiaeíoBCDTSLFIAEÍOİıſ目插附图表çсозÇСОЗ목차も")
_SPACED = re.compile(r"(?:\w )+\w")


def is_contents_title(text: str) -> bool:
    """Whether a text is the heading of a printed list; its letters may be set apart."""
    if len(text) >= _LONGEST or text[:1] not in _FIRST_SIGNS:
        return False
    if text[1:2] == " " and _SPACED.fullmatch(text):
        text = text.replace(" ", "")
    return _HEADING.fullmatch(text) is not None


LONGEST = 200  # characters of a title
_CONTINUED = re.compile(
    r"[\s:：,—–-]*(?:[(（\[]\s*(?:continued|cont(?:inue)?[’'.]?d?\.?|续)\s*[)）\]]|(?:^|[\s—–-])continued)[:：]?$",
    re.IGNORECASE,
)
_LAST = frozenset(")）]dD:：")
_NO_LETTERS = re.compile(r"[\W_]+")


def is_continuation(text: str) -> bool:
    """Whether a text ends in "(continued)", or is nothing else."""
    return _title_before(text) is not None


def _title_before(text: str) -> str | None:
    """What stands before "(continued)" at a text's end; None where no such word ends it."""
    # Most texts end otherwise: the last character tells, and costs next to nothing.
    if text[-1:] not in _LAST or len(text) > LONGEST:
        return None
    found = _CONTINUED.search(text)
    return text[: found.start()] if found else None


def find_continued_titles(objects: Sequence[PhysicalObject]) -> frozenset[int]:
    """The objects that say "(continued)" after a title that stands before them, perhaps with a number."""
    if not any(is_continuation(item.text) for item in objects):
        return frozenset()
    before: set[str] = set()
    found = set()
    for index, item in enumerate(objects):
        if len(item.text) > LONGEST:
            continue
        title = _title_before(item.text)
        if title is not None and _letters(title) in before:
            found.add(index)
        number = parse_number(item.text)
        before.add(_letters(item.text))
        if number:
            before.add(_letters(item.text[number.title_start :]))
    return frozenset(found)


def _letters(text: str) -> str:
    return _NO_LETTERS.sub("", text).casefold()


# What courses and manuals count: no pattern, for these seldom head the sections of a document.
_OTHER_WORDS = ("lecture", "step", "unit", "lesson", "module")
_COUNTED = "|".join(re.escape(word) for pattern in PATTERNS for word in pattern.words)
_ROMAN = ROMAN.lower()
_COUNT = rf"(?:\d+(?:[.\-]\d+)*|{_ROMAN}(?![a-z])|[a-z](?:[.\-]?\d+)*)"


@cache
def _loose() -> re.Pattern[str]:
    """The number at the start of a title; compiled when titles are compared, which is seldom."""
    return re.compile(
        rf"""\s*(?:
          (?:{_COUNTED}|{"|".join(_OTHER_WORDS)})(?:\s+|(?=\d))(?:{_COUNT}|{"|".join(WORDS)})\b
        | 第(?:{CHINESE}|[\d\s])+(?:[章节節条條篇编編款项項回讲講课課]|部分)
        | 附[录錄件]\s*(?:{CHINESE}+|{_COUNT})(?![a-z0-9])
        | [(\[]\s*(?:{_COUNT}|{CHINESE}+)\s*[)\]]
        | §\s*{_COUNT}
        | \d+(?:\s?[.\-]\s?\d+)*(?![\d%])
        | [a-z](?:\.\d+)+
        | [a-z]\d+(?:\.\d+)+
        | (?:{_ROMAN}|[a-z])(?:[.):、]|\s)
        | {CHINESE}+\s*(?:[、.,:)]|\s)
        | [•●■◆▪▶►○□◇➢★*+o-](?=\s)
        )[\s.:、,)\-–—|]*""",
        re.VERBOSE,
    )


def loose_number_end(plain_text: str) -> int:
    """Where the number at the start of a text ends; 0 if it has none or is nothing else.

    The text is in NFKC form and casefolded, as titles are compared.
    """
    match = _loose().match(plain_text)
    return match.end() if match and match.end() < len(plain_text) else 0


def is_loose_number(plain_text: str) -> bool:
    """Whether a text, in NFKC form and casefolded, is a number and nothing else."""
    return _loose().fullmatch(plain_text + " ") is not None
