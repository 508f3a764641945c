"""Assembles headings: a number with the title beside it, a label with the title below it, a run-in head.

These joins and cuts matter more than any choice of model: what is not one object here cannot become one
heading later.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from held.document import Kind, Style
from held.numbering import Use
from held.pdf.lines.lines import Line, join_lines_side_by_side, make_line
from held.pdf.lines.marks import CAPTION, is_caption_label, is_label, is_mark_alone, is_number_alone
from held.pdf.lines.rows import Look, Row, make_row, stands_out
from held.pdf.lines.scripts import is_cjk
from held.pdf.text.blocks import Block, with_rows
from held.pdf.text.paragraphs import FINAL

NUMBER_GAP = 6.5  # ems between a number and its title
NUMBER_OVERLAP = 0.2  # ems by which a title may begin before its number ends
SAME_BASELINE = 0.5  # share of the lower line's height that number and title have in common
FORMULA_GAP = 8.0  # font sizes between a formula and the number at its end
LONGEST_LABEL = 2  # rows of a label: "CHAPTER" and "ONE" below it
LONGEST_TITLE = 4  # rows of a title below its label
LABEL_GAPS = (-0.5, 4.0)  # font sizes between a label and its title

RUN_IN_LONGEST = 80  # characters: a longer emphasised start is a sentence
RUN_IN_SHORTEST = 3  # characters
RUN_IN_GAP = 0.7  # font sizes between a run-in heading and its text, where no full stop parts them
SHORT_REST = 40  # characters: a rest of less, without an end, is the second half of a heading in two fonts
SYMBOL = 2  # characters that a bold symbol in plain text has at most


def join_numbers(lines: Sequence[Line], styles: Sequence[Style]) -> list[Line]:
    """The lines, each that is an item number or a bullet alone joined with the line to its right."""
    candidates = [i for i, line in enumerate(lines) if is_mark_alone(line.text)]
    if not candidates:
        return list(lines)
    order = sorted(range(len(lines)), key=lambda i: lines[i].y0)
    tops = [lines[i].y0 for i in order]
    joined: list[Line | None] = list(lines)
    for i in candidates:
        a = lines[i]
        near = order[bisect_left(tops, a.y0 - a.size) : bisect_left(tops, a.y0 + a.size)]
        # What was joined with another number is no longer the line that it was.
        waiting = [j for j in near if joined[j] is lines[j] and j != i]
        right = [j for j in waiting if _stands_right(a, lines[j])]
        if not right or joined[i] is not a:
            continue
        if a.text[0] in "(（" and _ends_a_row(a, [lines[j] for j in near]):
            continue
        j = min(right, key=lambda j: lines[j].x0)
        joined[i], joined[j] = join_lines_side_by_side([a, lines[j]], styles), None
    return [line for line in joined if line is not None]


def _stands_right(a: Line, b: Line) -> bool:
    overlap = min(a.y1, b.y1) - max(a.y0, b.y0)
    lower = min(a.y1 - a.y0, b.y1 - b.y0)
    if overlap < SAME_BASELINE * lower:
        return False
    if not any(character.isalpha() for character in b.text):
        return False
    return -NUMBER_OVERLAP * a.size < b.x0 - a.x1 < NUMBER_GAP * max(a.size, b.size)


def _ends_a_row(a: Line, near: Sequence[Line]) -> bool:
    """Whether something stands close to the left of a line, as a formula does before its number."""
    beside = [b for b in near if min(a.y1, b.y1) > max(a.y0, b.y0)]
    return any(0 < a.x0 - b.x1 < FORMULA_GAP * a.size for b in beside)


def join_labels(blocks: list[Block], body_size: float) -> list[Block]:
    """The blocks with every label line ("Chapter 3", "第三章") joined to the title below it."""
    joined: list[Block] = []
    for block in blocks:
        if joined and _is_label_of(joined[-1], block, body_size):
            label_rows = len(joined[-1].rows)
            joined[-1] = with_rows(joined[-1], joined[-1].rows + block.rows)
            joined[-1].label_rows = label_rows
        else:
            joined.append(block)
    return joined


def _is_label_of(label: Block, title: Block, body_size: float) -> bool:
    """Whether `label` is the number of the heading `title` which follows it."""
    if not 1 <= len(label.rows) <= LONGEST_LABEL or label.page != title.page:
        return False
    if not 1 <= len(title.rows) <= LONGEST_TITLE:
        return False
    head, first = label.rows[-1], title.rows[0]
    if first.number is not None or first.bullet:
        return False
    if len(label.rows) == 1 and is_caption_label(head.text):
        return head.look == first.look and first.line.y0 - head.line.y1 < head.look.size
    if not is_label(label.rows, body_size):
        return False
    if CAPTION.match(first.text) or not any(c.isalpha() for c in first.text):
        return False
    size = max(head.look.size, first.look.size)
    closest, widest = LABEL_GAPS
    if not closest * size < first.line.y0 - head.line.y1 < widest * size:
        return False
    return stands_out(first, body_size) or (head.look == first.look and first.text.isupper())


def split_run_ins(blocks: list[Block], looks: Sequence[Look], styles: Sequence[Style]) -> list[Block]:
    """The blocks with every run-in heading split off from its paragraph."""
    split: list[Block] = []
    for block in blocks:
        pieces = _run_in(block, looks, styles) if block.kind is Kind.PARAGRAPH and block.rows else None
        if pieces is None:
            split.append(block)
        else:
            head, rest = pieces
            split += [with_rows(block, head), with_rows(block, rest)]
    return split


def _run_in(
    block: Block, looks: Sequence[Look], styles: Sequence[Style]
) -> tuple[list[Row], list[Row]] | None:
    """The rows of a run-in heading and of the text after it, or None."""
    first = block.rows[0]
    if not any(looks[run.style].bold or looks[run.style].italic for run in first.line.runs):
        return None
    if first.bullet or CAPTION.match(first.text):
        return None
    lead = looks[first.line.runs[_number_runs(first)].style]
    if not (lead.bold or lead.italic):
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
    gap = rest_runs[0].x0 - head_runs[-1].x1
    return (head, rest) if _is_run_in(head, rest, lead, gap) else None


def _number_runs(row: Row) -> int:
    """How many runs at the row's head are its item number, which may be set otherwise than the title."""
    if row.number is None or len(row.line.runs) < 2:
        return 0
    first = row.line.runs[0].text.strip()
    return 1 if first == "§" or is_number_alone(first) else 0


def _end_of_lead(row: Row, lead: Look, looks: Sequence[Look]) -> int:
    """The index of the row's first run that is set otherwise than the lead."""
    begin = _number_runs(row)
    for place, run in enumerate(row.line.runs[begin:], start=begin):
        look = looks[run.style]
        set_alike = look.bold if lead.bold else look.italic
        if not set_alike and any(c.isalnum() for c in run.text):
            return place
    return len(row.line.runs)


def _is_run_in(head: list[Row], rest: list[Row], lead: Look, gap: float) -> bool:
    """Whether the emphasised start of a paragraph is a heading rather than a stressed word."""
    text = " ".join(row.text for row in head)
    after = rest[0].text
    closed = text[-1] in ".。" or after[0] in ".。"
    wide = gap > RUN_IN_GAP * lead.size
    parted = closed or wide or text[-1] in ":："
    if len(rest) == 1 and len(after) < SHORT_REST and not (parted and after[-1] in FINAL):
        return False  # a heading that is set in two fonts
    if not RUN_IN_SHORTEST <= len(text) <= RUN_IN_LONGEST or len(after) < 2:
        return False
    number = head[0].number
    if number is not None and not text[number.title_start :].strip():
        return False
    if number is not None and number.pattern.use is Use.SECTION:
        return parted or (lead.bold and not after[0].islower())
    if is_cjk(text[0]):
        return lead.bold and closed
    return (closed or wide) and text[0].isupper() and not after[0].islower()
