"""Text to tokens, as search compares them, how much each token counts, and what differs by language.

Words become lower-case without a plural s, numbers lose their thousands separators, and a year is separated
from the letters before it (FY2018). Chinese and Japanese have no spaces between words, and Korean PDFs often
lose theirs, so each pair of neighbouring characters of one script is a token there.
`docs/research/retrieval.md` has the measurements behind these choices.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from itertools import takewhile

# --- languages ---
#
# What search knows of each language: words that don't help to find anything, endings, back matter.
#
# The endings make "installing" find "installation" and "Verwendung" find "verwenden". Words are compared
# when a question is asked, not when a document is indexed: an index has the words as they are printed, and
# works for questions in any language. `data/languages.toml` has one block per language.

MIN_STEM_LETTERS = 4  # shorter stems have nothing to do with each other: "care" and "caring"
_SHORTER_STEMS = {"ru": 3, "ko": 2}  # minimum letters, by language
MAX_CACHED_WORDS = 1 << 16  # about ten megabytes
DEFAULT = "en"
COMPOUNDING = ("de", "nl")  # languages that write compounds as one word
MIN_PART_LETTERS = 6  # of a word that is looked for inside others

_DOUBLE_VOWEL = re.compile(r"([aeou])\1")


@dataclass(frozen=True, slots=True)
class LanguageWords:
    """The words of one language, all without accents.

    stopwords    words that don't help to find anything
    endings      endings of words, the empty one among them
    back_matter  titles of sections that point elsewhere: contents, references, an index
    """

    stopwords: frozenset[str]
    endings: frozenset[str]
    back_matter: frozenset[str]
    min_stem_letters: int = MIN_STEM_LETTERS


@cache
def language_words() -> dict[str, LanguageWords]:
    """All languages that search knows, by their code."""
    resource = files("held.retrieval").joinpath("data", "languages.toml")
    blocks = tomllib.loads(resource.read_text(encoding="utf-8"))
    return {code: _language_words(code, block) for code, block in blocks.items()}


def _language_words(code: str, block: Mapping[str, str]) -> LanguageWords:
    stopwords = map(fold, block["stopwords"].split())
    endings = block.get("endings", "").split()
    on_one_line = " ".join(block["back_matter"].split())
    titles = [fold(title.strip()) for title in on_one_line.split(",")]
    return LanguageWords(
        frozenset(stopwords),
        frozenset([*endings, ""]),
        frozenset(titles),
        _SHORTER_STEMS.get(code, MIN_STEM_LETTERS),
    )


@lru_cache(MAX_CACHED_WORDS)
def fold(word: str) -> str:
    """A word without accents, so that "decidable" finds "décidable"; Korean and Japanese stay as they are."""
    if word.isascii():
        return word
    bare = [letter for letter in unicodedata.normalize("NFD", word) if not _is_accent(letter)]
    return unicodedata.normalize("NFC", "".join(bare))


def _is_accent(character: str) -> bool:
    # The breve stays: и and й are two letters.
    return "\u0300" <= character <= "\u036f" and character != "\u0306"


def is_same_word(word: str, other: str, language: str) -> bool:
    """Whether two words differ in their endings alone: install, installing, installation.

    Both are a stem of enough letters and an ending of the language, or none. The last consonant of the stem
    may be doubled before an ending: plan, planning.
    """
    known = language_words().get(language) or language_words()[DEFAULT]
    first, second = fold(word), fold(other)
    if language == "nl":  # probleem, problemen
        first = _DOUBLE_VOWEL.sub(r"\1", first)
        second = _DOUBLE_VOWEL.sub(r"\1", second)
    if first == second:
        return True
    for length in range(_shared_letters(first, second), known.min_stem_letters - 1, -1):
        last = first[length - 1]
        rests = (first[length:], second[length:])
        if all(_is_ending(rest, last, known.endings) for rest in rests):
            return True
    return False


def _shared_letters(first: str, second: str) -> int:
    """How many letters two words begin with alike."""
    letters = zip(first, second, strict=False)
    return len(list(takewhile(lambda pair: pair[0] == pair[1], letters)))


def _is_ending(rest: str, last: str, endings: frozenset[str]) -> bool:
    """Whether what follows a stem is an ending, or the stem's last letter again and an ending."""
    after_doubled = rest[1:] if rest[:1] == last else ""
    return rest in endings or (after_doubled != "" and after_doubled in endings)


def compound_part(word: str, language: str) -> str:
    """What compounds have of a word, if the language makes them: "problem" in Installatieproblemen.

    Empty in other languages, and for words that are too short to be told from letters by chance.
    """
    if language not in COMPOUNDING:
        return ""
    if len(word) < MIN_PART_LETTERS:
        return ""
    endings = language_words()[language].endings
    for length in range(MIN_PART_LETTERS, len(word)):
        if word[length:] in endings:
            return word[:length]
    return word


def question_languages(words: Iterable[str]) -> tuple[str, ...]:
    """The languages that a question may be in: those with most of its words among their stopwords."""
    bare = set(map(fold, words))
    counts = {code: len(bare & known.stopwords) for code, known in language_words().items()}
    most = max(counts.values())
    if most == 0:
        return ()
    return tuple(code for code, count in counts.items() if count == most)


@cache
def all_stopwords() -> frozenset[str]:
    """The stopwords of all languages, without accents."""
    return stopwords_of(language_words())


def stopwords_of(languages: Iterable[str]) -> frozenset[str]:
    """The stopwords of some languages, without accents."""
    by_language = language_words()
    known = [by_language[code] for code in languages if code in by_language]
    return frozenset().union(*(language.stopwords for language in known))


# --- tokens ---


FIRST_HAN, LAST_HAN = "\u3400", "\ufaff"
HAN = f"\u3005{FIRST_HAN}-\u9fff\uf900-{LAST_HAN}"  # with 々, which repeats a character
HIRAGANA = "\u3041-\u309f"
KATAKANA = "\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff"
HANGUL = "\uac00-\ud7a3"
PAIRED = HAN + HIRAGANA + KATAKANA + HANGUL
FIRST_PAIRED = "\u3005"  # most words begin with an earlier character, which settles it
_LETTERS = rf"[^\W\d_{PAIRED}]+"
# Characters of one script, a number, or a word with its apostrophes and digits: company's, Q3.
_WORDS = re.compile(
    rf"[{HAN}]+|[{HIRAGANA}]+|[{KATAKANA}]+|[{HANGUL}]+"
    rf"|\d+(?:[.,]\d+)*|{_LETTERS}(?:['’]{_LETTERS})*(?:\d+(?!\d))?"
)
_PAIRED = re.compile(f"[{PAIRED}]")
_HIRAGANA = re.compile(f"[{HIRAGANA}]+")
_WORD_WITH_YEAR = re.compile(r"(\D+)((?:19|20)\d\d)")
_POSSESSIVE = re.compile(r"['’]s?$")
# French and Italian: l'avenir, dell'arte, qu'un.
_ELISION = re.compile(
    r"^(?:[cdjlmnst]|qu|jusqu|lorsqu|puisqu|quoiqu|presqu|gl|un|(?:d|n|s)?[ae]ll|dall|sull|quest|quell)['’](?=.{2})"
)
_NO_APOSTROPHES = str.maketrans("", "", "'’")

_CHINESE_STOPWORDS = "什么 多少 哪些 哪个 如何 怎么 为何 是否 以及 请问"
# A pair with a particle or pronoun crosses the end of a word. It is rare on any page and would look specific.
_CHINESE_PARTICLES = frozenset("的了吗呢吧么啥哪谁怎几这那它们我你您他她请")


def tokens(text: str) -> list[str]:
    """The tokens of a text in order, with repetitions."""
    # NFKC turns full-width letters and ligatures into plain ones.
    plain = unicodedata.normalize("NFKC", text).lower()
    found: list[str] = []
    for word in _WORDS.findall(plain):
        if is_paired(word):
            last_pair = max(1, len(word) - 1)  # a single character is a token, too
            found += [word[start : start + 2] for start in range(last_pair)]
        elif word[0].isdigit():
            found.append(word.replace(",", ""))
        else:
            found += _latin_tokens(word)
    return found


def is_han(character: str) -> bool:
    """Whether a character is Chinese."""
    return FIRST_HAN <= character <= LAST_HAN


def is_paired(word: str) -> bool:
    """Whether a word is Chinese, Japanese or Korean, so that its pairs of characters are its tokens."""
    return word[:1] >= FIRST_PAIRED and _PAIRED.match(word) is not None


@lru_cache(MAX_CACHED_WORDS)
def _latin_tokens(word: str) -> tuple[str, ...]:
    if year := _WORD_WITH_YEAR.fullmatch(word):
        return year.groups()
    without_article = _ELISION.sub("", word)
    bare = _POSSESSIVE.sub("", without_article)
    return (singular(bare.translate(_NO_APOSTROPHES)),)


def singular(word: str) -> str:
    """The word without a plural s: the S-stemmer of Harman (1991)."""
    is_plural = word.endswith("s") and not word.endswith(("ss", "us", "is"))
    if len(word) < 4 or not is_plural:
        return word
    if word.endswith("ies") and not word.endswith(("eies", "aies")):
        return word[:-3] + "y"
    return word[:-1]


@cache
def stopwords(languages: tuple[str, ...] = (DEFAULT,)) -> frozenset[str]:
    """The tokens that don't help to find anything in some languages, or in Chinese; without accents."""
    words = " ".join(stopwords_of(languages))
    return frozenset(map(fold, tokens(f"{words} {_CHINESE_STOPWORDS}")))


def content_words(words: Iterable[str], languages: tuple[str, ...] = (DEFAULT,)) -> list[str]:
    """The tokens without the stopwords of some languages, in order."""
    ignored = stopwords(languages)
    return [word for word in words if fold(word) not in ignored and not _is_grammar(word)]


def _is_grammar(word: str) -> bool:
    """Whether a token is a Chinese particle with its neighbour, or Japanese endings and particles alone."""
    if word < FIRST_PAIRED:
        return False
    return not _CHINESE_PARTICLES.isdisjoint(word) or _HIRAGANA.fullmatch(word) is not None


def word_weight(word: str) -> float:
    """How specific a word is: from near 0 for a word on most pages to 1 for most words.

    The weights come from many documents. One document can't tell: "get" may be rare in a filing, and
    still does not help to find anything there.
    """
    return _word_weights().get(word, 1.0)


@cache
def _word_weights() -> Mapping[str, float]:
    weights: dict[str, float] = {}
    for line in read_data("word_weights.txt").splitlines():
        if line and not line.startswith("#"):
            weight, _, words = line.partition(":")
            weights |= dict.fromkeys(words.split(), float(weight))
    return weights


def read_data(name: str) -> str:
    """A text file of the package's `data` folder."""
    return files("held.retrieval").joinpath("data", name).read_text(encoding="utf-8")


# --- the words of a question in a text, and the part of the text that has most of them ---

TextRange = tuple[int, int]
"""Start and end of a part of a text, in characters."""

_PAIR = 2  # characters: Chinese has no spaces, so its tokens are pairs
_LEAD_FRACTION = 10  # an excerpt starts a tenth of its length before a match, to show the match in context
_MAX_WORD_CHARACTERS = 30  # that an excerpt is moved back, to start with a whole word


def find_matches(text: str, words: Collection[str]) -> list[TextRange]:
    """The spans of a text that have one of the tokens, from left to right, without overlaps."""
    wanted = frozenset(words)
    spans: list[TextRange] = []
    for match in _WORDS.finditer(text):
        word = match.group()
        if is_paired(word):
            spans += _matching_pairs(match, wanted)
        elif not wanted.isdisjoint(tokens(word)):
            spans.append(match.span())
    return _merge(spans)


def _matching_pairs(run: re.Match[str], wanted: Collection[str]) -> list[TextRange]:
    """The wanted pairs of neighbouring characters, as `tokens` makes them."""
    start, end = run.span()
    width = min(_PAIR, end - start)
    last = end - width
    found: list[TextRange] = []
    for left in range(start, last + 1):
        right = left + width
        if run.string[left:right] in wanted:
            found.append((left, right))
    return found


def _merge(spans: list[TextRange]) -> list[TextRange]:
    """Merges spans that overlap or touch: 公司 and 员工 in 公司员工 are one mark."""
    merged: list[TextRange] = []
    last_end = -1
    for start, end in spans:
        if start <= last_end:
            start, _ = merged.pop()
        merged.append((start, end))
        last_end = end
    return merged


def mark_spans(text: str, spans: Collection[TextRange], before: str, after: str) -> str:
    """The text with marks before and after each span."""
    pieces: list[str] = []
    done = 0
    for start, end in spans:
        unmarked, marked = text[done:start], text[start:end]
        pieces += [unmarked, before, marked, after]
        done = end
    rest = text[done:]
    return "".join([*pieces, rest])


def best_excerpt(text: str, spans: Sequence[TextRange], max_characters: int) -> TextRange:
    """The excerpt of at most so many characters that has most different marked words."""
    if len(text) <= max_characters:
        return 0, len(text)
    lead = max_characters // _LEAD_FRACTION
    best = 0
    most_words = _distinct_words(text, spans, 0, max_characters)
    for first, _ in spans:
        start = max(0, first - lead)
        end = start + max_characters
        words = _distinct_words(text, spans, start, end)
        if words > most_words:  # the earlier one wins a tie
            best, most_words = start, words
    last_start = len(text) - max_characters
    start = _word_start(text, min(best, last_start))
    end = start + max_characters
    return start, min(len(text), end)


def best_lines(text: str, spans: Sequence[TextRange], within: TextRange, max_lines: int) -> TextRange:
    """The neighbouring lines of a part, at most so many, that have most different marked words."""
    start, end = within
    starts, ends = [start], []
    for at in range(start, end):
        if text[at] == "\n":
            ends.append(at)
            starts.append(at + 1)
    ends.append(end)
    if len(starts) <= max_lines:
        return within
    # A window ends with the line that is `max_lines - 1` lines below its first.
    windows = zip(starts, ends[max_lines - 1 :], strict=False)
    # Of windows that have equally many words, `max` returns the first.
    return max(windows, key=lambda window: _distinct_words(text, spans, *window))


def _word_start(text: str, at: int) -> int:
    """The start of the word at a position; the position itself if no space is near."""
    nearest = max(0, at - _MAX_WORD_CHARACTERS)
    space = text.rfind(" ", nearest, at)
    return at if space < 0 else space + 1


def _distinct_words(text: str, spans: Sequence[TextRange], start: int, end: int) -> int:
    found: set[str] = set()
    for left, right in spans:
        if start <= left and right <= end:
            found.add(text[left:right].lower())
    return len(found)
