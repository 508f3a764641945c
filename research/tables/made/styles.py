"""The styles in which our own tables are printed, as filings, reports and statistics set theirs.

A style has a content, a look and a page around it. All tables of a style stand in one document, in one font,
each between two paragraphs on a page of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from random import Random
from typing import NamedTuple

from research.tables.adjacency import Placed, comparable_text
from research.tables.made.contents import (
    CHINESE,
    ENGLISH,
    GERMAN,
    Builder,
    Cell,
    Content,
    Subject,
    accounting,
    amounts,
    cents,
    decimals,
    german,
    key_values,
    mixed_types,
    more_than_a_page,
    one_name_over_all,
    one_row,
    row_groups,
    sections,
    small,
    spans_of_three_levels,
    spans_of_two_levels,
    tenths,
    words,
    wrapped_labels,
)

TABLES_PER_STYLE = 4

# --- Looks ---

BARE = ""
RULED = "td, th { border: 1px solid #444 }"
LINES = "thead tr:last-child th { border-bottom: 1px solid #000 }"
BOOKTABS = """table { border-top: 1.5px solid #000; border-bottom: 1.5px solid #000 }
    thead tr:last-child th { border-bottom: .8px solid #000 }"""
MID_RULES = BOOKTABS + " th[colspan] { border-bottom: .6px solid #000 }"
ROW_LINES = "td, th { border-bottom: .6px solid #888 }"
DOTTED = "td { border-bottom: 1px dotted #666 } th { border-bottom: 1px solid #000 }"
COLUMN_LINES = "td, th { border-right: .8px solid #333 } td:last-child, th:last-child { border-right: 0 }"
FRAME = "table { border: 1px solid #000 }"
STRIPED = "tr:nth-child(even) { background: #dde6ee }"
TILES = "td, th { background: #e8e4da; border: 2px solid #fff }"
SHADED_HEAD = "th { background: #d0d7de }"
DARK_HEAD = "th { background: #1f3a5f; color: #fff } td { border-bottom: .5px solid #ccc }"
BAR = ".bar { background: #c9d3c0; font-weight: bold }"
DARK_BAR = ".bar { background: #333; color: #fff; font-weight: bold }"
BOLD_BAR = ".bar { font-weight: bold }"
CENTRED_BAR = ".bar { text-align: center; font-style: italic }"
NARROW = "td, th { padding: 1px .22em } table { font-size: 82% }"
CENTRED = ".n, th { text-align: center }"
MONO = "table { font-family: 'DejaVu Sans Mono', monospace; font-size: 88% }"
WIDE = "table { width: 100% }"
LEADERS = """td:first-child { overflow: hidden; white-space: nowrap; width: 16em; max-width: 16em }
    td:first-child::after { content: " . . . . . . . . . . . . . . . . . . . . . . . . . . . . . . . ." }"""


class Style(NamedTuple):
    """How some tables are printed; `frame` is the page around each of them."""

    name: str
    build: Builder
    css: str
    frame: str = "plain"
    subjects: tuple[Subject, ...] = ENGLISH


STYLES = (
    Style("ruled", amounts(), RULED),
    Style("bare", amounts(), BARE),
    Style("lines", amounts(), LINES),
    Style("booktabs", amounts(4), BOOKTABS),
    Style("row-lines", amounts(3, number=tenths, negative=0.3), ROW_LINES),
    Style("dotted", amounts(4, number=cents), DOTTED),
    Style("column-lines", amounts(4), COLUMN_LINES),
    Style("frame", amounts(3), FRAME),
    Style("striped", amounts(), STRIPED),
    Style("striped-wide", amounts(4, number=accounting, negative=0.3), STRIPED + WIDE),
    Style("tiles", amounts(4), TILES),
    Style("shaded-head", amounts(3), SHADED_HEAD),
    Style("dark-head", amounts(4, number=cents), DARK_HEAD),
    Style("centred", amounts(4, number=small, adds_up=False), ROW_LINES + CENTRED),
    Style("spans-2-ruled", spans_of_two_levels, RULED),
    Style("spans-2-rules", spans_of_two_levels, MID_RULES),
    Style("spans-2-bare", one_name_over_all, LINES),
    Style("spans-2-shaded", spans_of_two_levels, SHADED_HEAD + STRIPED),
    Style("spans-3-ruled", spans_of_three_levels, RULED),
    Style("spans-3-rules", spans_of_three_levels, MID_RULES),
    Style("spans-3-bare", spans_of_three_levels, LINES),
    Style("sections-bar", sections(across=True), BAR + LINES),
    Style("sections-dark-bar", sections(across=True), DARK_BAR + ROW_LINES),
    Style("sections-centred", sections(across=True), CENTRED_BAR + RULED),
    Style("sections-bold", sections(across=False), BOLD_BAR + LINES),
    Style("sections-striped", sections(across=False), BOLD_BAR + STRIPED),
    Style("key-value-ruled", key_values(bars=False), RULED + WIDE),
    Style("key-value-bars", key_values(bars=True), RULED + DARK_BAR + WIDE),
    Style("key-value-light-bars", key_values(bars=True), BAR + FRAME + WIDE),
    Style("key-value-bare", key_values(bars=False), WIDE),
    Style("narrow", amounts(9, number=small, adds_up=False), NARROW + LINES),
    Style("narrow-decimals", amounts(7, number=decimals, adds_up=False), NARROW + BOOKTABS),
    Style("narrow-striped", amounts(8), NARROW + STRIPED),
    Style("narrow-bare", amounts(6), NARROW),
    Style("mono-ruled", amounts(3), MONO + RULED),
    Style("mono-bare", amounts(3, number=decimals, adds_up=False), MONO),
    Style("typewriter", amounts(4, number=decimals, adds_up=False), MONO, "typewriter"),
    Style("typewriter-close", amounts(7, number=small, adds_up=False), MONO, "typewriter"),
    Style("footnotes", amounts(4), BOOKTABS, "footnotes"),
    Style("footnotes-ruled", amounts(4, number=accounting, negative=0.2), RULED, "footnotes"),
    Style("dollars", amounts(3, sign="$"), LINES),
    Style("percents", amounts(3, number=tenths, sign="%", adds_up=False), LINES),
    Style("dollars-striped", amounts(3, sign="$"), STRIPED + WIDE),
    Style("brackets", amounts(4, number=accounting, negative=0.4), LINES),
    Style("full-width-lines", amounts(6, number=cents), BOOKTABS + WIDE, "full width"),
    Style("full-width-ruled", spans_of_two_levels, RULED + WIDE, "full width"),
    Style("full-width-bare", amounts(6), LINES + WIDE, "full width"),
    Style("in-column-lines", amounts(2), LINES, "in column"),
    Style("in-column-ruled", amounts(3, number=small, adds_up=False), RULED, "in column"),
    Style("one-row-ruled", one_row, RULED),
    Style("one-row-lines", one_row, BOOKTABS),
    Style("wrapped-bare", wrapped_labels, LINES),
    Style("wrapped-ruled", wrapped_labels, RULED),
    Style("two-pages-ruled", more_than_a_page, RULED),
    Style("two-pages-lines", more_than_a_page, LINES),
    Style("words-ruled", words, RULED),
    Style("words-lines", words, BOOKTABS),
    Style("words-row-lines", words, ROW_LINES + WIDE),
    Style("row-groups-ruled", row_groups, RULED),
    Style("row-groups-lines", row_groups, BOOKTABS),
    Style("mixed-ruled", mixed_types, RULED),
    Style("mixed-lines", mixed_types, LINES),
    Style("missing-ruled", amounts(4, empty=0.25), RULED),
    Style("missing-bare", amounts(4, empty=0.2), LINES),
    Style("leaders", amounts(3), LEADERS),
    Style("german-lines", amounts(3, number=german), BOOKTABS, subjects=(GERMAN,)),
    Style("german-ruled", amounts(4, number=german), RULED, subjects=(GERMAN,)),
    Style("chinese-ruled", amounts(4, number=cents), RULED, subjects=(CHINESE,)),
    Style("chinese-lines", amounts(3, number=cents), LINES, subjects=(CHINESE,)),
    Style("chinese-sections", sections(across=True), RULED + BAR, subjects=(CHINESE,)),
    Style("chinese-key-value", key_values(bars=False), RULED + WIDE, subjects=(CHINESE,)),
)

FONTS = ("DejaVu Serif", "DejaVu Sans", "DejaVu Sans Condensed", "DejaVu Serif Condensed")
CHINESE_FONT = "Stand-in"  # squares in place of characters: only their codes and widths matter


class Made(NamedTuple):
    """A table with its style."""

    style: Style
    content: Content


def made_tables(style: Style, count: int = TABLES_PER_STYLE) -> list[Made]:
    """The tables of a style, the same ones each time."""
    draw = Random(style.name)
    return [Made(style, style.build(draw, draw.choice(style.subjects))) for _ in range(count)]


def true_cells(content: Content) -> list[Placed]:
    """The cells of a table with their places, as they are compared."""
    taken: set[tuple[int, int]] = set()
    placed = []
    for row, cells in enumerate(content.rows):
        column = 0
        for cell in cells:
            while (row, column) in taken:
                column += 1
            bottom, right = row + cell.rows - 1, column + cell.columns - 1
            taken |= {(r, c) for r in range(row, bottom + 1) for c in range(column, right + 1)}
            text = cell.text + cell.sign if cell.sign == "%" else cell.sign + cell.text
            placed.append(Placed(row, column, bottom, right, comparable_text(text)))
    return placed


# --- Pages ---


def document(tables: list[Made]) -> str:
    """The tables of one style as HTML to print."""
    style = tables[0].style
    draw = Random(style.name + " page")
    is_chinese = style.subjects == (CHINESE,)
    font = CHINESE_FONT if is_chinese else draw.choice(FONTS)
    head = HEAD.format(font=font, size=draw.choice((8.5, 9, 9.5, 10, 10.5, 11)), css=style.css)
    sentences = CHINESE_SENTENCES if is_chinese else SENTENCES
    return head + "".join(f"<section>{_add_page_text(made, draw, sentences)}</section>\n" for made in tables)


def _add_page_text(made: Made, draw: Random, sentences: Sequence[str]) -> str:
    """The table among the text of its page."""

    def text(paragraphs: int = 1) -> str:
        drawn = ["".join(f"{sentence} " for sentence in draw.sample(sentences, 4)) for _ in range(paragraphs)]
        return "".join(f"<p>{paragraph}</p>" for paragraph in drawn)

    match made.style.frame:
        case "typewriter":
            return f"{text()}<pre>{escape(typewriter_table(made.content))}</pre>{text()}"
        case "footnotes":
            return f"{text()}{html_table(made.content)}<div class='notes'>{FOOTNOTES}</div>{text()}"
        case "full width":
            table = html_table(made.content)
            return f"<div class='columns'>{text(4)}</div>{table}<div class='columns'>{text(4)}</div>"
        case "in column":
            return f"<div class='columns'>{text(2)}{html_table(made.content)}{text(5)}</div>"
    return f"{text()}{html_table(made.content)}{text()}"


def html_table(content: Content) -> str:
    """The table as an HTML element."""
    is_signed = any(cell.sign for row in content.rows for cell in row)
    lines = []
    for place, row in enumerate(content.rows):
        cells = "".join(_html_cell(cell, place < content.head, is_signed) for cell in row)
        lines.append(f"<tr>{cells}</tr>")
    head, body = "".join(lines[: content.head]), "".join(lines[content.head :])
    return f"<table><thead>{head}</thead><tbody>{body}</tbody></table>"


def _html_cell(cell: Cell, in_head: bool, is_signed: bool) -> str:
    tag = "th" if in_head else "td"
    is_amount = cell.text[:1] in tuple("(0123456789–-") and bool(cell.text)
    kinds = ["n"] * is_amount + ["bar"] * cell.bar
    kind = f' class="{" ".join(kinds)}"' if kinds else ""
    # Where signs have cells of their own, every column but that of the labels is two columns wide.
    wide = cell.columns * 2 if is_signed and is_amount and not cell.sign else cell.columns
    spans = f' colspan="{wide}"' * (wide > 1) + f' rowspan="{cell.rows}"' * (cell.rows > 1)
    if not cell.sign:
        return f"<{tag}{spans}{kind}>{escape(cell.text)}</{tag}>"
    number, sign = f"<td{kind}>{escape(cell.text)}</td>", f"<td>{escape(cell.sign)}</td>"
    return number + sign if cell.sign == "%" else sign + number


def typewriter_table(content: Content) -> str:
    """The table as a typewriter sets it: columns by spaces, a line of hyphens below the header."""
    texts = [[cell.text for cell in row] for row in content.rows]
    widths = [max(map(len, column)) for column in zip(*texts, strict=True)]
    lines = []
    for row in texts:
        label, *numbers = row
        padded = [text.rjust(width) for text, width in zip(numbers, widths[1:], strict=True)]
        lines.append("  ".join([label.ljust(widths[0]), *padded]))
    lines.insert(content.head, "-" * len(lines[0]))
    return "\n".join(lines)


# Sentences of paragraphs. No two pages have the same ones, or they would be taken for running heads.
SENTENCES = (
    "The office keeps its books by the kind of service.",
    "What was counted in the last years, and how it came about, is told in this report.",
    "Amounts are in thousands unless something else is said with them.",
    "Most of the change is owed to the new building, which was opened to everybody in spring.",
    "It has been in use on all but nine days since then, although the work around it took longer.",
    "Nothing of this was foreseen when the plan for the year was drawn up.",
    "The council has asked for a report on the causes, which will be ready before the winter.",
    "A new plan will have room for such turns, and for the wishes that were heard in the meetings.",
    "Nobody can say today whether the numbers will stay as they are.",
    "Whoever compares them with those of other places should keep in mind how they were counted.",
    "The staff have done what could be done, and more than was asked of them.",
    "Repairs were put off until the weather allowed them, which saved nothing in the end.",
    "Letters of thanks came from several places, and two of complaint.",
    "The old rules remain in force until the new ones have been printed and sent to all members.",
    "In earlier years the same was counted by hand, and some of the sheets have been lost.",
    "We thank all who have helped with the work, above all those who kept the lists.",
)
CHINESE_SENTENCES = (
    "本办公室按照服务种类记账。",
    "本报告说明最近几年的收入情况及其变化原因。",
    "除另有说明外，金额单位均为千元。",
    "大部分变化是由于新码头于春季向大型船舶开放。",
    "此后除九天以外一直使用，尽管航道疏浚的时间比原计划更长。",
    "制定年度计划时并未预见到这些情况。",
    "委员会已要求在冬季之前提交关于原因的报告。",
    "新的计划将为此类变化留出余地，并考虑会议上提出的意见。",
    "目前还不能确定这些数字是否会保持不变。",
    "与其他地方进行比较时应当注意统计方法的差别。",
)
FOOTNOTES = (
    "<p>(1) Counted at the end of the year, and for the first time without what was returned to its owners "
    "within thirty days; the numbers of earlier years were not counted anew.</p>"
    "<p>(2) Some of the numbers are estimates of the office, which may change when the last bills have come "
    "in; experience says that they change by less than one part in a hundred.</p>"
    "<p>* Rounded, so that sums may differ from the sum of what is printed.</p>"
)
HEAD = """<!doctype html><meta charset="utf-8"><style>
@page {{ size: A4; margin: 22mm }}
body {{ font: {size}pt/1.4 "{font}"; margin: 0 }}
section {{ break-before: page }}
section:first-of-type {{ break-before: auto }}
table {{ border-collapse: collapse; margin: 1em 0 }}
td, th {{ padding: 2px 8px; text-align: left; vertical-align: bottom; max-width: 16em }}
th[colspan] {{ text-align: center }}
.n {{ text-align: right }}
.columns {{ columns: 2; column-gap: 8mm }}
.notes {{ font-size: 80% }} .notes p {{ margin: .2em 0 }}
pre {{ font: 88% "DejaVu Sans Mono", monospace }}
{css}
</style>
"""
