"""Runs to lines: stretches of text on one baseline without a wide gap.

A line here is no wider than one column, table cell or running head: runs that stand further apart than
`WORD_GAP` ems stay apart, and what belongs together after all (a number and its title) is joined later,
where more is known. The order of the page's content stream is kept: it is right far more often than not.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from held.document import Box, PageContent, Run, Style
from held.layout.lines.hidden_gaps import part_hidden_cells
from held.layout.lines.rtl import in_reading_order, reads_leftward
from held.layout.lines.scripts import is_cjk

WORD_GAP = 1.25  # ems: the widest gap inside a line
SPACE_GAP = 0.17  # ems: the narrowest gap that is read as a space
SPACE_GAP_AT_CHANGE = 0.095  # ems: the same between letters of two fonts of one size, which are no word
SAME_SIZE = 0.05  # share by which sizes differ that are the same to the eye
SPACE_GAP_CJK = 0.6  # ems: Chinese is set without spaces, but justified lines stretch
HIDDEN_MODES = (3, 7)  # PDF text render modes that paint nothing (ISO 32000, table 104)
WHITE = "ffffff"
THICKEST_RULE = 4.0  # points: what is drawn higher than this can be the ground of white text

# TeX's fonts of large signs name their glyphs as no list of glyph names does, so that a reader gets the codes
# of TeX's encoding OMX instead of characters.
MATH_EXTENSION = re.compile(r"(?:CMEX|LMMathExtension|txex|pxex|rtxex|MTEX)", re.IGNORECASE)
MATH_SIGNS = str.maketrans(
    {
        **dict(zip(range(0x00, 0x10), "()[]⌊⌋⌈⌉{}⟨⟩|∥/\\", strict=True)),
        **dict(zip(range(0x10, 0x20), "()()[]⌊⌋⌈⌉{}⟨⟩/\\", strict=True)),
        **dict(zip(range(0x20, 0x30), "()[]⌊⌋⌈⌉{}⟨⟩/\\/\\", strict=True)),
        **dict(zip(range(0x50, 0x58), "∑∏∫⋃⋂⨄⋀⋁", strict=True)),
        **dict(zip(range(0x58, 0x60), "∑∏∫⋃⋂⨄⋀⋁", strict=True)),
        **dict(zip(range(0x60, 0x68), "∐∐ˆˆˆ˜˜˜", strict=True)),
        **dict(zip(range(0x68, 0x78), "[]⌊⌋⌈⌉{}√√√√√√√√", strict=True)),
        **dict(zip(range(0x46, 0x50), "⨆⨆∮∮⨀⨀⨁⨁⨂⨂", strict=True)),
    }
)

# A shadow or a boldening prints the same text again less than this aside, soon after the first time.
REPEAT_SHIFT = 1.2  # points
REPEATS_LOOKED_AT = 3  # a table prints "0" hundreds of times: only the last ones are compared

# Whether a run shares a line's baseline: a superscript overlaps its line by about half of its own height.
SHARED_HEIGHT = 0.45  # share of the lower one's height
LOOSE_HEIGHT = 0.8  # of a line's loose height is about its em, if its font size is not told

# What stands beside a line without belonging to it: notes beside titles, words in the margin.
NOTE_GAP = 0.2  # ems, from which on a run must be set like the line to continue it
NOTE_LETTERS = 3  # shorter runs are symbols and indices, whatever their size
NOTE_HEIGHTS = (0.55, 1.8)  # times the line's height: what is lower or higher is set apart
MARGIN_GAP = 0.75  # ems, from which on even a small difference in size tells a word in the margin
MARGIN_SIZE = 0.05  # ems of difference in size
STEP_BACK = 0.6  # ems that a run may begin before its line's end: accents, kerned formulas
STEP_BACK_LEFT = 0.2  # the same for a run that is printed later but stands at the line's left

# Groups that touch: text of one line that the content stream tore apart.
MERGE_REACH = 7  # how many groups further down the page are compared
TOUCH_OVERLAP = 0.3  # of the lower group's height, by which the two may overlap
TOUCH_GAP = 0.45  # of the lower group's height, by which they may stand apart
TOUCH_HEIGHTS = 0.5  # of the higher group's height, that the lower one must have
TOUCH_SHARED = 0.6  # of the lower group's height, that both share


# What a line's height is not measured by: indices, exponents, roots, large brackets.
SMALL_PIECE = 0.85  # times the line's font size: smaller pieces are raised or lowered
TALL_PIECE = 1.4  # times the height of the line's own runs
STACK_OVERLAP = 1.0  # points by which runs must overlap across to stand over each other
SAME_LEVEL = 0.4  # share of the lower run's height that runs of one level of a stack have in common


class Line(NamedTuple):
    """Runs on one baseline, left to right. `style` is the style of most characters, `size` its font size.

    `y0` and `y1` are those of the runs that stand on the baseline: a root or an exponent reaches up to the
    line above, and must not make the two one.
    """

    x0: float
    y0: float
    x1: float
    y1: float
    text: str
    style: int
    size: float
    runs: tuple[Run, ...]

    @property
    def box(self) -> Box:
        return Box(self.x0, self.y0, self.x1, self.y1)

    @property
    def middle(self) -> float:
        """The height of its middle."""
        return (self.y0 + self.y1) / 2


def lines_of(page: PageContent, styles: Sequence[Style]) -> list[Line]:
    """The upright, visible lines of a page in the order of its content stream."""
    runs = visible_runs(page, styles)
    if not all(styles[i].upright for i in {run.style for run in runs}):
        runs = [run for run in runs if styles[run.style].upright]
    runs = part_hidden_cells(runs, page, styles)
    return [make_line(group, styles) for group in _merge_neighbours(_group_in_order(runs, styles))]


def turned_runs(page: PageContent, styles: Sequence[Style]) -> list[Run]:
    """The runs of a page that are not upright: margin marks, axis labels, watermarks, sideways tables."""
    return [run for run in page.runs if run.text.strip() and not styles[run.style].upright]


def visible_runs(page: PageContent, styles: Sequence[Style]) -> list[Run]:
    """The runs that a reader of the page sees, those painted twice only once.

    Text in a mode that paints nothing is the OCR layer of a scan if it is all there is, and a search aid
    otherwise. White text is seen only on something drawn.
    """
    runs = [run for run in (*page.runs, *page.fields) if run.text and not run.text.isspace()]
    # A page has few styles and many runs: styles are judged first.
    used = {run.style for run in runs}
    hidden = {i for i in used if styles[i].render_mode in HIDDEN_MODES}
    white = {i for i in used if styles[i].colour == WHITE}
    extended = {i for i in used if MATH_EXTENSION.match(styles[i].font)}
    if hidden:
        painted = [run for run in runs if run.style not in hidden]
        runs = painted or runs
    if white:
        shades = [rule for rule in page.rules if rule.height > THICKEST_RULE]
        grounds = [*page.images, *shades]
        runs = [run for run in runs if run.style not in white or _lies_on(run, grounds)]
    if extended:
        runs = [_in_unicode(run) if run.style in extended else run for run in runs]
    return _without_repeats(runs)


def _in_unicode(run: Run) -> Run:
    """A run in a font of large mathematical signs, whose codes are places in the font, as characters."""
    return run._replace(text=run.text.translate(MATH_SIGNS))


def _lies_on(run: Run, grounds: Iterable[Box]) -> bool:
    x = (run.x0 + run.x1) / 2
    y = (run.y0 + run.y1) / 2
    return any(box.x0 <= x <= box.x1 and box.y0 <= y <= box.y1 for box in grounds)


def _without_repeats(runs: list[Run]) -> list[Run]:
    """The runs without second paintings: shadows and boldening print a text again a fraction aside."""
    seen: dict[str, list[Run]] = {}
    kept = []
    for run in runs:
        earlier = seen.get(run.text)
        if earlier is None:
            seen[run.text] = [run]
        elif _is_repeated(run, earlier):
            continue
        else:
            earlier.append(run)
        kept.append(run)
    return kept


def _is_repeated(run: Run, earlier: Sequence[Run]) -> bool:
    """Whether a run is one of the earlier ones with the same text, printed again."""
    for other in earlier[-REPEATS_LOOKED_AT:]:
        if abs(run.x0 - other.x0) < REPEAT_SHIFT and abs(run.y0 - other.y0) < REPEAT_SHIFT:
            return True
    return False


def _group_in_order(runs: list[Run], styles: Sequence[Style]) -> list[list[Run]]:
    """Runs that follow each other in the content stream and on the baseline, grouped."""
    sizes = [style.size for style in styles]
    groups: list[list[Run]] = []
    # The group at hand: its edges, and height and size of its highest run, which tells its baseline.
    x0 = x1 = top = bottom = size = 0.0
    for run in runs:
        run_x0, run_top, run_x1, run_bottom, style, _ = run
        own = sizes[style]
        height, run_height = bottom - top, run_bottom - run_top
        # Comparisons are written out, since min and max cost twice as much and a page has hundreds of runs.
        lower = bottom if bottom < run_bottom else run_bottom
        upper = top if top > run_top else run_top
        least = SHARED_HEIGHT * (run_height if run_height < height else height)
        if groups and lower - upper >= least and _continues(run, (x0, x1, height, size), own):
            groups[-1].append(run)
            if run_x0 < x0:
                x0 = run_x0
            if run_x1 > x1:
                x1 = run_x1
            if run_height > height:
                top, bottom, size = run_top, run_bottom, own
        else:
            groups.append([run])
            x0, top, x1, bottom, size = run_x0, run_top, run_x1, run_bottom, own
    return groups


def _continues(run: Run, line: tuple[float, float, float, float], size: float) -> bool:
    """Whether a run goes on, on either side, with a line whose edges, height and size are given."""
    x0, x1, line_height, line_size = line
    em = max(size, LOOSE_HEIGHT * line_height)
    gap = run.x0 - x1
    if gap > NOTE_GAP * size and len(run.text) > NOTE_LETTERS:
        lowest, highest = NOTE_HEIGHTS
        if not lowest * line_height < run.y1 - run.y0 < highest * line_height:
            return False  # a small note beside a large title
        if gap > MARGIN_GAP * em and abs(size - line_size) > MARGIN_SIZE * em:
            return False  # a word in the margin beside the text
    if -STEP_BACK * em < gap < WORD_GAP * em:
        return True
    gap_left = x0 - run.x1
    return -STEP_BACK_LEFT * em < gap_left < WORD_GAP * em


def _merge_neighbours(groups: list[list[Run]]) -> list[list[Run]]:
    """Groups that touch on the same baseline though other text stands between them in the stream, merged."""
    boxes = [_bounds(group) for group in groups]
    heights = [y0 + y1 for _, y0, _, y1 in boxes]
    order = sorted(range(len(groups)), key=heights.__getitem__)
    gone: set[int] = set()  # into the other one of its pair
    for place, i in enumerate(order):
        for j in order[place + 1 : place + 1 + MERGE_REACH]:
            if boxes[j].y0 > boxes[i].y1 or i in gone:
                break
            if j not in gone and _touch(boxes[i], boxes[j]):
                # The stream's order is kept: the pair stands where its first group stood.
                first, second = min(i, j), max(i, j)
                groups[first] = groups[i] + groups[j]
                boxes[first] = _bounds(groups[first])
                gone.add(second)
    return [group for i, group in enumerate(groups) if i not in gone]


def _touch(a: Box, b: Box) -> bool:
    """Whether two boxes stand side by side, hardly a space apart, and share most of their height."""
    a_x0, a_y0, a_x1, a_y1 = a
    b_x0, b_y0, b_x1, b_y1 = b
    low, high = a_y1 - a_y0, b_y1 - b_y0
    if low > high:
        low, high = high, low
    gap = b_x0 - a_x1 if b_x0 > a_x0 else a_x0 - b_x1
    if not -TOUCH_OVERLAP * low < gap < TOUCH_GAP * low:
        return False
    if low <= TOUCH_HEIGHTS * high:
        return False
    shared = min(a_y1, b_y1) - max(a_y0, b_y0)
    return shared > TOUCH_SHARED * low


def _bounds(runs: Sequence[Run]) -> Box:
    """The box around runs; as `around`, and faster by taking the runs apart once."""
    if len(runs) == 1:
        return Box(*runs[0][:4])
    lefts, tops, rights, bottoms, *_ = zip(*runs, strict=True)
    return Box(min(lefts), min(tops), max(rights), max(bottoms))


def make_line(runs: Sequence[Run], styles: Sequence[Style]) -> Line:
    """The line of these runs, its text with spaces where the gaps ask for them."""
    if len(runs) == 1:
        (run,) = runs
        x0, y0, x1, y1, style, text = run
        return Line(x0, y0, x1, y1, text.strip(), style, styles[style].size, (run,))
    runs = sorted(runs, key=lambda run: run.x0)
    weight: dict[int, int] = {}
    for run in runs:
        weight[run.style] = weight.get(run.style, 0) + len(run.text)
    style = max(weight, key=weight.__getitem__)
    size = styles[style].size
    x0, y0, x1, y1 = _bounds(runs)
    if len(weight) > 1:
        if _has_odd_pieces(runs, weight, style, styles, y1 - y0):
            y0, y1 = _heights(runs, style, styles)
        runs = _unstacked(runs)
    text = join_runs(runs, styles)
    if reads_leftward(text):
        runs = in_reading_order(runs)
        text = join_runs(runs, styles, leftward=True)
    return Line(x0, y0, x1, y1, text, style, size, tuple(runs))


def _has_odd_pieces(
    runs: Sequence[Run], used: Iterable[int], style: int, styles: Sequence[Style], height: float
) -> bool:
    """Whether a line has pieces that its height is not measured by: most only change to italics and back."""
    least = SMALL_PIECE * styles[style].size
    if min([styles[i].size for i in used]) < least:
        return True
    own = max([run.y1 - run.y0 for run in runs if run.style == style])
    if height <= TALL_PIECE * own:
        return False  # no piece is higher than all of them together
    return max([run.y1 - run.y0 for run in runs]) > TALL_PIECE * own


def _heights(runs: Sequence[Run], style: int, styles: Sequence[Style]) -> tuple[float, float]:
    """From where to where a line reaches without its raised, lowered and very tall pieces."""
    tallest = TALL_PIECE * max([run.y1 - run.y0 for run in runs if run.style == style])
    least = SMALL_PIECE * styles[style].size
    tops = []
    bottoms = []
    for _, y0, _, y1, run_style, _ in runs:
        if y1 - y0 <= tallest and styles[run_style].size >= least:
            tops.append(y0)
            bottoms.append(y1)
    return min(tops), max(bottoms)


def _unstacked(runs: list[Run]) -> list[Run]:
    """The runs with each stack (a fraction in the line, limits of a sum) read level by level."""
    if not _are_stacked(runs):
        return runs
    ordered: list[Run] = []
    stack = runs[:1]
    right = runs[0].x1
    for run in runs[1:]:
        if run.x0 < right - STACK_OVERLAP:
            stack.append(run)
            right = max(right, run.x1)
        else:
            ordered += _by_level(stack)
            stack = [run]
            right = run.x1
    return ordered + _by_level(stack)


def _are_stacked(runs: Sequence[Run]) -> bool:
    """Whether a run begins clearly before the one left of it ends."""
    return any(run.x0 < before.x1 - STACK_OVERLAP for before, run in pairwise(runs))


def _by_level(stack: list[Run]) -> list[Run]:
    """The runs of a stack from the upper level to the lower one, each from left to right."""
    if len(stack) == 1:
        return stack
    levels: list[list[Run]] = []
    for run in stack:
        for level in levels:
            if any(_on_one_level(run, other) for other in level):
                level.append(run)
                break
        else:
            levels.append([run])
    levels.sort(key=lambda level: min(run.y0 for run in level))
    return [run for level in levels for run in level]


def _on_one_level(a: Run, b: Run) -> bool:
    lower = min(a.y1 - a.y0, b.y1 - b.y0)
    return min(a.y1, b.y1) - max(a.y0, b.y0) > SAME_LEVEL * lower


def join_lines_side_by_side(lines: Sequence[Line], styles: Sequence[Style]) -> Line:
    """One line of lines that stand on the same baseline, a space between them."""
    return make_line([run for line in lines for run in line.runs], styles)


def join_runs(runs: Sequence[Run], styles: Sequence[Style], *, leftward: bool = False) -> str:
    """The text of runs on one baseline; where it reads leftward, the next run may stand left of one."""
    parts = [runs[0].text]
    for before, after in pairwise(runs):
        gap = after.x0 - before.x1
        if leftward:
            gap = max(gap, before.x0 - after.x1)
        # Most runs touch: what is narrower than any space is none.
        if gap > 0.0 and not parts[-1].endswith(" "):
            em = max(styles[before.style].size, styles[after.style].size)
            # Only between the narrowest space and the widest one does it matter what stands around the gap.
            is_space = gap > SPACE_GAP_CJK * em
            if not is_space and gap > SPACE_GAP_AT_CHANGE * em:
                is_space = gap > _least_space(before, after, styles) * em
            if is_space:
                parts.append(" ")
        parts.append(after.text)
    return " ".join("".join(parts).split(" ")).strip()


def _least_space(before: Run, after: Run, styles: Sequence[Style]) -> float:
    """The narrowest gap between two runs that is read as a space, in ems."""
    last, first = before.text[-1], after.text[0]
    cjk_before, cjk_after = is_cjk(last), is_cjk(first)
    if cjk_before and cjk_after:
        return SPACE_GAP_CJK
    if before.style == after.style or cjk_before or cjk_after or not (last.isalpha() and first.isalpha()):
        return SPACE_GAP
    size, other = styles[before.style].size, styles[after.style].size
    return SPACE_GAP_AT_CHANGE if abs(size - other) <= SAME_SIZE * size else SPACE_GAP
