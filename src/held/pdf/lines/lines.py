"""Runs to lines: stretches of text on one baseline without a wide gap.

A line here is no wider than one column, table cell or running head: runs that stand further apart than
`WORD_GAP` ems stay apart, and what belongs together after all (a number and its title) is joined later,
where more is known. The order of the page's content stream is kept: it is right far more often than not.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from held.document import Box, PageContent, Run, Style, around

WORD_GAP = 1.25  # ems: the widest gap inside a line
SPACE_GAP = 0.17  # ems: the narrowest gap that is read as a space
SPACE_GAP_CJK = 0.6  # ems: Chinese is set without spaces, but justified lines stretch
HIDDEN_MODES = (3, 7)  # PDF text render modes that paint nothing


class Line(NamedTuple):
    """Runs on one baseline, left to right. `style` is the style of most characters, `size` its font size."""

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


def lines_of(page: PageContent, styles: Sequence[Style]) -> list[Line]:
    """The upright, visible lines of a page in the order of its content stream."""
    runs = visible_runs(page, styles)
    if not all(styles[i].upright for i in {run.style for run in runs}):
        runs = [run for run in runs if styles[run.style].upright]
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
    used = {run.style for run in runs}
    hidden = {i for i in used if styles[i].render_mode in HIDDEN_MODES}
    white = {i for i in used if styles[i].colour == "ffffff"}
    if hidden:
        painted = [run for run in runs if run.style not in hidden]
        runs = painted or runs
    if white:
        grounds = [*page.images, *(rule for rule in page.rules if rule.height > 4)]
        runs = [run for run in runs if run.style not in white or _lies_on(run, grounds)]
    return _without_repeats(runs)


def _lies_on(run: Run, grounds: Iterable[Box]) -> bool:
    x, y = (run.x0 + run.x1) / 2, (run.y0 + run.y1) / 2
    return any(box.x0 <= x <= box.x1 and box.y0 <= y <= box.y1 for box in grounds)


def _without_repeats(runs: list[Run]) -> list[Run]:
    """The runs without second paintings: shadows and boldening print a text again a fraction aside."""
    seen: dict[str, list[Run]] = {}
    kept = []
    for run in runs:
        earlier = seen.get(run.text)
        if earlier is None:
            seen[run.text] = [run]
        elif any(abs(run.x0 - e.x0) < 1.2 and abs(run.y0 - e.y0) < 1.2 for e in earlier[-3:]):
            continue
        else:
            earlier.append(run)
        kept.append(run)
    return kept


def _group_in_order(runs: list[Run], styles: Sequence[Style]) -> list[list[Run]]:
    """Runs that follow each other in the content stream and on the baseline, grouped."""
    sizes = [style.size for style in styles]
    groups: list[list[Run]] = []
    x0 = x1 = top = bottom = size = 0.0
    for run in runs:
        run_x0, run_top, run_x1, run_bottom, style, _ = run
        own = sizes[style]
        overlap = min(bottom, run_bottom) - max(top, run_top)
        low = 0.45 * min(run_bottom - run_top, bottom - top)
        if groups and overlap >= low and _continues(run, (x0, x1, bottom - top, size), own):
            groups[-1].append(run)
            x0, x1 = min(x0, run_x0), max(x1, run_x1)
            if run_bottom - run_top > bottom - top:
                top, bottom, size = run_top, run_bottom, own
        else:
            groups.append([run])
            x0, top, x1, bottom, size = run_x0, run_top, run_x1, run_bottom, own
    return groups


def _continues(run: Run, line: tuple[float, float, float, float], size: float) -> bool:
    """Whether a run goes on, on either side, with a line whose edges, height and size are given."""
    x0, x1, line_height, line_size = line
    em = max(size, 0.8 * line_height)
    gap = run.x0 - x1
    if gap > 0.2 * size and len(run.text) > 3:
        if not 0.55 * line_height < run.y1 - run.y0 < 1.8 * line_height:
            return False  # a small note beside a large title
        if gap > 0.75 * em and abs(size - line_size) > 0.05 * em:
            return False  # a word in the margin beside the text
    return -0.6 * em < gap < WORD_GAP * em or -0.2 * em < x0 - run.x1 < WORD_GAP * em


def _merge_neighbours(groups: list[list[Run]]) -> list[list[Run]]:
    """Groups that touch on the same baseline though other text stands between them in the stream, merged."""
    boxes = [_bounds(group) for group in groups]
    order = sorted(range(len(groups)), key=lambda i: boxes[i][1] + boxes[i][3])
    merged_into: dict[int, int] = {}
    for place, i in enumerate(order):
        for j in order[place + 1 : place + 8]:
            a, b = boxes[i], boxes[j]
            if b[1] > a[3] or i in merged_into:
                break
            if j not in merged_into and _touch(a, b):
                first, second = min(i, j), max(i, j)
                groups[first] = groups[i] + groups[j]
                boxes[first] = _bounds(groups[first])
                merged_into[second] = first
    return [group for i, group in enumerate(groups) if i not in merged_into]


def _touch(a: Box, b: Box) -> bool:
    """Whether two boxes stand side by side, hardly a space apart, and share most of their height."""
    low, high = a[3] - a[1], b[3] - b[1]
    if low > high:
        low, high = high, low
    gap = b[0] - a[2] if b[0] > a[0] else a[0] - b[2]
    if not -0.3 * low < gap < 0.45 * low or low <= 0.5 * high:
        return False
    return min(a[3], b[3]) - max(a[1], b[1]) > 0.6 * low


def _bounds(runs: Sequence[Run]) -> Box:
    return Box(*runs[0][:4]) if len(runs) == 1 else around(runs)


def make_line(runs: Sequence[Run], styles: Sequence[Style]) -> Line:
    """The line of these runs, its text with spaces where the gaps ask for them."""
    if len(runs) == 1:
        run = runs[0]
        return Line(
            run.x0, run.y0, run.x1, run.y1, run.text.strip(), run.style, styles[run.style].size, (run,)
        )
    runs = sorted(runs, key=lambda run: run.x0)
    weight: dict[int, int] = {}
    for run in runs:
        weight[run.style] = weight.get(run.style, 0) + len(run.text)
    style = max(weight, key=weight.__getitem__)
    return Line(*around(runs), join_runs(runs, styles), style, styles[style].size, tuple(runs))


def join_lines_side_by_side(lines: Sequence[Line], styles: Sequence[Style]) -> Line:
    """One line of lines that stand on the same baseline, a space between them."""
    return make_line([run for line in lines for run in line.runs], styles)


def join_runs(runs: Sequence[Run], styles: Sequence[Style]) -> str:
    """The text of runs on one baseline, left to right."""
    parts = [runs[0].text]
    for before, after in pairwise(runs):
        gap = after.x0 - before.x1
        em = max(styles[before.style].size, styles[after.style].size)
        cjk = is_cjk(before.text[-1]) and is_cjk(after.text[0])
        if gap > (SPACE_GAP_CJK if cjk else SPACE_GAP) * em and not parts[-1].endswith(" "):
            parts.append(" ")
        parts.append(after.text)
    return " ".join("".join(parts).split(" ")).strip()


def is_cjk(character: str) -> bool:
    """Whether a character is Chinese, Japanese or Korean, full-width punctuation included."""
    return character >= "\u2e80" and (
        character <= "\u9fff"
        or "\uac00" <= character <= "\ud7af"
        or "\uf900" <= character <= "\ufaff"
        or "\uff00" <= character <= "\uffef"
        or character >= "\U00020000"
    )
