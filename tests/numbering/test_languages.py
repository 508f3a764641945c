"""Numbers of chapters, parts, articles and lists by example, at least one for each language."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from held.numbering import follows, has_letter, is_dotted_prefix, parse_number, words
from held.numbering.titles import is_contents_title
from held.numbering.words import LANGUAGES

PART, CHAPTER, SECTION, ARTICLE, APPENDIX = 31, 32, 33, 34, 37
CJK_PART, CJK_CHAPTER, CJK_SECTION, CJK_ARTICLE, CJK_APPENDIX = 1, 2, 3, 4, 6

EXAMPLES = [
    ("en", "Chapter Three", CHAPTER, 3, ""),
    ("en", "First Schedule", APPENDIX, 1, ""),
    ("en", "PART ii Sails", PART, 2, "Sails"),
    ("en", "Part the First", PART, 1, ""),
    ("en", "Chapter Twenty-One", CHAPTER, 21, ""),
    ("en", "Annexure-A Sails", APPENDIX, 1, "Sails"),
    ("en", "Chapter-3", CHAPTER, 3, ""),
    ("zh", "卷一 总论", CJK_PART, 1, "总论"),
    ("zh", "第三章 总则", CJK_CHAPTER, 3, "总则"),
    ("zh", "第三節 總則", CJK_SECTION, 3, "總則"),
    ("zh", "第十二條 本法", CJK_ARTICLE, 12, "本法"),
    ("ja", "第3章 実験", CJK_CHAPTER, 3, "実験"),
    ("ja", "第２部 応用", CJK_PART, 2, "応用"),
    ("ja", "付録A ソース", CJK_APPENDIX, 1, "ソース"),
    ("ja", "第Ⅱ部 応用", CJK_PART, 2, "応用"),
    ("ja", "別表第一 帆", CJK_APPENDIX, 1, "帆"),
    ("ko", "제3장 결과", CJK_CHAPTER, 3, "결과"),
    ("ko", "제12조(목적)", CJK_ARTICLE, 12, "(목적)"),
    ("ko", "부록 A. 자료", CJK_APPENDIX, 1, "자료"),
    ("de", "Kapitel 4 Ergebnisse", CHAPTER, 4, "Ergebnisse"),
    ("de", "Erster Teil: Segel", PART, 1, "Segel"),
    ("de", "2. Abschnitt", SECTION, 2, ""),
    ("de", "Anlage Nr. 3", APPENDIX, 3, ""),
    ("de", "Zwanzigstes Kapitel", CHAPTER, 20, ""),
    ("fr", "Première partie", PART, 1, ""),
    ("fr", "DEUXIEME PARTIE", PART, 2, ""),
    ("fr", "1er chapitre", CHAPTER, 1, ""),
    ("fr", "IIe partie – Les voiles", PART, 2, "Les voiles"),
    ("fr", "Article 1er Objet", ARTICLE, 1, "Objet"),
    ("fr", "Annexe n° 2", APPENDIX, 2, ""),
    ("es", "Capítulo segundo", CHAPTER, 2, ""),
    ("es", "CAPITULO DECIMO TERCERO", CHAPTER, 13, ""),
    ("es", "Tercera parte", PART, 3, ""),
    ("pt", "Artigo 1.º Objeto", ARTICLE, 1, "Objeto"),
    ("pt", "Capítulo 5 – Velas", CHAPTER, 5, "Velas"),
    ("it", "Capitolo III", CHAPTER, 3, ""),
    ("it", "Parte prima", PART, 1, ""),
    ("ca", "Capítol 2. Veles", CHAPTER, 2, "Veles"),
    ("nl", "Hoofdstuk 2 Zeilen", CHAPTER, 2, "Zeilen"),
    ("nl", "Eerste deel", PART, 1, ""),
    ("sv", "Kapitel 3 Segel", CHAPTER, 3, "Segel"),
    ("sv", "3 kap. Segel", CHAPTER, 3, "Segel"),
    ("sv", "Första delen", PART, 1, ""),
    ("sv", "Tredje kapitlet", CHAPTER, 3, ""),
    ("da", "3. kapitel", CHAPTER, 3, ""),
    ("nb", "Kapittel 3 Seil", CHAPTER, 3, "Seil"),
    ("fi", "4. luku", CHAPTER, 4, ""),
    ("fi", "4 luku Purjeet", CHAPTER, 4, "Purjeet"),
    ("pl", "Rozdział 3 Wyniki", CHAPTER, 3, "Wyniki"),
    ("pl", "Część druga", PART, 2, ""),
    ("cs", "ČÁST PRVNÍ", PART, 1, ""),
    ("cs", "3. kapitola", CHAPTER, 3, ""),
    ("cs", "Příloha č. 2", APPENDIX, 2, ""),
    ("sk", "Časť druhá", PART, 2, ""),
    ("hu", "3. fejezet", CHAPTER, 3, ""),
    ("hu", "Második rész", PART, 2, ""),
    ("hu", "ELSŐ KÖNYV", PART, 1, ""),
    ("hu", "B. függelék. Vitorlák", APPENDIX, 2, "Vitorlák"),
    ("ro", "Capitolul 2. Pânze", CHAPTER, 2, "Pânze"),
    ("ro", "Partea a doua", PART, 2, ""),
    ("ro", "Partea a II-a", PART, 2, ""),
    ("ro", "Secţiunea a 2-a Pânze", SECTION, 2, "Pânze"),  # a cedilla, as early fonts have it
    ("ru", "Глава первая", CHAPTER, 1, ""),
    ("ru", "Глава четвёртая", CHAPTER, 4, ""),
    ("ru", "Вторая часть", PART, 2, ""),
    ("ru", "Приложение № 1", APPENDIX, 1, ""),
    ("ru", "Приложение Б Таблицы", APPENDIX, 2, "Таблицы"),
    ("uk", "Розділ 3. Вітрила", CHAPTER, 3, "Вітрила"),
    ("uk", "Роздiл 3", CHAPTER, 3, ""),  # with a Latin i
    ("bg", "Глава първа", CHAPTER, 1, ""),
    ("bg", "Член 5 Цел", ARTICLE, 5, "Цел"),
    ("el", "ΚΕΦΑΛΑΙΟ ΠΡΩΤΟ", CHAPTER, 1, ""),
    ("el", "Μέρος Β'", PART, 2, ""),
    ("el", "ΚΕΦΑΛΑΙΟ Β΄ Πανιά", CHAPTER, 2, "Πανιά"),
    ("tr", "İKİNCİ BÖLÜM", CHAPTER, 2, ""),
    ("tr", "3. Bölüm", CHAPTER, 3, ""),
    ("tr", "EK-1 Yelkenler", APPENDIX, 1, "Yelkenler"),
    ("tr", "KISIM 2", PART, 2, ""),
    ("vi", "Chương 2 Tổng quan", CHAPTER, 2, "Tổng quan"),
    ("vi", "Phụ lục A", APPENDIX, 1, ""),
    ("id", "BAB II", CHAPTER, 2, ""),
    ("ar", "الفصل الثاني", CHAPTER, 2, ""),
    ("ar", "الفصل الحادي عشر", CHAPTER, 11, ""),
    ("ar", "المادة ٥", ARTICLE, 5, ""),
    ("ar", "مادة (٥)", ARTICLE, 5, ""),
    ("ar", "ملحق رقم ١", APPENDIX, 1, ""),
    ("he", "פרק ט״ו", CHAPTER, 15, ""),
    ("he", "פרק ג' מפרשים", CHAPTER, 3, "מפרשים"),
    ("he", "פרק שני", CHAPTER, 2, ""),
    ("he", "סימן ב'", SECTION, 2, ""),
    # Laws count further than ten.
    ("de", "Einundzwanzigstes Kapitel", CHAPTER, 21, ""),
    ("nl", "Dertiende hoofdstuk", CHAPTER, 13, ""),
    ("sv", "Femtonde kapitlet", CHAPTER, 15, ""),
    ("da", "Trettende kapitel", CHAPTER, 13, ""),
    ("nb", "Ellevte kapittel", CHAPTER, 11, ""),
    ("fi", "Kahdestoista luku", CHAPTER, 12, ""),
    ("pl", "Rozdział piętnasty", CHAPTER, 15, ""),
    ("cs", "ČÁST TŘINÁCTÁ", PART, 13, ""),
    ("sk", "Jedenásta časť", PART, 11, ""),
    ("hu", "Tizenötödik fejezet", CHAPTER, 15, ""),
    ("ro", "Capitolul al XI-lea", CHAPTER, 11, ""),
    ("ro", "Capitolul al unsprezecelea", CHAPTER, 11, ""),
    ("uk", "Розділ дванадцятий", CHAPTER, 12, ""),
    ("bg", "Глава тринадесета", CHAPTER, 13, ""),
    ("el", "ΚΕΦΑΛΑΙΟ ΕΝΔΕΚΑΤΟ", CHAPTER, 11, ""),
    ("el", "Κεφάλαιο δέκατο τρίτο", CHAPTER, 13, ""),
    ("tr", "ON BİRİNCİ BÖLÜM", CHAPTER, 11, ""),
    ("es", "Décimo tercera parte", PART, 13, ""),
    ("es", "DÉCIMA PRIMERA PARTE", PART, 11, ""),
    ("vi", "Phần thứ mười một", PART, 11, ""),
    ("id", "Bagian Kesebelas", PART, 11, ""),
    ("id", "Bagian Kedua Belas", PART, 12, ""),
    ("ar", "الفصل السابع عشر", CHAPTER, 17, ""),
    ("he", "פרק שנים עשר", CHAPTER, 12, ""),
    ("ca", "Capítol onzè", CHAPTER, 11, ""),
    # Letters and marks of other scripts.
    ("el", "1ο Κεφάλαιο Πανιά", CHAPTER, 1, "Πανιά"),
    ("el", "Κεφάλαιο 2ο: Πανιά", CHAPTER, 2, "Πανιά"),
    ("el", "Κεφάλαιο ΣΤ΄", CHAPTER, 6, ""),
    ("el", "Κεφάλαιο ΙΑ΄ Πανιά", CHAPTER, 11, "Πανιά"),
    ("el", "ΠΑΡΑΡΤΗΜΑ ΙΙΙ", APPENDIX, 3, ""),  # with Greek letters
    ("el", "Παράρτημα Α: Πανιά", APPENDIX, 1, "Πανιά"),
    ("uk", "РОЗДІЛ ІІ", CHAPTER, 2, ""),  # with Cyrillic letters
    ("uk", "Частина І Вітрила", PART, 1, "Вітрила"),
    ("ru", "Глава ХІ", CHAPTER, 11, ""),
    ("hu", "2. számú melléklet", APPENDIX, 2, ""),
    ("hu", "1. sz. melléklet", APPENDIX, 1, ""),
    ("ar", "الفصل الأوّل", CHAPTER, 1, ""),  # with the mark of a double letter
]


@pytest.mark.parametrize(("code", "text", "pattern", "value", "title"), EXAMPLES)
def test_a_number_beside_a_word_of_a_language(
    code: str, text: str, pattern: int | None, value: int | None, title: str | None
) -> None:
    number = parse_number(text)
    if pattern is None:
        assert number is None
        return
    assert number is not None
    assert (number.pattern.id, number.value, text[number.title_start :]) == (pattern, (value,), title)


def test_every_language_has_an_example() -> None:
    assert {example[0] for example in EXAMPLES} == set(LANGUAGES)


@pytest.mark.parametrize(
    ("text", "pattern", "value"),
    [
        ("а) парус", 43, 1),
        ("Б. Паруса", 43, 2),
        ("(в) парус", 41, 3),
        ("α) ιστίο", 43, 1),
        ("(β) ιστίο", 41, 2),
        ("ア．帆", 43, 1),
        ("(イ) 帆", 41, 2),
        ("가. 돛", 43, 1),
        ("（나） 돛", 41, 2),
        ("א. מפרש", 43, 1),
        ("יא. מפרש", 43, 11),
        ("ب) شراع", 43, 2),
        ("5 § Segel", 38, 5),
        ("5 a § Segel", 38, (5, 1)),
        ("5. § Vitorlák", 38, 5),
        ("٣. شراع", 27, 3),
        ("２．３ 帆", 25, (2, 3)),
        ("๒) ใบเรือ", 26, 2),
        ("١٫٢ شراع", 25, (1, 2)),
        ("۱ . ۳ . ۲ شراع", 24, (1, 3, 2)),
        ("㉮ 돛", 14, 1),
    ],
)
def test_items_are_counted_with_the_letters_and_digits_of_each_script(
    text: str, pattern: int, value: int | tuple[int, ...]
) -> None:
    number = parse_number(text)
    assert number is not None
    assert number.pattern.id == pattern
    assert number.value == (value if isinstance(value, tuple) else (value,))


@pytest.mark.parametrize(
    "text",
    [
        "제3장에서는 돛을 본다",
        "第3章では帆を見る",
        "Kapitel 3 beschreibt die Segel",
        "Глава 3 описывает паруса",
        "Del 1 de enero al 31 de diciembre",
        "1. Januar 2020",
        "31. prosince 2020",
        "12 октября 2020",
        "3 à 5 voiles",
        "г. Москва",
        "А. С. Пушкин",
        "Parte di ricambio",
        "Teil der Segel",
        "Part-time sails",
        "Section-wise sails",
        "І тоді вітрила",
        "Χ και Ψ",
    ],
)
def test_what_only_looks_like_a_number_is_none(text: str) -> None:
    assert parse_number(text) is None


@pytest.mark.parametrize(
    "title",
    [
        "INHALT (Fortsetzung)",
        "Indice generale",
        "S o m m a i r e",
        "図目次",
        "圖目錄",
        "Liste des figures:",
        "Índex",
        "목 차",
        "DANH MỤC CÁC BẢNG",
        "ŞEKİLLER DİZİNİ",
        "Conținut",
    ],
)
def test_contents_and_lists_are_known_by_their_title(title: str) -> None:
    assert is_contents_title(title)


def test_an_article_may_have_its_number_in_brackets_but_not_in_english_prose() -> None:
    assert parse_number("Artículo (5)") is not None
    assert parse_number("Section (5) of the Act") is None


@pytest.mark.parametrize("title", ["Index", "Inhalt der Segel", "Introduction"])
def test_other_titles_head_no_contents(title: str) -> None:
    assert not is_contents_title(title)


def test_a_first_number_may_be_spelled_out_alone() -> None:
    first, second = parse_number("Chapitre premier"), parse_number("Chapitre II")
    assert first is not None
    assert second is not None
    assert follows(first, second)


def test_a_letter_of_any_alphabet_stands_above_its_numbers() -> None:
    appendix, section = parse_number("Приложение А"), parse_number("A.1 Scope")
    assert appendix is not None
    assert section is not None
    assert has_letter(appendix)
    assert is_dotted_prefix(appendix, section)


def test_the_table_of_words_is_read_as_any_reader_of_toml_reads_it() -> None:
    text = Path(words.__file__).with_name("words.toml").read_text(encoding="utf-8")
    assert words.read_toml(text) == tomllib.loads(text)
