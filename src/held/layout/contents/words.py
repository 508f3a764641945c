"""The words that head a printed list: of contents, of figures, of tables, in several languages."""

from __future__ import annotations

import re

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


def says_contents(text: str) -> bool:
    """Whether a text is the heading of a printed list; its letters may be set apart."""
    if len(text) >= _LONGEST or text[:1] not in _FIRST_SIGNS:
        return False
    if text[1:2] == " " and _SPACED.fullmatch(text):
        text = text.replace(" ", "")
    return _HEADING.fullmatch(text) is not None
