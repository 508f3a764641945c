"""What the text of an object says: its shape, its words, and what other documents tell of its title.

Shapes are counted for all objects at once. The first characters of all texts are laid end to end as code
points, looked up in one table of character classes and summed by text: a document of thousands of objects
costs milliseconds.
"""

from __future__ import annotations

import re
import unicodedata
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from held.headings import Floats, Ints
from held.numbering.words import all_words, any_expression

if TYPE_CHECKING:
    from held.headings.object_features import ObjectFeatures

CLIP = 160  # characters of a text that are looked at; titles are shorter
CHARACTER_CLASSES = ("upper", "lower", "digit", "space", "cjk", "stop", "comma", "mark", "dot_leader")

_STOPS = ".。!！?？;；؟؛।"
_COMMAS = ",，、"
_LEADERS = ".…·"
_STOP, _COLON, _COMMA = 1.0, 2.0, 3.0  # values of the feature `last`
_LAST = {
    **dict.fromkeys(".。!！?？؟।", _STOP),
    **dict.fromkeys(":：", _COLON),
    **dict.fromkeys(",，、;；-", _COMMA),
}
_CLOSING = " \t\n”’\"')）]】』」"

_FORGOTTEN = re.compile(r"[\W_]+")
_FORGOTTEN_ASCII = {code: None for code in range(128) if not chr(code).isalnum()}


def key(text: str) -> str:
    """The letters and digits of a text, case and compatibility forms unified: how titles are compared."""
    text = text[:CLIP]
    if text.isascii():  # most texts of most documents, and faster without the expression
        return text.lower().translate(_FORGOTTEN_ASCII)
    return _FORGOTTEN.sub("", unicodedata.normalize("NFKC", text).casefold())


def _keys(*kinds: str) -> frozenset[str]:
    """The titles of some kinds in all languages, as `key` gives them."""
    return frozenset(key(title) for kind in kinds for title in all_words(kind))


HEADING_WORDS = _keys("contents", "contents_lists", "front_titles", "titles")
"""Titles, as `key` gives them, that head a section in most documents."""
CONTENTS_WORDS = _keys("contents")
"""Titles of printed contents: set like a chapter, but no sibling tells anything of its level."""

COLLECTION, OPINION, STATEMENT, CLOSING = 1, 2, 3, 4
"""Kinds of titles, 0 being any other: what holds a list of its own (Notes to the Financial Statements), and
what stands beside it in financial reports: opinions of auditors, statements, and what closes a filing."""
_KINDS = {
    COLLECTION: r"notesto|notes$|appendices|annexes|exhibits$|schedules$|articles$|.{0,20}(?:附注|项目注释)$",
    OPINION: r"(?:the)?reports?ofindependent|independentauditor|managementsreport|审计报告$",
    STATEMENT: r"(?:condensed)?(?:consolidated)?(?:statements?of|balancesheet|incomestatement)"
    r"|(?:合并|母公司)?(?:资产负债表|利润表|现金流量表|所有者权益变动表|股东权益变动表)$",
    CLOSING: r"signatures?$|powerofattorney|exhibitindex|indextoexhibits",
}
_KIND_OF = [(kind, re.compile(pattern)) for kind, pattern in _KINDS.items()]

_FIRST_WORD = re.compile(r"\w+")
_NO_HEADING = frozenset(all_words("no_headings"))
_NO_HEADING_EXPRESSION = re.compile(any_expression("no_heading_expressions") + "|□|√")


def begins_no_heading(text: str) -> bool:
    """Whether the first word of a text begins what is seldom a heading: a theorem, a note, a source."""
    first = _FIRST_WORD.match(text)
    if first is not None:
        word = first[0].lower()
        is_abbreviation = text[first.end() : first.end() + 1] == "."
        if word in _NO_HEADING or (is_abbreviation and word + "." in _NO_HEADING):
            return True
    return _NO_HEADING_EXPRESSION.match(text) is not None


_BIT = {name: 1 << place for place, name in enumerate(CHARACTER_CLASSES)}
_MARKS = ("Pc", "Pd", "Pe", "Pf", "Pi", "Po", "Ps", "Sc", "Sk", "Sm", "So")
_BIT_OF_CATEGORY = {  # Unicode's general categories
    **dict.fromkeys(_MARKS, _BIT["mark"]),
    "Lu": _BIT["upper"],
    "Lt": _BIT["upper"],
    "Ll": _BIT["lower"],
    "Lo": _BIT["cjk"],
    "Nd": _BIT["digit"],
}
_BASIC_PLANE = 0x10000  # code points; beyond it are rare ideographs, and all count as the first common one
_FIRST_IDEOGRAPH = 0x4E00  # 一, one
_NOT_MET = 0xFFFF  # no character has all classes


@cache
def _class_table() -> NDArray[np.uint16]:
    """For each code point of the basic plane the bits of its classes, once a text had it.

    A document has a few hundred characters: to class all 65,536 takes longer than to read a short one.
    """
    return np.full(_BASIC_PLANE, _NOT_MET, np.uint16)


def _classes(codes: NDArray[np.uint32]) -> NDArray[np.uint16]:
    """The bits of the classes of each character."""
    table = _class_table()
    bits = table[codes]
    not_met = codes[bits == _NOT_MET]
    if len(not_met) == 0:
        return bits
    for code in set(not_met.tolist()):
        table[code] = _class_bits(chr(code))
    return table[codes]


def _class_bits(character: str) -> int:
    bits = _BIT_OF_CATEGORY.get(unicodedata.category(character), 0)
    if character.isspace():
        bits |= _BIT["space"]
    for name, members in (("stop", _STOPS), ("comma", _COMMAS), ("dot_leader", _LEADERS)):
        if character in members:
            bits |= _BIT[name]
    return bits


def shapes(texts: Sequence[str]) -> dict[str, Floats]:
    """Columns that describe each text: its length, its mix of characters, its first and last ones."""
    clipped = [text[:CLIP] for text in texts]
    length = _column([len(text) for text in texts])
    columns: dict[str, Floats] = {"length": length, "log_length": np.log1p(length)}
    clipped_length = _column([max(1, len(text)) for text in clipped])
    for name, count in zip(CHARACTER_CLASSES, _counts(clipped), strict=True):
        columns[f"{name}_share"] = count / clipped_length
    words = [text.split() for text in clipped]
    columns["words"] = _column([len(own) for own in words])
    columns["title_case"] = _column([_title_case(own) for own in words])
    last = [text.rstrip(_CLOSING)[-1:] for text in texts]
    columns["last"] = _column([_LAST.get(character, 0.0) for character in last])
    first = [text[:1] for text in texts]
    columns["first_lower"] = _column([character.islower() for character in first])
    columns["first_mark"] = _column([_is_mark(character) for character in first])
    columns["no_heading_word"] = _column([begins_no_heading(text) for text in texts])
    return columns


def _is_mark(character: str) -> bool:
    """Whether it is neither letter nor digit; an empty text has no character that is."""
    return character != "" and not character.isalnum()


def _column(values: Sequence[float]) -> Floats:
    return np.array(values, np.float32)


def _counts(clipped: Sequence[str]) -> list[Floats]:
    """How many characters of each class stand in each text.

    All texts are counted at once. With "ab" and "C" the classes of a, b and C lie in one array, the running
    count of capitals is 0 0 0 1, and the differences at the bounds 0, 2 and 3 are 0 and 1.
    """
    bounds = np.cumsum([0, *(len(text) for text in clipped)])
    codes = _code_points("".join(clipped))
    basic_codes = np.where(codes < _BASIC_PLANE, codes, np.uint32(_FIRST_IDEOGRAPH))
    bits = _classes(basic_codes)
    counts = []
    for place in range(len(CHARACTER_CLASSES)):
        is_member = (bits >> place) & 1
        running = np.concatenate([[0], np.cumsum(is_member, dtype=np.int64)])
        count = np.diff(running[bounds])
        counts.append(count.astype(np.float32))
    return counts


def _title_case(words: Sequence[str]) -> float:
    """The share of long words that begin with a capital."""
    initials = [word[0] for word in words if len(word) > 3]
    if not initials:
        return 0.5
    capitals = sum(map(str.isupper, initials))
    return capitals / len(initials)


def title_kind(title: str) -> float:
    """The kind of a title, as `key` gives it."""
    return next((float(kind) for kind, pattern in _KIND_OF if pattern.match(title)), 0.0)


# --- Known titles: whether other documents used a title as a heading ---
#
# Known titles are "References", "管理层讨论与分析", "Item 1A. Risk Factors". Each title is counted once for
# each group of documents, as a heading and as running text. Titles are kept as hashes: the table is small,
# and none of anybody's text ships with it.

Hashes = NDArray[np.uint32]
_GroupCounts = NDArray[np.int64]

TITLE_FEATURES = ("title_as_heading", "title_as_text", "title_share")
_LONGEST = 100  # letters; what is longer is seldom said twice
_FEWEST = 2  # groups that must have used a title before it counts as known
_NO_TITLE = 0  # in place of a hash
_HEADING, _TEXT = 1, 0  # labels of objects; what is neither is unknown


@dataclass(frozen=True, slots=True)
class Titles:
    """Known titles: sorted hashes, and how many groups have each as a heading and as text."""

    hashes: Hashes
    headings: _GroupCounts
    texts: _GroupCounts

    def __post_init__(self) -> None:
        # A model file is input: its arrays need not fit together.
        lengths = {len(self.hashes), len(self.headings), len(self.texts)}
        if len(lengths) > 1:
            raise ValueError("its titles and their counts differ in number")


_NO_COUNTS = np.zeros(0, np.int64)
_NO_TITLES = Titles(np.zeros(0, np.uint32), _NO_COUNTS, _NO_COUNTS)


def hashes_of(table: ObjectFeatures) -> Hashes:
    """The hash of each object's title, number aside; 0 where it is too long or no candidate."""
    hashes = np.zeros(len(table), np.uint32)
    for place in np.flatnonzero(table.candidates).tolist():
        title = table.bare_keys[place]
        if 0 < len(title) <= _LONGEST:
            hashes[place] = hash_of(title)
    return hashes


def hash_of(title: str) -> int:
    """The hash of a title, as `key` gives it."""
    return zlib.crc32(title.encode())


def title_features(hashes: Hashes, titles: Titles, own: Titles | None = None) -> dict[str, Floats]:
    """How widely each title is used as a heading and as text, `own` uses aside."""
    headings, texts = _look_up(hashes, titles)
    if own is not None:
        own_headings, own_texts = _look_up(hashes, own)
        headings, texts = headings - own_headings, texts - own_texts
    is_title = hashes > 0
    known = is_title & (headings + texts >= _FEWEST)
    headings = headings * known
    texts = texts * known
    # Half a use is added to both sides, so that a title nobody knows has the share of one half.
    share = (headings + 0.5) / (headings + texts + 1)
    columns = (np.log1p(headings), np.log1p(texts), share)
    named = zip(TITLE_FEATURES, columns, strict=True)
    return {name: column.astype(np.float32) for name, column in named}


def count_titles(documents: Iterable[tuple[str, Hashes, NDArray[np.int8]]]) -> dict[str, Titles]:
    """The titles of each group, each counted once, from groups, hashes and labels of documents."""
    headings: dict[str, set[int]] = {}
    texts: dict[str, set[int]] = {}
    for group, hashes, labels in documents:
        as_headings = hashes[labels == _HEADING]
        as_texts = hashes[labels == _TEXT]
        headings.setdefault(group, set()).update(as_headings.tolist())
        texts.setdefault(group, set()).update(as_texts.tolist())
    return {group: _count_once(headings[group], texts[group]) for group in headings}


def all_titles(groups: Iterable[Titles]) -> Titles:
    """The counts of all groups together; titles that are not known to enough of them are left out."""
    found = [_NO_TITLES, *groups]
    hashes = np.concatenate([titles.hashes for titles in found])
    known, place = np.unique(hashes, return_inverse=True)
    headings = _sum_counts([titles.headings for titles in found], place, len(known))
    texts = _sum_counts([titles.texts for titles in found], place, len(known))
    kept = headings + texts >= _FEWEST
    return Titles(known[kept], headings[kept], texts[kept])


def _sum_counts(counts: Sequence[_GroupCounts], place: _GroupCounts, size: int) -> _GroupCounts:
    """The counts of all groups, added up at the place of each title."""
    every_count = np.concatenate(counts)
    return np.bincount(place, every_count, size).astype(np.int64)


def _count_once(headings: set[int], texts: set[int]) -> Titles:
    """The titles of one group, each a heading once at most, and a text once at most."""
    hashes = sorted((headings | texts) - {_NO_TITLE})
    as_heading = np.array([title in headings for title in hashes], np.int64)
    as_text = np.array([title in texts for title in hashes], np.int64)
    return Titles(np.array(hashes, np.uint32), as_heading, as_text)


def _look_up(hashes: Hashes, titles: Titles) -> tuple[_GroupCounts, _GroupCounts]:
    """For each hash how many groups have it as a heading and as text."""
    if not len(titles.hashes):
        nothing = np.zeros(len(hashes), np.int64)
        return nothing, nothing
    place = np.searchsorted(titles.hashes, hashes)
    # A hash above all others would be looked for behind the end: the last one is not it either.
    place = np.minimum(place, len(titles.hashes) - 1)
    found = titles.hashes[place] == hashes
    return titles.headings[place] * found, titles.texts[place] * found


# --- wording of titles ---
#
# What the wording of a title says of its section: how deep it lies and how many headings it holds.
#
# "Directors' report" and "Notes to the financial statements" hold many headings in any report, "Dividends"
# holds none. Style and numbers do not tell that where a report sets both alike. A linear model over short
# pieces of titles learns it from other documents. Pieces are hashed, so the model is a small table of
# numbers, and a title that nobody has used before still shares pieces with those that somebody has.

PIECE_BITS = 15  # of a hash; one more doubles the model's table
PIECES = 1 << PIECE_BITS
"""The number of hashes of pieces, that is, of rows of the table."""
WORDING_PART = "wording.npz"
"""The part of a model with such a table."""
WORDING_FEATURES = ("wording_level", "wording_inner")
"""The level that a title suggests, against the mean level of its document's headings; and the logarithm of
the number of headings below it, likewise."""

_MAX_TITLE_LENGTH = 80  # characters; what follows says little
_PIECE_LENGTH = 5  # characters of a piece in scripts with letters: about a word's stem
_CJK_PIECE_LENGTH = 2  # characters of a piece in Chinese, Japanese and Korean: about a word
_FIRST_CJK = 0x2E80  # ⺀, the first radical
_START, _END = "\x02", "\x03"  # around each title, so that its first and last pieces are told from others
_MULTIPLIER = np.uint32(0x9E3779B1)  # spreads similar pieces over the table (Knuth's multiplicative hashing)
_BASE = np.uint32(31)


class Pieces(NamedTuple):
    """The hashed pieces of some titles, one title after another, and the number of pieces of each."""

    hashes: Ints
    counts: Ints


@dataclass(frozen=True, slots=True)
class TitleWording:
    """A linear model: a row of weights for each hash, a column for each of WORDING_FEATURES."""

    weights: NDArray[np.float32]
    intercepts: NDArray[np.float32]

    @property
    def arrays(self) -> dict[str, NDArray[Any]]:
        """The model as arrays to store; half precision is enough."""
        return {"weights": self.weights.astype(np.float16), "intercepts": self.intercepts}

    def features(self, titles: Sequence[str]) -> Floats:
        """WORDING_FEATURES of each title, given as `key` gives it, without its number."""
        scores = np.tile(self.intercepts, (len(titles), 1)).astype(np.float32)
        pieces = title_pieces(titles)
        has_pieces = pieces.counts > 0
        if has_pieces.any():
            counts = pieces.counts[has_pieces]
            starts = np.cumsum(counts) - counts
            sums = np.add.reduceat(self.weights[pieces.hashes], starts, axis=0)
            lengths = np.sqrt(counts)  # of the title as a vector of pieces
            scores[has_pieces] += sums / lengths[:, None]
        return scores


def read_wording(arrays: Mapping[str, NDArray[Any]]) -> TitleWording:
    """The model in the arrays of a file."""
    width = len(WORDING_FEATURES)
    weights = np.asarray(arrays["weights"], np.float32)
    intercepts = np.asarray(arrays["intercepts"], np.float32)
    if weights.shape != (PIECES, width) or intercepts.shape != (width,):
        raise ValueError("the table of its wording has another shape")
    return TitleWording(weights, intercepts)


def title_pieces(titles: Sequence[str]) -> Pieces:
    """The pieces of titles: each title as a whole, and each run of a few characters in it."""
    framed = [_add_frame(title) for title in titles]
    lengths = np.array([len(title) for title in framed], np.int64)
    # The characters of all titles end to end: for each one its title, and where that title ends.
    codes = _code_points("".join(framed))
    title_of = np.repeat(np.arange(len(titles)), lengths)
    title_end = np.cumsum(lengths)[title_of]
    position = np.arange(len(codes))
    is_cjk = codes >= _FIRST_CJK
    owners, hashes = [], []
    for length, is_script in ((_PIECE_LENGTH, ~is_cjk), (_CJK_PIECE_LENGTH, is_cjk)):
        fits = position + length <= title_end
        begins = np.flatnonzero(is_script & fits)
        owners.append(title_of[begins])
        hashes.append(_hash(codes, begins, length))
    owners.append(np.flatnonzero(lengths))
    hashes.append(np.array([_hash_whole(title) for title in titles if title], np.int64))
    # A piece counts once in a title. Title and hash are packed into one number, to find equal pairs at once.
    packed = np.concatenate(owners) * PIECES + np.concatenate(hashes)
    distinct, _ = np.unique(packed, return_counts=True)
    owner_of_distinct, hash_of_distinct = np.divmod(distinct, PIECES)
    counts = np.bincount(owner_of_distinct, minlength=len(titles))
    return Pieces(hash_of_distinct, counts.astype(np.int64))


def _add_frame(title: str) -> str:
    """The title between signs for its start and end, cut to a length; nothing for an empty one."""
    return f"{_START}{title[:_MAX_TITLE_LENGTH]}{_END}" if title else ""


def _code_points(text: str) -> NDArray[np.uint32]:
    encoded = text.encode("utf-32-le", "surrogatepass")
    return np.frombuffer(encoded, np.uint32)


def _hash(codes: NDArray[np.uint32], begins: Ints, length: int) -> Ints:
    """The hashes of the runs of `length` characters that begin there."""
    hashed = np.zeros(len(begins), np.uint32)
    for offset in range(length):
        hashed = hashed * _BASE + codes[begins + offset]
    spread = (hashed * _MULTIPLIER) >> np.uint32(32 - PIECE_BITS)
    return spread.astype(np.int64)


def _hash_whole(title: str) -> int:
    return zlib.crc32(title.encode("utf-8", "surrogatepass")) % PIECES
