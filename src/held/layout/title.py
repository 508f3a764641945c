"""The title and the authors of a document, as its first pages print them.

A PDF can declare its title, but half of the files do not, and many declare a template's title or a file name.
So a title is taken from the pages: it is the text with the best evidence, which is its size against the other
texts of its page, its agreement with the declared title, and its repetition on later pages. A declared title
counts alone only where the pages show no title at all.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain
from math import log
from typing import NamedTuple

from held.document import Kind, Metadata, PhysicalObject
from held.layout.characters import is_cjk
from held.layout.tolerances import (
    MAX_TITLE_LINE_GAP_LINES,
    MAX_TITLE_SIZE_CHANGE_SHARE,
    MIN_TITLE_RELATIVE_SIZE,
)
from held.numbering import BULLET, parse_number
from held.numbering.titles import is_contents_title
from held.numbering.words import find_language
from held.system.startup import lazy_pattern

TITLE_PAGES = 3  # a cover, its back, and a title page
MAX_OBJECTS = 60  # of the first pages that are examined
MAX_TITLE_OBJECTS = 4  # that one title consists of
MAX_TITLE_CHARACTERS = 300
MAX_OBJECTS_ABOVE = 3  # above a title that is no larger than the text, only bold or in capitals
TITLE_KINDS = frozenset({Kind.PARAGRAPH, Kind.HEADING, Kind.LIST_ITEM, Kind.FORMULA})
WORD = lazy_pattern(r"[^\W_]+")
NOTE_MARKS = lazy_pattern(r"\s*[*∗†‡§¶]+$")
YEAR_AT_END = lazy_pattern(r"^(?:19|20)\d\d\s|\s(?:19|20)\d\d$")  # the text says "this annual report"
TYPED_RULE = lazy_pattern(r"_{3,}\s*|^\s*[-–—]+\s+|\s+[-–—]+\s*$|^[-–—]+$")  # lines of dashes or underscores
MIN_LETTERS = 2
# Names of files and of the programs that wrote them, and titles that nobody filled in.
NOT_A_TITLE = lazy_pattern(
    r"(?:[A-Za-z]:)?[\\/].*"
    r"|.*\.(?:docx?|pdf|tex|dvi|e?ps|indd|qxd|xlsx?|pptx?|rtf|html?|txt|md|odt|wpd|fm|book"
    r"|vsdx?|cdr|svg|png|jpe?g|tiff?|glyphs|texi(?:nfo)?|sgml|xml)"
    r"|microsoft (?:word|powerpoint|excel)\b.*|powerpoint presentation|untitled\b.*"
    r"|document\d*|title|slide \d+",
    re.IGNORECASE,
)
FRONT_HEADING = lazy_pattern(
    r"abstract|summary|zusammenfassung|résumé|resumen|摘\s*要|preface|introduction", re.IGNORECASE
)
# A text that ends so names a company, which is the author of a report, not its title.
COMPANY = lazy_pattern(
    r".*(?:公司|株式会社|[\s,](?:inc|incorporated|corp|corporation|company|ltd|limited|llc|plc|gmbh|ag|se"
    r"|s\.?a|n\.?v)\.?)",
    re.IGNORECASE,
)

# Weights of the evidence, in units of log(size): a text twice as large is ahead by 0.7.
DECLARED_WEIGHT = 3.0
REPEATED_WEIGHT = 0.3
MENTIONED_WEIGHT = 0.3
MIN_MENTIONS = 2  # texts of the document that contain the candidate's words ...
MIN_MENTION_TIMES = 2  # ... and are that much longer: others repeat it
ABBREVIATION_WEIGHT = -0.7
MAX_ABBREVIATION = 3  # letters: the sign of a standard, a logo
BOLD_WEIGHT = 0.1
WORDS_WEIGHT = 0.12  # for each doubling of the number of words, up to eight
MAX_COUNTED_WORDS = 8
LATER_PAGE_WEIGHT = -0.5
LOW_ON_PAGE_WEIGHT = -0.3  # at the bottom of the page; in proportion above it
AUTHOR_WEIGHT = -1.0
COMPANY_WEIGHT = -0.6
MIN_DECLARED_AGREEMENT = 0.5  # F1 of words
MAX_DIGITS_SHARE = 0.5


class Candidate(NamedTuple):
    """Consecutive objects of one page that may be the title, and their text."""

    first: int
    last: int
    text: str


def find_metadata(
    objects: Sequence[PhysicalObject], furniture: Sequence[PhysicalObject], declared: Metadata
) -> Metadata:
    """The document's metadata: the title that its pages show, and the declared authors that they name."""
    title = find_title(objects, furniture, declared)
    language = _printed_language(objects, declared.language)
    return replace(declared, title=title, authors=_printed_authors(objects, declared), language=language)


def _printed_language(objects: Sequence[PhysicalObject], declared: str) -> str:
    """The language of the text; the declared one where it says more ("de-CH") or the text does not tell."""
    printed = find_language(item.text for item in objects)
    is_confirmed = declared.split("-")[0].lower() == printed
    return declared if is_confirmed or not printed else printed


def find_title(
    objects: Sequence[PhysicalObject], furniture: Sequence[PhysicalObject], declared: Metadata
) -> str:
    """The title on the first pages; the declared one where they show none, "" without any."""
    declared_title = declared.title if is_plausible_title(declared.title) else ""
    first_objects = _objects_of_first_pages(objects)
    repeated = _repeated_texts(objects, furniture)
    authors = _words(" ".join(declared.authors))
    # What is set like a numbered section above it is a section, too.
    numbered = [(index, item.style) for index, item in enumerate(first_objects) if _is_numbered(item.text)]
    best, best_score, is_prominent = "", float("-inf"), False
    for candidate in _candidates(first_objects):
        agreement = agreement_of(candidate.text, declared_title)
        item = first_objects[candidate.first]
        is_large = item.relative_size >= MIN_TITLE_RELATIVE_SIZE
        is_first = candidate.first < MAX_OBJECTS_ABOVE and (item.style.bold or item.caps)
        is_like_section = any(index < candidate.first and style == item.style for index, style in numbered)
        if agreement < MIN_DECLARED_AGREEMENT and (is_like_section or not (is_large or is_first)):
            continue
        score = _score(candidate, first_objects, agreement, repeated, authors)
        if score + MENTIONED_WEIGHT > best_score and _is_mentioned(candidate, objects):
            score += MENTIONED_WEIGHT
        if score > best_score:
            best, best_score = candidate.text, score
            is_prominent = is_large or agreement > 0
    is_confirmed = declared_title and _letters(declared_title) in repeated
    if declared_title and (is_confirmed or not is_prominent):
        agreement = agreement_of(best, declared_title)
        return best if agreement >= MIN_DECLARED_AGREEMENT else declared_title
    return best


def title_objects(objects: Sequence[PhysicalObject], title: str) -> range:
    """The consecutive objects of the first pages that print the title; empty if none do."""
    wanted = _letters(title)
    if not wanted:
        return range(0)
    for first, item in enumerate(objects[:MAX_OBJECTS]):
        printed = ""
        for last in range(first, min(first + MAX_TITLE_OBJECTS, len(objects))):
            if objects[last].page != item.page or objects[last].kind not in TITLE_KINDS:
                break
            printed += _letters(title_text(objects[last]))
            if printed == wanted:
                return range(first, last + 1)
            if not wanted.startswith(printed):
                break
    return range(0)


def title_text(item: PhysicalObject) -> str:
    """The text of a title on one line, without the marks of its footnotes and rules made of letters."""
    return TYPED_RULE.sub("", NOTE_MARKS.sub("", item.title))


def is_plausible_title(text: str) -> bool:
    """Whether a declared title can be one: it is neither empty nor the name of a file."""
    if sum(map(str.isalpha, text)) < MIN_LETTERS or "\ufffd" in text:
        return False
    return NOT_A_TITLE.fullmatch(text.strip()) is None


def _objects_of_first_pages(objects: Sequence[PhysicalObject]) -> list[PhysicalObject]:
    """The objects of the first pages that have any text."""
    pages: list[int] = []
    chosen = []
    for item in objects[:MAX_OBJECTS]:
        if item.page not in pages:
            if len(pages) == TITLE_PAGES:
                break
            pages.append(item.page)
        chosen.append(item)
    return chosen


def _candidates(objects: Sequence[PhysicalObject]) -> Iterator[Candidate]:
    """Each object that may be a title, alone and with those that continue it."""
    for first, item in enumerate(objects):
        if not _may_begin_title(item):
            continue
        text = ""
        for last in range(first, min(first + MAX_TITLE_OBJECTS, len(objects))):
            if last > first and not _continues_title(objects[last - 1], objects[last]):
                break
            text = f"{text} {title_text(objects[last])}".strip()
            if len(text) <= MAX_TITLE_CHARACTERS and _has_enough_letters(text):
                yield Candidate(first, last, text)


def _may_begin_title(item: PhysicalObject) -> bool:
    text = item.text.strip()
    if item.kind not in TITLE_KINDS or not text or is_contents_title(text):
        return False
    if FRONT_HEADING.fullmatch(text.rstrip(".:")):
        return False
    return not _is_numbered(text)


def _is_numbered(text: str) -> bool:
    """Whether a text begins with the number of a section and goes on with its title."""
    number = parse_number(text)
    if number is None or number.pattern is BULLET:
        return False
    return bool(text[number.title_start :].strip())


def _continues_title(before: PhysicalObject, item: PhysicalObject) -> bool:
    """Whether an object may be the next line of the title that the one before it begins."""
    if item.kind not in TITLE_KINDS or item.page != before.page or not item.text.strip():
        return False
    if FRONT_HEADING.fullmatch(item.text.strip().rstrip(".:")):
        return False
    size = max(before.style.size, item.style.size)
    if abs(before.style.size - item.style.size) > MAX_TITLE_SIZE_CHANGE_SHARE * size:
        return False
    gap = item.box.y0 - before.box.y1
    return -size < gap < MAX_TITLE_LINE_GAP_LINES * size


def _score(
    candidate: Candidate,
    objects: Sequence[PhysicalObject],
    agreement: float,
    repeated: frozenset[str],
    authors: frozenset[str],
) -> float:
    pieces = objects[candidate.first : candidate.last + 1]
    words = _words(candidate.text)
    size = min(item.style.size for item in pieces) or 1.0
    score = log(size)
    score += BOLD_WEIGHT * all(item.style.bold for item in pieces)
    score += WORDS_WEIGHT * log(min(len(words), MAX_COUNTED_WORDS), 2) if words else 0.0
    score += LATER_PAGE_WEIGHT * (pieces[0].page - objects[0].page)
    bottom = max(item.box.y1 for item in objects if item.page == pieces[0].page)
    score += LOW_ON_PAGE_WEIGHT * pieces[0].box.y0 / bottom if bottom > 0 else 0.0
    score += REPEATED_WEIGHT * (_letters(candidate.text) in repeated)
    if agreement >= MIN_DECLARED_AGREEMENT:
        score += DECLARED_WEIGHT * agreement
    if authors and words <= authors:
        score += AUTHOR_WEIGHT
    if COMPANY.fullmatch(candidate.text):
        score += COMPANY_WEIGHT
    letters = _letters(candidate.text)
    if len(letters) <= MAX_ABBREVIATION and letters.isascii():
        score += ABBREVIATION_WEIGHT
    return score


def _is_mentioned(candidate: Candidate, objects: Sequence[PhysicalObject]) -> bool:
    """Whether the document speaks of itself by these words: "this annual report on Form 10-K"."""
    words = YEAR_AT_END.sub("", " ".join(candidate.text.split()).casefold())
    if " " not in words:
        return False  # one word occurs in many texts
    mentions = 0
    for item in objects[candidate.last + 1 :]:
        is_longer = len(item.text) > MIN_MENTION_TIMES * len(words)
        mentions += is_longer and words in item.text.casefold()
        if mentions == MIN_MENTIONS:
            return True
    return False


def _repeated_texts(objects: Sequence[PhysicalObject], furniture: Sequence[PhysicalObject]) -> frozenset[str]:
    """The letters of the texts of running heads, and of texts that stand on two of the first pages."""
    heads = {_letters(item.text) for item in furniture if item.text}
    pages: dict[str, set[int]] = {}
    for item in objects[:MAX_OBJECTS]:
        pages.setdefault(_letters(title_text(item)), set()).add(item.page)
    twice = {letters for letters, found in pages.items() if len(found) > 1}
    return frozenset(heads | twice) - {""}


def _printed_authors(objects: Sequence[PhysicalObject], declared: Metadata) -> tuple[str, ...]:
    """The declared authors whose names stand on the first pages."""
    printed = _words(" ".join(item.text for item in _objects_of_first_pages(objects)))
    authors = chain.from_iterable(_single_names(name) for name in declared.authors)
    return tuple(name for name in authors if _words(name) and _words(name) <= printed)


def _single_names(names: str) -> list[str]:
    """The names in a list such as "A. Smith, B. Jones and C. Lee"; "Smith, A." stays one name."""
    pieces = [piece.strip() for piece in re.split(r",\s*(?:and\s)?|\s(?:and|und|et|&)\s", names)]
    if all(len(piece.split()) > 1 for piece in pieces):
        return pieces
    return [names]


def agreement_of(text: str, other: str) -> float:
    """How far two texts have the same words: the F1 measure, from 0 to 1."""
    words, others = _words(text), _words(other)
    if not words or not others:
        return 0.0
    return 2 * len(words & others) / (len(words) + len(others))


def _words(text: str) -> frozenset[str]:
    """The words of a text, in one form; of Chinese and Japanese text the characters."""
    normal = unicodedata.normalize("NFKC", text).casefold()
    words: list[str] = []
    for word in WORD.findall(normal):
        words += list(word) if is_cjk(word[0]) else [word]
    return frozenset(words)


def _letters(text: str) -> str:
    return "".join(WORD.findall(unicodedata.normalize("NFKC", text).casefold()))


def _has_enough_letters(text: str) -> bool:
    """Whether a text is more than a year, a date, a version or a row of numbers."""
    letters = _letters(text)
    digits = sum(map(str.isdigit, letters))
    return len(letters) - digits >= MIN_LETTERS and digits <= MAX_DIGITS_SHARE * len(letters)
