"""Run-in headings ("**Interest.** We pay …"), split off from the paragraph that they begin.

A stop or a wide gap tells one by itself. Without them a document's habit does: where many paragraphs begin
with other words in the same look and with the same stop behind them, these are headings, and a single one
is a stressed word.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from held.document import Kind, Run, Style
from held.layout.characters import is_cjk
from held.layout.labels import CAPTION, is_bare_number
from held.layout.lines import make_line
from held.layout.rows import Row, TextStyle, make_row
from held.layout.text.blocks import Block, with_rows
from held.layout.text.words import FINAL
from held.layout.tolerances import MIN_RUN_IN_GAP_EM
from held.numbering import Use

LONGEST = 80  # characters: a longer emphasised start is a sentence
SHORTEST = 3  # characters
SHORTEST_CJK = 2  # of a Chinese one
SHORT_REST = 40  # characters: a rest of less, without an end, is the second half of a heading in two fonts
SHORT_REST_CJK = 15  # the same in Chinese, whose characters are half as many
SYMBOL = 2  # characters that a bold symbol in plain text has at most

# A document's habit.
FEWEST = 4  # paragraphs that begin so, with words of their own
SHARE = 0.6  # of all paragraphs that begin in this look: where the sentence goes on, it is stress
MOST_REPEATS = 2  # of the same words: what comes more often ("Hint:") is a label and no title
STOPS = ":：-–—"  # that may stand between heading and text
LABEL = re.compile(r"[^\W\d]+\s*\d+(?:[.\-]\d+)*")  # "Exercise 4.1", which names no subject


class _Parted(NamedTuple):
    """A paragraph's emphasised start and what follows it, and the white between them in points."""

    head: list[Row]
    rest: list[Row]
    lead: TextStyle
    gap: float


class _Manner(NamedTuple):
    """How a document's run-in headings are set: their look, and the stop behind them."""

    bold: bool
    italic: bool
    size: float
    stop: str


def split_run_ins(blocks: list[Block], looks: Sequence[TextStyle], styles: Sequence[Style]) -> list[Block]:
    """The blocks with every run-in heading split off that a stop or a wide gap tells."""
    split: list[Block] = []
    for block in blocks:
        parted = _part(block, looks, styles)
        if parted is None or not _is_run_in(parted):
            split.append(block)
        else:
            split += [with_rows(block, parted.head), with_rows(block, parted.rest)]
    return split


def split_habitual_run_ins(
    pages: Sequence[list[Block]], looks: Sequence[TextStyle], styles: Sequence[Style]
) -> list[list[Block]]:
    """The blocks of all pages with every run-in heading split off that the document's habit tells."""
    found = {id(block): parted for block, parted in _emphasised(pages, looks, styles)}
    manners = _habits(list(found.values()))
    if not manners:
        return list(pages)
    repeats = Counter(_words(parted) for parted in found.values())
    split: list[list[Block]] = []
    for blocks in pages:
        pieces: list[Block] = []
        for block in blocks:
            parted = found.get(id(block))
            if parted is None or not _follows_habit(parted, manners, repeats):
                pieces.append(block)
            else:
                pieces += _split(block, parted, looks, styles)
        split.append(pieces)
    return split


def _emphasised(
    pages: Sequence[list[Block]], looks: Sequence[TextStyle], styles: Sequence[Style]
) -> Iterator[tuple[Block, _Parted]]:
    """The paragraphs that begin with emphasised words, which were not split by themselves."""
    for blocks in pages:
        for block in blocks:
            parted = _part(block, looks, styles)
            if parted is not None and parted.head[0].number is None and _has_length(parted):
                yield block, parted


def _has_length(parted: _Parted) -> bool:
    """Whether an emphasised start is no longer than a heading and names something."""
    text = _words(parted)
    shortest = SHORTEST_CJK if text and is_cjk(text[0]) else SHORTEST
    return shortest <= len(text) <= LONGEST and LABEL.fullmatch(text) is None


def _words(parted: _Parted) -> str:
    """An emphasised start without its stop."""
    return " ".join(row.text for row in parted.head).rstrip(STOPS + " ")


def _manner(parted: _Parted) -> _Manner:
    lead = parted.lead
    return _Manner(lead.bold, lead.italic, lead.size, _stop(parted))


def _stop(parted: _Parted) -> str:
    """The stop at the end of the emphasised start, or behind it."""
    end, begin = parted.head[-1].text[-1], parted.rest[0].text[0]
    if end in STOPS:
        return end
    return begin if begin in STOPS else ""


def _habits(found: Sequence[_Parted]) -> set[_Manner]:
    """The manners in which a document sets its run-in headings."""
    begun = Counter(_manner(parted) for parted in found)
    titles: dict[_Manner, set[str]] = {}
    sentences: Counter[_Manner] = Counter()
    for parted in found:
        if _heads_sentence(parted):
            manner = _manner(parted)
            titles.setdefault(manner, set()).add(_words(parted))
            sentences[manner] += 1
    return {
        manner
        for manner, texts in titles.items()
        if len(texts) >= FEWEST and sentences[manner] >= SHARE * begun[manner]
    }


def _heads_sentence(parted: _Parted) -> bool:
    """Whether a sentence of its own follows the emphasised words, which are no part of it."""
    first = parted.rest[0].text.lstrip(STOPS + " ")
    title = _words(parted)
    if not (title[0].isupper() or is_cjk(title[0])) or title.count("(") != title.count(")"):
        return False
    if not _stop(parted) and not parted.lead.bold:
        return False  # words in italics before a sentence may be a name
    chinese = is_cjk(first[:1]) and first[0].isalpha()
    if not (chinese or first[:1].isupper()):
        return False
    if len(parted.rest) > 1:
        return True
    shortest = SHORT_REST_CJK if chinese else SHORT_REST
    return len(first) >= shortest


def _follows_habit(parted: _Parted, manners: set[_Manner], repeats: Counter[str]) -> bool:
    if _manner(parted) not in manners or repeats[_words(parted)] > MOST_REPEATS:
        return False
    return _heads_sentence(parted)


def _split(block: Block, parted: _Parted, looks: Sequence[TextStyle], styles: Sequence[Style]) -> list[Block]:
    """The heading and the paragraph of a block, the stop between them with the heading."""
    rows = [*parted.head], [*parted.rest]
    stop, words = _stop_run(parted.rest[0].line.runs[0])
    if stop is not None:
        page = block.page
        last, first = parted.head[-1].line.runs, parted.rest[0].line.runs
        rest_runs = [*([words] if words is not None else []), *first[1:]]
        rows[0][-1] = make_row(make_line([*last, stop], styles), page, looks)
        rows[1][0] = make_row(make_line(rest_runs, styles), page, looks)
    head, rest = with_rows(block, rows[0]), with_rows(block, rows[1])
    head.gap_below = rest.gap_above = round(rest.box.y0 - head.box.y1, 1)
    return [head, rest]


def _stop_run(run: Run) -> tuple[Run | None, Run | None]:
    """A run that begins with a stop cut behind it: the stop, and the words after it if there are any."""
    text = run.text.lstrip()  # blanks of every kind: some producers write such as do not break
    words = text.lstrip(STOPS + " ")
    if words == text:
        return None, run
    if not words:
        return run, None
    # Runs do not tell where each letter stands: taken as equally wide.
    cut = run.x1 - (run.x1 - run.x0) * len(words) / len(run.text)
    stop = run.text[: len(run.text) - len(words)].strip()
    return run._replace(x1=cut, text=stop), run._replace(x0=cut, text=words)


def _part(block: Block, looks: Sequence[TextStyle], styles: Sequence[Style]) -> _Parted | None:
    """A paragraph's emphasised start and the text after it, or None where it has none."""
    if block.kind is not Kind.PARAGRAPH or not block.rows:
        return None
    first = block.rows[0]
    lead = looks[first.line.runs[_number_runs(first)].style]
    if not (lead.bold or lead.italic):
        return None
    if first.bullet or CAPTION.match(first.text):
        return None
    # The lead may fill the first row and end in the second.
    place = 0 if _end_of_lead(first, lead, looks) < len(first.line.runs) else 1
    row = block.rows[place] if place < len(block.rows) else first
    cut = _end_of_lead(row, lead, looks)
    if not 0 < cut < len(row.line.runs):
        return None
    head_runs, rest_runs = row.line.runs[:cut], row.line.runs[cut:]
    goes_on_bold = any(looks[run.style].bold and len(run.text) > SYMBOL for run in rest_runs)
    if lead.bold and goes_on_bold and not head_runs[-1].text.rstrip().endswith((".", "。")):
        return None  # a bold heading with a symbol in it
    head = [*block.rows[:place], make_row(make_line(head_runs, styles), row.page, looks)]
    rest = [make_row(make_line(rest_runs, styles), row.page, looks), *block.rows[place + 1 :]]
    return _Parted(head, rest, lead, rest_runs[0].x0 - head_runs[-1].x1)


def _number_runs(row: Row) -> int:
    """How many runs at the row's head are its item number, which may be set otherwise than the title."""
    if row.number is None or len(row.line.runs) < 2:
        return 0
    first = row.line.runs[0].text.strip()
    return 1 if first == "§" or is_bare_number(first) else 0


def _end_of_lead(row: Row, lead: TextStyle, looks: Sequence[TextStyle]) -> int:
    """The index of the row's first run that is set otherwise than the lead."""
    begin = _number_runs(row)
    for place, run in enumerate(row.line.runs[begin:], start=begin):
        look = looks[run.style]
        set_alike = look.bold if lead.bold else look.italic
        if not set_alike and any(c.isalnum() for c in run.text):
            return place
    return len(row.line.runs)


def _is_run_in(parted: _Parted) -> bool:
    """Whether the emphasised start of a paragraph is a heading rather than a stressed word."""
    head, rest, lead, gap = parted
    text = " ".join(row.text for row in head)
    after = rest[0].text
    closed = text[-1] in ".。" or after[0] in ".。"
    wide = gap > MIN_RUN_IN_GAP_EM * lead.size
    is_parted = closed or wide or text[-1] in ":："
    if len(rest) == 1 and len(after) < SHORT_REST and not (is_parted and after[-1] in FINAL):
        return False  # a heading that is set in two fonts
    if not SHORTEST <= len(text) <= LONGEST or len(after) < 2:
        return False
    number = head[0].number
    if number is not None and not text[number.title_start :].strip():
        return False
    if number is not None and number.pattern.use is Use.SECTION:
        return is_parted or (lead.bold and not after[0].islower())
    if is_cjk(text[0]):
        return lead.bold and closed
    return (closed or wide) and text[0].isupper() and not after[0].islower()
