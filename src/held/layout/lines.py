"""Runs to lines: text on one baseline without a wide gap.

A line is no wider than one column, table cell or running head. What belongs together across a wider gap (a
number and its title) is joined later, where more is known. Lines keep the order of the page's content
stream, which is right far more often than not.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from itertools import pairwise
from operator import itemgetter
from typing import NamedTuple

from held.document import Box, PageContent, Run, Style, new_box
from held.layout.characters import is_rtl, least_space, rtl_reading_order
from held.layout.run_splitting import clip_tall_runs, split_runs_at_bars, split_runs_at_gaps
from held.layout.tolerances import (
    EM_OF_LINE_HEIGHT_SHARE,
    MAX_BASELINE_PIECE_HEIGHT_TIMES,
    MAX_REPRINT_SHIFT_PT,
    MAX_SAME_LINE_HEIGHT_TIMES,
    MAX_SHADOW_SHIFT_SHARE,
    MAX_SIZE_CHANGE_IN_A_WORD_SHARE,
    MAX_STEP_BACK_AT_LINE_START_EM,
    MAX_STEP_BACK_EM,
    MAX_TORN_LINE_GAP_LINES,
    MAX_TORN_LINE_OVERLAP_LINES,
    MAX_WORD_GAP_EM,
    MIN_BASELINE_PIECE_SIZE_SHARE,
    MIN_MARGIN_WORD_GAP_EM,
    MIN_SAME_BASELINE_OVERLAP_SHARE,
    MIN_SAME_LINE_HEIGHT_TIMES,
    MIN_SHADOW_HEIGHT_PT,
    MIN_SHADOW_OVERLAP_SHARE,
    MIN_SIDE_NOTE_GAP_EM,
    MIN_SPACE_AT_FONT_CHANGE_EM,
    MIN_SPACE_BETWEEN_CJK_EM,
    MIN_STACK_LEVEL_OVERLAP_SHARE,
    MIN_STACK_OVERLAP_PT,
    MIN_TORN_LINE_HEIGHT_SHARE,
    MIN_TORN_LINE_SHARED_HEIGHT_SHARE,
    MIN_WHITE_DISPLAY_SIZE_TIMES,
    MIN_WHITE_TEXT_GROUND_PT,
)
from held.reading.text_checks import MATH_EXTENSION

HIDDEN_MODES = (3, 7)  # PDF text render modes that paint nothing (ISO 32000, table 104)
WHITE = "ffffff"

# The characters of the codes in TeX's encoding OMX, which a reader returns for the text of `MATH_EXTENSION`.
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

MAX_SHADOW_DISTANCE = 8  # runs before a shadow, among which is the text that casts it
MIN_SHADOW_LENGTH = 3  # characters: shorter ones are labels that happen to meet
MAX_REPRINT_DISTANCE = 3  # runs with the same text; a table prints "0" hundreds of times
MAX_SIGN_LENGTH = 3  # characters; shorter runs are symbols and indices, whatever their size
MAX_MERGE_DISTANCE = 7  # groups further down the page that a group is compared with

Runs = Sequence[Run]
Styles = Sequence[Style]


class Line(NamedTuple):
    """Runs on one baseline in reading order. `style` is the style of most characters, `size` its font size.

    `y0` and `y1` are those of the runs that stand on the baseline: a root or an exponent reaches into the
    line above, and must not join the two.
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
        return new_box(self[:4])

    @property
    def middle(self) -> float:
        """The y of its middle."""
        return (self.y0 + self.y1) / 2

    @property
    def axis(self) -> float:
        """The x of its middle."""
        return (self.x0 + self.x1) / 2

    def has_centre_in(self, box: Box) -> bool:
        """Whether the middle of the line lies inside a box; its ends may reach out of it."""
        # Written out: a table asks hundreds of times, and a property costs as much as all of this.
        x0, y0, x1, y1, *_ = self
        left, top, right, bottom = box
        return left < (x0 + x1) / 2 < right and top < (y0 + y1) / 2 < bottom


_left_edge = itemgetter(0)  # of a run
_style = itemgetter(Run._fields.index("style"))
_new_line = partial(tuple.__new__, Line)  # from a tuple, in half the time of calling the class


def build_lines(page: PageContent, styles: Styles) -> list[Line]:
    """The upright, visible lines of a page in the order of its content stream."""
    runs = visible_runs(page, styles)
    if not all(styles[i].upright for i in set(map(_style, runs))):
        runs = [run for run in runs if styles[run.style].upright]
    runs = split_runs_at_gaps(clip_tall_runs(runs, styles), styles)
    runs = split_runs_at_bars(runs, page, styles)
    groups = _merge_neighbours(_group_in_order(runs, styles))
    return [make_line(group, styles, box) for group, box in groups]


def rotated_runs(page: PageContent, styles: Styles) -> list[Run]:
    """The runs of a page that are not upright: margin marks, axis labels, watermarks, sideways tables."""
    return [run for run in page.runs if run.text.strip() and not styles[run.style].upright]


def visible_runs(page: PageContent, styles: Styles) -> list[Run]:
    """The runs that are visible on the page, those painted twice only once.

    Text in a mode that paints nothing is the OCR layer of a scan if there is no other text, and a search aid
    otherwise. White text is a search aid or a mark of the producer, unless something is drawn behind it, it
    is display text, or most of the page is white on a ground that the reader does not know.
    """
    runs = [run for run in (*page.runs, *page.fields) if (text := run.text) and not text.isspace()]
    # A page has few styles and many runs, so styles are tested first.
    used = set(map(_style, runs))
    hidden = {i for i in used if styles[i].render_mode in HIDDEN_MODES}
    white = {i for i in used if styles[i].colour == WHITE}
    extended = {i for i in used if MATH_EXTENSION.match(styles[i].font)}
    if hidden:
        painted = [run for run in runs if run.style not in hidden]
        runs = painted or runs
    if white:
        runs = _drop_invisible_white(runs, white, page, styles)
    if extended:
        runs = [_decode_math_signs(run) if run.style in extended else run for run in runs]
    return _drop_reprints(runs)


def _drop_invisible_white(runs: Runs, white: set[int], page: PageContent, styles: Styles) -> list[Run]:
    """The runs without white text that nothing shows.

    Grounds of odd shapes and shadings are not among a page's boxes: a cover may seem to be white on white.
    """
    dark_sizes = [styles[run.style].size for run in runs if run.style not in white for _ in run.text]
    if 2 * len(dark_sizes) <= sum(len(run.text) for run in runs):
        return list(runs)
    dark_sizes.sort()
    usual_size = dark_sizes[len(dark_sizes) // 2]
    display = {i for i in white if styles[i].size >= MIN_WHITE_DISPLAY_SIZE_TIMES * usual_size}
    shades = [rule for rule in page.rules if rule.height > MIN_WHITE_TEXT_GROUND_PT]
    grounds = [*page.images, *shades]
    doubtful = white - display
    return [run for run in runs if run.style not in doubtful or _lies_on(run, grounds)]


def _decode_math_signs(run: Run) -> Run:
    return run._replace(text=run.text.translate(MATH_SIGNS))


def _lies_on(run: Run, grounds: Iterable[Box]) -> bool:
    x = (run.x0 + run.x1) / 2
    y = (run.y0 + run.y1) / 2
    return any(box.x0 <= x <= box.x1 and box.y0 <= y <= box.y1 for box in grounds)


def _drop_reprints(runs: list[Run]) -> list[Run]:
    """The runs without second printings: shadows and fake bold print a text again a fraction aside."""
    by_text: dict[str, list[Run]] = {}
    kept: list[Run] = []
    for run in runs:
        earlier = by_text.get(run.text)
        if earlier is None:
            by_text[run.text] = [run]
        elif _is_reprint(run, earlier):
            continue
        else:
            earlier.append(run)
        if run.y1 - run.y0 >= MIN_SHADOW_HEIGHT_PT and _is_shadow(run, kept):
            continue
        kept.append(run)
    return kept


def _is_reprint(run: Run, earlier: Runs) -> bool:
    for other in earlier[-MAX_REPRINT_DISTANCE:]:
        if abs(run.x0 - other.x0) < MAX_REPRINT_SHIFT_PT and abs(run.y0 - other.y0) < MAX_REPRINT_SHIFT_PT:
            return True
    return False


def _is_shadow(run: Run, earlier: Runs) -> bool:
    """Whether a large text lies on runs that show it already, perhaps cut into other pieces."""
    left, top, _, bottom, *_ = run
    height = bottom - top
    reach = MAX_SHADOW_SHIFT_SHARE * height
    # Most runs stand on a line of their own, or right of those before.
    near = [
        other for other in earlier[-MAX_SHADOW_DISTANCE:] if abs(top - other.y0) <= reach and other.x1 > left
    ]
    covered = [other for other in near if _covers(run, other, height)]
    if not covered:
        return False
    text = "".join(run.text.split())
    if len(text) < MIN_SHADOW_LENGTH:
        return False
    covered.sort(key=lambda other: other.x0)
    return text in "".join("".join(other.text.split()) for other in covered)


def _covers(run: Run, other: Run, height: float) -> bool:
    """Whether two runs of one size, whose tops are level, lie on each other, a fraction aside."""
    if abs(other.y1 - other.y0 - height) > MAX_SHADOW_SHIFT_SHARE * height:
        return False
    shared = min(run.x1, other.x1) - max(run.x0, other.x0)
    return shared > MIN_SHADOW_OVERLAP_SHARE * min(run.x1 - run.x0, other.x1 - other.x0)


def _group_in_order(runs: list[Run], styles: Styles) -> list[list[Run]]:
    """Groups of runs that follow each other in the content stream and stand on one baseline."""
    sizes = [style.size for style in styles]
    groups: list[list[Run]] = []
    # The current group: its edges, and top, bottom and font size of its highest run.
    x0 = x1 = top = bottom = size = 0.0
    for run in runs:
        run_x0, run_top, run_x1, run_bottom, style, *_ = run
        own = sizes[style]
        height, run_height = bottom - top, run_bottom - run_top
        # Comparisons are written out: min and max cost twice as much, and a page has hundreds of runs.
        lower = bottom if bottom < run_bottom else run_bottom
        upper = top if top > run_top else run_top
        least = MIN_SAME_BASELINE_OVERLAP_SHARE * (run_height if run_height < height else height)
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
    """Whether a run continues, on either side, a line given by its edges, height and font size."""
    x0, x1, line_height, line_size = line
    em = max(size, EM_OF_LINE_HEIGHT_SHARE * line_height)
    gap = run.x0 - x1
    if gap > MIN_SIDE_NOTE_GAP_EM * size and len(run.text) > MAX_SIGN_LENGTH:
        lowest = MIN_SAME_LINE_HEIGHT_TIMES * line_height
        highest = MAX_SAME_LINE_HEIGHT_TIMES * line_height
        if not lowest < run.y1 - run.y0 < highest:
            return False  # a small note beside a large title
        if gap > MIN_MARGIN_WORD_GAP_EM * em and abs(size - line_size) > MAX_SIZE_CHANGE_IN_A_WORD_SHARE * em:
            return False  # a word in the margin beside the text
    if -MAX_STEP_BACK_EM * em < gap < MAX_WORD_GAP_EM * em:
        return True
    gap_left = x0 - run.x1
    return -MAX_STEP_BACK_AT_LINE_START_EM * em < gap_left < MAX_WORD_GAP_EM * em


def _merge_neighbours(groups: list[list[Run]]) -> list[tuple[list[Run], Box]]:
    """The groups and their boxes; those that touch are merged, although other text may stand between them."""
    boxes = [_bounds(group) for group in groups]
    middles = [y0 + y1 for _, y0, _, y1 in boxes]  # doubled, which sorts alike
    downwards = sorted(range(len(groups)), key=middles.__getitem__)
    gone: set[int] = set()  # merged into another group
    for rank, i in enumerate(downwards, start=1):
        if i in gone:
            continue
        for j in downwards[rank : rank + MAX_MERGE_DISTANCE]:
            # Most groups stand alone on their line: the next one is below.
            if boxes[j].y0 > boxes[i].y1 or i in gone:
                break
            if j not in gone and _touch(boxes[i], boxes[j]):
                # The merged group stands where the stream has the first of the two.
                first, second = min(i, j), max(i, j)
                groups[first] = groups[i] + groups[j]
                boxes[first] = _bounds(groups[first])
                gone.add(second)
    return [found for i, found in enumerate(zip(groups, boxes, strict=True)) if i not in gone]


def _touch(a: Box, b: Box) -> bool:
    """Whether two boxes stand side by side, less than a space apart, and share most of their height."""
    a_x0, a_y0, a_x1, a_y1 = a
    b_x0, b_y0, b_x1, b_y1 = b
    low, high = a_y1 - a_y0, b_y1 - b_y0
    if low > high:
        low, high = high, low
    gap = b_x0 - a_x1 if b_x0 > a_x0 else a_x0 - b_x1
    if not -MAX_TORN_LINE_OVERLAP_LINES * low < gap < MAX_TORN_LINE_GAP_LINES * low:
        return False
    if low <= MIN_TORN_LINE_HEIGHT_SHARE * high:
        return False
    shared = min(a_y1, b_y1) - max(a_y0, b_y0)
    return shared > MIN_TORN_LINE_SHARED_HEIGHT_SHARE * low


def _bounds(runs: Runs) -> Box:
    """The box around runs. Taking all runs apart at once is faster than `around`."""
    if len(runs) == 1:
        return new_box(runs[0][:4])
    lefts, tops, rights, bottoms, *_ = zip(*runs, strict=True)
    return new_box((min(lefts), min(tops), max(rights), max(bottoms)))


def make_line(runs: Runs, styles: Styles, box: Box | None = None) -> Line:
    """The line of these runs, with a space in its text wherever a gap is wide enough.

    `box` is the box around them where it is known.
    """
    if len(runs) == 1:
        (run,) = runs
        x0, y0, x1, y1, style, text, _ = run
        return _new_line((x0, y0, x1, y1, text.strip(), style, styles[style].size, (run,)))
    runs = sorted(runs, key=_left_edge)
    weight: dict[int, int] = {}
    for _, _, _, _, style, text, _ in runs:
        weight[style] = weight.get(style, 0) + len(text)
    if len(weight) > 1:
        style = max(weight, key=weight.__getitem__)
    size = styles[style].size
    x0, y0, x1, y1 = box or _bounds(runs)
    if len(weight) > 1:
        if _has_small_or_tall_runs(runs, weight, style, styles, y1 - y0):
            y0, y1 = _baseline_reach(runs, style, styles)
        runs = _unstack(runs)
    text = join_text(runs, styles)
    if is_rtl(text):
        runs = rtl_reading_order(runs)
        text = join_text(runs, styles, rtl=True)
    return _new_line((x0, y0, x1, y1, text, style, size, tuple(runs)))


def _has_small_or_tall_runs(
    runs: Runs, used: Iterable[int], style: int, styles: Styles, height: float
) -> bool:
    """Whether a line has runs that do not count for its height; most lines only change the font."""
    least = MIN_BASELINE_PIECE_SIZE_SHARE * styles[style].size
    if min([styles[i].size for i in used]) < least:
        return True
    own = max([run.y1 - run.y0 for run in runs if run.style == style])
    if height <= MAX_BASELINE_PIECE_HEIGHT_TIMES * own:
        return False  # no run is higher than all of them together
    return max([run.y1 - run.y0 for run in runs]) > MAX_BASELINE_PIECE_HEIGHT_TIMES * own


def _baseline_reach(runs: Runs, style: int, styles: Styles) -> tuple[float, float]:
    """The top and bottom of a line without its raised, lowered and very tall runs."""
    tallest = MAX_BASELINE_PIECE_HEIGHT_TIMES * max([run.y1 - run.y0 for run in runs if run.style == style])
    least = MIN_BASELINE_PIECE_SIZE_SHARE * styles[style].size
    tops = []
    bottoms = []
    for _, y0, _, y1, run_style, *_ in runs:
        if y1 - y0 <= tallest and styles[run_style].size >= least:
            tops.append(y0)
            bottoms.append(y1)
    return min(tops), max(bottoms)


def _unstack(runs: list[Run]) -> list[Run]:
    """The runs with each stack (a fraction in the line, limits of a sum) read level by level."""
    if not any(run.x0 < before.x1 - MIN_STACK_OVERLAP_PT for before, run in pairwise(runs)):
        return runs
    ordered: list[Run] = []
    stack = runs[:1]
    right = runs[0].x1
    for run in runs[1:]:
        if run.x0 < right - MIN_STACK_OVERLAP_PT:
            stack.append(run)
            right = max(right, run.x1)
        else:
            ordered += _levels_in_order(stack)
            stack = [run]
            right = run.x1
    return ordered + _levels_in_order(stack)


def _levels_in_order(stack: list[Run]) -> list[Run]:
    """The runs of a stack from the top level to the bottom one, each from left to right."""
    if len(stack) == 1:
        return stack
    levels: list[list[Run]] = []
    for run in stack:
        for level in levels:
            if any(_share_level(run, other) for other in level):
                level.append(run)
                break
        else:
            levels.append([run])
    levels.sort(key=lambda level: min(run.y0 for run in level))
    return [run for level in levels for run in level]


def _share_level(a: Run, b: Run) -> bool:
    lower = min(a.y1 - a.y0, b.y1 - b.y0)
    overlap = min(a.y1, b.y1) - max(a.y0, b.y0)
    return overlap > MIN_STACK_LEVEL_OVERLAP_SHARE * lower


def join_side_by_side(lines: Sequence[Line], styles: Styles) -> Line:
    """One line made of lines on the same baseline."""
    return make_line([run for line in lines for run in line.runs], styles)


def join_text(runs: Runs, styles: Styles, *, rtl: bool = False) -> str:
    """The text of runs on one baseline; in right-to-left lines the next run may stand left of one."""
    parts = [runs[0].text]
    for before, after in pairwise(runs):
        gap = after.x0 - before.x1
        if rtl:
            gap = max(gap, before.x0 - after.x1)
        # Most runs touch: there is no gap.
        if gap > 0.0 and not parts[-1].endswith(" "):
            em = max(styles[before.style].size, styles[after.style].size)
            # The characters around a gap matter only between the narrowest and the widest space.
            is_space = gap > MIN_SPACE_BETWEEN_CJK_EM * em
            if not is_space and gap > MIN_SPACE_AT_FONT_CHANGE_EM * em:
                is_space = gap > least_space(before, after, styles) * em
            if is_space:
                parts.append(" ")
        parts.append(after.text)
    return "".join(parts).strip()
