"""Text to lines: where English and Chinese text may break, hyphens, and setting flush on both sides."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache

import pyphen
from samples.canvas import font_key, rgb
from samples.fonts import Face

_NO_START = frozenset("，。、；：？！）》”’】〕％…")
_NO_END = frozenset("（《“‘【〔")
_PLAIN_WORD = re.compile(r"(\W*)([a-z]{6,})(\W*)")
# Chinese typesetting parts Latin letters and digits from Chinese ones by a little space that is no character.
_LATIN_GAP = 0.18


@dataclass(frozen=True, slots=True, eq=False)
class TextStyle:
    """How text is set. `latin` sets the ASCII characters of Chinese text; `stroked` emboldens by stroking."""

    face: Face
    size: float
    colour: str = "1a1a1a"
    latin: Face | None = None
    chinese: bool = False
    stroked: bool = False
    rise: float = 0.0

    def face_of(self, character: str) -> Face:
        """The face that sets a character."""
        return self.latin if self.latin is not None and character.isascii() else self.face


@dataclass(frozen=True, slots=True)
class Span:
    """Text in one style."""

    text: str
    style: TextStyle


@dataclass(frozen=True, slots=True)
class Line:
    """A line that is ready to be drawn: the operators do not depend on its place."""

    body: str
    width: float
    faces: frozenset[str]
    raised: tuple[str, ...] = ()  # the footnote marks on it


@dataclass(frozen=True, slots=True)
class Unit:
    """What cannot be broken, and what follows it: a space character or a mere gap."""

    pieces: tuple[Span, ...]
    width: float
    space: bool = False
    gap: float = 0.0

    @property
    def advance(self) -> float:
        return self.width + self.gap


def break_lines(
    spans: Sequence[Span], width: float, *, indent: float = 0.0, flush: bool = True, rest: float = 0.0
) -> list[Line]:
    """The lines of a paragraph: the first is `indent` points narrower, the others `rest` points."""
    return list(_break(tuple(spans), width, indent, flush, rest))


@lru_cache(maxsize=20_000)
def _break(
    spans: tuple[Span, ...], width: float, indent: float, flush: bool, rest: float
) -> tuple[Line, ...]:
    lines: list[Line] = []
    line: list[Unit] = []
    used, room = 0.0, width - indent
    pending = _units(spans)
    pending.reverse()
    while pending:
        unit = pending.pop()
        if used + unit.width <= room or not line:
            line.append(unit)
            used += unit.advance
            continue
        parts = _hyphenate(unit, room - used) if flush else None
        if parts:
            line.append(parts[0])
            unit = parts[1]
        pending.append(unit)
        lines.append(_set_line(line, room if flush else None))
        line, used, room = [], 0.0, width - rest
    if line:
        lines.append(_set_line(line, None))
    return tuple(lines)


def text_width(text: str, style: TextStyle) -> float:
    """The width of text set on one line."""
    return sum(style.face_of(c).widths[c] for c in text) * style.size / 1000


def _units(spans: Sequence[Span]) -> list[Unit]:
    units: list[Unit] = []
    pieces: list[Span] = []
    previous: tuple[str, TextStyle] | None = None
    space_before = False
    for character, style in _characters(spans):
        if character == " ":
            space_before = True
            continue
        if pieces and (space_before or _may_break(previous, character, style)):
            gap = 0.0 if space_before else _latin_gap(previous, character, style)
            units.append(_unit(pieces, space=space_before, gap=gap))
            pieces = []
        if pieces and pieces[-1].style is style:
            pieces[-1] = Span(pieces[-1].text + character, style)
        else:
            pieces.append(Span(character, style))
        previous, space_before = (character, style), False
    if pieces:
        units.append(_unit(pieces, space=False, gap=0.0))
    return units


def _characters(spans: Sequence[Span]) -> Iterator[tuple[str, TextStyle]]:
    return ((character, span.style) for span in spans for character in span.text)


def _unit(pieces: list[Span], *, space: bool, gap: float) -> Unit:
    width = sum(text_width(piece.text, piece.style) for piece in pieces)
    if space:
        gap = text_width(" ", pieces[-1].style)
    return Unit(tuple(pieces), width, space, gap)


def _may_break(previous: tuple[str, TextStyle] | None, character: str, style: TextStyle) -> bool:
    if previous is None or not style.chinese or style.rise:
        return False
    if character in _NO_START or previous[0] in _NO_END:
        return False
    return not (character.isascii() and previous[0].isascii() and not previous[1].rise)


def _latin_gap(previous: tuple[str, TextStyle] | None, character: str, style: TextStyle) -> float:
    if previous is None or not style.chinese or previous[1].rise:
        return 0.0
    kinds = {_is_ideograph(previous[0]), _is_ideograph(character)}
    touches_word = previous[0].isascii() or character.isascii()
    return _LATIN_GAP * style.size if len(kinds) == 2 and touches_word else 0.0


def _is_ideograph(character: str) -> bool:
    return "\u4e00" <= character <= "\u9fff"


@cache
def _hyphenator() -> pyphen.Pyphen:
    return pyphen.Pyphen(lang="en_GB", left=3, right=3)


def _hyphenate(unit: Unit, room: float) -> tuple[Unit, Unit] | None:
    """The unit in two, the first with a hyphen and as long as the room allows."""
    piece = unit.pieces[0]
    match = _PLAIN_WORD.fullmatch(piece.text)
    if len(unit.pieces) > 1 or piece.style.chinese or match is None:
        return None
    before, word, after = match.groups()
    for head, tail in _hyphenator().iterate(word):
        start = Span(f"{before}{head}-", piece.style)
        width = text_width(start.text, start.style)
        if width <= room:
            end = Span(tail + after, piece.style)
            rest = replace(unit, pieces=(end,), width=text_width(end.text, end.style))
            return Unit((start,), width), rest
    return None


def _set_line(units: Sequence[Unit], flush_width: float | None) -> Line:
    natural = sum(unit.advance for unit in units) - units[-1].gap
    gaps = len(units) - 1
    stretch = 0.0
    if flush_width is not None and gaps:
        stretch = (flush_width - natural) / gaps
    cells: list[tuple[str, TextStyle, float]] = []
    for number, unit in enumerate(units):
        cells += [(c, piece.style, 0.0) for piece in unit.pieces for c in piece.text]
        if number < gaps:
            style = cells[-1][1]
            if unit.space:
                cells.append((" ", style, stretch))
            else:
                cells[-1] = (cells[-1][0], style, unit.gap + stretch)
    raised = tuple(piece.text for unit in units for piece in unit.pieces if piece.style.rise)
    return Line(_operators(cells), natural + stretch * gaps, _faces(cells), raised)


def _faces(cells: Sequence[tuple[str, TextStyle, float]]) -> frozenset[str]:
    return frozenset(style.face_of(character).name for character, style, _ in cells)


def _operators(cells: Sequence[tuple[str, TextStyle, float]]) -> str:
    """The text-showing operators of a line, one array for each stretch of one face and style."""
    out: list[str] = []
    current: tuple[Face, TextStyle] | None = None
    gap = 0.0
    for character, style, extra in cells:
        face = style.face_of(character)
        # A gap stands before what follows it: PDFium ignores a number at the end of an array.
        shift = f"{-gap * 1000 / style.size:.1f}" if gap else ""
        if current is None or current[0] is not face or current[1] is not style:
            out.append(f"{'>] TJ ' if current else ''}{_state(face, style)} [{shift}<")
            current = (face, style)
        elif gap:
            out.append(f">{shift}<")
        out.append(face.encode(character))
        gap = extra
    return "".join(out) + ">] TJ"


def _state(face: Face, style: TextStyle) -> str:
    colour = rgb(style.colour)
    mode = f"2 Tr {style.size * 0.03:.2f} w {colour} RG" if style.stroked else "0 Tr"
    return f"/{font_key(face.name)} {style.size:g} Tf {colour} rg {mode} {style.rise:g} Ts"
