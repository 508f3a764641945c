"""The words that documents of each language count and name their sections with: one row per language.

To make `held` read "Rozdział 3" as a chapter's number, add the word to the row of its language:

    "pl": HeadingWords(chapter=("rozdział",), contents=("spis treści",)),

and an example with the pattern's id to `EXAMPLES` in `tests/numbering/test_numbers.py`:

    (32, "Rozdział 3 Wyniki", (3,), "Wyniki"),

Words are lower case; texts match them in any case. A word stands before its number. Where it does not, `#`
marks the number: "第#章", "제#장", "#. fejezet". `patterns` turns the words into expressions.
"""

from __future__ import annotations

from typing import NamedTuple

Words = tuple[str, ...]


class HeadingWords(NamedTuple):
    """The words of one language; a field that does not apply stays empty.

    The fields from `part` to `appendix` are kinds of numbered sections. The last fields are regular
    expressions in which a space stands for any white space; each begins with a letter.
    """

    part: Words = ()
    chapter: Words = ()
    subchapter: Words = ()
    section: Words = ()
    article: Words = ()
    clause: Words = ()
    item: Words = ()
    note: Words = ()
    appendix: Words = ()
    course_unit: Words = ()  # seldom numbers a section, but sets a number apart when titles are compared
    number_words: Words = ()  # from one on: "Book Two"
    has_chinese_numerals: bool = False  # 第二章 and 第2章
    longer_words: Words = ()  # begin with a word for a section and are none: 条件 is no 条
    page: Words = ()  # expressions for the word before a page number
    contents: Words = ()  # expressions for the titles of printed contents and of lists of figures
    continued: Words = ()  # expressions that end the title of a section that began earlier
    continued_in_brackets: Words = ()  # the same, only in brackets: "(cont'd)"


_LISTED = ("figures", "tables", "illustrations", "listings", "algorithms", "appendices", "exhibits")

LANGUAGES: dict[str, HeadingWords] = {
    "en": HeadingWords(
        part=("part", "book", "title", "volume", "file"),
        chapter=("chapter",),
        subchapter=("subchapter", "subpart", "subtitle", "subdivision"),
        section=("section", "sec."),
        article=("article", "clause", "rule", "regulation"),
        item=("item",),
        note=("note",),
        appendix=("appendix", "annexure", "annex", "schedule", "exhibit", "attachment"),
        course_unit=("lecture", "step", "unit", "lesson", "module"),
        number_words=(
            *("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
            *("eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen"),
            *("nineteen", "twenty"),
        ),
        page=("page", r"p\.", r"pg\.?"),
        contents=(
            *("contents?", r"brief\s*contents?", r"detailed\s*contents?", r"table of\s*contents?"),
            *("chapter contents?", "section contents?", "index to .*"),
            *_LISTED,
            *(f"list of {listed}" for listed in _LISTED),
            *(f"table of {listed}" for listed in _LISTED),
        ),
        continued=("continued",),
        continued_in_brackets=(r"cont(?:inue)?[’'.]?d?\.?",),
    ),
    "zh": HeadingWords(
        part=("第#编", "第#篇", "第#部分"),
        chapter=("第#章",),
        section=("第#节",),
        article=("第#条",),
        clause=("第#款", "第#项", "第#目", "第#类"),
        appendix=("附录#", "附件#", "附表#", "附注#", "附錄#"),
        has_chinese_numerals=True,
        longer_words=("条件", "项目", "目标", "目的", "目录", "类似"),
        contents=(
            r"目\s*[录錄次]",
            *(r"图\S{0,2}\s*目\s*[录錄]", r"表\S{0,2}\s*目\s*[录錄]"),
            *(r"插[图表]\S{0,2}\s*目\s*[录錄]", r"附[图表]\S{0,2}\s*目\s*[录錄]"),
            *(r"图\S?索引", r"表\S?索引"),
        ),
        continued_in_brackets=("续",),
    ),
    "cs": HeadingWords(contents=("obsah",)),
    "da": HeadingWords(contents=("indhold(?:sfortegnelse)?",)),
    "de": HeadingWords(page=("seite",), contents=("inhalt(?:sverzeichnis|sübersicht)?",)),
    "es": HeadingWords(
        contents=("tabla de contenidos?", "contenidos?", "indice(?: general)?", "índice(?: general)?")
    ),
    "fr": HeadingWords(contents=("table des mati[eè]res", "sommaire")),
    "hu": HeadingWords(contents=("tartalom(?:jegyzék)?",)),
    "it": HeadingWords(contents=("indice(?: generale)?", "índice generale", "sommario")),
    "ja": HeadingWords(contents=("もくじ",)),
    "ko": HeadingWords(contents=(r"목\s*차", r"차\s*례")),
    "nl": HeadingWords(contents=("inhoud(?:sopgave)?",)),
    "pl": HeadingWords(contents=("spis treści",)),
    "pt": HeadingWords(contents=("sum[aá]rio", "conteúdo")),
    "ru": HeadingWords(contents=("содержание", "оглавление")),
    "sv": HeadingWords(contents=("innehåll(?:sförteckning)?",)),
    "tr": HeadingWords(contents=("i\u0307?çindekiler",)),
    "uk": HeadingWords(contents=("зміст",)),
}


def all_words(kind: str) -> list[str]:
    """The words of one kind (a field of `HeadingWords`) in all languages, in the order of the table."""
    found: list[str] = []
    for language in LANGUAGES.values():
        found += getattr(language, kind)
    return found


def any_expression(kind: str) -> str:
    """A regular expression for any of the expressions of one kind, a space standing for any white space."""
    alternatives = [expression.replace(" ", r"\s+") for expression in all_words(kind)]
    return "(?:" + "|".join(alternatives) + ")"


def first_letters(kind: str) -> frozenset[str]:
    """The characters, in both cases, that a text of one kind can begin with."""
    letters = {expression[0] for expression in all_words(kind)}
    both_cases = letters | {letter.upper() for letter in letters}
    # The other letters that the `re` module takes for i and s where case does not count.
    both_cases |= {"İ", "ı"} if "i" in letters else set()
    both_cases |= {"ſ"} if "s" in letters else set()
    return frozenset(both_cases)
