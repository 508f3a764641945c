"""Images of pages as numpy arrays: threshold, skew, ruled lines, pictures, and what tells text from them.

Images are grey, one byte a pixel, white is 255. All functions are plain numpy, because no image library is a
dependency.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy
from numpy.typing import NDArray

Pixels = NDArray[numpy.uint8]
Ink = NDArray[numpy.bool_]

WHITE = 255
MAX_SKEW = 0.06  # slope; pages that lie more askew are rare, and steeper candidates cost time
SKEW_STEP = 0.005
FINE_SKEW_STEP = 0.0005
MAX_SKEW_POINTS = 20_000  # dark pixels that vote
SKEW_COLUMN_STEP = 10  # every tenth column is enough; the rows must be exact
SAMPLE_STEP = 3  # every third pixel in both directions is enough to estimate grey levels
# The darkest share of the dark pixels is black. The thin strokes of a coarse scan are grey all over: if their
# grey were black, the edges of wide strokes would be black, too, and bold type would look like regular type.
BLACK_SHARE = 0.02
RANDOM_SEED = 0

MIN_RULE_PT = 30.0
MAX_RULE_PT = 3.0  # thickness
MIN_RULE_DARK_SHARE = 0.97  # of its length: scans interrupt lines
RULE_STEP = 2  # lines are found in an image of half the resolution

# Underlines of words.
MIN_UNDERLINED_TIMES = (
    1.3  # width of a word by its height: of a narrower one, a line may be the foot of a letter
)
MIN_UNDERLINE_DARK_SHARE = 0.93  # of the width of the word
MAX_UNDERLINE_SHARE = 0.2  # of the height of the word
UNDERLINE_EDGE_SHARE = 0.06  # of the height of the word: what is grey above an underline is no stroke

# The ink of a line of a text layer, as shares of the height of its box.
MAX_WORD_GAP_SHARE = 1.2  # wider gaps separate columns and cells
MAX_LINE_REACH_SHARE = 0.25  # above, below and before the box
MIN_DARK_PIXELS = 2  # of a column: a lone one is noise

# Slant of letters: the stems of italics lean to the right by about a fifth.
SLANTS = (0.0, 0.08, 0.16, 0.24, 0.32)  # slopes that are tried
MIN_SLANT_HEIGHT_PX = 10  # lower letters have too few pixels

# Pictures: ink that is neither text nor a rule.
PICTURE_CELL_PT = 6.0
MAX_PICTURE_GAP_CELLS = 2  # between parts of one picture
MIN_PICTURE_SIDE_PT = 48.0
MIN_PICTURE_INK_SHARE = 0.15  # of its cells
MAX_SHADE = 240  # mean grey value of a shaded cell; noise leaves paper lighter
MAX_PICTURE_TEXT_SHARE = 0.3  # of its area that words cover

# What text looks like: rows of ink with many changes between dark and light, apart from each other.
TEXT_DPI = 100
MIN_CHANGES = 12  # between light and dark in a row of pixels that crosses a line of text
MIN_TEXT_ROWS_PX, MAX_TEXT_ROWS_PX = 4, 40  # height of a line of text, at TEXT_DPI
MIN_TEXT_LINES = 3
MAX_DARK_SHARE = 0.35  # of a page of text; photographs and dark covers have more


class PixelBox(NamedTuple):
    """A box in pixels; the right and lower sides lie outside."""

    x0: int
    y0: int
    x1: int
    y1: int


def dark_threshold(image: Pixels) -> int:
    """The grey value that separates ink from paper best (Otsu's method)."""
    counts = numpy.bincount(image[::SAMPLE_STEP, ::SAMPLE_STEP].ravel(), minlength=WHITE + 1).astype(float)
    grey = numpy.arange(WHITE + 1)
    below = counts.cumsum()
    above = below[-1] - below
    sum_below = (counts * grey).cumsum()
    sum_above = sum_below[-1] - sum_below
    with numpy.errstate(divide="ignore", invalid="ignore"):
        between = below * above * (sum_below / below - sum_above / above) ** 2
    return int(numpy.nanargmax(between)) if numpy.isfinite(between).any() else WHITE // 2


def normalise_levels(image: Pixels) -> Pixels:
    """The image with its usual paper white and its darkest ink black."""
    sample = image[::SAMPLE_STEP, ::SAMPLE_STEP]
    threshold = dark_threshold(image)
    is_dark = sample <= threshold
    if is_dark.all() or not is_dark.any():
        return image
    black = float(numpy.quantile(sample[is_dark], BLACK_SHARE))
    white = float(numpy.median(sample[~is_dark]))
    if black == 0 and white == WHITE:
        return image
    levels = (numpy.arange(WHITE + 1) - black) / max(1.0, white - black) * WHITE
    table: Pixels = levels.clip(0, WHITE).astype(numpy.uint8)
    return table[image]


def find_ink(image: Pixels) -> Ink:
    """The pixels that are darker than the paper."""
    ink: Ink = image <= dark_threshold(image)
    return ink


def estimate_skew(ink: Ink) -> float:
    """The slope of the text lines: positive if they fall towards the right.

    Along the right slope, the dark pixels of a text line fall into few rows.
    """
    rows, columns = numpy.nonzero(ink[:, ::SKEW_COLUMN_STEP])
    columns *= SKEW_COLUMN_STEP
    if len(rows) == 0:
        return 0.0
    if len(rows) > MAX_SKEW_POINTS:
        chosen = numpy.random.default_rng(RANDOM_SEED).choice(len(rows), MAX_SKEW_POINTS, replace=False)
        rows, columns = rows[chosen], columns[chosen]
    margin = int(2 * MAX_SKEW * ink.shape[1])

    def sharpness(slope: float) -> float:
        projected = (rows - slope * columns).astype(int) + margin
        counts = numpy.bincount(projected).astype(float)
        return float((counts * counts).sum())

    steps = round(MAX_SKEW / SKEW_STEP)
    coarse = max((step * SKEW_STEP for step in range(-steps, steps + 1)), key=sharpness)
    fine_steps = round(SKEW_STEP / FINE_SKEW_STEP)
    candidates = (coarse + step * FINE_SKEW_STEP for step in range(-fine_steps, fine_steps + 1))
    return max(candidates, key=sharpness)


def straighten(image: Pixels, slope: float) -> Pixels:
    """The image with its text lines horizontal: columns are moved up or down, then rows sideways.

    For slopes as small as those of scans, the two shears are a rotation about the centre.
    """
    if abs(slope) < FINE_SKEW_STEP:
        return image
    height, width = image.shape
    moved = _shear_columns(image, -slope * (numpy.arange(width) - width / 2))
    return _shear_columns(moved.T, slope * (numpy.arange(height) - height / 2)).T


def _shear_columns(image: Pixels, shifts: NDArray[numpy.float64]) -> Pixels:
    """The image with each column moved down by its shift, in whole pixels."""
    whole = numpy.rint(shifts).astype(int)
    moved = numpy.full_like(image, WHITE)
    height = image.shape[0]
    borders = numpy.flatnonzero(numpy.diff(whole)) + 1
    for columns in numpy.split(numpy.arange(len(whole)), borders):
        first, last = int(columns[0]), int(columns[-1]) + 1
        shift = int(whole[first])
        if shift >= 0:
            moved[shift:, first:last] = image[: height - shift, first:last]
        else:
            moved[:shift, first:last] = image[-shift:, first:last]
    return moved


def find_rules(ink: Ink, pixels_per_point: float) -> list[PixelBox]:
    """The long, thin lines of a page: the rules of tables, and those above footnotes."""
    height, width = (side // RULE_STEP * RULE_STEP for side in ink.shape)
    even = slice(0, height, RULE_STEP), slice(0, width, RULE_STEP)
    next_row = slice(1, height, RULE_STEP), slice(0, width, RULE_STEP)
    next_column = slice(0, height, RULE_STEP), slice(1, width, RULE_STEP)
    # A line that is one pixel thick must not fall between the rows that are kept.
    across = ink[even] | ink[next_row]
    down = ink[even] | ink[next_column]
    scale = pixels_per_point / RULE_STEP
    lines = _long_lines(across, scale)
    # Vertical lines are found in the transposed image, so their axes are swapped back.
    lines += [(y0, x0, y1, x1) for x0, y0, x1, y1 in _long_lines(down.T, scale)]
    return [PixelBox(*(RULE_STEP * side for side in line)) for line in lines]


def _long_lines(ink: Ink, scale: float) -> list[tuple[int, int, int, int]]:
    """The boxes of horizontal lines: x0, y0, x1, y1."""
    length = max(2, round(MIN_RULE_PT * scale))
    max_thickness = max(2, round(MAX_RULE_PT * scale))
    if ink.shape[1] <= length:
        return []
    # A line that is still a little askew climbs by a row: its neighbours count too.
    padded = numpy.pad(ink, ((1, 1), (0, 0)))
    near = padded[:-2] | padded[1:-1] | padded[2:]
    # Rows with too little ink can hold no line; most rows are such.
    rows = numpy.flatnonzero(ink.sum(axis=1) >= MIN_RULE_DARK_SHARE * length / 2)
    segments: list[tuple[int, int, int, int]] = []
    open_boxes: list[list[int]] = []  # x0, y0, x1, y1 of boxes that the next row may continue
    for row in rows:
        sums = numpy.concatenate(([0], near[row].cumsum()))
        dark = sums[length:] - sums[:-length] >= MIN_RULE_DARK_SHARE * length
        edges = numpy.flatnonzero(numpy.diff(numpy.concatenate(([0], dark.astype(numpy.int8), [0]))))
        spans = [(int(start), int(end) - 1 + length) for start, end in edges.reshape(-1, 2)]
        still_open = []
        for box in open_boxes:
            if box[3] >= row:
                still_open.append(box)
            else:
                segments.append((box[0], box[1], box[2], box[3]))
        open_boxes = still_open
        for x0, x1 in spans:
            for box in open_boxes:
                if x0 < box[2] and box[0] < x1:
                    box[0], box[2], box[3] = min(box[0], x0), max(box[2], x1), int(row) + 1
                    break
            else:
                open_boxes.append([x0, int(row), x1, int(row) + 1])
    segments += [(box[0], box[1], box[2], box[3]) for box in open_boxes]
    # The neighbours make a line two rows thicker.
    return [box for box in segments if box[3] - box[1] - 2 <= max_thickness]


def looks_like_text(image: Pixels, dots_per_inch: float) -> bool:
    """Whether an image has lines of text, judged without reading them."""
    step = max(1, round(dots_per_inch / TEXT_DPI))
    ink = find_ink(image[::step, ::step])
    if ink.size == 0 or ink.mean() > MAX_DARK_SHARE:
        return False
    is_change = ink[:, 1:] != ink[:, :-1]
    changes = is_change.sum(axis=1)
    crosses_text = (changes >= MIN_CHANGES).astype(numpy.int8)
    # With a light row at both ends, the differences alternate: a line of text begins, then ends.
    in_text = numpy.concatenate(([0], crosses_text, [0]))
    edges = numpy.flatnonzero(numpy.diff(in_text)).reshape(-1, 2)
    heights = edges[:, 1] - edges[:, 0]
    is_line = (heights >= MIN_TEXT_ROWS_PX) & (heights <= MAX_TEXT_ROWS_PX)
    return int(is_line.sum()) >= MIN_TEXT_LINES


def find_line_box(ink: Ink, box: PixelBox, *, limit: int) -> PixelBox | None:
    """The box of the ink of a line of text, found from a box that may be too large or too small.

    The rows are those from the middle of the box up and down to the first row without ink. The columns may go
    on beyond the right side of the box, up to the column `limit`, over gaps between words. None without ink.
    """
    height = box.y1 - box.y0
    reach = round(MAX_LINE_REACH_SHARE * height)
    first_row = max(0, box.y0 - reach)
    is_dark = numpy.asarray(ink[first_row : box.y1 + reach, box.x0 : min(box.x1, limit)].any(axis=1))
    empty = numpy.flatnonzero(~is_dark) + first_row
    middle = (box.y0 + box.y1) // 2
    top = int(max(empty[empty < middle], default=first_row - 1)) + 1
    bottom = int(min(empty[empty > middle], default=first_row + len(is_dark)))
    first_column = max(0, box.x0 - reach)
    dark = ink[top:bottom, first_column:limit].sum(axis=0) >= MIN_DARK_PIXELS
    columns = numpy.flatnonzero(dark) + first_column
    if len(columns) == 0:
        return None
    max_gap = round(MAX_WORD_GAP_SHARE * height)
    pieces = numpy.split(columns, numpy.flatnonzero(numpy.diff(columns) > max_gap) + 1)
    inside = [piece for piece in pieces if piece[-1] >= box.x0 and piece[0] < box.x1]
    return PixelBox(int(inside[0][0]), top, int(inside[-1][-1]) + 1, bottom) if inside else None


class InkMeasure(NamedTuple):
    """The ink within a box: its tight box, and the mean width of its strokes in pixels.

    `underline` is a line below it that reaches from one side to the other, and does not count as its ink.
    `slant` is how far its stems lean to the right, as a slope.
    """

    box: PixelBox
    stroke: float
    slant: float
    underline: PixelBox | None = None


def measure_ink(image: Pixels, ink: Ink, box: PixelBox, *, descends: bool = False) -> InkMeasure | None:
    """Measure the ink within a box; None if there is none. `descends` tells whether its letters do.

    The darkness of edge pixels counts by its share, so that widths are finer than a pixel. The area of the
    ink divided by the length of its strokes is their width. The number of pixels at which strokes begin,
    across and down, gives that length.
    """
    x0, y0, x1, y1 = box
    part = ink[y0:y1, x0:x1]
    rows, columns = numpy.flatnonzero(part.any(axis=1)), numpy.flatnonzero(part.any(axis=0))
    if len(rows) == 0:
        return None
    top, bottom = int(rows[0]), int(rows[-1]) + 1
    left, right = int(columns[0]), int(columns[-1]) + 1
    line = _underline_rows(part[top:bottom, left:right])
    underline = None
    if line is not None:
        underline = PixelBox(x0 + left, y0 + top + line[0], x0 + right, y0 + top + line[1])
        above = rows[rows < top + line[0]]
        end = int(above[-1]) + 1 if len(above) else top + 1
        # Descenders end in the underline or below it, other letters above it. The ink cannot tell: a line
        # that is a little askew has an edge below its last full row.
        bottom = bottom if descends else end
        end = max(top + 1, end - round(UNDERLINE_EDGE_SHARE * (end - top)))
    else:
        end = bottom
    tight = PixelBox(x0 + left, y0 + top, x0 + right, y0 + bottom)
    part = part[top:end, left:right]
    grey = image[tight.y0 : y0 + end, tight.x0 : tight.x1]
    darkness = _darkness(grey, part)
    # A stroke begins at a dark pixel after a light one, or at the edge.
    begins_across = part[:, 1:] & ~part[:, :-1]
    begins_down = part[1:] & ~part[:-1]
    across = int(begins_across.sum() + part[:, 0].sum())
    down = int(begins_down.sum() + part[0].sum())
    length = float(numpy.hypot(across, down))
    return InkMeasure(tight, darkness / length if length else 0.0, estimate_slant(part), underline)


def _darkness(grey: Pixels, ink: Ink) -> float:
    """The area of the ink in pixels: those at its edges count by how dark they are.

    Only pixels beside ink count, and only what is darker than the paper around: noise and shaded boxes would
    add to the area.
    """
    near = ink.copy()
    near[1:] |= ink[:-1]
    near[:-1] |= ink[1:]
    near[:, 1:] |= ink[:, :-1]
    near[:, :-1] |= ink[:, 1:]
    pixels = near.sum()
    paper = (int(grey.sum()) - int(grey[near].sum())) / (near.size - pixels) if pixels < near.size else WHITE
    darker = pixels * paper - grey[near].sum(dtype=float)
    return float(max(0.0, darker) / paper) if paper else float(pixels)


def estimate_slant(word: Ink) -> float:
    """The slope of a word's stems to the right: along it, the ink falls into the fewest columns."""
    height = word.shape[0]
    if height < MIN_SLANT_HEIGHT_PX:
        return 0.0
    rows, columns = numpy.nonzero(word)
    margin = int(SLANTS[-1] * height) + 1
    counts = [numpy.bincount(columns + margin - (slope * (height - rows)).astype(int)) for slope in SLANTS]
    return SLANTS[int(numpy.argmax([numpy.dot(count, count) for count in counts]))]


def find_pictures(
    image: Pixels, ink: Ink, words: Sequence[PixelBox], rules: Sequence[PixelBox], pixels_per_point: float
) -> list[PixelBox]:
    """The boxes of photographs and drawings: regions with ink or shades that are neither text nor a rule."""
    cell = max(1, round(PICTURE_CELL_PT * pixels_per_point))
    height, width = (side // cell for side in ink.shape)
    if height == 0 or width == 0:
        return []
    cells = height, cell, width, cell
    has_ink = numpy.asarray(ink[: height * cell, : width * cell].reshape(cells).any(axis=(1, 3)))
    grey = numpy.asarray(image[: height * cell, : width * cell].reshape(cells).mean(axis=(1, 3)))
    is_shaded = grey <= MAX_SHADE
    is_word = numpy.zeros_like(has_ink)
    for box in words:
        is_word[box.y0 // cell : box.y1 // cell + 1, box.x0 // cell : box.x1 // cell + 1] = True
    is_drawn: Ink = (has_ink | is_shaded) & ~is_word
    for box in rules:
        is_drawn[box.y0 // cell : box.y1 // cell + 1, box.x0 // cell : box.x1 // cell + 1] = False
    pictures = []
    min_side = round(MIN_PICTURE_SIDE_PT / PICTURE_CELL_PT)
    for top, left, bottom, right in _regions(is_drawn):
        part = slice(top, bottom), slice(left, right)
        is_large = min(bottom - top, right - left) >= min_side
        # Shades at the edge of a page are those of its fold and of the scanner.
        is_at_edge = top == 0 or left == 0 or bottom == height or right == width
        drawn = is_drawn[part] & has_ink[part] if is_at_edge else is_drawn[part]
        is_inked = drawn.mean() >= MIN_PICTURE_INK_SHARE
        if is_large and is_inked and is_word[part].mean() <= MAX_PICTURE_TEXT_SHARE:
            pictures.append(PixelBox(left * cell, top * cell, right * cell, bottom * cell))
    return pictures


def _regions(cells: Ink) -> Iterator[tuple[int, int, int, int]]:
    """The groups of cells with small gaps between them: first row, first column, and those after the last."""
    left_over = {(int(row), int(column)) for row, column in zip(*numpy.nonzero(cells), strict=True)}
    reach = range(-MAX_PICTURE_GAP_CELLS, MAX_PICTURE_GAP_CELLS + 1)
    steps = [(down, right) for down in reach for right in reach]
    while left_over:
        waiting = [left_over.pop()]
        region = []
        while waiting:
            row, column = waiting.pop()
            region.append((row, column))
            near = left_over.intersection([(row + down, column + right) for down, right in steps])
            left_over -= near
            waiting += near
        rows = [row for row, _ in region]
        columns = [column for _, column in region]
        yield min(rows), min(columns), max(rows) + 1, max(columns) + 1


def _underline_rows(word: Ink) -> tuple[int, int] | None:
    """The first row of an underline of a word, and the one after its last; None without one."""
    height, width = word.shape
    if width < MIN_UNDERLINED_TIMES * height:
        return None
    lower = height // 2
    full = numpy.flatnonzero(word[lower:].mean(axis=1) >= MIN_UNDERLINE_DARK_SHARE)
    if len(full) == 0:
        return None
    first, last = lower + int(full[0]), lower + int(full[-1]) + 1
    return (first, last) if last - first <= MAX_UNDERLINE_SHARE * height else None
