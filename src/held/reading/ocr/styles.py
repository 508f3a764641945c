"""Font sizes, bold and italic type of recognised text, from the geometry of its ink.

An engine returns words and boxes. The levels of headings show in sizes and weights, so these are measured:
the size of a line follows from the heights of its words, and sizes that differ only by
noise are made equal for the whole document. A word is bold if its strokes are wider than the document's
usual strokes of that size. A line is italic if its letters lean to the right, and those of the body do not.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy

from held.reading.ocr.page_text import RecognisedLine, RecognisedPage, RecognisedWord

# --- how high letters are, in em ---
# "even" is as high as an x; "Even" reaches up to the capital height, and "every" also below the baseline. The
# numbers are means over common text fonts; single fonts differ by some per cent.

X_HEIGHT = 0.47
CAPITAL = 0.68
ASCENDER = 0.70
ACCENTED_CAPITAL = 0.88
DESCENDER = 0.21
SHORT_DESCENDER = 0.13  # commas, and the feet of some Cyrillic letters
BRACKET_TOP, BRACKET_BOTTOM = 0.73, 0.19
CJK_TOP, CJK_BOTTOM = 0.80, 0.08

_ASCENDERS = frozenset("bdfhklßþðłijбфt")
_DESCENDERS = frozenset("gjpqyçşţąęруфџ")
_SHORT_DESCENDERS = frozenset("цщд,;")
_BRACKETS = frozenset("()[]{}|/\\§（）【】〔〕「」")
_FLAT = frozenset(
    ".…_-–—=•·~:,;、。，；：．―─~"
)  # signs that say nothing about the height above the baseline

_FIRST_CJK = "\u2e80"


class Extent(NamedTuple):
    """How far a text reaches above and below its baseline, in em."""

    top: float
    bottom: float


def text_extent(text: str) -> Extent:
    """The extent of the highest and of the lowest character; zero if it has only flat signs."""
    extents = [_extent(character) for character in text]
    return Extent(max(extent.top for extent in extents), max(extent.bottom for extent in extents))


@lru_cache(maxsize=8192)
def _extent(character: str) -> Extent:
    bottom = 0.0
    if character in _DESCENDERS:
        bottom = DESCENDER
    elif character in _SHORT_DESCENDERS:
        bottom = SHORT_DESCENDER
    if character in _FLAT:
        return Extent(0.0, bottom)
    if character in _BRACKETS:
        return Extent(BRACKET_TOP, BRACKET_BOTTOM)
    if is_cjk(character):
        return Extent(CJK_TOP, CJK_BOTTOM)
    if character.islower() and character not in _ASCENDERS:
        is_accented = len(unicodedata.normalize("NFD", character)) > 1
        is_accented = is_accented and not bottom  # a cedilla or an ogonek is below the letter
        return Extent(ASCENDER if is_accented else X_HEIGHT, bottom)
    if character.isupper() and len(unicodedata.normalize("NFD", character)) > 1:
        return Extent(ACCENTED_CAPITAL, bottom)
    return Extent(ASCENDER if character.islower() else CAPITAL, bottom)


def is_cjk(character: str) -> bool:
    """Whether a character fills the square of a Chinese one."""
    return character >= _FIRST_CJK and unicodedata.east_asian_width(character) in "WF"


MIN_LINE_CONFIDENCE = 0.3  # lines below are specks, pictures and rules that were taken for text
MIN_WORD_CONFIDENCE = 0.1
DEFAULT_SIZE_PT = 10.0
MIN_SIZE_PT, MAX_SIZE_PT = 3.0, 150.0

# Sizes are compared as logarithms: noise is a share of the size.
SIZE_NOISE = 0.03  # standard deviation of the sizes of lines of one font
SIZE_STEP = 0.005
SIZE_DECIMALS = 1

BOLD_TIMES = 1.5  # the strokes of bold letters are so much wider than the usual ones of their size
MIN_STROKE_TIMES, MAX_STROKE_TIMES = 0.8, 1.7  # wider and narrower strokes tell no more
WEIGHT_CHANGE_CHARACTERS = 3  # a change of weight within a line needs as many characters to be believed
MIN_OWN_CHARACTERS = 400  # of a size that tell its usual strokes
MIN_ITALIC_SLANT = 0.09  # slope of the letters over that of the document's usual ones
MIN_ITALIC_CHARACTERS = 6  # fewer do not tell
MIN_MONO_CHARACTERS = 12  # shorter lines do not tell
MIN_MONO_LINES = 6
MIN_MONO_ADVANCE_EM = 0.55  # proportional fonts have about half an em
MAX_MONO_NOISE = 0.02  # of the width of a character
MONO_NEIGHBOURHOOD = 0.08
MIN_MONO_SHARE = 0.7  # of the lines in the neighbourhood


@dataclass(frozen=True, slots=True)
class StyledLine:
    """A line with its font size and baseline in points, and for each word whether it is bold.

    `mono` tells whether all its characters are equally wide, as those of code, `italic` whether they lean.
    """

    words: RecognisedLine
    size: float
    baseline: float
    bold: tuple[bool, ...]
    mono: bool = False
    italic: bool = False


@dataclass(frozen=True, slots=True)
class _MeasuredLine:
    page: int
    words: RecognisedLine
    size: float
    characters: int


def style_lines(pages: Sequence[RecognisedPage]) -> list[list[StyledLine]]:
    """The lines of each page with sizes and weights; lines that are noise are left out."""
    measured = [line for index, page in enumerate(pages) for line in _measure_lines(index, page)]
    sizes = cluster_sizes([line.size for line in measured], [line.characters for line in measured])
    usual = _usual_strokes(measured, sizes)
    mono = _find_monospaced(measured, sizes)
    italic = _find_italic(measured)
    styled: list[list[StyledLine]] = [[] for _ in pages]
    for line, size, is_mono, is_italic in zip(measured, sizes, mono, italic, strict=True):
        bold = _find_bold(line.words, size, usual)
        baseline = _baseline(line.words, line.size)
        styled[line.page].append(StyledLine(line.words, size, baseline, bold, is_mono, is_italic))
    return styled


def _measure_lines(index: int, page: RecognisedPage) -> Iterable[_MeasuredLine]:
    for line in page.lines:
        words = tuple(word for word in line if word.confidence >= MIN_WORD_CONFIDENCE)
        characters = sum(len(word.text) for word in words)
        confidence = sum(word.confidence * len(word.text) for word in words)
        if not words or confidence < MIN_LINE_CONFIDENCE * characters:
            continue
        yield _MeasuredLine(index, words, _line_size(words), characters)


def _line_size(words: Sequence[RecognisedWord]) -> float:
    """The font size of a line: the median of what its words tell, each with the weight of its length."""
    sizes, weights = [], []
    for word in words:
        extent = text_extent(word.text)
        if extent.top:
            sizes.append((word.y1 - word.y0) / (extent.top + extent.bottom))
            weights.append(len(word.text))
    size = weighted_median(sizes, weights) if sizes else DEFAULT_SIZE_PT
    return min(max(size, MIN_SIZE_PT), MAX_SIZE_PT)


def weighted_median(values: Sequence[float], weights: Sequence[float]) -> float:
    """The value with half of the weight below it; there must be at least one."""
    order = sorted(range(len(values)), key=values.__getitem__)
    half = sum(weights) / 2
    below = 0.0
    for index in order:
        below += weights[index]
        if below >= half:
            return values[index]
    return values[order[-1]]


def cluster_sizes(sizes: Sequence[float], weights: Sequence[float]) -> list[float]:
    """The sizes with those that differ only by noise made equal.

    The sizes are smoothed to a density; each goes to the nearest peak uphill (mean shift on a grid).
    """
    if not sizes:
        return []
    logs = numpy.log(numpy.array(sizes))
    first = logs.min() - 3 * SIZE_NOISE
    cells = numpy.rint((logs - first) / SIZE_STEP).astype(int)
    reach = round(3 * SIZE_NOISE / SIZE_STEP)
    density = numpy.bincount(
        cells, weights=numpy.array(weights, float), minlength=int(cells.max()) + reach + 1
    )
    offsets = numpy.arange(-reach, reach + 1) * SIZE_STEP / SIZE_NOISE
    smooth = numpy.convolve(density, numpy.exp(-(offsets**2) / 2), mode="same")
    peaks = [_climb(smooth, int(cell)) for cell in cells]
    return [round(float(numpy.exp(first + peak * SIZE_STEP)), SIZE_DECIMALS) for peak in peaks]


def _climb(density: numpy.typing.NDArray[numpy.float64], cell: int) -> int:
    """The peak that one reaches from a cell, always uphill."""
    while True:
        left = density[cell - 1] if cell > 0 else -1.0
        right = density[cell + 1] if cell + 1 < len(density) else -1.0
        if left >= density[cell] and left >= right:  # on a plateau to the left, so that all meet
            cell -= 1
        elif right > density[cell]:
            cell += 1
        else:
            return cell


class _UsualStrokes:
    """The stroke width that regular letters of a size have, as a share of the size."""

    def __init__(self, body: dict[bool, float], own: dict[tuple[float, bool], float]) -> None:
        self._body = body  # of the body text; True for Chinese characters
        self._own = own  # of other sizes

    def of(self, size: float, *, is_cjk: bool) -> float | None:
        """The share for a size; None if no strokes are known."""
        share = self._body.get(is_cjk)
        if share is None:
            share = next(iter(self._body.values()), None)
        return self._own.get((size, is_cjk), share)


def _usual_strokes(lines: Sequence[_MeasuredLine], sizes: Sequence[float]) -> _UsualStrokes:
    """The usual strokes of the body, which has the most characters, and of smaller sizes.

    Small type may be set in a heavier font, as code is. Sizes above the body are those of headings, which may
    all be bold, so that they are compared with the body.
    """
    shares: dict[tuple[float, bool], list[float]] = {}
    weights: dict[tuple[float, bool], list[int]] = {}
    characters: dict[float, int] = {}
    for line, size in zip(lines, sizes, strict=True):
        characters[size] = characters.get(size, 0) + line.characters
        for word in line.words:
            if word.stroke:
                key = (size, _has_cjk(word))
                shares.setdefault(key, []).append(word.stroke / size)
                weights.setdefault(key, []).append(len(word.text))
    body_size = max(characters, key=characters.__getitem__, default=0.0)
    usual = {key: weighted_median(found, weights[key]) for key, found in shares.items()}
    body = {is_cjk: share for (size, is_cjk), share in usual.items() if size == body_size}
    own = {
        key: max(share, body.get(key[1], share))
        for key, share in usual.items()
        if key[0] < body_size and sum(weights[key]) >= MIN_OWN_CHARACTERS
    }
    return _UsualStrokes(body, own)


def _find_italic(lines: Sequence[_MeasuredLine]) -> list[bool]:
    """For each line whether it is set in italics."""
    slants = [_line_slant(line.words) for line in lines]
    known = [(slant, line.characters) for slant, line in zip(slants, lines, strict=True) if slant is not None]
    if not known:
        return [False] * len(lines)
    usual = weighted_median([slant for slant, _ in known], [characters for _, characters in known])
    return [slant is not None and slant - usual >= MIN_ITALIC_SLANT for slant in slants]


def _line_slant(words: Sequence[RecognisedWord]) -> float | None:
    """The mean slant of a line's letters; None if too few have stems that lean in italics."""
    leaning = [(word.slant, sum(map(str.isalpha, word.text))) for word in words if not _has_cjk(word)]
    letters = sum(count for _, count in leaning)
    if letters < MIN_ITALIC_CHARACTERS:
        return None
    return sum(slant * count for slant, count in leaning) / letters


def _find_monospaced(lines: Sequence[_MeasuredLine], sizes: Sequence[float]) -> list[bool]:
    """For each line whether it is set in a monospaced font.

    In such a font, lines of one size have the same width for each character. In others it depends on the
    letters, so that lines differ by several per cent.
    """
    advances = [_advance(line) / size for line, size in zip(lines, sizes, strict=True)]
    by_size: dict[float, list[float]] = {}
    for line, size, advance in zip(lines, sizes, advances, strict=True):
        if line.characters >= MIN_MONO_CHARACTERS:
            by_size.setdefault(size, []).append(advance)
    usual = {size: _mono_advance(found) for size, found in by_size.items()}
    mono = []
    for line, size, advance in zip(lines, sizes, advances, strict=True):
        expected = usual.get(size)
        is_near = expected is not None and abs(advance - expected) <= MAX_MONO_NOISE * expected
        mono.append(is_near and line.characters >= MIN_MONO_CHARACTERS)
    return [own or _is_between_mono(mono, index) for index, own in enumerate(mono)]


def _advance(line: _MeasuredLine) -> float:
    """The mean width of a line's characters in points, with a space between its words."""
    spaces = len(line.words) - 1
    return (line.words[-1].x1 - line.words[0].x0) / (line.characters + spaces)


def _mono_advance(advances: Sequence[float]) -> float | None:
    """The width that most lines have, if they are too equal for a proportional font; None otherwise."""
    ordered = numpy.sort(numpy.array(advances))

    def count_within(share: float) -> numpy.typing.NDArray[numpy.intp]:
        """For each width how many lines have it, give or take a share of it."""
        return numpy.searchsorted(ordered, ordered * (1 + share)) - numpy.searchsorted(
            ordered, ordered * (1 - share)
        )

    equal = count_within(MAX_MONO_NOISE)
    best = int(equal.argmax())
    is_wide = ordered[best] >= MIN_MONO_ADVANCE_EM
    if equal[best] < MIN_MONO_LINES or not is_wide:
        return None
    is_sharp = equal[best] >= MIN_MONO_SHARE * count_within(MONO_NEIGHBOURHOOD)[best]
    return float(ordered[best]) if is_sharp else None


def _is_between_mono(mono: Sequence[bool], index: int) -> bool:
    """Whether a line stands between monospaced ones: a short line, or one with wider gaps."""
    return 0 < index < len(mono) - 1 and mono[index - 1] and mono[index + 1]


def _has_cjk(word: RecognisedWord) -> bool:
    return any(map(is_cjk, word.text))


def _find_bold(words: Sequence[RecognisedWord], size: float, usual: _UsualStrokes) -> tuple[bool, ...]:
    """For each word of a line whether it is bold.

    Strokes of single words are noisy. Of all ways to divide the line into regular and bold stretches, the one
    is taken whose strokes differ least from the usual ones and from bold ones; each change costs something.
    """
    change = WEIGHT_CHANGE_CHARACTERS * (BOLD_TIMES - 1) ** 2
    costs = (0.0, 0.0)  # of the best ways that end regular and bold
    before: list[tuple[bool, bool]] = []  # for each word the weight before it, if it is regular, and if bold
    for word in words:
        share = usual.of(size, is_cjk=_has_cjk(word))
        times = word.stroke / (share * size) if share and word.stroke else 1.0
        times = min(max(times, MIN_STROKE_TIMES), MAX_STROKE_TIMES)
        from_bold = costs[1] + change < costs[0], costs[1] <= costs[0] + change
        before.append(from_bold)
        regular, bold = min(costs[0], costs[1] + change), min(costs[1], costs[0] + change)
        letters = len(word.text)
        costs = regular + letters * (times - 1) ** 2, bold + letters * (times - BOLD_TIMES) ** 2
    is_bold = costs[1] < costs[0]
    weights = []
    for from_bold in reversed(before):
        weights.append(is_bold)
        is_bold = from_bold[is_bold]
    return tuple(reversed(weights))


def _baseline(words: Sequence[RecognisedWord], size: float) -> float:
    """The height on the page of the line that letters stand on."""
    bottoms = [word.y1 - text_extent(word.text).bottom * size for word in words]
    return weighted_median(bottoms, [len(word.text) for word in words])
